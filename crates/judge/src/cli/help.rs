//! Help texts that are wrapped at the width of the terminal.
//!
//! The texts after the options are already wrapped in the source, and clap would wrap every line
//! again, which leaves short lines on a narrow terminal. The lines of a paragraph are therefore
//! joined first.

use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Command};

use crate::cli::output;
use crate::runner::messages::{self, escaped_lines};
use crate::runner::typed::is_launched;

/// Prints clap's result for a command line that runs no command, and exits: an error, or the help
/// or version that was asked for. The latter two go through [`output`].
pub fn print_and_exit(error: &clap::Error) -> ! {
    if error.use_stderr() {
        let plain = error.render().to_string();
        if escaped_lines(&plain) == plain {
            error.exit();
        }
        // Without colours: they would be escaped too.
        messages::write(format_args!("{}", plain.trim_end()));
        std::process::exit(error.exit_code());
    }
    let text = error.render();
    output::write(&match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => text.to_string(),
        _ => text.ansi().to_string(),
    });
    std::process::exit(0)
}

/// Replaces the value that an error quotes, if it does. An empty one is a value that is missing.
pub fn hide_value(error: &mut clap::Error) {
    let value = error.get(ContextKind::InvalidValue);
    if matches!(value, Some(ContextValue::String(text)) if !text.is_empty()) {
        error.insert(ContextKind::InvalidValue, ContextValue::String("(hidden)".to_owned()));
    }
}

/// The order of a help: what the command does, examples, usage, options, and what is after them.
const TEMPLATE: &str = "{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Puts the description and the examples of a command before its options. `-h` and `--help` print
/// the same, each option in few lines. The lines of each paragraph are joined.
pub fn arrange(command: Command) -> Command {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    // A command of commands has no examples.
    let Some(examples) = text.starts_with("Examples:").then_some(text) else { return command };
    let (examples, rest) = examples.split_once("\n\n").unwrap_or((&examples, ""));
    let heading = match is_launched() {
        true => "Examples, with `cargo sapper judge` for `judge`:",
        false => "Examples:",
    };
    let examples = examples.replacen("Examples:", heading, 1);
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let before = format!("{}\n\n{}", join(&about), join(&examples));
    let rest = join(rest);
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort);
    let command = command.help_template(TEMPLATE).before_help(before).after_help(rest);
    command.disable_help_flag(true).arg(help.help("Print help"))
}

/// Joins each paragraph to one line. Indented lines (examples, lists) are kept.
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
    fn paragraphs_are_joined_and_lists_are_kept() {
        let text =
            "Examples:\n  judge a\n  judge b\n\nOne\ntwo:\n  three\n  four\nfive\nsix\n\nseven";
        let expected =
            "Examples:\n  judge a\n  judge b\n\nOne two:\n  three\n  four\nfive six\n\nseven";
        assert_eq!(join(text), expected);
        assert_eq!(join(expected), expected);
    }
}
