//! The result of a command that ran without an error, and its exit code.

use std::process::ExitCode;

/// The result of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// No check failed and no bot had a fault.
    Good,
    /// A check failed, or a bot had a fault.
    Failed,
    /// The command was interrupted and has reported its results so far.
    Interrupted,
}

impl From<bool> for Outcome {
    fn from(good: bool) -> Outcome {
        if good { Outcome::Good } else { Outcome::Failed }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        match outcome {
            Outcome::Good => ExitCode::SUCCESS,
            Outcome::Failed => ExitCode::from(1),
            Outcome::Interrupted => ExitCode::from(130),
        }
    }
}
