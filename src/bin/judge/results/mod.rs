//! What is made of many games: statistics, comparisons, tables, and files of results.
//!
//! [`statistics`] has the intervals and tests, [`paired`] compares two bots on the same boards, and
//! [`report`] sums up shards of one run. Games run on many threads: [`ordered`] hands the results
//! of games with bots over in order, and [`batches`] those of games in process. [`faults`],
//! [`json`] and [`palette`] are how results are written, [`recorded_games`] and [`csv_table`] the
//! files of them.
//!
//! Invariant: a result depends on the games alone, not on the number of threads or the order in
//! which games end. Nothing here imports [`crate::bots`] or [`crate::commands`].

pub mod batches;
pub mod csv_table;
pub mod faults;
pub mod json;
pub mod ordered;
pub mod paired;
pub mod palette;
pub mod recorded_games;
pub mod report;
pub mod statistics;
