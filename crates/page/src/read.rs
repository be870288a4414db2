//! What a text or a file is: a position, a layout, or a game, as [`game::formats`] recognises it.
//!
//! Invariant: what cannot be read is one line that names the place.

use super::answer::{
    LayoutAnswer, MatchAnswer, PackAnswer, PageAnswer, ReadGameAnswer, ReadPositionAnswer,
};
use super::replay::GameSource;
use super::request::{PageRequest, TextForm};
use analysis::field::read_field;
use analysis::json::coordinates::list_coordinates;
use game::board_file::Layout;
use game::formats::{Contents, DrawnPosition, Match, MatchPack, to_rawvf};
use sapper::board::geometry::Cell;
use sapper::bot::read_error::ReadError;
use sapper::bot::session::Session;
use sapper::protocol::Input;
use viewer::data::ViewerGame;

/// What a text or a file is.
pub fn read(request: &PageRequest) -> Result<PageAnswer, String> {
    let bytes = match (&request.text, &request.bytes) {
        (Some(text), _) => text.as_bytes(),
        (None, Some(bytes)) => bytes,
        (None, None) => return Err("the request needs `text` or `bytes`".to_owned()),
    };
    if let Some(Ok(kept)) = saved_game(bytes).map(read_kept) {
        return Ok(kept);
    }
    if let (Some(text), Some(TextForm::Game)) = (&request.text, request.form) {
        return read_game(text);
    }
    match game::formats::read(bytes).map_err(|error| error.to_string())? {
        Contents::Position(position) => read_position(position),
        Contents::Requests(text) => read_requests(&text),
        Contents::Layouts(layouts) => read_layout(&layouts),
        Contents::Games(pack) => match &pack.matches[..] {
            [only] => read_kept(only.game.text().into_owned()),
            _ => Ok(read_pack(pack)),
        },
        Contents::Recording(recording) => read_kept(to_rawvf(&recording)),
    }
}

