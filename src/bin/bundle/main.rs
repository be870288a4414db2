//! Makes the files to upload: `sapper.cpp` for Botzone and `sapper.rs` to read.
//!
//! Run it by `scripts/bundle`. Exit code 0: made (and proven, with `--check`). 1: a check failed. 2:
//! bad usage, or something is missing.

mod asm;
mod check;
mod macros;
#[path = "../judge/output.rs"]
mod output;
mod source;
mod statement;
mod upload;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Parser;
use output::say;

/// Makes target/bundle/sapper.cpp, the whole bot as one C++ file for Botzone, and
/// target/bundle/sapper.rs, the whole bot as one Rust file to read.
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
        let changes = Command::new("git")
            .args(["status", "--porcelain"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output();
        if changes.is_ok_and(|changes| changes.status.success() && !changes.stdout.is_empty()) {
            commit.push_str(" with changes that are not committed");
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
            eprintln!("bundle: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("target/bundle");
    fs::create_dir_all(&folder)?;
    let stamp = Stamp::new()?;
    eprintln!("sapper.rs: joining the modules ...");
    let rust = source::make(root, &stamp)?;
    let rust_file = write(&folder.join("sapper.rs"), &rust)?;
    eprintln!("sapper.cpp: compiling the bot to assembly, about half a minute ...");
    let reduced = upload::compile(root, false)?;
    let cpp = upload::source(&reduced, &stamp, arguments.flags, &rust)?;
    let cpp_file = write(&folder.join("sapper.cpp"), &cpp)?;
    for (path, text) in [(&cpp_file, &cpp), (&rust_file, &rust)] {
        say!("{}: {} characters", path.display(), text.chars().count());
    }
    say!(
        "it needs {} names of the C library, and uses {} more where there are such",
        reduced.undefined.len(),
        reduced.weak.len()
    );
    if !arguments.check {
        return Ok(true);
    }
    check::run(root, &folder, &stamp, &rust, &reduced)
}

fn write(path: &Path, text: &str) -> Result<PathBuf> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path.to_owned())
}
