//! A bot's process: started, asked within a time limit, and certainly ended.
//!
//! Whatever the process does must not stop the judge. So nothing here waits without a deadline:
//! threads of their own read its two outputs and write its input, and pass on what they have; a
//! bot that reads nothing stops only the writing thread, one that prints without end only the
//! reading thread. The bot leads a process group of its own, and that whole group is killed when
//! the bot is done with, before its process id is given back to the system.
//!
//! The two ways of the protocol are told apart by what is printed. Text up to the marker line is an
//! answer of a bot that stays; text up to the end of the output is an answer of a bot that ends with
//! exit code 0. Its input stays open meanwhile, as it may on the platform: a bot must answer when
//! it has read a line and not wait for the end. That a process has ended says nothing about its output,
//! which the system and a thread have yet to pass on: it is read to the end of the pipe.
//!
//! Not done: a judge that is itself killed cannot kill its bots. Their input closes then.

use std::fmt;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use sapper::protocol::KEEP_RUNNING_MARKER;

use crate::words;

/// The most a bot may print for one answer: the platform's limit, in bytes.
pub(crate) const MOST_PRINTED: usize = 1 << 20;
/// How often a silent bot is looked at, whether it still lives.
const TICK: Duration = Duration::from_millis(20);
/// How long a bot that was kept may take to end by itself when its input closes, and how long the
/// processes that a bot leaves behind may go on printing.
const GRACE: Duration = Duration::from_millis(100);
/// How long the output of a bot that has ended is read. Its end comes by itself, and on a busy machine late;
/// only a process that has left the bot's group can keep it from coming.
const LINGER: Duration = Duration::from_secs(5);
/// The last part of what a bot writes to stderr, in bytes.
const TAIL: usize = 2048;

/// How to start a bot: a program and its arguments.
#[derive(Clone, Debug)]
pub(crate) struct BotCommand {
    words: Vec<String>,
}

impl BotCommand {
    /// The bot of a command line, or the `sapper` that lies beside the judge.
    ///
    /// # Errors
    /// When the line is no command, or there is no such bot beside the judge.
    pub(crate) fn new(line: Option<&str>) -> Result<BotCommand> {
        if let Some(line) = line {
            return Ok(BotCommand { words: words::split(line).context("--bot")? });
        }
        let judge = std::env::current_exe().context("cannot find the bot beside the judge")?;
        let bot = judge.with_file_name("sapper");
        match bot.to_str() {
            Some(path) if bot.is_file() => Ok(BotCommand { words: vec![path.to_owned()] }),
            _ => bail!(
                "there is no bot at {}; build it with `cargo build --release`, or name one with --bot",
                bot.display()
            ),
        }
    }

    /// The same bot with one more argument.
    pub(crate) fn with(mut self, argument: &str) -> BotCommand {
        self.words.push(argument.to_owned());
        self
    }

    /// Starts the bot.
    ///
    /// # Errors
    /// When there is no such program.
    pub(crate) fn start(&self) -> Result<Bot> {
        let mut child = Command::new(&self.words[0])
            .args(&self.words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .with_context(|| {
                format!("cannot start the bot `{self}`; name a program that can be run with --bot")
            })?;
        let (requests, to_write) = channel();
        let (chunks, printed) = sync_channel(16);
        let (stderr_open, stderr_end) = channel();
        let tail = Arc::new(Mutex::new(Vec::new()));
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_requests(stdin, &to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || pass_on(stdout, &chunks));
        }
        if let Some(stderr) = child.stderr.take() {
            let tail = Arc::clone(&tail);
            thread::spawn(move || keep_tail(stderr, &tail, stderr_open));
        }
        let process = Pid::from_child(&child);
        Ok(Bot {
            child,
            process,
            requests: Some(requests),
            printed,
            unread: Vec::new(),
            tail,
            stderr_end,
            status: None,
            answers: 0,
        })
    }
}

impl fmt::Display for BotCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted: Vec<String> = self.words.iter().map(|word| words::quoted(word)).collect();
        write!(f, "{}", quoted.join(" "))
    }
}

