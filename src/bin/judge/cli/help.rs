//! Help texts that fit the terminal.
//!
//! The texts after the options are broken into lines in the source. A narrower terminal would break
//! each of these lines again, with a word left over on every other line. So the lines of a
//! paragraph are joined first, and clap breaks the paragraph where the terminal ends.

use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::Command;

use crate::cli::output;

/// Tells what the command line came to, where that is no command to run: a mistake in it, or the
/// help or version that it asks for, which is output like any other.
pub fn print_and_exit(error: &clap::Error) -> ! {
    if error.use_stderr() {
        error.exit();
    }
    let text = error.render();
    output::write(&match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => text.to_string(),
        _ => text.ansi().to_string(),
    });
    std::process::exit(0)
}

/// The command with the texts of all its own commands in whole paragraphs.
pub fn join_paragraphs(command: Command) -> Command {
    command.mut_subcommands(|command| match command.get_after_help() {
        Some(text) => {
            let text = join(&text.to_string());
            command.after_help(text)
        }
        None => command,
    })
}

/// Every paragraph in one line. What is indented (examples, lists) stays as it is.
fn join(text: &str) -> String {
    let mut joined = String::new();
    let mut in_paragraph = false;
    for line in text.lines() {
        let is_text = !line.is_empty() && !line.starts_with(' ');
        if !joined.is_empty() {
            joined.push(if in_paragraph && is_text { ' ' } else { '\n' });
        }
        joined.push_str(line);
        in_paragraph = is_text;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_flow_and_lists_stay() {
        let text =
            "Examples:\n  judge a\n  judge b\n\nOne\ntwo:\n  three\n  four\nfive\nsix\n\nseven";
        let expected =
            "Examples:\n  judge a\n  judge b\n\nOne two:\n  three\n  four\nfive six\n\nseven";
        assert_eq!(join(text), expected);
        assert_eq!(join(expected), expected);
    }
}
