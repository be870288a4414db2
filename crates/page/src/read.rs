//! What a text or a file is: a position, a layout, or a game.
//!
//! | it | is | kind |
//! |---|---|---|
//! | begins with `{` or `[` | JSON: a recorded game or a log | game |
//! | | JSON: a request or a history | position |
//! | begins with `9x9x10` | JSMinesweeper's `.mine`: `0`-`8`, `F` flagged, else hidden | position |
//! | states its number of bytes | MBF: width, height, mines, column and row of each | layout |
//! | else | a field as text | position |
//!
//! Invariant: what cannot be read is one line that names the place.

use serde_json::Value;

use super::answer::{LayoutAnswer, PageAnswer, ReadGameAnswer, ReadPositionAnswer};
use super::replay::recorded_game;
use super::request::{PageRequest, TextForm};
use analysis::field::read_field;
use analysis::json::coordinates::list_coordinates;
use sapper::board::geometry::{Cell, Shape};
use sapper::bot::read_error::ReadError;
use sapper::bot::session::Session;
use sapper::kit::text::pluralize;
use sapper::protocol::Input;
use sapper::settings::params::Objective;
use viewer::data::ViewerGame;

/// What a text or a file is.
pub fn read(request: &PageRequest) -> Result<PageAnswer, String> {
    match (&request.text, &request.bytes) {
        (Some(text), _) if request.form == Some(TextForm::Game) => read_game(text),
        (Some(text), _) => read_text(text),
        (None, Some(bytes)) => read_bytes(bytes),
        (None, None) => Err("the request needs `text` or `bytes`".to_owned()),
    }
}

fn read_bytes(bytes: &[u8]) -> Result<PageAnswer, String> {
    if mbf_len(bytes) == Some(bytes.len()) {
        return read_mbf(bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => read_text(text),
        _ => Err(match mbf_len(bytes) {
            Some(expected) => format!(
                "neither text nor a board file (MBF): as a board file of {} mines it would have \
                 {expected} bytes, and it has {}",
                mbf_mines(bytes),
                bytes.len()
            ),
            None => "neither text nor a board file (MBF)".to_owned(),
        }),
    }
}

fn mbf_mines(bytes: &[u8]) -> usize {
    usize::from(bytes[2]) << 8 | usize::from(bytes[3])
}

/// The number of bytes that an MBF file has, by its first four.
fn mbf_len(bytes: &[u8]) -> Option<usize> {
    (bytes.len() >= 4).then(|| 4 + 2 * mbf_mines(bytes))
}

fn read_mbf(bytes: &[u8]) -> Result<PageAnswer, String> {
    let fault = |what: String| format!("board file (MBF): {what}");
    let shape = Shape::new(bytes[1].into(), bytes[0].into());
    let shape = shape.map_err(|error| fault(error.to_string()))?;
    let mut mines: Vec<Cell> = Vec::new();
    for (index, &[column, row]) in bytes[4..].as_chunks().0.iter().enumerate() {
        let cell = shape.cell(row.into(), column.into()).ok_or_else(|| {
            fault(format!(
                "mine {index} is at ({row},{column}), outside the field of {} rows and {} columns",
                shape.rows(),
                shape.columns()
            ))
        })?;
        mines.push(cell);
    }
    mines.sort_unstable();
    if let Some(twice) = mines.windows(2).find(|pair| pair[0] == pair[1]) {
        let (row, column) = (shape.row(twice[0]), shape.column(twice[0]));
        return Err(fault(format!("two mines are at ({row},{column})")));
    }
    Ok(PageAnswer::Layout(LayoutAnswer {
        bbbv: None,
        height: shape.rows(),
        kind: Some("layout"),
        minecount: mines.len(),
        mines: list_coordinates(shape, &mines),
        width: shape.columns(),
    }))
}

fn read_text(text: &str) -> Result<PageAnswer, String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match text.chars().next() {
        None => Err("it is empty".to_owned()),
        Some('{' | '[') => read_json(text),
        Some(_) => match mine_header(text.lines().next().unwrap_or("")) {
            Some(header) => read_mine(text, header),
            None => {
                let read = read_field(text)?;
                let field = read.board.to_text(read.mines);
                Ok(PageAnswer::ReadPosition(ReadPositionAnswer::new(field)))
            }
        },
    }
}

