//! Proof that the files are the bot: compiled as the platform would, and held against the native
//! program, byte for byte.
//!
//! Inputs are all samples (good and bad), turns spread over the recorded games, and the same games kept
//! running. The first difference ends the check. A build of the upload whose every search panics must still
//! answer each of them legally.

use crate::output::say;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use sapper::game::log::Record;
use sapper::protocol::{KEEP_RUNNING_MARKER, inputs};
use sapper::session::Session;
use serde_json::Value;

use super::asm::Reduced;
use super::{Flags, Stamp, source, upload};

/// Turns of recorded games that are replayed.
const TURNS: usize = 300;

/// What the platform allows its compiler, by a wide margin.
const COMPILE_TIME: Duration = Duration::from_secs(5);

/// The platform's compile commands, and others that a change of the platform may bring. `JSON` stands for its
/// JSON library, of which the file needs nothing.
const COMMANDS: [&str; 7] = [
    "-D_BOTZONE_ONLINE -O2 -D_GLIBCXX_USE_CXX11_ABI=0 -Wall -mavx FILE JSON -lpthread",
    "-D_BOTZONE_ONLINE -O2 -D_GLIBCXX_USE_CXX11_ABI=0 -Wall -mavx -std=c++11 -x c++ FILE JSON -lpthread",
    "-D_BOTZONE_ONLINE -O2 -Wall -mavx -std=c++1z -x c++ FILE JSON -lpthread",
    "-std=gnu++98 FILE",
    "-std=gnu++20 -O3 -flto FILE",
    "-O0 -g -no-pie FILE",
    "-O2 -static FILE",
];

/// One thing to feed to a bot.
struct Case {
    name: String,
    input: Vec<u8>,
}

/// Compiles everything and compares. False where something differs or is too slow.
pub fn run(
    root: &Path,
    folder: &Path,
    stamp: &Stamp,
    rust: &str,
    reduced: &Reduced,
) -> Result<bool> {
    let work = folder.join("check");
    fs::create_dir_all(&work)?;
    let make = |name: &str, reduced: &Reduced, flags: Flags| -> Result<PathBuf> {
        let path = work.join(format!("{name}.cpp"));
        fs::write(&path, upload::source(reduced, stamp, flags, rust)?)?;
        Ok(path)
    };
    let plain = Flags { keep_running: false, debug: false };
    let keep = Flags { keep_running: true, ..plain };
    let debug = Flags { debug: true, ..plain };
    let native = native(root)?;
    let cases = cases(root)?;
    let games = games(root)?;
    eprintln!("{} inputs and {} whole games", cases.len(), games.len());

    let mut good = true;
    let mut compare = |what: &str, a: &[&str], program: &Path, cases: &[Case]| -> Result<()> {
        match first_difference(&native, a, program, cases)? {
            None => say!("same     {what}: {} inputs", cases.len()),
            Some(name) => {
                say!("DIFFERS  {what}: on {name}");
                good = false;
            }
        }
        Ok(())
    };
    let json = empty_library(&work)?;
    let file = make("plain", reduced, plain)?;
    let mut first = None;
    for compiler in compilers()? {
        for command in COMMANDS {
            let program = work.join("program");
            let took = compile(&compiler, command, &file, &json, &program)?;
            let what = format!("{compiler} {command} ({:.2} s)", took.as_secs_f64());
            ensure!(took <= COMPILE_TIME, "{what}: compiling took too long");
            let few = if first.is_none() { cases.len() } else { 25.min(cases.len()) };
            compare(&what, &[], &program, &cases[..few])?;
            first.get_or_insert(compiler.clone());
        }
    }
    let compiler =
        first.context("no g++ was found; get one, for example with `apt install g++`")?;
    let build = |name: &str, file: &Path| -> Result<PathBuf> {
        let program = work.join(name);
        compile(&compiler, COMMANDS[0], file, &json, &program)?;
        Ok(program)
    };
    let kept = build("keep", &make("keep", reduced, keep)?)?;
    compare("kept running", &["--keep-running"], &kept, &games)?;
    let explained = build("debug", &make("debug", reduced, debug)?)?;
    compare("with debug", &["--debug"], &explained, &cases)?;
    compare("sapper.rs", &[], &one_file(root, &work, rust)?, &cases)?;

    eprintln!("compiling a bot whose every search panics ...");
    let broken = upload::compile(root, true)?;
    let panics = build("panic", &make("panic", &broken, plain)?)?;
    let illegal = cases.iter().find(|case| !answers_legally(&panics, case));
    match illegal {
        None => say!("legal    a panic in the search: {} inputs", cases.len()),
        Some(case) => {
            say!("ILLEGAL  a panic in the search: on {}", case.name);
            good = false;
        }
    }
    say!("{}", if good { "the files are the bot" } else { "the files are NOT the bot" });
    Ok(good)
}

