//! The checks of the files: comparison with the native bot and with the signature of play.
//!
//! The inputs are all samples, turns from the recorded games, and the whole games as the input of a
//! bot that keeps running. Output is compared while the clock stands still ([`answers`]), so that
//! it does not depend on what else the machine does. The checks, in order:
//!
//! 1. `sapper.cpp` leaves room below the limit of the platform's editor, and the guide states the
//!    sizes of both files.
//! 2. The C library of 2012 defines every symbol that `sapper.cpp` needs, and none of them is a
//!    floating-point function whose result may differ between machines.
//! 3. `sapper.cpp` compiles without warnings by every command with a g++ of each version, and its
//!    output is the native bot's. For a 32-bit machine, compilation fails with a reason.
//! 4. On the positions of the signature, `sapper.cpp` opens the cells that the committed hash
//!    states.
//! 5. `sapper.cpp` with every other combination of options gives the native bot's output. If
//!    standard output or standard error is closed, the exit status is the native bot's on the
//!    samples and on the whole games.
//! 6. Memory and start time are far below the platform's limits.
//! 7. The output of `sapper.rs` is the native bot's, and its hash is the committed one.
//! 8. A build in another folder and another environment gives the same file.
//! 9. A bot that panics in every search answers with a legal cell, and exits without the marker
//!    line, so that the platform starts it again. A bot that panics after an answer loses none.

mod answers;
mod cases;
mod compile;
mod measured;
mod signature;
mod size;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::asm::Reduced;
use super::library::{self, Build};
use super::{libc, upload};
use crate::flags::Flags;
use crate::output::{print_line, print_message};
use crate::stamp::Stamp;
use answers::{Native, Stream};
use cases::FEW;
use compile::{COMMANDS, Toolchain};
use signature::Signature;

/// The files to check, and what they were made from.
pub struct Bundle<'a> {
    pub root: &'a Path,
    pub folder: &'a Path,
    pub stamp: &'a Stamp,
    pub flags: Flags,
    pub reduced: &'a Reduced,
    /// The text of `sapper.rs`.
    pub rust: &'a str,
    /// The text of `sapper.cpp`.
    pub cpp: &'a str,
    pub cpp_file: &'a Path,
}

/// Compiles and compares everything. Returns false if a check failed.
pub fn run(bundle: &Bundle) -> Result<bool> {
    let folder = bundle.folder.join("check");
    fs::create_dir_all(&folder)?;
    let toolchain = Toolchain::new(bundle.root, &folder)?;
    print_message("building the native bot ...");
    let native = toolchain.native()?;
    let (turns, games) = (cases::single_turns(bundle.root)?, cases::whole_games(bundle.root)?);
    print_message(format_args!("{} inputs and {} whole games", turns.len(), games.len()));
    let bot_with = |flags: Flags| {
        let cases = if flags.keep_running { &games } else { &turns };
        Native::new(&native, flags, cases, &toolchain.stopped_clock)
    };
    let mut checker = Checker {
        bundle,
        toolchain: &toolchain,
        bots: Flags::ALL.into_iter().map(bot_with).collect::<Result<_>>()?,
        signature: Signature::new(bundle.root)?,
        passed: true,
    };
    // Most of a compilation is on one core; what needs no other program is checked beside it.
    print_message("building the bot in another folder, as one file, and one that panics ...");
    let (checked, programs) =
        rayon::join(|| checker.check_bundle(), || OtherPrograms::build(bundle, &toolchain));
    checked?;
    checker.check_others(&programs?)?;
    print_line(if checker.passed { "all checks passed" } else { "some checks FAILED" })?;
    Ok(checker.passed)
}

/// What is built only to be checked.
struct OtherPrograms {
    /// The program of `sapper.rs`.
    single_file: PathBuf,
    rebuild: Reduced,
    panics: Reduced,
}

impl OtherPrograms {
    fn build(bundle: &Bundle, toolchain: &Toolchain) -> Result<OtherPrograms> {
        let library = |build| library::compile(bundle.root, build);
        Ok(OtherPrograms {
            single_file: toolchain.single_file(bundle.rust)?,
            rebuild: library(Build::Rebuild)?,
            panics: library(Build::Panics)?,
        })
    }
}

struct Checker<'a> {
    bundle: &'a Bundle<'a>,
    toolchain: &'a Toolchain<'a>,
    /// The program that cargo builds, with each of [`Flags::ALL`].
    bots: Vec<Native<'a>>,
    signature: Signature,
    /// Whether no check has failed so far.
    passed: bool,
}

