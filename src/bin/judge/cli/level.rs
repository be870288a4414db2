//! The rule of a game and the size of a board, as options.

use anyhow::{Context, Result};
use clap::ValueEnum;
use sapper::board::geometry::Shape;
pub use sapper::referee::level::Level;
use sapper::referee::simulate::Rule;

use super::parse::{parse_count, parse_integer};

/// The size and the mines of the boards. The default is [`Level`]'s `botzone`.
#[derive(clap::Args)]
pub struct LevelOptions {
    /// beginner (9x9/10), intermediate (16x16/40), expert (30x16/99), botzone (30x20/80), or
    /// WIDTHxHEIGHT/MINES [default: botzone]
    #[arg(long, conflicts_with_all = ["width", "height", "mines"])]
    level: Option<Level>,
    /// Columns, instead of --level
    #[arg(long, default_value_t = 30, value_parser = parse_count::<u32>)]
    width: u32,
    /// Rows, instead of --level
    #[arg(long, default_value_t = 20, value_parser = parse_count::<u32>)]
    height: u32,
    /// Mines, instead of --level
    #[arg(long, default_value_t = 80, value_parser = parse_integer::<u32>)]
    mines: u32,
}

impl LevelOptions {
    /// The level that the options name.
    ///
    /// # Errors
    /// Fails if the board is too small or too large.
    pub fn level(&self) -> Result<Level> {
        let LevelOptions { level, width, height, mines } = *self;
        let shape = || Shape::new(height.into(), width.into()).context("--width, --height");
        level.map_or_else(|| Ok(Level { shape: shape()?, mines }), Ok)
    }
}

/// The rule of a game, with its promise about the first cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RuleName {
    /// The bot chooses the first cell, which may be a mine; a hit does not end the game
    Botzone,
    /// The first cell is opened for the bot and is safe (XP); a hit ends the game
    SafeFirst,
    /// The first cell is opened for the bot and has no mine around it (Win7); a hit ends the game
    OpenFirst,
}

impl RuleName {
    /// The rule of play.
    pub fn rule(self) -> Rule {
        match self {
            RuleName::Botzone => Rule::Botzone,
            RuleName::SafeFirst | RuleName::OpenFirst => Rule::Classic,
        }
    }
}
