//! The rule of a game and the size of a board, as options.

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use game::board_gen::{Start, generate};
use game::level::Level;
use game::record::Record;
use game::simulate::Rule;
use sapper::{Cell, Shape};

use crate::cli::{RowColumn, parse_count, parse_integer};

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
    /// The name of the rule by which a game was set up.
    pub fn of(start: Start) -> RuleName {
        match start {
            Start::Chosen => RuleName::Botzone,
            Start::Safe(_) => RuleName::SafeFirst,
            Start::Open(_) => RuleName::OpenFirst,
        }
    }

    /// The rule by which a recorded game was played, as far as the record tells; else Botzone's.
    pub fn of_record(record: &Record) -> RuleName {
        record.setup().map_or(RuleName::Botzone, |setup| RuleName::of(setup.start))
    }

    /// The rule of this name for boards of `level`. `first` is a corner by default.
    ///
    /// # Errors
    /// Fails for a first cell that is outside the field, or under Botzone's rules. Fails if the
    /// mines do not fit.
    pub fn start(self, level: Level, first: Option<RowColumn>) -> Result<Start> {
        let Level { shape, mines } = level;
        let RowColumn { row, column } = first.unwrap_or(RowColumn { row: 0, column: 0 });
        let Some(cell) = shape.cell(row, column) else {
            let (columns, rows) = (shape.columns(), shape.rows());
            bail!(
                "--first {row},{column} is outside the field: rows are 0 to {}, columns 0 to {}",
                rows - 1,
                columns - 1
            );
        };
        if self == RuleName::Botzone && first.is_some() {
            bail!("under botzone the bot chooses its first cell: omit --first");
        }
        let start = self.start_at(cell);
        // Whether the mines fit does not depend on the seed.
        generate(shape, mines, start, 0)
            .context("too many mines for this level, rule and first cell")?;
        Ok(start)
    }

    /// The rule of this name with `first` as the first cell, if the rule opens one.
    pub fn start_at(self, first: Cell) -> Start {
        match self {
            RuleName::Botzone => Start::Chosen,
            RuleName::SafeFirst => Start::Safe(first),
            RuleName::OpenFirst => Start::Open(first),
        }
    }

    /// The rule of play.
    pub fn rule(self) -> Rule {
        match self {
            RuleName::Botzone => Rule::Botzone,
            RuleName::SafeFirst | RuleName::OpenFirst => Rule::Classic,
        }
    }
}
