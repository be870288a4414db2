//! Messages to standard error, and what a terminal must not be given.
//!
//! Names of files, texts of bots, servers and recorded games may hold characters that a terminal
//! acts on, or that show a text in another order than it has. Invariant: none of them reaches the
//! terminal. Messages are escaped here, and what goes to standard output in [`crate::cli::output`].
//!
//! `eprintln!` panics if standard error is closed. A message that standard error does not accept is
//! dropped here.

use std::io::{self, Write};

pub use sapper::kit::text::escaped;
use sapper::kit::text::replace_hidden;

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

/// Each line of the text, escaped.
pub fn escaped_lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// A text in JSON, escaped, which has the same value: a hidden character can only stand in a string
/// there, once the text has no line feeds.
pub fn escaped_json(json: &str) -> String {
    replace_hidden(json, |character, line| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            line.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

/// Writes one or more lines to standard error, escaped. Errors are ignored.
pub fn write(text: std::fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{}", escaped_lines(&text.to_string()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_nothing_else() {
        assert_eq!(escaped("a\nb\r\t\u{1b}[1m\0\u{9b}"), r"a\nb\r\t\u{1b}[1m\u{0}\u{9b}");
        assert_eq!(escaped(r#"\ "é" 雷"#), r#"\ "é" 雷"#);
        assert_eq!(escaped_lines("a\r\nb\u{7f}"), "a\\r\nb\\u{7f}");
    }

    #[test]
    fn characters_that_hide_or_turn_others_are_escaped() {
        let marks = ['\u{200e}', '\u{200f}', '\u{61c}', '\u{2028}', '\u{feff}', '\u{e0041}'];
        let turning = ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}');
        for mark in turning.chain(marks).chain('\u{80}'..='\u{9f}') {
            let text = format!("a{mark}b");
            assert_eq!(escaped(&text), format!("a\\u{{{:x}}}b", u32::from(mark)));
            let json = serde_json::to_string(&text).unwrap();
            let safe = escaped_json(&json);
            assert!(safe.is_ascii() && serde_json::from_str::<String>(&safe).unwrap() == text);
        }
        // Hebrew and Arabic letters, and a family joined from four pictures.
        for text in ["שלום", "مرحبا", "\u{1f468}\u{200d}\u{1f469}"] {
            assert_eq!(escaped(text), text);
        }
    }
}
