//! Propagation: what single numbers and pairs of numbers prove, on the grid.
//!
//! - [`propagator`]: the two rules, applied around every change. [`mod@state`]: what is known about
//!   each cell.
//! - [`padded_grid`]: the board with a border, and masks of neighbours.
//! - [`incremental`]: propagation on the board of a played game, kept from turn to turn.
//!
//! Simulated games use the propagator directly ([`crate::search::rollout::game`]).

pub mod incremental;
pub mod padded_grid;
pub mod propagator;
pub mod state;
