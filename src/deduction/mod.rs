//! What follows from the numbers without counting layouts.

pub mod deducer;
pub mod incremental;
pub mod padded_grid;
pub mod propagate;
pub mod propagator_state;
