//! Which cell to open when none is proven safe.
//!
//! The least odds win; among equals the cell with the fewest hidden neighbours, and among those the
//! first in row-major order. A cell with few hidden neighbours shows a number that says much about
//! each of them, is a zero more often, and takes the corner on an untouched field.
//!
//! Measured on 10,000 boards each, paired, against this rule: the first in row-major order wins
//! 0.63 +-1.04 points less on expert boards (first click safe) and opens 0.0215 +-0.0115 more mines on
//! Botzone's default boards; fewest neighbours, hidden or not, wins 0.74 +-0.50 points less and opens
//! 0.0011 +-0.0038 more; breaking the remaining ties by most open numbers around changes nothing
//! (0.01 +-0.21 points, 0.0000 +-0.0015 mines).
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
