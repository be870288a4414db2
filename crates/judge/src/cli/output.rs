//! Output to standard output and standard error, which may be closed or full.
//!
//! `println!` and `eprintln!` panic if they cannot write, so no command uses them (a lint checks
//! that). If standard output is closed (`| head`), its text is dropped, and the program continues
//! to its exit code, which says whether a check failed; a command whose only purpose is its lines
//! polls [`has_reader`]. Any other error ends the program with a message and exit code 2. A message
//! that standard error does not accept is dropped.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use signal_hook::consts::SIGXFSZ;

/// Prints a line to standard output.
macro_rules! outln {
    ($($format:tt)*) => {
        crate::cli::output::write(&format!("{}\n", format_args!($($format)*)))
    };
}
pub(crate) use outln;

/// Prints a message to standard error, after the name of the program.
macro_rules! errln {
    ($($format:tt)*) => {
        crate::cli::output::write_stderr(format_args!(
            "{}: {}",
            env!("CARGO_BIN_NAME"),
            format_args!($($format)*)
        ))
    };
}
pub(crate) use errln;

/// Whether standard output was found closed.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Writes `text` to standard output.
pub fn write(text: &str) {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            CLOSED.store(true, Ordering::Relaxed);
        }
        Err(error) => {
            errln!("cannot write to standard output: {error}");
            EXIT_HOOK.get().into_iter().for_each(|hook| hook());
            std::process::exit(2)
        }
    }
}

/// Prints a report to standard output: one JSON object in a line, or a text.
pub fn print_report(is_json: bool, json: impl FnOnce() -> Value, text: impl FnOnce() -> String) {
    let report = if is_json { json().to_string() } else { text() };
    outln!("{}", report.strip_suffix('\n').unwrap_or(&report));
}

/// Whether standard output was open at the last write.
pub fn has_reader() -> bool {
    !CLOSED.load(Ordering::Relaxed)
}

/// Turns the size limit of files (`ulimit -f`) into an error of the write, as with a full disk. By
/// default, the system's signal ends the program without a message. The signal is caught, not
/// ignored, because bots would inherit that it is ignored.
pub fn survive_file_size_limit() {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).ok();
}

/// The text in one line, with control characters as escapes, so that a terminal does not act on
/// them.
pub fn escaped(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// Writes one or more lines to standard error, with control characters as escapes. Errors are
/// ignored.
pub fn write_stderr(text: std::fmt::Arguments) {
    for line in text.to_string().split('\n') {
        let _ = writeln!(io::stderr(), "{}", escaped(line));
    }
}

/// A function to call before the program ends because of an output error. The first start of a bot
/// sets it.
pub static EXIT_HOOK: OnceLock<fn()> = OnceLock::new();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_nothing_else() {
        assert_eq!(escaped("a\nb\r\t\u{1b}[1m\0\u{9b}"), r"a\nb\r\t\u{1b}[1m\u{0}\u{9b}");
        assert_eq!(escaped(r#"\ "é" 雷"#), r#"\ "é" 雷"#);
    }
}