fn read_json(text: &str) -> Result<PageAnswer, String> {
    // A bot that keeps running reads several values: a history, and then a request a line.
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let value = value.map_err(|error| ReadError::Json(error).to_string())?;
        if value.is_array() || value.get("log").is_some() {
            return read_game(text);
        }
    }
    let mut session = Session::default();
    // Read from the text, so that an error names line and column.
    for input in serde_json::Deserializer::from_str(text).into_iter::<Input>() {
        session.push(input.map_err(|error| ReadError::Json(error).to_string())?);
    }
    let (board, notes) = session.board().map_err(|error| error.to_string())?;
    let field = board.to_text(Some(board.mines().into()));
    let read = ReadPositionAnswer { notes: Some(notes), ..ReadPositionAnswer::new(field) };
    Ok(PageAnswer::ReadPosition(read))
}

fn read_game(text: &str) -> Result<PageAnswer, String> {
    let game = recorded_game(text)?;
    let turns = game.record().answers();
    let game = ViewerGame::new(&game, Objective::FewestHits, "");
    Ok(PageAnswer::ReadGame(Box::new(ReadGameAnswer { game, kind: "game", turns })))
}

/// Width, height and mines of the first line of a `.mine` text; a number that is too large is the
/// largest.
fn mine_header(line: &str) -> Option<[u64; 3]> {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let number = |word: &str| is_number(word).then(|| word.parse().unwrap_or(u64::MAX));
    line.trim().split('x').map(number).collect::<Option<Vec<u64>>>()?.try_into().ok()
}

