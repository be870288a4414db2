//! Processes as the system reports them: their children, their resource usage, and signals to them.
//!
//! Invariant: a signal never reaches another process that has got the same process id meanwhile. It
//! is sent through a pidfd, after a check of the parent that follows the opening of the pidfd.

use std::io;
use std::time::Duration;

use nix::time::ClockId;
use procfs::process::Process;
use procfs::{CpuInfo, Current, LoadAverage};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, pidfd_open, pidfd_send_signal, waitid,
};

/// The processor, as the system names it.
pub fn processor_name() -> Option<String> {
    let processors = CpuInfo::current().ok()?;
    processors.model_name(0).map(str::to_owned)
}

/// The process id as a number.
pub fn raw_pid(process: Pid) -> i32 {
    process.as_raw_nonzero().get()
}

/// The children of the judge, including those that have ended and are not yet waited for.
pub fn own_children() -> Vec<i32> {
    children(raw_pid(getpid()))
}

/// Whether the judge has a child, running or not yet waited for.
pub fn has_children() -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    waitid(WaitId::All, options).is_ok()
}

/// The children of a process, including those that have ended and are not yet waited for.
fn children(process: i32) -> Vec<i32> {
    let tasks = Process::new(process).and_then(|process| process.tasks());
    let Ok(tasks) = tasks else { return Vec::new() };
    let of_task = |task: procfs::process::Task| task.children().unwrap_or_default();
    tasks.flatten().flat_map(of_task).map(|child| child as i32).collect()
}

/// These processes and all their descendants.
pub fn with_descendants(mut processes: Vec<i32>) -> Vec<i32> {
    let mut visited = 0;
    while let Some(&process) = processes.get(visited) {
        visited += 1;
        for child in children(process) {
            if !processes.contains(&child) {
                processes.push(child);
            }
        }
    }
    processes
}

/// A process and its descendants, which are searched for again only after the system has started a
/// process or a thread: a search costs seven system calls a thread.
#[derive(Debug)]
pub struct Family {
    first: i32,
    found: Vec<i32>,
    /// The process id that the system had given last before the search.
    as_of: Option<u32>,
    /// Whether the system tells that id.
    is_told: bool,
}

impl Family {
    /// Starts the first process, by `start`, which returns what it started and the process id.
    ///
    /// # Errors
    /// That of `start`.
    pub fn start<T>(start: impl FnOnce() -> io::Result<(T, i32)>) -> io::Result<(T, Family)> {
        let before = latest_id();
        let (started, first) = start()?;
        // Systems that imitate Linux have a constant in its place.
        let is_told = latest_id() != before;
        Ok((started, Family { first, found: Vec::new(), as_of: None, is_told }))
    }

    /// The running members. A daemon stays a member until the next search.
    pub fn members(&mut self) -> &[i32] {
        // Before the search, so that what is started during it leads to another one.
        let latest = latest_id();
        if !self.is_told || latest.is_none() || latest != self.as_of {
            self.found = with_descendants(vec![self.first]);
            self.as_of = latest;
        }
        &self.found
    }
}

/// The process id that the system gave last, to a process or a thread.
fn latest_id() -> Option<u32> {
    LoadAverage::current().ok().map(|load| load.latest_pid)
}

/// Kills these children of the judge and all their descendants, and reaps the children that have
/// ended. Returns how many of these ended by the kill.
pub fn kill_trees(children: &[i32]) -> u32 {
    let processes = with_descendants(children.to_vec());
    for &process in &processes {
        kill(process, &processes);
    }
    children.iter().map(|&child| u32::from(reap(child))).sum()
}

/// Kills a process if its parent is the judge or one of `parents`.
pub fn kill(process: i32, parents: &[i32]) {
    let Some(pid) = Pid::from_raw(process) else { return };
    let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    let parent = Process::new(process).and_then(|process| process.stat()).map(|stat| stat.ppid);
    let own = raw_pid(getpid());
    if parent.is_ok_and(|parent| parent == own || parents.contains(&parent)) {
        pidfd_send_signal(&pidfd, Signal::KILL).ok();
    }
}

/// Reaps a child of the judge if it has ended. Returns whether it ended by a kill.
fn reap(child: i32) -> bool {
    let Some(pid) = Pid::from_raw(child) else { return false };
    let status = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    let killed = Signal::KILL.as_raw();
    matches!(status, Ok(Some(status)) if status.terminating_signal() == Some(killed))
}

/// Whether the judge ignores this signal.
pub fn is_ignored(signal: i32) -> bool {
    let status = Process::myself().and_then(|judge| judge.status());
    status.is_ok_and(|status| status.sigign & (1 << (signal - 1)) != 0)
}

/// The CPU time of a process, and of the children that it has waited for in ticks of usually 10 ms;
/// zero if it is no more.
///
/// The clock of the process has all its threads, ended ones included, in nanoseconds. It costs one
/// system call, where the files of the threads, which `procfs` reads, cost eight a thread.
pub fn cpu_time(process: i32) -> Duration {
    let clock = ClockId::pid_cpu_clock_id(nix::unistd::Pid::from_raw(process));
    let own = clock.and_then(ClockId::now).map_or(Duration::ZERO, Duration::from);
    let stat = Process::new(process).and_then(|process| process.stat());
    let waited = stat.map_or(0, |stat| (stat.cutime + stat.cstime).max(0) as u64);
    own + Duration::from_millis(1000 * waited / procfs::ticks_per_second())
}

/// A number of bytes in a file that the system has of a process, such as `VmHWM:` in `status`, its
/// peak memory; `None` if it has ended.
///
/// Only one line of the file is parsed: this runs every turn, and `procfs` parses all of it, at
/// several times the cost.
pub fn proc_bytes(process: &str, file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/{file}")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kibibytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Instant;

    use cpu_time::ThreadTime;

    use super::*;

    #[test]
    fn the_time_of_a_process_has_that_of_its_ended_threads() {
        let own = raw_pid(getpid());
        let (before, least) = (cpu_time(own), Duration::from_millis(20));
        let compute = move || {
            let start = ThreadTime::now();
            while start.elapsed() < least {}
        };
        thread::spawn(compute).join().unwrap();
        assert!(cpu_time(own) - before >= least);
        // Above the largest process id.
        assert_eq!(cpu_time(1 << 23), Duration::ZERO);
    }

    #[test]
    fn a_family_has_what_was_started_since_the_last_search() {
        let mut command = Command::new("sh");
        command.args(["-c", "read line; sleep 300 & read line; kill $!; wait"]);
        let (mut child, mut family) = Family::start(|| {
            let child = command.stdin(Stdio::piped()).spawn()?;
            let first = child.id() as i32;
            Ok((child, first))
        })
        .unwrap();
        let first = child.id() as i32;
        assert_eq!(family.members(), [first]);
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"\n").unwrap();
        let start = Instant::now();
        while family.members().len() < 2 {
            assert!(start.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(family.members(), with_descendants(vec![first]));
        drop(input);
        child.wait().unwrap();
    }
}
