//! The bot as a static library with one C entry, compiled to assembly.
//!
//! What is compiled, for what and how is said here in full: neither the environment nor the
//! settings of cargo on this machine may change a byte of the file that comes of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, ensure};

use super::asm::{Assembly, Reduced};

/// What Botzone runs.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The C entry.
pub const ENTRY: &str = "sapper_main";

/// The crate that is built: nothing but the C entry. It is written here because the bot itself
/// forbids `unsafe`, of which an exported symbol is a form.
const WRAPPER: &str = r#"//! The C entry of the bot.
use std::io::Write;

/// Serves standard input. Bit 0: keep running; bit 1: debug. Returns the exit code.
#[unsafe(no_mangle)]
pub extern "C" fn sapper_main(flags: i32) -> i32 {
    let options =
        sapper::serve::Options { keep_running: flags & 1 != 0, debug: flags & 2 != 0 };
    match sapper::serve::serve(options) {
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
sapper = { path = "../../..", default-features = false }
"#;

/// The whole profile. Said on the command line, which alone overrides both the environment and the
/// settings of a user.
const PROFILE: [&str; 11] = [
    "opt-level=2",
    "package.'*'.opt-level=2",
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

/// Which library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// The bot.
    Bot,
    /// The bot once more, in another folder and under an environment that asks for another program.
    Again,
    /// A bot whose every search panics.
    Panic,
    /// A bot that panics after its answer.
    LatePanic,
}

impl Build {
    /// Its folder in `target/bundle`.
    fn folder(self) -> &'static str {
        match self {
            Build::Bot => "build",
            Build::Again => "again",
            Build::Panic => "panic",
            Build::LatePanic => "late-panic",
        }
    }

    /// The switch in the bot's source that breaks it.
    fn switch(self) -> Option<&'static str> {
        match self {
            Build::Bot | Build::Again => None,
            Build::Panic => Some("sapper_injected_panic"),
            Build::LatePanic => Some("sapper_injected_late_panic"),
        }
    }

    /// What another machine may have set.
    fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Build::Again => &[
                ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
                ("CARGO_PROFILE_RELEASE_DEBUG", "true"),
                ("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true"),
                ("CARGO_BUILD_TARGET", "wasm32-unknown-unknown"),
                ("CARGO_BUILD_TARGET_DIR", "elsewhere"),
                ("CARGO_INCREMENTAL", "1"),
                ("RUSTFLAGS", "-Ctarget-cpu=native"),
            ],
            _ => &[],
        }
    }
}

/// Builds the library in its folder of `target/bundle` and returns its assembly, reduced.
pub fn compile(root: &Path, build: Build) -> Result<Reduced> {
    ensure_target()?;
    let folder = root.join("target/bundle").join(build.folder());
    fs::create_dir_all(&folder)?;
    // Written anew each time, so that cargo compiles it again.
    fs::write(folder.join("lib.rs"), WRAPPER)?;
    fs::write(folder.join("Cargo.toml"), WRAPPER_MANIFEST)?;
    // The versions that the project locks; cargo drops from the copy what is not needed here.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let assembly = folder.join("sapper.s");
    if assembly.exists() {
        // Should cargo put the new one elsewhere, the old one must not be taken for it.
        fs::remove_file(&assembly)?;
    }
    let mut flags = vec!["-Crelocation-model=pie".to_owned()];
    // No path of this machine may reach the file, which must be the same wherever it is made.
    for (from, to) in [(Some(root.to_owned()), "sapper"), (cargo_home(), "cargo")] {
        flags.extend(from.map(|from| format!("--remap-path-prefix={}={to}", from.display())));
    }
    flags.extend(build.switch().map(|switch| format!("--cfg={switch}")));
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["rustc", "--release", "--quiet", "--lib", "--target", TARGET, "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder.join("target"));
    for setting in PROFILE {
        cargo.arg("--config").arg(format!("profile.release.{setting}"));
    }
    let status = cargo
        // Taken from the folder of the crate, where a path needs no quoting.
        .args(["--", "--emit=asm=sapper.s"])
        .envs(build.environment().iter().copied())
        .env("CARGO_INCREMENTAL", "0")
        // Before all other flags that an environment or a setting may hold.
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        // Some crates take features of the compiler that this unlocks.
        .env_remove("RUSTC_BOOTSTRAP")
        .status()
        .context("cannot run cargo; get Rust from https://rustup.rs")?;
    ensure!(status.success(), "the library did not compile");
    let text = fs::read_to_string(&assembly)
        .with_context(|| format!("rustc left no assembly at {}", assembly.display()))?;
    let mut assembly = Assembly::parse(&text);
    // std's printer of backtraces is half of the file, and nobody reads one there. Should a later
    // compiler rename it, the file is only larger.
    assembly.stub(|name| name.contains("BacktraceLock") && name.ends_with("7Display3fmt"));
    let reduced = assembly.reduce(ENTRY).map_err(|error| anyhow!(error))?;
    if let Some(switch) = build.switch() {
        // Without it the bot is whole, and would prove nothing.
        let mut lines = reduced.parts.iter().flat_map(|(_, lines)| lines);
        ensure!(
            lines.any(|line| line.contains("injected")),
            "no panic with the word `injected` stands under cfg({switch}) in the bot's source"
        );
    }
    Ok(reduced)
}

fn cargo_home() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home)
}

/// Fails where Rust has no standard library for the platform, as on a machine of another kind.
fn ensure_target() -> Result<()> {
    let output = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("cannot run rustc; get Rust from https://rustup.rs")?;
    let folder = String::from_utf8(output.stdout)?;
    ensure!(
        output.status.success() && Path::new(folder.trim()).is_dir(),
        "this Rust has no standard library for {TARGET}; get it with `rustup target add {TARGET}`"
    );
    Ok(())
}
