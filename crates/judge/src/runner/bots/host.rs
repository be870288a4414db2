//! A whole game between the judge and a bot, as the platform runs it.
//!
//! In every turn the bot gets the history in one line and answers once. A bot that asks to be kept
//! running gets only the request in further turns; any other bot is started again for every turn.
//! The `data` and `globaldata` of an answer are part of the history.
//!
//! Invariant: every game ends, with a complete record. A bot without an answer loses by the
//! official judge's rule for that, and the record has the verdict.

use std::time::{Duration, Instant};

use analysis::adjusted::observer::Observer;
use anyhow::Result;
use game::botzone::{BotzoneJudge, GameEnd};
use game::record::Record;
use game::referee::InvalidMove;
use game::setup::Setup;
use sapper::Board;
use serde::Serialize;
use serde_json::Value;

use super::fault::Fault;
use super::pipes::shortened;
use super::process::{Bot, Usage};
use crate::runner::bots::{BotCommand, GameResult, Starts};
use crate::runner::limits::Limits;
use crate::runner::messages::escaped;

/// Plays a game of the bot with this name, and records it.
///
/// Where a hit would end the game, it is survived by drawing the layout again, and the game is
/// played to its end; its score and its hits are those at the first hit.
///
/// # Errors
/// Fails if the setup is not valid, or if the bot has never been started. A bot that was started
/// before and cannot be started again has a fault.
pub fn play(
    setup: &Setup,
    name: &str,
    bot: &BotCommand,
    limits: Limits,
) -> Result<(GameResult, Record)> {
    let mut judge = BotzoneJudge::new(setup)?;
    let mut record = Record::new(setup);
    record.push_output(judge.first_output());
    let mut host = Host::new(bot, limits);
    let mut request = judge.first_output()["content"]["0"].clone();
    let mut observer = setup.is_uniform().then(|| {
        let mut observer =
            Observer::new(Board::new(setup.shape, setup.mines), i64::from(setup.seed) as u64);
        observer.show(judge.referee().changed());
        observer
    });
    let (mut turns, mut survived, mut starts) = (Vec::new(), Vec::new(), Starts::default());
    let fault = loop {
        if judge.is_won_beforehand() && turns.is_empty() {
            break None;
        }
        if judge.referee().hidden_len() == 0 {
            break Some(Fault::Stalled);
        }
        let Turn { answer, usage, is_started } = host.ask(&request, turns.len())?;
        if is_started && answer.is_ok() {
            starts.add(usage.wall, turns.len());
        }
        turns.push(usage);
        let (fault, response) = match answer {
            Ok(mut answer) => (None, answer["response"].take()),
            Err(fault) => (Some(fault), Value::Null),
        };
        let verdict = fault.as_ref().map_or("OK", |fault| fault.names().1);
        let fatal = observer.as_mut().zip(judge.fatal_mine(&response));
        let is_survived = fatal.map(|(observer, (cell, referee))| observer.survive(cell, referee));
        let ruling = judge.answer(&response);
        record.push_answer(verdict, (verdict == "OK").then_some(&response));
        record.push_output(&ruling.output);
        if let Some(observer) = &mut observer
            && fault.is_none()
            && !matches!(ruling.end, Some(GameEnd::Invalid(_)))
        {
            let changed = judge.referee().changed();
            // A click on a fatal mine has been added.
            if is_survived.is_some() { observer.show(changed) } else { observer.add_click(changed) }
        }
        if is_survived == Some(true) {
            survived.push(turns.len() - 1);
        }
        match (fault, ruling.end) {
            (Some(fault), _) => break Some(fault),
            (None, Some(GameEnd::Finished)) => break None,
            (None, Some(GameEnd::Invalid(why))) => {
                break Some(Fault::Illegal(invalid_text(why, &response)));
            }
            (None, None) => request = ruling.output["content"]["0"].clone(),
        }
    };
    let stderr = host.close(fault.is_some());
    let rule = setup.start.rule();
    let hits = match judge.referee().hits() {
        hits if rule.is_classic() => hits.min(1).max(u32::from(!survived.is_empty())),
        hits => hits,
    };
    let score = match judge.referee().score() {
        _ if fault.is_some() || (rule.is_classic() && hits > 0) => 0.0,
        score => score,
    };
    // The record says so too if no hit was survived: a given layout may else be one drawn again.
    if rule.is_classic() {
        record.set_survived(survived, judge.referee().field());
    }
    let micros = |time: Duration| time.as_micros() as u64;
    let game = GameResult {
        bot: name.to_owned(),
        seed: setup.seed,
        outcome: fault.as_ref().map_or("done", |fault| fault.names().0).to_owned(),
        reason: fault.as_ref().and_then(Fault::reason).map(escaped),
        stderr,
        score,
        mines: hits,
        rule,
        wall_micros: turns.iter().map(|turn| micros(turn.wall)).collect(),
        cpu_micros: turns.iter().map(|turn| micros(turn.cpu)).collect(),
        peak_bytes: turns.iter().map(|turn| turn.memory_bytes).max().unwrap_or(0),
        left_behind: turns.iter().map(|turn| turn.left_behind).sum(),
        luck: observer.map(|observer| observer.luck()),
        starts,
        is_resumed: false,
    };
    Ok((game, record))
}

