//! The client: one call to the server at a time, and the bots between the calls.
//!
//! ```text
//! poll ──► requests ──► jobs ──► answers ──► outbox ──► next poll
//! ```
//!
//! The server may hold a poll for long, and answers that come meanwhile wait for its end. So no
//! poll begins without answers while a bot is at work, and one with answers waits [`LINGER`] for
//! more of them.
//!
//! Invariant: one call at a time, so the server sees the answers in their order.

use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::Value;

use super::arguments::Arguments;
use super::backoff::Backoff;
use super::matches::Matches;
use super::news::News;
use super::players::Done;
use super::server::{Failure, Outgoing, Polled, Server};
use super::view::Totals;
use crate::runner::interrupt;

/// How long an answer waits for others before the next poll.
const LINGER: Duration = Duration::from_millis(100);
/// The interval at which interrupts and waits are checked.
const TICK: Duration = Duration::from_millis(50);
/// The time from a poll without answers that brings nothing to do to the next one.
const IDLE_PERIOD: Duration = Duration::from_secs(1);
/// The calls in a row that fail after an interrupt before the answers that are owed are kept.
const LAST_TRIES: u32 = 3;
/// The failure in a row that is worth a message once the server was reached: single ones pass.
const REPORTED_FAILURE: u32 = 3;

/// A call to the server.
pub enum Call {
    Poll(Vec<Outgoing>),
    /// Opens a match with this init data.
    RunMatch(Value),
}

/// What the client waits for.
pub enum Event {
    Polled(Vec<Outgoing>, Polled),
    Opened(Result<String, Failure>),
    Done(Done),
}

/// Makes calls one after the other, until there will be none.
pub fn call_server(server: &Server, calls: &Receiver<Call>, report: impl Fn(Event)) {
    for call in calls {
        report(match call {
            Call::Poll(answers) => {
                let polled = server.poll(&answers);
                Event::Polled(answers, polled)
            }
            Call::RunMatch(initdata) => Event::Opened(server.run_match(&initdata)),
        });
    }
}

/// A client that plays these matches.
pub struct Client<'a> {
    pub arguments: &'a Arguments,
    pub matches: Matches<'a>,
    pub backoff: Backoff,
    pub calls: Sender<Call>,
    pub progress: Progress,
}

/// The calls so far.
#[derive(Default)]
pub struct Progress {
    pub totals: Totals,
    /// The number of matches that this run has opened, and the last of them.
    opened: usize,
    own: Option<String>,
    /// When the last call was made.
    call_start: Option<Instant>,
    /// The answers of the call that has not returned.
    in_call: Option<Vec<Outgoing>>,
    /// No call is made before this.
    pause_end: Option<Instant>,
    /// When the first answer came that is not in a call.
    first_answer: Option<Instant>,
    /// Why the server plays no more with this client.
    refusal: Option<String>,
    /// Whether a poll has succeeded.
    is_connected: bool,
    has_told_interrupt: bool,
    /// Whether the last call was made after the interrupt, and how many such calls in a row failed.
    is_last_try: bool,
    last_failures: u32,
}

