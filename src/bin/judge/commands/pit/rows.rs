//! The CSV file of a pit: a row for each game, in the order of the boards and of the bots on each.
//!
//! The games are those that the report counts, including those from the journal.

use serde::Serialize;

use super::journal::GameResult;
use crate::cli::units::measured_mebibytes;

/// The columns. Times are sums over all turns, except `slowest_ms`; `memory_mb` is empty if no
/// memory was sampled, `reason` without a fault.
pub const COLUMNS: [&str; 12] = [
    "seed",
    "bot",
    "outcome",
    "score",
    "mines",
    "turns",
    "cpu_ms",
    "wall_ms",
    "slowest_ms",
    "memory_mb",
    "left_behind",
    "reason",
];

/// The row of a game.
pub fn row(game: &GameResult) -> impl Serialize + use<'_> {
    let milliseconds = |micros: u64| micros as f64 / 1e3;
    (
        game.seed,
        &game.bot,
        &game.outcome,
        game.score,
        game.mines,
        game.wall_micros.len(),
        milliseconds(game.cpu_micros.iter().sum()),
        milliseconds(game.wall_micros.iter().sum()),
        milliseconds(game.wall_micros.iter().copied().max().unwrap_or(0)),
        measured_mebibytes(game.peak_bytes),
        game.left_behind,
        &game.reason,
    )
}
