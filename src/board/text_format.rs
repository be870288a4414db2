//! Boards as text: the format of the positions in files, options, tests and links.
//!
//! The first line is `W H` or `W H M`, where M counts all mines, including the known ones. Then
//! come H rows of W symbols: `0`-`8` a number, `.` (or `?`) a hidden cell, `*` (or `!`) a known
//! mine. The text after a `#` and empty lines are ignored.
//!
//! ```
//! use sapper::board::text_format::BoardText;
//! let text: BoardText = "3 2 1\n1..\n1..".parse()?;
//! assert_eq!(text.board(0)?.hidden_len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::board::consistency::BoardError;
use crate::board::geometry::{Cell, Shape};
use crate::board::{Board, CellState};
use crate::kit::text::pluralize;

/// A text that was parsed: its shape, its mine count if it states one, and its open cells.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardText {
    /// Rows and columns.
    pub shape: Shape,
    /// The number of mines, including the known ones, if the first line states it.
    pub mines: Option<u64>,
    open: Vec<(Cell, CellState)>,
}

/// The first fault of a text, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardTextError(String);

impl fmt::Display for BoardTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BoardTextError {}

/// The fault of a side: with less than stated the field is incomplete, with more the side is wrong.
fn size_fault(expected: u64, found: u64, wrong_side: &str) -> &str {
    if found < expected { "too small a field" } else { wrong_side }
}

/// Parses a whole number; `min` is for the message only.
fn parse_whole_number(word: &str, min: u64) -> Result<u64, String> {
    let is_digits = word.bytes().all(|byte| byte.is_ascii_digit());
    match word.parse() {
        Ok(number) => Ok(number),
        Err(_) if is_digits => Err(format!("`{word}` is too large")),
        Err(_) => Err(format!("`{word}` is not a whole number from {min}")),
    }
}

/// Parses the first line: the shape, and the mine count if there is one.
fn parse_header(line: &str) -> Result<(Shape, Option<u64>), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (columns, rows, mines) = match words[..] {
        [columns, rows] => (columns, rows, None),
        [columns, rows, mines] => (columns, rows, Some(mines)),
        [] | [_] => {
            return Err(
                "no width or height: the first line must be `W H` or `W H M`, such as `9 9 10`"
                    .to_owned(),
            );
        }
        _ => {
            return Err(format!(
                "wrong width or height: the first line has {} words, too many: it must be \
                 `W H` or `W H M`",
                words.len()
            ));
        }
    };
    let wrong_size = |what: &dyn fmt::Display| format!("wrong width or height: {what}");
    let side = |word| parse_whole_number(word, 1).map_err(|what| wrong_size(&what));
    let (columns, rows) = (side(columns)?, side(rows)?);
    let mines = mines.map(|word| parse_whole_number(word, 0)).transpose();
    let mines = mines.map_err(|what| format!("wrong number of mines: {what}"))?;
    let shape = Shape::new(rows, columns).map_err(|error| wrong_size(&error))?;
    Ok((shape, mines))
}

/// The first line as it should be, if it has its numbers with other separators: `9x9 10`.
fn meant_header(line: &str) -> Option<String> {
    let is_separator = |symbol: char| symbol.is_whitespace() || "xX\u{d7}*,;:/".contains(symbol);
    let words: Vec<&str> = line.split(is_separator).filter(|word| !word.is_empty()).collect();
    let meant = words.join(" ");
    parse_header(&meant).is_ok().then_some(meant)
}

