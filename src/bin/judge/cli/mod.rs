//! The command line: options, their parsers, and output.
//!
//! Options that several commands share are types here, each with its parser:
//!
//! | file | holds |
//! |---|---|
//! | [`level`], [`seeds`], [`jobs`] | size and mines of boards, seeds, threads; the rule |
//! | [`games`], [`boards`] | games against bots; boards for games in process |
//! | [`limits`], [`language`] | limits of a bot's turn, which depend on its language |
//! | [`resume`] | the file of a run that may be continued |
//! | [`strength`] | objective and effort of the engine |
//! | [`position`] | files of positions |
//! | [`parse`] | parsers of single values |
//! | [`help`] | line breaks of help texts |
//! | [`output`], [`color`], [`progress`], [`outcome`] | text, the progress bar, the exit code |
//! | [`units`], [`shell_words`], [`link_text`] | bytes and times in text, command lines, links |
//!
//! Invariant: a value that its parser accepted is valid, except in combination with other options.
//! All text goes through [`output`], which does not panic if the output is closed. Nothing here
//! starts a process, plays a game or computes a statistic, and nothing imports [`crate::bots`],
//! [`crate::results`] or [`crate::commands`].

pub mod boards;
pub mod color;
pub mod games;
pub mod help;
pub mod jobs;
pub mod language;
pub mod level;
pub mod limits;
pub mod link_text;
pub mod outcome;
pub mod output;
pub mod parse;
pub mod position;
pub mod progress;
pub mod resume;
pub mod seeds;
pub mod shell_words;
pub mod strength;
pub mod units;

pub use outcome::Outcome;
pub(crate) use output::{errln, outln};
pub use output::{print_report, write};
