//! Positions drawn as rows of symbols, as people and programs print them.
//!
//! This project's own text states width and height in its first line
//! ([`sapper::board::text_format`]). Other programs print rows alone, put blanks, commas or
//! brackets between the symbols, or draw with emoji: width and height then follow from the rows,
//! and the number of mines is unknown. What the symbols of other programs mean is said in
//! `symbols`.

use sapper::board::geometry::Shape;
use sapper::board::text_format::{BoardText, begins_as_board};
use sapper::kit::text::pluralize;

use super::format::{Contents, DrawnPosition, Format, Input};
use super::symbols::{self, Symbol};

pub(super) const FORMAT: Format = Format { name: "a field as text", recognises, read };

/// Any text is a field, so that an error can say what is wrong with its rows.
fn recognises(input: &Input) -> bool {
    input.text.is_some()
}

fn read(input: &Input) -> Result<Contents, String> {
    let text = input.text.unwrap_or_default();
    let own = match text.parse::<BoardText>() {
        Ok(_) => return Ok(Contents::Position(DrawnPosition::own(text))),
        Err(error) => error.to_string(),
    };
    let position = if begins_as_board(text) {
        // A first line of numbers may also be a row: `1 1 1`.
        of_stated_size(text).or_else(|_| of_rows(text)).map_err(|_| own)?
    } else {
        of_rows(text).map_err(|fault| format!("{own}; without that line: {fault}"))?
    };
    Ok(Contents::Position(position))
}

impl DrawnPosition {
    fn own(text: &str) -> DrawnPosition {
        DrawnPosition { text: text.to_owned(), flags: Vec::new(), assumed: Vec::new() }
    }

    /// The position of a field with these symbols, row by row.
    ///
    /// # Errors
    /// A number of cells that is not the shape's.
    pub(super) fn new(
        shape: Shape,
        mines: Option<u64>,
        cells: &[Symbol],
        assumed: Vec<String>,
    ) -> Result<DrawnPosition, String> {
        if cells.len() != shape.len() {
            let found = pluralize(cells.len() as u64, "cell", "cells");
            return Err(format!("{found}, expected {}", shape.len()));
        }
        let (columns, rows) = (shape.columns(), shape.rows());
        let mines = mines.map(|mines| format!(" {mines}")).unwrap_or_default();
        let mut text = format!("{columns} {rows}{mines}\n");
        for row in cells.chunks(columns as usize) {
            text.extend(row.iter().map(|symbol| symbol.own()));
            text.push('\n');
        }
        let flagged = shape.cells().zip(cells);
        let flags = flagged.filter(|(_, symbol)| **symbol == Symbol::Flag).map(|(cell, _)| cell);
        Ok(DrawnPosition { text, flags: flags.collect(), assumed })
    }
}

/// A field whose first line is `W H` or `W H M`.
fn of_stated_size(text: &str) -> Result<DrawnPosition, String> {
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let numbers: Option<Vec<u64>> =
        header.split_whitespace().map(|word| word.parse().ok()).collect();
    let (columns, rows, mines) = match numbers.as_deref() {
        Some(&[columns, rows]) => (columns, rows, None),
        Some(&[columns, rows, mines]) => (columns, rows, Some(mines)),
        _ => return Err("no width or height".to_owned()),
    };
    let shape = Shape::new(rows, columns).map_err(|error| error.to_string())?;
    let Rows { cells, assumed, columns: found } = rows_of(text, 1)?;
    if found != columns as usize {
        return Err(format!("rows of {found}, expected {columns} (the width)"));
    }
    DrawnPosition::new(shape, mines, &cells, assumed)
}

/// A field of rows alone.
fn of_rows(text: &str) -> Result<DrawnPosition, String> {
    let Rows { cells, mut assumed, columns } = rows_of(text, 0)?;
    assumed.push("the number of mines is unknown, because no first line states it".to_owned());
    // Without a first line, only numbers beside hidden cells make a field of a text.
    let has_number = cells.iter().any(|cell| matches!(cell, Symbol::Number(_)));
    if !has_number || cells.iter().all(|cell| matches!(cell, Symbol::Number(_))) {
        return Err("a field has numbers and hidden cells".to_owned());
    }
    let rows = cells.len().checked_div(columns).unwrap_or_default();
    let shape = Shape::new(rows as u64, columns as u64).map_err(|error| error.to_string())?;
    DrawnPosition::new(shape, None, &cells, assumed)
}

