//! Reads files of mine layouts: one board a line.
//!
//! A line is `W H M first_row first_col` and then the M mines' row-major indexes. The first cell is
//! the one that the classic rules open for the player; under Botzone's rules it means nothing.

use std::fmt;
use std::str::FromStr;

use super::field::Field;
use crate::base::text::pluralize;
use crate::board::geometry::{Cell, Shape};

/// One line of a board file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Rows and columns.
    pub shape: Shape,
    /// The cell that the classic rules open first.
    pub first: Cell,
    /// The mines, as row-major indexes, as the line gives them.
    pub mines: Vec<usize>,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutError(String);

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; expected `W H M first_row first_col` and M mine indexes", self.0)
    }
}

impl std::error::Error for LayoutError {}

impl FromStr for Layout {
    type Err = LayoutError;

    fn from_str(line: &str) -> Result<Layout, LayoutError> {
        let fault = |what: String| LayoutError(what);
        let numbers = line
            .split_whitespace()
            .map(|word| word.parse::<u64>().map_err(|_| fault(format!("`{word}` is no number"))))
            .collect::<Result<Vec<u64>, _>>()?;
        let [columns, rows, count, row, column, ref mines @ ..] = numbers[..] else {
            return Err(fault(format!(
                "only {}",
                pluralize(numbers.len() as u64, "number", "numbers")
            )));
        };
        let shape = Shape::new(rows, columns).map_err(|error| fault(error.to_string()))?;
        let first = shape
            .cell(row as i64, column as i64)
            .ok_or_else(|| fault(format!("first cell {row},{column} is outside")))?;
        let mines: Vec<usize> = mines.iter().map(|&index| index as usize).collect();
        let mut sorted = mines.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() as u64 != count || mines.len() as u64 != count {
            return Err(fault(format!("{} different mines, announced {count}", sorted.len())));
        }
        if sorted.last().is_some_and(|&last| last >= shape.len()) {
            return Err(fault("a mine is outside".to_owned()));
        }
        Ok(Layout { shape, first, mines })
    }
}

impl Layout {
    /// The field with its numbers.
    pub fn field(&self) -> Field {
        Field::from_mines(self.shape, self.mines.iter().copied())
            .expect("the mines were checked when the line was read")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_faults_named() {
        let layout: Layout = "3 2 2 1 0 0 5".parse().unwrap();
        assert_eq!((layout.shape.columns(), layout.shape.rows()), (3, 2));
        assert_eq!((layout.first.index(), layout.mines.clone()), (3, vec![0, 5]));
        assert_eq!(layout.field().mines().count(), 2);
        for (line, word) in [
            ("3 2 2 1", "only 4"),
            ("3 2 2 1 0 0", "1 different"),
            ("3 2 2 1 0 5 5", "1 different"),
            ("3 2 2 1 0 0 6", "a mine is outside"),
            ("3 2 2 2 0 0 5", "first cell"),
            ("0 2 2 2 0 0 5", "at least one row"),
            ("3 2 x 2 0 0 5", "no number"),
        ] {
            let error = line.parse::<Layout>().unwrap_err().to_string();
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
