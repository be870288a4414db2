//! The result of a command that ran without an error, and its exit code.

use std::process::ExitCode;

use crate::runner::messages::errln;

/// The result of a command, by its exit code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// No check failed and no bot had a fault.
    Good = 0,
    /// A check failed, or a bot had a fault.
    Failed = 1,
    /// The command was interrupted and has reported its results so far.
    Interrupted = 130,
}

impl Outcome {
    /// This outcome of a run; one that was interrupted says after how much.
    pub fn unless_interrupted(self, interrupted: bool, after: &str) -> Outcome {
        if !interrupted {
            return self;
        }
        errln!("interrupted{after}");
        Outcome::Interrupted
    }
}

impl From<bool> for Outcome {
    fn from(good: bool) -> Outcome {
        if good { Outcome::Good } else { Outcome::Failed }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(outcome as u8)
    }
}
