//! Command lines: splitting into words like a shell, and quoting for a shell.
//!
//! White space separates words. `'...'` keeps all characters, `"..."` all but a backslash before
//! `"` or `\`; outside quotes, a backslash keeps the next character. Variables, patterns, pipes and
//! redirections are not supported; a command line that needs them is `sh -c '...'`.

use anyhow::{Result, bail};

/// Splits a command line into its words, at least one.
///
/// # Errors
/// Fails if a quote is not closed, if the line ends with a backslash, or if it has no word.
pub fn split(line: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            blank if blank.is_whitespace() => words.extend(word.take()),
            quote @ ('\'' | '"') => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        None => bail!("`{line}`: the quote {quote} is not closed"),
                        Some(end) if end == quote => break,
                        Some('\\') if quote == '"' => match characters.next() {
                            Some(kept @ ('"' | '\\')) => word.push(kept),
                            Some(other) => word.extend(['\\', other]),
                            None => bail!("`{line}`: the quote {quote} is not closed"),
                        },
                        Some(kept) => word.push(kept),
                    }
                }
            }
            '\\' => match characters.next() {
                Some(kept) => word.get_or_insert_default().push(kept),
                None => bail!("`{line}`: nothing follows the last backslash"),
            },
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    if words.is_empty() {
        bail!("the command is empty; name a program");
    }
    Ok(words)
}

/// Quotes a word so that a shell, and [`split`], read it as one word.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The path by which this program was called, quoted, for a command line that repeats something: a
/// `judge` need not be on the PATH.
pub fn own_path() -> String {
    let path = std::env::args_os().next();
    path.map_or("judge".to_owned(), |path| quote(&path.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        for (line, expected) in [
            ("bot", vec!["bot"]),
            ("  a  b\tc\n", vec!["a", "b", "c"]),
            (r#"a 'b "c' "d 'e""#, vec!["a", "b \"c", "d 'e"]),
            (r#"a\ b "c\"d\n" 'e\'"#, vec!["a b", "c\"d\\n", "e\\"]),
            ("a'b'\"c\"d ''", vec!["abcd", ""]),
        ] {
            assert_eq!(split(line).unwrap(), expected, "{line}");
        }
        for bad in ["", "  ", "a 'b", "a \"b", "a \\", "\"\\"] {
            assert!(split(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn quoting_is_undone_by_splitting() {
        let words = ["a", "", "a b", "it's", "\"", "\\", "$x", "a\nb"];
        let line = words.map(quote).join(" ");
        assert_eq!(split(&line).unwrap(), words);
        assert_eq!(quote("target/release/sapper"), "target/release/sapper");
    }
}