/// One answer, as printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Printed {
    /// Everything that was printed for it, without the marker line.
    pub(crate) text: String,
    /// Whether the bot stays for the next request.
    pub(crate) kept: bool,
}

/// What a bot did instead of answering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// It did not answer, or did not end, in time.
    Timeout,
    /// It ended by a signal, by an exit code, or without an answer although it had asked to stay.
    Crash(String),
    /// What it printed is no JSON.
    NotJson(String),
    /// It printed more than [`MOST_PRINTED`].
    TooMuch,
}

/// What a process used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Usage {
    /// Time on a processor, of its first thread.
    pub(crate) cpu: Duration,
    /// The most memory that it held at once.
    pub(crate) peak_bytes: u64,
}

/// The most memory held at once, by a process's `status` under `/proc`.
pub(crate) fn peak_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok()? << 10)
}

/// A running bot.
pub(crate) struct Bot {
    child: Child,
    process: Pid,
    requests: Option<Sender<Vec<u8>>>,
    printed: Receiver<Vec<u8>>,
    /// Printed, and not yet part of an answer.
    unread: Vec<u8>,
    tail: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when the bot's stderr is at its end.
    stderr_end: Receiver<()>,
    /// The exit status, once the process is gone for good.
    status: Option<ExitStatus>,
    answers: usize,
}

impl Bot {
    /// Sends a request and waits for the answer until `deadline`.
    ///
    /// # Errors
    /// [`Fault`] when there is none; the bot is ended then.
    pub(crate) fn ask(&mut self, request: &str, deadline: Instant) -> Result<Printed, Fault> {
        if let Some(requests) = &self.requests {
            // A bot may answer, and end, without reading: that nobody reads is no fault yet.
            requests.send(request.as_bytes().to_vec()).ok();
        }
        let answer = self.read_answer(deadline);
        self.answers += 1;
        if answer.is_err() {
            self.kill();
        }
        answer
    }

