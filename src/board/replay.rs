//! A board from a history of reported cells, and every reason why the history cannot be true.
//!
//! A legal answer is required even to a history that makes no sense, so that no fault stops the
//! replay: each is recorded as a [`Reason`]. Faults are a cell off the field, a value that is
//! neither a number nor a mine, a cell with two values, a number that its neighbours cannot
//! satisfy, and a mine count that does not fit. [`BoardError`] holds them all, together with the
//! board of what could be replayed.
//!
//! Invariant: the first report of a cell holds, whatever is reported of it later.
//!
//! Cost: one step for each reported cell and its neighbours, then one pass over the field.

use std::fmt;

use serde::Deserialize;

use crate::base::text::{pluralize, with_article};
use crate::board::geometry::Shape;
use crate::board::{Board, CellState};

/// One entry of the `changed` of a request, still unchecked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(expecting = "a cell")]
pub struct ChangedCell {
    /// The turn of the request, from 0; the entry does not state it.
    #[serde(skip)]
    pub turn: u32,
    /// The row, from 0.
    pub row: i32,
    /// The column, from 0.
    #[serde(rename = "col")]
    pub column: i32,
    /// 0-8 for a number, 9 for a mine.
    #[serde(rename = "val")]
    pub value: i32,
}

/// One fault of a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The cell is not on the field.
    OffField(ChangedCell),
    /// The value is neither a number (0-8) nor a mine (9).
    InvalidValue(ChangedCell),
    /// The cell was reported before with another value.
    Conflicting(ChangedCell),
    /// A number is below the hit mines around it, or above its hit and hidden neighbours together.
    ImpossibleNumber {
        /// The row of the cell.
        row: u32,
        /// The column of the cell.
        column: u32,
        /// The number that the cell shows.
        number: u8,
        /// The number of mines around it that were hit.
        hits: u32,
        /// The number of hidden cells around it.
        hidden: u32,
    },
    /// The field has fewer cells than mines.
    TooManyMines {
        /// The mine count.
        mines: u64,
        /// The number of cells of the field.
        cells: usize,
    },
    /// More mines were hit than the field has.
    TooManyHits {
        /// The number of mines that were hit.
        hits: u32,
        /// The mine count.
        mines: u32,
    },
    /// Fewer cells are hidden than mines are left.
    TooFewHidden {
        /// The number of mines left: the mine count less the mines that were hit.
        mines: u32,
        /// The number of hidden cells.
        hidden: usize,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |f: &mut fmt::Formatter<'_>, changed: &ChangedCell| {
            write!(f, "requests[{}]: ({},{}): ", changed.turn, changed.row, changed.column)
        };
        match self {
            Reason::OffField(changed) => {
                at(f, changed)?;
                write!(f, "there is no such cell")
            }
            Reason::InvalidValue(changed) => {
                at(f, changed)?;
                write!(f, "val {} is neither a number (0-8) nor a mine (9)", changed.value)
            }
            Reason::Conflicting(changed) => {
                at(f, changed)?;
                write!(f, "val {} contradicts an earlier report", changed.value)
            }
            Reason::ImpossibleNumber { row, column, number, hits, hidden } => {
                let number = with_article(*number);
                let hits = pluralize(*hits, "hit mine", "hit mines");
                let hidden = pluralize(*hidden, "hidden cell", "hidden cells");
                write!(f, "({row},{column}): {number} beside {hits} and {hidden}")
            }
            Reason::TooManyMines { mines, cells } => {
                let cells = pluralize(*cells, "cell", "cells");
                write!(f, "minecount {mines} is more than the {cells} of the field")
            }
            Reason::TooManyHits { hits, mines } => {
                let hits = pluralize(*hits, "mine was", "mines were");
                write!(f, "{hits} opened, but minecount is {mines}")
            }
            Reason::TooFewHidden { mines, hidden } => {
                let mines = pluralize(*mines, "mine is", "mines are");
                write!(f, "{mines} left for {}", pluralize(*hidden, "hidden cell", "hidden cells"))
            }
        }
    }
}

