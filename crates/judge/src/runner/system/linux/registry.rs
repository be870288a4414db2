//! The running bots, and the search for processes that they left behind.
//!
//! A bot's first process leads a process group of its own. A process that leaves the group (a
//! daemon) is orphaned sooner or later. The judge is the subreaper of such orphans, so they become
//! its children. A child that the judge has not started itself is therefore a bot's. It belongs to
//! the bot whose process group it is in or whose id is in its environment ([`BOT_ID_VAR`]); one
//! with neither is killed by the first search.
//!
//! Invariant: no search for orphans runs between the start of a bot and its entry, as the registry
//! is locked during both.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::Process;
use rustix::process::{Pid, Signal, getpid, kill_process_group};

use super::os::{has_children, kill, kill_trees, own_children, raw_pid};

/// The environment variable with the bot's id, which all processes of a bot inherit.
pub const BOT_ID_VAR: &str = "SAPPER_JUDGE_BOT";
/// How long kills are repeated while processes remain.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// The running bots, and the processes that are older than the first of them.
pub struct Registry {
    /// The first process of each bot, by the bot's id.
    pub leaders: BTreeMap<u64, Pid>,
    /// The id of the next bot.
    pub next_id: u64,
    /// Children that the judge had before it started a bot. A program that became the judge by
    /// `exec` may have started some.
    pub preexisting: Vec<i32>,
    /// Whether no bot may be started any more.
    pub is_stopped: bool,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    leaders: BTreeMap::new(),
    next_id: 0,
    preexisting: Vec::new(),
    is_stopped: false,
});

/// Locks the registry.
pub fn registry() -> MutexGuard<'static, Registry> {
    // No code that holds the lock leaves the registry inconsistent if it panics.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the first process of every bot, and lets no further bot be started.
pub fn stop_all() {
    let mut registry = registry();
    registry.is_stopped = true;
    registry.leaders.values().for_each(|leader| kill(raw_pid(*leader), &[]));
}

/// Ends all bots before the judge exits. If none was ever started, all children of the judge are
/// those of a program that became it.
pub fn end_all() {
    let start = Instant::now();
    let registry = registry();
    while registry.next_id > 0 && has_children() && start.elapsed() < PATIENCE {
        let mut own = own_children();
        own.retain(|child| !registry.preexisting.contains(child));
        if own.is_empty() {
            break;
        }
        for leader in registry.leaders.values().filter(|leader| own.contains(&raw_pid(**leader))) {
            kill_process_group(*leader, Signal::KILL).ok();
        }
        kill_trees(&own);
        thread::sleep(Duration::from_millis(1));
    }
    // The lock is never released, so that no bot is started any more.
    std::mem::forget(registry);
}

/// Kills the processes that were missed when their bots ended, as [`end_all`] does for all.
pub fn sweep() {
    if registry().next_id > 0 {
        kill_orphans(None);
    }
}

/// Kills the orphans of the bot with this id and those that belong to no bot. Returns how many were
/// killed.
pub fn kill_orphans(id: Option<u64>) -> u32 {
    let mut killed = 0;
    let start = Instant::now();
    while has_children() && start.elapsed() < PATIENCE {
        let registry = registry();
        let orphans = orphans(&registry, id);
        if orphans.is_empty() {
            break;
        }
        killed += kill_trees(&orphans);
        drop(registry);
        thread::yield_now();
    }
    killed
}

/// The name of this judge, with which the ids of its bots begin. Another judge may have the same
/// process id: an earlier one, or one in a container.
pub fn judge_name() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        // The keys of a hash map are random.
        let random = RandomState::new().build_hasher().finish();
        format!("{}-{random:016x}", getpid().as_raw_nonzero())
    });
    &NAME
}

/// The value of [`BOT_ID_VAR`] for the bot with this id.
pub fn bot_id_text(id: u64) -> String {
    format!("{}-{id}", judge_name())
}

/// The children of the judge that it has not started itself, and that belong to the bot with this
/// id or to no bot.
pub fn orphans(registry: &Registry, id: Option<u64>) -> Vec<i32> {
    let mut orphans = own_children();
    orphans.retain(|&child| {
        let started = registry.leaders.values().any(|leader| raw_pid(*leader) == child);
        !started && !registry.preexisting.contains(&child) && {
            let owner = owner(registry, child);
            // A process without an id may belong to the program that became the judge by `exec`.
            owner == id || (owner.is_none() && registry.preexisting.is_empty())
        }
    });
    orphans
}

/// The id of the running bot that an orphan belongs to, or `None` if it belongs to none.
fn owner(registry: &Registry, orphan: i32) -> Option<u64> {
    let process = Process::new(orphan).ok()?;
    let group = process.stat().ok().map(|stat| stat.pgrp);
    let id = process.environ().ok().and_then(|environment| {
        environment.get(OsStr::new(BOT_ID_VAR)).map(|text| text.to_string_lossy().into_owned())
    });
    let is_owner = |(bot, leader): &(&u64, &Pid)| {
        group == Some(raw_pid(**leader)) || id == Some(bot_id_text(**bot))
    };
    registry.leaders.iter().find(is_owner).map(|(bot, _)| *bot)
}
