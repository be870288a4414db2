//! Terminates the bots of a judge that was killed.
//!
//! A judge that gets `kill -9`, or that the system kills when memory runs out, cannot terminate its
//! bots. A second process of the same program, the guard, therefore reads from a pipe whose write
//! end only the judge holds. When the judge ends, the pipe is closed, and the guard kills every
//! process that has the id of one of the judge's bots in its environment.
//!
//! Linux's parent-death signal is not an alternative: a process can only request it for itself,
//! between `fork` and `exec`, where safe code cannot run.
//!
//! Invariant: the guard is not a child of the judge, because the judge takes its children for bots
//! and their processes: an intermediate process starts the guard and exits at once. The guard ends
//! when the judge does, and holds none of its outputs open.
//!
//! Not found: a process that has cleared its environment, and processes that fork faster than they
//! are found.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::{Process, all_processes};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};

use super::os::raw_pid;
use super::registry::{BOT_ID_VAR, judge_name};
use crate::runner::system::posix::this_program;

/// The first argument of the intermediate process. The judge's name follows.
const START_GUARD: &str = "--start-guard-of";
/// The first argument of the guard. The judge's name follows.
const GUARD: &str = "--guard-of";

/// The guard exits when it has found no bot for this long.
const QUIET_TIME: Duration = Duration::from_millis(500);

/// The write end of the pipe, open as long as the judge runs.
static ALIVE: OnceLock<ChildStdin> = OnceLock::new();

/// Starts the guard of this process. To be called before this process becomes a subreaper.
///
/// No guard is started for process 1: all other processes end with it.
///
/// # Errors
/// Fails if the system cannot start a process; the bots are unguarded then.
pub fn start() -> io::Result<()> {
    if raw_pid(getpid()) == 1 {
        return Ok(());
    }
    let mut intermediate = command(START_GUARD, judge_name()).stdin(Stdio::piped()).spawn()?;
    if let Some(alive) = intermediate.stdin.take() {
        ALIVE.set(alive).ok();
    }
    intermediate.wait().map(drop)
}

/// The command that runs this program in a role.
fn command(role: &str, judge: &str) -> Command {
    let mut command = this_program("judge");
    // The guard must not get the terminal's signals, nor keep a directory in use.
    command.args([role, judge]).current_dir("/").process_group(0);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs the guard or its intermediate process if this process was started as one of them, and
/// returns whether it was.
pub fn run_if_guard() -> bool {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [Some(role), Some(judge)] = [0, 1].map(|index| arguments.get(index)?.to_str()) else {
        return false;
    };
    match role {
        // Not waited for, so that the guard loses its parent when this process exits.
        START_GUARD => drop(command(GUARD, judge).spawn()),
        GUARD => {
            io::copy(&mut io::stdin(), &mut io::sink()).ok();
            kill_bots_of(judge);
        }
        _ => return false,
    }
    true
}

/// Kills the bots of this judge until none has been found for [`QUIET_TIME`]: a process that is
/// being started has no id yet.
fn kill_bots_of(judge: &str) {
    let mut last_found = Instant::now();
    while last_found.elapsed() < QUIET_TIME {
        if kill_once(&format!("{judge}-")) {
            last_found = Instant::now();
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Kills every process whose bot id starts with `prefix`, and returns whether there was one.
fn kill_once(prefix: &str) -> bool {
    let mut any = false;
    for process in all_processes().into_iter().flatten().flatten() {
        let Some(pid) = Pid::from_raw(process.pid) else { continue };
        // What is read after this belongs to the process that gets the signal, or to none.
        let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
        let environment = Process::new(process.pid).and_then(|process| process.environ());
        let is_bot = environment.is_ok_and(|environment| {
            let id = environment.get(OsStr::new(BOT_ID_VAR));
            id.is_some_and(|id| id.to_string_lossy().starts_with(prefix))
        });
        any |= is_bot && pidfd_send_signal(&pidfd, Signal::KILL).is_ok();
    }
    any
}