/// A history that cannot be true: its faults, and the board of what could be replayed.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardError {
    /// The faults in the order in which they were found; at least one, and no two equal in a row.
    pub reasons: Vec<Reason>,
    /// The board, on which every reported cell of the field is open.
    pub board: Board,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.reasons.iter().map(Reason::to_string).collect();
        f.write_str(&reasons.join("\n"))
    }
}

impl std::error::Error for BoardError {}

impl Board {
    /// The board after all `changed_cells` of a history, for a field of `mines` mines.
    ///
    /// # Errors
    /// [`BoardError`] with every fault if the history cannot be true. Its board has what could be
    /// replayed, and never more mines than cells.
    pub fn replay(
        shape: Shape,
        mines: u64,
        changed_cells: impl IntoIterator<Item = ChangedCell>,
    ) -> Result<Board, BoardError> {
        let mut reasons = Vec::new();
        let possible_mines = mines.min(shape.len() as u64);
        if possible_mines < mines {
            reasons.push(Reason::TooManyMines { mines, cells: shape.len() });
        }
        let mut board = Board::new(shape, possible_mines as u32);
        for changed in changed_cells {
            let Some(cell) = shape.cell(changed.row.into(), changed.column.into()) else {
                // Without the value, so that a cell reported with several values is one fault.
                reasons.push(Reason::OffField(ChangedCell { value: 0, ..changed }));
                continue;
            };
            let state = CellState::from_value(Some(changed.value.into()));
            if state == CellState::Illegible {
                reasons.push(Reason::InvalidValue(changed));
            }
            // An open cell keeps its state. The same value again does no harm.
            if !board.open(cell, state) && board.state(cell) != state {
                reasons.push(Reason::Conflicting(changed));
            }
        }
        reasons.dedup();
        // Where the mine count was reduced to the cells, the count of what is left adds nothing.
        let is_new = |reason: &Reason| {
            possible_mines == mines || !matches!(reason, Reason::TooFewHidden { .. })
        };
        reasons.extend(board.reasons().into_iter().filter(is_new));
        if reasons.is_empty() { Ok(board) } else { Err(BoardError { reasons, board }) }
    }

    /// Every reason why the board cannot be true, of those that a single number or the mine count
    /// shows; computed from the grid alone.
    pub fn reasons(&self) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for (cell, state) in self.iter() {
            let CellState::Number(number) = state else { continue };
            let count = |state| self.count_around(cell, state);
            let (hits, hidden) = (count(CellState::Hit), count(CellState::Hidden));
            let possible = hits..=hits + hidden + count(CellState::Illegible);
            if !possible.contains(&number.into()) {
                reasons.push(Reason::ImpossibleNumber {
                    row: self.shape.row(cell),
                    column: self.shape.column(cell),
                    number,
                    hits,
                    hidden,
                });
            }
        }
        if self.hits > self.mines {
            reasons.push(Reason::TooManyHits { hits: self.hits, mines: self.mines });
        }
        let left = self.mines.saturating_sub(self.hits);
        if left as usize > self.hidden + self.illegible {
            reasons.push(Reason::TooFewHidden { mines: left, hidden: self.hidden });
        }
        reasons
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::Budget;
    use crate::base::params::PROBABILITY_MARGIN;
    use crate::board::geometry::Cell;
    use crate::board::group::Outside;
    use crate::deduction::deducer::{Deducer, Reach};
    use crate::probability::solver::ProbabilitySolver;

    fn replay(mines: u64, cells: &[(i32, i32, i32)]) -> Result<Board, BoardError> {
        let shape = Shape::new(2, 3).unwrap();
        let changed =
            |&(row, column, value): &(i32, i32, i32)| ChangedCell { turn: 0, row, column, value };
        Board::replay(shape, mines, cells.iter().map(changed))
    }

    fn reasons(mines: u64, cells: &[(i32, i32, i32)]) -> Vec<Reason> {
        let error = replay(mines, cells).unwrap_err();
        assert_eq!(error.to_string().lines().count(), error.reasons.len());
        error.reasons
    }