/// The samples and turns of the recorded games, as one-shot inputs.
fn cases(root: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (folder, ending) in [("requests", ".json"), ("bad", ".txt")] {
        for path in files(&root.join("samples").join(folder), ending)? {
            let name = path.display().to_string();
            if !name.ends_with(".expected.json") {
                cases.push(Case { input: fs::read(&path)?, name });
            }
        }
    }
    ensure!(!cases.is_empty(), "there are no samples in {}", root.display());
    let mut turns = Vec::new();
    for (path, record) in records(root)? {
        for turn in 0..record.answers() {
            let input = record.input(turn).context("a turn without a request")?;
            turns.push((format!("{} turn {turn}", path.display()), input));
        }
    }
    let step = turns.len() as f64 / TURNS.min(turns.len()).max(1) as f64;
    for number in 0..TURNS.min(turns.len()) {
        let (name, input) = &turns[(number as f64 * step) as usize];
        cases.push(Case { name: name.clone(), input: serde_json::to_vec(input)? });
    }
    Ok(cases)
}

/// The recorded games as a kept bot reads them: a whole history, then a bare request a line.
fn games(root: &Path) -> Result<Vec<Case>> {
    let mut games = Vec::new();
    for (path, record) in records(root)? {
        let mut lines = Vec::new();
        for turn in 0..record.answers() {
            let input = record.input(turn).context("a turn without a request")?;
            let bare = input["requests"].as_array().and_then(|requests| requests.last().cloned());
            lines.push(if turn == 0 { input } else { bare.context("an input without requests")? });
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        games.push(Case { name: path.display().to_string(), input: text.into_bytes() });
    }
    Ok(games)
}

fn records(root: &Path) -> Result<Vec<(PathBuf, Record)>> {
    let paths = files(&root.join("samples/games"), ".json")?;
    let read = |path: PathBuf| {
        let record = Record::read(&fs::read_to_string(&path)?)?;
        Ok((path, record))
    };
    paths.into_iter().map(read).collect()
}

fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.to_str().is_some_and(|name| name.ends_with(ending)));
    paths.sort();
    Ok(paths)
}

