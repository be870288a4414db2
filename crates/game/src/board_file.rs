//! Reads files of mine layouts: one board per line.
//!
//! A line is `W H M first_row first_col` and then the M mines' row-major indexes. The classic rules
//! open the first cell for the player; Botzone's rules ignore it.

use std::fmt;
use std::str::FromStr;

use super::field::Field;
use sapper::board::geometry::{Cell, Shape};
use sapper::kit::text::pluralize;

/// One line of a board file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Rows and columns.
    pub shape: Shape,
    /// The cell that the classic rules open first.
    pub first: Cell,
    /// The mines as row-major indexes, in the order of the line.
    pub mines: Vec<usize>,
}

/// The most characters of a line that a message shows.
const MAX_SHOWN: usize = 40;

/// The error in a line.
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
        let error = |reason: String| LayoutError(reason);
        // In a file of another kind, a word may be as long as the file.
        let start = |word: &str| word.chars().take(MAX_SHOWN).collect::<String>();
        let numbers = line
            .split_whitespace()
            .map(|word| {
                word.parse::<u64>().map_err(|_| error(format!("`{}` is not a number", start(word))))
            })
            .collect::<Result<Vec<u64>, _>>()?;
        let [columns, rows, count, row, column, ref mines @ ..] = numbers[..] else {
            return Err(error(format!(
                "only {}",
                pluralize(numbers.len() as u64, "number", "numbers")
            )));
        };
        let shape =
            Shape::new(rows, columns).map_err(|shape_error| error(shape_error.to_string()))?;
        let first = shape
            .cell(row as i64, column as i64)
            .ok_or_else(|| error(format!("first cell {row},{column} is outside")))?;
        let mines: Vec<usize> = mines.iter().map(|&index| index as usize).collect();
        let mut sorted = mines.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() as u64 != count || mines.len() as u64 != count {
            return Err(error(format!("{} different mines instead of {count}", sorted.len())));
        }
        if sorted.last().is_some_and(|&last| last >= shape.len()) {
            return Err(error("a mine is outside".to_owned()));
        }
        Ok(Layout { shape, first, mines })
    }
}

impl fmt::Display for Layout {
    /// Writes the line that [`Layout::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Layout { shape, first, mines } = self;
        let (columns, rows) = (shape.columns(), shape.rows());
        let (row, column) = (shape.row(*first), shape.column(*first));
        write!(f, "{columns} {rows} {} {row} {column}", mines.len())?;
        mines.iter().try_for_each(|mine| write!(f, " {mine}"))
    }
}

impl Layout {
    /// A layout without a first cell of its own: it is the first of the field.
    pub fn new(shape: Shape, mines: Vec<usize>) -> Layout {
        Layout { shape, first: Cell::from_index(0), mines }
    }

    /// The field of this layout.
    pub fn field(&self) -> Field {
        Field::from_mines(self.shape, self.mines.iter().copied())
            .expect("the mines were checked when the line was read")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_errors_named() {
        let layout: Layout = "3 2 2 1 0 0 5".parse().unwrap();
        assert_eq!((layout.shape.columns(), layout.shape.rows()), (3, 2));
        assert_eq!((layout.first.index(), layout.mines.clone()), (3, vec![0, 5]));
        assert_eq!(layout.field().mines().count(), 2);
        assert_eq!(layout.to_string(), "3 2 2 1 0 0 5");
        for (line, word) in [
            ("3 2 2 1", "only 4"),
            ("3 2 2 1 0 0", "1 different"),
            ("3 2 2 1 0 5 5", "1 different"),
            ("3 2 2 1 0 0 6", "a mine is outside"),
            ("3 2 2 2 0 0 5", "first cell"),
            ("0 2 2 2 0 0 5", "at least one row"),
            ("3 2 x 2 0 0 5", "not a number"),
        ] {
            let error = line.parse::<Layout>().unwrap_err().to_string();
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
