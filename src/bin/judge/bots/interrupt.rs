//! Handles an interrupt from the terminal and a termination signal.
//!
//! The first signal terminates the bots and the judge. A command that can report the games so far
//! defers the exit ([`defer_exit`]): its bots are killed, no further one is started, and the
//! command continues with its report. A second signal terminates the judge at once.
//!
//! Invariant: [`is_requested`] becomes true before a bot is killed for an interrupt, and stays
//! true. A game that ended while it was false therefore ended by itself; any other game may have
//! been cut off and is not counted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::registry::{kill_leaders, terminate_all};
use crate::cli::output::errln;

/// A second signal within this time is taken for a copy of the first: `timeout` sends a signal to
/// the judge and to its process group.
const REPEAT_WINDOW: Duration = Duration::from_secs(1);

static DEFERRED: AtomicBool = AtomicBool::new(false);
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Declares that the running command polls [`is_requested`] and then ends soon, with a report.
pub fn defer_exit() {
    DEFERRED.store(true, Ordering::SeqCst);
    install_handler();
}

/// Whether the judge was asked to end.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Plays a game; `None` if the judge was asked to end before it or during it, which may have cut it
/// off.
pub fn unless_requested<T>(play: impl FnOnce() -> T) -> Option<T> {
    let game = (!is_requested()).then(play)?;
    (!is_requested()).then_some(game)
}

/// Installs the handler of the signals. A second call has no effect.
pub fn install_handler() {
    let mut first: Option<Instant> = None;
    let handle = move || match first {
        None if DEFERRED.load(Ordering::SeqCst) => {
            REQUESTED.store(true, Ordering::SeqCst);
            kill_leaders();
            first = Some(Instant::now());
        }
        Some(first) if first.elapsed() < REPEAT_WINDOW => {}
        _ => {
            terminate_all();
            errln!("interrupted");
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handle).ok();
}
