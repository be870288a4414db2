//! A whole game between the judge and a bot, as the platform runs it.
//!
//! In every turn the bot gets the history in one line and answers once. A bot that asks to be kept
//! running gets only the request in further turns; any other bot is started again for every turn.
//! The `data` and `globaldata` of an answer are part of the history.
//!
//! Invariant: every game ends, with a complete record. A bot without an answer loses by the
//! official judge's rule for that, and the record has the verdict.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Result;
use sapper::referee::botzone::{BotzoneJudge, End};
use sapper::referee::record::Record;
use sapper::referee::rules::InvalidMove;
use sapper::referee::setup::Setup;
use serde_json::{Value, json};

use super::command::{BotCommand, StartError};
use super::process::{Bot, Fault, OUTPUT_LIMIT, Usage};
use crate::cli::limits::Limits;
use crate::cli::output::escaped;

/// The kind of a game whose bot could not be started again.
pub const NOT_STARTED: &str = "not-started";

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameOutcome {
    /// By the rules.
    Done,
    /// No answer in time.
    Timeout,
    /// The bot's process failed.
    Crash(String),
    /// The answer is not a cell that may be opened.
    Illegal(String),
    /// The answer is not JSON.
    NotJson(String),
    /// More output than the platform accepts.
    OutputLimit(String),
    /// More memory than allowed.
    MemoryLimit(String),
    /// An answer before its request.
    Unasked(String),
    /// The bot could not be started again.
    NotStarted(String),
    /// Every cell is open and the game has not ended: the field has other mines than announced.
    Stalled,
}

impl GameOutcome {
    /// The name that faults are counted by.
    pub fn kind(&self) -> &'static str {
        match self {
            GameOutcome::Done => "done",
            GameOutcome::Timeout => "timeout",
            GameOutcome::Crash(_) => "crash",
            GameOutcome::Illegal(_) => "illegal",
            GameOutcome::NotJson(_) => "not-json",
            GameOutcome::OutputLimit(_) => "output-limit",
            GameOutcome::MemoryLimit(_) => "memory-limit",
            GameOutcome::Unasked(_) => "unasked",
            GameOutcome::NotStarted(_) => NOT_STARTED,
            GameOutcome::Stalled => "stalled",
        }
    }

    /// The details of the fault, if there are any besides its kind.
    pub fn reason(&self) -> Option<&str> {
        match self {
            GameOutcome::Crash(why)
            | GameOutcome::Illegal(why)
            | GameOutcome::NotJson(why)
            | GameOutcome::OutputLimit(why)
            | GameOutcome::MemoryLimit(why)
            | GameOutcome::Unasked(why)
            | GameOutcome::NotStarted(why) => Some(why),
            GameOutcome::Done | GameOutcome::Timeout | GameOutcome::Stalled => None,
        }
    }
}

impl fmt::Display for GameOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            Some(reason) => write!(f, "{} ({reason})", self.kind()),
            None => write!(f, "{}", self.kind()),
        }
    }
}

impl From<Fault> for GameOutcome {
    fn from(fault: Fault) -> GameOutcome {
        match fault {
            Fault::Timeout => GameOutcome::Timeout,
            Fault::Crash(why) => GameOutcome::Crash(why),
            Fault::NotJson(why) => GameOutcome::NotJson(why),
            Fault::OutputLimit => {
                GameOutcome::OutputLimit(format!("it printed more than {OUTPUT_LIMIT} bytes"))
            }
            Fault::MemoryLimit(why) => GameOutcome::MemoryLimit(why),
            Fault::Unasked(text) => GameOutcome::Unasked(format!(
                "it printed `{}` after its answer and before the next request",
                shortened(&text)
            )),
            Fault::NotStarted(why) => GameOutcome::NotStarted(why),
        }
    }
}

/// A game that was played.
pub struct PlayedGame {
    pub outcome: GameOutcome,
    /// The score; 0 after a fault.
    pub score: f64,
    /// Mines opened.
    pub hits: u32,
    /// The resources used in each turn, including a turn with a fault.
    pub turns: Vec<Usage>,
    pub record: Record,
    /// The end of what the bot wrote to stderr, after a fault.
    pub stderr: String,
}

impl PlayedGame {
    /// The wall time of the slowest turn.
    pub fn slowest(&self) -> Duration {
        self.turns.iter().map(|turn| turn.wall).max().unwrap_or_default()
    }
}

