//! Standard output and standard error, either of which may be closed or full.
//!
//! `println!` and `eprintln!` panic where they cannot write, so no command uses them (a lint checks
//! that). When the reader of standard output has gone (`| head`), nothing more is written, and the
//! program goes on to its exit code, which says whether a check failed; a command whose only
//! purpose is its lines asks [`has_reader`]. Any other error ends the program with a message and
//! exit code 2. A message that cannot be written is dropped.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::SIGXFSZ;

/// Prints a line as `println!` does.
macro_rules! outln {
    ($($format:tt)*) => {
        crate::cli::output::write(&format!("{}\n", format_args!($($format)*)))
    };
}
pub(crate) use outln;

/// Tells a message on standard error, as a line that begins with the program's name.
macro_rules! errln {
    ($($format:tt)*) => {
        crate::cli::output::write_stderr(format_args!("{}: {}", env!("CARGO_BIN_NAME"), format_args!($($format)*)))
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
            leave(2)
        }
    }
}

/// Whether somebody may still read what is written to standard output, as far as the last of it has
/// shown.
pub fn has_reader() -> bool {
    !CLOSED.load(Ordering::Relaxed)
}

/// Makes it an error of the writing, as with a full disk, that a file may not grow (`ulimit -f`):
/// the system's signal for that, by which a program ends without a word, is taken and forgotten.
/// Not ignored: bots would be started so too.
pub fn survive_file_size_limit() {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).ok();
}

/// A text whose control characters are written as escapes: one line, that does nothing to a
/// terminal.
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

/// Writes a line, or several, to standard error, if it can be. What comes from a file does not
/// reach the terminal as commands to it.
pub fn write_stderr(text: std::fmt::Arguments) {
    for line in text.to_string().split('\n') {
        let _ = writeln!(io::stderr(), "{}", escaped(line));
    }
}

/// What is to be done before the program ends from here; whoever starts processes sets it.
pub static EXIT_HOOK: OnceLock<fn()> = OnceLock::new();

fn leave(code: i32) -> ! {
    if let Some(hook) = EXIT_HOOK.get() {
        hook();
    }
    std::process::exit(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_nothing_else() {
        assert_eq!(escaped("a\nb\r\t\u{1b}[1m\0\u{9b}"), r"a\nb\r\t\u{1b}[1m\u{0}\u{9b}");
        assert_eq!(escaped(r#"\ "é" 雷"#), r#"\ "é" 雷"#);
    }
}
