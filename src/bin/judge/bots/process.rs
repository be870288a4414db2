//! One running bot: asked within limits of time and memory, and certainly ended.
//!
//! Whatever the process does must not stop the judge, so nothing here waits without a deadline:
//! threads read its two outputs and write its input ([`super::pipes`]). A bot that is done with is
//! ended with every process that came from it ([`super::family`]).
//!
//! The two ways of the protocol are told apart by what is printed. Text up to the marker line is an
//! answer of a bot that stays; text up to the end of the output is an answer of a bot that ends
//! with exit code 0. Its input stays open meanwhile, as it may on the platform: a bot must answer
//! when it has read a line and not wait for the end. That a process has ended says nothing about
//! its output, which the system and a thread have yet to pass on: it is read to the end of the
//! pipe.
//!
//! Memory and CPU time are measured every [`TICK`] while the bot computes, and taken from the
//! system's own account when it has ended. A limit set in the system (`setrlimit`) does not do: a
//! limit on addresses stops languages that reserve more than they use, and no limit holds for all
//! processes of a bot together.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::family::Family;
use super::pipes::{find_marker, keep_tail, pass_on, text_of, write_requests};
use crate::cli::limits::Allowed;

/// The most a bot may print for one answer: the platform's limit, in bytes.
pub const MOST_PRINTED: usize = 1 << 20;
/// How often a silent bot is looked at, whether it still lives and what it uses.
const TICK: Duration = Duration::from_millis(20);
/// How long a bot that was kept may take to end by itself when its input closes, and how long the
/// processes that a bot leaves behind may go on printing.
const GRACE: Duration = Duration::from_millis(100);
/// How long the output of a bot that has ended is read. Its end comes by itself, and on a busy
/// machine late; only a process that could not be ended can keep it from coming.
const LINGER: Duration = Duration::from_secs(5);

/// One answer, as printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// Everything that was printed for it, without the marker line.
    pub text: String,
    /// Whether the bot stays for the next request.
    pub kept: bool,
}

/// What a bot did instead of answering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It did not answer, or did not end, in time.
    Timeout,
    /// It ended by a signal, by an exit code, or without an answer although it had asked to stay.
    Crash(String),
    /// What it printed is no JSON.
    NotJson(String),
    /// It printed more than [`MOST_PRINTED`].
    TooMuch,
    /// It had more memory than it may.
    Memory(String),
    /// It printed an answer before it was asked for it.
    Unasked(String),
    /// It could not be started, although it could before.
    NotStarted(String),
}

/// What a bot took for its last answer.
#[derive(Clone, Copy, Default, Debug)]
pub struct Usage {
    /// From the start, or from the request, to the end of the answer.
    pub wall: Duration,
    /// CPU time of all its processes.
    pub cpu: Duration,
    /// The most memory so far, in bytes; 0 where it had ended before anybody looked and had no more
    /// than the judge.
    pub memory: u64,
    /// Processes that it left behind.
    pub left: u32,
}

/// A running bot.
pub struct Bot {
    child: Child,
    family: Family,
    requests: Option<Sender<Vec<u8>>>,
    printed: Receiver<Vec<u8>>,
    /// Printed, and not yet part of an answer.
    unread: Vec<u8>,
    tail: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when the bot's stderr is at its end.
    stderr_end: Receiver<()>,
    answers: usize,
    /// CPU time before this turn.
    spent: Duration,
    usage: Usage,
}

impl Bot {
    /// Takes over a process that was just started, with threads for its three pipes.
    ///
    /// # Errors
    /// When the system has no thread left; the process is ended then.
    pub fn attach(mut child: Child, family: Family) -> Result<Bot> {
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (requests, to_write) = channel();
        let (chunks, printed) = sync_channel(16);
        let (stderr_open, stderr_end) = channel();
        let tail = Arc::new(Mutex::new(Vec::new()));
        let bot = Bot {
            child,
            family,
            requests: Some(requests),
            printed,
            unread: Vec::new(),
            tail: Arc::clone(&tail),
            stderr_end,
            answers: 0,
            spent: Duration::ZERO,
            usage: Usage::default(),
        };
        let spawn = |run: Box<dyn FnOnce() + Send>| {
            let thread = thread::Builder::new().spawn(run);
            thread.context("the system has no thread left to read the bot with")
        };
        if let Some(stdin) = stdin {
            spawn(Box::new(move || write_requests(stdin, &to_write)))?;
        }
        if let Some(stdout) = stdout {
            spawn(Box::new(move || pass_on(stdout, &chunks)))?;
        }
        if let Some(stderr) = stderr {
            spawn(Box::new(move || keep_tail(stderr, &tail, stderr_open)))?;
        }
        Ok(bot)
    }

