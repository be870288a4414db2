//! The judge: games, checks and measurements of bots.
//!
//! | folder | holds |
//! |---|---|
//! | [`runner`] | bots as processes, games with them, threads, the order of results |
//! | [`report`] | statistics, tables and files of results |
//! | [`cli`] | options, their parsers, output |
//! | [`commands`] | the commands |
//!
//! Each folder imports only those above it, which `tests/source_tree` of the bot checks.
//!
//! Exit code 0: success. 1: a check failed (a game judged differently, a wrong answer, a fault of
//! the bot). 2: bad input or usage. 130: interrupted.

// No move depends on the judge's figures, so they may use the C library of the machine.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]
// These macros panic if the output is closed; see `cli::output` and `runner::messages`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cli;
mod commands;
mod report;
mod runner;

use std::process::ExitCode;

use clap::{Arg, CommandFactory, FromArgMatches, Parser};

use cli::help;
use cli::refused::{refuse_bare_bot, refuse_former};
use commands::Command;
use runner::messages::errln;

/// The text after the list of commands.
const AFTER_HELP: &str = "\
`judge COMMAND --help` has examples. `judge sapper` is the bot itself, and `judge sapper --help` \
has its options. The guide of the judge is crates/judge/README.md. Turns, rows and columns count \
from 0, as in requests[0]. \
Exit code: 0 success, 1 a check failed or a bot had a fault, 2 bad usage, 130 interrupted.";

/// Play, check and measure Minesweeper bots by Botzone's rules.
#[derive(Parser)]
#[command(
    name = "judge",
    version = sapper::bot::serve::version(),
    max_term_width = 100,
    after_help = AFTER_HELP
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    if runner::system::run_if_helper() {
        return ExitCode::SUCCESS;
    }
    if std::env::args_os().nth(1).is_some_and(|argument| argument == runner::bots::OWN_BOT) {
        return sapper::bot::command_line::run(std::env::args_os().skip(2));
    }
    runner::system::survive_file_size_limit();
    let refused = commands::refuse_addresses(std::env::args_os())
        .and_then(|()| commands::refuse_old_names(std::env::args_os()));
    match refused.and_then(|()| parse()).and_then(|arguments| arguments.command.run()) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            errln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

/// The command line. If it is wrong, prints clap's error and exits.
///
/// # Errors
/// Fails for an option of a former version, for a word that may be a part of a secret, and for a
/// bot without its option.
fn parse() -> anyhow::Result<Arguments> {
    let matches = parser().try_get_matches();
    let arguments = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    let mut error = match arguments {
        Ok(arguments) => return Ok(arguments),
        Err(error) => error,
    };
    refuse_former(&error)?;
    // A wrong value may be a part of the secret that this command is given.
    if std::env::args_os().nth(1).is_some_and(|command| command == "local") {
        commands::refuse_words(&error)?;
        help::hide_value(&mut error);
    }
    let words = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok());
    refuse_bare_bot(&error, &parser(), words)?;
    help::print_and_exit(&error)
}

/// The parser of the command line. `--jobs -1` is a wrong value, not an unknown option.
fn parser() -> clap::Command {
    Arguments::command().mut_subcommands(adapt)
}

/// The command and its subcommands, with arguments that accept negative numbers as values, and with
/// examples first in the help.
fn adapt(command: clap::Command) -> clap::Command {
    let accept_negative = |argument: Arg| {
        let takes_value = argument.get_action().takes_values();
        argument.allow_negative_numbers(takes_value)
    };
    help::arrange(command.mut_args(accept_negative).mut_subcommands(adapt))
}
