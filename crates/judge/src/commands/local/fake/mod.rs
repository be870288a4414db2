//! `judge local --fake PORT`: a server that speaks the protocol of the Local AI, on this machine.
//!
//! It opens matches, plays them by the referee, and holds polls until there is news. With faults it
//! is a server at its worst, and a test of any client: it counts the answers that came again after
//! a poll that carried them had returned with status 200 and was read, which none may. (A client
//! that is killed before it has kept what it read may.) So an answer that names the cell of an
//! earlier one is taken for that one.
//!
//! Its waits are the clock's, its faults a seed's, and its boards those of the seeds from 1.

mod faults;
mod http;
mod state;
mod table;

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use game::level::Level;
use game::setup::{Setup, SizeLimits};
use serde::Serialize;
use serde_json::Value;

use self::faults::{Fault, Faults};
use self::http::{Request, is_open, is_read_to_end, respond, respond_in_part, stay_silent};
use self::state::State;
use self::table::Table;
use crate::cli::{LevelOptions, Outcome, parse_integer, print_report};
use crate::report::recorded_games::{make_directory, write_record};
use crate::runner::bots::LOCAL_AI_VAR;
use crate::runner::interrupt;
use crate::runner::threads::spawn;

/// The parts of the path before its last word.
const USER: &str = "1";
const SECRET: &str = "no-secret";
/// How often connections are looked for.
const TICK: Duration = Duration::from_millis(2);
/// How long a poll without news is held. The site holds it longer.
const HOLD: Duration = Duration::from_millis(500);
/// The seed of the faults.
const FAULT_SEED: u64 = 1;
/// How long a restart takes.
const RESTART_TIME: Duration = Duration::from_millis(300);

/// The heading of the options in the help, by which `tie_to_mode` in `arguments.rs` knows them.
pub const HEADING: &str = "The fake server";

/// The options of the fake server.
#[derive(clap::Args)]
#[command(next_help_heading = HEADING)]
pub struct Options {
    /// Be a server on this port of this machine, instead of a client; 0 takes a free port
    #[arg(long = "fake", value_name = "PORT", value_parser = parse_port)]
    pub port: Option<u16>,
    /// What goes wrong, in one of three polls
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FAULT,...")]
    faults: Vec<Fault>,
    /// Number of matches that are opened at once; the server ends after them, or with 0 by Ctrl-C
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = parse_integer::<u32>)]
    open: u32,
    #[command(flatten)]
    level: LevelOptions,
}

/// The state of the server, and the condition that it has changed.
struct Server {
    state: Mutex<State>,
    changed: Condvar,
}

/// What is printed at the start.
#[derive(Serialize)]
struct Started<'a> {
    address: &'a str,
}

/// Serves until the matches are over, or until an interrupt.
///
/// # Errors
/// Fails if the port is taken, or if a record cannot be written.
pub fn run(options: &Options, log: Option<&Path>, json: bool) -> Result<Outcome> {
    log.map_or(Ok(()), make_directory)?;
    let port = options.port.unwrap_or_default();
    let listen = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let mut listener = listen(port).map_err(|error| port_error(port, &error))?;
    let port = listener.local_addr()?.port();
    let server = Arc::new(Server::open(options)?);
    interrupt::defer_exit(1);
    let address = format!("http://127.0.0.1:{port}/api/{USER}/{SECRET}/localai");
    let variable = || format!("{LOCAL_AI_VAR}={address}");
    print_report(json, || Started { address: &address }, variable);
    let is_done = || options.open > 0 && server.lock().is_done();
    while !(interrupt::is_requested() || is_done()) {
        listener.set_nonblocking(true)?;
        if std::mem::take(&mut server.lock().restarts_now) {
            drop(listener);
            std::thread::sleep(RESTART_TIME);
            listener = listen(port).context("cannot listen again")?;
            continue;
        }
        match listener.accept() {
            Ok((stream, _)) => {
                let server = Arc::clone(&server);
                spawn(move || server.serve(stream))?;
            }
            Err(_) => std::thread::sleep(TICK),
        }
    }
    let state = server.lock();
    if let Some(directory) = log {
        for (id, table) in &state.tables {
            write_record(&directory.join(format!("{id}.json")), &table.record)?;
        }
    }
    print_report(json, || state.report(), || state.summary());
    Ok(Outcome::from(state.counts.answers_after_success == 0)
        .unless_interrupted(interrupt::is_requested(), ""))
}

fn port_error(port: u16, error: &io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::AddrInUse => {
            anyhow!("another program uses port {port}; name another one, or 0 for a free one")
        }
        ErrorKind::PermissionDenied => {
            anyhow!(
                "the system keeps port {port} to itself; name one from 1024, or 0 for a free one"
            )
        }
        _ => anyhow!("cannot listen on port {port}: {error}"),
    }
}

fn parse_port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "give a port, a number from 0 to 65535".to_owned())
}

