//! The system's view of processes: who is whose child, what they have used, and signals to them.
//!
//! Signals go through pidfds, to processes whose parent was looked up after the pidfd was opened: a
//! process id that was given to another process meanwhile is never hit.

use std::time::Duration;

use procfs::process::Process;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, pidfd_open, pidfd_send_signal, waitid,
};

/// The process id as a number.
pub fn raw_pid(process: Pid) -> i32 {
    process.as_raw_nonzero().get()
}

/// The children of the judge, those that have ended included.
pub fn own_children() -> Vec<i32> {
    children(raw_pid(getpid()))
}

/// Whether there is any child at all, waited for or not.
pub fn has_children() -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    waitid(WaitId::All, look).is_ok()
}

/// The children of a process, those that have ended included.
pub fn children(process: i32) -> Vec<i32> {
    let tasks = Process::new(process).and_then(|process| process.tasks());
    let Ok(tasks) = tasks else { return Vec::new() };
    let of_task = |task: procfs::process::Task| task.children().unwrap_or_default();
    tasks.flatten().flat_map(of_task).map(|child| child as i32).collect()
}

/// These processes and all that come from them.
pub fn with_descendants(mut family: Vec<i32>) -> Vec<i32> {
    let mut looked = 0;
    while let Some(&member) = family.get(looked) {
        looked += 1;
        for child in children(member) {
            if !family.contains(&child) {
                family.push(child);
            }
        }
    }
    family
}

/// Kills these children of the judge with all that come from them, waits for those that have ended,
/// and says how many of these had to be killed.
pub fn kill_tree(children: &[i32]) -> u32 {
    let family = with_descendants(children.to_vec());
    for &member in &family {
        kill(member, &family);
    }
    children.iter().map(|&child| u32::from(reap(child))).sum()
}

/// Kills one process of a family: one whose parent is of the family, or the judge.
pub fn kill(process: i32, family: &[i32]) {
    let Some(pid) = Pid::from_raw(process) else { return };
    let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    let parent = Process::new(process).and_then(|process| process.stat()).map(|stat| stat.ppid);
    let own = raw_pid(getpid());
    if parent.is_ok_and(|parent| parent == own || family.contains(&parent)) {
        pidfd_send_signal(&pidfd, Signal::KILL).ok();
    }
}

/// Waits for an orphan if it has ended, and says whether it was one that had to be killed.
pub fn reap(orphan: i32) -> bool {
    let Some(pid) = Pid::from_raw(orphan) else { return false };
    let status = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    let killed = Signal::KILL.as_raw();
    matches!(status, Ok(Some(status)) if status.terminating_signal() == Some(killed))
}

/// The CPU time of a process and of the children it has waited for.
///
/// Two sources: the scheduler's count of each thread that lives, in nanoseconds, and the system's
/// of all threads there ever were, in ticks of mostly 10 ms. The larger one is nearer.
pub fn cpu(process: &Process) -> Duration {
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

/// The most memory that a process ever had, in bytes; 0 of one that has ended.
///
/// Read by hand: this is asked every turn, and the whole of the file is ten times as much work.
pub fn peak(process: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    1024 * kilobytes.unwrap_or(0)
}
