//! The row of a game of a bot in a CSV file.

use serde::Serialize;

use crate::runner::bots::GameResult;
use crate::runner::units::measured_mebibytes;

/// A row of a CSV file of games. Its fields are the columns.
#[derive(Default, Serialize)]
pub struct GameRow<'a> {
    /// The seed.
    index: i32,
    bot: &'a str,
    /// 1 without a mine opened and without a fault, else 0.
    won: u8,
    /// Mines opened; blank after a fault.
    hits: Option<u32>,
    outcome: &'a str,
    score: f64,
    turns: usize,
    /// Sums over all turns.
    cpu_ms: f64,
    wall_ms: f64,
    slowest_ms: f64,
    /// Blank if no memory was sampled.
    memory_mb: Option<f64>,
    left_behind: u32,
    /// Blank without a fault.
    reason: Option<&'a str>,
    /// Both are blank where not all layouts are equally likely.
    adjusted_hits: Option<f64>,
    adjusted_won: Option<f64>,
    /// All that determines the game but its seed.
    options: String,
}

impl GameRow<'_> {
    /// The row of a game. `options` are all that determines the game but its seed.
    pub fn of(game: &GameResult, options: String) -> GameRow<'_> {
        let milliseconds = |micros: u64| micros as f64 / 1e3;
        GameRow {
            index: game.seed,
            bot: &game.bot,
            won: u8::from(game.is_clean()),
            hits: game.counted_hits(),
            outcome: &game.outcome,
            score: game.score,
            turns: game.wall_micros.len(),
            cpu_ms: milliseconds(game.cpu_micros.iter().sum()),
            wall_ms: milliseconds(game.wall_micros.iter().sum()),
            slowest_ms: game.slowest_ms(),
            memory_mb: measured_mebibytes(game.peak_bytes),
            left_behind: game.left_behind,
            reason: game.reason.as_deref(),
            adjusted_hits: game.adjusted_hits(),
            adjusted_won: game.adjusted_won(),
            options,
        }
    }
}
