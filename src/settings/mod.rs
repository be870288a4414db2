//! What a turn is asked for, and what it may spend: the objective, the effort, every tunable, and
//! the budget of nodes and time.
//!
//! Every later stage takes its limits from here. A search ends at a node limit, so that the same
//! board has the same answer on every machine; deadlines only protect against slow machines.
//!
//! Invariant: [`budget`] is the only module of the bot that reads a clock.
//!
//! - [`params`]: the objective, the efforts with their limits, and every tunable number.
//! - [`budget`]: node limits, deadlines, the clock.

pub mod budget;
pub mod params;
