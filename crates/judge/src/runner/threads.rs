//! Threads: how many run at the same time, and how one is started.

use std::num::NonZero;
use std::thread;

use anyhow::{Context, Result};

use super::limits::Clock;

/// The number of threads where none is given. `clock` times the bots, if any play.
pub fn default_jobs(clock: Option<Clock>) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    match clock {
        // The judge needs a core too, or it makes turns late.
        Some(Clock::Wall) => (cores - 1).max(1),
        _ => cores,
    }
}

/// Starts a thread that nobody waits for.
///
/// # Errors
/// Fails if the system has no thread left.
pub fn spawn(run: impl FnOnce() + Send + 'static) -> Result<()> {
    thread::Builder::new().spawn(run).context("the system has no thread left")?;
    Ok(())
}
