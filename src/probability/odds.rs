//! The mine probabilities of the hidden cells of a position.

use crate::board::geometry::{Cell, CellMap};
use crate::probability::mine_probability::MineProbability;
use crate::probability::weight::ExtendedF64;
use crate::settings::params::PROBABILITY_TOLERANCE;

/// The mine probabilities of the hidden cells of one position.
#[derive(Clone, Default, Debug)]
pub struct Odds {
    odds: CellMap<f64>,
    safe: Vec<Cell>,
    mines: Vec<Cell>,
    approximate: usize,
    layouts: Option<ExtendedF64>,
}

/// The two lowest odds of the cells of a position; 1 where there is no such cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LowestOdds {
    /// The odds of the safest cell.
    pub first: f64,
    /// The odds of the next safest cell.
    pub second: f64,
}

impl LowestOdds {
    /// Two safe cells.
    pub const SAFE: LowestOdds = LowestOdds { first: 0.0, second: 0.0 };
    /// No cell.
    pub const NONE: LowestOdds = LowestOdds { first: 1.0, second: 1.0 };

    /// Adds `cells` cells with the same odds.
    pub fn add(&mut self, odds: f64, cells: usize) {
        for _ in 0..cells.min(2) {
            if odds < self.first {
                *self = LowestOdds { first: odds, second: self.first };
            } else if odds < self.second {
                self.second = odds;
            }
        }
    }
}

/// A probability or a cost in units of [`PROBABILITY_TOLERANCE`]. Values that differ only by
/// rounding become equal, so rounding neither decides an order nor separates equal cells.
pub fn quantize(value: f64) -> i64 {
    (value / PROBABILITY_TOLERANCE).round() as i64
}

impl Odds {
    /// The mine probability of a hidden cell: exactly 0 or 1 if and only if proven. NaN for an open
    /// cell.
    pub fn of(&self, cell: Cell) -> f64 {
        self.odds[cell]
    }

    /// The cells proven safe, sorted.
    pub fn safe(&self) -> &[Cell] {
        &self.safe
    }

    /// The cells proven to be mines, sorted.
    pub fn mines(&self) -> &[Cell] {
        &self.mines
    }

    /// The number of layouts up to rounding, if it was counted exactly.
    pub fn layouts(&self) -> Option<ExtendedF64> {
        self.layouts
    }

    /// The number of cells whose odds are approximate.
    pub fn approximate(&self) -> usize {
        self.approximate
    }

    pub(super) fn reset(&mut self, universe: usize) {
        self.odds.reset(universe, f64::NAN);
        self.safe.clear();
        self.mines.clear();
        self.approximate = 0;
        self.layouts = None;
    }

    /// Gives all of `cells` this probability.
    pub(super) fn set(&mut self, cells: &[Cell], probability: MineProbability) {
        self.record(cells, probability);
        let value = probability.value();
        cells.iter().for_each(|&cell| self.odds[cell] = value);
    }

    /// Gives every hidden cell without odds this probability.
    pub(super) fn set_others(&mut self, hidden: &[Cell], probability: MineProbability) {
        let value = probability.value();
        for &cell in hidden {
            if self.odds[cell].is_nan() {
                self.odds[cell] = value;
                // Not by `set`: in playouts these are most cells.
                self.record(&[cell], probability);
            }
        }
    }

    #[inline]
    fn record(&mut self, cells: &[Cell], probability: MineProbability) {
        match probability {
            MineProbability::Safe => self.safe.extend_from_slice(cells),
            MineProbability::Mine => self.mines.extend_from_slice(cells),
            MineProbability::Exact(_) => {}
            MineProbability::Approximate(_) => self.approximate += cells.len(),
        }
    }

    /// Completes the odds with the number of layouts, if it was counted exactly.
    pub(super) fn finish(&mut self, layouts: Option<ExtendedF64>) {
        self.layouts = layouts;
        self.safe.sort_unstable();
        self.mines.sort_unstable();
    }
}
