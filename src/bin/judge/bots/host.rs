//! One whole game between the judge and a bot, as the platform runs it.
//!
//! Each turn the bot gets the history in one line and answers once. A bot that asks to be kept
//! running then gets the bare request of each further turn; one that does not is started again each
//! turn. What a bot stores in `data` and `globaldata` comes back to it within the game.
//!
//! Invariant: a game always comes to an end and to a complete record. A bot that gives no answer
//! loses by the official judge's own rule for that, and the record says why there is none.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Result;
use sapper::referee::botzone::{BotzoneJudge, End};
use sapper::referee::record::Record;
use sapper::referee::rules::InvalidMove;
use sapper::referee::setup::Setup;
use serde_json::{Value, json};

use crate::bots::command::BotCommand;
use crate::bots::process::{Bot, Fault, MOST_PRINTED, Usage};
use crate::cli::limits::Limits;
use crate::cli::output::escaped;

/// The name of a game whose bot could not be started.
pub const NOT_STARTED: &str = "not-started";

/// How a game came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// By its rules.
    Done,
    /// No answer in time.
    Timeout,
    /// The bot's process failed.
    Crash(String),
    /// The answer names no cell that may be opened.
    Illegal(String),
    /// The answer is no JSON.
    NotJson(String),
    /// More was printed than the platform takes.
    OutputLimit(String),
    /// More memory than is allowed.
    MemoryLimit(String),
    /// An answer to a request that was not yet made.
    Unasked(String),
    /// The system could not start the bot once more.
    NotStarted(String),
    /// Every cell is open and the game does not end: a field with other mines than announced.
    Stalled,
}

impl Outcome {
    /// The name that faults are counted by.
    pub fn kind(&self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Timeout => "timeout",
            Outcome::Crash(_) => "crash",
            Outcome::Illegal(_) => "illegal",
            Outcome::NotJson(_) => "not-json",
            Outcome::OutputLimit(_) => "output-limit",
            Outcome::MemoryLimit(_) => "memory-limit",
            Outcome::Unasked(_) => "unasked",
            Outcome::NotStarted(_) => NOT_STARTED,
            Outcome::Stalled => "stalled",
        }
    }

    /// What exactly happened, where there is more to say than the kind.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Outcome::Crash(why)
            | Outcome::Illegal(why)
            | Outcome::NotJson(why)
            | Outcome::OutputLimit(why)
            | Outcome::MemoryLimit(why)
            | Outcome::Unasked(why)
            | Outcome::NotStarted(why) => Some(why),
            Outcome::Done | Outcome::Timeout | Outcome::Stalled => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            Some(reason) => write!(f, "{} ({reason})", self.kind()),
            None => write!(f, "{}", self.kind()),
        }
    }
}

impl From<Fault> for Outcome {
    fn from(fault: Fault) -> Outcome {
        match fault {
            Fault::Timeout => Outcome::Timeout,
            Fault::Crash(why) => Outcome::Crash(why),
            Fault::NotJson(why) => Outcome::NotJson(why),
            Fault::TooMuch => {
                Outcome::OutputLimit(format!("it printed more than {MOST_PRINTED} bytes"))
            }
            Fault::Memory(why) => Outcome::MemoryLimit(why),
            Fault::Unasked(text) => Outcome::Unasked(format!(
                "it printed `{}` after its answer and before the next request",
                shortened(&text)
            )),
            Fault::NotStarted(why) => Outcome::NotStarted(why),
        }
    }
}

/// A game that was played.
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// The score, 0 after a fault.
    pub score: f64,
    /// Mines opened.
    pub hits: u32,
    /// What each turn that the bot was asked in took.
    pub turns: Vec<Usage>,
    /// The game, to be written down.
    pub record: Record,
    /// The end of what the bot wrote to stderr in a turn that was a fault.
    pub stderr: String,
}

impl Played {
    /// The longest turn.
    pub fn slowest(&self) -> Duration {
        self.turns.iter().map(|turn| turn.wall).max().unwrap_or_default()
    }
}

/// Plays one game.
///
/// # Errors
/// When the setup makes no game, or the bot was never started by its command. One that cannot be
/// started any more is a fault.
pub fn play(setup: &Setup, bot: &BotCommand, limits: Limits) -> Result<Played> {
    let mut judge = BotzoneJudge::new(setup)?;
    let mut record = Record::new(setup);
    record.push_output(judge.first_output());
    let mut host =
        Host { bot, limits, kept: None, history: History::default(), stderr: String::new() };
    let mut request = judge.first_output()["content"]["0"].clone();
    let mut turns = Vec::new();
    let outcome = loop {
        if judge.referee().hidden_len() == 0 {
            break Outcome::Stalled;
        }
        let (answer, usage) = host.ask(&request, turns.len())?;
        turns.push(usage);
        let (verdict, fault, response) = match answer {
            Ok(answer) => match without_response(&answer) {
                Some(why) => ("OK", Some(Outcome::Illegal(why)), Value::Null),
                None => {
                    let response = answer["response"].clone();
                    host.history.push_answer(answer);
                    ("OK", None, response)
                }
            },
            Err(fault) => (verdict(&fault), Some(fault.into()), Value::Null),
        };
        let ruling = judge.answer(&response);
        record.push_answer(verdict, Some(&response).filter(|_| verdict == "OK"));
        record.push_output(&ruling.output);
        match (fault, ruling.end) {
            (Some(fault), _) => break fault,
            (None, Some(End::Finished)) => break Outcome::Done,
            (None, Some(End::Invalid(why))) => {
                break Outcome::Illegal(invalid_text(why, &response));
            }
            (None, None) => request = ruling.output["content"]["0"].clone(),
        }
    };
    if let Some(bot) = host.kept.take() {
        bot.close();
    }
    let score = if outcome == Outcome::Done { judge.referee().score() } else { 0.0 };
    let hits = judge.referee().hits();
    Ok(Played { outcome, score, hits, turns, record, stderr: host.stderr })
}

