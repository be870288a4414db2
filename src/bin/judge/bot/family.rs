//! The processes of a bot: the one that was started, and all that come from it, ended together.
//!
//! A bot's first process leads a process group of its own, which is killed as one. What leaves the group (a
//! daemon) loses its parent sooner or later; the judge has made itself the reaper of such orphans, so that
//! they become its children and not the system's. A child of the judge that it has not started is thus
//! something that a bot left behind. It is the bot's whose group it is in or whose badge (an environment
//! variable) it carries; one that shows neither belongs to whoever looks first.
//!
//! Invariant: after [`Family::end`] no process of the bot is left, and every one has been waited for. Broken
//! only by a process that the system does not let end within [`PATIENCE`], or by one that forks into new sessions
//! faster than they are found; a later look finds these, the last one at the end of a run.
//!
//! Signals go through pidfds, to processes that were seen to be of the family after the pidfd was opened: a
//! process id that was given to somebody else meanwhile is never hit.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::Process;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpid, kill_process_group,
    pidfd_open, pidfd_send_signal, set_child_subreaper, setrlimit, waitid,
};
use wait4::Wait4;

use super::{guard, stop};

/// The environment variable that a bot's processes inherit.
pub(super) const BADGE: &str = "SAPPER_JUDGE_BOT";
/// How long processes are hunted that do not die.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// The bots that run, and what was there before them.
struct Registry {
    /// The first process of each family by its badge.
    leaders: BTreeMap<u64, Pid>,
    next_badge: u64,
    /// Children that this process had before it started any: who ran the judge by `exec` may have left some.
    strangers: Vec<i32>,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { leaders: BTreeMap::new(), next_badge: 0, strangers: Vec::new() });

fn registry() -> MutexGuard<'static, Registry> {
    // What a panicking thread left there is whole: nothing in between can fail.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bot's processes.
pub(super) struct Family {
    leader: Pid,
    badge: u64,
    /// As it was waited for.
    ended: Option<Ended>,
}

/// What is known of a family once it has ended.
#[derive(Clone, Copy)]
pub(super) struct Ended {
    /// How the first process ended; `None` where the system did not tell.
    pub(super) status: Option<ExitStatus>,
    /// CPU time of the first process and of those it waited for.
    pub(super) cpu: Duration,
    /// Most memory that one of these had, in bytes; 0 where that is not known.
    pub(super) memory: u64,
    /// Processes that were still there and had to be ended.
    pub(super) left: u32,
}

/// What a family has used so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Used {
    pub(super) cpu: Duration,
    /// Bytes resident now, or the most that the first process ever had, whichever is more.
    pub(super) memory: u64,
}

impl Family {
    /// Starts the first process of a family.
    pub(super) fn start(command: &mut Command) -> io::Result<(Child, Family)> {
        static FIRST: Once = Once::new();
        FIRST.call_once(|| {
            // Before the guard is started: where orphans come to this process already, it is one.
            let strangers = own_children();
            registry().strangers = strangers;
            // The guard is a sign of life, after which a signal may come.
            stop::listen();
            guard::start().ok();
            set_child_subreaper(Some(getpid())).ok();
            // A bot that crashes shall leave no file behind.
            setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).ok();
            // A judge that has nobody to tell takes its bots along.
            crate::output::LAST_WISH.set(end_all).ok();
        });
        // Nobody may look for orphans between the start and the entry.
        let mut registry = registry();
        if stop::is_told() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let badge = registry.next_badge;
        registry.next_badge += 1;
        let child = command.env(BADGE, badge_text(badge)).spawn()?;
        let leader = Pid::from_child(&child);
        registry.leaders.insert(badge, leader);
        Ok((child, Family { leader, badge, ended: None }))
    }

    /// Whether the first process has ended. It keeps its process id until [`Family::end`].
    pub(super) fn has_exited(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        self.ended.is_some() || !matches!(waitid(WaitId::Pid(self.leader), look), Ok(None))
    }

    /// How it ended, once it was ended.
    pub(super) fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// The CPU time so far of the first process and its descendants: what can be told after every turn at little
    /// cost. Daemons are left to [`Family::used`].
    pub(super) fn cpu(&self) -> Duration {
        let members = with_descendants(vec![number(self.leader)]);
        members.into_iter().flat_map(Process::new).map(|process| cpu(&process)).sum()
    }

    /// What the living have used so far, daemons included.
    pub(super) fn used(&self) -> Used {
        let mut used = Used::default();
        let leader = number(self.leader);
        for member in self.members() {
            let Ok(process) = Process::new(member) else { continue };
            if let Ok(status) = process.status() {
                let kilobytes = if member == leader { status.vmhwm } else { status.vmrss };
                used.memory += 1024 * kilobytes.unwrap_or(0);
            }
            used.cpu += cpu(&process);
        }
        used
    }

    /// The most memory that the first process ever had, in bytes, while it lives.
    pub(super) fn peak(&self) -> u64 {
        peak(&number(self.leader).to_string())
    }

    /// Ends every process of the family and waits for them. `child` is its first.
    pub(super) fn end(&mut self, child: &mut Child) {
        if self.ended.is_some() {
            return;
        }
        // As long as the process is not waited for, its id is its own even if it has ended.
        kill_process_group(self.leader, Signal::KILL).ok();
        let own = peak("self");
        let resources = loop {
            match child.wait4() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.ok(),
            }
        };
        let left = hunt(Some(self.badge));
        registry().leaders.remove(&self.badge);
        self.ended = Some(match resources {
            None => Ended { status: None, cpu: Duration::ZERO, memory: 0, left },
            Some(used) => Ended {
                status: Some(used.status),
                cpu: used.rusage.utime + used.rusage.stime,
                // A process begins as a copy of the judge, and the system's peak remembers that.
                memory: Some(used.rusage.maxrss).filter(|&peak| peak > own).unwrap_or(0),
                left,
            },
        });
    }

    /// The process ids of those that live, as far as can be seen.
    fn members(&self) -> Vec<i32> {
        let mut members = vec![number(self.leader)];
        let registry = registry();
        let leaders = registry.leaders.len();
        // Beside the leaders, each a child of the judge, there is seldom anybody.
        if own_children().len() > leaders {
            members.extend(orphans(&registry, Some(self.badge)));
        }
        drop(registry);
        with_descendants(members)
    }
}

