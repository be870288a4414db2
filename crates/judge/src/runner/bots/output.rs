//! The whole output of a program that is no bot: it is started, reads nothing, and ends.
//!
//! Invariant: every wait has a deadline, and the program is ended with all of its processes.

use std::sync::mpsc::{RecvTimeoutError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::command::BotCommand;
use super::fault::Fault;
use super::pipes::{forward_output, send_tail, text_of};
use crate::runner::system::Exit;
use crate::runner::units::{MEBIBYTE, mebibytes};

/// The most that a program may print, in bytes.
const MAX_OUTPUT: u64 = 256 * MEBIBYTE;
/// The interval at which a silent program is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long processes that the program left behind may continue to print.
const EXIT_GRACE: Duration = Duration::from_millis(100);
/// How long the output of an ended program is read.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(5);

/// What a program printed, and how it ended.
pub struct Output {
    pub bytes: Vec<u8>,
    /// The end of what it wrote to stderr.
    pub stderr: String,
    pub end: OutputEnd,
}

/// How a program ended.
pub enum OutputEnd {
    /// With exit code 0.
    Done,
    /// Otherwise: how, in words.
    Failed(String),
    /// It was ended at this limit, in words.
    Exceeded(String),
}

/// Runs a program to its end, or to a limit of wall time or memory.
///
/// # Errors
/// Fails if the program cannot be started.
pub fn output_of(command: &BotCommand, time: Duration, memory_bytes: u64) -> Result<Output> {
    let (pipes, mut processes) = command.spawn().with_context(|| command.failure())?;
    drop(pipes.stdin);
    let ((chunks, output), (tails, tail)) = (sync_channel(16), channel());
    let (stdout, stderr) = (pipes.stdout, pipes.stderr);
    let spawn = |run: Box<dyn FnOnce() + Send>| {
        let thread = thread::Builder::new().spawn(run);
        thread.context("the system has no thread left to read the program with")
    };
    spawn(Box::new(move || forward_output(stdout, &chunks)))?;
    spawn(Box::new(move || send_tail(stderr, &tails)))?;
    let deadline = Instant::now() + time;
    let (mut bytes, mut exited_at, mut exceeded) = (Vec::new(), None, None);
    while exceeded.is_none() {
        match output.recv_timeout(POLL_INTERVAL) {
            Ok(chunk) => bytes.extend(chunk),
            Err(RecvTimeoutError::Disconnected) if processes.wait(POLL_INTERVAL) => break,
            Err(_) => {}
        }
        let now = Instant::now();
        exceeded = match exited_at {
            None if processes.wait(Duration::ZERO) => {
                exited_at = Some(now);
                None
            }
            None if now >= deadline => Some(format!("{} s", time.as_secs_f64())),
            None if processes.usage(memory_bytes).memory_bytes > memory_bytes => {
                Some(format!("{} MiB of memory", mebibytes(memory_bytes)))
            }
            _ if bytes.len() as u64 > MAX_OUTPUT => {
                Some(format!("{} MiB of output", mebibytes(MAX_OUTPUT)))
            }
            Some(end) if now >= end + OUTPUT_TIMEOUT => break,
            Some(end) if now >= end + EXIT_GRACE => {
                processes.end();
                None
            }
            _ => None,
        };
    }
    let exit = processes.end().exit;
    // What it had printed at its limit.
    while exceeded.is_some()
        && let Ok(chunk) = output.recv_timeout(OUTPUT_TIMEOUT)
    {
        bytes.extend(chunk);
    }
    let stderr = tail.recv_timeout(OUTPUT_TIMEOUT).map(|tail| text_of(&tail)).unwrap_or_default();
    let end = match (exceeded, exit) {
        (Some(limit), _) => OutputEnd::Exceeded(limit),
        (None, Exit::Code(0)) => OutputEnd::Done,
        (None, exit) => {
            OutputEnd::Failed(Fault::crash(exit).reason().unwrap_or_default().to_owned())
        }
    };
    Ok(Output { bytes, stderr, end })
}

// Elsewhere `sh` is no program.
#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str, time: Duration, memory_bytes: u64) -> Output {
        let command = BotCommand::new(Some("sh -c")).unwrap().with_argument(script);
        output_of(&command, time, memory_bytes).unwrap()
    }

    #[test]
    fn a_program_ends_or_is_ended_at_a_limit() {
        let (minute, much) = (Duration::from_secs(60), 1 << 30);
        let lines = "i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done; echo end >&2";
        let output = run(lines, minute, much);
        assert!(matches!(output.end, OutputEnd::Done) && output.stderr == "end");
        assert_eq!(output.bytes.split(|&byte| byte == b'\n').count(), 5001);
        let output = run("echo a; exit 3", minute, much);
        assert!(matches!(output.end, OutputEnd::Failed(why) if why == "exit code 3"));
        assert_eq!(output.bytes, b"a\n");
        let start = Instant::now();
        let output = run("echo a; sleep 600", Duration::from_millis(300), much);
        assert!(matches!(output.end, OutputEnd::Exceeded(limit) if limit == "0.3 s"));
        assert_eq!(output.bytes, b"a\n");
        let output = run("sleep 600", minute, 1);
        assert!(matches!(output.end, OutputEnd::Exceeded(limit) if limit.contains("memory")));
        assert!(start.elapsed() < minute);
    }
}
