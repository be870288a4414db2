//! Results of many games: statistics, comparisons, tables and files.
//!
//! | file | holds |
//! |---|---|
//! | [`statistics`] | intervals and tests |
//! | [`paired`] | the comparison of two bots on the same boards |
//! | [`guess_bins`], [`BinReport`] | guesses by their odds, and whether the odds are right |
//! | [`run`] | the counts of a run, and the shards that a long run consists of |
//! | [`FaultReport`], [`GameRow`] | what is told of a bot's fault, and of its game in a CSV file |
//! | [`ceiling`] | what games gain whose guesses long playouts choose |
//! | [`start_cost()`] | what it costs that a bot is started for each turn |
//! | [`analyze_game`] | a recorded game with its turns analyzed |
//! | [`drawing`], [`palette`], [`progress`] | cells as text, odds as colours, the progress bar |
//! | [`table`], [`plots`] | a report as tables, and results as pictures |
//! | [`recorded_games`], [`json_lines`], [`csv_table`], [`csv_writer`] | files of results |
//! | [`line_checksum`] | the checksum of each line of a file that grows |
//!
//! Invariant: a result depends only on the games, not on the number of threads or the order in
//! which games end. Of the judge's folders, only the
//! runner is imported here, and nothing names `clap`.

use std::fmt::Display;

use serde::Serializer;

mod adjusted;
mod analyzed;
mod bin_report;
pub mod ceiling;
pub mod csv_table;
mod csv_writer;
pub mod drawing;
mod fault_report;
mod game_row;
pub mod guess_bins;
mod json_lines;
mod line_checksum;
pub mod paired;
pub mod palette;
pub mod plots;
pub mod progress;
pub mod recorded_games;
pub mod run;
mod start_cost;
mod statistics;
pub mod table;
mod tally;

/// Serializes a value as its text.
pub fn as_text<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub use adjusted::{AdjustedReport, LuckReport, fewer_boards, fewer_boards_text};
pub use analyzed::{REPLAY_PAGE, analyze_game};
pub use bin_report::{BinReport, bin_reports, bins_table};
pub use csv_writer::{CsvWriter, Over};
pub use fault_report::{FaultReport, NamedFault};
pub use game_row::GameRow;
pub use json_lines::{
    Comparable, Entries, JsonLines, Line, difference, entries, is_content_error,
    read as read_json_lines,
};
pub use paired::Paired;
pub use start_cost::start_cost;
pub use statistics::{Mean, wilson};
pub use tally::{MAX_SCORE, Tally, TallyReport, TimesReport};
