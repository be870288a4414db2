//! `sapper.cpp`: the whole bot as one C++ source, by way of the compiler's assembly.
//!
//! The bot becomes a static library with one C entry; rustc writes it, with std and all crates, as
//! assembly; [`crate::asm`] keeps what the entry needs; here that becomes a top-level `__asm__` of a C++
//! source whose `main` calls the entry. So the platform compiles a file that holds the machine code
//! of the native build, and the answers are the native bot's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::asm::{Assembly, Reduced};
use super::macros::Shortened;
use super::{Flags, Stamp};

/// What the web editor of the platform takes.
pub const MOST_CHARACTERS: usize = 1_000_000;

const ENTRY: &str = "sapper_main";

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
[profile.release]
lto = "fat"
codegen-units = 1
panic = "abort"
"#;

/// Builds the library in `target/bundle/build` and returns its assembly, reduced.
///
/// `injected_panic` builds a bot whose every search panics, to show that an answer goes out.
pub fn compile(root: &Path, injected_panic: bool) -> Result<Reduced> {
    let folder = root.join("target/bundle").join(if injected_panic { "panic" } else { "build" });
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("lib.rs"), WRAPPER)?;
    fs::write(folder.join("Cargo.toml"), WRAPPER_MANIFEST)?;
    // The versions that the project locks; cargo drops from the copy what is not needed here.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut flags = vec!["-Crelocation-model=pie".to_owned()];
    // No path of this machine may reach the file, which must be the same wherever it is made.
    for (from, to) in [(Some(root.to_owned()), "sapper"), (cargo_home(), "cargo")] {
        flags.extend(from.map(|from| format!("--remap-path-prefix={}={to}", from.display())));
    }
    if injected_panic {
        flags.push("--cfg=sapper_injected_panic".to_owned());
    }
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["rustc", "--release", "--quiet", "--lib", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder.join("target"))
        .args(["--", "--emit=asm"])
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .status()
        .context("cannot run cargo; get Rust from https://rustup.rs")?;
    ensure!(status.success(), "the library did not compile");
    let text = fs::read_to_string(newest_assembly(&folder.join("target/release/deps"))?)?;
    let mut assembly = Assembly::parse(&text);
    // std's printer of backtraces is half of the file, and nobody reads one there. Should a later
    // compiler rename it, the file is only larger.
    assembly.stub(|name| name.contains("BacktraceLock") && name.ends_with("7Display3fmt"));
    assembly.reduce(ENTRY).map_err(|error| anyhow!(error))
}

fn cargo_home() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home)
}

fn newest_assembly(folder: &Path) -> Result<PathBuf> {
    let mut newest = None;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        if name.starts_with("sapper_upload") && name.ends_with(".s") {
            let time = fs::metadata(&path)?.modified()?;
            newest = newest.max(Some((time, path)));
        }
    }
    newest.map(|(_, path)| path).context("rustc left no assembly")
}

/// The C++ source. `source` is put in as a comment where there is room.
pub fn source(reduced: &Reduced, stamp: &Stamp, flags: Flags, source: &str) -> Result<String> {
    let mut body = String::new();
    for name in &reduced.weak {
        piece(&mut body, &[format!(".weak {name}")]);
    }
    piece(&mut body, &[format!(".globl {ENTRY}"), format!(".type {ENTRY},@function")]);
    let statements = reduced.parts.iter().flat_map(|(_, lines)| lines);
    let macros = Shortened::new(statements.map(String::as_str));
    macros.definitions.iter().for_each(|definition| piece(&mut body, definition));
    for (kind, lines) in &reduced.parts {
        piece(&mut body, &[format!(".pushsection {}", kind.section())]);
        let lines: Vec<&str> = lines.iter().map(|line| macros.short(line)).collect();
        lines.chunks(40).for_each(|lines| piece(&mut body, lines));
        piece(&mut body, &[".popsection".to_owned()]);
    }
    // Nothing of this outlives the file's own assembly.
    macros.names.iter().for_each(|name| piece(&mut body, &[format!(".purgem {name}")]));
    let number = i32::from(flags.keep_running) + 2 * i32::from(flags.debug);
    let code = format!(
        "#if !defined(__x86_64__) || defined(__ILP32__) || !defined(__linux__)\n\
         #error \"This file holds machine code for 64-bit x86 Linux. Build Sapper from its source instead.\"\n\
         #endif\n\
         extern \"C\" int {ENTRY}(int flags);\n\
         int main() {{ return {ENTRY}({number}); }}\n\
         __asm__(\n{body});\n"
    );
    // The comment must not end early, and no line of it may go on by a backslash.
    let comment = source.replace("*/", "* /");
    let readable = format!("\n/* The source, readable:\n\n{comment}\n*/\n");
    let full = format!("{}{readable}{code}", head(stamp, flags, true));
    if full.chars().count() < MOST_CHARACTERS {
        return Ok(full);
    }
    let short = format!("{}{code}", head(stamp, flags, false));
    let size = short.chars().count();
    if size >= MOST_CHARACTERS {
        bail!("sapper.cpp has {size} characters; the platform takes fewer than {MOST_CHARACTERS}");
    }
    Ok(short)
}

fn head(stamp: &Stamp, flags: Flags, has_source: bool) -> String {
    let options = [(flags.keep_running, " --keep-running"), (flags.debug, " --debug")];
    let options: String =
        options.iter().filter(|(set, _)| *set).map(|(_, option)| *option).collect();
    let readable = if has_source {
        "The readable source follows as a comment."
    } else {
        "The readable source is sapper.rs, made beside this file."
    };
    format!(
        "// Sapper {}, a Minesweeper bot, commit {}, licence MIT OR Apache-2.0.\n\
         //\n\
         // The bot is written in Rust, which Botzone does not compile. This file is the output of the\n\
         // Rust compiler ({}), as assembly in a C++ source, for 64-bit x86 Linux:\n\
         // the same machine code as the native program. {readable}\n\
         // Made by `scripts/bundle{options}` in the project at that commit; the same command makes it\n\
         // again, byte for byte. Compile it as C++ (any standard), without options.\n",
        stamp.version,
        stamp.commit_or_none(),
        stamp.compiler
    )
}

/// Writes statements as one string literal, several a line.
fn piece(body: &mut String, lines: &[impl AsRef<str>]) {
    body.push('"');
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            body.push(';');
        }
        for character in line.as_ref().chars() {
            if matches!(character, '"' | '\\') {
                body.push('\\');
            }
            body.push(character);
        }
    }
    body.push_str("\\n\"\n");
}