fn read_mine(text: &str, [columns, rows, mines]: [u64; 3]) -> Result<PageAnswer, String> {
    let shape = Shape::new(rows, columns).map_err(|error| format!("line 1: {error}"))?;
    if mines > shape.len() as u64 {
        let cells = pluralize(shape.len(), "cell", "cells");
        return Err(format!("line 1: more mines than the {cells} of the board"));
    }
    let lines: Vec<&str> = text.trim_end().lines().skip(1).collect();
    if lines.len() as u64 != rows {
        let found = pluralize(lines.len() as u64, "row", "rows");
        return Err(format!("{found} after the first line, expected {rows} (the height)"));
    }
    let mut field = format!("{columns} {rows} {mines}\n");
    let mut flags = Vec::new();
    let mut cells = shape.cells();
    for (number, line) in (2..).zip(lines) {
        let symbols = line.chars().count() as u64;
        if symbols != columns {
            let symbols = pluralize(symbols, "symbol", "symbols");
            return Err(format!("line {number}: {symbols}, expected {columns} (the width)"));
        }
        for (symbol, cell) in line.chars().zip(&mut cells) {
            field.push(if matches!(symbol, '0'..='8') { symbol } else { '.' });
            flags.extend((symbol == 'F').then_some(cell));
        }
        field.push('\n');
    }
    let flags = list_coordinates(shape, &flags);
    let read = ReadPositionAnswer { flags: Some(flags), ..ReadPositionAnswer::new(field) };
    Ok(PageAnswer::ReadPosition(read))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_value(request: &PageRequest) -> Result<Value, String> {
        read(request).map(|answer| answer.to_value())
    }

    fn text(text: &str) -> Result<Value, String> {
        read_value(&PageRequest { text: Some(text.to_owned()), ..PageRequest::default() })
    }

    fn bytes(bytes: &[u8]) -> Result<Value, String> {
        read_value(&PageRequest { bytes: Some(bytes.to_owned()), ..PageRequest::default() })
    }

    #[test]
    fn each_form_of_a_position_is_read() {
        for form in [
            "3 2 1\n1..\n1..",
            "\u{feff} \n# a comment\n3 2 1\n1??\n1??\n",
            "3x2x1\n1HH\n1HH\n",
            "3x2x1\r\n1HH\r\n1HH\r\n",
            r#"{"height":2,"width":3,"minecount":1,"changed":[{"row":0,"col":0,"val":1},
                {"row":1,"col":0,"val":1}]}"#,
            r#"{"requests":[{"height":2,"width":3,"minecount":1,"changed":null},
                {"height":2,"width":3,"minecount":1,"changed":[{"row":0,"col":0,"val":1}]},
                {"height":2,"width":3,"minecount":1,"changed":[{"row":1,"col":0,"val":1}]}],
                "responses":[{"row":0,"col":0},{"row":1,"col":0}]}"#,
        ] {
            let read = text(form).unwrap();
            assert_eq!(
                (&read["kind"], &read["field"]),
                (&json!("position"), &json!("3 2 1\n1..\n1..\n"))
            );
            assert_eq!(bytes(form.as_bytes()).unwrap(), read);
        }
        // An impossible position is read too, with its mine count as it stands.
        assert_eq!(text("2 1 9\n8.").unwrap()["field"], "2 1 9\n8.\n");
        assert_eq!(text("2 1\n1.").unwrap()["field"], "2 1\n1.\n");
        let read =
            text(r#"{"height":1,"width":2,"minecount":1,"changed":[{"row":0,"col":0,"val":77}]}"#);
        let read = read.unwrap();
        assert_eq!(
            (&read["field"], read["notes"].as_array().unwrap().len()),
            (&json!("2 1 1\n..\n"), 1)
        );
    }

    #[test]
    fn a_board_file_is_a_layout() {
        let read = bytes(&[3, 2, 0, 2, 2, 0, 0, 1]).unwrap();
        let expected = json!({"kind": "layout", "width": 3, "height": 2, "minecount": 2,
            "mines": [[0, 2], [1, 0]]});
        assert_eq!(read, expected);
        for (file, fault) in [
            (
                &[3, 2, 0, 1, 3, 0][..],
                "mine 0 is at (0,3), outside the field of 2 rows and 3 columns",
            ),
            (&[3, 2, 0, 2, 1, 1, 1, 1], "two mines are at (1,1)"),
            (&[0, 2, 0, 0], "a field needs"),
            (&[3, 2, 0, 2, 1, 1], "it would have 8 bytes, and it has 6"),
            (&[255, 254], "neither text nor a board file"),
        ] {
            let error = bytes(file).unwrap_err();
            assert!(error.contains(fault), "{error}");
        }
    }

    #[test]
    fn a_game_is_known_by_its_log() {
        let game = fixtures::sample::SMALL_GAME;
        let read = text(game).unwrap();
        assert_eq!(read["kind"], "game");
        assert!(read["turns"].as_u64().unwrap() > 5);
        assert_eq!(read["laid"].as_array().unwrap().len(), 11);
    }

    #[test]
    fn what_cannot_be_read_is_one_line_that_names_the_place() {
        for (bad, fault) in [
            ("", "empty"),
            (" \n", "empty"),
            ("hello", "no width or height"),
            ("3 2 1\n1..", "1 row, expected 2"),
            ("3x2x1\n1HH\n1H\n", "line 3: 2 symbols, expected 3"),
            ("3x2x1\n1HH\n", "1 row after the first line, expected 2"),
            ("0x2x1\n\n", "line 1: a field needs"),
            ("3x1x4\n1HH\n", "line 1: more mines than the 3 cells of the board"),
            ("3x1x99999999999999999999\n1HH\n", "line 1: more mines than the 3 cells"),
            ("{", "JSON"),
            ("[", "JSON"),
            ("[]", "not a recorded game"),
            (r#"{"log":[{"0":1}]}"#, "not a recorded game"),
            (r#"{"width":3}"#, "height"),
            ("{\"width\":3,\n\"height\":\"3\"}", "at line 2 column 12"),
            (r#"{"requests":[{"width":"3"}]}"#, "at line 1 column 25"),
            (r#"{"requests":[]}"#, ""),
        ] {
            let error = text(bad).unwrap_err();
            assert!(error.contains(fault) && error.lines().count() == 1, "{bad:?}: {error}");
        }
        assert!(read(&PageRequest::default()).is_err());
    }
}
