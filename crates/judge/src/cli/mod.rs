//! The command line: options, their parsers, and output.
//!
//! Options that several commands share are types here, each with its parser. A parsed option
//! becomes a plain value of [`crate::runner`], which knows nothing of options:
//!
//! | file | holds |
//! |---|---|
//! | [`level`], [`seeds`], [`jobs`] | size and mines of boards, seeds, threads; the rule |
//! | [`games`], [`boards`] | games against bots; boards for games in process |
//! | [`board_file`] | the boards of a file, for both |
//! | [`limits`], [`competitor`] | limits of a bot's turn; bots with names |
//! | [`repeat`] | the options that play a game or a board again |
//! | [`resume`] | the file of a run that may be continued |
//! | [`names`] | parsers of rules, objectives and efforts |
//! | [`refused`] | options of former versions, bots without their option; what to give instead |
//! | [`strength`] | objective and effort of the engine |
//! | [`position`], [`mod@matches`] | files of positions, and of recorded games |
//! | [`unknown_keys`] | keys of requests that no reader knows |
//! | [`files`] | arguments that name several files |
//! | [`parse`] | parsers of single values |
//! | [`force`] | what outputs may replace |
//! | [`help`] | line breaks of help texts |
//! | [`output`], [`color`], [`outcome`] | text, the exit code |
//! | [`run_report`], [`bot_report`] | reports of runs in process, and of runs that start bots |
//! | [`mod@link_text`] | texts in links |
//!
//! Invariant: a value that its parser accepted is valid, except in combination with other options.
//! All results go through [`output`], which does not panic if the output is closed. Nothing here
//! starts a process, plays a game or computes a statistic, and nothing imports [`crate::commands`].

mod board_file;
mod boards;
mod bot_report;
mod color;
mod competitor;
mod files;
mod force;
mod games;
pub mod help;
mod jobs;
mod level;
mod limits;
mod link_text;
mod matches;
mod names;
mod outcome;
pub mod output;
mod parse;
mod position;
pub mod refused;
pub mod repeat;
mod resume;
mod run_report;
mod seeds;
mod strength;
mod unknown_keys;

pub use board_file::BoardFileOptions;
pub use boards::BoardOptions;
pub use bot_report::print_bot_report;
pub use color::Color;
pub use competitor::{Competitor, competitors};
pub use files::named_files;
pub use force::ForceOption;
pub use games::{GameOptions, SkipFirst};
pub use jobs::JobOptions;
pub use level::{LevelOptions, checked_start};
pub use limits::{LimitOptions, TurnLimits, limit_options};
pub use link_text::{link_text, link_to};
pub use matches::{GAME_ENDINGS, GameText, GameTexts, MatchOption, RECORDING_ENDINGS};
pub use names::{effort_parser, objective_parser, rule_parser};
pub use outcome::Outcome;
pub(crate) use output::outln;
pub use output::{print_json, print_report, write};
pub use parse::{RowColumn, option_name, parse_count, parse_from, parse_integer, parse_seconds};
pub use position::{Density, PositionFile, PositionInput, stated_setup};
pub use resume::ResumeOptions;
pub use run_report::print_run;
pub use seeds::{SEEDS_UNTIL_ENOUGH, SeedOptions};
pub use strength::{BotStrength, Strength};
