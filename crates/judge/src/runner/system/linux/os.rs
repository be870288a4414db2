//! Processes as the system reports them: their children, their resource usage, and signals to them.
//!
//! Invariant: a signal never reaches another process that has got the same process id meanwhile. It
//! is sent through a pidfd, after a check of the parent that follows the opening of the pidfd.

use std::time::Duration;

use procfs::process::Process;
use procfs::{CpuInfo, Current};
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

/// The CPU time of a process and of the children that it has waited for.
///
/// The scheduler counts each running thread in nanoseconds; the system counts all threads, ended
/// ones included, in ticks of usually 10 ms. The larger one is closer.
pub fn cpu_time(process: &Process) -> Duration {
    let ticks = |ticks: u64| Duration::from_millis(1000 * ticks / procfs::ticks_per_second());
    let Ok(stat) = process.stat() else { return Duration::ZERO };
    let (own, waited) = (stat.utime + stat.stime, (stat.cutime + stat.cstime).max(0) as u64);
    let threads = if stat.num_threads == 1 {
        process.schedstat().map_or(0, |stat| stat.sum_exec_runtime)
    } else {
        let run = |task: procfs::process::Task| task.schedstat().map(|stat| stat.sum_exec_runtime);
        let tasks = process.tasks().into_iter().flatten().flatten();
        tasks.filter_map(|task| run(task).ok()).sum()
    };
    ticks(own).max(Duration::from_nanos(threads)) + ticks(waited)
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
