//! `.mine` files of JSMinesweeper and of David Hill's Java program.
//!
//! The first line is `WxHxM`; H lines of W symbols follow: `0`-`8` a number, `F` (Java: also `M`)
//! hidden and flagged, anything else hidden. Lines may end with blanks, and what follows the last
//! row is ignored, such as Java's `MSG:` line.
//!
//! There is no symbol for an opened mine: it is written as a flag.

use sapper::board::geometry::{Cell, Shape};
use sapper::kit::text::pluralize;
use sapper::{Board, CellState};

use super::format::{Contents, DrawnPosition, Format, Input};
use super::symbols::Symbol;

pub(super) const FORMAT: Format = Format { name: "a .mine file", recognises, read };

fn recognises(input: &Input) -> bool {
    header(input.trimmed()).is_some()
}

/// Columns, rows and mines of the first line; a number that is too large is the largest.
fn header(text: &str) -> Option<[u64; 3]> {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let number = |word: &str| is_number(word).then(|| word.parse().unwrap_or(u64::MAX));
    let first = text.lines().next()?.trim();
    first.split('x').map(number).collect::<Option<Vec<u64>>>()?.try_into().ok()
}

fn read(input: &Input) -> Result<Contents, String> {
    let text = input.trimmed();
    let [columns, rows, mines] = header(text).unwrap_or_default();
    let shape = Shape::new(rows, columns).map_err(|error| format!("line 1: {error}"))?;
    if mines > shape.len() as u64 {
        let cells = pluralize(shape.len() as u64, "cell", "cells");
        return Err(format!("line 1: more mines than the {cells} of the board"));
    }
    let mut cells = Vec::with_capacity(shape.len().min(text.len()));
    let mut found = 0;
    for (number, line) in (2..).zip(text.lines().skip(1)).take(rows as usize) {
        let line = line.trim_end();
        let symbols = line.chars().count() as u64;
        if symbols != columns {
            let symbols = pluralize(symbols, "symbol", "symbols");
            return Err(format!("line {number}: {symbols}, expected {columns} (the width)"));
        }
        cells.extend(line.chars().map(|symbol| match symbol {
            '0'..='8' => Symbol::Number(symbol as u8 - b'0'),
            'F' | 'M' => Symbol::Flag,
            _ => Symbol::Hidden,
        }));
        found += 1;
    }
    if found != rows {
        let found = pluralize(found, "row", "rows");
        return Err(format!("{found} after the first line, expected {rows} (the height)"));
    }
    Ok(Contents::Position(DrawnPosition::new(shape, Some(mines), &cells, Vec::new())?))
}

/// A position with these flags. An opened mine is written as a flag.
pub fn to_mine(board: &Board, flags: &[Cell]) -> String {
    let shape = board.shape();
    let mut text = format!("{}x{}x{}\n", shape.columns(), shape.rows(), board.mines());
    let mut cells: Vec<char> = board.iter().map(|(_, state)| symbol(state)).collect();
    flags.iter().for_each(|flag| cells[flag.index()] = 'F');
    for row in cells.chunks(shape.columns() as usize) {
        text.extend(row);
        text.push('\n');
    }
    text
}

fn symbol(state: CellState) -> char {
    match state {
        CellState::Number(0..=8) => state.symbol(),
        CellState::Hit => 'F',
        CellState::Number(_) | CellState::Hidden | CellState::Illegible => 'H',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::random::random_position;
    use crate::formats::read as read_any;

    fn of(text: &str) -> Result<DrawnPosition, String> {
        Ok(read(&text.into())?.into_position())
    }

    #[test]
    fn both_programs_files_are_read() {
        for text in ["3x2x1\n1HH\n1HH\n", "3x2x1 \r\n1HH \r\n1HH\r\nMSG:Early 50/50 \r\n"] {
            let position = of(text).unwrap();
            assert_eq!(position.text, "3 2 1\n1..\n1..\n");
            assert!(position.flags.is_empty());
        }
        assert_eq!(of("3x1x1\nFHM").unwrap().flags.len(), 2);
    }

    #[test]
    fn faults_are_named() {
        for (text, fault) in [
            ("3x2x1\n1HH\n1H\n", "line 3: 2 symbols, expected 3"),
            ("3x2x1\n1HH\n", "1 row after the first line, expected 2"),
            ("0x2x1\n\n", "line 1: a field needs"),
            ("3x1x4\n1HH\n", "line 1: more mines than the 3 cells of the board"),
            ("3x1x99999999999999999999\n1HH\n", "line 1: more mines than the 3 cells"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(fault), "{text}: {error}");
        }
    }

    #[test]
    fn positions_are_read_as_they_were_written() {
        let random = &mut fastrand::Rng::with_seed(7);
        for _ in 0..2000 {
            let (board, mut flags) = random_position(random);
            let Ok(Contents::Position(position)) = read_any(to_mine(&board, &flags).as_bytes())
            else {
                panic!("{board}")
            };
            flags.extend(board.iter().filter(|(_, state)| *state == CellState::Hit).map(|on| on.0));
            flags.sort_unstable();
            let text = board.to_string().replace('*', ".");
            assert_eq!((position.text, position.flags), (text, flags));
        }
    }
}
