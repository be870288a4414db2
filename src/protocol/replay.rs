//! The board after the cells that a history reports, and every fault of the history.
//!
//! A legal answer is required even to a history that makes no sense, so no fault stops the replay:
//! each is recorded as a [`Fault`]. A cell may be off the field, have a value that is neither a
//! number nor a mine, or have two values. What the cells of the field show together is examined by
//! [`crate::board::consistency`].
//!
//! Invariant: if a cell is reported twice, the first value counts.
//!
//! Cost: two steps for each reported cell, then one pass over the field.

use std::fmt;

use crate::board::consistency::BoardError;
use crate::board::contradiction::Contradiction;
use crate::board::geometry::Shape;
use crate::board::{Board, CellState};
use crate::kit::text::pluralize;
use crate::protocol::history::ChangedCell;

/// One fault of a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Reported cells are off the field, and all would be on the field with its rows for columns.
    Swapped(Shape),
    /// The cell is not on the field.
    OffField(ChangedCell),
    /// The value is neither a number (0-8) nor a mine (9).
    InvalidValue(ChangedCell),
    /// The cell was reported before with another value.
    Conflicting(ChangedCell),
    /// The board cannot be true.
    Board(Contradiction),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (changed, what) = match self {
            Fault::Board(reason) => return reason.fmt(f),
            Fault::Swapped(shape) => {
                let rows = pluralize(shape.columns(), "row", "rows");
                let columns = pluralize(shape.rows(), "column", "columns");
                return write!(
                    f,
                    "the reported cells fit a field of {rows} and {columns}: are \"height\" and \
                     \"width\" swapped?"
                );
            }
            Fault::OffField(changed) => (changed, "there is no such cell".to_owned()),
            Fault::InvalidValue(changed) => {
                let value = changed.value;
                (changed, format!("val {value} is neither a number (0-8) nor a mine (9)"))
            }
            Fault::Conflicting(changed) => {
                (changed, format!("val {} contradicts an earlier report", changed.value))
            }
        };
        let ChangedCell { turn, row, column, .. } = changed;
        write!(f, "requests[{turn}]: ({row},{column}): {what}")
    }
}

/// A history that was replayed.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// The board, on which every reported cell of the field is open, and which has no more mines
    /// than cells.
    pub board: Board,
    /// The faults: of the mine count, of the size, of the reported cells, and of what these show.
    /// No two neighbours in the list are equal.
    pub faults: Vec<Fault>,
}

/// Replays the reported cells of a history, for a field of `mines` mines.
pub fn replay(shape: Shape, mines: u64, reported: &[ChangedCell]) -> Replay {
    let on_field = reported.iter().filter_map(|changed| {
        Some((shape.cell(changed.row.into(), changed.column.into())?, state_of(changed)))
    });
    let (board, reasons) = match Board::with_open_cells(shape, mines, on_field) {
        Ok(board) => (board, Vec::new()),
        Err(BoardError { reasons, board }) => (board, reasons),
    };
    let (of_mine_count, of_cells): (Vec<Contradiction>, Vec<Contradiction>) = reasons
        .into_iter()
        .partition(|reason| matches!(reason, Contradiction::TooManyMines { .. }));
    let mut faults: Vec<Fault> = of_mine_count.into_iter().map(Fault::Board).collect();
    let first_of_cell = faults.len();
    for &changed in reported {
        let Some(cell) = shape.cell(changed.row.into(), changed.column.into()) else {
            // Without the value, so that a cell reported with several values is one fault.
            faults.push(Fault::OffField(ChangedCell { value: 0, ..changed }));
            continue;
        };
        let state = state_of(&changed);
        if state == CellState::Illegible {
            faults.push(Fault::InvalidValue(changed));
        }
        // The board shows the first value. The same value again does no harm.
        if board.state(cell) != state {
            faults.push(Fault::Conflicting(changed));
        }
    }
    if faults.iter().any(|fault| matches!(fault, Fault::OffField(_)))
        && Shape::new(shape.columns().into(), shape.rows().into()).is_ok_and(|swapped| {
            let is_on = |at: &ChangedCell| swapped.cell(at.row.into(), at.column.into()).is_some();
            reported.iter().all(is_on)
        })
    {
        faults.insert(first_of_cell, Fault::Swapped(shape));
    }
    faults.dedup();
    faults.extend(of_cells.into_iter().map(Fault::Board));
    Replay { board, faults }
}

