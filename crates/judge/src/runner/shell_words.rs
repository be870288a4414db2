//! Command lines: splitting into words like a shell, and quoting for a shell.
//!
//! Variables, patterns, pipes and redirections are not supported; a command line that needs them is
//! `sh -c '...'`.

use anyhow::{Context, Result, ensure};

/// Splits a command line into its words, at least one.
///
/// # Errors
/// Fails if a quote is not closed, or if there is no word.
pub fn split(line: &str) -> Result<Vec<String>> {
    let words = shell_words::split(line).with_context(|| format!("`{line}`"))?;
    ensure!(!words.is_empty(), "the command is empty; name a program");
    Ok(words)
}

/// Quotes a word so that a shell, and [`split`], read it as one word.
pub fn quote(word: &str) -> String {
    shell_words::quote(word).into_owned()
}
