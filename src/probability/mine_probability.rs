//! The mine probability of one cell, computed from weights.
//!
//! Invariant: [`MineProbability::Safe`] and [`MineProbability::Mine`] follow from zero weights,
//! which mean that there is no layout ([`crate::probability::weight`]). Floats are never compared
//! with 0 or 1 to prove anything.

use crate::probability::weight::Weight;

/// What counting finds for a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MineProbability {
    /// No layout has a mine there.
    Safe,
    /// Every layout has a mine there.
    Mine,
    /// An exact probability, strictly between 0 and 1 up to rounding.
    Exact(f64),
    /// An approximate probability, which proves nothing.
    Approximate(f64),
}

impl MineProbability {
    /// The probability: 0 or 1 if and only if that is proven.
    pub fn value(self) -> f64 {
        match self {
            MineProbability::Safe => 0.0,
            MineProbability::Mine => 1.0,
            // Rounding must not look like a proof.
            MineProbability::Exact(value) | MineProbability::Approximate(value) => {
                value.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0)
            }
        }
    }

    /// The same probability as an approximate one. What is proven stays proven.
    pub fn to_approximate(self) -> MineProbability {
        match self {
            MineProbability::Exact(value) => MineProbability::Approximate(value),
            other => other,
        }
    }

    /// The mine probability of each of `cells` interchangeable cells, from the weights of their
    /// layouts by mines in them.
    pub fn from_weights<W: Weight>(
        by_mines: impl Iterator<Item = (usize, W)>,
        cells: usize,
    ) -> MineProbability {
        let (mut total, mut mined) = (W::ZERO, W::ZERO);
        let (mut may_be_safe, mut may_be_mine) = (false, false);
        for (mines, weight) in by_mines.filter(|(_, weight)| !weight.is_zero()) {
            total = total + weight;
            mined = mined + weight * W::from_u64(mines as u64);
            may_be_safe |= mines < cells;
            may_be_mine |= mines > 0;
        }
        match (may_be_safe, may_be_mine) {
            (true, false) => MineProbability::Safe,
            (false, true) => MineProbability::Mine,
            _ => MineProbability::Exact(mined.ratio_to(total * W::from_u64(cells as u64))),
        }
    }
}