/// The reason why a response is illegal, with the response if it is not a cell.
pub fn invalid_text(why: InvalidMove, response: &Value) -> String {
    let response = || shortened(&response.to_string());
    match why {
        InvalidMove::NoAnswer => {
            format!("`response` is {}, not an object with row and col", response())
        }
        InvalidMove::NoInteger => format!("{why}: `response` is {}", response()),
        _ => why.to_string(),
    }
}

/// The JSON value of an answer as it is printed, which has a `response`.
///
/// # Errors
/// The fault of a text that is no answer.
pub fn answer_value(text: &str) -> Result<Value, Fault> {
    let answer: Value =
        serde_json::from_str(text).map_err(|error| Fault::not_json(text, &error))?;
    match answer.get("response") {
        None | Some(Value::Null) => Err(Fault::no_response(&answer)),
        Some(_) => Ok(answer),
    }
}

/// The bot's side of a game.
pub struct Host<'a> {
    bot: &'a BotCommand,
    limits: Limits,
    /// The bot of the last answer.
    last: Option<Bot>,
    /// Whether it keeps running, or is started again for the next turn.
    keeps_running: bool,
    history: History,
    /// The end of what the bot wrote to stderr, after a fault.
    stderr: String,
    /// The other form in which inputs are written, if there is one.
    form: Option<Form>,
    /// The last input.
    line: String,
}

/// Writes an input, a history or a bare request, in one line without a line feed, in a form that
/// means the same.
pub type Form = fn(Value) -> String;

/// One turn of a bot.
pub struct Turn {
    /// The JSON value that the bot printed, which has a `response`.
    pub answer: Result<Value, Fault>,
    pub usage: Usage,
    /// Whether the bot was started for this turn.
    pub is_started: bool,
}

