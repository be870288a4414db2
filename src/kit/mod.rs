//! General helpers: reproducible arithmetic, random numbers, a hash map, phrases, JSON objects.
//!
//! Invariants: nothing here knows the rules of Minesweeper or the engine, and nothing reads a
//! clock. Results are the same on every machine: random numbers come from a seed, and
//! floating-point functions are made of correctly rounded operations.
//!
//! - [`elementary`]: exponential and logarithm with the same bits everywhere.
//! - [`rng`]: seeded random numbers.
//! - [`key_map`]: a hash map for keys that are random already.
//! - [`text`]: counts with their nouns, and texts without what a terminal acts on.
//! - [`object`]: structs that are read from JSON objects only.

pub mod elementary;
pub mod key_map;
pub mod object;
pub mod rng;
pub mod text;
