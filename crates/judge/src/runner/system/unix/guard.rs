//! Kills the bots of a judge that was killed.
//!
//! A second process of the same program, the guard, reads from a pipe whose write end only the
//! judge holds: a line for each bot that starts, and one for each that has ended. When the judge
//! ends, the pipe is closed, and the guard kills the process groups of the bots that have not
//! ended.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStdin, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::runner::system::posix::this_program;

/// The first argument of the guard.
const GUARD: &str = "--guard";

/// The write end of the pipe; `None` before the first bot, or if the guard could not be started.
static PIPE: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// Tells the guard that a bot has started. The first call starts the guard.
pub fn add(leader: Pid) {
    let mut pipe = PIPE.lock().unwrap_or_else(PoisonError::into_inner);
    if pipe.is_none() {
        let mut command = this_program("judge");
        // The guard must not get the terminal's signals, nor keep a directory in use.
        command.arg(GUARD).current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        *pipe = command.spawn().ok().and_then(|mut guard| guard.stdin.take());
    }
    tell(pipe.as_mut(), '+', leader);
}

/// Tells the guard that a bot has ended.
pub fn remove(leader: Pid) {
    tell(PIPE.lock().unwrap_or_else(PoisonError::into_inner).as_mut(), '-', leader);
}

fn tell(pipe: Option<&mut ChildStdin>, sign: char, leader: Pid) {
    if let Some(pipe) = pipe {
        writeln!(pipe, "{sign}{}", leader.as_raw_nonzero()).ok();
    }
}

/// Runs the guard if this process was started as it, and returns whether it was.
pub fn run_if_guard() -> bool {
    if std::env::args_os().nth(1).is_none_or(|role| role != GUARD) {
        return false;
    }
    for leader in running(io::stdin().lock().lines().map_while(Result::ok)) {
        kill_process_group(leader, Signal::KILL).ok();
    }
    true
}

/// The bots that have started and not ended, after these lines.
fn running(lines: impl Iterator<Item = String>) -> Vec<Pid> {
    let mut running = BTreeSet::new();
    for line in lines {
        let leader: Option<i32> = line.get(1..).and_then(|id| id.parse().ok());
        match (line.chars().next(), leader) {
            (Some('+'), Some(leader)) => drop(running.insert(leader)),
            (Some('-'), Some(leader)) => drop(running.remove(&leader)),
            _ => {}
        }
    }
    running.into_iter().filter_map(Pid::from_raw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_that_have_not_ended_are_running() {
        let lines = ["+12", "+7", "-12", "+30", "x", "", "-99", "+"].map(str::to_owned);
        let ids = |pids: Vec<Pid>| -> Vec<i32> {
            pids.into_iter().map(|pid| pid.as_raw_nonzero().get()).collect()
        };
        assert_eq!(ids(running(lines.into_iter())), [7, 30]);
    }
}
