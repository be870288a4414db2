//! The result of an endgame.

use crate::board::geometry::Cell;

/// The best cell and its cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The cell to open.
    pub cell: Cell,
    /// Layouts in which it is a mine.
    pub mined: u32,
    /// The cost of the best play found: mines opened, or layouts lost, summed over all layouts.
    pub cost: u32,
    /// All layouts.
    pub layouts: u32,
    /// Whether no play costs less; false where the budget ended before this was known.
    pub is_proven: bool,
}
