//! Results of many games: statistics, comparisons, tables and files.
//!
//! | file | holds |
//! |---|---|
//! | [`statistics`] | intervals and tests |
//! | [`paired`] | the comparison of two bots on the same boards |
//! | [`report`] | the counts of a run, and the shards that a long run consists of |
//! | [`ordered`] | a thread pool whose results arrive in order |
//! | [`engine_games`] | games in process on that pool |
//! | [`picture`], [`palette`] | cells as text, odds as colours |
//! | [`table`] | a report as tables |
//! | [`recorded_games`], [`json_lines`], [`csv_table`], [`csv_writer`] | files of results |
//!
//! Invariant: a result depends only on the games, not on the number of threads or the order in
//! which games end. Nothing here imports [`crate::bots`] or [`crate::commands`].

pub mod adjusted;
pub mod csv_table;
pub mod csv_writer;
pub mod games;
pub mod json_lines;
pub mod ordered;
pub mod paired;
pub mod palette;
pub mod picture;
pub mod recorded_games;
pub mod report;
pub mod statistics;
pub mod table;
pub mod tally;
