//! Boards as text: the one format of all pictures in the project.
//!
//! The first line is `W H` or `W H M`, where M counts all mines, including the known ones. Then
//! come H rows of W symbols: `0`-`8` a number, `.` or `?` a hidden cell, `*` or `!` a known mine.
//! The text after a `#` and empty lines are ignored.
//!
//! ```
//! use sapper::board::text_format::Picture;
//! let picture: Picture = "3 2 1\n1..\n1..".parse()?;
//! assert_eq!(picture.board(0)?.hidden_len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::base::text::pluralize;
use crate::board::geometry::Shape;
use crate::board::replay::{BoardError, ChangedCell};
use crate::board::{Board, CellState};

/// A parsed picture: its shape, its mine count if it states one, and its open cells.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Rows and columns.
    pub shape: Shape,
    /// The number of mines, including the known ones, if the first line states it.
    pub mines: Option<u64>,
    changed: Vec<ChangedCell>,
}

/// The location of a row: rows of the field are counted from 0, and lines of the text from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowLocation {
    /// The row of the field.
    pub row: usize,
    /// The line of the text.
    pub line: usize,
}

impl fmt::Display for RowLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} (line {} of the file)", self.row, self.line)
    }
}

/// The first fault of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PictureError {
    /// The first line has fewer words than a width and a height.
    NoSize,
    /// The first line has this number of words, more than a width, a height and a mine count.
    TooManyWords(usize),
    /// The width or the height is no number, or no field can have it.
    Size(String),
    /// The mine count is no number, or too large.
    Mines(String),
    /// A row does not have the length that the width states.
    Width {
        /// The row.
        at: RowLocation,
        /// The number of its symbols.
        found: usize,
        /// The width.
        expected: u32,
    },
    /// The number of rows is not the height.
    Height {
        /// The number of rows.
        found: usize,
        /// The height.
        expected: u32,
    },
    /// A symbol is unknown.
    Symbol {
        /// The row.
        at: RowLocation,
        /// The column, from 0.
        column: usize,
        /// The symbol.
        symbol: char,
    },
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PictureError::NoSize => {
                write!(f, "no width or height: the first line must be `W H` or `W H M`")
            }
            PictureError::TooManyWords(words) => {
                write!(
                    f,
                    "wrong width or height: the first line has {words} words, too many: \
                     it must be `W H` or `W H M`"
                )
            }
            PictureError::Size(what) => write!(f, "wrong width or height: {what}"),
            PictureError::Mines(what) => write!(f, "wrong number of mines: {what}"),
            PictureError::Width { at, found, expected } => {
                let fault = size_fault(u64::from(*expected), *found as u64, "wrong width");
                let found = pluralize(*found as u64, "symbol", "symbols");
                write!(f, "{fault}: {at}: {found}, expected {expected} (the width)")
            }
            PictureError::Height { found, expected } => {
                let fault = size_fault(u64::from(*expected), *found as u64, "wrong height");
                let found = pluralize(*found as u64, "row", "rows");
                write!(f, "{fault}: {found}, expected {expected} (the height)")
            }
            PictureError::Symbol { at, column, symbol: '9' } => {
                write!(
                    f,
                    "wrong number: {at}, col {column}: a 9, but a cell has 8 neighbours at most"
                )
            }
            PictureError::Symbol { at, column, symbol } => {
                write!(
                    f,
                    "unknown symbol: {at}, col {column}: `{symbol}` (expected 0-8, . or ?, * or !)"
                )
            }
        }
    }
}

impl std::error::Error for PictureError {}

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

impl FromStr for Picture {
    type Err = PictureError;

