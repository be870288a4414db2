//! The processes of a bot: the one that was started, and all that come from it, ended together.
//!
//! A bot's first process leads a process group of its own, which is killed as one. Processes that
//! left the group are found by [`super::registry`].
//!
//! Invariant: after [`Family::end`] no process of the bot is left, and every one has been waited
//! for. Broken only by a process that the system does not let end within
//! [`super::registry::PATIENCE`], or by one that forks into new sessions faster than they are
//! found; a later search finds these, the last one at the end of a run.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::Once;
use std::time::Duration;

use procfs::process::Process;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpid, kill_process_group,
    set_child_subreaper, setrlimit, waitid,
};
use wait4::Wait4;

use super::os::{cpu, own_children, peak, raw_pid, with_descendants};
use super::registry::{BOT_ID_VAR, bot_id_text, end_all, kill_orphans, orphans, registry};
use super::{guard, interrupt};
use crate::cli::output::EXIT_HOOK;

/// A bot's processes.
pub struct Family {
    leader: Pid,
    id: u64,
    /// As it was waited for.
    ended: Option<Ended>,
}

/// What is known of a family once it has ended.
#[derive(Clone, Copy)]
pub struct Ended {
    /// How the first process ended; `None` where the system did not tell.
    pub status: Option<ExitStatus>,
    /// CPU time of the first process and of those it waited for.
    pub cpu: Duration,
    /// Most memory that one of these had, in bytes; 0 where that is not known.
    pub memory: u64,
    /// Processes that were still there and had to be ended.
    pub left: u32,
}

/// What a family has used so far.
#[derive(Clone, Copy, Default)]
pub struct Used {
    pub cpu: Duration,
    /// Bytes resident now, or the most that the first process ever had, whichever is more.
    pub memory: u64,
}

impl Family {
    /// Starts the first process of a family.
    pub fn start(command: &mut Command) -> io::Result<(Child, Family)> {
        static FIRST: Once = Once::new();
        FIRST.call_once(|| {
            // Before the guard is started: where orphans come to this process already, it is one.
            let preexisting = own_children();
            registry().preexisting = preexisting;
            // The guard is a sign of life, after which a signal may come.
            interrupt::install_handler();
            guard::start().ok();
            set_child_subreaper(Some(getpid())).ok();
            // A bot that crashes shall leave no file behind.
            setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).ok();
            // A judge that has nobody to tell takes its bots along.
            EXIT_HOOK.set(end_all).ok();
        });
        // Nobody may look for orphans between the start and the entry.
        let mut registry = registry();
        if interrupt::is_requested() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let id = registry.next_id;
        registry.next_id += 1;
        let child = command.env(BOT_ID_VAR, bot_id_text(id)).spawn()?;
        let leader = Pid::from_child(&child);
        registry.leaders.insert(id, leader);
        Ok((child, Family { leader, id, ended: None }))
    }

    /// Whether the first process has ended. It keeps its process id until [`Family::end`].
    pub fn has_exited(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        self.ended.is_some() || !matches!(waitid(WaitId::Pid(self.leader), look), Ok(None))
    }

    /// How it ended, once it was ended.
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// The CPU time so far of the first process and its descendants: what can be told after every
    /// turn at little cost. Daemons are left to [`Family::used`].
    pub fn cpu(&self) -> Duration {
        let members = with_descendants(vec![raw_pid(self.leader)]);
        members.into_iter().flat_map(Process::new).map(|process| cpu(&process)).sum()
    }

    /// What the living have used so far, daemons included.
    pub fn used(&self) -> Used {
        let mut used = Used::default();
        let leader = raw_pid(self.leader);
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
    pub fn peak(&self) -> u64 {
        peak(&raw_pid(self.leader).to_string())
    }

    /// Ends every process of the family and waits for them. `child` is its first.
    pub fn end(&mut self, child: &mut Child) {
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
        let left = kill_orphans(Some(self.id));
        registry().leaders.remove(&self.id);
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
        let mut members = vec![raw_pid(self.leader)];
        let registry = registry();
        let leaders = registry.leaders.len();
        // Beside the leaders, each a child of the judge, there is seldom anybody.
        if own_children().len() > leaders {
            members.extend(orphans(&registry, Some(self.id)));
        }
        drop(registry);
        with_descendants(members)
    }
}
