//! `cargo sapper PROGRAM ...`: builds a program of the project and starts it.
//!
//! Cargo runs this program by the alias `sapper` of `.cargo/config.toml`, in every shell and from
//! every folder of the workspace; `scripts/launch` runs it from every folder. It builds the program
//! that is named first and passes all other arguments on to it, in the folder in which the user is.
//!
//! Invariant: standard output is the program's alone, and the exit code is the program's, or
//! cargo's if the program cannot be built. A build that has nothing to do prints nothing.

mod build;
mod start;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use start::Start;

const HELP: &str = "\
Builds a program of the project and starts it.

Usage: cargo sapper [--folder FOLDER] PROGRAM [ARGUMENTS]

Programs:
  judge     plays, checks, measures and compares bots; explains positions
  bundle    makes the files to upload: target/bundle/sapper.cpp and sapper.rs
  page      makes the page: target/page/sapper.html

All arguments after PROGRAM are the program's. `cargo sapper PROGRAM --help` lists them. The
program starts in the current folder, or in FOLDER.

Examples:
  cargo sapper judge explain samples/fields/forced-guess.txt
  cargo sapper judge play --seeds 1..20
  cargo sapper bundle
";

/// The programs, each in the package of its name.
const PROGRAMS: [&str; 3] = ["judge", "bundle", "page"];

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    let mut folder = None;
    if arguments.next_if(|argument| argument == "--folder").is_some() {
        folder = arguments.next().map(PathBuf::from);
        if folder.is_none() {
            return fail("--folder takes a folder");
        }
    }
    let program = arguments.next().unwrap_or_else(|| OsString::from("--help"));
    match program.to_str() {
        Some("--help" | "-h") => {
            // A closed output is no reason to fail.
            let _ = std::io::stdout().write_all(HELP.as_bytes());
            ExitCode::SUCCESS
        }
        Some(name) if PROGRAMS.contains(&name) => {
            let arguments: Vec<OsString> = arguments.collect();
            launch(name, Start { arguments: &arguments, folder: folder.as_deref() })
        }
        _ => fail(&format!("no program {program:?}; give one of {}", PROGRAMS.join(", "))),
    }
}

/// Builds the program and runs it.
fn launch(program: &str, start: Start) -> ExitCode {
    // Cargo sets the variable for what it runs, so that a program that was built in one checkout
    // and is run in another builds the other.
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let Some(root) = Path::new(&package).ancestors().nth(2) else {
        return fail("the folder of the project is not known; start it by `cargo sapper`");
    };
    match build::build(root, program) {
        Ok(file) => start::start(&file, program, start).unwrap_or_else(|reason| fail(&reason)),
        Err(build::Error::Compiler(code)) => code,
        Err(build::Error::Other(reason)) => fail(&reason),
    }
}

/// Says why nothing was started.
fn fail(reason: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "cargo sapper: {reason}");
    ExitCode::from(2)
}
