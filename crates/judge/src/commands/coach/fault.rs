//! The faults that end games, of bots that play now and of recorded games.

use analysis::review::outcome::RecordEnd;
use analysis::review::recorded_game::RecordedGame;
use analysis::review::reviewed_game::ReviewedGame;
use serde::Serialize;

use crate::report::NamedFault;
use crate::runner::bots::Fault;

/// A fault that ended a game.
#[derive(Serialize)]
pub struct GameFault {
    /// The file of the game, or its seed.
    game: String,
    #[serde(flatten)]
    fault: Source,
}

/// What is told of the fault.
#[derive(Serialize)]
#[serde(untagged)]
enum Source {
    /// Of a game that was played now.
    Played(NamedFault),
    /// Of a recorded game, as far as its log tells; the turn is counted from 0.
    Recorded { turn: usize, outcome: &'static str },
}

impl GameFault {
    /// The fault of the game called `name`, if it had one: as it was played now, or as far as its
    /// log tells.
    pub fn of(name: &str, game: &RecordedGame, played: Option<NamedFault>) -> Option<GameFault> {
        let outcome = game.outcome();
        let recorded = || {
            let turn = game.record().answers().saturating_sub(1);
            let outcome = Fault::name_by_verdict(&outcome.verdict);
            Source::Recorded { turn, outcome }
        };
        let fault = match played {
            Some(fault) => Some(Source::Played(fault)),
            None => (outcome.end == RecordEnd::Fault).then(recorded),
        };
        Some(GameFault { game: name.to_owned(), fault: fault? })
    }

    /// The name of the fault.
    pub fn outcome(&self) -> &str {
        match &self.fault {
            Source::Played(fault) => &fault.outcome,
            Source::Recorded { outcome, .. } => outcome,
        }
    }

    /// The fault as text.
    pub fn text(&self) -> String {
        match &self.fault {
            Source::Played(fault) => fault.text(),
            Source::Recorded { turn, outcome } => {
                format!("{}: {outcome} in turn {turn}", self.game)
            }
        }
    }
}