    fn from_str(text: &str) -> Result<Picture, PictureError> {
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line.split('#').next().unwrap_or("").trim()))
            .filter(|(_, line)| !line.is_empty());
        let (_, first) = lines.next().ok_or(PictureError::NoSize)?;
        let words: Vec<&str> = first.split_whitespace().collect();
        let (columns, rows, mines) = match words[..] {
            [columns, rows] => (columns, rows, None),
            [columns, rows, mines] => (columns, rows, Some(mines)),
            [] | [_] => return Err(PictureError::NoSize),
            _ => return Err(PictureError::TooManyWords(words.len())),
        };
        let side = |word| parse_whole_number(word, 1).map_err(PictureError::Size);
        let (columns, rows) = (side(columns)?, side(rows)?);
        let mine_count = |word| parse_whole_number(word, 0).map_err(PictureError::Mines);
        let mines = mines.map(mine_count).transpose()?;
        let shape =
            Shape::new(rows, columns).map_err(|error| PictureError::Size(error.to_string()))?;

        let mut changed = Vec::new();
        let mut rows_found = 0;
        for (number, line) in lines {
            let (row, at) = (rows_found, RowLocation { row: rows_found, line: number });
            rows_found += 1;
            let symbols = line.chars().count();
            if symbols != shape.columns() as usize {
                let expected = shape.columns();
                return Err(PictureError::Width { at, found: symbols, expected });
            }
            for (column, symbol) in line.chars().enumerate() {
                let value = match symbol {
                    '0'..='8' => i32::from(symbol as u8 - b'0'),
                    '*' | '!' => 9,
                    '.' | '?' => continue,
                    _ => return Err(PictureError::Symbol { at, column, symbol }),
                };
                changed.push(ChangedCell {
                    turn: 0,
                    row: row as i32,
                    column: column as i32,
                    value,
                });
            }
        }
        if rows_found != shape.rows() as usize {
            return Err(PictureError::Height { found: rows_found, expected: shape.rows() });
        }
        Ok(Picture { shape, mines, changed })
    }
}

impl Picture {
    /// The number of known mines. A picture without a mine count has at least these.
    pub fn known_mines(&self) -> u64 {
        self.changed.iter().filter(|changed| changed.value == 9).count() as u64
    }

    /// The board of the picture; `mines` is the mine count if the picture states none.
    ///
    /// # Errors
    /// [`BoardError`] if the numbers cannot be true.
    pub fn board(&self, mines: u64) -> Result<Board, BoardError> {
        Board::replay(self.shape, self.mines.unwrap_or(mines), self.changed.iter().copied())
    }
}

impl fmt::Display for Board {
    /// Writes the board in the format that [`Picture`] parses; an illegible cell is written as `x`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        writeln!(f, "{} {} {}", shape.columns(), shape.rows(), self.mines())?;
        for cell in shape.cells() {
            match self.state(cell) {
                CellState::Hidden => write!(f, ".")?,
                CellState::Number(number) => write!(f, "{number}")?,
                CellState::Hit => write!(f, "*")?,
                CellState::Illegible => write!(f, "x")?,
            }
            if shape.column(cell) + 1 == shape.columns() {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_drawn_is_the_board_read() {
        let text = "4 3 5\n01*.\n122.\n....\n";
        let board = text.parse::<Picture>().unwrap().board(0).unwrap();
        assert_eq!(board.to_string(), text);
        assert_eq!((board.hits(), board.hidden_len(), board.mines()), (1, 6, 5));
    }

    #[test]
    fn both_alphabets_and_comments_are_read() {
        let a: Picture = "2 2\n.1\n*?\n".parse().unwrap();
        let b: Picture = "# a picture\n2 2\n\n?1   # hidden, then a one\n!.".parse().unwrap();
        assert_eq!(a, b);
        assert_eq!(a.known_mines(), 1);
    }

    #[test]
    fn each_fault_is_named() {
        let fault = |text: &str| text.parse::<Picture>().unwrap_err();
        assert_eq!(fault(""), PictureError::NoSize);
        assert_eq!(fault("3"), PictureError::NoSize);
        assert_eq!(fault("3 1 1 1\n..."), PictureError::TooManyWords(4));
        assert!(matches!(fault("3 x\n..."), PictureError::Size(_)));
        assert!(matches!(fault("0 1\n"), PictureError::Size(_)));
        assert!(matches!(fault("1 1 m\n."), PictureError::Mines(_)));
        let at = RowLocation { row: 0, line: 2 };
        assert_eq!(fault("2 1\n..."), PictureError::Width { at, found: 3, expected: 2 });
        assert_eq!(fault("2 2\n.."), PictureError::Height { found: 1, expected: 2 });
        assert_eq!(fault("2 1\n.9"), PictureError::Symbol { at, column: 1, symbol: '9' });
        // Ignored lines count for the line, but not for the row.
        let at = RowLocation { row: 1, line: 5 };
        let found = fault("# two rows\n2 2\n..\n\n.x");
        assert_eq!(found, PictureError::Symbol { at, column: 1, symbol: 'x' });
        assert!("2 1 0\n.1".parse::<Picture>().unwrap().board(0).is_ok());
        assert!("2 1 0\n.2".parse::<Picture>().unwrap().board(0).is_err());
    }
}
