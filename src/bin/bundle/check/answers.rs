//! Programs held against each other, and against what is owed in any case.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use sapper::protocol::{KEEP_RUNNING_MARKER, inputs};
use sapper::session::Session;
use serde_json::Value;

use super::cases::Case;
use crate::Flags;

/// Of the platform's 256 MB, as address space, which is more than what is used of it.
const MOST_KILOBYTES: usize = 200 << 10;

/// Of the platform's second.
const START_TIME: Duration = Duration::from_millis(50);

/// Who may have gone away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    OfAnswers,
    OfMessages,
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reader::OfAnswers => "answers",
            Reader::OfMessages => "messages",
        })
    }
}

/// The case as a file: a bot may answer without reading all, and then a pipe would break.
fn input(program: &Path, case: &Case) -> Result<fs::File> {
    let path = program.with_extension("input");
    fs::write(&path, &case.input)?;
    Ok(fs::File::open(&path)?)
}

/// The program, about to read the case. An upload takes no options: its own are fixed in it.
fn fed(program: &Path, options: Option<Flags>, case: &Case) -> Result<Command> {
    let mut command = Command::new(program);
    command.args(options.iter().flat_map(Flags::arguments)).stdin(input(program, case)?);
    Ok(command)
}

fn feed(program: &Path, options: Option<Flags>, case: &Case) -> Result<Output> {
    let output = fed(program, options, case)?.output();
    output.with_context(|| format!("cannot run {}", program.display()))
}

/// The name of the first case on which the two differ in output, exit code or messages.
pub fn first_difference(
    native: &Path,
    flags: Flags,
    program: &Path,
    cases: &[Case],
) -> Result<Option<String>> {
    for case in cases {
        if feed(native, Some(flags), case)? != feed(program, None, case)? {
            return Ok(Some(format!("the native bot differs on {}", case.name)));
        }
    }
    Ok(None)
}

/// The first case on which the two end otherwise when nobody reads what they write.
pub fn first_other_end(
    native: &Path,
    flags: Flags,
    program: &Path,
    cases: &[Case],
    gone: Reader,
) -> Result<Option<String>> {
    let end = |command: &mut Command| -> Result<ExitStatus> {
        let (reader, writer) = std::io::pipe()?;
        drop(reader);
        match gone {
            Reader::OfAnswers => command.stdout(writer).stderr(Stdio::null()),
            Reader::OfMessages => command.stderr(writer).stdout(Stdio::null()),
        };
        Ok(command.status()?)
    };
    for case in cases {
        let owed = end(&mut fed(native, Some(flags), case)?)?;
        let got = end(&mut fed(program, None, case)?)?;
        if owed != got {
            return Ok(Some(format!("{got} instead of {owed} on {}", case.name)));
        }
    }
    Ok(None)
}

/// What is wrong with the memory that the program takes.
pub fn too_large(
    native: &Path,
    flags: Flags,
    program: &Path,
    case: &Case,
) -> Result<Option<String>> {
    let owed = feed(native, Some(flags), case)?;
    let limited = format!("ulimit -v {MOST_KILOBYTES} && exec \"$0\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &limited]).arg(program).stdin(input(program, case)?);
    let got = shell.output()?;
    Ok((got != owed).then(|| format!("{} with {MOST_KILOBYTES} kB on {}", got.status, case.name)))
}

/// What is wrong with the time that the program takes for a small input. The best of many runs:
/// other programs may hold up some.
pub fn too_slow(program: &Path, case: &Case) -> Result<Option<String>> {
    let mut best = Duration::MAX;
    for _ in 0..20 {
        let mut command = fed(program, None, case)?;
        let started = Instant::now();
        command.output()?;
        best = best.min(started.elapsed());
    }
    Ok((best > START_TIME).then(|| format!("{:.0} ms", best.as_secs_f64() * 1e3)))
}

/// Where two texts begin to differ.
pub fn text_difference(first: &str, second: &str) -> Option<String> {
    let length = first.lines().count().max(second.lines().count());
    let differs = |&line: &usize| first.lines().nth(line) != second.lines().nth(line);
    (first != second).then(|| match (0..length).find(differs) {
        Some(line) => format!("line {} is another", line + 1),
        None => "line ends are others".to_owned(),
    })
}

/// What is wrong with a broken bot's answer: a readable input is owed one hidden cell, unmarked, a
/// warning and a good end; any other a refusal.
pub fn illegal(program: &Path, case: &Case) -> Option<String> {
    let fault = |what: &str| Some(format!("{what} on {}", case.name));
    let Ok(output) = feed(program, None, case) else { return fault("cannot be run") };
    let mut session = Session::default();
    let input = inputs(&case.input[..]).next();
    let board = match input {
        Some(Ok(input)) => session.take(input).and_then(|()| session.board()).ok(),
        _ => None,
    };
    let Some((board, _)) = board.filter(|(board, _)| board.hidden_len() > 0) else {
        let refused = output.status.code() == Some(2) && output.stdout.is_empty();
        return if refused { None } else { fault("no refusal") };
    };
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return fault(&output.status.to_string());
    }
    if text.lines().count() != 1 || text.contains(KEEP_RUNNING_MARKER) {
        return fault("not one line and no marker");
    }
    let answer: Value = serde_json::from_str(&text).unwrap_or_default();
    let (row, column) = (&answer["response"]["row"], &answer["response"]["col"]);
    let cell = row.as_i64().zip(column.as_i64());
    let cell = cell.and_then(|(row, column)| board.shape().cell(row, column));
    if !cell.is_some_and(|cell| board.is_hidden(cell)) {
        return fault("an illegal answer");
    }
    let warned = String::from_utf8_lossy(&output.stderr).contains("the search failed");
    if warned { None } else { fault("no warning") }
}

/// The first case on which a bot that panics after its answers ends otherwise than the native one,
/// or loses an answer that it gave before; it may die before it reads the next turn.
pub fn first_loss(
    native: &Path,
    flags: Flags,
    program: &Path,
    cases: &[Case],
) -> Result<Option<String>> {
    for case in cases {
        let owed = feed(native, Some(flags), case)?;
        let got = feed(program, None, case)?;
        if owed.status != got.status {
            return Ok(Some(format!("{} instead of {} on {}", got.status, owed.status, case.name)));
        }
        let whole = if flags.keep_running {
            let text = String::from_utf8_lossy(&got.stdout);
            owed.stdout.starts_with(&got.stdout)
                && text.trim_end().ends_with(KEEP_RUNNING_MARKER)
                && text.ends_with('\n')
        } else {
            owed.stdout == got.stdout
        };
        if !whole {
            return Ok(Some(format!("an answer is lost on {}", case.name)));
        }
    }
    Ok(None)
}
