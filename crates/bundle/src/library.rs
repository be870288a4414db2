//! Compiles the bot to assembly, as a static library with one C entry point.
//!
//! Invariant: the output depends on the project, its locked crates and the compiler alone. Target,
//! profile and flags are therefore all set here, where they take precedence over the environment
//! and over cargo's configuration, and paths of the build machine are replaced.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Error, Result, anyhow, ensure};
use fixtures::toolchain::install_target;

use super::asm::{Assembly, Reduced};

/// The platform of Botzone.
pub const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The name of the C entry point.
pub const ENTRY: &str = "sapper_main";

/// The message of the panic that is injected after an answer.
pub const LATE_PANIC: &str = "injected after the answer";

/// The source of the crate that is built: the C entry point alone. It is not in the library, which
/// forbids `unsafe`, because an exported symbol needs an unsafe attribute.
const WRAPPER: &str = r#"//! The C entry of the bot.
use std::io::Write;

/// Serves standard input. Bit 0: keep running; bit 1: debug. Returns the exit code.
#[unsafe(no_mangle)]
pub extern "C" fn sapper_main(flags: i32) -> i32 {
    let options =
        sapper::bot::serve::Options { keep_running: flags & 1 != 0, debug: flags & 2 != 0 };
    match sapper::bot::serve::serve(options, sapper::bot::engine::Engine::default()) {
        Ok(()) => 0,
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "sapper: {failure}");
            failure.exit_code().into()
        }
    }
}
"#;

const WRAPPER_MANIFEST: &str = r#"[package]
name = "sapper-upload"
version = "0.0.0"
edition = "2024"
[workspace]
[lib]
crate-type = ["staticlib"]
path = "lib.rs"
[dependencies]
sapper = { path = "../../.." }
"#;

/// The complete profile, for `--config` options, which override both the environment and the
/// configuration files.
const PROFILE: [&str; 14] = [
    "opt-level=2",
    "package.'*'.opt-level=2",
    // These run while the bot compiles, which takes half as long again if they are optimised.
    "package.proc-macro2.opt-level=0",
    "package.serde_derive.opt-level=0",
    "package.syn.opt-level=0",
    "lto='fat'",
    "codegen-units=1",
    "panic='abort'",
    "debug=false",
    "debug-assertions=false",
    "overflow-checks=false",
    "incremental=false",
    "rpath=false",
    "strip='none'",
];

/// A variant of the library; [`crate::check`] needs all but the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// The bot.
    Bot,
    /// The bot, built in another folder with environment variables that ask for another program.
    Rebuild,
    /// A bot that panics where the environment variable `PANIC` says: in every `search`, or `late`,
    /// after every answer.
    Panics,
}

impl Build {
    /// The subfolder of `target/bundle`.
    fn folder(self) -> &'static str {
        match self {
            Build::Bot => "build",
            Build::Rebuild => "rebuild",
            Build::Panics => "panics",
        }
    }

    /// The `cfg` option that enables injected panics in the bot's source.
    fn injected_panics(self) -> Option<&'static str> {
        (self == Build::Panics).then_some("sapper_injected_panics")
    }

    /// Where cargo puts what it compiles. Builds in one folder share what runs on this machine
    /// while they compile.
    fn target_folder(self, root: &Path) -> PathBuf {
        match self {
            Build::Bot | Build::Panics => shared_target_folder(root),
            Build::Rebuild => root.join("target/bundle/rebuild/target"),
        }
    }

    /// Settings of the profile that replace those of [`PROFILE`].
    fn settings(self) -> &'static [&'static str] {
        match self {
            Build::Bot | Build::Rebuild => &[],
            // What it shows is the same at every level, and this one compiles in half the time.
            Build::Panics => &["opt-level=1"],
        }
    }

    /// Environment variables for cargo, as another machine may have them.
    fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Build::Rebuild => &[
                ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
                ("CARGO_PROFILE_RELEASE_DEBUG", "true"),
                ("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true"),
                ("CARGO_BUILD_TARGET", "wasm32-unknown-unknown"),
                ("CARGO_BUILD_TARGET_DIR", "elsewhere"),
                ("CARGO_INCREMENTAL", "1"),
                ("RUSTFLAGS", "-Ctarget-cpu=native"),
            ],
            Build::Bot | Build::Panics => &[],
        }
    }
}

