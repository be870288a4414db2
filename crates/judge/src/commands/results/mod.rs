//! `judge results`: a list of measurements, made by one command and stored as figures.
//!
//! | file | holds |
//! |---|---|
//! | [`list`] | the lines of the list |
//! | [`mod@measurement`] | a measurement: its kind, its sizes and its parts |
//! | [`games`], [`odds`] | what is measured of games, and of exact odds |
//! | [`ceiling`] | what is measured of the strength that is left |
//! | [`player`] | how a measurement plays a board: the engine, or a bot's games as clicks |
//! | [`bot_games`], [`told_games`] | the games of bots, and the file of a bot's games |
//! | [`odds_program`] | the odds that a program prints |
//! | [`part`], [`game_part`], [`odds_part`], [`ceiling_part`] | a part that is measured |
//! | [`figure`], [`machine`] | a stored figure: its sums, and how and where they were made |
//! | [`game_sums`], [`odds_sums`] | the sums of a part |
//! | [`store`] | the file of stored figures |
//! | [`mod@run`] | measures what is missing |
//! | [`show`], [`efforts_table`] | tables of the figures |
//! | [`game_report`], [`odds_report`], [`ceiling_report`] | the figures of each kind |
//! | [`join`] | brings the figures of shares together |
//! | [`fill`] | writes figures into the place-holders of pages |
//! | [`folder`] | where these files are |
//!
//! Invariant: a figure is a sum over boards or positions that the list names, by a player or a
//! program that the list names. No figure is typed.

mod bot_game;
mod bot_games;
mod ceiling;
mod ceiling_part;
mod ceiling_report;
mod efforts_table;
mod figure;
mod fill;
mod folder;
mod game_part;
mod game_report;
mod game_sums;
mod games;
mod join;
mod list;
mod machine;
mod measurement;
mod odds;
mod odds_part;
mod odds_program;
mod odds_report;
mod odds_sums;
mod part;
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