/// Plays a game.
///
/// # Errors
/// Fails if the setup is not valid, or if the bot has never been started. A bot that was started
/// before and cannot be started again has a fault.
pub fn play(setup: &Setup, bot: &BotCommand, limits: Limits) -> Result<PlayedGame> {
    let mut judge = BotzoneJudge::new(setup)?;
    let mut record = Record::new(setup);
    record.push_output(judge.first_output());
    let mut host =
        Host { bot, limits, running: None, history: History::default(), stderr: String::new() };
    let mut request = judge.first_output()["content"]["0"].clone();
    let mut turns = Vec::new();
    let outcome = loop {
        if judge.referee().hidden_len() == 0 {
            break GameOutcome::Stalled;
        }
        let Turn { answer, usage } = host.ask(&request, turns.len())?;
        turns.push(usage);
        let (verdict, fault, response) = match answer {
            Ok(answer) => match missing_response(&answer) {
                Some(why) => ("OK", Some(GameOutcome::Illegal(why)), Value::Null),
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
            (None, Some(End::Finished)) => break GameOutcome::Done,
            (None, Some(End::Invalid(why))) => {
                break GameOutcome::Illegal(invalid_text(why, &response));
            }
            (None, None) => request = ruling.output["content"]["0"].clone(),
        }
    };
    if let Some(bot) = host.running.take() {
        bot.close();
    }
    let score = if outcome == GameOutcome::Done { judge.referee().score() } else { 0.0 };
    let hits = judge.referee().hits();
    Ok(PlayedGame { outcome, score, hits, turns, record, stderr: host.stderr })
}

/// The platform's name of a fault.
fn verdict(fault: &Fault) -> &'static str {
    match fault {
        Fault::Timeout => "TLE",
        Fault::Crash(_) => "RE",
        Fault::NotJson(_) => "NJ",
        Fault::OutputLimit => "OLE",
        Fault::MemoryLimit(_) => "MLE",
        // The platform has no name for these.
        Fault::Unasked(_) | Fault::NotStarted(_) => "RE",
    }
}

/// The reason why an answer without a `response` is illegal.
fn missing_response(answer: &Value) -> Option<String> {
    let missing = answer.get("response").is_none_or(Value::is_null);
    missing.then(|| format!("no `response` in {}", shortened(&answer.to_string())))
}

/// The reason why a response is illegal, with the response if it is not a cell.
fn invalid_text(why: InvalidMove, response: &Value) -> String {
    let response = || shortened(&response.to_string());
    match why {
        InvalidMove::NoAnswer => {
            format!("`response` is {}, not an object with row and col", response())
        }
        InvalidMove::NoInteger => format!("{why}: `response` is {}", response()),
        _ => why.to_string(),
    }
}

/// The start of a text, in one line.
fn shortened(text: &str) -> String {
    const MAX_LEN: usize = 80;
    match text.char_indices().nth(MAX_LEN) {
        Some((end, _)) => format!("{}...", escaped(&text[..end])),
        None => escaped(text),
    }
}

/// The bot's side of a game.
struct Host<'a> {
    bot: &'a BotCommand,
    limits: Limits,
    /// The bot if it keeps running.
    running: Option<Bot>,
    history: History,
    /// The end of what the bot wrote to stderr, after a fault.
    stderr: String,
}

/// One turn of a bot.
struct Turn {
    /// The JSON value that the bot printed.
    answer: Result<Value, Fault>,
    usage: Usage,
}

impl Host<'_> {
    /// Asks the bot for its answer in turn `turn`, counted from 0.
    ///
    /// # Errors
    /// Fails if the bot has never been started.
    fn ask(&mut self, request: &Value, turn: usize) -> Result<Turn> {
        self.history.push_request(request);
        let start = Instant::now();
        let (mut bot, line) = match self.running.take() {
            Some(bot) => (bot, format!("{request}\n")),
            None => match self.bot.start_in_game() {
                Ok(bot) => (bot, self.history.line(&self.limits, turn)),
                Err(StartError::First(error)) => return Err(error),
                Err(StartError::Again(why)) => {
                    let answer = Err(Fault::NotStarted(why));
                    return Ok(Turn { answer, usage: Usage::default() });
                }
            },
        };
        let answer = bot.ask(&line, &self.limits.turn(turn, start)).and_then(|answer| {
            let value = serde_json::from_str(&answer.text).map_err(|error| {
                Fault::NotJson(format!("{error} in `{}`", shortened(&answer.text)))
            })?;
            Ok((value, answer.keeps_running))
        });
        let usage = bot.usage();
        let answer = match answer {
            Ok((value, keeps_running)) => {
                if keeps_running {
                    self.running = Some(bot);
                }
                Ok(value)
            }
            Err(fault) => {
                self.stderr = bot.stderr();
                Err(fault)
            }
        };
        Ok(Turn { answer, usage })
    }
}

/// The history that a bot reads when it is started.
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

    /// The line of the protocol for turn `turn`.
    fn line(&self, limits: &Limits, turn: usize) -> String {
        let (requests, responses) = (self.requests.join(","), self.responses.join(","));
        let mut line = format!("{{\"requests\":[{requests}],\"responses\":[{responses}]");
        for (key, value) in [
            ("data", self.data.clone()),
            ("globaldata", self.globaldata.clone()),
            ("time_limit", Some(json!(limits.time(turn).as_secs_f64()))),
            ("memory_limit", Some(json!(limits.memory_limit_mib))),
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
        let second = Duration::from_secs(1);
        let limits = Limits { time_limit: second, clock: Clock::Wall, memory_limit_mib: 256 };
        let mut history = History::default();
        history.push_request(&json!({"changed": null}));
        let line = history.line(&limits, 0);
        assert_eq!(
            line,
            "{\"requests\":[{\"changed\":null}],\"responses\":[],\
             \"time_limit\":2.0,\"memory_limit\":256}\n"
        );
        history.push_answer(json!({"response": {"row": 1, "col": 2}, "data": "mine"}));
        history.push_request(&json!({"changed": []}));
        let value: Value = serde_json::from_str(&history.line(&limits, 1)).unwrap();
        assert_eq!(value["responses"], json!([{"row": 1, "col": 2}]));
        assert_eq!(value["requests"], json!([{"changed": null}, {"changed": []}]));
        assert_eq!((&value["data"], &value["time_limit"]), (&json!("mine"), &json!(1.0)));
    }
}
