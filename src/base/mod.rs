//! What every other folder uses: work budgets, tunables, reproducible arithmetic, text helpers.
//!
//! Invariants: nothing here knows the rules of Minesweeper, and only [`budget`] reads a clock.
//! Results are the same on every machine: searches end at node limits, random numbers come from a
//! seed, and floating-point functions are made of correctly rounded operations.
//!
//! - [`budget`]: node limits, deadlines, the clock.
//! - [`params`]: every tunable, and the limits of each effort.
//! - [`objective`]: fewest hits, or clean wins.
//! - [`elementary`]: exponential and logarithm with the same bits everywhere.
//! - [`rng`]: seeded random numbers.
//! - [`key_map`]: a hash map of keys that are random already.
//! - [`text`]: phrases of messages, such as counts with their nouns.

pub mod budget;
pub mod elementary;
pub mod key_map;
pub mod objective;
pub mod params;
pub mod rng;
pub mod text;
