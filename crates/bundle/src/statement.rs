//! Operations on the text of one statement of assembly: its symbols, its comment, and shorter
//! spellings.

use std::borrow::Cow;

/// Returns the line up to a `#` outside quotes.
pub fn strip_comment(line: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    for (index, byte) in line.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b'#' if !quoted => return &line[..index],
            _ => {}
        }
    }
    line
}

/// Returns the statement with one space after its first word and, outside quotes, none after
/// commas.
pub fn compact(line: &str) -> String {
    let (head, tail) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    if tail.is_empty() {
        return head.to_owned();
    }
    let mut text = format!("{head} ");
    let (mut quoted, mut escaped) = (false, false);
    for character in tail.trim_start().chars() {
        if !quoted && matches!(character, ' ' | '\t') && text.ends_with([',', ' ']) {
            continue;
        }
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ => {}
        }
        text.push(character);
    }
    text
}

/// Returns the words of a statement that may be symbols, with their byte offsets.
///
/// Strings, registers, relocations and numbers are skipped; mnemonics and directives are not.
pub fn symbols(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let mut index = 0;
    std::iter::from_fn(move || {
        while index < bytes.len() {
            let byte = bytes[index];
            if byte == b'"' {
                index += 1;
                while index < bytes.len() && bytes[index] != b'"' {
                    index += 1 + usize::from(bytes[index] == b'\\');
                }
                index += 1;
            } else if byte == b'$' {
                // An immediate operand, which may be a symbol.
                index += 1;
            } else if byte == b'%' || byte == b'@' || byte.is_ascii_digit() {
                // A register, a relocation or a number.
                index += 1;
                while index < bytes.len() && in_word(bytes[index]) {
                    index += 1;
                }
            } else if in_word(byte) {
                let start = index;
                while index < bytes.len() && in_word(bytes[index]) {
                    index += 1;
                }
                return Some((start, &text[start..index]));
            } else {
                index += 1;
            }
        }
        None
    })
}

/// Whether `word` is an operand of the statement, not its mnemonic or directive.
pub fn is_operand(text: &str, word: &str) -> bool {
    let mut all = symbols(text);
    let is_first = all.next().is_some_and(|(_, first)| first == word);
    // A prefix is followed by the mnemonic.
    let prefixed = ["lock", "rep", "notrack"].iter().any(|prefix| text.starts_with(prefix));
    let is_second = prefixed && all.next().is_some_and(|(_, second)| second == word);
    !(is_first || is_second || text.starts_with(".section"))
}

/// Replaces every symbol for which `new_name` returns a name.
pub fn rename_symbols<'n>(
    text: &str,
    mut new_name: impl FnMut(&str) -> Option<Cow<'n, str>>,
) -> String {
    let mut renamed = String::with_capacity(text.len());
    let mut copied = 0;
    for (start, symbol) in symbols(text) {
        if let Some(name) = new_name(symbol) {
            renamed.push_str(&text[copied..start]);
            renamed.push_str(&name);
            copied = start + symbol.len();
        }
    }
    renamed.push_str(&text[copied..]);
    renamed
}

/// Removes leading zeros of octal escapes that are not followed by a digit.
pub fn shorten_escapes(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_digit);
    let mut shortened = String::with_capacity(text.len());
    let mut index = 0;
    while index < bytes.len() {
        let start = index;
        index += 1;
        if bytes[start] != b'\\' {
            while index < bytes.len() && bytes[index] != b'\\' {
                index += 1;
            }
            shortened.push_str(&text[start..index]);
        } else if (1..=3).all(|ahead| digit(start + ahead)) {
            index = start + 4;
            let octal = &text[start + 1..index];
            let short = octal.trim_start_matches('0');
            let short = if short.is_empty() { "0" } else { short };
            shortened.push('\\');
            shortened.push_str(if digit(index) { octal } else { short });
        } else {
            // An escaped character, such as a backslash, does not start an octal escape.
            index = start + 2;
            shortened.push_str(&text[start..index]);
        }
    }
    shortened
}

/// Merges consecutive data directives of the same name into one with a list of operands.
pub fn merge_data(lines: &mut Vec<String>) {
    /// A longer statement gets no further operands.
    const MAX_LENGTH: usize = 400;
    let mut merged: Vec<String> = Vec::with_capacity(lines.len());
    for line in lines.drain(..) {
        let directive = [".byte ", ".short ", ".long ", ".quad "]
            .into_iter()
            .find(|directive| line.starts_with(directive));
        if let (Some(directive), Some(last)) = (directive, merged.last_mut())
            && last.starts_with(directive)
            && last.len() < MAX_LENGTH
        {
            last.push(',');
            last.push_str(&line[directive.len()..]);
            continue;
        }
        merged.push(line);
    }
    *lines = merged;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_of_escapes_are_removed_unless_a_digit_follows() {
        let all = r#".ascii "\000\000a\0017\012\377\"\\000\\\000""#;
        assert_eq!(shorten_escapes(all), r#".ascii "\0\0a\0017\12\377\"\\000\\\0""#);
        assert_eq!(shorten_escapes("movq %rax,%rbx"), "movq %rax,%rbx");
    }
}