/// The symbols of equally long rows.
struct Rows {
    cells: Vec<Symbol>,
    columns: usize,
    assumed: Vec<String>,
}

/// The symbols of the lines after the first `skipped` that are not blank.
fn rows_of(text: &str, skipped: usize) -> Result<Rows, String> {
    let written = || (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let lines = || written().skip(skipped);
    let is_apart = lines().all(|(_, line)| symbols::is_apart(line));
    if !is_apart && only_first_has_blanks(lines().map(|(_, line)| line)) {
        return Err("line 1: a row has no blanks in it, unless other rows have them too".to_owned());
    }
    let mut written = Vec::new();
    let mut columns = None;
    for (number, line) in lines() {
        let row = symbols::of_line(line, is_apart);
        let expected = *columns.get_or_insert(row.len());
        if row.len() != expected {
            let found = pluralize(row.len() as u64, "symbol", "symbols");
            return Err(format!("line {number}: {found}, where the lines above have {expected}"));
        }
        written.extend(row.into_iter().map(|symbol| (number, symbol)));
    }
    // In a text that begins as this project's own does, `.` is a hidden cell.
    let (cells, assumed) = symbols::meanings(&written, skipped > 0)?;
    Ok(Rows { cells, columns: columns.unwrap_or_default(), assumed })
}

/// A line that alone has blanks is a wrong first line, such as `x 9`, and no row.
fn only_first_has_blanks<'t>(mut lines: impl Iterator<Item = &'t str>) -> bool {
    let has_blank = |line: &str| line.trim().contains(' ');
    lines.next().is_some_and(has_blank) && !lines.any(has_blank)
}

#[cfg(test)]
mod tests {
    use sapper::board::geometry::Cell;

    use super::*;

    fn of(text: &str) -> Result<DrawnPosition, String> {
        Ok(read(&text.into())?.into_position())
    }

    fn own(text: &str) -> String {
        of(text).unwrap().text
    }

    #[test]
    fn rows_are_read_however_they_are_spaced() {
        for text in [
            "3 2 1\n1 . .\n1 . .",
            "3 2 1\r\n1 . . \r\n1 . . \r\n",
            "3 2 1\n1,.,.\n1,.,.",
            "3 2 1\n[['1' '.' '.']\n ['1' '.' '.']]",
            "3 2 1\n1##\n1##\n",
            "3 2 1\n1HH\n1HH\n",
        ] {
            assert_eq!(own(text), "3 2 1\n1..\n1..\n", "{text}");
        }
        for text in ["1..\n1..", "\n1 . .\n1 . .\n\n", "1__\n1__", "1xx\n1xx", "1🟦🟦\n1🟩🟦"]
        {
            assert_eq!(own(text), "3 2\n1..\n1..\n", "{text}");
        }
        // What this project's text says is not touched.
        assert_eq!(own("2 1 # a comment\n1."), "2 1 # a comment\n1.");
        // Numbers alone are rows if they are no size.
        assert_eq!(own("1 1 1\n. . .\n"), "3 2\n111\n...\n");
    }

    #[test]
    fn flags_are_hidden_and_kept() {
        let position = of("4 3 2\n1F..\n12..\n.1..\n").unwrap();
        assert_eq!(position.text, "4 3 2\n1...\n12..\n.1..\n");
        assert_eq!(position.flags, [Cell::from_index(1)]);
        let emoji = of("⬜1️⃣🟦🚩\n⬜1️⃣🟦💣").unwrap();
        assert_eq!(emoji.text, "4 2\n01..\n01.*\n");
        assert_eq!(emoji.flags, [Cell::from_index(3)]);
    }

    #[test]
    fn faults_are_named() {
        for (text, fault) in [
            ("1..\n1.\n", "line 2: 2 symbols, where the lines above have 3"),
            ("3 2 1\n1..\n", "1 row, expected 2"),
            ("3 2 1\n1.&\n1..\n", "`&`"),
            ("hello\nworld", "`e`"),
            ("x 2\n1??\n???", "line 1: a row has no blanks"),
            ("3", "a field has numbers and hidden cells"),
            ("???", "a field has numbers and hidden cells"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(fault) && error.lines().count() == 1, "{text}: {error}");
        }
    }
}
