//! One statement of assembly as text: its words, its comment, and shorter ways to write it.

/// The line up to a `#` outside quotes.
pub fn without_comment(line: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    for (place, byte) in line.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b'#' if !quoted => return &line[..place],
            _ => {}
        }
    }
    line
}

/// One space after the first word, none after commas, outside quotes.
pub fn squeezed(line: &str) -> String {
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

/// The words of a statement that may be symbols, with their places: outside quotes, not registers,
/// not numbers.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let mut place = 0;
    std::iter::from_fn(move || {
        while place < bytes.len() {
            let byte = bytes[place];
            if byte == b'"' {
                place += 1;
                while place < bytes.len() && bytes[place] != b'"' {
                    place += 1 + usize::from(bytes[place] == b'\\');
                }
                place += 1;
            } else if byte == b'$' {
                // The mark of an immediate, which may be a symbol.
                place += 1;
            } else if byte == b'%' || byte == b'@' || byte.is_ascii_digit() {
                // A register, a relocation, a number.
                place += 1;
                while place < bytes.len() && in_word(bytes[place]) {
                    place += 1;
                }
            } else if in_word(byte) {
                let start = place;
                while place < bytes.len() && in_word(bytes[place]) {
                    place += 1;
                }
                return Some((start, &text[start..place]));
            } else {
                place += 1;
            }
        }
        None
    })
}

/// Whether `word` is an operand: the first word of a statement is its mnemonic or directive.
pub fn is_symbol(text: &str, word: &str) -> bool {
    let mut all = words(text);
    let first = all.next().is_some_and(|(_, first)| first == word);
    // Prefixes stand before the mnemonic.
    let prefixed = ["lock", "rep", "notrack"].iter().any(|prefix| text.starts_with(prefix));
    let second = prefixed && all.next().is_some_and(|(_, second)| second == word);
    !(first || second || text.starts_with(".section"))
}

pub fn renamed<'n>(text: &str, mut name: impl FnMut(&str) -> Option<&'n str>) -> String {
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for (start, word) in words(text) {
        if let Some(name) = name(word) {
            new.push_str(&text[done..start]);
            new.push_str(name);
            done = start + word.len();
        }
    }
    new.push_str(&text[done..]);
    new
}

/// Escapes in strings without their leading zeros, where no digit follows.
pub fn short_escapes(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    let mut new = String::with_capacity(text.len());
    let mut place = 0;
    while place < bytes.len() {
        let start = place;
        place += 1;
        if bytes[start] != b'\\' {
            while place < bytes.len() && bytes[place] != b'\\' {
                place += 1;
            }
            new.push_str(&text[start..place]);
        } else if (1..=3).all(|ahead| digit(start + ahead)) {
            place = start + 4;
            let octal = &text[start + 1..place];
            let short = octal.trim_start_matches('0');
            let short = if short.is_empty() { "0" } else { short };
            new.push('\\');
            new.push_str(if digit(place) { octal } else { short });
        } else {
            // One that escapes itself starts no number.
            place = start + 2;
            new.push_str(&text[start..place]);
        }
    }
    new
}

/// Joins neighbouring numbers of one directive into one list.
pub fn join_data(lines: &mut Vec<String>) {
    const LONGEST: usize = 400;
    let mut joined: Vec<String> = Vec::with_capacity(lines.len());
    for line in lines.drain(..) {
        let directive = [".byte ", ".short ", ".long ", ".quad "]
            .into_iter()
            .find(|directive| line.starts_with(directive));
        if let (Some(directive), Some(last)) = (directive, joined.last_mut())
            && last.starts_with(directive)
            && last.len() < LONGEST
        {
            last.push(',');
            last.push_str(&line[directive.len()..]);
            continue;
        }
        joined.push(line);
    }
    *lines = joined;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_lose_only_zeros_that_no_digit_needs() {
        let all = r#".ascii "\000\000a\0017\012\377\"\\000\\\000""#;
        assert_eq!(short_escapes(all), r#".ascii "\0\0a\0017\12\377\"\\000\\\0""#);
        assert_eq!(short_escapes("movq %rax,%rbx"), "movq %rax,%rbx");
    }
}
