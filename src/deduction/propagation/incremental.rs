//! Deduction on the board of a played game, kept from turn to turn: the cells that one or two
//! numbers prove safe.
//!
//! A turn differs from the previous one by the cells opened since, and what was proven stays
//! proven, so that only the surroundings of these cells are examined
//! ([`crate::deduction::propagation::propagator`]). A board that does not continue the previous one
//! is read from the start. The result depends on the board alone, not on the boards before it.
//!
//! Invariant: no layout that fits the numbers has a mine in a cell reported safe. If one or two
//! numbers show that no layout fits, or a cell is illegible, no cell is reported. The total of
//! mines is not used. The mines found go into the position ([`IncrementalDeducer::position`]).

use crate::board::geometry::{Cell, CellMap, Shape};
use crate::board::group::{MineCount, Position};
use crate::board::{Board, CellState};
use crate::deduction::propagation::propagator::{CHECKED, Propagator};
use crate::deduction::propagation::state::CellStatus;

/// Follows one game after another, reusing its memory.
#[derive(Default)]
pub struct IncrementalDeducer {
    shape: Option<Shape>,
    /// The cells of the last board.
    seen: CellMap<CellState>,
    propagator: Propagator,
    /// The cells proven safe that were hidden on the last board.
    safe: Vec<Cell>,
}

impl IncrementalDeducer {
    /// Returns the hidden cells of `board` that the two rules prove safe, in row-major order.
    ///
    /// Cost: a comparison of every cell with the last board, and propagation around the cells
    /// opened since. For a board of another game, propagation around all open cells.
    pub fn update(&mut self, board: &Board) -> &[Cell] {
        if !self.observe(board) {
            self.reset(board);
            self.observe(board);
        }
        let IncrementalDeducer { propagator, safe, .. } = self;
        safe.retain(|&cell| board.is_hidden(cell));
        let known = safe.len();
        propagator.propagate::<CHECKED>(|propagator, index| {
            propagator.mark_safe(index);
            safe.push(propagator.grid().cell(index));
        });
        if propagator.is_inconsistent() {
            safe.clear();
        } else if safe.len() > known {
            safe.sort_unstable();
        }
        safe
    }

    /// The position of `board`, the last that was read, with the mines that were found: that of
    /// [`Board::position`] in fewer and smaller groups. `None` where some cell is proven safe or
    /// illegible, one or two numbers show that no layout fits, or the total of mines cannot be
    /// true.
    ///
    /// Cost: one pass over the field.
    pub fn position(&self, board: &Board) -> Option<Position> {
        if self.propagator.is_inconsistent() || !self.safe.is_empty() {
            return None;
        }
        let mines = board.mines().checked_sub(board.hits())?;
        let mut hidden = Vec::with_capacity(board.hidden_len());
        let (mut known_mines, mut premises) = (Vec::new(), Vec::new());
        for cell in board.shape().cells() {
            let index = self.propagator.grid().index(cell);
            match self.propagator.state().status(index) {
                CellStatus::Undecided => hidden.push(cell),
                CellStatus::Mine if board.is_hidden(cell) => {
                    hidden.push(cell);
                    known_mines.push(cell);
                }
                CellStatus::Number if self.propagator.has_undecided(index) => {
                    self.propagator.add_premise(index, &mut premises).ok()?;
                }
                // Open cells. A mine that was proven before it was hit keeps its status.
                _ => {}
            }
        }
        let (universe, mine_count) = (board.shape().len(), MineCount::Exact);
        let is_possible = (known_mines.len()..=hidden.len()).contains(&(mines as usize));
        is_possible.then_some(Position {
            universe,
            hidden,
            known_mines,
            premises,
            mines,
            mine_count,
        })
    }

    /// Observes the cells opened since the last board. False if this is no later board of the game
    /// that is followed; after a reset every board is one.
    fn observe(&mut self, board: &Board) -> bool {
        if self.shape != Some(board.shape()) {
            return false;
        }
        for (cell, shown) in board.iter() {
            let before = std::mem::replace(&mut self.seen[cell], shown);
            if shown != before {
                if before != CellState::Hidden {
                    return false;
                }
                let index = self.propagator.grid().index(cell);
                self.propagator.observe(index, shown);
            }
        }
        true
    }

    /// Starts a game on a board of this shape, all hidden.
    fn reset(&mut self, board: &Board) {
        self.shape = Some(board.shape());
        self.seen.reset(board.shape().len(), CellState::Hidden);
        self.propagator.reset(board.shape(), board.mines());
        self.safe.clear();
    }
}
