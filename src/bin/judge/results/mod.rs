//! What is made of many games: statistics, comparisons, tables, and files of results.
//!
//! [`statistics`] has the intervals and tests, [`paired`] compares two bots on the same boards, and
//! [`report`] sums up shards of one run. [`batches`] plays games in process and hands their results over in
//! order; [`csv_table`] reads tables of figures, and [`palette`] turns odds into colours.
//!
//! Invariant: a result depends on the games alone, not on the number of threads or the order in which
//! games end. Nothing here imports [`crate::bots`] or [`crate::commands`].

pub mod batches;
pub mod csv_table;
pub mod paired;
pub mod palette;
pub mod report;
pub mod statistics;
