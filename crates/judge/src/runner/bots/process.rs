//! One running bot: asked within limits of time and memory, and always terminated.
//!
//! A bot that ends with exit code 0 answers with all of its output. A bot that keeps running
//! answers with the text before the marker line. Its input stays open in both cases, as it may on
//! the platform, so a bot must answer after it has read a line. The exit of a process does not mean
//! that its output is complete, because the system and a thread still forward it; it is read to the
//! end of the pipe.
//!
//! Memory and CPU time are measured every [`POLL_INTERVAL`] while the bot computes, and taken from
//! the system's account when it has ended.
//!
//! Invariant: every wait has a deadline, because threads do the reading and writing
//! ([`super::pipes`]); a bot is ended with all of its processes ([`crate::runner::system`]).

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use sapper::protocol::KEEP_RUNNING_MARKER;

use super::fault::{Fault, Stuck, has_answer};
use super::pipes::{find_marker, forward_output, send_tail, shortened, text_of, write_requests};
use crate::runner::limits::TurnLimits;
use crate::runner::system::{End, Exit, Pipes, Processes};

/// The platform's limit of the output for one answer, in bytes.
pub const OUTPUT_LIMIT: usize = 1 << 20;
/// The interval at which a silent bot's state and resource usage are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long a bot may run after its input was closed, and how long processes that it left behind
/// may continue to print.
const EXIT_GRACE: Duration = Duration::from_millis(100);
/// How long the output of an ended bot is read. Its end may come late on a busy machine, and does
/// not come while a process that could not be killed holds the pipe open.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a bot that has timed out may answer once its input is closed.
const CLOSED_INPUT_GRACE: Duration = Duration::from_millis(300);
/// How long an answer of a bot that is only late is waited for before that.
const LATE_GRACE: Duration = Duration::from_millis(300);

/// One answer, as printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The whole output for the answer, without the marker line.
    pub text: String,
    /// Whether the bot keeps running for the next request.
    pub keeps_running: bool,
}

/// The resources that a bot used for its last answer.
#[derive(Clone, Copy, Default, Debug)]
pub struct Usage {
    /// Time from the start, or from the request, to the end of the answer.
    pub wall: Duration,
    /// CPU time of all processes.
    pub cpu: Duration,
    /// Peak memory so far in bytes; 0 if the bot ended before it was measured and used no more than
    /// the judge.
    pub memory_bytes: u64,
    /// Processes that the bot left behind.
    pub left_behind: u32,
}

/// A running bot.
#[derive(Debug)]
pub struct Bot {
    processes: Processes,
    /// `None` once its input is closed.
    requests: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    /// Output that is not yet part of an answer.
    unread: Vec<u8>,
    /// Gets the end of what the bot wrote to stderr, when it is closed.
    stderr_tail: Receiver<Vec<u8>>,
    answers: usize,
    /// CPU time of all turns up to the last one.
    total_cpu: Duration,
    usage: Usage,
}

impl Bot {
    /// Starts threads for the three pipes of a process that was just started.
    ///
    /// # Errors
    /// Fails if the system has no thread left; the process is then terminated.
    pub fn attach(pipes: Pipes, processes: Processes) -> Result<Bot> {
        let Pipes { stdin, stdout, stderr } = pipes;
        let (requests, to_write) = channel();
        let (chunks, output) = sync_channel(16);
        let (tails, stderr_tail) = channel();
        let bot = Bot {
            processes,
            requests: Some(requests),
            output,
            unread: Vec::new(),
            stderr_tail,
            answers: 0,
            total_cpu: Duration::ZERO,
            usage: Usage::default(),
        };
        let spawn = |run: Box<dyn FnOnce() + Send>| {
            let thread = thread::Builder::new().spawn(run);
            thread.context("the system has no thread left to read the bot with")
        };
        spawn(Box::new(move || write_requests(stdin, &to_write)))?;
        spawn(Box::new(move || forward_output(stdout, &chunks)))?;
        spawn(Box::new(move || send_tail(stderr, &tails)))?;
        Ok(bot)
    }

