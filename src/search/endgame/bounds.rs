//! What is known of the cost of a set of layouts.
//!
//! Invariant: `lower` and `upper` hold in every pass: no play costs less than `lower`, and some
//! play costs `upper`. What a pass found besides holds in that pass alone, because it tries only
//! some of the cells.
//!
//! `HashMap` touches two cache lines for a set. A table of our own that touches one saved too
//! little time to be worth its code (results page, R23).

use crate::kit::key_map::KeyMap;

/// The bounds of all sets that were searched, by key.
pub type BoundsTable = KeyMap<u128, CostBounds>;

/// Bounds on the cost of one set.
#[derive(Clone, Copy)]
pub struct CostBounds {
    /// No play costs less.
    pub lower: u32,
    /// Some play costs no more.
    pub upper: u32,
    /// The last pass that searched the set.
    pub pass: u32,
    /// A lower bound on what this pass can find.
    pub pass_lower: u32,
}

impl CostBounds {
    /// The bounds of a set that was not searched.
    pub const UNKNOWN: CostBounds =
        CostBounds { lower: 0, upper: u32::MAX, pass: 0, pass_lower: 0 };

    /// A lower bound on what `pass` can find.
    pub fn lower_in(&self, pass: u32) -> u32 {
        if self.pass == pass { self.lower.max(self.pass_lower) } else { self.lower }
    }
}
