//! The bot as a process: values in on one pipe, lines out on another.
//!
//! Values are read as a stream, so an answer does not wait for the end of the input. It is flushed
//! before its warnings are written, because standard error may not be read: a full pipe would block
//! the bot. For the same reason all warnings of a process fit into one pipe, and each is written
//! once, though every turn of a match finds it again.
//!
//! A panic in the search must not cost the answer. Where panics unwind, [`crate::bot::session`]
//! catches them. Where they abort, as in the uploaded file, a panic hook writes the answer that was
//! promised before the search and ends the process with success.
//!
//! Invariant: one line for every value that has an answer, flushed before the next value is read.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::panic::PanicHookInfo;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::bot::engine::Engine;
use crate::bot::read_error::ReadError;
use crate::bot::session::Session;
use crate::protocol::{KEEP_RUNNING_MARKER, inputs, reply_line};
use crate::settings::budget::WallClock;

/// How to serve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Write the marker line after an answer, and read the next value.
    pub keep_running: bool,
    /// Add to every answer a `debug` that says how the cell was chosen.
    pub debug: bool,
}

/// Why serving ended without success.
#[derive(Debug)]
pub enum Failure {
    /// The input cannot be read or has no usable field.
    Read(ReadError),
    /// The answer cannot be written.
    Write(io::Error),
}

impl Failure {
    /// The exit code of the process: 2 for input, 1 for output.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Read(_) => 2,
            Failure::Write(_) => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Read(error) => write!(f, "{error}"),
            Failure::Write(error) => write!(f, "cannot write the answer: {error}"),
        }
    }
}

/// The commit that the package was built from; empty where it is not known.
pub const COMMIT: &str = env!("SAPPER_COMMIT");

/// The package's version, with the commit it was built from where that is known. Every program of
/// the project states this version.
pub fn version() -> String {
    match COMMIT {
        "" => env!("CARGO_PKG_VERSION").to_owned(),
        commit => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
    }
}

/// Answers one value from standard input, or every value until it ends, with this engine.
///
/// # Errors
/// [`Failure`]; answers given before it stand.
pub fn serve(options: Options, engine: Engine) -> Result<(), Failure> {
    serve_input(io::stdin().lock(), options, engine)
}

/// Answers as [`serve`] does, with this input in place of standard input.
///
/// # Errors
/// [`Failure`]; answers given before it stand.
pub fn serve_input(input: impl BufRead, options: Options, engine: Engine) -> Result<(), Failure> {
    prepare_for_panics();
    let session = &mut Session::with(engine);
    answer_all(input, io::stdout(), io::stderr(), options, session)
}

/// Answers one value from `input`, or every value until it ends, in this session. Each answer is
/// flushed to `output`; then its warnings are written to `errors`, where a failure is ignored.
///
/// # Errors
/// [`Failure`]; answers given before it stand.
pub fn answer_all(
    input: impl BufRead,
    mut output: impl Write,
    mut errors: impl Write,
    options: Options,
    session: &mut Session,
) -> Result<(), Failure> {
    let mut answered = false;
    let mut warnings = Warnings::default();
    for value in inputs(input) {
        let value = value.map_err(|error| Failure::Read(ReadError::Json(error)))?;
        // The platform stops the process between turns: the clock starts after reading.
        let clock = WallClock::start();
        // Without the marker line: a process that writes it in its panic hook ends.
        let promise = |line: &str| *promised() = Some(format!("{line}\n"));
        let answer = session.answer(value, &clock, promise).map_err(Failure::Read)?;
        promised().take();
        let debug = options.debug.then(|| answer.debug(&version()));
        let mut lines = reply_line(answer.place, debug.as_deref()) + "\n";
        if options.keep_running {
            lines = lines + KEEP_RUNNING_MARKER + "\n";
        }
        output.write_all(lines.as_bytes()).and_then(|()| output.flush()).map_err(Failure::Write)?;
        // From here on a panic writes nothing and ends the process with success.
        *promised() = Some(String::new());
        answered = true;
        let late = session.late_warnings(&answer, &clock);
        promised().take();
        warnings.write(answer.warnings.into_iter().chain(late), &mut errors);
        if !options.keep_running {
            break;
        }
    }
    if answered { Ok(()) } else { Err(Failure::Read(ReadError::Empty)) }
}

/// What the panic hook writes before it ends the process with success: the answer during the
/// search, nothing after the answer was given. Without it the hook does not end the process.
static PROMISED: Mutex<Option<String>> = Mutex::new(None);

fn promised() -> std::sync::MutexGuard<'static, Option<String>> {
    PROMISED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Installs the panic hook. Where a panic aborts, it writes the promised answer; where it unwinds,
/// only the first panic of the process is reported.
fn prepare_for_panics() {
    static REPORTED: AtomicBool = AtomicBool::new(false);
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if cfg!(panic = "abort") {
            end_with_promised_answer(panic);
        }
        if !REPORTED.swap(true, Ordering::Relaxed) {
            report(panic);
        }
    }));
}

/// Writes the promised answer and ends the process with success; returns if none is promised.
fn end_with_promised_answer(panic: &PanicHookInfo) {
    let Some(line) = promised().take() else { return };
    let mut output = io::stdout();
    let _ = output.write_all(line.as_bytes()).and_then(|()| output.flush());
    let _ = writeln!(io::stderr(), "sapper: warning: the search failed: {panic}");
    std::process::exit(0);
}

/// The warnings of a process, each written once.
#[derive(Default)]
struct Warnings {
    written: BTreeSet<String>,
    bytes: usize,
}

impl Warnings {
    /// The most bytes that are written. A pipe holds 64 KiB; the rest is for the last line and for
    /// the message with which a process may end.
    const MAX_BYTES: usize = 48 << 10;

    /// Writes the warnings that were not written before, until the limit.
    fn write(&mut self, warnings: impl Iterator<Item = String>, errors: &mut impl Write) {
        for warning in warnings {
            if self.bytes > Warnings::MAX_BYTES || self.written.contains(&warning) {
                continue;
            }
            let mut line = format!("sapper: warning: {warning}\n");
            self.bytes += line.len();
            if self.bytes > Warnings::MAX_BYTES {
                line = "sapper: warning: there are more, which are not printed\n".to_owned();
            }
            // A line at a time: larger pieces leave a part of the pipe unused.
            let _ = errors.write_all(line.as_bytes());
            self.written.insert(warning);
        }
    }
}
