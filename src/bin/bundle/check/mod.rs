//! Proof that the files are the bot: compiled as the platform would, and held against the native
//! program, byte for byte.
//!
//! Inputs are all samples (good and bad), turns spread over the recorded games, and the same games
//! kept running. In order:
//!
//! 1. The names that the upload takes from the C library were there in 2012.
//! 2. `sapper.cpp` compiles without a warning by every command and g++, and answers as the native
//!    bot; for another machine it does not compile, and says why.
//! 3. So do the files for all other options.
//! 4. Where nobody reads its output or its messages, it ends as the native bot.
//! 5. It starts at once and stays far below the platform's memory.
//! 6. `sapper.rs` answers as the native bot.
//! 7. Made again elsewhere, under settings that ask for another program, it is the same file.
//! 8. A bot whose every search panics answers legally and ends well, unmarked, so that the platform
//!    starts it afresh; one that panics after its answers loses none of them and ends well too.

mod answers;
mod cases;
mod compile;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::asm::Reduced;
use super::library::{self, Build};
use super::{Flags, Stamp, libc, upload};
use crate::cli::output::{outln, write_stderr};
use answers::Reader;
use cases::Case;
use compile::{COMMANDS, Workshop};

/// What is to be proven.
pub struct Made<'a> {
    pub root: &'a Path,
    pub folder: &'a Path,
    pub stamp: &'a Stamp,
    pub flags: Flags,
    pub reduced: &'a Reduced,
    /// `sapper.rs`.
    pub rust: &'a str,
    /// `sapper.cpp`, and where it lies.
    pub cpp: &'a str,
    pub cpp_file: &'a Path,
}

/// Tells of every check, and whether all were good.
struct Report {
    good: bool,
}

impl Report {
    fn record(&mut self, what: &str, fault: Option<String>) {
        match fault {
            None => outln!("good    {what}"),
            Some(fault) => {
                outln!("FAILED  {what}: {fault}");
                self.good = false;
            }
        }
    }
}

/// Compiles everything and compares. False where a check failed.
pub fn run(made: &Made) -> Result<bool> {
    let work = made.folder.join("check");
    fs::create_dir_all(&work)?;
    let mut report = Report { good: true };
    let unknown = libc::unknown(made.reduced);
    report.record(
        "every name of the C library is in glibc 2.17",
        (!unknown.is_empty()).then(|| format!("look up and add to libc.rs {}", unknown.join(", "))),
    );
    let workshop = Workshop::new(made.root, &work)?;
    let native = workshop.native()?;
    let cases = cases::cases(made.root)?;
    let games = cases::games(made.root)?;
    write_stderr(format_args!("{} inputs and {} whole games", cases.len(), games.len()));

    let mut few = cases.len();
    for compiler in &workshop.compilers {
        for command in COMMANDS {
            let program = workshop.compile(compiler, command, made.cpp_file, "program")?;
            let fault = answers::first_difference(&native, made.flags, &program, &cases[..few])?;
            report.record(&format!("{compiler} {command}: {few} inputs"), fault);
            few = few.min(25);
        }
        report.record(
            &format!("{compiler} -m32 is refused with a reason"),
            workshop.accepted_for_32_bits(compiler, made.cpp_file)?,
        );
    }
    let build = |name: &str, text: &str| -> Result<PathBuf> {
        let file = work.join(format!("{name}.cpp"));
        fs::write(&file, text)?;
        workshop.compile(&workshop.compilers[0], COMMANDS[0], &file, name)
    };
    let file =
        |reduced: &Reduced, flags: Flags| upload::source(reduced, made.stamp, flags, made.rust);
    for flags in Flags::ALL {
        let program = build("options", &file(made.reduced, flags)?)?;
        let inputs = if flags.keep_running { &games } else { &cases };
        let fault = answers::first_difference(&native, flags, &program, inputs)?;
        report.record(&format!("with `{flags}`: {} inputs", inputs.len()), fault);
        for gone in [Reader::OfAnswers, Reader::OfMessages] {
            let fault = answers::first_other_end(&native, flags, &program, inputs, gone)?;
            report.record(
                &format!("with `{flags}`, no reader of {gone}: {} inputs", inputs.len()),
                fault,
            );
        }
    }

    let program = build("program", made.cpp)?;
    let largest = cases.iter().max_by_key(|case| case.input.len()).context("no inputs")?;
    report.record("memory", answers::too_large(&native, made.flags, &program, largest)?);
    report.record("start", answers::too_slow(&program, &cases[0])?);

    let fault =
        answers::first_difference(&native, Flags::NONE, &workshop.one_file(made.rust)?, &cases)?;
    report.record(&format!("sapper.rs: {} inputs", cases.len()), fault);

    write_stderr(format_args!("making the file again ..."));
    let again = file(&library::compile(made.root, Build::Again)?, made.flags)?;
    report.record("made again, the same file", answers::text_difference(made.cpp, &again));

    write_stderr(format_args!("compiling a bot whose every search panics ..."));
    let broken = library::compile(made.root, Build::Panic)?;
    panics(&mut report, "a panic in the search", [&cases, &games], |flags, inputs| {
        let program = build("panic", &file(&broken, flags)?)?;
        Ok(inputs.iter().find_map(|case| answers::illegal(&program, case)))
    })?;
    write_stderr(format_args!("compiling a bot that panics after its answers ..."));
    let broken = library::compile(made.root, Build::LatePanic)?;
    panics(&mut report, "a panic after the answer", [&cases, &games], |flags, inputs| {
        let program = build("late-panic", &file(&broken, flags)?)?;
        answers::first_loss(&native, flags, &program, inputs)
    })?;
    outln!("{}", if report.good { "the files are the bot" } else { "the files are NOT the bot" });
    Ok(report.good)
}

/// Tries a broken bot on single turns, and kept running on whole games.
fn panics(
    report: &mut Report,
    what: &str,
    [cases, games]: [&Vec<Case>; 2],
    fault: impl Fn(Flags, &[Case]) -> Result<Option<String>>,
) -> Result<()> {
    for (flags, inputs) in [(Flags::NONE, cases), (Flags::KEEP_RUNNING, games)] {
        let fault = fault(flags, inputs)?;
        report.record(&format!("{what}, with `{flags}`: {} inputs", inputs.len()), fault);
    }
    Ok(())
}
