//! Makes the bot as single files: `sapper.cpp` to upload to Botzone, `sapper.rs` to read.
//!
//! `sapper.cpp` is the optimised machine code of the bot, as assembly in a C++ source. It is made
//! in four steps: [`library`] compiles the bot to assembly, [`asm`] keeps what the entry point
//! reaches (with [`statement`], which edits one line, and [`labels`], which names the symbols),
//! [`macros`] shortens the result, and [`upload`] writes the C++ source. [`libc`] lists the symbols
//! that the file may need.
//!
//! `sapper.rs` is the text of all modules of the bot in one file, made by [`source`].
//!
//! With `--check`, [`check`] compiles both files and compares them with the native bot and with the
//! signature of play. `README.md` beside this file describes the files for their users.
//!
//! `cargo sapper bundle` runs this program. Exit code: 0 if the files were made and no check
//! failed, 1 if a check failed, 2 for bad usage or a missing tool.

mod asm;
mod check;
mod flags;
mod labels;
mod libc;
mod library;
mod macros;
mod output;
mod source;
mod stamp;
mod statement;
mod upload;

use std::fs;
use std::process::ExitCode;

use ::output::{Force, Kind, Output};
use anyhow::{Context, Result};
use clap::Parser;
use flags::Flags;
use library::Build;
use output::{print_line, print_message};
use stamp::Stamp;

/// Make target/bundle/sapper.cpp, the whole bot as one C++ file for Botzone, and
/// target/bundle/sapper.rs, the whole bot as one Rust file to read.
///
/// --keep-running and --debug are compiled into sapper.cpp, because Botzone starts it without
/// arguments. They do not change sapper.rs, which takes them on its command line.
#[derive(Parser)]
#[command(
    name = "bundle",
    version = sapper::bot::serve::version(),
    max_term_width = 100,
    after_help = "\
Examples:
  cargo sapper bundle                   a bot that is started for every turn
  cargo sapper bundle --keep-running    a bot that keeps running between turns
  cargo sapper bundle --debug           a bot that explains its answers in the match's log
  cargo sapper bundle --check           both files, then all checks, in about three minutes

--check compiles both files as the platform does. It compares their output with the native bot's,
and the cells that they open with the committed signature of play; it then checks memory, start
time, a second build, and the answers of a bot that panics. It prints one line for each check.

Exit code: 0 success, 1 a check failed, 2 bad usage or a missing tool."
)]
struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Check the files after making them (needs g++)
    #[arg(long)]
    check: bool,
    /// Replace the files even if this command did not write them
    #[arg(long)]
    force: bool,
}

/// Both files begin with the name and the version.
const BUNDLE: Kind = Kind { name: "file of `cargo sapper bundle`", beginnings: &["// Sapper "] };

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            print_message(format_args!("bundle: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Makes the files and checks them on request. Returns false if a check failed.
fn run(arguments: &Arguments) -> Result<bool> {
    let root =
        &fixtures::enter_checkout().context("this folder is in no checkout of the project")?;
    let folder = root.join("target/bundle");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let [rust_file, cpp_file] = &["sapper.rs", "sapper.cpp"].map(|name| folder.join(name));
    let force = if arguments.force { Force::Given } else { Force::Absent };
    let rust_output = Output::new(rust_file, BUNDLE, [], force)?;
    let cpp_output = Output::new(cpp_file, BUNDLE, [], force)?;
    let stamp = Stamp::new(root)?;
    print_message("sapper.rs: joining the modules ...");
    let rust = source::make(root, &stamp)?;
    rust_output.write(rust.as_bytes())?;
    print_message("sapper.cpp: compiling the bot to assembly, about half a minute ...");
    let reduced = library::compile(root, Build::Bot)?;
    let cpp = upload::cpp_source(&reduced, &stamp, arguments.flags, &rust)?;
    cpp_output.write(cpp.as_bytes())?;
    for (path, text) in [(cpp_file, &cpp), (rust_file, &rust)] {
        print_line(format_args!("{}: {} characters", path.display(), text.chars().count()))?;
    }
    print_line(format_args!(
        "symbols of the C library in sapper.cpp: {} required, {} optional",
        reduced.undefined.len(),
        reduced.weak.len()
    ))?;
    let unverified = libc::unverified(&reduced);
    if !unverified.is_empty() {
        let names = unverified.join(", ");
        print_message(format_args!("bundle: warning: the platform may not define {names}"));
    }
    if !arguments.check {
        return Ok(true);
    }
    check::run(&check::Bundle {
        root,
        folder: &folder,
        stamp: &stamp,
        flags: arguments.flags,
        reduced: &reduced,
        rust: &rust,
        cpp: &cpp,
        cpp_file,
    })
}
