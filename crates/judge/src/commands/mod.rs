//! The commands of the judge: each is a file, or a folder whose `mod.rs` is the command.
//!
//! A command consists of its options with their help (`Arguments`) and a function `run`. A folder
//! also holds what only this command needs: the computation (such as `pit/tally.rs`) and the output
//! as text and as JSON (`view.rs`).
//!
//! Invariant: no command imports another one. Code that two commands share is in [`crate::runner`]
//! (what is played), [`crate::report`] (what is told of it) or [`crate::cli`] (options, output).
//!
//! # What a command consists of
//!
//! The first line of the documentation of `Arguments` is the command's line in `judge --help`. The
//! help has at most 60 lines: at least two examples first, which are the same in every shell, then
//! the exit codes. `--json` prints one object; its keys, and what a table shows, are the fields of
//! one struct that derives `Serialize`. CONTRIBUTING.md has the steps to add one.

mod bench;
mod calibrate;
mod ceiling;
mod check;
mod coach;
mod compare;
mod convert;
mod explain;
mod local;
mod odds;
mod pit;
mod play;
mod plot;
mod replay;
mod report;
mod results;
mod samples;
mod verify;

use anyhow::Result;
use clap::Subcommand;

use crate::cli::Outcome;

pub use check::refuse_old_names;
pub use local::{refuse_addresses, refuse_words};

/// The commands, in the order in which `judge --help` lists them.
#[derive(Subcommand)]
pub enum Command {
    Verify(verify::Arguments),
    Samples(samples::Arguments),
    Play(play::Arguments),
    Local(local::Arguments),
    Pit(pit::Arguments),
    Coach(coach::Arguments),
    Odds(odds::Arguments),
    Explain(explain::Arguments),
    Replay(replay::Arguments),
    Convert(convert::Arguments),
    Bench(bench::Arguments),
    Report(report::Arguments),
    Results(results::Arguments),
    Compare(compare::Arguments),
    Calibrate(calibrate::Arguments),
    Ceiling(ceiling::Arguments),
    Plot(plot::Arguments),
    Check(check::Arguments),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// The input or the options are invalid; the command has printed no result.
    pub fn run(&self) -> Result<Outcome> {
        match self {
            Command::Verify(arguments) => verify::run(arguments),
            Command::Samples(arguments) => samples::run(arguments),
            Command::Play(arguments) => play::run(arguments),
            Command::Local(arguments) => local::run(arguments),
            Command::Pit(arguments) => pit::run(arguments),
            Command::Coach(arguments) => coach::run(arguments),
            Command::Odds(arguments) => odds::run(arguments),
            Command::Explain(arguments) => explain::run(arguments),
            Command::Replay(arguments) => replay::run(arguments),
            Command::Convert(arguments) => convert::run(arguments),
            Command::Bench(arguments) => bench::run(arguments),
            Command::Report(arguments) => report::run(arguments),
            Command::Results(arguments) => results::run(arguments),
            Command::Compare(arguments) => compare::run(arguments),
            Command::Calibrate(arguments) => calibrate::run(arguments),
            Command::Ceiling(arguments) => ceiling::run(arguments),
            Command::Plot(arguments) => plot::run(arguments),
            Command::Check(arguments) => check::run(arguments),
        }
    }
}