/// The folder in which the files to upload, and the programs to check, are compiled.
pub fn shared_target_folder(root: &Path) -> PathBuf {
    root.join("target/bundle/build/target")
}

/// Builds the library and returns the assembly that its entry point reaches, in about half a
/// minute.
///
/// # Errors
/// Fails if the standard library for the target is not installed or the library does not compile.
pub fn compile(root: &Path, build: Build) -> Result<Reduced> {
    install_target(TARGET).map_err(Error::msg)?;
    let folder = root.join("target/bundle").join(build.folder());
    fs::create_dir_all(&folder)?;
    // The new modification time makes cargo compile the crate, and write the assembly, again.
    fs::write(folder.join("lib.rs"), WRAPPER)?;
    fs::write(folder.join("Cargo.toml"), WRAPPER_MANIFEST)?;
    // Cargo removes from the copy the crates that are not needed here.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let assembly = folder.join("sapper.s");
    if assembly.exists() {
        // An old file must not be read if cargo writes the new one elsewhere.
        fs::remove_file(&assembly)?;
    }
    let mut flags = vec!["-Crelocation-model=pie".to_owned()];
    // Panic messages contain paths of source files.
    for (from, to) in [(Some(root.to_owned()), "sapper"), (cargo_home(), "cargo")] {
        flags.extend(from.map(|from| format!("--remap-path-prefix={}={to}", from.display())));
    }
    flags.extend(build.injected_panics().map(|option| format!("--cfg={option}")));
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["rustc", "--release", "--quiet", "--lib", "--target", TARGET, "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(build.target_folder(root));
    for setting in PROFILE.iter().chain(build.settings()) {
        cargo.arg("--config").arg(format!("profile.release.{setting}"));
    }
    let status = cargo
        // The path is relative to the crate's folder, as rustc splits the operand at commas.
        .args(["--", "--emit=asm=sapper.s"])
        .envs(build.environment().iter().copied())
        .env("CARGO_INCREMENTAL", "0")
        // This variable takes precedence over all other sources of flags.
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        // Some crates use unstable features of the compiler if this is set.
        .env_remove("RUSTC_BOOTSTRAP")
        .status()
        .context("cannot run cargo; get Rust from https://rustup.rs")?;
    ensure!(status.success(), "cannot compile the bot's library");
    let text = fs::read_to_string(&assembly)
        .with_context(|| format!("rustc wrote no assembly to {}", assembly.display()))?;
    let mut assembly = Assembly::parse(&text);
    // std's printer of backtraces, with the DWARF reader that it needs, would be half of the file.
    // If a later compiler names it otherwise, the file is larger and still correct.
    assembly.stub(|name| name.contains("BacktraceLock") && name.ends_with("7Display3fmt"));
    // The value in an error of serde_json, which the bot does not print, with the tables of powers
    // of ten for a float.
    assembly.stub(|name| name.contains("JsonUnexpected"));
    let reduced = assembly.reduce(ENTRY).map_err(|error| anyhow!(error))?;
    if let Some(option) = build.injected_panics() {
        // A build without its panics would pass every check.
        for message in ["injected into the search", LATE_PANIC] {
            let mut lines = reduced.parts.iter().flat_map(|(_, lines)| lines);
            ensure!(
                lines.any(|line| line.contains(message)),
                "the bot's source has no panic `{message}` under cfg({option})"
            );
        }
    }
    Ok(reduced)
}

fn cargo_home() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home)
}