/// What the platform calls it.
fn verdict(fault: &Fault) -> &'static str {
    match fault {
        Fault::Timeout => "TLE",
        Fault::Crash(_) => "RE",
        Fault::NotJson(_) => "NJ",
        Fault::TooMuch => "OLE",
        Fault::Memory(_) => "MLE",
        // The platform has no name for these; no answer came of them.
        Fault::Unasked(_) | Fault::NotStarted(_) => "RE",
    }
}

fn without_response(answer: &Value) -> Option<String> {
    let missing = answer.get("response").is_none_or(Value::is_null);
    missing.then(|| format!("no `response` in {}", shortened(&answer.to_string())))
}

/// Why an answer is none, with the answer where it names no cell.
fn invalid_text(why: InvalidMove, response: &Value) -> String {
    let response = || shortened(&response.to_string());
    match why {
        InvalidMove::NoAnswer => {
            format!("`response` is {}, no object with row and col", response())
        }
        InvalidMove::NoInteger => format!("{why}: `response` is {}", response()),
        _ => why.to_string(),
    }
}

/// The first part of a text, in one line, for a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", escaped(&text[..end])),
        None => escaped(text),
    }
}

/// The bot's side of a game.
struct Host<'a> {
    bot: &'a BotCommand,
    limits: Limits,
    kept: Option<Bot>,
    history: History,
    stderr: String,
}

impl Host<'_> {
    /// One turn: the JSON value that the bot printed, and what it took.
    ///
    /// # Errors
    /// When the bot was never started by its command.
    fn ask(&mut self, request: &Value, turn: usize) -> Result<(Result<Value, Fault>, Usage)> {
        self.history.push_request(request);
        let start = Instant::now();
        let (mut bot, line) = match self.kept.take() {
            Some(bot) => (bot, format!("{request}\n")),
            None => {
                let bot = match self.bot.start_in_game()? {
                    Ok(bot) => bot,
                    Err(why) => return Ok((Err(Fault::NotStarted(why)), Usage::default())),
                };
                (bot, self.history.line(&self.limits, turn))
            }
        };
        let answer = bot.ask(&line, &self.limits.turn(turn, start)).and_then(|printed| {
            let value = serde_json::from_str(&printed.text).map_err(|error| {
                Fault::NotJson(format!("{error} in `{}`", shortened(&printed.text)))
            })?;
            Ok((value, printed.kept))
        });
        let usage = bot.usage();
        let answer = match answer {
            Ok((value, kept)) => {
                if kept {
                    self.kept = Some(bot);
                }
                Ok(value)
            }
            Err(fault) => {
                self.stderr = bot.stderr();
                Err(fault)
            }
        };
        Ok((answer, usage))
    }
}

/// What a bot that is started each turn reads.
#[derive(Default)]
struct History {
    requests: Vec<String>,
    responses: Vec<String>,
    data: Option<Value>,
    globaldata: Option<Value>,
}

impl History {
    fn push_request(&mut self, request: &Value) {
        self.requests.push(request.to_string());
    }

    fn push_answer(&mut self, mut answer: Value) {
        self.responses.push(answer["response"].to_string());
        self.data = answer.get_mut("data").map(Value::take);
        if let Some(globaldata) = answer.get_mut("globaldata") {
            self.globaldata = Some(globaldata.take());
        }
    }

    fn line(&self, limits: &Limits, turn: usize) -> String {
        let (requests, responses) = (self.requests.join(","), self.responses.join(","));
        let mut line = format!("{{\"requests\":[{requests}],\"responses\":[{responses}]");
        for (key, value) in [
            ("data", self.data.clone()),
            ("globaldata", self.globaldata.clone()),
            ("time_limit", Some(json!(limits.time(turn).as_secs_f64()))),
            ("memory_limit", Some(json!(limits.memory_limit))),
        ] {
            if let Some(value) = value {
                line.push_str(&format!(",\"{key}\":{value}"));
            }
        }
        line + "}\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::limits::Clock;

    #[test]
    fn a_history_is_one_line_of_the_protocol() {
        let limits =
            Limits { time_limit: Duration::from_secs(1), clock: Clock::Wall, memory_limit: 256 };
        let mut history = History::default();
        history.push_request(&json!({"changed": null}));
        let line = history.line(&limits, 0);
        assert_eq!(
            line,
            "{\"requests\":[{\"changed\":null}],\"responses\":[],\"time_limit\":2.0,\"memory_limit\":256}\n"
        );
        history.push_answer(json!({"response": {"row": 1, "col": 2}, "data": "mine"}));
        history.push_request(&json!({"changed": []}));
        let value: Value = serde_json::from_str(&history.line(&limits, 1)).unwrap();
        assert_eq!(value["responses"], json!([{"row": 1, "col": 2}]));
        assert_eq!(value["requests"], json!([{"changed": null}, {"changed": []}]));
        assert_eq!((&value["data"], &value["time_limit"]), (&json!("mine"), &json!(1.0)));
    }
}
