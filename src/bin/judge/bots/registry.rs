//! The bots that run, and the search for processes that they left behind.
//!
//! A bot's first process leads a process group of its own. A process that leaves the group (a
//! daemon) loses its parent sooner or later; the judge is the reaper of such orphans, so that they
//! become its children and not the system's. A child of the judge that it has not started is thus
//! something that a bot left behind. It belongs to the bot whose group it is in or whose id it
//! carries in the environment ([`BOT_ID_VAR`]); one that shows neither is ended by the first
//! search.
//!
//! Invariant: nobody searches for orphans between the start of a bot and its entry: the registry is
//! locked for both.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::Process;
use rustix::process::{Pid, Signal, getpid, kill_process_group};

use super::os::{has_children, kill, kill_tree, own_children, raw_pid};

/// The environment variable that a bot's processes inherit.
pub const BOT_ID_VAR: &str = "SAPPER_JUDGE_BOT";
/// How long processes that do not end are killed again.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// The bots that run, and what was there before them.
pub struct Registry {
    /// The first process of each bot by the bot's id.
    pub leaders: BTreeMap<u64, Pid>,
    /// The id of the next bot.
    pub next_id: u64,
    /// Children that this process had before it started a bot: a program that ran the judge by
    /// `exec` may have left some.
    pub preexisting: Vec<i32>,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { leaders: BTreeMap::new(), next_id: 0, preexisting: Vec::new() });

/// Locks the registry.
pub fn registry() -> MutexGuard<'static, Registry> {
    // What a panicking thread left there is whole: nothing in between can fail.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the first process of every bot, whose game ends by that and ends the others.
pub fn kill_leaders() {
    registry().leaders.values().for_each(|leader| kill(raw_pid(*leader), &[]));
}

/// Ends all bots, for a judge that is about to end. No bot starts from here on.
pub fn end_all() {
    let start = Instant::now();
    let registry = registry();
    while has_children() && start.elapsed() < PATIENCE {
        let mut own = own_children();
        own.retain(|child| !registry.preexisting.contains(child));
        if own.is_empty() {
            break;
        }
        for leader in registry.leaders.values().filter(|leader| own.contains(&raw_pid(**leader))) {
            kill_process_group(*leader, Signal::KILL).ok();
        }
        kill_tree(&own);
        thread::sleep(Duration::from_millis(1));
    }
    // The lock is never given back.
    std::mem::forget(registry);
}

/// Ends processes that no bot's end has found. To be called when no bot runs any more.
pub fn sweep() {
    kill_orphans(None);
}

/// Ends the orphans of the bot of this id, and those of nobody, and says how many had to be killed.
pub fn kill_orphans(id: Option<u64>) -> u32 {
    let mut left = 0;
    let start = Instant::now();
    while has_children() && start.elapsed() < PATIENCE {
        let registry = registry();
        let orphans = orphans(&registry, id);
        if orphans.is_empty() {
            break;
        }
        left += kill_tree(&orphans);
        drop(registry);
        thread::yield_now();
    }
    left
}

/// The value of [`BOT_ID_VAR`] for the bot of this id.
pub fn bot_id_text(id: u64) -> String {
    format!("{}-{id}", getpid().as_raw_nonzero())
}

/// Children of the judge that it has not started, and that belong to the bot of this id or to
/// nobody.
pub fn orphans(registry: &Registry, id: Option<u64>) -> Vec<i32> {
    let mut orphans = own_children();
    orphans.retain(|&child| {
        let started = registry.leaders.values().any(|leader| raw_pid(*leader) == child);
        !started && !registry.preexisting.contains(&child) && {
            let owner = owner(registry, child);
            // A process without an id may belong to the program that ran the judge by `exec`.
            owner == id || (owner.is_none() && registry.preexisting.is_empty())
        }
    });
    orphans
}

/// The id of the running bot that an orphan belongs to.
fn owner(registry: &Registry, orphan: i32) -> Option<u64> {
    let process = Process::new(orphan).ok()?;
    let group = process.stat().ok().map(|stat| stat.pgrp);
    let id = process.environ().ok().and_then(|environment| {
        environment
            .get(std::ffi::OsStr::new(BOT_ID_VAR))
            .map(|text| text.to_string_lossy().into_owned())
    });
    let is_its = |(its, leader): &(&u64, &Pid)| {
        group == Some(raw_pid(**leader)) || id == Some(bot_id_text(**its))
    };
    registry.leaders.iter().find(is_its).map(|(its, _)| *its)
}
