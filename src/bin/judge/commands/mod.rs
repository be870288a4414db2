//! The commands: a file each, or a folder whose `mod.rs` is the command.
//!
//! A command is its arguments with their help (`Arguments`) and a function that runs it (`run`).
//! Its folder holds what only this command needs: how its result is computed ([`pit`]'s tally), and
//! how it is written, as text for people (`view`) and as JSON for programs.
//!
//! Invariant: no command imports another one. What two commands share is in [`crate::cli`],
//! [`crate::bots`] or [`crate::results`].

mod bench;
mod calibrate;
mod compare;
mod explain;
mod odds;
mod openings;
mod optimum;
mod pit;
mod play;
mod plot;
mod replay;
mod report;
mod samples;
mod signature;
mod soak;
mod verify;
mod worst;

use anyhow::Result;
use clap::Subcommand;

use crate::cli::Outcome;

/// The commands, in the order of the help.
#[derive(Subcommand)]
pub enum Command {
    Verify(verify::Arguments),
    Samples(samples::Arguments),
    Signature(signature::Arguments),
    Play(play::Arguments),
    Pit(pit::Arguments),
    Odds(odds::Arguments),
    Explain(explain::Arguments),
    Replay(replay::Arguments),
    Bench(bench::Arguments),
    Report(report::Arguments),
    Compare(compare::Arguments),
    Calibrate(calibrate::Arguments),
    Optimum(optimum::Arguments),
    Openings(openings::Arguments),
    Plot(plot::Arguments),
    Worst(worst::Arguments),
    Soak(soak::Arguments),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Input or options with which it cannot do its work.
    pub fn run(&self) -> Result<Outcome> {
        match self {
            Command::Verify(arguments) => verify::run(arguments),
            Command::Samples(arguments) => samples::run(arguments),
            Command::Signature(arguments) => signature::run(arguments),
            Command::Play(arguments) => play::run(arguments),
            Command::Pit(arguments) => pit::run(arguments),
            Command::Odds(arguments) => odds::run(arguments),
            Command::Explain(arguments) => explain::run(arguments),
            Command::Replay(arguments) => replay::run(arguments),
            Command::Bench(arguments) => bench::run(arguments),
            Command::Report(arguments) => report::run(arguments),
            Command::Compare(arguments) => compare::run(arguments),
            Command::Calibrate(arguments) => calibrate::run(arguments),
            Command::Optimum(arguments) => optimum::run(arguments),
            Command::Openings(arguments) => openings::run(arguments),
            Command::Plot(arguments) => plot::run(arguments),
            Command::Worst(arguments) => worst::run(arguments),
            Command::Soak(arguments) => soak::run(arguments),
        }
    }
}