impl Checker<'_> {
    /// The checks that need `sapper.cpp` alone.
    fn check_bundle(&mut self) -> Result<()> {
        self.check_sizes()?;
        self.check_symbols()?;
        self.check_compilers()?;
        self.check_signature()?;
        self.check_options()?;
        self.check_resources()
    }

    fn check_others(&mut self, programs: &OtherPrograms) -> Result<()> {
        self.check_single_file(&programs.single_file)?;
        self.check_rebuild(&programs.rebuild)?;
        self.check_panics(&programs.panics)
    }

    /// Prints the result of the check `name`, which failed if there is a fault.
    fn report(&mut self, name: &str, fault: Option<String>) -> Result<()> {
        match fault {
            None => print_line(format_args!("passed  {name}"))?,
            Some(fault) => {
                print_line(format_args!("FAILED  {name}: {fault}"))?;
                self.passed = false;
            }
        }
        Ok(())
    }

    /// The native bot with these options.
    fn bot(&self, flags: Flags) -> &Native<'_> {
        let index = Flags::ALL.iter().position(|&other| other == flags);
        &self.bots[index.expect("all combinations of options are listed")]
    }

    /// The C++ source of this assembly.
    fn cpp_source(&self, reduced: &Reduced, flags: Flags) -> Result<String> {
        upload::cpp_source(reduced, self.bundle.stamp, flags, self.bundle.rust)
    }

    /// Compiles a C++ source by the platform's command.
    fn compile(&self, name: &str, cpp: &str) -> Result<PathBuf> {
        self.toolchain.compile_text(name, cpp)
    }

    fn check_sizes(&mut self) -> Result<()> {
        let (cpp, rust) = (self.bundle.cpp, self.bundle.rust);
        self.report("sapper.cpp leaves room below the editor's limit", size::room_fault(cpp))?;
        let guide = fs::read_to_string(self.bundle.root.join("crates/bundle/README.md"))?;
        let fault = size::guide_fault(&guide, "sapper.cpp", cpp)
            .or_else(|| size::guide_fault(&guide, "sapper.rs", rust));
        self.report("the guide states the sizes of the files", fault)
    }

    fn check_symbols(&mut self) -> Result<()> {
        let unverified = libc::unverified(self.bundle.reduced);
        let fault = (!unverified.is_empty())
            .then(|| format!("look up and add to libc.rs: {}", unverified.join(", ")));
        self.report("glibc 2.17 defines every symbol of the C library", fault)?;
        let inexact = libc::inexact(self.bundle.reduced);
        let fault = (!inexact.is_empty()).then(|| {
            format!(
                "the result of {} may differ between machines, and with it the bot's answer; \
                 src/kit/elementary.rs has functions that do not differ",
                inexact.join(", ")
            )
        });
        self.report(
            "the functions of libm that are used give the same result on every machine",
            fault,
        )
    }

    fn check_compilers(&mut self) -> Result<()> {
        let file = self.bundle.cpp_file;
        // The first command runs all inputs.
        let mut count = self.bot(self.bundle.flags).len();
        for compiler in self.toolchain.compilers.clone() {
            for command in COMMANDS {
                let program = self.toolchain.compile(&compiler, command, file, "program")?;
                let fault = self.bot(self.bundle.flags).output_fault(&program, count)?;
                self.report(&format!("{compiler} {command}: {count} inputs"), fault)?;
                count = count.min(FEW);
            }
            let fault = self.toolchain.fault_for_32_bits(&compiler, file)?;
            self.report(&format!("{compiler} -m32 is refused with a reason"), fault)?;
        }
        Ok(())
    }

    fn check_signature(&mut self) -> Result<()> {
        let program = self.compile("program", self.bundle.cpp)?;
        self.report_signature("sapper.cpp", &program)
    }

    /// Compares the cells that a program opens with the signature.
    fn report_signature(&mut self, name: &str, program: &Path) -> Result<()> {
        let fault = self.signature.program_fault(program, &self.toolchain.stopped_clock)?;
        let count = self.signature.len();
        self.report(&format!("{name}: signature of play, {count} positions"), fault)
    }

    fn check_options(&mut self) -> Result<()> {
        for flags in Flags::ALL {
            let cpp = self.cpp_source(self.bundle.reduced, flags)?;
            let program = self.compile("options", &cpp)?;
            let name = format!("`{}`", flags.command());
            // The file with its own options was compared by the platform's command.
            if flags != self.bundle.flags {
                let count = self.bot(flags).len();
                let fault = self.bot(flags).output_fault(&program, count)?;
                self.report(&format!("{name}: {count} inputs"), fault)?;
            }
            // The samples have every kind of input and of end.
            let count = self.bot(flags).len().min(FEW);
            for stream in [Stream::Output, Stream::Error] {
                let fault = self.bot(flags).closed_stream_fault(&program, stream, count)?;
                self.report(&format!("{name}, {stream} closed: {count} inputs"), fault)?;
            }
        }
        Ok(())
    }

    fn check_resources(&mut self) -> Result<()> {
        let program = self.compile("program", self.bundle.cpp)?;
        let bot = self.bot(self.bundle.flags);
        let (memory, start) = (bot.memory_fault(&program)?, bot.start_time_fault(&program)?);
        self.report("memory, in less address space than the platform allows", memory)?;
        self.report("start time, a small part of a turn's second", start)
    }

    fn check_single_file(&mut self, program: &Path) -> Result<()> {
        let bot = self.bot(Flags::NONE);
        let (count, fault) = (bot.len(), bot.output_fault(program, bot.len())?);
        self.report(&format!("sapper.rs: {count} inputs"), fault)?;
        self.report_signature("sapper.rs", program)
    }

    fn check_rebuild(&mut self, reduced: &Reduced) -> Result<()> {
        let cpp = self.cpp_source(reduced, self.bundle.flags)?;
        let fault = answers::text_fault(self.bundle.cpp, &cpp);
        self.report("another build gives the same file", fault)
    }

    fn check_panics(&mut self, reduced: &Reduced) -> Result<()> {
        for flags in [Flags::NONE, Flags::KEEP_RUNNING] {
            let program = self.compile("panics", &self.cpp_source(reduced, flags)?)?;
            let (count, command) = (self.bot(flags).len(), flags.command());
            let fault = self.bot(flags).search_panic_fault(&program)?;
            self.report(&format!("panic in the search, `{command}`: {count} inputs"), fault)?;
            let fault = self.bot(flags).late_panic_fault(&program)?;
            self.report(&format!("panic after the answer, `{command}`: {count} inputs"), fault)?;
        }
        Ok(())
    }
}
