//! One question to a bot's process: the answer, the time it took, and the memory.
//!
//! The bot is started for the question and kept running, so that the system can still be asked what
//! it used. A second, tiny question follows, because a bot may work on after an answer, and its
//! answer says that this is over. Time is counted from before the start, as the platform counts it.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::bots::command::BotCommand;
use crate::bots::host::Outcome;
use crate::bots::process::{Fault, Usage};
use crate::cli::limits::Allowed;

/// How long a bot is waited for: long enough to say how late it is.
const PATIENCE: Duration = Duration::from_secs(20);
/// A question that costs nothing.
const TINY: &str = "{\"requests\":[{\"height\":1,\"width\":1,\"minecount\":0}]}\n";

/// What came of a question.
pub struct Probed {
    /// What was printed.
    pub line: String,
    /// From before the start of the process to the end of the answer.
    pub wall: Duration,
    /// What it took up to the answer.
    pub at_answer: Usage,
    /// The same after all was done.
    pub after: Usage,
}

/// Asks `bot`, which must stay when asked to, one question of one line.
///
/// # Errors
/// When the bot cannot be started. That it does not answer is told in words, with what it wrote to
/// stderr.
pub fn ask(bot: &BotCommand, question: &str) -> Result<Result<Probed, String>> {
    let start = Instant::now();
    let mut running = bot.start()?;
    let answered = running.ask(&format!("{question}\n"), &patiently(start));
    let wall = start.elapsed();
    let line = match answered {
        Ok(printed) => printed.text,
        Err(fault) => return Ok(Err(fault_text(fault, &running.stderr()))),
    };
    let at_answer = running.usage();
    let after = match running.ask(TINY, &patiently(Instant::now())) {
        Ok(_) => running.usage(),
        Err(fault) => return Ok(Err(fault_text(fault, &running.stderr()))),
    };
    running.close();
    Ok(Ok(Probed { line, wall, at_answer, after }))
}

fn fault_text(fault: Fault, stderr: &str) -> String {
    format!("{} {stderr}", Outcome::from(fault)).trim_end().to_owned()
}

/// Limits that end nothing but a bot that hangs: what it takes is told, and judged by who asked.
fn patiently(start: Instant) -> Allowed {
    Allowed { start, wall: PATIENCE, cpu: None, memory: u64::MAX }
}

/// The cell that a line answers, row and column, where it is an answer.
pub fn answered(line: &str) -> Option<(i64, i64)> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    Some((line["response"]["row"].as_i64()?, line["response"]["col"].as_i64()?))
}
