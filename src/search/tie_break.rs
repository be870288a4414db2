//! The tie-break of a guess: which of several cells of equal mine probability is opened.
//!
//! The cell with the fewest hidden neighbours is first, then row-major order decides. A cell with
//! few hidden neighbours shows a number that says much about each of them and is a zero more often;
//! on an untouched field this is a corner.
//!
//! Guesses by odds and the order of the candidates, in play and in playouts, rank cells by
//! [`tie_break`]; the endgame has an order of its own. Row-major order alone is weaker for both
//! objectives; counting all neighbours instead of the hidden ones wins less; breaking the remaining
//! ties by the most open neighbours changes nothing (results page, R11). "Changing play" in
//! `lib.rs` says how to try another order.
//!
//! Invariant: the order is total, so the choice does not depend on the order of evaluation.

use crate::board::geometry::Cell;
use crate::settings::params::PROBABILITY_TOLERANCE;

/// The rank of a cell among cells of equal probability; the lowest is opened.
pub type Rank = (u8, Cell);

/// The rank of `cell`, which has so many hidden neighbours.
pub fn tie_break(cell: Cell, hidden_neighbours: u8) -> Rank {
    (hidden_neighbours, cell)
}

/// A probability or a cost in units of [`PROBABILITY_TOLERANCE`]: values that differ by rounding
/// alone become equal, so that they neither decide an order nor separate equal cells.
pub fn quantize(value: f64) -> i64 {
    (value / PROBABILITY_TOLERANCE).round() as i64
}