    fn read_answer(&mut self, deadline: Instant) -> Result<Printed, Fault> {
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
                // That it has ended does not say that all it printed was read: that takes the pipe's end.
                None if self.has_exited() => ended = Some(now),
                None if now >= deadline => return Err(Fault::Timeout),
                None => wait = wait.min(deadline - now),
                Some(end) if now >= end + LINGER => break,
                // Its output stays open when it leaves processes behind: these are not waited for.
                Some(end) if now >= end + GRACE => self.kill(),
                Some(_) => {}
            }
            match self.printed.recv_timeout(wait) {
                Ok(chunk) => self.unread.extend(chunk),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let status = self.wait(deadline).ok_or(Fault::Timeout)?;
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

    /// What the process has used so far, as the system counts it; `None` where it does not tell, or the
    /// process has ended.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let of = |file: &str| {
            std::fs::read_to_string(format!("/proc/{}/{file}", self.process.as_raw_pid())).ok()
        };
        let cpu = of("schedstat")?.split_whitespace().next()?.parse().map(Duration::from_nanos);
        Some(Usage { cpu: cpu.ok()?, peak_bytes: peak_bytes(&of("status")?)? })
    }

    /// Lets a bot that was kept end by itself, and ends it where it does not.
    pub(crate) fn close(mut self) {
        self.requests = None;
        self.wait(Instant::now() + GRACE);
    }

    /// The end of what it wrote to stderr, trimmed. Complete when the bot has ended.
    pub(crate) fn stderr(&self) -> String {
        self.stderr_end.recv_timeout(LINGER).ok();
        self.tail.lock().map(|tail| text_of(&tail)).unwrap_or_default()
    }

    /// Whether the process has ended. It keeps its process id until [`Bot::kill`].
    fn has_exited(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        self.status.is_some() || !matches!(waitid(WaitId::Pid(self.process), look), Ok(None))
    }

    fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(50);
        while !self.has_exited() {
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(2));
        }
        self.kill();
        self.status
    }

    /// Ends the bot and all its children, and takes its exit status.
    fn kill(&mut self) {
        if self.status.is_some() {
            return;
        }
        self.requests = None;
        // As long as the process is not waited for, its id is its own even if it has ended.
        kill_process_group(self.process, Signal::KILL).ok();
        self.status = self.child.wait().ok();
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write_requests(mut stdin: impl Write, requests: &Receiver<Vec<u8>>) {
    for request in requests {
        // A broken pipe: the bot has ended or has closed its input. Its output tells the rest.
        if stdin.write_all(&request).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn pass_on(mut output: impl Read, chunks: &SyncSender<Vec<u8>>) {
    let mut buffer = [0; 1 << 14];
    while let Some(read) = read_some(&mut output, &mut buffer) {
        if chunks.send(buffer[..read].to_vec()).is_err() {
            return;
        }
    }
}

fn keep_tail(mut output: impl Read, tail: &Mutex<Vec<u8>>, open: Sender<()>) {
    let mut buffer = [0; 1 << 12];
    while let Some(read) = read_some(&mut output, &mut buffer) {
        if let Ok(mut tail) = tail.lock() {
            tail.extend(&buffer[..read]);
            let over = tail.len().saturating_sub(TAIL);
            tail.drain(..over);
        }
    }
    drop(open);
}

/// The number of bytes read; `None` at the end.
fn read_some(output: &mut impl Read, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match output.read(buffer) {
            Ok(0) => return None,
            Ok(read) => return Some(read),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// Where the marker line is: the bytes before it, and those up to its end.
#[derive(PartialEq, Eq, Debug)]
struct MarkerLine {
    before: usize,
    after: usize,
}

/// Finds the marker as a line of its own, its line feed perhaps still to come.
///
/// `line_start` is the first byte of the line to look at, and moves on, so that a text that comes in
/// small pieces is looked through once.
fn find_marker(text: &[u8], line_start: &mut usize) -> Option<MarkerLine> {
    loop {
        let before = *line_start;
        let rest = &text[before..];
        let feed = rest.iter().position(|&byte| byte == b'\n');
        let line = &rest[..feed.unwrap_or(rest.len())];
        let after = before + feed.map_or(rest.len(), |feed| feed + 1);
        if line.trim_ascii() == KEEP_RUNNING_MARKER.as_bytes() {
            return Some(MarkerLine { before, after });
        }
        feed?;
        *line_start = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(text: &str) -> Option<(usize, usize)> {
        find_marker(text.as_bytes(), &mut 0).map(|line| (line.before, line.after))
    }

    #[test]
    fn the_marker_is_a_line_of_its_own() {
        let mark = KEEP_RUNNING_MARKER;
        assert_eq!(marker(&format!("{{}}\n{mark}\nmore")), Some((3, 4 + mark.len())));
        assert_eq!(marker(&format!("{{}}\r\n{mark}\r\n")), Some((4, 6 + mark.len())));
        assert_eq!(marker(&format!("{{}}\n{mark}")), Some((3, 3 + mark.len())));
        assert_eq!(marker(&format!("\n\n{mark}\n")), Some((2, 3 + mark.len())));
        assert_eq!(marker(&format!("{{}} {mark}\n")), None);
        assert_eq!(marker(&mark[1..]), None);
        assert_eq!(marker(""), None);
    }

    #[test]
    fn a_text_in_pieces_is_looked_through_once() {
        let text = format!("a\nbc\n{KEEP_RUNNING_MARKER}");
        let mut line_start = 0;
        for end in 0..text.len() {
            assert_eq!(find_marker(&text.as_bytes()[..end], &mut line_start), None);
        }
        assert_eq!(line_start, 5);
        assert!(find_marker(text.as_bytes(), &mut line_start).is_some());
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
        assert_eq!(bot.ask("", Instant::now() + Duration::from_secs(60)), Ok(printed.clone()));
        // Not even the deadline matters, once the bot has ended before it.
        let mut bot = read_late("echo answer", Duration::from_millis(500));
        while !bot.has_exited() {
            thread::sleep(TICK);
        }
        assert_eq!(bot.ask("", Instant::now()), Ok(printed));
        let mut bot = read_late("false", Duration::from_millis(500));
        let crash = Fault::Crash("exit code 1".to_owned());
        assert_eq!(bot.ask("", Instant::now() + Duration::from_secs(60)), Err(crash));
    }
}
