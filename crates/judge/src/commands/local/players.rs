//! The bots at work: threads that answer the turns of all matches.
//!
//! A turn is a job: a match's bot and its request go to a thread and come back with the answer. So
//! a match has at most one turn at work, and any number of matches share the threads.
//!
//! Honest play: a bot is given the requests of its match, and nothing else.

use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use sapper::bot::session::Session;
use sapper::settings::budget::WallClock;
use serde_json::{Value, json};

use super::game::{LocalGame, push_request};
use super::request;
use crate::runner::bots::host::Host;
use crate::runner::bots::{BotCommand, Fault};
use crate::runner::interrupt;
use crate::runner::limits::{Clock, Limits};

/// Which bot plays.
pub enum BotChoice {
    /// Sapper in process, at full effort.
    Sapper,
    Program(BotCommand, Limits),
}

impl BotChoice {
    /// What times the bot, if anything does.
    pub fn clock(&self) -> Option<Clock> {
        match self {
            BotChoice::Sapper => None,
            BotChoice::Program(_, limits) => Some(limits.clock),
        }
    }

    /// The bot of a match with this history.
    pub fn player(&'static self, game: &LocalGame) -> Player {
        let turns = game.requests.iter().zip(&game.answers);
        match self {
            BotChoice::Sapper => {
                let mut session = Session::default();
                turns.for_each(|(request, _)| drop(push_request(&mut session, request)));
                Player::Sapper(Box::new(session))
            }
            BotChoice::Program(command, limits) => {
                let mut host = Host::new(command, *limits);
                turns.for_each(|(request, answer)| {
                    host.push_turn(game.for_bot(request), answer.clone());
                });
                Player::Program(Box::new(host))
            }
        }
    }
}

/// The bot of one match.
pub enum Player {
    Sapper(Box<Session>),
    Program(Box<Host<'static>>),
}

/// A turn to be answered.
pub struct Job {
    pub id: String,
    pub player: Player,
    pub request: Value,
    /// The turn, counted from 0.
    pub turn: usize,
}

/// A turn that was at work.
pub struct Done {
    pub id: String,
    pub player: Player,
    pub reply: Reply,
}

/// What a bot has answered.
pub enum Reply {
    Answer {
        /// What it printed; it has a `response`.
        answer: Value,
        /// The step that decided, or the time of a program.
        step: String,
    },
    Fault(Fault),
    /// An interrupt may have cut the turn off.
    Interrupted,
    /// No bot can be started.
    Error(anyhow::Error),
}

/// Answers jobs until there will be none.
pub fn work(jobs: &Mutex<Receiver<Job>>, done: impl Fn(Done)) {
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(Job { id, mut player, request, turn }) = next() {
        let reply = if interrupt::is_requested() {
            Reply::Interrupted
        } else {
            player.answer(&request, turn).unwrap_or_else(Reply::Error)
        };
        done(Done { id, player, reply });
    }
}

impl Player {
    fn answer(&mut self, request: &Value, turn: usize) -> Result<Reply> {
        match self {
            Player::Sapper(session) => {
                let input = match request::read(request) {
                    Ok(input) => input,
                    Err(why) => return Ok(Reply::Fault(Fault::Illegal(why))),
                };
                Ok(match session.answer(input, &WallClock::start(), |_| {}) {
                    Ok(answer) => {
                        let (row, col) = (answer.place.row, answer.place.column);
                        let by = answer.decision.map_or("fallback", |decision| decision.by.name());
                        let answer = json!({"response": {"row": row, "col": col}});
                        Reply::Answer { answer, step: by.to_owned() }
                    }
                    Err(error) => Reply::Fault(Fault::Illegal(error.to_string())),
                })
            }
            Player::Program(host) => {
                // An interrupt ends the programs, but not Sapper's turn.
                let asked = interrupt::unless_requested(|| host.ask(request, turn));
                let Some(asked) = asked.transpose()? else { return Ok(Reply::Interrupted) };
                Ok(match asked.answer {
                    Ok(answer) => {
                        let step = format!("{} ms", asked.usage.wall.as_millis());
                        Reply::Answer { answer, step }
                    }
                    Err(fault) => Reply::Fault(fault),
                })
            }
        }
    }

    /// Ends the bot's program, if it runs. Returns the end of what it wrote to stderr, after a
    /// fault.
    pub fn close(self) -> String {
        match self {
            Player::Sapper(_) => String::new(),
            Player::Program(host) => host.close(false),
        }
    }
}
