//! The report of a bot's fault: the turn, the command that repeats the game, the bot's messages.

use std::fmt::Write as _;

use serde::Serialize;

use crate::runner::bots::GameResult;
use crate::runner::messages::escaped;

/// What is told of a fault besides its name.
#[derive(Clone, Serialize)]
pub struct FaultReport {
    /// The turn of the fault, counted from 0 as in `requests[0]`, `judge explain --turn` and `judge
    /// replay`; `None` before the first.
    turn: Option<usize>,
    reason: Option<String>,
    stderr: String,
    /// The command that plays the game again.
    again: String,
}

/// A fault with its game and its name.
#[derive(Clone, Serialize)]
pub struct NamedFault {
    /// The seed, or the number of the board in its file.
    seed: i32,
    /// What this number is called.
    #[serde(skip)]
    unit: &'static str,
    /// The name of the fault.
    pub outcome: String,
    #[serde(flatten)]
    report: FaultReport,
}

impl NamedFault {
    /// The number of the board, the name and the details, and the lines of [`FaultReport::text`].
    pub fn text(&self) -> String {
        let NamedFault { seed, unit, outcome, report } = self;
        let reason = report.reason.as_ref().map(|reason| format!(" ({reason})"));
        format!("{unit} {seed}: {outcome}{}{}", reason.unwrap_or_default(), report.text())
    }
}

impl FaultReport {
    /// The report with the name of the fault of this game, and the number of its board, which is
    /// called `unit`.
    pub fn named(self, game: &GameResult, unit: &'static str) -> NamedFault {
        NamedFault { seed: game.seed, unit, outcome: game.outcome.clone(), report: self }
    }

    /// The fault of a game, if it had one. `again` gives the command that plays it again.
    pub fn of(game: &GameResult, again: impl FnOnce() -> String) -> Option<FaultReport> {
        (!game.is_done()).then(|| FaultReport {
            turn: game.wall_micros.len().checked_sub(1),
            reason: game.reason.clone(),
            stderr: game.stderr.clone(),
            again: again(),
        })
    }

    /// The turn, the command, and the last lines of what the bot wrote to standard error, after a
    /// line with the number of the others.
    pub fn text(&self) -> String {
        const MAX_LINES: usize = 10;
        let turn = self.turn.map_or("before turn 0".to_owned(), |turn| format!("in turn {turn}"));
        let mut text = format!("\n  FAULT {turn}; again: {}", self.again);
        let lines: Vec<&str> = self.stderr.lines().collect();
        let omitted = lines.len().saturating_sub(MAX_LINES);
        if omitted > 0 {
            write!(text, "\n  stderr: ... {omitted} lines before").ok();
        }
        for line in &lines[omitted..] {
            write!(text, "\n  stderr: {}", escaped(line)).ok();
        }
        text
    }
}
