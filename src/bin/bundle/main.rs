//! Makes the files to upload: `sapper.cpp` for Botzone and `sapper.rs` to read.
//!
//! Run it by `scripts/bundle`. Exit code 0: made (and proven, with `--check`). 1: a check failed.
//! 2: bad usage, or something is missing.

mod asm;
mod check;
// Some of these functions are for the judge alone.
#[allow(dead_code)]
mod cli;
mod libc;
mod library;
mod macros;
mod source;
mod statement;
mod upload;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Parser;

use cli::output::{errln, outln, write_stderr};
use library::Build;

/// Make target/bundle/sapper.cpp, the whole bot as one C++ file for Botzone, and
/// target/bundle/sapper.rs, the whole bot as one Rust file to read.
///
/// --keep-running and --debug are built into sapper.cpp, which is started without arguments;
/// sapper.rs is the same with and without them, because its program takes them as arguments.
#[derive(Parser)]
#[command(
    name = "bundle",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  scripts/bundle                   both files, for a bot that is started for every turn
  scripts/bundle --keep-running    a bot that stays alive between turns
  scripts/bundle --debug           a bot that explains every answer in the match's log
  scripts/bundle --check           both files, then proof that they answer as the native bot

Exit code: 0 made, 1 a check failed, 2 bad usage or something is missing."
)]
struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Compile the files as the platform would and hold their answers against the native bot's
    #[arg(long)]
    check: bool,
}

/// What the uploaded bot does.
#[derive(Clone, Copy, clap::Args)]
struct Flags {
    /// Stay alive between turns, with Botzone's marker line
    #[arg(long)]
    keep_running: bool,
    /// Tell in every answer's `debug` how it came about
    #[arg(long)]
    debug: bool,
}

impl Flags {
    const NONE: Flags = Flags { keep_running: false, debug: false };
    const KEEP_RUNNING: Flags = Flags { keep_running: true, debug: false };
    const ALL: [Flags; 4] = [
        Flags::NONE,
        Flags::KEEP_RUNNING,
        Flags { keep_running: false, debug: true },
        Flags { keep_running: true, debug: true },
    ];

    /// As they are given to the bot, and to `scripts/bundle`.
    fn arguments(&self) -> impl Iterator<Item = &'static str> + use<> {
        let options = [(self.keep_running, "--keep-running"), (self.debug, "--debug")];
        options.into_iter().filter(|(set, _)| *set).map(|(_, option)| option)
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("scripts/bundle")?;
        self.arguments().try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// Which version the files are of.
struct Stamp {
    version: String,
    commit: String,
    compiler: String,
}

impl Stamp {
    fn new() -> Result<Stamp> {
        let output = Command::new("rustc")
            .arg("--version")
            .output()
            .context("cannot run rustc; get Rust from https://rustup.rs")?;
        let mut commit = env!("SAPPER_COMMIT").to_owned();
        // Without a commit there is no repository that is the project's own.
        if !commit.is_empty() {
            let changes = Command::new("git")
                .args(["status", "--porcelain"])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .output();
            if changes.is_ok_and(|changes| changes.status.success() && !changes.stdout.is_empty()) {
                commit.push_str(" with changes that are not committed");
            }
        }
        Ok(Stamp {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit,
            compiler: String::from_utf8(output.stdout)?.trim().to_owned(),
        })
    }

    fn commit_or_none(&self) -> &str {
        if self.commit.is_empty() { "unknown" } else { &self.commit }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            errln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("target/bundle");
    fs::create_dir_all(&folder)?;
    let stamp = Stamp::new()?;
    write_stderr(format_args!("sapper.rs: joining the modules ..."));
    let rust = source::make(root, &stamp)?;
    let rust_file = write(&folder.join("sapper.rs"), &rust)?;
    write_stderr(format_args!(
        "sapper.cpp: compiling the bot to assembly, about half a minute ..."
    ));
    let reduced = library::compile(root, Build::Bot)?;
    let cpp = upload::source(&reduced, &stamp, arguments.flags, &rust)?;
    let cpp_file = write(&folder.join("sapper.cpp"), &cpp)?;
    for (path, text) in [(&cpp_file, &cpp), (&rust_file, &rust)] {
        outln!("{}: {} characters", path.display(), text.chars().count());
    }
    outln!(
        "it needs {} names of the C library, and uses {} more where there are such",
        reduced.undefined.len(),
        reduced.weak.len()
    );
    let unknown = libc::unknown(&reduced);
    if !unknown.is_empty() {
        errln!("warning: the platform may not have {}", unknown.join(", "));
    }
    if !arguments.check {
        return Ok(true);
    }
    check::run(&check::Made {
        root,
        folder: &folder,
        stamp: &stamp,
        flags: arguments.flags,
        reduced: &reduced,
        rust: &rust,
        cpp: &cpp,
        cpp_file: &cpp_file,
    })
}

fn write(path: &Path, text: &str) -> Result<PathBuf> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path.to_owned())
}
