//! Ends the bots of a judge that was killed.
//!
//! A judge that gets `kill -9`, or that the system ends for want of memory, cannot end its bots. So
//! a second process of the same program, the guard, waits at the end of a pipe that the judge alone
//! holds open. When the judge has ended, the pipe ends, and the guard ends every process that
//! carries an id of that judge's bots.
//!
//! Linux's parent-death signal does not do: a process can only ask for it itself, between its start
//! and the bot's program, where safe code cannot run.
//!
//! Invariant: the guard is no child of the judge, whose children are bots and their processes: a
//! process in between starts it and ends at once. The guard ends when the judge does, and holds
//! none of its outputs open.
//!
//! Not found: a process that has cleared its bot's environment, and processes that fork faster than
//! they are found.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::{Process, all_processes};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};

use super::os::raw_pid;
use super::registry::BOT_ID_VAR;

/// The first argument of the process in between, and that of the guard; the judge's process id
/// follows.
const ROLES: [&str; 2] = ["--start-guard-of", "--guard-of"];

/// After so long without a bot there is none; nobody waits for the guard.
const QUIET: Duration = Duration::from_millis(500);

/// The end of the pipe that the judge holds as long as it lives.
static ALIVE: OnceLock<ChildStdin> = OnceLock::new();

/// Starts the guard of this process, unless it is the first of its system: with that one all others
/// end. To be called before it becomes the reaper of orphans.
///
/// # Errors
/// When the system starts no process; the bots are unguarded then.
pub fn start() -> io::Result<()> {
    let judge = raw_pid(getpid());
    if judge == 1 {
        return Ok(());
    }
    let judge = judge.to_string();
    let mut between = process(ROLES[0], &judge).stdin(Stdio::piped()).spawn()?;
    if let Some(alive) = between.stdin.take() {
        ALIVE.set(alive).ok();
    }
    between.wait().map(drop)
}

fn process(role: &str, judge: &str) -> Command {
    let mut command = Command::new("/proc/self/exe");
    // Signals of the terminal are not for the guard, nor may it keep a directory from being
    // removed.
    command.arg0("judge").args([role, judge]).current_dir("/").process_group(0);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Whether this process was started for one of these roles; it has done its work then.
pub fn run_if_guard() -> bool {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [Some(role), Some(judge)] = [0, 1].map(|place| arguments.get(place)?.to_str()) else {
        return false;
    };
    if role == ROLES[0] {
        // It waits for nobody: the guard shall have no parent.
        process(ROLES[1], judge).spawn().ok();
    } else if role == ROLES[1] {
        io::copy(&mut io::stdin(), &mut io::sink()).ok();
        end_all(judge);
    }
    ROLES.contains(&role)
}

/// Ends the bots of this judge, and what they start meanwhile: until nobody has been seen for some
/// time, since one that is just being started carries no id yet.
fn end_all(judge: &str) {
    let mut last_seen = Instant::now();
    while last_seen.elapsed() < QUIET {
        if end_some(&format!("{judge}-")) {
            last_seen = Instant::now();
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Kills every process whose bot id begins with `prefix`, and returns whether there was one.
fn end_some(prefix: &str) -> bool {
    let mut any = false;
    for process in all_processes().into_iter().flatten().flatten() {
        let Some(pid) = Pid::from_raw(process.pid) else { continue };
        // What is seen from here on is of the process that the signal goes to, or of none.
        let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
        let environment = Process::new(process.pid).and_then(|process| process.environ());
        let is_bot = environment.is_ok_and(|environment| {
            let id = environment.get(std::ffi::OsStr::new(BOT_ID_VAR));
            id.is_some_and(|id| id.to_string_lossy().starts_with(prefix))
        });
        any |= is_bot && pidfd_send_signal(&pidfd, Signal::KILL).is_ok();
    }
    any
}
