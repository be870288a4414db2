//! Output to standard output and standard error, which may be closed or full.
//!
//! `println!` and `eprintln!` panic if they cannot write, so no command uses them (a lint checks
//! that). If standard output is closed (`| head`), its text is dropped, and the program continues
//! to its exit code, which says whether a check failed; a command whose only purpose is its lines
//! polls [`has_reader`]. Any other error ends the program with a message and exit code 2.
//!
//! Invariant: text and JSON are escaped, because they may have names and texts of others. Only
//! [`write()`] leaves what it is given as it is: pages, and drawings with colours.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::runner::messages::{errln, escaped_json, escaped_lines};
use crate::runner::system;

/// Prints a line to standard output.
macro_rules! outln {
    ($($format:tt)*) => {
        crate::cli::output::write_text(&format!("{}\n", format_args!($($format)*)))
    };
}
pub(crate) use outln;

/// Whether standard output was found closed.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Writes text to standard output, escaped.
pub fn write_text(text: &str) {
    write(&escaped_lines(text));
}

/// Writes `text` to standard output as it is: what the judge made itself.
pub fn write(text: &str) {
    print(text.as_bytes());
}

/// Writes bytes of a text to standard output.
pub fn print(bytes: &[u8]) {
    let mut output = io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            CLOSED.store(true, Ordering::Relaxed);
        }
        Err(error) => {
            errln!("cannot write to standard output: {error}");
            system::end_all();
            std::process::exit(2)
        }
    }
}

/// Prints a report to standard output: as one JSON object in a line, or as text.
pub fn print_report<R: Serialize>(
    is_json: bool,
    report: impl FnOnce() -> R,
    text: impl FnOnce() -> String,
) {
    if is_json {
        print_json(&report());
    } else {
        let text = text();
        outln!("{}", text.strip_suffix('\n').unwrap_or(&text));
    }
}

/// Prints a report to standard output as one JSON object in a line.
pub fn print_json(report: &impl Serialize) {
    write(&(json_line(report) + "\n"));
}

/// A report as one JSON object in a line, escaped.
pub fn json_line(report: &impl Serialize) -> String {
    escaped_json(&serde_json::to_string(report).expect("a report has names as keys"))
}

/// Whether standard output was open at the last write.
pub fn has_reader() -> bool {
    !CLOSED.load(Ordering::Relaxed)
}