fn native(root: &Path) -> Result<PathBuf> {
    let status = cargo()
        .args(["build", "--release", "--locked", "--quiet", "--bin", "sapper", "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(root.join("target"))
        .status()?;
    ensure!(status.success(), "the native bot did not compile");
    Ok(root.join("target/release/sapper"))
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// `sapper.rs` as somebody would build it who has nothing else: a package of one file.
fn one_file(root: &Path, work: &Path, rust: &str) -> Result<PathBuf> {
    let folder = work.join("one-file");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/main.rs"), rust)?;
    let manifest = format!(
        "[package]\nname = \"sapper\"\nversion = \"{}\"\nedition = \"{}\"\n[workspace]\n\
         [dependencies]\narrayvec = \"0.7\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = \"1\"\nsmallvec = \"1\"\n",
        env!("CARGO_PKG_VERSION"),
        source::EDITION
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let status = cargo()
        .args(["build", "--release", "--quiet", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder.join("target"))
        .env("RUSTFLAGS", "-Dwarnings")
        .status()?;
    ensure!(status.success(), "sapper.rs did not compile, or not without warnings");
    Ok(folder.join("target/release/sapper"))
}

/// Every g++ on the path, by name.
fn compilers() -> Result<Vec<String>> {
    let names = std::iter::once("g++".to_owned()).chain((5..=15).map(|n| format!("g++-{n}")));
    let works = |name: &String| {
        let version = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    let found: Vec<String> = names.filter(works).collect();
    ensure!(!found.is_empty(), "no g++ was found; get one, for example with `apt install g++`");
    Ok(found)
}

/// A JSON library that holds nothing, for the platform's `-ljson`.
fn empty_library(work: &Path) -> Result<String> {
    // An archive without members is its eight first bytes.
    fs::write(work.join("libjson.a"), "!<arch>\n")?;
    Ok(format!("-L{} -ljson", work.display()))
}

fn compile(
    compiler: &str,
    command: &str,
    file: &Path,
    json: &str,
    program: &Path,
) -> Result<Duration> {
    let mut arguments: Vec<String> = Vec::new();
    for word in command.split_whitespace() {
        match word {
            "FILE" => arguments.push(file.display().to_string()),
            "JSON" => arguments.extend(json.split_whitespace().map(str::to_owned)),
            word => arguments.push(word.to_owned()),
        }
    }
    // `-x c++` would read a library as source; the platform links its own by a later `-x none`.
    if let Some(place) = arguments.iter().position(|word| word.starts_with("-L")) {
        arguments.splice(place..place, ["-x".to_owned(), "none".to_owned()]);
    }
    let started = Instant::now();
    let output = Command::new(compiler).args(&arguments).arg("-o").arg(program).output()?;
    let took = started.elapsed();
    let words = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || !words.is_empty() {
        let shown: String = words.chars().take(2000).collect();
        bail!("{compiler} {}: {}\n{shown}", arguments.join(" "), output.status);
    }
    Ok(took)
}

fn feed(program: &Path, arguments: &[&str], case: &Case) -> Result<Output> {
    // From a file: a bot may answer without reading all, and then a pipe would break.
    let path = program.with_extension("input");
    fs::write(&path, &case.input)?;
    let output = Command::new(program).args(arguments).stdin(fs::File::open(&path)?).output();
    output.with_context(|| format!("cannot run {}", program.display()))
}

/// The name of the first case on which the two differ in output, exit code or messages.
fn first_difference(
    native: &Path,
    arguments: &[&str],
    program: &Path,
    cases: &[Case],
) -> Result<Option<String>> {
    for case in cases {
        if feed(native, arguments, case)? != feed(program, &[], case)? {
            return Ok(Some(case.name.clone()));
        }
    }
    Ok(None)
}

/// Whether the program answers a readable input with a hidden cell, and refuses any other.
fn answers_legally(program: &Path, case: &Case) -> bool {
    let Ok(output) = feed(program, &[], case) else { return false };
    let mut session = Session::default();
    let input = inputs(&case.input[..]).next();
    let board = match input {
        Some(Ok(input)) => session.take(input).and_then(|()| session.board()).ok(),
        _ => None,
    };
    let Some((board, _)) = board.filter(|(board, _)| board.hidden_len() > 0) else {
        return output.status.code() == Some(2) && output.stdout.is_empty();
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let Ok(answer) = serde_json::from_str::<Value>(&text) else { return false };
    let (row, column) = (&answer["response"]["row"], &answer["response"]["col"]);
    let cell = row.as_i64().zip(column.as_i64());
    let cell = cell.and_then(|(row, column)| board.shape().cell(row, column));
    let warned = String::from_utf8_lossy(&output.stderr).contains("the search failed");
    output.status.success()
        && text.lines().count() == 1
        && !text.contains(KEEP_RUNNING_MARKER)
        && warned
        && cell.is_some_and(|cell| board.is_hidden(cell))
}