impl Client<'_> {
    /// Plays until the plan is done, an interrupt comes, or the server refuses. Returns why the
    /// server refused.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or if the bot cannot be started.
    pub fn run(&mut self, events: &Receiver<Event>) -> Result<Option<String>> {
        self.matches.lines.warn("asking the server for matches; Ctrl-C ends");
        while !self.is_done() {
            self.tell_interrupt();
            if let Some(call) = self.next_call() {
                self.progress.call_start = Some(Instant::now());
                self.progress.is_last_try = self.progress.has_told_interrupt;
                self.progress.in_call = Some(match &call {
                    Call::Poll(answers) => answers.clone(),
                    Call::RunMatch(..) => Vec::new(),
                });
                // The thread that makes the calls ends only after this end of the channel.
                self.calls.send(call).ok();
            }
            self.show();
            if let Ok(event) = events.recv_timeout(TICK) {
                self.handle(event)?;
            }
        }
        self.progress.totals.owed = self.matches.outbox.len();
        self.progress.totals.repeated_requests = self.matches.repeated;
        self.progress.totals.incomplete_logs = self.matches.incomplete_logs;
        Ok(self.progress.refusal.take())
    }

    /// Whether no new turn is to be played.
    fn is_ending(&self) -> bool {
        let Arguments { run_match, count, matches, .. } = self.arguments;
        let progress = &self.progress;
        let has_played = run_match.is_some() && progress.opened == *count && progress.own.is_none();
        let over = self.matches.rows.len();
        interrupt::is_requested() || has_played || matches.is_some_and(|most| over >= most)
    }

    fn is_done(&self) -> bool {
        let progress = &self.progress;
        if progress.refusal.is_some() || interrupt::is_repeated() {
            return true;
        }
        let owes_nothing =
            self.matches.outbox.is_empty() && progress.in_call.as_ref().is_none_or(Vec::is_empty);
        let has_tried = interrupt::is_requested()
            && progress.in_call.is_none()
            && progress.last_failures >= LAST_TRIES;
        self.is_ending() && self.matches.at_work == 0 && (owes_nothing || has_tried)
    }

    /// The next call, if it is time for one.
    fn next_call(&mut self) -> Option<Call> {
        let progress = &mut self.progress;
        let is_paused = progress.pause_end.is_some_and(|end| Instant::now() < end);
        if progress.in_call.is_some() || is_paused {
            return None;
        }
        let is_idle = self.matches.at_work == 0;
        if !self.matches.outbox.is_empty() {
            let first = progress.first_answer.get_or_insert_with(Instant::now);
            if !is_idle && first.elapsed() < LINGER {
                return None;
            }
            progress.first_answer = None;
            let batch = self.matches.outbox.batch();
            progress.totals.sent_again += self.matches.outbox.sent_before(&batch) as u64;
            return Some(Call::Poll(batch));
        }
        if !is_idle || self.is_ending() {
            return None;
        }
        let progress = &self.progress;
        let may_open = progress.own.is_none() && progress.opened < self.arguments.count;
        let initdata = self.arguments.run_match.clone().filter(|_| may_open);
        Some(match initdata {
            Some(initdata) => Call::RunMatch(initdata),
            None => Call::Poll(Vec::new()),
        })
    }

    fn handle(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Done(done) => return self.matches.done(done),
            Event::Polled(answers, polled) => {
                self.progress.in_call = None;
                self.progress.totals.polls += 1;
                match polled {
                    Polled::Failed(failure) => self.fail(failure, answers),
                    Polled::BadBody(why) => {
                        self.deliver(&answers)?;
                        self.progress.totals.bad_bodies += 1;
                        self.pause(why);
                    }
                    Polled::News(news) => {
                        self.deliver(&answers)?;
                        self.succeed();
                        self.take(news)?;
                        let matches = &self.matches;
                        let has_work = matches.at_work > 0 || !matches.outbox.is_empty();
                        if answers.is_empty() && !has_work {
                            // A server that does not hold polls, or that repeats what was answered,
                            // is not asked all the time.
                            self.progress.pause_end = self
                                .progress
                                .call_start
                                .map(|start| start + self.backoff.first.min(IDLE_PERIOD));
                        }
                    }
                }
            }
            Event::Opened(Err(failure)) => {
                self.progress.in_call = None;
                self.fail(failure, Vec::new());
            }
            Event::Opened(Ok(id)) => {
                self.progress.in_call = None;
                self.succeed();
                self.progress.opened += 1;
                let initdata = self.arguments.run_match.clone().unwrap_or_default();
                self.matches.expect(&id, initdata);
                self.progress.own = Some(id);
            }
        }
        Ok(())
    }

    /// Takes note of a call that has succeeded.
    fn succeed(&mut self) {
        self.backoff.succeed();
        self.progress.last_failures = 0;
        if !self.progress.is_connected {
            self.matches.lines.warn("connected; waiting for matches");
            self.progress.is_connected = true;
        }
    }

    fn deliver(&mut self, answers: &[Outgoing]) -> Result<()> {
        self.progress.totals.answers += self.matches.delivered(answers)? as u64;
        Ok(())
    }

    fn take(&mut self, news: News) -> Result<()> {
        self.matches.is_ending = self.is_ending();
        for (id, request) in news.requests {
            self.matches.receive(&id, request)?;
        }
        for (id, why) in news.unreadable {
            self.matches.receive_unreadable(&id, why)?;
        }
        for id in news.unusable_ids {
            self.matches.receive_unusable_id(id);
        }
        for result in &news.results {
            self.matches.finish(result)?;
        }
        if self.progress.own.as_ref().is_some_and(|id| self.matches.is_over(id)) {
            self.progress.own = None;
        }
        Ok(())
    }

    /// Takes note of a call that has failed. Its answers are still owed.
    fn fail(&mut self, failure: Failure, answers: Vec<Outgoing>) {
        self.progress.totals.failed_polls += 1;
        match failure {
            Failure::Final(why) => self.progress.refusal = Some(why),
            Failure::TooLarge(_) if self.matches.outbox.shrink(&answers) => {}
            Failure::TooLarge(why) if !answers.is_empty() => {
                self.progress.refusal = Some(format!("{why} with a single answer"));
            }
            Failure::TooLarge(why) | Failure::Passing(why) => {
                self.matches.outbox.failed(answers);
                self.pause(why);
            }
        }
    }

    /// Waits before the next call.
    fn pause(&mut self, why: String) {
        let wait = self.backoff.fail();
        self.progress.last_failures += u32::from(self.progress.is_last_try);
        self.progress.pause_end = Some(Instant::now() + wait);
        let reported = if self.progress.is_connected { REPORTED_FAILURE } else { 1 };
        if self.backoff.failures == reported {
            self.matches.lines.warn(&format!("{why}; trying again"));
        }
        self.progress.totals.last_failure = Some(why);
    }

    /// Tells once that the client was asked to end.
    fn tell_interrupt(&mut self) {
        if interrupt::is_requested() && !self.progress.has_told_interrupt {
            self.progress.has_told_interrupt = true;
            // The last tries do not wait for what failed before them.
            self.backoff.succeed();
            self.progress.pause_end = None;
            self.matches.lines.warn("sending what is owed; a second Ctrl-C ends at once");
        }
    }

    fn show(&self) {
        let failure = self.progress.totals.last_failure.as_deref();
        let failure = failure.filter(|_| self.backoff.failures > 0);
        let waits_for = match (&self.progress.in_call, self.matches.at_work) {
            _ if interrupt::is_requested() => "sending what is owed (Ctrl-C ends at once)",
            (Some(_), _) => "waiting for the server",
            (None, 0) if failure.is_some() => "waiting before the next try",
            (None, 0) => "waiting before the next poll",
            (None, _) => "at work",
        };
        let failure = failure.map_or(String::new(), |why| format!(" ({why})"));
        let waits_for = format!("{waits_for}{failure}");
        self.matches.lines.total(self.matches.open.len(), self.matches.rows.len(), &waits_for);
    }
}
