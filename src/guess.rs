//! Which cell to open when none is proven safe.
//!
//! The least odds win; among equals the cell with the fewest hidden neighbours, and among those the
//! first in row-major order. A cell with few hidden neighbours shows a number that says much about
//! each of them, is a zero more often, and takes the corner on an untouched field.
//!
//! Invariant: the choice is among the hidden cells, and depends on nothing but the position.

use crate::geometry::Cell;
use crate::params::SAME_ODDS;
use crate::probability::Odds;

/// A cell to open and what speaks for it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The cell.
    pub cell: Cell,
    /// The chance that it is a mine.
    pub odds: f64,
    /// How many cells were as good by their odds.
    pub candidates: usize,
}

/// The best guess among `hidden`, or `None` where there is none.
///
/// `hidden_around` tells a cell's hidden neighbours; it is asked for the candidates only.
pub fn choose(
    hidden: &[Cell],
    odds: &Odds,
    hidden_around: impl Fn(Cell) -> usize,
) -> Option<Choice> {
    let least = hidden.iter().map(|&cell| odds.of(cell)).fold(f64::INFINITY, f64::min);
    let candidates = hidden.iter().copied().filter(|&cell| odds.of(cell) <= least + SAME_ODDS);
    let cell = candidates.clone().min_by_key(|&cell| (hidden_around(cell), cell))?;
    Some(Choice { cell, odds: odds.of(cell), candidates: candidates.count() })
}
