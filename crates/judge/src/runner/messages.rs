//! Messages to standard error, and what a terminal must not be given.
//!
//! Names of files, texts of bots, servers and recorded games may hold characters that a terminal
//! acts on, or that show a text in another order than it has. Invariant: none of them reaches the
//! terminal. Messages are escaped here, and what goes to standard output in [`crate::cli::output`].
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

/// Whether a terminal acts on this character, does not show it, or shows others in another order:
/// control characters, separators of lines, marks and embeddings of direction, and others without a
/// width. Joiners are no such characters: words and pictures are written with them.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{AD}'
                | '\u{61C}'
                | '\u{180E}'
                | '\u{200B}'
                | '\u{200E}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// The text in one line, with each hidden character as an escape, so that a terminal shows it and
/// does not act on it.
pub fn escaped(text: &str) -> String {
    replaced(text, |character, line| line.extend(character.escape_default()))
}

/// The same for each line of a text.
pub fn escaped_lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// The same for a text in JSON, which has the same value: a hidden character can only stand in a
/// string there, once the text has no line feeds.
pub fn escaped_json(json: &str) -> String {
    replaced(json, |character, line| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            line.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

/// The text with hidden characters written another way.
fn replaced(text: &str, write: impl Fn(char, &mut String)) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            write(character, &mut line);
        } else {
            line.push(character);
        }
    }
    line
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
