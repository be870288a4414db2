//! What a cell may show, how likely, and what the next move would risk after it.
//!
//! For a cell and a value that it may show, the board with that value is a position like any other: its
//! layouts are counted exactly, and their share of all layouts is the chance of the value. What the
//! next move risks is the least odds of that position, or nothing where it has a safe cell.
//!
//! Invariant: over all values of a cell, the mine included, the chances sum to 1.
//!
//! Cost: for each value, deduction and counting of a whole position.

use crate::board::{Board, Shown};
use crate::budget::{Budget, Spent};
use crate::combine::Outside;
use crate::deduce::{Deducer, Reach};
use crate::geometry::Cell;
use crate::group::Position;
use crate::probability::Prober;

/// What building and deducing a position costs for each cell of the field, in nodes.
const NODES_A_CELL: u64 = 16;

/// One value that a cell may show.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// How likely the cell shows it.
    pub chance: f64,
    /// The chance that the next move, at its best, is a mine.
    pub next: f64,
}

/// Looks at one value after another, reusing its memory.
#[derive(Default)]
pub struct Lookahead {
    board: Option<Board>,
    position: Position,
    deducer: Deducer,
    prober: Prober,
}

impl Lookahead {
    /// The values that `cell` may show when it is a number.
    pub fn numbers(board: &Board, cell: Cell) -> impl Iterator<Item = Shown> {
        let around = board.shape().neighbours(cell);
        let count = |wanted: Shown| around.iter().filter(|&&c| board.shown(c) == wanted).count();
        let (hits, hidden) = (count(Shown::Hit), count(Shown::Hidden));
        (hits..=hits + hidden).map(|number| Shown::Number(number as u8))
    }

    /// What follows when `cell` of `board` shows `shown`; `ln_layouts` is the logarithm of the
    /// board's number of layouts.
    ///
    /// `Ok(None)` where no layout shows it.
    ///
    /// # Errors
    /// [`Spent`] where the budget ends before it is known.
    pub fn outcome(
        &mut self,
        board: &Board,
        cell: Cell,
        shown: Shown,
        ln_layouts: f64,
        budget: &mut Budget,
    ) -> Result<Option<Outcome>, Spent> {
        budget.spend(NODES_A_CELL * board.shape().len() as u64)?;
        let scratch = self.board.get_or_insert_with(|| board.clone());
        scratch.clone_from(board);
        scratch.open(cell, shown);
        scratch.position_into(&mut self.position);
        if self.deducer.run(&self.position, Reach::FirstSafe).is_err() {
            return Ok(None);
        }
        let all_safe_open = self.position.hidden.len() == self.position.mines as usize;
        let (ln, next) = if all_safe_open || !self.deducer.safe().is_empty() {
            match self.prober.weigh(&self.position, &self.deducer, budget) {
                Ok(ln) => (ln, 0.0),
                Err(_) => return Ok(None),
            }
        } else {
            match self.prober.run(&self.position, &self.deducer, Outside::Total, budget) {
                Ok(odds) => {
                    let hidden = self.position.hidden.iter();
                    let next = hidden.map(|&cell| odds.of(cell)).fold(1.0, f64::min);
                    (odds.ln_layouts(), next)
                }
                Err(_) => return Ok(None),
            }
        };
        let ln = ln.ok_or(Spent { nodes: budget.used() })?;
        Ok(Some(Outcome { chance: (ln - ln_layouts).exp(), next }))
    }
}
