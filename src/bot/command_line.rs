//! The command line of the bot, for the program `sapper` and for every other program that can be
//! started as the bot; [`super::serve`] does the rest.

use std::ffi::OsString;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use super::engine::Engine;
use super::input_file::{self, shown};
use super::serve::{Options, serve, serve_input, version};
use crate::settings::params::{Effort, Objective};

const HELP: &str = "\
Sapper, a Minesweeper bot for Botzone.

Reads one JSON value and answers with one line: the cell to open next.

Usage: sapper [OPTIONS] [FILE]

FILE holds the input; without it, or with -, the input is read from standard input.

Options:
  --keep-running  stay alive: print Botzone's marker line after every answer, then read the bare
                  request of the next turn, or a whole history, a line each
  --debug         add to every answer a \"debug\" that says how the cell was chosen
  --objective OBJECTIVE
                  fewest-hits: open the fewest mines, as Botzone counts (default);
                  clean-win: open none at all, as classic rules ask
  --effort EFFORT
                  the work for each answer: fast, standard or full (default)
  --version       print the version and the commit
  --help          print this help

Input, either of:
  {\"requests\":[{\"height\":H,\"width\":W,\"minecount\":M,\"changed\":null}, ...],\
    \"responses\":[...]}
  {\"height\":H,\"width\":W,\"minecount\":M,\"changed\":[{\"row\":R,\"col\":C,\"val\":V}, ...]}
  V is 0-8 for a number, 9 for a mine. Rows and columns count from 0.

Exit code: 0 after an answer, 1 when it cannot be written, 2 when the input cannot be read.
Standard output closed from the start (>&-) counts as /dev/null.
Warnings go to standard error and do not change the exit code.

Examples:
  sapper samples/requests/first-turn.json
  sapper --debug samples/requests/forced-guess.json
  sapper --keep-running samples/requests/keep-running.keep.jsonl
  sapper --objective clean-win --effort standard samples/requests/first-turn.json
";

/// Runs the bot with these arguments, which do not include the name of the program. Reads a file or
/// standard input, writes standard output, and returns the exit code that the help states.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut options = Options::default();
    let (mut objective, mut effort) = (Objective::FewestHits, Effort::Full);
    let mut file: Option<PathBuf> = None;
    while let Some(argument) = arguments.next() {
        let text = argument.to_str().unwrap_or_default();
        if !text.starts_with('-') || text == "-" {
            if let Some(first) = file {
                let (first, second) = (shown(&first), shown(Path::new(&argument)));
                return refuse(&format!("give one file, not both {first} and {second}"));
            }
            file = Some(argument.into());
            continue;
        }
        let (name, given) = match text.split_once('=') {
            Some((name, given)) => (name, Some(OsString::from(given))),
            None => (text, None),
        };
        match (name, given) {
            ("--keep-running", None) => options.keep_running = true,
            ("--debug", None) => options.debug = true,
            ("--objective", given) => match value(given.or_else(|| arguments.next())) {
                Ok(value) => objective = value,
                Err(reason) => return refuse(&format!("{name}: {reason}")),
            },
            ("--effort", given) => match value(given.or_else(|| arguments.next())) {
                Ok(value) => effort = value,
                Err(reason) => return refuse(&format!("{name}: {reason}")),
            },
            ("--help" | "-h", None) => return print(HELP),
            ("--version" | "-V", None) => return print(&format!("sapper {}\n", version())),
            _ => return refuse(&format!("unknown argument {argument:?}; see sapper --help")),
        }
    }
    let engine = Engine::new(objective, effort);
    let file = file.filter(|file| file.as_os_str() != "-");
    let served = match &file {
        None => {
            hint_at_terminal();
            serve(options, engine)
        }
        Some(file) => match input_file::open(file) {
            Ok(opened) => serve_input(BufReader::new(opened), options, engine),
            Err(why) => return refuse(&format!("cannot read {}: {why}", shown(file))),
        },
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let is_board = file.is_some_and(|file| input_file::is_board_text(&file));
            let hint = if is_board { "; `judge explain` reads boards drawn as text" } else { "" };
            let _ = writeln!(io::stderr(), "sapper: {failure}{hint}");
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Says what the bot waits for, to a person who started it without input.
fn hint_at_terminal() {
    if io::stdin().is_terminal() {
        let _ = writeln!(
            io::stderr(),
            "sapper: waiting for a request as one JSON value; see sapper --help"
        );
    }
}

/// The value of this name; an absent or illegible one is as wrong as an empty one.
fn value<T: FromStr>(name: Option<OsString>) -> Result<T, T::Err> {
    name.and_then(|name| name.into_string().ok()).unwrap_or_default().parse()
}

fn refuse(reason: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "sapper: {reason}");
    ExitCode::from(2)
}

fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "sapper: cannot write to standard output: {error}");
            ExitCode::FAILURE
        }
    }
}
