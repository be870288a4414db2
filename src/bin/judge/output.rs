//! Standard output that may be closed or full.
//!
//! `println!` panics where it cannot write. Here a reader who has gone away (`| head`) gets no more, while the
//! program goes on to its exit code, which says whether a check failed; any other fault ends it with a
//! message and exit code 2.

use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

/// Prints a line as `println!` does.
macro_rules! say {
    ($($format:tt)*) => {
        crate::output::write(&format!("{}\n", format_args!($($format)*)))
    };
}
pub(crate) use say;

/// Writes `text` to standard output.
pub(crate) fn write(text: &str) {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => {
            let _ = writeln!(io::stderr(), "cannot write to standard output: {error}");
            leave(2)
        }
    }
}

/// What is to be done before the program ends from here; whoever starts processes sets it.
pub(crate) static LAST_WISH: OnceLock<fn()> = OnceLock::new();

fn leave(code: i32) -> ! {
    if let Some(wish) = LAST_WISH.get() {
        wish();
    }
    std::process::exit(code)
}