    /// Sends a request and waits for the answer within the limits.
    ///
    /// # Errors
    /// Returns a [`Fault`] if there is no answer; the bot is then terminated.
    pub fn ask(&mut self, request: &str, limits: &TurnLimits) -> Result<Answer, Fault> {
        let mut answer = self.check_no_output().and_then(|()| {
            if let Some(requests) = &self.requests {
                // A bot may answer and end without reading, so a closed input is not a fault yet.
                requests.send(request.as_bytes().to_vec()).ok();
            }
            self.read_answer(limits)
        });
        self.usage.wall = limits.start.elapsed();
        self.answers += 1;
        if let Err(Fault::Timeout(why, stuck)) = &mut answer {
            let cause;
            (*stuck, cause) = self.stuck();
            if let Some(cause) = cause {
                *why += &format!(": {cause}");
            }
        }
        if answer.is_err() {
            self.terminate();
        }
        let total_cpu = match self.processes.ended() {
            Some(end) => {
                self.usage.memory_bytes = self.usage.memory_bytes.max(end.resources.memory_bytes);
                self.usage.left_behind = end.left_behind;
                end.resources.cpu
            }
            None => self.processes.cpu(),
        };
        // The account of an ended bot may be slightly below the last measurement.
        self.usage.cpu = total_cpu.saturating_sub(self.total_cpu);
        self.total_cpu = self.total_cpu.max(total_cpu);
        // A bot without enough memory may crash.
        if matches!(answer, Ok(_) | Err(Fault::Crash(..)))
            && let Err(fault) = self.check_usage(limits)
        {
            self.terminate();
            answer = Err(fault);
        }
        answer
    }

    /// The resources used for the last answer.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Checks the last measurement against the limits of memory and CPU time.
    fn check_usage(&self, limits: &TurnLimits) -> Result<(), Fault> {
        if self.usage.memory_bytes > limits.memory_bytes {
            return Err(Fault::MemoryLimit(limits.memory_exceeded(self.usage.memory_bytes)));
        }
        match limits.cpu {
            Some(limit) if self.usage.cpu > limit => {
                let why = format!("more than {} s of CPU time", limit.as_secs_f64());
                Err(Fault::Timeout(why, Stuck::Computing))
            }
            _ => Ok(()),
        }
    }

    /// Checks that a bot that keeps running has printed nothing since its answer.
    fn check_no_output(&mut self) -> Result<(), Fault> {
        if self.answers > 0 {
            self.unread.extend(self.output.try_iter().flatten());
            let text = text_of(&self.unread);
            if !text.is_empty() {
                return Err(Fault::Unasked(format!(
                    "it printed `{}` after its answer and before the next request",
                    shortened(&text)
                )));
            }
            self.unread.clear();
        }
        Ok(())
    }

    /// Reads up to the marker line or to the end of the output.
    fn read_answer(&mut self, limits: &TurnLimits) -> Result<Answer, Fault> {
        let deadline = limits.deadline();
        let mut line_start = 0;
        let mut exited_at = None;
        loop {
            if let Some(marker) = find_marker(&self.unread, &mut line_start) {
                let rest = self.unread.split_off(marker.end);
                let text = text_of(&self.unread[..marker.start]);
                self.unread = rest;
                return Ok(Answer { text, keeps_running: true });
            }
            if self.unread.len() > OUTPUT_LIMIT {
                let why = format!("it printed more than {OUTPUT_LIMIT} bytes");
                return Err(Fault::OutputLimit(why));
            }
            let now = Instant::now();
            let mut wait = POLL_INTERVAL;
            match exited_at {
                // The output may still arrive; the loop goes on to the end of the pipe.
                None if self.processes.wait(Duration::ZERO) => exited_at = Some(now),
                None if now >= deadline => return Err(late(limits)),
                None => wait = wait.min(deadline - now),
                Some(end) if now >= end + OUTPUT_TIMEOUT => break,
                // Processes that the bot left behind may hold the pipe open.
                Some(end) if now >= end + EXIT_GRACE => drop(self.terminate()),
                Some(_) => {}
            }
            match self.output.recv_timeout(wait) {
                Ok(chunk) => {
                    if self.unread.is_empty() {
                        // There may be no later measurement of a bot that ends after its answer.
                        let peak = self.processes.peak_memory(limits.memory_bytes);
                        self.usage.memory_bytes = self.usage.memory_bytes.max(peak);
                    }
                    self.unread.extend(chunk);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.measure(limits)?;
                }
            }
        }
        match self.wait(limits)? {
            Exit::Code(0) => {}
            exit => return Err(Fault::crash(exit)),
        }
        let text = text_of(&self.unread);
        match (text.is_empty(), self.answers) {
            (false, _) => Ok(Answer { text, keeps_running: false }),
            (true, 0) => Err(Fault::NotJson("it printed nothing".to_owned())),
            (true, _) => Err(Fault::crash(Exit::Code(0))),
        }
    }