/// The state that a reported value stands for.
fn state_of(changed: &ChangedCell) -> CellState {
    CellState::from_value(Some(changed.value.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replayed(mines: u64, cells: &[(i32, i32, i32)]) -> Replay {
        let changed =
            |&(row, column, value): &(i32, i32, i32)| ChangedCell { turn: 0, row, column, value };
        let reported: Vec<ChangedCell> = cells.iter().map(changed).collect();
        replay(Shape::new(2, 3).unwrap(), mines, &reported)
    }

    fn faults(mines: u64, cells: &[(i32, i32, i32)]) -> Vec<Fault> {
        let faults = replayed(mines, cells).faults;
        assert!(faults.iter().all(|fault| fault.to_string().lines().count() == 1));
        faults
    }

    #[test]
    fn each_fault_of_a_reported_cell_is_found() {
        assert_eq!(faults(1, &[(0, 0, 1), (0, 0, 1)]), []);
        assert!(matches!(faults(1, &[(3, 0, 1)])[..], [Fault::OffField(_)]));
        assert!(matches!(faults(1, &[(0, 0, 15)])[..], [Fault::InvalidValue(_)]));
        assert!(matches!(faults(1, &[(0, 0, 1), (0, 0, 0)])[..], [Fault::Conflicting(_)]));
        // Nine cells off the field are nine faults; one reported three times is one.
        assert_eq!(faults(1, &[0, 1, 2, 3, 4, 5, 6, 7, 8].map(|row| (row, 9, 1))).len(), 9);
        assert_eq!(faults(1, &[(9, 9, 1), (9, 9, 2), (9, 9, 1)]).len(), 1);
    }

    #[test]
    fn cells_that_fit_the_field_with_its_rows_for_columns_are_a_fault_of_the_size() {
        let found = faults(1, &[(1, 1, 0), (2, 0, 1), (0, 1, 0)]);
        assert!(matches!(found[..], [Fault::Swapped(_), Fault::OffField(_)]), "{found:?}");
        assert_eq!(
            found[0].to_string(),
            "the reported cells fit a field of 3 rows and 2 columns: are \"height\" and \"width\" \
             swapped?"
        );
        // A cell that is on neither field, one that is on this field only, and a negative one.
        for other in [(3, 0, 1), (0, 2, 1), (2, -1, 1)] {
            let found = faults(1, &[(2, 0, 1), other]);
            assert!(!found.iter().any(|fault| matches!(fault, Fault::Swapped(_))), "{found:?}");
        }
    }

    #[test]
    fn faults_of_the_mine_count_come_first_and_those_of_numbers_last() {
        let found = faults(7, &[(0, 0, 8), (3, 0, 1), (0, 0, 15)]);
        let [mine_count, off_field, invalid, conflicting, number] = &found[..] else {
            panic!("{found:?}")
        };
        assert!(matches!(
            mine_count,
            Fault::Board(Contradiction::TooManyMines { mines: 7, cells: 6 })
        ));
        assert!(matches!(off_field, Fault::OffField(_)));
        assert!(matches!(invalid, Fault::InvalidValue(_)));
        assert!(matches!(conflicting, Fault::Conflicting(_)));
        assert!(matches!(number, Fault::Board(Contradiction::Number { number: 8, .. })));
    }

    #[test]
    fn the_first_report_of_a_cell_counts() {
        for (first, later) in [(1, 0), (1, 9), (9, 1), (1, 15), (15, 1)] {
            let once = replayed(2, &[(0, 0, first)]);
            let twice = replayed(2, &[(0, 0, first), (0, 0, later)]);
            assert_eq!(twice.board, once.board, "{first}, then {later}");
            assert!(twice.faults.iter().any(|fault| matches!(fault, Fault::Conflicting(_))));
        }
    }
}
