//! The size of a board with its number of mines, as text: a name or `WIDTHxHEIGHT/MINES`.

use std::fmt;
use std::str::FromStr;

use sapper::board::geometry::Shape;

/// A board's size and number of mines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Rows and columns.
    pub shape: Shape,
    /// The number of mines, which may exceed the number of cells.
    pub mines: u32,
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let size = match text {
            "beginner" => "9x9/10",
            "intermediate" => "16x16/40",
            "expert" => "30x16/99",
            "botzone" => "30x20/80",
            size => size,
        };
        let numbers = || {
            let (sides, mines) = size.split_once('/')?;
            let (columns, rows) = sides.split_once('x')?;
            Some((columns.parse().ok()?, rows.parse().ok()?, mines.parse().ok()?))
        };
        let (columns, rows, mines) = numbers().ok_or_else(|| {
            "give beginner, intermediate, expert, botzone or WIDTHxHEIGHT/MINES, such as 30x16/99"
                .to_owned()
        })?;
        let shape = Shape::new(rows, columns).map_err(|error| error.to_string())?;
        Ok(Level { shape, mines })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}/{}", self.shape.columns(), self.shape.rows(), self.mines)
    }
}
