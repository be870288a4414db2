//! A check that is run: what the bot did, and where it failed.
//!
//! Invariant: a trial ends with the first fault; only legality, the protocol and the limits make
//! one. How good a move is decides nothing.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use game::botzone::{BotzoneJudge, GameEnd, answered_cell, legal_cell};
use game::setup::Setup;
use sapper::bot::session::Session;
use sapper::protocol::inputs;
use serde_json::Value;

use super::plan::{Check, Task, requests};
use super::problem::{Problem, Situation};
use super::schedule::Stop;
use crate::runner::bots::host::{Form, Host, Turn, answer_value};
use crate::runner::bots::{BotCommand, Usage};
use crate::runner::limits::Limits;
use crate::runner::samples::RowCol;

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Every turn was answered legally and within the limits.
    Well,
    /// With a fault.
    Failed,
    /// Without a fault, because its time was over.
    Cut,
}

/// A check that was run.
pub struct Trial {
    pub ended: Ended,
    pub failure: Option<TurnFailure>,
    pub figures: Figures,
}

impl Trial {
    /// Whether the bot had a fault.
    pub fn has_failed(&self) -> bool {
        self.ended == Ended::Failed
    }
}

/// The fault that ended a trial.
pub struct TurnFailure {
    /// The turn, counted from 0.
    pub turn: usize,
    pub problem: Problem,
    /// The last lines of what the bot wrote to standard error.
    pub stderr: String,
    /// The input of the turn.
    pub input: String,
}

/// What was seen of the bot.
#[derive(Clone, Copy, Default)]
pub struct Figures {
    pub turns: usize,
    pub slowest: Duration,
    /// The largest share of its time limit that a turn took.
    pub time_share: f64,
    pub cpu: Duration,
    pub memory_bytes: u64,
    pub left_behind: u32,
    /// Whether it asked to be kept running with its last answer; `None` without an answer.
    pub keeps_running: Option<bool>,
    /// Whether an answer has `data` or `globaldata`.
    pub stores_data: bool,
    /// The longest `debug`, in bytes.
    pub debug_len: usize,
    /// Whether a cell was proven safe, and the bot opened another one.
    pub passed_over: bool,
    /// Whether a turn was late in a first try only.
    pub was_late: bool,
}

impl Figures {
    fn add_turn(&mut self, usage: Usage, limit: Duration) {
        self.turns += 1;
        self.slowest = self.slowest.max(usage.wall);
        self.time_share = self.time_share.max(usage.wall.as_secs_f64() / limit.as_secs_f64());
        self.cpu = self.cpu.max(usage.cpu);
        self.memory_bytes = self.memory_bytes.max(usage.memory_bytes);
        self.left_behind += usage.left_behind;
    }

    fn add_answer(&mut self, answer: &Value, keeps_running: bool) {
        self.keeps_running = Some(keeps_running);
        let has = |key| answer.get(key).is_some_and(|value| !value.is_null());
        self.stores_data |= has("data") || has("globaldata");
        let debug = match &answer["debug"] {
            Value::Null => 0,
            Value::String(text) => text.len(),
            other => other.to_string().len(),
        };
        self.debug_len = self.debug_len.max(debug);
    }
}

/// Runs a check until it ends or its time is over.
///
/// # Errors
/// Fails if the bot cannot be started.
pub fn run(check: &Check, bot: &BotCommand, limits: &Limits, stop: Stop) -> Result<Trial> {
    match &check.task {
        Task::Game { setup, form, max_turns } => {
            play(setup, *form, max_turns.unwrap_or(usize::MAX), bot, limits, stop)
        }
        Task::Inputs { lines, safe } => ask(lines, safe.as_deref(), bot, limits),
    }
}

