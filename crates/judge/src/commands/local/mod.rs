//! `judge local`: plays on Botzone from the user's machine, by its Local AI protocol.
//!
//! ```text
//! arguments            the options and the help
//! address ─► server    one HTTP call, and what became of it
//!             news     the body of a poll
//!            client    one call at a time; when it ends
//!             matches  all matches; store: on disk; game: one match; request: of a turn;
//!                      record: the log of a match
//!             players  the bots, on threads
//!             outbox   the answers that are owed;  backoff: waits after failures
//!            view      status lines, table, JSON
//! fake                 a server to try it with, and for tests
//! ```
//!
//! A poll is a GET that the server holds until there is news. Its headers carry the answers to
//! earlier requests, its body has new requests and results ([`news`]). Only the request of the
//! current turn is sent, so the client keeps the history of every match.
//!
//! Invariants: an answer is sent with every poll until one that carried it has returned with status
//! 200, and then never again. Bad data of one match touches no other.
//!
//! Source: the wiki page *Local AI* of Botzone with its sample client, as of 2026-11. Never run
//! against the site itself.

mod address;
mod arguments;
mod backoff;
mod client;
mod fake;
mod game;
mod matches;
mod news;
mod outbox;
mod players;
mod record;
mod request;
mod server;
mod store;
mod view;

use std::fs;
use std::path::Path;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};

use crate::cli::{Outcome, print_bot_report};
use crate::report::recorded_games;
use crate::runner::bots::BotCommand;
use crate::runner::interrupt;
use crate::runner::system;
use crate::runner::threads::spawn;
use address::Address;
use backoff::Backoff;
use client::{Client, Event, Progress, call_server};
use matches::Matches;
use players::{BotChoice, work};
use server::Server;
use store::Store;

pub use address::{refuse_addresses, refuse_words};
pub use arguments::Arguments;

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    if arguments.fake.port.is_some() {
        return fake::run(&arguments.fake, arguments.log.as_deref(), arguments.json);
    }
    let bot = bot(arguments)?;
    let address = Address::find(arguments.url_file.as_deref())?;
    play(arguments, bot, Server::new(address, arguments.poll_timeout)?)
}

fn bot(arguments: &Arguments) -> Result<BotChoice> {
    let Some(line) = arguments.bot.as_deref() else { return Ok(BotChoice::Sapper) };
    let command = BotCommand::new(Some(line))?;
    let limits = arguments.limits.of_one(&command.program()[0])?;
    command.check_start()?;
    Ok(BotChoice::Program(command, limits))
}

/// Plays until there is nothing more to play.
fn play(arguments: &Arguments, bot: BotChoice, server: Server) -> Result<Outcome> {
    if let Some(directory) = &arguments.log {
        recorded_games::make_directory(directory)?;
        check_writable(directory)?;
    }
    let state = arguments.state.clone().map_or_else(store::default_directory, Ok)?;
    let stored = Store::open(&state)?;
    check_writable(&state)?;
    interrupt::defer_exit(2);
    // The threads may outlive the run: nobody waits for a poll that the server holds.
    let bot: &'static BotChoice = Box::leak(Box::new(bot));
    let (jobs, jobs_to_do) = channel();
    let (calls, calls_to_make) = channel();
    let (report, events) = channel();
    let jobs_to_do = Arc::new(Mutex::new(jobs_to_do));
    for _ in 0..arguments.jobs.count(bot.clock()) {
        let (jobs_to_do, report) = (Arc::clone(&jobs_to_do), report.clone());
        spawn(move || work(&jobs_to_do, |done| drop(report.send(Event::Done(done)))))?;
    }
    spawn(move || call_server(&server, &calls_to_make, |event| drop(report.send(event))))?;
    let mut client = Client {
        arguments,
        matches: Matches::new(arguments, bot, jobs, stored)?,
        backoff: Backoff::new(arguments.retry_wait),
        calls,
        progress: Progress::default(),
    };
    let refusal = client.run(&events)?;
    let (has_fault, totals) = (client.matches.has_fault, client.progress.totals);
    let rows = client.matches.into_rows();
    system::sweep();
    let report = view::Report { matches: rows, totals };
    // Without --bot no process is started.
    let note = system::LIMITS_NOTE.filter(|_| arguments.bot.is_some());
    let text = || report.text(arguments.log.as_deref());
    print_bot_report(arguments.json, note, || &report, text);
    if let Some(why) = refusal {
        bail!(why);
    }
    Ok(Outcome::from(!has_fault).unless_interrupted(interrupt::is_requested(), ""))
}

/// Writes a file before the server is asked: a request that cannot be kept is lost.
fn check_writable(directory: &Path) -> Result<()> {
    let file = directory.join(".writable");
    let written = fs::write(&file, "").and_then(|()| fs::remove_file(&file));
    written.with_context(|| {
        let name = directory.display();
        format!("cannot write to the folder {name}; free it or name another")
    })
}
