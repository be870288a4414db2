//! All processes of a bot, in a process group that the first one leads.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid,
};

use super::guard;
use crate::runner::system::posix::wait;
use crate::runner::system::resources::{End, Resources};
use crate::runner::system::sampled;

/// The running bots.
struct Registry {
    /// The first process of each bot, by its process id.
    leaders: BTreeMap<i32, Pid>,
    /// Whether no bot may be started any more.
    is_stopped: bool,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { leaders: BTreeMap::new(), is_stopped: false });

fn registry() -> MutexGuard<'static, Registry> {
    // No code that holds the lock leaves the registry inconsistent if it panics.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processes of a bot.
#[derive(Debug)]
pub struct Tree {
    leader: Pid,
}

impl Tree {
    /// Starts the first process of a tree.
    ///
    /// # Errors
    /// Fails if the system cannot start it, or after [`stop_all`].
    pub fn spawn(command: &mut Command) -> io::Result<(Child, Tree)> {
        // Locked from the start to the entry, so that `stop_all` misses no bot.
        let mut registry = registry();
        if registry.is_stopped {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let child = command.process_group(0).spawn()?;
        let leader = Pid::from_child(&child);
        registry.leaders.insert(leader.as_raw_nonzero().get(), leader);
        guard::add(leader);
        Ok((child, Tree { leader }))
    }

    fn leader_id(&self) -> u32 {
        self.leader.as_raw_nonzero().get().unsigned_abs()
    }

    /// Whether the first process has ended. It keeps its process id until [`Tree::end`].
    pub fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        !matches!(waitid(WaitId::Pid(self.leader), options), Ok(None))
    }

    /// The CPU time so far of the first process.
    pub fn cpu(&self) -> Duration {
        sampled::sum(&[self.leader_id()]).cpu
    }

    /// The CPU time and the resident memory of the first process and its descendants.
    pub fn usage(&self, _memory_limit: u64) -> Resources {
        sampled::sum(&sampled::with_descendants(self.leader_id()))
    }

    /// The resident memory of the first process in bytes; 0 after its end.
    pub fn peak_memory(&self, _memory_limit: u64) -> u64 {
        sampled::sum(&[self.leader_id()]).memory_bytes
    }

    /// Kills every process of the tree and waits for the first one, which is `child`. To be called
    /// once.
    pub fn end(&mut self, child: &mut Child) -> End {
        // An ended process keeps its id until it is waited for, so the id is still its own.
        kill_process_group(self.leader, Signal::KILL).ok();
        // Before the id may be that of another process.
        guard::remove(self.leader);
        registry().leaders.remove(&self.leader.as_raw_nonzero().get());
        let (exit, used) = wait(child);
        // The group exists as long as a process is in it, which keeps its id from being used again.
        let left_behind = u32::from(test_kill_process_group(self.leader).is_ok());
        let resources = Resources {
            cpu: used.as_ref().map_or(Duration::ZERO, |used| used.utime + used.stime),
            memory_bytes: used.as_ref().map_or(0, |used| used.maxrss),
        };
        End { exit, resources, left_behind }
    }
}

/// Kills the processes of every bot, and lets no further bot be started.
pub fn stop_all() {
    let mut registry = registry();
    registry.is_stopped = true;
    for leader in registry.leaders.values() {
        kill_process_group(*leader, Signal::KILL).ok();
    }
}

/// As [`stop_all`]: there is nothing else to end.
pub fn end_all() {
    stop_all();
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;
    use std::thread;
    use std::time::Instant;

    use super::*;
    use crate::runner::system::resources::Exit;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    #[test]
    fn a_bot_is_measured_and_ended_with_its_processes() {
        let (mut child, mut tree) =
            Tree::spawn(&mut shell("(while :; do :; done) & while :; do :; done")).unwrap();
        let start = Instant::now();
        while tree.usage(u64::MAX).cpu < Duration::from_millis(50) {
            assert!(start.elapsed() < Duration::from_secs(60), "{:?}", tree.usage(u64::MAX));
            thread::sleep(Duration::from_millis(5));
        }
        assert!(
            tree.peak_memory(u64::MAX) > 10_000
                && tree.usage(u64::MAX).memory_bytes > tree.peak_memory(u64::MAX)
        );
        assert!(!tree.has_exited());
        let end = tree.end(&mut child);
        assert_eq!(end.exit, Exit::Signal(Signal::KILL.as_raw()));
        assert!(end.resources.memory_bytes > 10_000, "{end:?}");
        assert!(tree.has_exited());
        let gone = || test_kill_process_group(tree.leader).is_err();
        while !gone() {
            assert!(start.elapsed() < Duration::from_secs(60), "its processes still run");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_bot_that_has_ended_keeps_its_exit_code() {
        let (mut child, mut tree) = Tree::spawn(&mut shell("exit 7")).unwrap();
        let start = Instant::now();
        while !tree.has_exited() {
            assert!(start.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(1));
        }
        let end = tree.end(&mut child);
        assert_eq!((end.exit, end.left_behind), (Exit::Code(7), 0));
    }
}
