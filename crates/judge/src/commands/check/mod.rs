//! `judge check`: checks of a program, each a subcommand with its own options.
//!
//! Each subcommand is a file or a folder here, built like a command (see [`super`]).

mod bot;
mod evolve;
mod signature;
mod soak;
mod worst;

use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::Subcommand;

use crate::cli::Outcome;

/// Check whether a bot is ready for Botzone, and whether sapper plays as before and within limits.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    check: Check,
}

/// The checks, in the order in which `judge check --help` lists them.
#[derive(Subcommand)]
enum Check {
    Bot(bot::Arguments),
    Signature(signature::Arguments),
    Worst(worst::Arguments),
    Evolve(evolve::Arguments),
    Soak(soak::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    match &arguments.check {
        Check::Bot(arguments) => bot::run(arguments),
        Check::Signature(arguments) => signature::run(arguments),
        Check::Worst(arguments) => worst::run(arguments),
        Check::Evolve(arguments) => evolve::run(arguments),
        Check::Soak(arguments) => soak::run(arguments),
    }
}

/// Refuses a check that is called without `check`, as before it became a subcommand.
///
/// # Errors
/// Names the command to call instead.
pub fn refuse_old_names(mut arguments: impl Iterator<Item = OsString>) -> Result<()> {
    const OLD_NAMES: [&str; 3] = ["signature", "worst", "soak"];
    let first = arguments.nth(1);
    if let Some(name) = OLD_NAMES.iter().find(|name| first.as_ref().is_some_and(|is| is == **name))
    {
        bail!("`judge {name}` is `judge check {name}` now; its options are the same");
    }
    Ok(())
}
