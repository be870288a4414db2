//! Why a board has no evaluation: what was given is no board, or no layout of mines fits it.
//!
//! One type for all entrances to the library but the protocol's, whose faults never stop an answer
//! ([`crate::bot::session`]). Every message says what is wrong, and where: a cell is written as
//! `(row,column)`.

use std::fmt;

use crate::board::CellState;
use crate::board::contradiction::Contradiction;
use crate::board::geometry::{Place, Shape, ShapeError};
use crate::board::text_format::BoardTextError;
use crate::kit::text::pluralize;

/// Why a board cannot be built or evaluated.
///
/// ```
/// use sapper::{Board, CellState, Error, Place, Shape, evaluate};
///
/// let shape = Shape::new(2, 3)?;
/// let mut board = Board::new(shape, 100);
/// // A cell has eight neighbours at most.
/// let twelve = CellState::Number(12);
/// let place = Place { row: 1, column: 2 };
/// assert_eq!(board.open_at(1, 2, twelve), Err(Error::InvalidState { place, state: twelve }));
/// // Six cells cannot hold 100 mines.
/// assert!(matches!(evaluate(&board), Err(Error::NoLayout(_))));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is no field of this size.
    Size(ShapeError),
    /// The text is not a board.
    Text(BoardTextError),
    /// The first line of the text has no number of mines.
    NoMineCount,
    /// The board has no such cell.
    OffField {
        /// The row and the column.
        place: Place,
        /// The rows and columns of the board.
        shape: Shape,
    },
    /// The cell is neither hidden, nor a number from 0 to 8, nor a mine.
    InvalidState {
        /// The cell.
        place: Place,
        /// A number above 8, or [`CellState::Illegible`].
        state: CellState,
    },
    /// The cell is open and shows something else.
    AlreadyOpen {
        /// The cell.
        place: Place,
        /// What the cell shows.
        shown: CellState,
    },
    /// No layout of mines fits the board.
    NoLayout(NoLayout),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Size(error) => error.fmt(f),
            Error::Text(error) => error.fmt(f),
            Error::NoMineCount => {
                write!(f, "no mine count: the first line must be `W H M`, such as `9 9 10`")
            }
            Error::OffField { place, shape } => {
                let rows = pluralize(shape.rows(), "row", "rows");
                let columns = pluralize(shape.columns(), "column", "columns");
                write!(f, "{place}: there is no such cell on {rows} and {columns}")
            }
            Error::InvalidState { place, state: CellState::Number(number) } => {
                write!(f, "{place}: {number} is too large; a cell has at most 8 neighbours")
            }
            Error::InvalidState { place, .. } => {
                write!(f, "{place}: the value is neither a number from 0 to 8 nor a mine")
            }
            Error::AlreadyOpen { place, shown } => {
                write!(f, "{place}: the cell is open already and shows `{shown}`")
            }
            Error::NoLayout(no_layout) => no_layout.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<ShapeError> for Error {
    fn from(error: ShapeError) -> Error {
        Error::Size(error)
    }
}

impl From<BoardTextError> for Error {
    fn from(error: BoardTextError) -> Error {
        Error::Text(error)
    }
}

/// The reasons why no layout of mines fits a board: at least one, each of which suffices.
///
/// ```
/// // Each 1 has a mine beside it, but there is only one mine.
/// let board: sapper::Board = "4 1 1\n1..1".parse()?;
/// let error = sapper::evaluate(&board).unwrap_err();
/// assert!(matches!(error, sapper::Error::NoLayout(_)));
/// assert_eq!(
///     error.to_string(),
///     "no layout fits: 1 mine is left, but the numbers need at least 2"
/// );
/// # Ok::<(), sapper::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoLayout {
    /// The rows and columns of the board.
    pub shape: Shape,
    /// The reasons. Numbers that contradict each other or the mine count are searched for only
    /// where every number and the mine count by itself can be true.
    pub reasons: Vec<Contradiction>,
}

impl fmt::Display for NoLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> =
            self.reasons.iter().map(|reason| reason.describe(self.shape)).collect();
        write!(f, "no layout fits: {}", reasons.join("; "))
    }
}
