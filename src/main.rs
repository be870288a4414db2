//! The program `sapper`; [`sapper::bot::command_line`] is all of it.

use std::process::ExitCode;

use sapper::bot::command_line::run;

fn main() -> ExitCode {
    run(std::env::args_os().skip(1))
}