impl<'a> Host<'a> {
    /// The bot at the start of a game.
    pub fn new(bot: &'a BotCommand, limits: Limits) -> Host<'a> {
        let (history, stderr, line) = (History::default(), String::new(), String::new());
        let (last, keeps_running, form) = (None, false, None);
        Host { bot, limits, last, keeps_running, history, stderr, form, line }
    }

    /// Writes the inputs in this form.
    pub fn set_form(&mut self, form: Form) {
        self.form = Some(form);
    }

    /// The last input, without a line feed.
    pub fn last_input(&self) -> &str {
        self.line.trim_end()
    }

    /// Whether the bot asked to be kept running with its last answer.
    pub fn keeps_running(&self) -> bool {
        self.keeps_running
    }

    /// Adds a turn that the bot has answered before, such as in an earlier run.
    pub fn push_turn(&mut self, request: Value, answer: Value) {
        self.history.requests.push(request);
        self.history.push_answer(answer);
    }

    /// Puts `response` in place of the bot's last one, which was not played.
    pub fn replace_answer(&mut self, response: Value) {
        if let Some(last) = self.history.responses.last_mut() {
            *last = response;
        }
    }

    /// Asks the bot for its answer in turn `turn`, counted from 0.
    ///
    /// # Errors
    /// Fails if the bot has never been started.
    pub fn ask(&mut self, request: &Value, turn: usize) -> Result<Turn> {
        self.history.requests.push(request.clone());
        let start = Instant::now();
        let is_started = self.last.is_none() || !self.keeps_running;
        let (mut bot, mut line) = match self.last.take().filter(|_| self.keeps_running) {
            Some(bot) => (bot, format!("{request}\n")),
            None => match self.bot.idle_or_started() {
                Ok(bot) => (bot, self.history.line(&self.limits, turn)?),
                // A bot that was started before has a fault.
                Err(why) if self.bot.was_started() => {
                    let answer = Err(Fault::NotStarted(format!("{why:#}")));
                    return Ok(Turn { answer, usage: Usage::default(), is_started });
                }
                Err(why) => return Err(why.context(self.bot.failure())),
            },
        };
        if let Some(form) = self.form {
            line = form(serde_json::from_str(&line)?) + "\n";
        }
        self.line = line;
        let printed = bot.ask(&self.line, &self.limits.turn(turn, start));
        let usage = bot.usage();
        let keeps_running = printed.as_ref().is_ok_and(|printed| printed.keeps_running);
        let answer = printed.and_then(|printed| answer_value(&printed.text));
        match &answer {
            Ok(answer) => {
                self.history.push_answer(answer.clone());
                self.last = Some(bot);
                self.keeps_running = keeps_running;
            }
            Err(_) => self.stderr = bot.stderr(),
        }
        Ok(Turn { answer, usage, is_started })
    }

    /// Ends the game, after a fault in it or without one. Returns the end of what the bot wrote to
    /// stderr, after a fault; the bot is then not kept for another game.
    pub fn close(mut self, is_faulty: bool) -> String {
        match self.last.take() {
            Some(bot) if is_faulty => self.stderr = bot.stderr(),
            Some(bot) if self.keeps_running => self.bot.end_game(bot),
            _ => {}
        }
        self.stderr
    }
}

/// The history that a bot reads when it is started.
#[derive(Default, Serialize)]
struct History {
    requests: Vec<Value>,
    responses: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    globaldata: Option<Value>,
    time_limit: f64,
    memory_limit: u32,
}

impl History {
    fn push_answer(&mut self, mut answer: Value) {
        self.responses.push(answer["response"].take());
        self.data = answer.get_mut("data").map(Value::take);
        if let Some(globaldata) = answer.get_mut("globaldata") {
            self.globaldata = Some(globaldata.take());
        }
    }

    /// The line of the protocol for turn `turn`.
    fn line(&mut self, limits: &Limits, turn: usize) -> Result<String> {
        self.time_limit = limits.time(turn).as_secs_f64();
        self.memory_limit = limits.memory_limit_mib;
        Ok(serde_json::to_string(self)? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::runner::limits::Clock;

    #[test]
    fn a_history_is_one_line_of_the_protocol() {
        let second = Duration::from_secs(1);
        let (given, clock, memory_limit_mib) = (None, Clock::Wall, 256);
        let limits = Limits { time_limit: second, given, factor: 1, clock, memory_limit_mib };
        let mut history = History::default();
        history.requests.push(json!({"changed": null}));
        let line = history.line(&limits, 0).unwrap();
        assert_eq!(
            line,
            "{\"requests\":[{\"changed\":null}],\"responses\":[],\
             \"time_limit\":2.0,\"memory_limit\":256}\n"
        );
        history.push_answer(json!({"response": {"row": 1, "col": 2}, "data": "mine"}));
        history.requests.push(json!({"changed": []}));
        let value: Value = serde_json::from_str(&history.line(&limits, 1).unwrap()).unwrap();
        assert_eq!(value["responses"], json!([{"row": 1, "col": 2}]));
        assert_eq!(value["requests"], json!([{"changed": null}, {"changed": []}]));
        assert_eq!((&value["data"], &value["time_limit"]), (&json!("mine"), &json!(1.0)));
    }
}
