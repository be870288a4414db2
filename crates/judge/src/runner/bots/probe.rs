//! One question to a bot: the answer, the time, and the memory.
//!
//! A second, trivial question follows to a bot that keeps running: it may continue to compute after
//! an answer, and it has finished when it answers the second one. So its memory is measured after
//! all computation. Time is counted from before the start, as on the platform.

use std::time::Instant;

use game::botzone;
use sapper::{Cell, Shape};
use serde_json::Value;

use super::fault::Fault;
use super::process::Usage;
use crate::runner::bots::BotCommand;
use crate::runner::limits::Limits;

/// A trivial question.
const TRIVIAL_INPUT: &str = "{\"requests\":[{\"height\":1,\"width\":1,\"minecount\":0}]}\n";

/// Asks `bot` one question of one line, as in a turn that is not the first of a game. Returns the
/// output, or the bot's fault with what it wrote to stderr; and time and CPU time up to the answer,
/// and memory up to the end of all computation.
pub fn ask(bot: &BotCommand, question: &str, limits: &Limits) -> (Result<String, String>, Usage) {
    let start = Instant::now();
    let mut running = match bot.start() {
        Ok(running) => running,
        Err(error) => return (Err(format!("{error:#}")), Usage::default()),
    };
    let answer = running.ask(&format!("{question}\n"), &limits.turn(1, start));
    let mut usage = running.usage();
    let answer = answer.and_then(|answer| {
        if answer.keeps_running {
            running.ask(TRIVIAL_INPUT, &limits.turn(1, Instant::now()))?;
            usage.memory_bytes = running.usage().memory_bytes;
        }
        Ok(answer.text)
    });
    let with_stderr = |fault: Fault| format!("{fault} {}", running.stderr()).trim_end().to_owned();
    (answer.map_err(with_stderr), usage)
}

/// The cell that a line answers, if it is an answer in the field.
pub fn answered_cell(line: &str, shape: Shape) -> Option<Cell> {
    let answer: Value = serde_json::from_str(line).ok()?;
    let (row, column) = botzone::answered_cell(&answer["response"]).ok()?;
    shape.cell(row.into(), column.into())
}
