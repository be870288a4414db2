//! `judge local`: plays on Botzone from the user's machine, by its Local AI protocol.
//!
//! ```text
//! address ─► server    one HTTP call, and what became of it
//!             news     the body of a poll
//!            client    one call at a time; when it ends
//!             matches  all matches; store: on disk; game: one match; record: its log
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
//! Invariant: an answer is sent with every poll until one that carried it has returned with status
//! 200, and then never again.
//!
//! Source: the wiki page *Local AI* of Botzone with its sample client, as of 2026-11. Never run
//! against the site itself.

mod address;
mod backoff;
mod client;
mod fake;
mod game;
mod matches;
mod news;
mod outbox;
mod players;
mod record;
mod server;
mod store;
mod view;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Arg;
use serde_json::{Value, json};

use crate::cli::{JobOptions, LimitOptions, Outcome, parse_seconds, print_report};
use crate::report::recorded_games;
use crate::runner::bots::BotCommand;
use crate::runner::interrupt;
use crate::runner::system;
use address::{Address, ON_COMMAND_LINE};
use backoff::Backoff;
use client::{Client, Event, Progress, call_server};
use matches::Matches;
use players::{BotChoice, work};
use server::Server;
use store::Store;

pub use address::refuse_addresses;

/// Play on Botzone from this machine, by its Local AI.
#[derive(clap::Args)]
#[command(
    mut_args(tie_to_mode),
    after_help = "\
Examples:
  judge local                                  # asks for the address
  judge local --url-file address.txt --log games
  judge local --bot 'python3 mybot.py' --matches 20 --json
  judge local --run-match '{\"width\":30,\"height\":20}' --count 5
  judge local --fake 8080                      # a server to try it with
  judge local --fake 8080 --faults all --level intermediate --open 200
  judge local --matches 200 --poll-timeout 5 --retry-wait 0.2

The address is on your page of the site, under Local AI. It is a secret: who has it plays in your
name. It is read from --url-file, else from the environment variable BOTZONE_LOCALAI_URL, else asked
for without echo, and never printed or written. A file of root certificates that SSL_CERT_FILE names
replaces those of the browsers.

Sapper plays in this process, at full effort. A bot of --bot is run as by `judge play`, with the
same limits and faults. After a fault the server gets the illegal answer, or null where there is
none, which ends the match with 0. Any number of matches may be open; --jobs says how many turns are
computed at the same time.

Matches are kept on disk, so after an end of any kind the same command goes on where it was. To drop
a match that never ends, delete its file ID.jsonl in the directory of --state.

A match is played from its first turn, in which all cells are closed. If the first request that
arrives shows open cells, another client has played before, and any cell may be open by now: the
match is reported and not answered. But a table with `skipfirst` begins so: give --skipfirst. (A
match of --run-match with `skipfirst` needs no option.)

A line is printed for each match that is over, and a table at the end. --log DIR keeps each match
as DIR/ID.json, for `judge verify` and `judge replay`. A match whose field does not follow from what
was shown, such as an aborted one, is DIR/incomplete/ID.json, for `judge replay` alone.

Ctrl-C sends the answers that are owed and ends; where polls fail, after three more tries. A second
one ends at once. Both end with the table, and the next run sends what is still owed.

With --fake the command is the server itself: it prints the line that sets the address for a client
in another terminal, opens --open matches of --level, and ends when they are over, or by Ctrl-C.
Matches that the client opens by --run-match have their own size. The last two commands above, with
all faults, take about two minutes on two cores, and the matches of larger boards longer.

Exit code: 0 no fault, 1 a fault of the bot, 2 bad usage, or the server refuses the address, 130
interrupted."
)]
pub struct Arguments {
    /// Read the address from FILE, even if BOTZONE_LOCALAI_URL is set
    #[arg(long, value_name = "FILE")]
    url_file: Option<PathBuf>,
    /// An address on the command line, which is refused without printing it.
    #[arg(hide = true)]
    address: Vec<String>,
    /// The bot's command line [default: Sapper, in this process]
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    jobs: JobOptions,
    /// Open a match with this init data, a JSON object such as '{}'
    #[arg(long, value_name = "JSON", value_parser = parse_object)]
    run_match: Option<Value>,
    /// Time limit of the match of --run-match, in the site's unit [default: the site's]
    #[arg(long, value_name = "N", requires = "run_match")]
    match_time_limit: Option<u32>,
    /// Let this run open N matches, one after the other, and then end
    #[arg(long, value_name = "N", requires = "run_match", default_value_t = 1)]
    count: usize,
    /// End when N matches have ended in this run; earlier runs do not count [default: play until
    /// interrupted]
    #[arg(long, value_name = "N")]
    matches: Option<usize>,
    /// Play matches whose first request already shows open cells
    #[arg(long)]
    skipfirst: bool,
    /// The directory with the histories of open matches [default: sapper/matches in
    /// $XDG_STATE_HOME, or in ~/.local/state]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Write each match to DIR/ID.json when it is over
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// The longest wait for the server in one poll
    #[arg(long, value_name = "SECONDS", default_value = "90", value_parser = parse_seconds)]
    poll_timeout: Duration,
    /// The wait after a failed poll; it doubles from failure to failure, up to 16 times as much
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = parse_seconds)]
    retry_wait: Duration,
    /// Print one JSON object instead of lines; the fake server, first one with its address
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    fake: fake::Options,
}

/// Lets the fake server's options stand only with `--fake`, and the client's only without it.
fn tie_to_mode(argument: Arg) -> Arg {
    const FAKE: &str = "port";
    match argument.get_id().as_str() {
        FAKE | "log" | "json" | "address" => argument,
        _ if argument.get_help_heading() == Some(fake::HEADING) => argument.requires(FAKE),
        _ => argument.conflicts_with(FAKE),
    }
}

fn parse_object(text: &str) -> Result<Value, String> {
    let value: Option<Value> = serde_json::from_str(text).ok();
    value.filter(Value::is_object).ok_or_else(|| "give a JSON object, such as '{}'".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    ensure!(arguments.address.is_empty(), "{ON_COMMAND_LINE}");
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
    let limits = arguments.limits.of_one(&command.words()[0])?;
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
        matches: Matches::new(arguments, bot, jobs, stored),
        backoff: Backoff::new(arguments.retry_wait),
        calls,
        progress: Progress::default(),
    };
    let refusal = client.run(&events)?;
    let (has_fault, totals) = (client.matches.has_fault, client.progress.totals);
    let rows = client.matches.into_rows();
    system::sweep();
    let json = || json!({"matches": rows, "totals": totals});
    let text = || view::summary(&rows, &totals, arguments.log.as_deref());
    print_report(arguments.json, json, text);
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
        format!("cannot write to the directory {name}; free it or name another")
    })
}

fn spawn(run: impl FnOnce() + Send + 'static) -> Result<()> {
    thread::Builder::new().spawn(run).context("the system has no thread left")?;
    Ok(())
}