/// The game inside a page that `saved-page.js` wrote. Its log, for other readers of such pages,
/// lacks the first click of a classic game.
fn saved_game(page: &[u8]) -> Option<String> {
    let page = str::from_utf8(page).ok()?;
    let (_, game) = page.split_once(r#"<script type="application/json" id="saved-game">"#)?;
    let (game, _) = game.split_once("</script>")?;
    let game: serde_json::Value = serde_json::from_str(game).ok()?;
    game["text"].as_str().map(str::to_owned)
}

/// A game with its text, whatever the file was: every later request has that.
fn read_kept(text: String) -> Result<PageAnswer, String> {
    let game = read_recorded(&text)?;
    Ok(PageAnswer::ReadGame(Box::new(ReadGameAnswer { text: Some(text), ..game })))
}

fn read_position(position: DrawnPosition) -> Result<PageAnswer, String> {
    let read = read_field(&position.text)?;
    let field = read.board.to_text(read.mines);
    let flags = list_coordinates(read.board.shape(), &position.flags);
    Ok(PageAnswer::ReadPosition(ReadPositionAnswer {
        flags: Some(flags).filter(|flags| !flags.is_empty()),
        notes: Some(position.assumed).filter(|notes| !notes.is_empty()),
        ..ReadPositionAnswer::new(field)
    }))
}

/// Several layouts are no position to analyse and no game to play.
fn read_layout(layouts: &[Layout]) -> Result<PageAnswer, String> {
    let [Layout { shape, mines, .. }] = layouts else {
        return Err(format!("it has {} layouts; give one of them", layouts.len()));
    };
    let mut mines: Vec<_> = mines.iter().map(|&mine| Cell::from_index(mine as u32)).collect();
    mines.sort_unstable();
    Ok(PageAnswer::Layout(LayoutAnswer {
        bbbv: None,
        height: shape.rows(),
        kind: Some("layout"),
        minecount: mines.len(),
        mines: list_coordinates(*shape, &mines),
        width: shape.columns(),
    }))
}

/// Requests: a history, or, of a bot that keeps running, a history and then a request a line.
fn read_requests(text: &str) -> Result<PageAnswer, String> {
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

fn read_pack(pack: MatchPack) -> PageAnswer {
    let MatchPack { matches, left_out: notes } = pack;
    let answer = |(number, Match { id, line, game }): (usize, Match)| {
        let id = id.unwrap_or_else(|| format!("line {line}"));
        MatchAnswer { name: format!("{number} ({id})"), text: game.text().into_owned() }
    };
    let matches = (1..).zip(matches).map(answer).collect();
    PageAnswer::Pack(PackAnswer { kind: "pack", matches, notes })
}

fn read_game(text: &str) -> Result<PageAnswer, String> {
    Ok(PageAnswer::ReadGame(Box::new(read_recorded(text)?)))
}

fn read_recorded(text: &str) -> Result<ReadGameAnswer, String> {
    let source = GameSource::read(text)?;
    // A classic game of the page is a log of Botzone's here, whose first click is a turn.
    let own_rule = if let GameSource::Own(request, _) = &source { request.rule } else { None };
    let game = source.reviewed()?;
    let rule = own_rule.unwrap_or(game.outcome().rule);
    let (turns, objective) = (game.moves(), rule.objective());
    let mut game = ViewerGame::new(game.as_ref(), objective, "");
    game.scored = !rule.is_classic();
    Ok(ReadGameAnswer { game, kind: "game", objective: objective.to_string(), text: None, turns })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

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
            (&[255, 254, 0], "neither a position"),
        ] {
            let error = bytes(file).unwrap_err();
            assert!(error.contains(fault), "{error}");
        }
    }

    #[test]
    fn a_pack_is_its_games() {
        let game = fixtures::sample::SMALL_GAME.replace('\n', " ");
        let read = text(&format!("{game}\n{{}}\n{game}\n")).unwrap();
        assert_eq!(read["kind"], "pack");
        let matches = read["matches"].as_array().unwrap();
        assert_eq!(matches.len(), 3, "{read}");
        assert_eq!(matches[2]["name"], "3 (line 3)");
        for index in [0, 2] {
            let one = text(matches[index]["text"].as_str().unwrap()).unwrap();
            assert_eq!(
                (&one["kind"], &one["count"]),
                (&json!("game"), &text(&game).unwrap()["count"])
            );
        }
    }

    #[test]
    fn a_recording_is_a_game_that_later_requests_have_as_text() {
        const PERSON: &str = fixtures::sample::PERSON;
        for read in [text(PERSON).unwrap(), bytes(PERSON.as_bytes()).unwrap()] {
            assert_eq!((&read["kind"], &read["turns"]), (&json!("game"), &json!(5)));
            assert_eq!(read["objective"], "clean-win");
            let kept = read["text"].as_str().unwrap();
            let again = PageRequest {
                text: Some(kept.to_owned()),
                form: Some(TextForm::Game),
                ..PageRequest::default()
            };
            let again = read_value(&again).unwrap();
            assert_eq!((&again["title"], &again["count"]), (&read["title"], &read["count"]));
        }
    }

    #[test]
    fn a_saved_page_is_the_game_inside() {
        let game = r#"{"do":"open","rule":"safe-first","width":4,"height":1,"mines":[[0,0]],
            "clicks":[[0,1],[0,3]]}"#;
        let inside = serde_json::json!({"text": game, "objective": "clean-win", "turn": 1});
        let page = |inside: &str| {
            format!(
                "<!doctype html>\n<script type=\"application/json\" id=\"saved-game\">{inside}\
                 </script><script>var _rawLogJSON = {};</script>",
                fixtures::sample::SMALL_GAME
            )
        };
        let read = text(&page(&inside.to_string())).unwrap();
        assert_eq!((&read["text"], &read["turns"]), (&json!(game), &json!(2)));
        // By its own rule, whose chances are wins.
        let told = ["objective", "unit", "scored"].map(|key| read[key].clone());
        assert_eq!(told, [json!("clean-win"), json!("probability to win"), json!(false)]);
        assert_eq!(bytes(page(&inside.to_string()).as_bytes()).unwrap(), read);
        let pasted = PageRequest {
            text: Some(page(&inside.to_string())),
            form: Some(TextForm::Game),
            ..PageRequest::default()
        };
        assert_eq!(read_value(&pasted).unwrap(), read);
        // Without a game inside it is read by its log.
        for inside in ["", "{", "{}", r#"{"text":7}"#, r#"{"text":"hello"}"#] {
            let log = text(&page(inside)).unwrap();
            assert_eq!(log["count"], text(fixtures::sample::SMALL_GAME).unwrap()["count"]);
        }
    }

    #[test]
    fn a_game_is_known_by_its_log() {
        let game = fixtures::sample::SMALL_GAME;
        let read = text(game).unwrap();
        assert_eq!(read["kind"], "game");
        assert!(read["turns"].as_u64().unwrap() > 5);
        assert_eq!(read["laid"].as_array().unwrap().len(), 11);
        // Later requests have its text, also where the file is no text in UTF-8.
        let units = std::iter::once(0xFEFF).chain(game.encode_utf16());
        let wide: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        let kept = bytes(&wide).unwrap()["text"].as_str().map(str::to_owned);
        assert_eq!(text(&kept.unwrap()).unwrap(), read);
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
