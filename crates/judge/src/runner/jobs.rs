//! How many games or threads run at the same time.

use std::num::NonZero;
use std::thread;

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
