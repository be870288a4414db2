//! Command lines: splitting into words like the shell of the system, and quoting for it.
//!
//! Variables, patterns, pipes and redirections are not supported; a command line that needs them
//! starts a shell, such as `sh -c '...'`.

use anyhow::{Context, Result, ensure};

use super::system;

/// Splits a command line into its words, at least one.
///
/// # Errors
/// Fails if a quote is not closed, or if there is no word.
pub fn split(line: &str) -> Result<Vec<String>> {
    let words =
        system::split_command(line).with_context(|| format!("`{line}`: missing closing quote"))?;
    ensure!(!words.is_empty(), "the command is empty; name a program");
    Ok(words)
}

/// Quotes a word so that a shell, and [`split`], read it as one word.
pub fn quote(word: &str) -> String {
    system::quote_word(word)
}

/// Quotes words so that a shell, and [`split`], read the same words.
pub fn join(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}