/// Whether a text begins as a board does: with its columns, its rows and, if stated, its mines.
pub fn begins_as_board(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(without_comment);
    lines.find(|line| !line.is_empty()).is_some_and(|line| parse_header(line).is_ok())
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

impl FromStr for BoardText {
    type Err = BoardTextError;

    fn from_str(text: &str) -> Result<BoardText, BoardTextError> {
        // Some editors begin a file with a byte order mark.
        parse(text.trim_start_matches('\u{feff}')).map_err(BoardTextError)
    }
}

fn parse(text: &str) -> Result<BoardText, String> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, without_comment(line), line))
        .filter(|(_, line, _)| !line.is_empty());
    let first = lines.next().map_or("", |(_, line, _)| line);
    let (shape, mines) = parse_header(first).map_err(|fault| match meant_header(first) {
        Some(meant) => format!(
            "wrong first line `{first}`: it must be `W H` or `W H M`; did you mean `{meant}`?"
        ),
        None => fault,
    })?;
    let [columns, rows] = [shape.columns(), shape.rows()].map(u64::from);
    let mut open = Vec::new();
    let mut rows_found = 0_u64;
    for (number, line, whole_line) in lines {
        // Rows of the field are counted from 0, and lines of the text from 1.
        let (row, at) = (rows_found, format!("row {rows_found} (line {number} of the text)"));
        rows_found += 1;
        let symbols = line.chars().count() as u64;
        if symbols != columns {
            let is_row = |symbols: usize| symbols as u64 == columns;
            return Err(if is_row(line.split_whitespace().flat_map(str::chars).count()) {
                format!("wrong width: {at}: write the symbols without spaces between them")
            } else if is_row(whole_line.trim().chars().count()) {
                format!(
                    "too small a field: {at}: a # begins a comment; write `.` for a hidden cell"
                )
            } else {
                let fault = size_fault(columns, symbols, "wrong width");
                let symbols = pluralize(symbols, "symbol", "symbols");
                format!("{fault}: {at}: {symbols}, expected {columns} (the width)")
            });
        }
        for (column, symbol) in line.chars().enumerate() {
            let state = match symbol {
                '0'..='8' => CellState::Number(symbol as u8 - b'0'),
                '*' | '!' => CellState::Hit,
                '.' | '?' => continue,
                '9' => {
                    return Err(format!(
                        "wrong number: {at}, col {column}: a 9, but a cell has 8 neighbours at most"
                    ));
                }
                _ => {
                    return Err(format!(
                        "unknown symbol: {at}, col {column}: `{symbol}` (expected 0-8, . or ?, * \
                         or !)"
                    ));
                }
            };
            // Rows below the stated height are refused once all are counted.
            open.extend(shape.cell(row as i64, column as i64).map(|cell| (cell, state)));
        }
    }
    if rows_found != rows {
        let fault = size_fault(rows, rows_found, "wrong height");
        let found = pluralize(rows_found, "row", "rows");
        return Err(format!("{fault}: {found}, expected {rows} (the height)"));
    }
    Ok(BoardText { shape, mines, open })
}

impl BoardText {
    /// The number of known mines. A field without a mine count has at least these.
    pub fn known_mines(&self) -> u64 {
        self.open.iter().filter(|(_, state)| *state == CellState::Hit).count() as u64
    }

    /// The board of the text; `mines` is the mine count if the text states none.
    ///
    /// # Errors
    /// [`BoardError`] if the numbers cannot be true.
    pub fn board(&self, mines: u64) -> Result<Board, BoardError> {
        let open = self.open.iter().copied();
        Board::with_open_cells(self.shape, self.mines.unwrap_or(mines), open)
    }
}

impl CellState {
    /// The symbol that [`BoardText`] parses; an `x`, which it refuses, for an illegible cell and a
    /// number above 8.
    pub fn symbol(self) -> char {
        match self {
            CellState::Hidden => '.',
            CellState::Number(number @ 0..=8) => char::from(b'0' + number),
            CellState::Hit => '*',
            CellState::Illegible | CellState::Number(_) => 'x',
        }
    }
}

impl fmt::Display for CellState {
    /// Writes [`CellState::symbol`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.symbol())
    }
}

impl Board {
    /// The board as a text with this mine count, or with none, that [`BoardText`] parses: an
    /// illegible cell is written as a hidden one.
    pub fn to_text(&self, mines: Option<u64>) -> String {
        let shape = self.shape();
        let mines = mines.map(|mines| format!(" {mines}")).unwrap_or_default();
        let mut text = format!("{} {}{mines}\n", shape.columns(), shape.rows());
        self.push_rows(&mut text, |state| match state {
            CellState::Illegible => CellState::Hidden.symbol(),
            _ => state.symbol(),
        });
        text
    }

