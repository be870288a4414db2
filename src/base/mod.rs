//! What every other folder uses: limits of work, tunables, random numbers, text.
//!
//! Invariant: nothing here knows of Minesweeper's rules, and nothing but [`budget`] reads a clock.

pub mod budget;
pub mod capped_vec;
pub mod elementary;
pub mod objective;
pub mod params;
pub mod rng;
pub mod text;
