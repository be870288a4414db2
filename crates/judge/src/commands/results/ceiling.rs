//! A measurement of what is left for play: the engine's games, and how their guesses are chosen
//! again.
//!
//! Invariant: the whole engine plays, and it is compared with nothing.

use std::fmt;

use analysis::review::second_step::SecondStepSettings;
use fixtures::signature::SignaturePart;

use super::games::Games;

/// What is measured.
#[derive(Clone)]
pub struct Ceiling {
    pub games: Games,
    /// How guesses are chosen again.
    pub step: SecondStepSettings,
}

impl Ceiling {
    /// The options of the playouts.
    pub fn options(&self) -> String {
        let SecondStepSettings { policy, playouts, candidates, .. } = self.step;
        format!("--policy {policy} --playouts {playouts} --candidates {candidates}")
    }

    /// The parts of the signature that tell the play: the engine's, and that of the playouts.
    pub fn signature_parts(&self) -> [SignaturePart; 2] {
        let SecondStepSettings { objective, effort, policy, .. } = self.step;
        [effort, policy].map(|effort| SignaturePart { effort, objective })
    }
}

/// What is measured: two measurements with the same text have the same results.
impl fmt::Display for Ceiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ceiling of {}, {}", self.games, self.options())
    }
}
