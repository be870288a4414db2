//! All processes of a bot: the first one and its descendants, terminated together.
//!
//! The first process leads a process group of its own, which is killed with one signal. Processes
//! that have left the group are found by [`super::registry`].
//!
//! Invariant: after [`ProcessTree::terminate`] the bot has no process left, and every one of them
//! has been reaped. Exceptions: a process that does not end within [`super::registry::PATIENCE`] of
//! its kill, and one that forks into new sessions faster than they are found. Later searches find
//! these; the last search runs at the end of a command.

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

use super::guard;
use super::os::{cpu_time, own_children, peak_memory, raw_pid, with_descendants};
use super::registry::{BOT_ID_VAR, bot_id_text, kill_orphans, orphans, registry};
use crate::runner::interrupt;

/// The processes of a bot.
pub struct ProcessTree {
    leader: Pid,
    id: u64,
    termination: Option<Termination>,
}

/// What the system reports about a terminated process tree.
#[derive(Clone, Copy)]
pub struct Termination {
    /// The exit status of the first process; `None` if the system did not report it.
    pub status: Option<ExitStatus>,
    /// CPU time of the first process and of the children that it waited for.
    pub cpu: Duration,
    /// The peak memory of one of these in bytes; 0 if it is not known.
    pub memory_bytes: u64,
    /// Processes that were still running and had to be killed.
    pub left_behind: u32,
}

impl ProcessTree {
    /// Starts the first process of a tree.
    ///
    /// # Errors
    /// Fails if the system cannot start it, or if the judge was interrupted.
    pub fn start(command: &mut Command) -> io::Result<(Child, ProcessTree)> {
        static FIRST: Once = Once::new();
        FIRST.call_once(|| {
            // Before the guard is started, which is a child if the judge is a subreaper already.
            let preexisting = own_children();
            registry().preexisting = preexisting;
            // Before the guard too, whose existence shows that signals are handled.
            interrupt::install_handler();
            guard::start().ok();
            set_child_subreaper(Some(getpid())).ok();
            // A bot that crashes writes no core file.
            setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).ok();
        });
        // Locked from the start to the entry, so that no search takes the process for an orphan.
        let mut registry = registry();
        if interrupt::is_requested() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let id = registry.next_id;
        registry.next_id += 1;
        let child = command.env(BOT_ID_VAR, bot_id_text(id)).spawn()?;
        let leader = Pid::from_child(&child);
        registry.leaders.insert(id, leader);
        Ok((child, ProcessTree { leader, id, termination: None }))
    }

    /// Whether the first process has ended. It keeps its process id until
    /// [`ProcessTree::terminate`].
    pub fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        self.termination.is_some() || !matches!(waitid(WaitId::Pid(self.leader), options), Ok(None))
    }

    /// The system's report, once the tree is terminated.
    pub fn termination(&self) -> Option<Termination> {
        self.termination
    }

    /// The CPU time so far of the first process and its descendants, cheap enough to be measured
    /// after every turn. Daemons are counted by [`ProcessTree::usage`] only.
    pub fn cpu(&self) -> Duration {
        let members = with_descendants(vec![raw_pid(self.leader)]);
        members.into_iter().flat_map(Process::new).map(|process| cpu_time(&process)).sum()
    }

    /// The CPU time that the running processes have used so far, daemons included, and in bytes the
    /// peak memory of the first process plus the resident memory of the others.
    pub fn usage(&self) -> (Duration, u64) {
        let (mut cpu, mut memory_bytes) = (Duration::ZERO, 0);
        let leader = raw_pid(self.leader);
        for member in self.members() {
            let Ok(process) = Process::new(member) else { continue };
            if let Ok(status) = process.status() {
                let kibibytes = if member == leader { status.vmhwm } else { status.vmrss };
                memory_bytes += 1024 * kibibytes.unwrap_or(0);
            }
            cpu += cpu_time(&process);
        }
        (cpu, memory_bytes)
    }

    /// The peak memory of the first process in bytes; 0 after its end.
    pub fn peak_memory(&self) -> u64 {
        peak_memory(&raw_pid(self.leader).to_string())
    }

    /// Kills every process of the tree and waits for them. `child` is the first process.
    pub fn terminate(&mut self, child: &mut Child) {
        if self.termination.is_some() {
            return;
        }
        // An ended process keeps its id until it is waited for, so the id is still its own.
        kill_process_group(self.leader, Signal::KILL).ok();
        let judge_peak = peak_memory("self");
        let resources = loop {
            match child.wait4() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.ok(),
            }
        };
        let left_behind = kill_orphans(Some(self.id));
        registry().leaders.remove(&self.id);
        let used = resources.as_ref().map(|resources| &resources.rusage);
        let peak = used.map_or(0, |used| used.maxrss);
        self.termination = Some(Termination {
            status: resources.as_ref().map(|resources| resources.status),
            cpu: used.map_or(Duration::ZERO, |used| used.utime + used.stime),
            // A process starts as a copy of the judge, whose memory counts in its peak.
            memory_bytes: if peak > judge_peak { peak } else { 0 },
            left_behind,
        });
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
