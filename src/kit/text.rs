//! What messages share: counts with their nouns, lists of names, and texts that are safe to show.

use std::fmt::Display;

/// A count with its noun in the singular or the plural: `1 mine`, `2 mines`.
pub fn pluralize<N: Copy + Display + PartialEq + From<u8>>(
    number: N,
    one: &str,
    many: &str,
) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

/// The position of a name among `names`, which are at least two.
///
/// # Errors
/// What to give instead: `give a, b or c`.
pub fn position_of_name(names: &[&str], text: &str) -> Result<usize, String> {
    names.iter().position(|name| *name == text).ok_or_else(|| {
        let (last, others) = names.split_last().expect("there are names");
        format!("give {} or {last}", others.join(", "))
    })
}

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
    replace_hidden(text, |character, line| line.extend(character.escape_default()))
}

/// The text with hidden characters as `write` writes them: those that a terminal acts on, and those
/// that hide others or turn them around.
pub fn replace_hidden(text: &str, write: impl Fn(char, &mut String)) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_escaped_and_nothing_else() {
        assert_eq!(escaped("a\n\u{1b}[1m\u{202e}b\u{200b}"), r"a\n\u{1b}[1m\u{202e}b\u{200b}");
        for text in [r#"\ "é" 雷"#, "שלום", "\u{1f468}\u{200d}\u{1f469}"] {
            assert_eq!(escaped(text), text);
        }
    }
}
