//! The rule of a game and the size of a board, as options.

use clap::ValueEnum;
pub use sapper::referee::level::Level;
use sapper::referee::simulate::Rule;

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
