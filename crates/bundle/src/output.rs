//! Lines on standard output and standard error.
//!
//! `println!` and `eprintln!` panic where they cannot write. Here, a closed standard output
//! (`| head`) is ignored, so that the exit code still tells whether a check failed; any other
//! failure is an error. Messages that standard error does not take are dropped.

use std::fmt;
use std::io::{self, ErrorKind, Write};

/// Writes a line to standard output.
pub fn print_line(line: impl fmt::Display) -> io::Result<()> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Writes a line to standard error.
pub fn print_message(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
