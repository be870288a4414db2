//! The faults of bots: their names, the platform's verdicts, and their details.

use std::fmt;

use serde_json::Value;

use super::pipes::shortened;
use crate::runner::system::Exit;

/// The name of [`Fault::Timeout`].
pub const TIMEOUT: &str = "timeout";
/// The name of [`Fault::NotStarted`].
pub const NOT_STARTED: &str = "not-started";
/// An answer, for the message of a bot that gave none.
pub const ANSWER_FORM: &str = r#"{"response":{"row":R,"col":C}}"#;

/// What a bot did instead of a legal answer, with the details.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It did not answer in time, or did not end in time after its answer.
    Timeout(String, Stuck),
    /// It ended by a signal, with an exit code other than 0, or without an answer although it had
    /// asked to be kept running.
    Crash(String, Exit),
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

/// What a bot did when its time was over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// It computed, or nothing else is known.
    Computing,
    /// It waited, and had printed nothing.
    Silent,
    /// It waited, and had printed something that is no answer.
    NoAnswer,
    /// It waited, and had printed its answer.
    AfterAnswer,
    /// It waited for the end of its input, and answered when its input was closed.
    EndOfInput,
}

impl Fault {
    /// The fault of a bot that ended with a failure, or without an answer although it had asked to
    /// be kept running.
    pub fn crash(exit: Exit) -> Fault {
        let why = match exit {
            Exit::Code(0) => "exit code 0, although it had asked to be kept running".to_owned(),
            // A status of Windows, such as 0xC0000005, an access to memory that is not there.
            Exit::Code(code) if code < 0 => format!("exit code 0x{code:08X}"),
            Exit::Code(code) => format!("exit code {code}"),
            Exit::Signal(signal) => format!("signal {signal}"),
            Exit::Unknown => "the system lost its exit code".to_owned(),
        };
        Fault::Crash(why, exit)
    }

    /// The fault of an output that is not JSON.
    pub fn not_json(text: &str, error: &serde_json::Error) -> Fault {
        let hint = if has_answer(text) {
            "only the answer may stand on standard output; debug goes to standard error, or into \
             the answer's \"debug\""
                .to_owned()
        } else {
            format!("expected {ANSWER_FORM}")
        };
        Fault::NotJson(format!("{error} in `{}`; {hint}", shortened(text)))
    }

    /// The fault of an answer without a `response`.
    pub fn no_response(answer: &Value) -> Fault {
        let answer = shortened(&answer.to_string());
        Fault::Illegal(format!("no `response` in {answer}; expected {ANSWER_FORM}"))
    }

    /// The name that faults are counted by, and the platform's verdict: `OK` if the judge of the
    /// game decides, and `RE` where the platform has none.
    pub fn names(&self) -> (&'static str, &'static str) {
        match self {
            Fault::Timeout(..) => (TIMEOUT, "TLE"),
            Fault::Crash(..) => ("crash", "RE"),
            Fault::Illegal(_) => ("illegal", "OK"),
            Fault::NotJson(_) => ("not-json", "NJ"),
            Fault::OutputLimit(_) => ("output-limit", "OLE"),
            Fault::MemoryLimit(_) => ("memory-limit", "MLE"),
            Fault::Unasked(_) => ("unasked", "RE"),
            Fault::NotStarted(_) => (NOT_STARTED, "RE"),
            Fault::Stalled => ("stalled", "OK"),
        }
    }

    /// The name of the fault that a log has with this verdict, as far as the verdict tells.
    pub fn name_by_verdict(verdict: &str) -> &'static str {
        let of = |kind: fn(String) -> Fault| kind(String::new());
        let known = [
            of(|why| Fault::Timeout(why, Stuck::Computing)),
            Fault::crash(Exit::Unknown),
            of(Fault::NotJson),
            of(Fault::OutputLimit),
            of(Fault::MemoryLimit),
        ];
        let names = known.iter().map(Fault::names).find(|(_, found)| *found == verdict);
        names.map_or("illegal", |(name, _)| name)
    }

    /// The details, if there are any.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Fault::Stalled => None,
            Fault::Timeout(why, _)
            | Fault::Crash(why, _)
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

/// Whether there is an answer anywhere in a text: an object with a `response`.
pub fn has_answer(text: &str) -> bool {
    /// The last objects that are looked at: an answer follows what a bot printed before it.
    const MAX_OBJECTS: usize = 100;
    text.rmatch_indices('{').take(MAX_OBJECTS).any(|(start, _)| {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        matches!(values.next(), Some(Ok(value)) if value.get("response").is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_among_other_text() {
        let answer = r#"{"response":{"row":0,"col":1},"debug":{"a":{}}}"#;
        for text in [answer, &format!("{{ x {answer}"), &format!("[1]\n{answer}\nbye }}")] {
            assert!(has_answer(text), "{text}");
        }
        for text in ["", "{", "{}", r#"{"row":0,"col":1}"#, r#"{"response":{"row""#] {
            assert!(!has_answer(text), "{text}");
        }
    }
}
