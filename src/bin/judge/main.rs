//! The judge's commands: games, checks and measurements around the bot.
//!
//! Exit code 0: good. 1: a check failed (a game judged differently, a wrong answer, a fault of the
//! bot). 2: bad input or usage. 130: interrupted. One file a command; what they share is beside them.

// The judge's figures decide no move: they may come from the machine's own C library.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]
// They panic where nobody reads; see `output`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod boards;
mod bot;
mod calibrate;
mod compare;
mod csv_table;
mod explain;
mod games;
mod help;
mod host;
mod limits;
mod negative;
mod odds;
mod openings;
mod optimum;
mod output;
mod paired;
mod palette;
mod pit;
mod play;
mod plot;
mod probe;
mod replay;
mod report;
mod samples;
mod signature;
mod soak;
mod stats;
mod stream;
mod strength;
mod verify;
mod words;
mod worst;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// What holds for every command.
const AFTER: &str = "\
`judge COMMAND --help` has examples. Turns, rows and columns count from 0 everywhere, as in requests[0]. \
Exit code: 0 good, 1 a check failed or a bot had a fault, 2 bad input or usage, 130 interrupted.";

/// Play, check and measure Minesweeper bots by Botzone's rules.
#[derive(Parser)]
#[command(name = "judge", version, max_term_width = 100, after_help = AFTER)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
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

/// What a command found, where it could do its work at all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Good,
    Failed,
    /// Told to end, after it has told what it had.
    Interrupted,
}

impl From<bool> for Outcome {
    fn from(good: bool) -> Outcome {
        if good { Outcome::Good } else { Outcome::Failed }
    }
}

fn main() -> ExitCode {
    if bot::guard::served() {
        return ExitCode::SUCCESS;
    }
    output::outlive_file_limits();
    let arguments = negative::joined(std::env::args_os());
    let matches = help::flowing(Arguments::command()).try_get_matches_from(arguments);
    let arguments = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = arguments.unwrap_or_else(|error| help::tell(&error));
    let outcome = match arguments.command {
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Samples(arguments) => samples::run(&arguments),
        Command::Signature(arguments) => signature::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Pit(arguments) => pit::run(&arguments),
        Command::Odds(arguments) => odds::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Optimum(arguments) => optimum::run(&arguments),
        Command::Openings(arguments) => openings::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments),
        Command::Worst(arguments) => worst::run(&arguments),
        Command::Soak(arguments) => soak::run(&arguments),
    };
    match outcome {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(error) => {
            output::complain!("{error:#}");
            ExitCode::from(2)
        }
    }
}
