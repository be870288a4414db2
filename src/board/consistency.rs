//! Whether a board can be true, as far as single numbers and the mine count show it.
//!
//! Each proof that the board cannot be true is a [`Contradiction`]: a number that its neighbours
//! cannot satisfy, or a mine count that does not fit the cells. Numbers that contradict each other
//! are found by the solver ([`crate::probability::contradictions`]).
//!
//! A legal answer is required even for a board that makes no sense, so a [`BoardError`] holds the
//! board as well as the reasons.
//!
//! Invariant: the reasons depend on the shape, the stated mine count and the grid alone.
//!
//! Cost: one pass over the field.

use std::fmt;

use crate::board::contradiction::Contradiction;
use crate::board::geometry::{Cell, Shape};
use crate::board::{Board, CellState};

/// A board that cannot be true.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardError {
    /// Why it cannot be true; at least one reason.
    pub reasons: Vec<Contradiction>,
    /// The board, with every given cell open and never more mines than cells.
    pub board: Board,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.reasons.iter().map(Contradiction::to_string).collect();
        f.write_str(&reasons.join("\n"))
    }
}

impl std::error::Error for BoardError {}

impl Board {
    /// The board of a field with `mines` mines on which these cells are open. If a cell is given
    /// twice, its first state counts.
    ///
    /// # Errors
    /// [`BoardError`] if a single number or the mine count shows that the board cannot be true.
    pub fn with_open_cells(
        shape: Shape,
        mines: u64,
        open: impl IntoIterator<Item = (Cell, CellState)>,
    ) -> Result<Board, BoardError> {
        let possible_mines = mines.min(shape.len() as u64);
        let mut board = Board::new(shape, possible_mines as u32);
        for (cell, state) in open {
            board.open(cell, state);
        }
        let mut reasons = board.reasons();
        if possible_mines < mines {
            // That fewer cells are hidden than mines are left follows from the mine count.
            reasons.retain(|reason| !matches!(reason, Contradiction::TooFewHidden { .. }));
            reasons.insert(0, Contradiction::TooManyMines { mines, cells: shape.len() });
        }
        if reasons.is_empty() { Ok(board) } else { Err(BoardError { reasons, board }) }
    }

    /// Every reason that a single number or the mine count gives why the board cannot be true.
    pub fn reasons(&self) -> Vec<Contradiction> {
        let mut reasons = Vec::new();
        for (cell, state) in self.iter() {
            let CellState::Number(number) = state else { continue };
            if self.is_possible(cell, number) {
                continue;
            }
            let count = |state| self.count_around(cell, state);
            let (hits, hidden) = (count(CellState::Hit), count(CellState::Hidden));
            let (least, most) = (hits, hits + hidden + count(CellState::Illegible));
            if !(least..=most).contains(&number.into()) {
                let place = self.shape.at(cell);
                reasons.push(Contradiction::Number { place, number, least, most });
            }
        }
        if self.hits > self.mines {
            reasons.push(Contradiction::TooManyHits { hits: self.hits, mines: self.mines });
        }
        let left = self.mines.saturating_sub(self.hits);
        if left as usize > self.hidden + self.illegible {
            reasons.push(Contradiction::TooFewHidden { mines: left, hidden: self.hidden });
        }
        reasons
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::Place;
    use crate::board::group::MineCount;
    use crate::deduction::groups::deducer::{Deducer, Reach};
    use crate::probability::solver::ProbabilitySolver;
    use crate::settings::budget::Budget;
    use crate::settings::params::PROBABILITY_MARGIN;

    /// The board of 2x3 cells with these values at these rows and columns.
    fn board(mines: u64, cells: &[(i64, i64, i64)]) -> Result<Board, BoardError> {
        let shape = Shape::new(2, 3).unwrap();
        let open = cells.iter().map(|&(row, column, value)| {
            (shape.cell(row, column).unwrap(), CellState::from_value(Some(value)))
        });
        Board::with_open_cells(shape, mines, open)
    }

    fn reasons(mines: u64, cells: &[(i64, i64, i64)]) -> Vec<Contradiction> {
        let error = board(mines, cells).unwrap_err();
        assert_eq!(error.to_string().lines().count(), error.reasons.len());
        error.reasons
    }

    #[test]
    fn each_number_and_count_that_cannot_be_true_is_a_reason() {
        assert!(board(1, &[(0, 0, 1)]).is_ok());
        assert!(matches!(
            reasons(7, &[])[..],
            [Contradiction::TooManyMines { mines: 7, cells: 6 }]
        ));
        assert!(matches!(
            reasons(3, &[(0, 0, 4)])[..],
            [Contradiction::Number {
                place: Place { row: 0, column: 0 },
                number: 4,
                least: 0,
                most: 3
            }]
        ));
        assert!(matches!(
            reasons(1, &[(0, 0, 9), (0, 1, 9)])[..],
            [Contradiction::TooManyHits { hits: 2, mines: 1 }]
        ));
        assert!(matches!(
            reasons(6, &[(0, 0, 3)])[..],
            [Contradiction::TooFewHidden { mines: 6, hidden: 5 }]
        ));
    }

    #[test]
    fn a_mine_count_above_the_cells_is_one_reason_whatever_is_open() {
        assert!(matches!(reasons(7, &[(0, 0, 1)])[..], [Contradiction::TooManyMines { .. }]));
    }

    #[test]
    fn an_illegible_cell_may_be_a_mine() {
        // Beside the corner: one illegible cell and two hidden ones; of six cells five are mines.
        for (mines, number) in [(3, 3), (5, 3)] {
            assert!(board(mines, &[(0, 1, 15), (0, 0, number)]).is_ok(), "{mines}");
        }
        let found = reasons(3, &[(0, 1, 15), (0, 0, 4)]);
        assert!(matches!(found[..], [Contradiction::Number { number: 4, .. }]), "{found:?}");
    }

    #[test]
    fn an_illegible_cell_is_open_and_states_nothing() {
        let board = board(9, &[(0, 0, 15), (0, 2, 8), (1, 1, 9)]).unwrap_err().board;
        let position = board.position();
        assert_eq!((board.hidden_len(), board.mines(), board.hits()), (3, 6, 1));
        assert!(position.premises.is_empty());
        assert_eq!(position.mines as usize, position.hidden.len());
        // The illegible cell may be a mine, so that the number of hidden mines is not known.
        assert_eq!(position.mine_count, MineCount::Density(1.0 - PROBABILITY_MARGIN));
    }

    #[test]
    fn with_an_illegible_cell_the_total_proves_nothing() {
        // One mine and one illegible cell: a hidden cell may be the mine, or none.
        let one = board(1, &[(0, 0, 15)]).unwrap();
        let (mut deducer, mut solver) = (Deducer::default(), ProbabilitySolver::default());
        let position = one.position();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let odds = solver.run(deduced, &mut Budget::unlimited()).unwrap().odds();
        let sixth = |&cell: &Cell| (odds.of(cell) - 1.0 / 6.0).abs() < 1e-12;
        assert!(position.hidden.iter().all(sixth));
        // The mine was opened, but a cell is illegible: nothing is certain.
        let hit = board(1, &[(0, 0, 15), (0, 1, 9)]).unwrap();
        let position = hit.position();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        assert!(deduced.safe().is_empty() && deduced.mines().is_empty());
    }
}
