//! Deduction on the board of a played game, kept from turn to turn: the cells that one or two
//! numbers prove safe.
//!
//! A turn differs from the previous one by the cells opened since, and what was proven stays
//! proven, so that only the surroundings of these cells are examined
//! ([`crate::deduction::propagate`]). A board that does not continue the previous one is read from
//! the start. The result depends on the board alone, not on the boards before it.
//!
//! Invariant: no layout that fits the numbers has a mine in a cell reported safe. If one or two
//! numbers show that no layout fits, or a cell is illegible, no cell is reported. The total of
//! mines is not used.

use crate::board::geometry::{Cell, CellMap, Shape};
use crate::board::{Board, CellState};
use crate::deduction::propagate::{Inconsistent, Propagator};

/// Follows one game after another, reusing its memory.
#[derive(Default)]
pub struct IncrementalDeducer {
    shape: Option<Shape>,
    /// The cells of the last board.
    seen: CellMap<CellState>,
    /// The cells opened since the last board.
    opened: Vec<Cell>,
    propagator: Propagator,
    /// The cells proven safe that were hidden on the last board.
    safe: Vec<Cell>,
}

/// The board is not a later board of the game that is followed.
struct OtherGame;

impl IncrementalDeducer {
    /// Returns the hidden cells of `board` that the two rules prove safe, in row-major order.
    ///
    /// Cost: a comparison of every cell with the last board, and propagation around the cells
    /// opened since. For a board of another game, propagation around all open cells.
    pub fn update(&mut self, board: &Board) -> &[Cell] {
        if let Err(OtherGame) = self.diff(board) {
            self.reset(board);
        }
        let IncrementalDeducer { seen, opened, propagator, safe, .. } = self;
        for cell in opened.drain(..) {
            seen[cell] = board.state(cell);
            propagator.observe(propagator.grid().index(cell), seen[cell]);
        }
        safe.retain(|&cell| board.is_hidden(cell));
        let known = safe.len();
        let result = propagator.propagate_checked(|propagator, index| {
            propagator.mark_safe(index);
            safe.push(propagator.grid().cell(index));
        });
        match result {
            Ok(()) if safe.len() > known => safe.sort_unstable(),
            Ok(()) => {}
            Err(Inconsistent) => safe.clear(),
        }
        safe
    }

    /// Finds the cells opened since the last board.
    fn diff(&mut self, board: &Board) -> Result<(), OtherGame> {
        self.opened.clear();
        if self.shape != Some(board.shape()) {
            return Err(OtherGame);
        }
        for (cell, shown) in board.iter() {
            let before = self.seen[cell];
            if shown != before {
                if before != CellState::Hidden {
                    return Err(OtherGame);
                }
                self.opened.push(cell);
            }
        }
        Ok(())
    }

    /// Starts a game whose first board is `board`.
    fn reset(&mut self, board: &Board) {
        self.shape = Some(board.shape());
        self.seen.reset(board.shape().len(), CellState::Hidden);
        self.propagator.reset(board.shape(), board.mines());
        self.safe.clear();
        self.opened.clear();
        let is_open = |&(_, shown): &(Cell, CellState)| shown != CellState::Hidden;
        self.opened.extend(board.iter().filter(is_open).map(|(cell, _)| cell));
    }
}
