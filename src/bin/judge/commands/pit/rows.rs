//! The CSV file of a pit: a row for each game, in the order of the boards and of the bots on each.
//!
//! Invariant: the rows are the games that the report counts, including those from the journal. The
//! rows of a board are written together.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use csv::Writer;
use serde::Serialize;

use super::journal::GameResult;
use crate::cli::units::measured_mebibytes;

/// A row; the names of the fields are the columns.
#[derive(Serialize)]
struct Row<'a> {
    seed: i32,
    bot: &'a str,
    /// `done`, or the kind of the fault.
    outcome: &'a str,
    score: f64,
    mines: u32,
    turns: usize,
    /// The sum over all turns, as `wall_ms`.
    cpu_ms: f64,
    wall_ms: f64,
    /// The largest wall time of a turn.
    slowest_ms: f64,
    /// Empty if no memory was sampled.
    memory_mb: Option<f64>,
    left_behind: u32,
    /// The details of the fault; empty without one.
    reason: &'a str,
}

/// The open file.
pub struct Rows {
    path: PathBuf,
    file: Writer<File>,
}

impl Rows {
    /// Creates the file, or empties it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path) -> Result<Rows> {
        let file = File::create(path).with_context(|| cannot_write(path))?;
        Ok(Rows { path: path.to_owned(), file: Writer::from_writer(file) })
    }

    /// Appends the games of a board.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, board: &[GameResult]) -> Result<()> {
        let written = board.iter().try_for_each(|game| self.file.serialize(row(game)));
        let written = written.and_then(|()| Ok(self.file.flush()?));
        written.with_context(|| cannot_write(&self.path))
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

fn row(game: &GameResult) -> Row<'_> {
    let total_ms = |micros: &[u64]| milliseconds(micros.iter().sum());
    Row {
        seed: game.seed,
        bot: &game.bot,
        outcome: &game.outcome,
        score: game.score,
        mines: game.mines,
        turns: game.wall_micros.len(),
        cpu_ms: total_ms(&game.cpu_micros),
        wall_ms: total_ms(&game.wall_micros),
        slowest_ms: milliseconds(game.wall_micros.iter().copied().max().unwrap_or(0)),
        memory_mb: measured_mebibytes(game.peak_bytes),
        left_behind: game.left_behind,
        reason: game.reason.as_deref().unwrap_or(""),
    }
}

fn milliseconds(micros: u64) -> f64 {
    micros as f64 / 1e3
}