    /// Appends a line for each row, with a symbol for each cell.
    fn push_rows(&self, text: &mut String, symbol: impl Fn(CellState) -> char) {
        let shape = self.shape();
        for (cell, state) in self.iter() {
            text.push(symbol(state));
            if shape.column(cell) + 1 == shape.columns() {
                text.push('\n');
            }
        }
    }
}

impl fmt::Display for Board {
    /// Writes the board in the format that [`BoardText`] parses, but for illegible cells.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        let mut text = format!("{} {} {}\n", shape.columns(), shape.rows(), self.mines());
        self.push_rows(&mut text, CellState::symbol);
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_drawn_is_the_board_read() {
        let text = "4 3 5\n01*.\n122.\n....\n";
        let board = text.parse::<BoardText>().unwrap().board(0).unwrap();
        assert_eq!(board.to_string(), text);
        assert_eq!((board.hits(), board.hidden_len(), board.mines()), (1, 6, 5));
        assert_eq!(board.to_text(Some(5)), text);
        assert_eq!(board.to_text(None), "4 3\n01*.\n122.\n....\n");
    }

    #[test]
    fn both_alphabets_and_comments_are_read() {
        let a: BoardText = "\u{feff}2 2\n.1\n*?\n".parse().unwrap();
        let b: BoardText = "# a board\n2 2\n\n?1   # hidden, then a one\n!.".parse().unwrap();
        assert_eq!(a, b);
        assert_eq!(a.known_mines(), 1);
    }

    #[test]
    fn a_state_that_no_cell_has_is_shown_and_refused() {
        let shape = Shape::new(1, 3).unwrap();
        let mut board = Board::new(shape, 1);
        let states = [CellState::Illegible, CellState::Number(9), CellState::Number(255)];
        for (cell, state) in shape.cells().zip(states) {
            board.open(cell, state);
        }
        assert_eq!(board.to_string(), "3 1 1\nxxx\n");
        assert!(board.to_string().parse::<BoardText>().is_err());
    }

    #[test]
    fn each_fault_is_named() {
        for (text, fault) in [
            ("", "no width or height: "),
            ("3", "no width or height: "),
            ("3 1 1 1\n...", "wrong width or height: the first line has 4 words"),
            ("3 x\n...", "wrong width or height: `x` is not a whole number from 1"),
            ("0 1\n", "wrong width or height: a field needs"),
            ("1 1 m\n.", "wrong number of mines: `m` is not a whole number from 0"),
            (
                "2 1\n...",
                "wrong width: row 0 (line 2 of the text): 3 symbols, expected 2 (the width)",
            ),
            (
                "3x1 1\n...",
                "wrong first line `3x1 1`: it must be `W H` or `W H M`; did you mean `3",
            ),
            ("3 x 1 1\n...", "wrong first line `3 x 1 1`: "),
            ("3\u{d7}1/1\n...", "wrong first line `3\u{d7}1/1`: "),
            ("3, 1, 1\n...", "wrong first line `3, 1, 1`: "),
            ("2 1\n. .", "wrong width: row 0 (line 2 of the text): write the symbols without"),
            ("2 1\n.#", "too small a field: row 0 (line 2 of the text): a # begins a comment"),
            ("2 2\n..", "too small a field: 1 row, expected 2 (the height)"),
            ("2 1\n.9", "wrong number: row 0 (line 2 of the text), col 1: a 9"),
            // Ignored lines count for the line, but not for the row.
            ("# two rows\n2 2\n..\n\n.x", "unknown symbol: row 1 (line 5 of the text), col 1: `x`"),
        ] {
            let error = text.parse::<BoardText>().unwrap_err().to_string();
            assert!(error.starts_with(fault), "{error}");
        }
        assert!("2 1 0\n.1".parse::<BoardText>().unwrap().board(0).is_ok());
        assert!("2 1 0\n.2".parse::<BoardText>().unwrap().board(0).is_err());
    }
}
