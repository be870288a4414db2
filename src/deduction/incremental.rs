//! The game that is played, followed from turn to turn: what one and two numbers prove safe on its board.
//!
//! A turn differs from the one before in the cells that opened since. What was proven by then still is, so that only
//! what lies around those cells is looked at again ([`crate::deduction::propagate`]). A board that is no later one of the same game is
//! read anew, which comes to the same: what is told does not depend on the boards before.
//!
//! Invariant: what it calls safe is no mine in any layout that fits the numbers. Where one or two numbers show that there is
//! none, or a cell cannot be read, it calls nothing safe. The total of mines it does not look at.

use crate::board::geometry::{Cell, CellMap, Shape};
use crate::board::{Board, CellState};
use crate::deduction::propagate::Propagator;

/// Follows one game after another, reusing its memory.
#[derive(Default)]
pub struct IncrementalDeducer {
    shape: Option<Shape>,
    /// What the last board showed.
    seen: CellMap<CellState>,
    opened: Vec<Cell>,
    propagator: Propagator,
    safe: Vec<Cell>,
}

impl IncrementalDeducer {
    /// The hidden cells that one or two numbers prove safe, or more of them with what these prove; in row-major order.
    ///
    /// Cost: a look at every cell, and what the cells that opened since the last board change; anew, that is all open cells,
    /// after three walks over the field.
    pub fn safe(&mut self, board: &Board) -> &[Cell] {
        if !self.diff(board) {
            self.begin(board);
            self.diff(board);
        }
        let IncrementalDeducer { seen, opened, propagator, safe, .. } = self;
        for cell in opened.drain(..) {
            let (place, shown) = (propagator.grid().place(cell), board.state(cell));
            seen[cell] = shown;
            match shown {
                CellState::Number(number) => propagator.open(place, Some(number)),
                CellState::Hit => propagator.open(place, None),
                // It takes away what the numbers around it said.
                CellState::Illegible | CellState::Hidden => propagator.contradict(),
            }
        }
        safe.retain(|&cell| board.is_hidden(cell));
        let before = safe.len();
        propagator.propagate::<true>(|propagator, place| {
            propagator.mark_safe(place);
            safe.push(propagator.grid().cell(place));
        });
        if propagator.is_contradictory() {
            safe.clear();
        } else if safe.len() > before {
            safe.sort_unstable();
        }
        safe
    }

    /// Finds what opened since the last board; false where this is no later board of the same game.
    fn diff(&mut self, board: &Board) -> bool {
        self.opened.clear();
        if self.shape != Some(board.shape()) {
            return false;
        }
        for (cell, shown) in board.iter() {
            let before = self.seen[cell];
            if shown != before {
                if before != CellState::Hidden {
                    return false;
                }
                self.opened.push(cell);
            }
        }
        true
    }

    fn begin(&mut self, board: &Board) {
        self.shape = Some(board.shape());
        self.seen.reset(board.shape().len(), CellState::Hidden);
        self.propagator.begin(board.shape(), board.mines());
        self.safe.clear();
    }
}