/// Kills the first process of every bot, whose game ends by that and ends the others.
pub(super) fn kill_leaders() {
    registry().leaders.values().for_each(|leader| kill(number(*leader), &[]));
}

/// Ends all bots, for a judge that is about to end. No bot starts from here on.
pub(super) fn end_all() {
    let start = Instant::now();
    let registry = registry();
    while has_children() && start.elapsed() < PATIENCE {
        let mut own = own_children();
        own.retain(|child| !registry.strangers.contains(child));
        if own.is_empty() {
            break;
        }
        for leader in registry.leaders.values().filter(|leader| own.contains(&number(**leader))) {
            kill_process_group(*leader, Signal::KILL).ok();
        }
        put_down(&own);
        thread::sleep(Duration::from_millis(1));
    }
    // The lock is never given back.
    std::mem::forget(registry);
}

/// Ends what no bot's end has found: to be called when none runs any more.
pub(crate) fn sweep() {
    hunt(None);
}

/// Ends the orphans of the bot of this badge, and those of nobody, and says how many had to be killed.
fn hunt(badge: Option<u64>) -> u32 {
    let mut left = 0;
    let start = Instant::now();
    while has_children() && start.elapsed() < PATIENCE {
        let registry = registry();
        let orphans = orphans(&registry, badge);
        if orphans.is_empty() {
            break;
        }
        left += put_down(&orphans);
        drop(registry);
        thread::yield_now();
    }
    left
}

/// Kills these children of the judge with all that come from them, waits for those that have ended, and says how
/// many of these had to be killed.
fn put_down(children: &[i32]) -> u32 {
    let family = with_descendants(children.to_vec());
    for &member in &family {
        kill(member, &family);
    }
    children.iter().map(|&child| u32::from(reap(child))).sum()
}

pub(super) fn number(process: Pid) -> i32 {
    process.as_raw_nonzero().get()
}

fn own_children() -> Vec<i32> {
    children(number(getpid()))
}

fn badge_text(badge: u64) -> String {
    format!("{}-{badge}", getpid().as_raw_nonzero())
}

/// Whether there is any child at all, waited for or not.
fn has_children() -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    waitid(WaitId::All, look).is_ok()
}

/// The children of a process, those that have ended included.
fn children(process: i32) -> Vec<i32> {
    let tasks = Process::new(process).and_then(|process| process.tasks());
    let Ok(tasks) = tasks else { return Vec::new() };
    let of_task = |task: procfs::process::Task| task.children().unwrap_or_default();
    tasks.flatten().flat_map(of_task).map(|child| child as i32).collect()
}

/// These processes and all that come from them.
fn with_descendants(mut family: Vec<i32>) -> Vec<i32> {
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

/// Children of the judge that it has not started, and that belong to the bot of this badge or to nobody.
fn orphans(registry: &Registry, badge: Option<u64>) -> Vec<i32> {
    let mut orphans = own_children();
    orphans.retain(|&child| {
        let started = registry.leaders.values().any(|leader| number(*leader) == child);
        !started && !registry.strangers.contains(&child) && {
            let owner = owner(registry, child);
            // Whoever ran the judge by `exec` may own what shows no badge.
            owner == badge || (owner.is_none() && registry.strangers.is_empty())
        }
    });
    orphans
}

/// The badge of the running bot that an orphan belongs to.
fn owner(registry: &Registry, orphan: i32) -> Option<u64> {
    let process = Process::new(orphan).ok()?;
    let group = process.stat().ok().map(|stat| stat.pgrp);
    let badge = process.environ().ok().and_then(|environment| {
        environment.get(std::ffi::OsStr::new(BADGE)).map(|text| text.to_string_lossy().into_owned())
    });
    let is_its = |(its, leader): &(&u64, &Pid)| {
        group == Some(number(**leader)) || badge == Some(badge_text(**its))
    };
    registry.leaders.iter().find(is_its).map(|(its, _)| *its)
}

/// Kills one process of a family: one whose parent is of the family, or the judge.
fn kill(process: i32, family: &[i32]) {
    let Some(pid) = Pid::from_raw(process) else { return };
    let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    let parent = Process::new(process).and_then(|process| process.stat()).map(|stat| stat.ppid);
    let own = number(getpid());
    if parent.is_ok_and(|parent| parent == own || family.contains(&parent)) {
        pidfd_send_signal(&pidfd, Signal::KILL).ok();
    }
}

/// Waits for an orphan if it has ended, and says whether it was one that had to be killed.
fn reap(orphan: i32) -> bool {
    let Some(pid) = Pid::from_raw(orphan) else { return false };
    let status = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    let killed = Signal::KILL.as_raw();
    matches!(status, Ok(Some(status)) if status.terminating_signal() == Some(killed))
}

/// The CPU time of a process and of the children it has waited for.
///
/// Two sources: the scheduler's count of each thread that lives, in nanoseconds, and the system's of all
/// threads there ever were, in ticks of mostly 10 ms. The larger one is nearer.
fn cpu(process: &Process) -> Duration {
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
fn peak(process: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    1024 * kilobytes.unwrap_or(0)
}
