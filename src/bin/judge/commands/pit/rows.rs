//! The CSV of a pit: a row a game, in the order of the boards and of the bots on each, whatever
//! order the games end in.
//!
//! Invariant: its rows are the games that the report counts, the rows of a board together; those of
//! the journal too.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use csv::Writer;
use serde::Serialize;

use super::journal::Game;
use crate::cli::units::measured_mebibytes;

/// A game as a row; the names are the columns.
#[derive(Serialize)]
struct Row<'a> {
    seed: i32,
    bot: &'a str,
    /// `done`, or the kind of the fault.
    outcome: &'a str,
    score: f64,
    mines: u32,
    turns: usize,
    /// Times are sums over the turns; the slowest is by the wall's clock.
    cpu_ms: f64,
    wall_ms: f64,
    slowest_ms: f64,
    /// Empty where none was seen.
    memory_mb: Option<f64>,
    left_behind: u32,
    /// What exactly the fault was; empty without one.
    reason: &'a str,
}

/// The file as it grows.
pub struct Rows {
    path: PathBuf,
    file: Writer<File>,
}

impl Rows {
    /// Begins the file anew.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn start(path: &Path) -> Result<Rows> {
        let file = File::create(path).with_context(|| cannot(path))?;
        Ok(Rows { path: path.to_owned(), file: Writer::from_writer(file) })
    }

    /// Writes the games of a board.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add(&mut self, board: &[Game]) -> Result<()> {
        let written = board.iter().try_for_each(|game| self.file.serialize(row(game)));
        let written = written.and_then(|()| Ok(self.file.flush()?));
        written.with_context(|| cannot(&self.path))
    }
}

fn cannot(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

fn row(game: &Game) -> Row<'_> {
    let sum = |times: &[u64]| milliseconds(times.iter().sum());
    Row {
        seed: game.seed,
        bot: &game.bot,
        outcome: &game.outcome,
        score: game.score,
        mines: game.mines,
        turns: game.wall.len(),
        cpu_ms: sum(&game.cpu),
        wall_ms: sum(&game.wall),
        slowest_ms: milliseconds(game.wall.iter().copied().max().unwrap_or(0)),
        memory_mb: measured_mebibytes(game.memory),
        left_behind: game.left,
        reason: game.reason.as_deref().unwrap_or(""),
    }
}

fn milliseconds(micros: u64) -> f64 {
    micros as f64 / 1e3
}
