//! The rule of a game and the size of a board, as options.

use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;
use sapper::board::geometry::Shape;
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

/// A board's size and number of mines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    pub shape: Shape,
    pub mines: u32,
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let size = match text {
            "beginner" => "9x9/10",
            "intermediate" => "16x16/40",
            "expert" => "30x16/99",
            "botzone" => "30x20/80",
            size => size,
        };
        let numbers = || {
            let (sides, mines) = size.split_once('/')?;
            let (columns, rows) = sides.split_once('x')?;
            Some((columns.parse().ok()?, rows.parse().ok()?, mines.parse().ok()?))
        };
        let (columns, rows, mines) = numbers().ok_or_else(|| {
            "give beginner, intermediate, expert, botzone or WIDTHxHEIGHT/MINES, such as 30x16/99"
                .to_owned()
        })?;
        let shape = Shape::new(rows, columns).map_err(|error| error.to_string())?;
        Ok(Level { shape, mines })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}/{}", self.shape.columns(), self.shape.rows(), self.mines)
    }
}