    #[test]
    fn each_fault_of_a_history_is_a_reason() {
        assert!(replay(1, &[(0, 0, 1), (0, 0, 1)]).is_ok());
        assert!(matches!(reasons(1, &[(2, 0, 1)])[..], [Reason::OffField(_)]));
        assert!(matches!(reasons(1, &[(0, 0, 15)])[..], [Reason::InvalidValue(_)]));
        assert!(matches!(reasons(1, &[(0, 0, 1), (0, 0, 0)])[..], [Reason::Conflicting(_)]));
        assert!(matches!(reasons(7, &[])[..], [Reason::TooManyMines { mines: 7, cells: 6 }]));
        assert!(matches!(
            reasons(3, &[(0, 0, 4)])[..],
            [Reason::ImpossibleNumber { row: 0, column: 0, number: 4, hits: 0, hidden: 3 }]
        ));
        assert!(matches!(
            reasons(1, &[(0, 0, 9), (0, 1, 9)])[..],
            [Reason::TooManyHits { hits: 2, mines: 1 }]
        ));
        assert!(matches!(
            reasons(6, &[(0, 0, 3)])[..],
            [Reason::TooFewHidden { mines: 6, hidden: 5 }]
        ));
        // Nine cells off the field are nine reasons; one reported three times is one.
        assert_eq!(reasons(1, &[0, 1, 2, 3, 4, 5, 6, 7, 8].map(|row| (row, 9, 1))).len(), 9);
        assert_eq!(reasons(1, &[(9, 9, 1), (9, 9, 2), (9, 9, 1)]).len(), 1);
    }

    #[test]
    fn a_mine_count_above_the_cells_is_one_reason_whatever_is_open() {
        assert!(matches!(reasons(7, &[(0, 0, 1)])[..], [Reason::TooManyMines { .. }]));
    }

    #[test]
    fn an_illegible_cell_may_be_a_mine() {
        // Beside the corner: one illegible cell and two hidden ones; of six cells five are mines.
        for (mines, number) in [(3, 3), (5, 3)] {
            let found = reasons(mines, &[(0, 1, 15), (0, 0, number)]);
            assert!(matches!(found[..], [Reason::InvalidValue(_)]), "{mines}: {found:?}");
        }
        let found = reasons(3, &[(0, 1, 15), (0, 0, 4)]);
        assert!(matches!(found[1..], [Reason::ImpossibleNumber { number: 4, .. }]), "{found:?}");
    }

    #[test]
    fn the_first_report_of_a_cell_holds() {
        for (first, later) in [(1, 0), (1, 9), (9, 1), (1, 15), (15, 1)] {
            let once = replay(2, &[(0, 0, first)]).unwrap_or_else(|error| error.board);
            let twice = replay(2, &[(0, 0, first), (0, 0, later)]).unwrap_err();
            assert_eq!(twice.board, once, "{first}, then {later}");
            assert!(twice.reasons.iter().any(|reason| matches!(reason, Reason::Conflicting(_))));
        }
    }

    #[test]
    fn an_impossible_report_is_open_and_states_nothing() {
        let board = replay(9, &[(0, 0, 15), (0, 2, 8), (1, 1, 9)]).unwrap_err().board;
        let position = board.position();
        assert_eq!((board.hidden_len(), board.mines(), board.hits()), (3, 6, 1));
        assert!(position.premises.is_empty());
        assert_eq!(position.mines as usize, position.hidden.len());
        // The illegible cell may be a mine, so that the number of hidden mines is not known.
        assert_eq!(position.outside, Outside::Density(1.0 - PROBABILITY_MARGIN));
    }

    #[test]
    fn with_an_illegible_cell_the_total_proves_nothing() {
        // One mine and one illegible cell: a hidden cell may be the mine, or none.
        let board = replay(1, &[(0, 0, 15)]).unwrap_err().board;
        let (mut deducer, mut solver) = (Deducer::default(), ProbabilitySolver::default());
        let position = board.position();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let odds = solver.run(deduced, &mut Budget::unlimited()).unwrap().odds();
        let sixth = |&cell: &Cell| (odds.of(cell) - 1.0 / 6.0).abs() < 1e-12;
        assert!(position.hidden.iter().all(sixth));
        // The mine was opened, but a cell is illegible: nothing is certain.
        let board = replay(1, &[(0, 0, 15), (0, 1, 9)]).unwrap_err().board;
        let position = board.position();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        assert!(deduced.safe().is_empty() && deduced.mines().is_empty());
    }
}
