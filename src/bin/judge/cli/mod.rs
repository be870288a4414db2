//! The command line: what its options mean, and how text leaves the program.
//!
//! Options that several commands share are types here, each with its parser; so are the files that
//! options name (boards, positions) and the exit code ([`Outcome`]). All text goes through
//! [`output`], which does not panic when nobody reads it.
//!
//! Invariant: a value that passed its parser needs no further check by a command, except against
//! other options. Nothing here starts a process, plays a game or computes a statistic, and nothing
//! imports [`crate::bots`], [`crate::results`] or [`crate::commands`].

pub mod boards;
pub mod games;
pub mod help;
pub mod level;
pub mod limits;
pub mod negative_values;
pub mod outcome;
pub mod output;
pub mod parse;
pub mod position;
pub mod seeds;
pub mod shell_words;
pub mod strength;
pub mod units;

pub use outcome::Outcome;