    /// Sends a request and waits for the answer as long as is allowed.
    ///
    /// # Errors
    /// [`Fault`] when there is none; the bot is ended then.
    pub fn ask(&mut self, request: &str, allowed: &Allowed) -> Result<Printed, Fault> {
        let mut answer = self.unasked().and_then(|()| {
            if let Some(requests) = &self.requests {
                // A bot may answer, and end, without reading: that nobody reads is no fault yet.
                requests.send(request.as_bytes().to_vec()).ok();
            }
            self.read_answer(allowed)
        });
        self.usage.wall = allowed.start.elapsed();
        self.answers += 1;
        if answer.is_err() {
            self.kill();
        }
        let total = match self.family.ended() {
            Some(ended) => {
                self.usage.memory = self.usage.memory.max(ended.memory);
                self.usage.left = ended.left;
                ended.cpu
            }
            None => self.family.cpu(),
        };
        // What is seen of a bot that lives may be a little more or less than what is told when it
        // has ended.
        self.usage.cpu = total.saturating_sub(self.spent);
        self.spent = self.spent.max(total);
        // One that had no memory left has perhaps crashed for that.
        if matches!(answer, Ok(_) | Err(Fault::Crash(_)))
            && let Err(fault) = self.within(allowed)
        {
            self.kill();
            answer = Err(fault);
        }
        answer
    }

    /// What it took for the last answer.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Whether the last turn has kept to what is allowed.
    fn within(&self, allowed: &Allowed) -> Result<(), Fault> {
        if self.usage.memory > allowed.memory {
            return Err(Fault::Memory(allowed.exceeded(self.usage.memory)));
        }
        match allowed.cpu {
            Some(most) if self.usage.cpu > most => Err(Fault::Timeout),
            _ => Ok(()),
        }
    }

    /// A bot that stays prints nothing between its answers.
    fn unasked(&mut self) -> Result<(), Fault> {
        if self.answers > 0 {
            self.unread.extend(self.printed.try_iter().flatten());
            let text = text_of(&self.unread);
            if !text.is_empty() {
                return Err(Fault::Unasked(text));
            }
            self.unread.clear();
        }
        Ok(())
    }

    fn read_answer(&mut self, allowed: &Allowed) -> Result<Printed, Fault> {
        let deadline = allowed.deadline();
        let mut line_start = 0;
        let mut ended = None;
        loop {
            if let Some(end) = find_marker(&self.unread, &mut line_start) {
                let rest = self.unread.split_off(end.after);
                let text = text_of(&self.unread[..end.before]);
                self.unread = rest;
                return Ok(Printed { text, kept: true });
            }
            if self.unread.len() > MOST_PRINTED {
                return Err(Fault::TooMuch);
            }
            let now = Instant::now();
            let mut wait = TICK;
            match ended {
                // That it has ended does not say that all it printed was read: that takes the
                // pipe's end.
                None if self.family.has_exited() => ended = Some(now),
                None if now >= deadline => return Err(Fault::Timeout),
                None => wait = wait.min(deadline - now),
                Some(end) if now >= end + LINGER => break,
                // Its output stays open when it leaves processes behind: these are not waited for.
                Some(end) if now >= end + GRACE => self.kill(),
                Some(_) => {}
            }
            match self.printed.recv_timeout(wait) {
                Ok(chunk) => {
                    if self.unread.is_empty() {
                        // The last that may be seen of a bot that ends after its answer.
                        self.usage.memory = self.usage.memory.max(self.family.peak());
                    }
                    self.unread.extend(chunk);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.look(allowed)?;
                }
            }
        }
        let status = self.wait(allowed)?;
        if let Some(signal) = status.signal() {
            return Err(Fault::Crash(format!("signal {signal}")));
        }
        match status.code() {
            Some(0) => {}
            code => return Err(Fault::Crash(format!("exit code {}", code.unwrap_or(-1)))),
        }
        let text = text_of(&self.unread);
        match (text.is_empty(), self.answers) {
            (false, _) => Ok(Printed { text, kept: false }),
            (true, 0) => Err(Fault::NotJson("it printed nothing".to_owned())),
            (true, _) => Err(Fault::Crash(
                "exit code 0, although it had asked to be kept running".to_owned(),
            )),
        }
    }

