//! The bot: stdin to stdout.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use sapper::budget::WallClock;
use sapper::protocol::{Input, KEEP_RUNNING_MARKER};
use sapper::session::{ReadError, Session};

const HELP: &str = "\
Sapper, a Minesweeper bot for Botzone.

Reads one JSON value from standard input and answers with one line: the cell to open next.

Usage: sapper [--keep-running]

Options:
  --keep-running  stay alive: print Botzone's marker line after every answer, then take the
                  bare request of the next turn, or a whole history, a line each
  --version       print the version and the commit
  --help          print this help

Input, either of:
  {\"requests\":[{\"height\":H,\"width\":W,\"minecount\":M,\"changed\":null}, ...],\"responses\":[...]}
  {\"height\":H,\"width\":W,\"minecount\":M,\"changed\":[{\"row\":R,\"col\":C,\"val\":V}, ...]}
  V is 0-8 for a number, 9 for a mine. Rows and columns count from 0.

Exit code: 0 after an answer, 1 when it cannot be written, 2 when the input cannot be read.
Warnings go to standard error and do not change the exit code.

Examples:
  echo '{\"requests\":[{\"height\":16,\"width\":30,\"minecount\":99,\"changed\":null}]}' | sapper
  sapper < samples/requests/first-turn.json
  sapper --keep-running < samples/requests/keep-running.keep.jsonl
";

fn main() -> ExitCode {
    let mut keep_running = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--keep-running" => keep_running = true,
            "--help" | "-h" => return print(HELP),
            "--version" | "-V" => return print(&version()),
            unknown => {
                eprintln!("sapper: unknown argument {unknown:?}; see sapper --help");
                return ExitCode::from(2);
            }
        }
    }
    match run(keep_running) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Read(error)) => {
            eprintln!("sapper: {error}");
            ExitCode::from(2)
        }
        Err(Failure::Write(error)) => {
            eprintln!("sapper: cannot write the answer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn version() -> String {
    match env!("SAPPER_COMMIT") {
        "" => format!("sapper {}\n", env!("CARGO_PKG_VERSION")),
        commit => format!("sapper {} ({commit})\n", env!("CARGO_PKG_VERSION")),
    }
}

fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

enum Failure {
    Read(ReadError),
    Write(io::Error),
}

/// Answers one value, or every value until the input ends.
fn run(keep_running: bool) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    skip_byte_order_mark(&mut input);
    // Values are read as a stream, so an answer never waits for the end of the input.
    let mut values = serde_json::Deserializer::from_reader(input).into_iter::<Input>();
    let mut session = Session::default();
    let mut answered = false;
    loop {
        let value = match values.next() {
            Some(value) => value.map_err(|error| Failure::Read(ReadError::Json(error)))?,
            None if answered => return Ok(()),
            None => return Err(Failure::Read(ReadError::Empty)),
        };
        // The platform stops the process between turns: the clock starts after reading.
        let clock = WallClock::start();
        let answer = session.answer(value, &clock).map_err(Failure::Read)?;
        let marker = if keep_running { format!("{KEEP_RUNNING_MARKER}\n") } else { String::new() };
        let mut output = io::stdout().lock();
        output
            .write_all(format!("{}\n{marker}", answer.line).as_bytes())
            .and_then(|()| output.flush())
            .map_err(Failure::Write)?;
        answered = true;
        // Warnings come after the answer: nobody may be reading them.
        for warning in answer.warnings {
            let _ = writeln!(io::stderr(), "sapper: warning: {warning}");
        }
        if !keep_running {
            return Ok(());
        }
    }
}

/// Some shells put a byte order mark before what they pipe.
fn skip_byte_order_mark(input: &mut impl BufRead) {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    if input.fill_buf().is_ok_and(|start| start.starts_with(MARK)) {
        input.consume(MARK.len());
    }
}
