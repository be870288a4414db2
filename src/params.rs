//! Every tunable in one place: what it trades, and how its value was found.

/// Nodes that counting may use in one turn; one component may use half of what is left.
///
/// Trades exact odds on the widest frontiers against time. At about 1 ns a node forward and as much
/// backward this is 0.2 s, so a machine that is twice slower still ends before the clock does.
/// Whole games on the boards of the platform use under a hundredth of it; the memory limit of
/// [`crate::count::Counter::MAX_BYTES`] is met at about the same size.
pub const COUNT_NODES: u64 = 100_000_000;

/// Nodes that putting counted components together may use, besides: 0.05 s.
pub const COMBINE_NODES: u64 = 50_000_000;

/// Nodes that balancing may use in one turn, one component half of what is left: 0.02 s, some hundreds
/// of rounds over the largest frontier of a 200x200 field.
pub const BALANCE_NODES: u64 = 10_000_000;

/// How near to the least odds a cell's must be to count as equally good.
///
/// Odds carry a rounding error of about 1e-14, so that cells which are equal by symmetry differ in
/// the last digits; different odds that come this near have not been seen to matter.
pub const SAME_ODDS: f64 = 1e-9;

/// How much more than the least odds a cell may risk and still be considered.
pub const WINDOW: f64 = 0.1;

/// How many cells are looked at, the least odds first.
pub const CANDIDATES: usize = 24;

/// Nodes that looking ahead may use in one turn: about 0.1 s. On the boards of the platform a guess uses
/// under a tenth of it; what is not looked at is judged by its odds.
pub const LOOKAHEAD_NODES: u64 = 40_000_000;

/// Nodes that looking for a contradiction may use after an answer is out: a few milliseconds.
pub const CHECK_NODES: u64 = 1_000_000;
