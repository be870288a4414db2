//! One question to a bot: the answer, the time, and the memory.
//!
//! The bot is started for the question and keeps running, so that its memory can be measured after
//! the answer. A second, trivial question follows: a bot may continue to compute after an answer,
//! and it has finished when it answers the second one. Time is counted from before the start, as on
//! the platform.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::command::BotCommand;
use super::host::GameOutcome;
use super::process::{Fault, Usage};
use crate::cli::limits::TurnLimits;

/// The time limit of an answer, long enough to measure how late a bot is.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// A trivial question.
const TRIVIAL_INPUT: &str = "{\"requests\":[{\"height\":1,\"width\":1,\"minecount\":0}]}\n";

/// The result of a question.
pub enum Probe {
    Answered(ProbeAnswer),
    /// The bot's fault, with what it wrote to stderr.
    Failed(String),
}

/// An answer and its measurements.
pub struct ProbeAnswer {
    /// The output for the question.
    pub line: String,
    /// Time from before the start of the process to the end of the answer.
    pub wall: Duration,
    /// The resources used up to the answer.
    pub at_answer: Usage,
    /// The resources used up to the end of all computation.
    pub after: Usage,
}

/// Asks `bot`, which must keep running when asked to, one question of one line.
///
/// # Errors
/// Fails if the bot cannot be started.
pub fn ask(bot: &BotCommand, question: &str) -> Result<Probe> {
    let start = Instant::now();
    let mut running = bot.start()?;
    let answer = running.ask(&format!("{question}\n"), &limits_from(start));
    let wall = start.elapsed();
    let line = match answer {
        Ok(answer) => answer.text,
        Err(fault) => return Ok(failed(fault, &running.stderr())),
    };
    let at_answer = running.usage();
    let after = match running.ask(TRIVIAL_INPUT, &limits_from(Instant::now())) {
        Ok(_) => running.usage(),
        Err(fault) => return Ok(failed(fault, &running.stderr())),
    };
    running.close();
    Ok(Probe::Answered(ProbeAnswer { line, wall, at_answer, after }))
}

fn failed(fault: Fault, stderr: &str) -> Probe {
    Probe::Failed(format!("{} {stderr}", GameOutcome::from(fault)).trim_end().to_owned())
}

/// Limits that only a bot that hangs exceeds. The caller judges the measurements.
fn limits_from(start: Instant) -> TurnLimits {
    TurnLimits { start, wall: TIME_LIMIT, cpu: None, memory_bytes: u64::MAX }
}

/// The row and column of the cell that a line answers, if it is an answer.
pub fn answered_cell(line: &str) -> Option<(i64, i64)> {
    let answer: serde_json::Value = serde_json::from_str(line).ok()?;
    Some((answer["response"]["row"].as_i64()?, answer["response"]["col"].as_i64()?))
}
