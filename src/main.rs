//! The command line of the bot; [`sapper::bot::serve`] does the rest.

use std::io::{self, Write};
use std::process::ExitCode;

use sapper::bot::serve::{Options, serve, version};

const HELP: &str = "\
Sapper, a Minesweeper bot for Botzone.

Reads one JSON value from standard input and answers with one line: the cell to open next.

Usage: sapper [--keep-running] [--debug]

Options:
  --keep-running  stay alive: print Botzone's marker line after every answer, then read the bare
                  request of the next turn, or a whole history, a line each
  --debug         add to every answer a \"debug\" that says how the cell was chosen
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
  echo '{\"requests\":[{\"height\":16,\"width\":30,\"minecount\":99,\"changed\":null}]}' | sapper
  sapper < samples/requests/first-turn.json
  sapper --keep-running < samples/requests/keep-running.keep.jsonl
";

fn main() -> ExitCode {
    let mut options = Options::default();
    for argument in std::env::args_os().skip(1) {
        match argument.to_str() {
            Some("--keep-running") => options.keep_running = true,
            Some("--debug") => options.debug = true,
            Some("--help" | "-h") => return print(HELP),
            Some("--version" | "-V") => return print(&format!("sapper {}\n", version())),
            _ => {
                let _ = writeln!(
                    io::stderr(),
                    "sapper: unknown argument {argument:?}; see sapper --help"
                );
                return ExitCode::from(2);
            }
        }
    }
    match serve(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr(), "sapper: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
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
