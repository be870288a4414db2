//! The result of a command that could do its work, and the exit code that stands for it.

use std::process::ExitCode;

/// The result of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is wrong.
    Good,
    /// A check failed, or a bot had a fault.
    Failed,
    /// The command was interrupted, and has reported what it had.
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
