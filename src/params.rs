//! Every tunable in one place: what it trades, and how its value was found.

/// Nodes that counting may use in one turn.
///
/// Trades exact odds on the widest frontiers against time: at 1 to 3 ns a node this is at most 0.3 s, half
/// of what a turn may take. Positions of whole games on the boards of the platform use under a
/// thousandth of it; it is met only by fields made to be wide.
pub const COUNT_NODES: u64 = 100_000_000;

/// How near to the least odds a cell's must be to count as equally good.
///
/// Odds carry a rounding error of about 1e-14, so that cells which are equal by symmetry differ in
/// the last digits; different odds that come this near have not been seen to matter.
pub const SAME_ODDS: f64 = 1e-9;
