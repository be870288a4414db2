//! The faults of bots: their names, the platform's verdicts, and their details.

use std::fmt;

/// The name of [`Fault::NotStarted`].
pub const NOT_STARTED: &str = "not-started";

/// What a bot did instead of a legal answer, with the details.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It did not answer in time, or did not end in time after its answer.
    Timeout,
    /// It ended by a signal, with an exit code other than 0, or without an answer although it had
    /// asked to be kept running.
    Crash(String),
    /// Its answer is not a cell that may be opened.
    Illegal(String),
    /// Its output is not JSON.
    NotJson(String),
    /// It printed more than [`super::process::OUTPUT_LIMIT`].
    OutputLimit(String),
    /// It used more memory than allowed.
    MemoryLimit(String),
    /// It printed an answer before the request.
    Unasked(String),
    /// It could not be started again.
    NotStarted(String),
    /// Every cell is open and the game has not ended: the field has other mines than announced.
    Stalled,
}

impl Fault {
    /// The name that faults are counted by, and the platform's verdict: `OK` if the judge of the
    /// game decides, and `RE` where the platform has none.
    pub fn names(&self) -> (&'static str, &'static str) {
        match self {
            Fault::Timeout => ("timeout", "TLE"),
            Fault::Crash(_) => ("crash", "RE"),
            Fault::Illegal(_) => ("illegal", "OK"),
            Fault::NotJson(_) => ("not-json", "NJ"),
            Fault::OutputLimit(_) => ("output-limit", "OLE"),
            Fault::MemoryLimit(_) => ("memory-limit", "MLE"),
            Fault::Unasked(_) => ("unasked", "RE"),
            Fault::NotStarted(_) => (NOT_STARTED, "RE"),
            Fault::Stalled => ("stalled", "OK"),
        }
    }

    /// The details, if there are any.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Fault::Timeout | Fault::Stalled => None,
            Fault::Crash(why)
            | Fault::Illegal(why)
            | Fault::NotJson(why)
            | Fault::OutputLimit(why)
            | Fault::MemoryLimit(why)
            | Fault::Unasked(why)
            | Fault::NotStarted(why) => Some(why),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = self.names();
        match self.reason() {
            Some(reason) => write!(f, "{name} ({reason})"),
            None => f.write_str(name),
        }
    }
}
