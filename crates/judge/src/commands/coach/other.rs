//! The cells that another bot would open at the turns of a game that it does not play.
//!
//! Invariant: the bot reads the requests of the game and the answers that were played, so that its
//! own answers change nothing.

use analysis::review::recorded_game::RecordedGame;
use anyhow::Result;
use game::botzone::{legal_cell, logged_answer};
use sapper::{Cell, Objective};
use serde::Serialize;

use super::arguments::Arguments;
use crate::cli::limit_options;
use crate::runner::bots::{BotCommand, Fault, host};
use crate::runner::limits::{Clock, Limits};
use crate::runner::messages::escaped;
use crate::runner::typed::typed_name;

/// The bot of `--against`.
pub struct OtherBot {
    bot: BotCommand,
    limits: Limits,
}

/// A fault of the other bot.
#[derive(Serialize)]
pub struct OtherFault {
    /// The file of the game, or its seed.
    game: String,
    /// Counted from 0.
    turn: usize,
    /// The name of the fault.
    pub outcome: &'static str,
    reason: Option<String>,
    stderr: String,
    /// The command that asks the bot in this game again.
    again: String,
}

impl OtherBot {
    /// The bot that the options name, if they name one.
    ///
    /// # Errors
    /// Fails if it cannot be started.
    pub fn of(arguments: &Arguments) -> Result<Option<OtherBot>> {
        let Some(line) = &arguments.against else { return Ok(None) };
        let mut bot = BotCommand::of_option("--against", Some(line))?;
        bot.set_reused(arguments.options.reuse);
        let limits = arguments.limits.of_one(&bot.program()[0])?;
        bot.check_start()?;
        Ok(Some(OtherBot { bot, limits }))
    }

    /// The clock by which it is timed.
    pub fn clock(&self) -> Clock {
        self.limits.clock
    }

    /// The cells that it opens at the turns of the game called `name`, as far as they count for
    /// `objective`, until its first fault. `again` are the arguments of `judge coach` that ask it
    /// in this game alone.
    ///
    /// # Errors
    /// Fails if the bot has never been started.
    pub fn ask(
        &self,
        name: &str,
        again: &str,
        game: &RecordedGame,
        objective: Objective,
    ) -> Result<(Vec<Cell>, Option<OtherFault>)> {
        let mut host = host::Host::new(&self.bot, self.limits);
        let (mut cells, mut fault) = (Vec::new(), None);
        for (turn, (board, _)) in game.counted_clicks(objective).enumerate() {
            let log = &game.record().log;
            let request = &log[2 * turn]["output"]["content"]["0"];
            let cell = host.ask(request, turn)?.answer.and_then(|mut answer| {
                let response = answer["response"].take();
                let why = |why| Fault::Illegal(host::invalid_text(why, &response));
                legal_cell(&response, &board).map_err(why)
            });
            match cell {
                Ok(cell) => cells.push(cell),
                Err(why) => {
                    fault = Some((turn, why));
                    break;
                }
            }
            host.replace_answer(logged_answer(&log[2 * turn + 1]).clone());
        }
        let stderr = host.close(fault.is_some());
        let fault = fault.map(|(turn, why)| OtherFault {
            game: name.to_owned(),
            turn,
            outcome: why.names().0,
            reason: why.reason().map(escaped),
            stderr,
            again: format!("{} coach {again}{}", typed_name(), limit_options(&self.limits)),
        });
        Ok((cells, fault))
    }
}

impl OtherFault {
    /// The fault of the bot that is called `bot`, as text.
    pub fn text(&self, bot: &str) -> String {
        let OtherFault { game, turn, outcome, reason, stderr, again } = self;
        let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let lines = stderr.lines().map(|line| format!("\n  stderr: {}", escaped(line)));
        let lines: String = lines.collect();
        format!("{game}, turn {turn}: {bot}: {outcome}{reason}; again: {again}{lines}")
    }
}
