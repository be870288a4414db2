//! Command lines: splitting into words like the shell of the system, and quoting for it.
//!
//! No shell runs a command line: variables, pipes and redirections outside of quotes are refused,
//! and a command line that needs them starts a shell, such as `sh -c '...'`. Patterns are passed
//! on.

use anyhow::{Context, Result, bail, ensure};

use super::system::{self, Conventions};

/// Splits a command line into its words, at least one.
///
/// # Errors
/// Fails if a quote is not closed, if there is no word, or if only a shell could act on the line.
pub fn split(line: &str) -> Result<Vec<String>> {
    let words =
        system::split_command(line).with_context(|| format!("`{line}`: missing closing quote"))?;
    ensure!(!words.is_empty(), "the command is empty; name a program");
    let system = Conventions::HERE;
    if let Some(syntax) = system.shell_syntax(line) {
        bail!(
            "`{line}`: no shell runs a command, and `{syntax}` would be an argument as it is; \
             start a shell: {}, or put it in quotes if it is an argument",
            system.with_shell(line, quote)
        );
    }
    Ok(words)
}

/// Quotes a word so that a shell, and [`split`], read it as one word.
pub fn quote(word: &str) -> String {
    system::quote_word(word)
}

/// Quotes words so that [`split`] reads the same words, also when a shell has read the line as one
/// word.
pub fn join(words: &[String]) -> String {
    let quoted = words.iter().map(|word| Conventions::HERE.quote_within(word, quote));
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_a_shell_is_refused_with_the_command_that_starts_one() {
        let error = split("cat | head").unwrap_err().to_string();
        let expected = "`cat | head`: no shell runs a command, and `|` would be an argument as it \
                        is; start a shell: \"sh -c 'cat | head'\", or put it in quotes if it is an \
                        argument";
        assert_eq!(error, expected);
        assert_eq!(split("sh -c 'cat | head'").unwrap(), ["sh", "-c", "cat | head"]);
        assert_eq!(split("bot '|'").unwrap(), ["bot", "|"]);
        // What is advised is one word, and then a command of a shell.
        for line in ["cat | head", "cat '$a' > \"b\"", "cat $HOME/a\\|b"] {
            let advised = Conventions::Posix.with_shell(line, quote);
            let [command] = &split(&advised).unwrap()[..] else { panic!("{advised}") };
            assert_eq!(split(command).unwrap(), ["sh", "-c", line]);
        }
    }
}
