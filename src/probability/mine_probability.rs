//! What counting says of one cell, read from weights.
//!
//! Invariant: [`MineProbability::Safe`] and [`MineProbability::Mine`] come from weights being zero, which
//! [`crate::probability::weight`] promises only where no layout is; never from comparing floats.

use crate::probability::weight::Weight;

/// What counting says of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MineProbability {
    /// No layout has a mine there.
    Safe,
    /// Every layout has a mine there.
    Mine,
    /// Exact odds, strictly between 0 and 1 up to rounding.
    Odds(f64),
    /// Approximate odds, which prove nothing.
    Approximate(f64),
}

impl MineProbability {
    /// Whether it comes from an approximation.
    pub fn is_approximate(self) -> bool {
        matches!(self, MineProbability::Approximate(_))
    }

    /// The chance of a mine: 0 or 1 if and only if that is proven.
    pub fn odds(self) -> f64 {
        match self {
            MineProbability::Safe => 0.0,
            MineProbability::Mine => 1.0,
            // Odds that round to 0 or 1 without being proven stay off it.
            MineProbability::Odds(odds) | MineProbability::Approximate(odds) => {
                odds.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0)
            }
        }
    }

    /// The same, but its odds are no longer taken for exact. What is proven stays proven.
    pub fn approximated(self) -> MineProbability {
        match self {
            MineProbability::Odds(odds) => MineProbability::Approximate(odds),
            proven_or_rough => proven_or_rough,
        }
    }

    /// From the weights by mines held of `cells` interchangeable cells.
    pub fn from_weights<W: Weight>(
        by_mines: impl Iterator<Item = (usize, W)>,
        cells: usize,
    ) -> MineProbability {
        let (mut all, mut mines) = (W::ZERO, W::ZERO);
        let (mut may_be_safe, mut may_be_mine) = (false, false);
        for (held, weight) in by_mines.filter(|(_, weight)| !weight.is_zero()) {
            all = all.plus(weight);
            mines = mines.plus(weight.times(W::whole(held as u64)));
            may_be_safe |= held < cells;
            may_be_mine |= held > 0;
        }
        match (may_be_safe, may_be_mine) {
            (true, false) => MineProbability::Safe,
            (false, true) => MineProbability::Mine,
            _ => MineProbability::Odds(mines.share_of(all.times(W::whole(cells as u64)))),
        }
    }
}
