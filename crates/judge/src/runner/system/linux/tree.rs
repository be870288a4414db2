//! All processes of a bot: the first one and its descendants, ended together.
//!
//! The first process leads a process group of its own, which is killed with one signal. Processes
//! that have left the group are found by [`super::registry`].
//!
//! Invariant: after [`Tree::end`] the bot has no process left, and every one of them has been
//! reaped. Exceptions: a process that does not end within [`super::registry::PATIENCE`] of its
//! kill, and one that forks into new sessions faster than they are found. Later searches find
//! these; the last search runs at the end of a command.

use std::cell::RefCell;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::Once;
use std::time::Duration;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpid, kill_process_group,
    set_child_subreaper, setrlimit, waitid,
};

use super::guard;
use super::memory::Memory;
use super::os::{Family, cpu_time, own_children, proc_bytes, raw_pid, with_descendants};
use super::registry::{BOT_ID_VAR, bot_id_text, kill_orphans, orphans, registry};
use crate::runner::system::posix::wait;
use crate::runner::system::resources::{End, Resources};

/// The processes of a bot.
#[derive(Debug)]
pub struct Tree {
    leader: Pid,
    id: u64,
    family: RefCell<Family>,
    memory: RefCell<Memory>,
}

impl Tree {
    /// Starts the first process of a tree.
    ///
    /// # Errors
    /// Fails if the system cannot start it, or after [`stop_all`](super::stop_all).
    pub fn spawn(command: &mut Command) -> io::Result<(Child, Tree)> {
        static FIRST: Once = Once::new();
        FIRST.call_once(|| {
            // Before the guard is started, which is a child if the judge is a subreaper already.
            let preexisting = own_children();
            registry().preexisting = preexisting;
            guard::start().ok();
            set_child_subreaper(Some(getpid())).ok();
            // A bot that crashes writes no core file.
            setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).ok();
        });
        // Locked from the start to the entry, so that no search takes the process for an orphan.
        let mut registry = registry();
        if registry.is_stopped {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let id = registry.next_id;
        registry.next_id += 1;
        let (child, family) = Family::start(|| {
            let child = command.process_group(0).env(BOT_ID_VAR, bot_id_text(id)).spawn()?;
            let leader = raw_pid(Pid::from_child(&child));
            Ok((child, leader))
        })?;
        let leader = Pid::from_child(&child);
        registry.leaders.insert(id, leader);
        let (memory, family) = (RefCell::default(), RefCell::new(family));
        Ok((child, Tree { leader, id, family, memory }))
    }

    /// Whether the first process has ended. It keeps its process id until [`Tree::end`].
    pub fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        !matches!(waitid(WaitId::Pid(self.leader), options), Ok(None))
    }

    /// The CPU time so far of the first process and its descendants. Daemons are counted by
    /// [`Tree::usage`] only.
    pub fn cpu(&self) -> Duration {
        self.family.borrow_mut().members().iter().copied().map(cpu_time).sum()
    }

    /// The CPU time that the running processes have used so far, and their memory ([`Memory`]),
    /// daemons included.
    pub fn usage(&self, memory_limit: u64) -> Resources {
        let members = self.members();
        let leader = raw_pid(self.leader);
        let memory_bytes = self.memory.borrow_mut().measure(leader, &members, memory_limit);
        Resources { cpu: members.into_iter().map(cpu_time).sum(), memory_bytes }
    }

    /// The memory of the first process and its descendants in bytes; 0 after its end.
    pub fn peak_memory(&self, memory_limit: u64) -> u64 {
        self.memory.borrow_mut().measure_turn(raw_pid(self.leader), memory_limit)
    }

    /// Kills every process of the tree and waits for them. `child` is the first process. To be
    /// called once.
    pub fn end(&mut self, child: &mut Child) -> End {
        // An ended process keeps its id until it is waited for, so the id is still its own.
        kill_process_group(self.leader, Signal::KILL).ok();
        let judge_peak = proc_bytes("self", "status", "VmHWM:").unwrap_or(0);
        let (exit, used) = wait(child);
        let left_behind = kill_orphans(Some(self.id));
        registry().leaders.remove(&self.id);
        let peak = used.as_ref().map_or(0, |used| used.maxrss);
        let resources = Resources {
            cpu: used.as_ref().map_or(Duration::ZERO, |used| used.utime + used.stime),
            // A process starts as a copy of the judge, whose memory counts in its peak.
            memory_bytes: if peak > judge_peak { peak } else { 0 },
        };
        End { exit, resources, left_behind }
    }

    /// The process ids of the running processes, as far as they can be found.
    fn members(&self) -> Vec<i32> {
        let mut members = vec![raw_pid(self.leader)];
        let registry = registry();
        // Each leader is a child of the judge; other children are rare.
        if own_children().len() > registry.leaders.len() {
            members.extend(orphans(&registry, Some(self.id)));
        }
        drop(registry);
        with_descendants(members)
    }
}
