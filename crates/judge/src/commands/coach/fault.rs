//! The faults that end games, of bots that play now and of recorded games.

use analysis::review::frames::RecordedGame;
use analysis::review::outcome::End;
use serde_json::{Value, json};

use crate::report::FaultReport;
use crate::runner::bots::{Fault, GameResult};

/// A fault that ended a game.
pub struct GameFault {
    /// The file of the game, or its seed.
    pub game: String,
    /// Counted from 0.
    pub turn: usize,
    /// The name of the fault.
    pub outcome: String,
    /// What else is told of it, where the game was played now.
    pub report: Option<(GameResult, FaultReport)>,
}

impl GameFault {
    /// The fault of the game called `name`, if it had one: as it was played now, or as far as its
    /// log tells.
    pub fn of(
        name: &str,
        game: &RecordedGame,
        played: Option<(GameResult, FaultReport)>,
    ) -> Option<GameFault> {
        let outcome = match &played {
            Some((game, _)) => game.outcome.clone(),
            None => {
                let outcome = game.outcome();
                let has_fault = outcome.end == End::Fault;
                has_fault.then(|| Fault::name_by_verdict(&outcome.verdict).to_owned())?
            }
        };
        let turn = game.record().answers().saturating_sub(1);
        Some(GameFault { game: name.to_owned(), turn, outcome, report: played })
    }

    /// The fault as text.
    pub fn text(&self) -> String {
        let GameFault { game: name, turn, outcome, report } = self;
        match report {
            Some((game, report)) => {
                format!("seed {}: {}{}", game.seed, game.outcome_text(), report.text())
            }
            None => format!("{name}: {outcome} in turn {turn}"),
        }
    }

    /// The fault as JSON.
    pub fn json(&self) -> Value {
        let GameFault { game: name, turn, outcome, report } = self;
        let known = json!({"turn": turn, "outcome": outcome});
        let mut fault = report.as_ref().map_or(known, |(game, report)| report.json(game));
        fault["game"] = json!(name);
        fault
    }
}
