//! Command lines that the parser refuses, with more to say than the parser knows: options and
//! values of former versions, and bots without their option.

use std::path::Path;

use anyhow::{Result, bail};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::runner::shell_words::quote;
use crate::runner::system::{Conventions, find_program};

const SIZE: &str = "give --level WIDTHxHEIGHT/MINES, such as --level 9x9/10";

/// The former options, and what to do instead.
const OPTIONS: [(&str, &str); 8] = [
    ("--width", SIZE),
    ("--height", SIZE),
    ("--mines", SIZE),
    ("--sprt-on", "--sprt tests the score, or with --adjusted the adjusted score; omit it"),
    ("--match-time-limit", "the match has the time limit of the site; omit it"),
    ("--fault-seed", "the faults are the same in every run; omit it"),
    ("--hold", "the fake server holds a poll for half a second; omit it"),
    ("--picture", "give --draw"),
];

/// The former values of options, and the values that replace them.
const VALUES: [(&str, &str); 2] = [("two-moves", "look-ahead"), ("playing-on", "rollouts")];

/// Refuses a command line that the parser refused for an option or a value of a former version.
///
/// # Errors
/// Says what to give instead.
pub fn refuse_former(error: &clap::Error) -> Result<()> {
    let option = given(error, ContextKind::InvalidArg);
    let find = |(former, _): &&(&str, &str)| option == *former;
    if error.kind() == ErrorKind::UnknownArgument
        && let Some((_, hint)) = OPTIONS.iter().find(find)
    {
        bail!("there is no {option} any more: {hint}");
    }
    if error.kind() == ErrorKind::UnknownArgument && option == "--skipfirst" {
        bail!(
            "this command has no --skipfirst: in a game that begins with open cells not all \
             layouts are equally likely"
        );
    }
    let value = given(error, ContextKind::InvalidValue);
    if error.kind() == ErrorKind::InvalidValue
        && let Some((_, new)) = VALUES.iter().find(|(former, _)| value == *former)
    {
        bail!("{value} is {new} now");
    }
    Ok(())
}

/// Refuses a command line with a word that no option takes, if the command named by the first of
/// `words` has the option `--bot`: the word is a bot then.
///
/// # Errors
/// Says how the bot is given.
pub fn refuse_bare_bot(
    error: &clap::Error,
    parser: &clap::Command,
    words: impl IntoIterator<Item = String>,
) -> Result<()> {
    let word = given(error, ContextKind::InvalidArg);
    if error.kind() != ErrorKind::UnknownArgument || word.is_empty() || word.starts_with('-') {
        return Ok(());
    }
    let mut command = parser;
    for word in words {
        let Some(subcommand) = command.find_subcommand(word) else { break };
        command = subcommand;
    }
    let has = |long| command.get_arguments().any(|argument| argument.get_long() == Some(long));
    // An option whose value may be left out takes none that stands apart.
    let is_number = |part: &str| part.parse().is_ok_and(f64::is_finite);
    let is_pair = word.split_once(',').is_some_and(|(low, high)| is_number(low) && is_number(high));
    if has("sprt") && is_pair {
        bail!("`{word}` belongs to no option; hypotheses are given by --sprt={word}");
    }
    if has("bot") {
        bail!("`{word}` belongs to no option; a bot is given by --bot {}", command_line(word));
    }
    Ok(())
}

/// The value of `--bot` that starts what a person has named, as it is typed.
fn command_line(word: &str) -> String {
    let here = Conventions::HERE;
    let is_here = Path::new(word).is_file() && find_program(word).is_none();
    match here.interpreter(word) {
        Some(_) => here.with_interpreter(word, quote),
        None if is_here => quote(&here.in_this_folder(word)),
        None => quote(word),
    }
}

/// What the parser's error is about.
fn given(error: &clap::Error, kind: ContextKind) -> &str {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text,
        _ => "",
    }
}
