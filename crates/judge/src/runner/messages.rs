//! Messages to standard error, and texts of bots in one line.
//!
//! `eprintln!` panics if standard error is closed. A message that standard error does not accept is
//! dropped here.

use std::io::{self, Write};

/// Prints a message to standard error, after the name of the program.
macro_rules! errln {
    ($($format:tt)*) => {
        crate::runner::messages::write(format_args!(
            "{}: {}",
            env!("CARGO_BIN_NAME"),
            format_args!($($format)*)
        ))
    };
}
pub(crate) use errln;

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
pub fn write(text: std::fmt::Arguments) {
    for line in text.to_string().split('\n') {
        let _ = writeln!(io::stderr(), "{}", escaped(line));
    }
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