fn play(
    setup: &Setup,
    form: Option<Form>,
    max_turns: usize,
    bot: &BotCommand,
    limits: &Limits,
    stop: Stop,
) -> Result<Trial> {
    let mut judge = BotzoneJudge::new(setup)?;
    let mut host = Host::new(bot, *limits);
    if let Some(form) = form {
        host.set_form(form);
    }
    let mut requests = vec![judge.first_output()["content"]["0"].clone()];
    let mut figures = Figures::default();
    let (ended, problem) = loop {
        let turn = figures.turns;
        if turn >= max_turns {
            break (Ended::Well, None);
        }
        if turn > 0 && stop.is_over() {
            break (Ended::Cut, None);
        }
        let is_kept = host.keeps_running();
        let Turn { answer, usage, .. } = host.ask(&requests[turn], turn)?;
        figures.add_turn(usage, limits.time(turn));
        let situation =
            Situation { turn, limits, shape: setup.shape, requests: &requests, is_kept };
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) => break (Ended::Failed, Some(Problem::of_fault(&fault, &situation))),
        };
        figures.add_answer(&answer, host.keeps_running());
        if let Some(problem) = Problem::of_data(&answer) {
            break (Ended::Failed, Some(problem));
        }
        let ruling = judge.answer(&answer["response"]);
        match ruling.end {
            Some(GameEnd::Finished) => break (Ended::Well, None),
            Some(GameEnd::Invalid(why)) => {
                let problem = Problem::of_move(why, &answer["response"], &situation);
                break (Ended::Failed, Some(problem));
            }
            None => requests.push(ruling.output["content"]["0"].clone()),
        }
    };
    let input = host.last_input().to_owned();
    let stderr = host.close(problem.is_some());
    let turn = figures.turns.saturating_sub(1);
    let failure = problem.map(|problem| TurnFailure { turn, problem, stderr, input });
    Ok(Trial { ended, failure, figures })
}

/// Asks one process these inputs. The later ones are those of a bot that keeps running, and are
/// asked as long as the bot opens the cells that they report.
fn ask(
    lines: &[String],
    safe: Option<&[RowCol]>,
    bot: &BotCommand,
    limits: &Limits,
) -> Result<Trial> {
    let mut start = Instant::now();
    let mut running = bot.start()?;
    let (mut figures, mut session) = (Figures::default(), Session::default());
    let mut all_requests = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        all_requests.extend(requests(line));
        inputs(line.as_bytes()).filter_map(Result::ok).for_each(|input| session.push(input));
        let (board, _) = session.board().context("an input of the judge cannot be read")?;
        let turn = all_requests.len() - 1;
        let printed = running.ask(&format!("{}\n", line.trim_end()), &limits.turn(turn, start));
        figures.add_turn(running.usage(), limits.time(turn));
        let (shape, is_kept) = (board.shape(), index > 0);
        let situation = Situation { turn, limits, shape, requests: &all_requests, is_kept };
        let keeps_running = printed.as_ref().is_ok_and(|printed| printed.keeps_running);
        let answer = printed.and_then(|printed| answer_value(&printed.text));
        let problem = match &answer {
            Err(fault) => Some(Problem::of_fault(fault, &situation)),
            Ok(answer) => {
                figures.add_answer(answer, keeps_running);
                let response = &answer["response"];
                let refused = legal_cell(response, &board).err();
                refused
                    .map(|why| Problem::of_move(why, response, &situation))
                    .or_else(|| Problem::of_data(answer))
            }
        };
        if let Some(problem) = problem {
            let (stderr, input) = (running.stderr(), line.trim_end().to_owned());
            let failure = Some(TurnFailure { turn, problem, stderr, input });
            return Ok(Trial { ended: Ended::Failed, failure, figures });
        }
        let cell = answer.ok().and_then(|answer| answered_cell(&answer["response"]).ok());
        figures.passed_over |=
            safe.is_some_and(|safe| cell.is_some_and(|cell| !safe.contains(&cell)));
        let is_continued = keeps_running
            && lines.get(index + 1).is_some_and(|next| {
                let opened = &requests(next)[0]["changed"][0];
                cell.is_some_and(|(row, column)| opened["row"] == row && opened["col"] == column)
            });
        if !is_continued {
            break;
        }
        start = Instant::now();
    }
    running.close();
    Ok(Trial { ended: Ended::Well, failure: None, figures })
}
