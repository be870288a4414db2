//! Comparison of a program with the native bot, by output, exit status and messages.
//!
//! A function with `fault` in its name returns the first fault that it finds, with the input on
//! which it occurred, or `None`.
//!
//! Inputs are compared side by side, on all cores, and the fault of the first input is returned.
//! Output is compared while the clock of both programs stands still. With the real clock, a
//! deadline can end a search before its node limit does if the machine is busy with other work, and
//! the answers then differ from run to run. The other checks use the real clock.

use std::fmt;
use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use game::botzone;
use rayon::prelude::*;
use sapper::board::geometry::{Cell, Shape};
use sapper::bot::session::Session;
use sapper::protocol::{KEEP_RUNNING_MARKER, inputs};
use serde_json::Value;

use super::cases::Case;
use super::measured::run_measured;
use crate::flags::Flags;
use crate::library::LATE_PANIC;

/// A limit of the address space. The platform limits the memory in use, which is less, to 256 MB.
const MEMORY_LIMIT_KIB: usize = 200 << 10;

/// A small part of the platform's second for a turn.
const START_TIME_LIMIT: Duration = Duration::from_millis(50);

/// A standard stream of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    Output,
    Error,
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stream::Output => "standard output",
            Stream::Error => "standard error",
        })
    }
}

/// The native bot with these options, and its output on each of the inputs that suit them.
pub struct Native<'a> {
    program: &'a Path,
    flags: Flags,
    cases: &'a [Case],
    /// The library in which the clock stands still.
    stopped_clock: &'a Path,
    /// One for each of `cases`.
    outputs: Vec<Output>,
}

impl<'a> Native<'a> {
    /// Runs the native bot on all inputs, with a clock that stands still.
    pub fn new(
        program: &'a Path,
        flags: Flags,
        cases: &'a [Case],
        stopped_clock: &'a Path,
    ) -> Result<Native<'a>> {
        let mut native = Native { program, flags, cases, stopped_clock, outputs: Vec::new() };
        let output = |case: &Case| run_in_stopped_time(native.command(case)?, stopped_clock);
        native.outputs = cases.par_iter().map(output).collect::<Result<_>>()?;
        Ok(native)
    }

    /// The number of inputs.
    pub fn len(&self) -> usize {
        self.cases.len()
    }

    /// The command that runs the native bot on the case. The options that are compiled into the
    /// other programs are arguments of the native bot.
    fn command(&self, case: &Case) -> Result<Command> {
        let mut command = command(self.program, case)?;
        command.args(self.flags.arguments());
        Ok(command)
    }

    /// The first fault in the first `count` inputs, each with the native bot's output.
    fn first_fault(
        &self,
        count: usize,
        fault: impl Fn(&Case, &Output) -> Result<Option<String>> + Sync,
    ) -> Result<Option<String>> {
        let inputs = self.cases[..count].par_iter().zip(&self.outputs[..count]);
        inputs.find_map_first(|(case, output)| fault(case, output).transpose()).transpose()
    }

    /// Compares output, exit status and messages of `program` on standard error, on the first
    /// `count` inputs.
    pub fn output_fault(&self, program: &Path, count: usize) -> Result<Option<String>> {
        self.first_fault(count, |case, expected| {
            let found = run_in_stopped_time(command(program, case)?, self.stopped_clock)?;
            let what = if found.status != expected.status {
                "the exit status differs"
            } else if found.stdout != expected.stdout {
                "the output differs"
            } else if found.stderr != expected.stderr {
                "the messages differ"
            } else {
                return Ok(None);
            };
            Ok(Some(format!("{what} from the native bot's on {}", case.name)))
        })
    }

    /// Compares the exit status, on the first `count` inputs, if one of the streams is a pipe
    /// without a reader.
    pub fn closed_stream_fault(
        &self,
        program: &Path,
        closed: Stream,
        count: usize,
    ) -> Result<Option<String>> {
        let status = |mut command: Command| -> Result<ExitStatus> {
            let (reader, writer) = std::io::pipe()?;
            drop(reader);
            match closed {
                Stream::Output => command.stdout(writer).stderr(Stdio::null()),
                Stream::Error => command.stderr(writer).stdout(Stdio::null()),
            };
            Ok(command.status()?)
        };
        self.first_fault(count, |case, _| {
            let expected = status(self.command(case)?)?;
            let found = status(command(program, case)?)?;
            let fault = || format!("{found} instead of {expected} on {}", case.name);
            Ok((expected != found).then(fault))
        })
    }

    /// Compares the output of `program` under a memory limit, on the largest input.
    pub fn memory_fault(&self, program: &Path) -> Result<Option<String>> {
        let inputs = self.cases.iter().zip(&self.outputs);
        let largest = inputs.max_by_key(|(case, _)| case.input.len());
        let (case, expected) = largest.context("there are no inputs")?;
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("ulimit -v {MEMORY_LIMIT_KIB} && exec \"$0\"")])
            .arg(program)
            .stdin(input_file(case)?);
        let found = run_in_stopped_time(shell, self.stopped_clock)?;
        let status = found.status;
        Ok((found != *expected).then(|| {
            format!("{status} with {MEMORY_LIMIT_KIB} KiB, or other output, on {}", case.name)
        }))
    }

    /// Compares the CPU time of `program` on the first input, which is small, with
    /// [`START_TIME_LIMIT`].
    pub fn start_time_fault(&self, program: &Path) -> Result<Option<String>> {
        // The shortest of several runs: other processes share the caches of the processor.
        let mut shortest = Duration::MAX;
        for _ in 0..20 {
            let measured = run_measured(&mut command(program, &self.cases[0])?)?;
            shortest = shortest.min(measured.cpu);
        }
        let fault = || format!("{:.0} ms of CPU time", shortest.as_secs_f64() * 1e3);
        Ok((shortest > START_TIME_LIMIT).then(fault))
    }

    /// Compares `program`, a build that panics after its answers, with the native bot: the exit
    /// status is the same, and so is every answer up to the first panic. At least one input has to
    /// lead to the panic.
    pub fn late_panic_fault(&self, program: &Path) -> Result<Option<String>> {
        let has_panicked = AtomicBool::new(false);
        let fault = self.first_fault(self.len(), |case, expected| {
            let mut command = command(program, case)?;
            command.env("PANIC", "late");
            let found = run_in_stopped_time(command, self.stopped_clock)?;
            if String::from_utf8_lossy(&found.stderr).contains(LATE_PANIC) {
                has_panicked.store(true, Ordering::Relaxed);
            }
            if expected.status != found.status {
                let (found, expected) = (found.status, expected.status);
                return Ok(Some(format!("{found} instead of {expected} on {}", case.name)));
            }
            let complete = if self.flags.keep_running {
                // The panic may end the program before it reads the next turn.
                let text = String::from_utf8_lossy(&found.stdout);
                expected.stdout.starts_with(&found.stdout)
                    && text.trim_end().ends_with(KEEP_RUNNING_MARKER)
                    && text.ends_with('\n')
            } else {
                expected.stdout == found.stdout
            };
            Ok((!complete).then(|| format!("an answer is lost on {}", case.name)))
        })?;
        let none =
            || (!has_panicked.into_inner()).then(|| "no input leads to the panic".to_owned());
        Ok(fault.or_else(none))
    }

    /// Checks `program`, a build that panics in every search.
    ///
    /// For a valid input it prints one line without the marker, whose cell is hidden, and a
    /// warning, and exits with code 0. Any other input is refused with exit code 2.
    pub fn search_panic_fault(&self, program: &Path) -> Result<Option<String>> {
        self.first_fault(self.len(), |case, _| {
            let what = search_panic_fault(program, case)?;
            Ok(what.map(|what| format!("{what} on {}", case.name)))
        })
    }
}