    /// Lets a bot that was kept end by itself, and ends it where it does not.
    pub fn close(mut self) {
        self.requests = None;
        let end = Instant::now() + GRACE;
        while !self.family.has_exited() && Instant::now() < end {
            thread::sleep(Duration::from_micros(500));
        }
        self.kill();
    }

    /// The end of what it wrote to stderr, trimmed. Complete when the bot has ended.
    pub fn stderr(&self) -> String {
        self.stderr_end.recv_timeout(LINGER).ok();
        self.tail.lock().map(|tail| text_of(&tail)).unwrap_or_default()
    }

    /// Waits for a bot that has closed its output.
    fn wait(&mut self, allowed: &Allowed) -> Result<ExitStatus, Fault> {
        let mut pause = Duration::from_micros(50);
        while !self.family.has_exited() {
            if Instant::now() >= allowed.deadline() {
                return Err(Fault::Timeout);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(TICK);
            if pause == TICK {
                self.look(allowed)?;
            }
        }
        self.kill();
        let status = self.family.ended().and_then(|ended| ended.status);
        status.ok_or_else(|| Fault::Crash("the system lost its exit code".to_owned()))
    }

    /// Takes a look at a bot that thinks: whether it has too much already.
    fn look(&mut self, allowed: &Allowed) -> Result<(), Fault> {
        let used = self.family.used();
        self.usage.memory = self.usage.memory.max(used.memory);
        self.usage.cpu = used.cpu.saturating_sub(self.spent);
        self.within(allowed)
    }

    /// Ends the bot and all its children, and takes its exit status.
    fn kill(&mut self) {
        self.requests = None;
        self.family.end(&mut self.child);
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::bots::command::BotCommand;

    fn minute() -> Allowed {
        let wall = Duration::from_secs(60);
        Allowed { start: Instant::now(), wall, cpu: None, memory: 256_000_000 }
    }

    /// A bot whose output is passed on only after a while, as on a machine that is busy.
    fn read_late(command: &str, late: Duration) -> Bot {
        let mut bot = BotCommand::new(Some(command)).unwrap().start().unwrap();
        let (chunks, printed) = sync_channel(16);
        let in_time = std::mem::replace(&mut bot.printed, printed);
        thread::spawn(move || {
            thread::sleep(late);
            in_time.into_iter().try_for_each(|chunk| chunks.send(chunk))
        });
        bot
    }

    #[test]
    fn what_was_printed_counts_although_it_is_read_late() {
        let printed = Printed { text: "answer".to_owned(), kept: false };
        let mut bot = read_late("echo answer", Duration::from_millis(500));
        assert_eq!(bot.ask("", &minute()), Ok(printed.clone()));
        // Not even the deadline matters, once the bot has ended before it.
        let mut bot = read_late("echo answer", Duration::from_millis(500));
        while !bot.family.has_exited() {
            thread::sleep(TICK);
        }
        let at_once = Allowed { wall: Duration::ZERO, ..minute() };
        assert_eq!(bot.ask("", &at_once), Ok(printed));
        let mut bot = read_late("false", Duration::from_millis(500));
        let crash = Fault::Crash("exit code 1".to_owned());
        assert_eq!(bot.ask("", &minute()), Err(crash));
    }
}
