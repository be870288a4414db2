//! `judge results`: a list of measurements, made by one command and stored as figures.
//!
//! | file | holds |
//! |---|---|
//! | [`list`] | the measurements |
//! | [`player`] | how a measurement plays a board: the engine, or a bot's games as clicks |
//! | [`bot_games`], [`told_games`] | the games of bots, and the file of a bot's games |
//! | [`figure`], [`machine`] | a stored figure: its sums, and how and where they were made |
//! | [`store`] | the file of stored figures |
//! | [`mod@run`] | plays what is missing |
//! | [`show`] | tables of the figures |
//! | [`join`] | brings the figures of shares together |
//! | [`fill`] | writes figures into the place-holders of pages |
//! | [`folder`] | where these files are |
//!
//! Invariant: a figure is a sum over boards that the list names, by a player that the list names.
//! No figure is typed.

mod bot_games;
mod figure;
mod fill;
mod folder;
mod join;
mod list;
mod machine;
mod player;
mod run;
mod show;
mod store;
mod told_games;

use anyhow::Result;
use clap::Subcommand;

use crate::cli::Outcome;

/// Measure what a list names, and show, join or write up the stored figures.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Results,
}

/// The commands, in the order in which `judge results --help` lists them.
#[derive(Subcommand)]
enum Results {
    Run(run::Arguments),
    Show(show::Arguments),
    Join(join::Arguments),
    Fill(fill::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    match &arguments.command {
        Results::Run(arguments) => run::run(arguments),
        Results::Show(arguments) => show::run(arguments),
        Results::Join(arguments) => join::run(arguments),
        Results::Fill(arguments) => fill::run(arguments),
    }
}
