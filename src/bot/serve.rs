//! The bot as a process: values in on one pipe, lines out on another.
//!
//! Values are read as a stream, so an answer never waits for the end of the input. An answer is
//! flushed before anything else is done with the turn: warnings come after it, because nobody may be
//! reading them. For the same reason all warnings of a process together fit into a pipe: one that is full
//! would stop the bot. Each is told once, though every turn of a match finds it again.
//!
//! A panic must not cost the answer. Where panics unwind, [`crate::bot::session`] catches them. Where they
//! abort (the uploaded file is built so), nothing can be caught: a panic hook writes the answer that
//! was promised beforehand, and ends the process as if all were well.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::base::budget::WallClock;
use crate::bot::session::{Answer, ReadError, Session};
use crate::protocol::{KEEP_RUNNING_MARKER, inputs, reply_line};

/// How to serve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Stay alive after an answer, with the marker line, and take the next value.
    pub keep_running: bool,
    /// Tell in every answer's `debug` how it came about.
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

/// The package's version, with the commit it was built from where that is known.
pub fn version() -> String {
    match env!("SAPPER_COMMIT") {
        "" => env!("CARGO_PKG_VERSION").to_owned(),
        commit => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
    }
}

/// Answers one value from standard input, or every value until it ends.
///
/// # Errors
/// [`Failure`]; answers given before it stand.
pub fn serve(options: Options) -> Result<(), Failure> {
    prepare_for_panics();
    let pipes = (io::stdin().lock(), io::stdout(), io::stderr());
    answer_all(pipes, options, &mut Session::default())
}

/// Answers one value from `input`, or every value until it ends, by this session. Each answer is flushed; the
/// warnings to it are written after it, and whether they can be written does not matter.
///
/// # Errors
/// [`Failure`]; answers given before it stand.
pub fn answer_all(
    (input, mut output, mut told): (impl BufRead, impl Write, impl Write),
    options: Options,
    session: &mut Session,
) -> Result<(), Failure> {
    let mut values = inputs(input);
    let mut answered = false;
    let mut warnings = Warnings::default();
    loop {
        let value = match values.next() {
            Some(value) => value.map_err(|error| Failure::Read(ReadError::Json(error)))?,
            None if answered => return Ok(()),
            None => return Err(Failure::Read(ReadError::Empty)),
        };
        // The platform stops the process between turns: the clock starts after reading.
        let clock = WallClock::start();
        // Without the marker even where the process was to stay alive: it will not.
        let promise = |line: &str| *promised() = Some(format!("{line}\n"));
        let answer = session.answer(value, &clock, promise).map_err(Failure::Read)?;
        promised().take();
        let line = finish(&line_of(&answer, options), options);
        output.write_all(line.as_bytes()).and_then(|()| output.flush()).map_err(Failure::Write)?;
        // Nothing is owed any more, and nothing that goes wrong from here may spoil what was given.
        *promised() = Some(String::new());
        answered = true;
        let late = session.late_warnings(&answer, &clock);
        promised().take();
        let more = answer.more_warnings;
        warnings.tell(answer.warnings.into_iter().chain(late), more, &mut told);
        if !options.keep_running {
            return Ok(());
        }
    }
}

fn line_of(answer: &Answer, options: Options) -> String {
    reply_line(answer.place, options.debug.then(|| answer.debug(&version())).as_deref())
}

/// An answer's line with its line feed, and the marker where the process stays alive.
fn finish(line: &str, options: Options) -> String {
    let marker =
        if options.keep_running { KEEP_RUNNING_MARKER } else { return format!("{line}\n") };
    format!("{line}\n{marker}\n")
}

/// What the panic hook writes before it ends the process as if all were well: the answer while one is owed,
/// nothing while something is looked at after it.
static PROMISED: Mutex<Option<String>> = Mutex::new(None);

fn promised() -> std::sync::MutexGuard<'static, Option<String>> {
    PROMISED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Where a panic cannot be caught, sees to it that the answer promised goes out; where it can, that only
/// the first is reported.
fn prepare_for_panics() {
    static REPORTED: AtomicBool = AtomicBool::new(false);
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if cfg!(panic = "abort")
            && let Some(line) = promised().take()
        {
            let mut output = io::stdout();
            let _ = output.write_all(line.as_bytes()).and_then(|()| output.flush());
            let _ = writeln!(io::stderr(), "sapper: warning: the search failed: {panic}");
            std::process::exit(0);
        }
        if !REPORTED.swap(true, Ordering::Relaxed) {
            report(panic);
        }
    }));
}

/// What a process warns of.
#[derive(Default)]
struct Warnings {
    told: BTreeSet<String>,
    bytes: usize,
    full: bool,
}

impl Warnings {
    /// The most that is told, in bytes. A pipe holds 64 KiB; the rest is for the last line, and for the
    /// message that a process may end with.
    const MOST: usize = 48 << 10;

    /// Tells what was not told before, as far as it goes. `more` are those that were not even put into words,
    /// because these fill a pipe already.
    fn tell(
        &mut self,
        warnings: impl IntoIterator<Item = String>,
        mut more: usize,
        told: &mut impl Write,
    ) {
        let was_full = self.full;
        for warning in warnings {
            // A line at a time: what is written in larger pieces wastes a part of the pipe.
            let line = format!("sapper: warning: {warning}\n");
            if self.told.contains(&warning) {
                continue;
            }
            self.full |= self.bytes + line.len() > Warnings::MOST;
            if self.full {
                more += 1;
                continue;
            }
            self.bytes += line.len();
            self.told.insert(warning);
            let _ = told.write_all(line.as_bytes());
        }
        self.full |= more > 0;
        if self.full && !was_full {
            let _ = writeln!(told, "sapper: warning: {more} more, and none is told from here on");
        }
    }
}