    /// What a bot that has timed out did, and the details, as far as its output says. Closes its
    /// input, to see whether it waits for the end of it.
    fn stuck(&mut self) -> (Stuck, Option<String>) {
        let cpu = self.processes.cpu().saturating_sub(self.total_cpu);
        if cpu > self.usage.wall / 2 {
            return (Stuck::Computing, None);
        }
        let printed = text_of(&self.unread);
        if has_answer(&printed) {
            let cause = format!(
                "it printed its answer, and then neither ended nor printed the line \
                 {KEEP_RUNNING_MARKER}"
            );
            return (Stuck::AfterAnswer, Some(cause));
        }
        // A bot that is only late answers with its input open.
        if self.answers_within(LATE_GRACE) {
            return (Stuck::Computing, None);
        }
        self.requests = None;
        if self.answers_within(CLOSED_INPUT_GRACE) {
            let cause = "it answered only when its input was closed: input stays open, so read one \
                         line, and flush the answer";
            return (Stuck::EndOfInput, Some(cause.to_owned()));
        }
        if !printed.is_empty() {
            let cause = format!("it printed only `{}`", shortened(&printed));
            return (Stuck::NoAnswer, Some(cause));
        }
        // On a busy machine a bot that computes gets a share of a core.
        let is_computing = cpu > self.usage.wall / 10;
        (if is_computing { Stuck::Computing } else { Stuck::Silent }, None)
    }

    /// Whether the bot answers within this time, or prints more than an answer may have.
    fn answers_within(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while !has_answer(&text_of(&self.unread)) && self.unread.len() <= OUTPUT_LIMIT {
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(chunk) if !left.is_zero() => self.unread.extend(chunk),
                _ => return false,
            }
        }
        true
    }

    /// Closes the input and terminates the bot if it does not end within [`EXIT_GRACE`].
    pub fn close(mut self) {
        self.requests = None;
        self.processes.wait(EXIT_GRACE);
        self.terminate();
    }

    /// Terminates the bot, and returns the end of what it wrote to stderr, trimmed.
    pub fn stderr(mut self) -> String {
        self.terminate();
        let tail = self.stderr_tail.recv_timeout(OUTPUT_TIMEOUT);
        tail.map(|tail| text_of(&tail)).unwrap_or_default()
    }

    /// Waits for the exit of a bot that has closed its output.
    fn wait(&mut self, limits: &TurnLimits) -> Result<Exit, Fault> {
        let left = || limits.deadline().saturating_duration_since(Instant::now());
        while !self.processes.wait(POLL_INTERVAL.min(left())) {
            if left().is_zero() {
                return Err(late(limits));
            }
            self.measure(limits)?;
        }
        Ok(self.terminate().exit)
    }

    /// Measures a bot that computes, and checks its usage.
    fn measure(&mut self, limits: &TurnLimits) -> Result<(), Fault> {
        let used = self.processes.usage(limits.memory_bytes);
        self.usage.memory_bytes = self.usage.memory_bytes.max(used.memory_bytes);
        self.usage.cpu = used.cpu.saturating_sub(self.total_cpu);
        self.check_usage(limits)
    }

    /// Terminates the bot with all of its processes.
    fn terminate(&mut self) -> End {
        self.requests = None;
        self.processes.end()
    }
}

/// The fault of a bot that took more than the wall time.
fn late(limits: &TurnLimits) -> Fault {
    Fault::Timeout(limits.wall_exceeded(), Stuck::Computing)
}

// Elsewhere `echo` and `false` are no programs.
#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::bots::command::BotCommand;

    fn a_minute() -> TurnLimits {
        let wall = Duration::from_secs(60);
        TurnLimits { start: Instant::now(), wall, cpu: None, memory_bytes: 256_000_000 }
    }

    /// A bot whose output is forwarded after a delay, as on a busy machine.
    fn with_late_output(command: &str, delay: Duration) -> Bot {
        let mut bot = BotCommand::new(Some(command)).unwrap().start().unwrap();
        let (chunks, output) = sync_channel(16);
        let in_time = std::mem::replace(&mut bot.output, output);
        thread::spawn(move || {
            thread::sleep(delay);
            in_time.into_iter().try_for_each(|chunk| chunks.send(chunk))
        });
        bot
    }

    #[test]
    fn late_output_of_an_ended_bot_counts() {
        let answer = Answer { text: "answer".to_owned(), keeps_running: false };
        let mut bot = with_late_output("echo answer", Duration::from_millis(500));
        assert_eq!(bot.ask("", &a_minute()), Ok(answer.clone()));
        // The deadline does not matter if the bot has ended before it.
        let mut bot = with_late_output("echo answer", Duration::from_millis(500));
        while !bot.processes.wait(POLL_INTERVAL) {}
        let at_once = TurnLimits { wall: Duration::ZERO, ..a_minute() };
        assert_eq!(bot.ask("", &at_once), Ok(answer));
        let mut bot = with_late_output("false", Duration::from_millis(500));
        let crash = Fault::crash(Exit::Code(1));
        assert_eq!(bot.ask("", &a_minute()), Err(crash));
    }
}
