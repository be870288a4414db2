//! Options and values of former versions: each is refused with what to give instead.

use anyhow::{Result, bail};
use clap::error::{ContextKind, ContextValue, ErrorKind};

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
    let given = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let option = given(ContextKind::InvalidArg);
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
    let value = given(ContextKind::InvalidValue);
    if error.kind() == ErrorKind::InvalidValue
        && let Some((_, new)) = VALUES.iter().find(|(former, _)| value == *former)
    {
        bail!("{value} is {new} now");
    }
    Ok(())
}
