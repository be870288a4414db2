//! The rule of a game and the size of a board, as options.

use anyhow::{Context, Result, bail};
use game::board_gen::generate;
use game::level::Level;
use game::rule::{Rule, Start};
use sapper::Shape;

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

/// A rule on boards of `level`, with its first cell: a corner by default.
///
/// # Errors
/// Fails for a first cell that is outside the field, or under Botzone's rule. Fails if the mines do
/// not fit.
pub fn checked_start(rule: Rule, level: Level, first: Option<RowColumn>) -> Result<Start> {
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
    if !rule.is_classic() && first.is_some() {
        bail!("under {rule} the bot chooses its first cell: omit --first");
    }
    let start = Start::new(rule, cell);
    // Whether the mines fit does not depend on the seed.
    generate(shape, mines, start, 0)
        .context("too many mines for this level, rule and first cell")?;
    Ok(start)
}