/// What is wrong with the answer to a case, of a bot that panics in every search.
fn search_panic_fault(program: &Path, case: &Case) -> Result<Option<String>> {
    let fault = |what: &str| Ok(Some(what.to_owned()));
    let mut command = command(program, case)?;
    command.env("PANIC", "search");
    let output = run(command)?;
    let mut session = Session::default();
    let input = inputs(&case.input[..]).next();
    let board = match input {
        Some(Ok(input)) => {
            session.push(input);
            session.board().ok()
        }
        _ => None,
    };
    let Some((board, _)) = board.filter(|(board, _)| board.hidden_len() > 0) else {
        let refused = output.status.code() == Some(2) && output.stdout.is_empty();
        return if refused { Ok(None) } else { fault("no refusal") };
    };
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return fault(&output.status.to_string());
    }
    if text.lines().count() != 1 || text.contains(KEEP_RUNNING_MARKER) {
        return fault("other output than one line");
    }
    let cell = answered_cell(&output.stdout, board.shape());
    if !cell.is_some_and(|cell| board.is_hidden(cell)) {
        return fault("an illegal answer");
    }
    let warned = String::from_utf8_lossy(&output.stderr).contains("the search failed");
    if warned { Ok(None) } else { fault("no warning") }
}

/// Writes the case to a file without a name and opens it. A pipe would break if a program answered
/// before it had read all.
fn input_file(case: &Case) -> Result<File> {
    let mut file = tempfile::tempfile().context("cannot create a file for an input")?;
    file.write_all(&case.input)?;
    file.rewind()?;
    Ok(file)
}

/// The command that runs `program` on the case.
pub fn command(program: &Path, case: &Case) -> Result<Command> {
    let mut command = Command::new(program);
    command.stdin(input_file(case)?);
    Ok(command)
}

/// Runs the program to its end, while its clock stands still, so that node limits alone end its
/// searches. A program that is linked statically keeps the real clock.
pub fn run_in_stopped_time(mut command: Command, stopped_clock: &Path) -> Result<Output> {
    command.env("LD_PRELOAD", stopped_clock);
    run(command)
}

/// Runs the program to its end.
fn run(mut command: Command) -> Result<Output> {
    let output = command.output();
    output.with_context(|| format!("cannot run {}", command.get_program().display()))
}

/// The cell that the first line of an output names, if it is one of `shape`.
pub fn answered_cell(output: &[u8], shape: Shape) -> Option<Cell> {
    let line = output.split(|byte| *byte == b'\n').next()?;
    let answer: Value = serde_json::from_slice(line).ok()?;
    let (row, column) = botzone::answered_cell(&answer["response"]).ok()?;
    shape.cell(row.into(), column.into())
}

/// Compares two texts. The fault names the first line that differs, counted from 1.
pub fn text_fault(first: &str, second: &str) -> Option<String> {
    let length = first.lines().count().max(second.lines().count());
    let differs = |&line: &usize| first.lines().nth(line) != second.lines().nth(line);
    (first != second).then(|| match (0..length).find(differs) {
        Some(line) => format!("line {} differs", line + 1),
        None => "line ends differ".to_owned(),
    })
}
