//! The rule of a game and the size of a board, as options.

use anyhow::{Context, Result, bail};
use game::board_gen::generate;
use game::level::Level;
use game::rule::{Rule, Start};

use crate::cli::RowColumn;

/// The size and the mines of the boards.
#[derive(clap::Args)]
pub struct LevelOptions {
    /// Size and mines of the boards: beginner (9x9/10), intermediate (16x16/40), expert (30x16/99),
    /// botzone (30x20/80), or WIDTHxHEIGHT/MINES [default: botzone]
    #[arg(long)]
    level: Option<Level>,
}

impl LevelOptions {
    /// The level that the option names.
    pub fn level(&self) -> Level {
        self.level.unwrap_or_else(|| "botzone".parse().expect("a named level"))
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