impl Server {
    fn open(options: &Options) -> Result<Server> {
        let Level { shape, mines } = options.level.level();
        let mut state = State::new(Faults::new(&options.faults, FAULT_SEED));
        for _ in 0..options.open {
            state.open_table(|seed| Ok(Setup::new(shape, mines, seed)))?;
        }
        Ok(Server { state: Mutex::new(state), changed: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers one connection. A client that does not wait for the answer is its own fault.
    fn serve(&self, mut stream: TcpStream) {
        stream.set_nonblocking(false).ok();
        let Ok(request) = Request::read(&mut stream) else { return };
        if request.bytes > self.lock().faults.header_limit() {
            self.lock().counts.refused_headers += 1;
            respond(&mut stream, 431, "").ok();
            return;
        }
        let words: Vec<&str> = request.path.split('/').collect();
        let (status, body) = match words.as_slice() {
            ["", "api", USER, SECRET, "localai"] => {
                self.lock().counts.polls += 1;
                return self.poll(&mut stream, &request);
            }
            ["", "api", USER, SECRET, "runmatch"] => self.run_match(&request),
            ["", "api", USER, SECRET, "abortmatch"] => self.abort_match(&request),
            ["", "api", USER, _, _] => (401, "wrong secret".to_owned()),
            ["", "api", ..] => (403, "not this user".to_owned()),
            _ => (404, "no such page".to_owned()),
        };
        respond(&mut stream, status, &body).ok();
    }

    /// `GET .../runmatch`: opens a match.
    fn run_match(&self, request: &Request) -> (u16, String) {
        if request.header("x-game") != Some("Minesweeper") {
            return (400, "X-Game must be Minesweeper".to_owned());
        }
        let initdata = request.header("x-initdata").unwrap_or_default();
        let initdata = Value::String(initdata.to_owned());
        let setup = |seed| Ok(Setup::read(&initdata, SizeLimits::Official, seed)?);
        let opened = self.lock().open_table(setup);
        self.changed.notify_all();
        opened.map_or_else(|error| (400, format!("{error:#}")), |id| (200, id))
    }

    /// `GET .../abortmatch`: ends a match without a score.
    fn abort_match(&self, request: &Request) -> (u16, String) {
        let id = request.header("x-matchid").unwrap_or_default();
        match self.lock().tables.get_mut(id) {
            Some(table) => table.abort(),
            None => return (404, "no such match".to_owned()),
        }
        self.changed.notify_all();
        (200, String::new())
    }

    /// `GET .../localai`: takes answers, waits for news, and sends them.
    fn poll(&self, stream: &mut TcpStream, request: &Request) {
        let mut state = self.lock();
        let fault = state.next_fault();
        let starts = state.starts;
        let takes_first = match fault {
            Some(Fault::BadGateway | Fault::Timeout) => false,
            Some(Fault::Silent | Fault::Drop | Fault::Restart) => state.faults.random.below(2) == 0,
            _ => true,
        };
        let answers = request.answers();
        if takes_first {
            state.take(&answers);
            self.changed.notify_all();
        }
        let has_restarted = || self.lock().starts != starts || interrupt::is_requested();
        match fault {
            Some(Fault::BadGateway | Fault::Lost) => {
                drop(state);
                respond(stream, 502, "<html>502 Bad Gateway</html>").ok();
                return;
            }
            Some(Fault::Timeout) => {
                drop(state);
                std::thread::sleep(HOLD);
                respond(stream, 504, "<html>504 Gateway Time-out</html>").ok();
                return;
            }
            Some(Fault::Silent) => {
                drop(state);
                return stay_silent(stream, has_restarted);
            }
            Some(Fault::Drop) => return,
            Some(Fault::Restart) => {
                (state.restarts_now, state.starts) = (true, starts + 1);
                state.tables.values_mut().for_each(Table::forget_sent);
                self.changed.notify_all();
                return;
            }
            _ => {}
        }
        let end = Instant::now() + HOLD;
        while !state.has_news() && Instant::now() < end {
            // A request becomes due by itself, so the wait is short.
            let wait = self.changed.wait_timeout(state, Duration::from_millis(20));
            state = wait.unwrap_or_else(PoisonError::into_inner).0;
            if state.starts != starts {
                return;
            }
        }
        if !is_open(stream) {
            return;
        }
        let news = state.news(fault == Some(Fault::Duplicate));
        if fault != Some(Fault::Broken) {
            state.sent(&news);
        }
        let is_cut = state.faults.random.below(2) == 0;
        drop(state);
        let body = news.body();
        let written = match fault {
            Some(Fault::Broken) if is_cut => {
                respond_in_part(stream, 200, &body[..body.len() / 2], body.len())
            }
            Some(Fault::Broken) => respond(stream, 200, "<html>Welcome to this network</html>"),
            _ => respond(stream, 200, &body),
        };
        if written.is_err() {
            return;
        }
        if fault != Some(Fault::Broken) {
            self.lock().wrote(&news);
        }
        if is_read_to_end(stream) {
            let mut state = self.lock();
            state.acknowledge(&answers);
            if fault != Some(Fault::Broken) {
                state.read(&news);
            }
        }
    }
}
