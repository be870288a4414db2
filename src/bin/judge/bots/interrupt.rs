//! Ends the judge on an interrupt from the terminal or a termination signal.
//!
//! Its bots end with it. A command that can report what was played until then defers the exit
//! ([`defer_exit`]): its bots are killed, none starts any more, and the command goes on to its
//! report. A second signal, or one that no command defers, ends the judge at once.
//!
//! Invariant: [`is_requested`] holds before a bot is killed for it, and stays true. So a game that
//! has ended while it does not hold has ended by itself; any other may have been cut off, and is
//! not counted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::registry::{end_all, kill_leaders};
use crate::cli::output::errln;

/// What comes within this time is the same word once more: `timeout` sends a signal to the judge
/// and to its group.
const ECHO: Duration = Duration::from_secs(1);

static DEFERRED: AtomicBool = AtomicBool::new(false);
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Says that the running command looks at [`is_requested`], and ends soon after with what it has.
pub fn defer_exit() {
    DEFERRED.store(true, Ordering::SeqCst);
    install_handler();
}

/// Whether the judge was told to end.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Listens for the signals from here on; said again, it changes nothing.
pub fn install_handler() {
    let mut first: Option<Instant> = None;
    let heard = move || match first {
        None if DEFERRED.load(Ordering::SeqCst) => {
            REQUESTED.store(true, Ordering::SeqCst);
            kill_leaders();
            first = Some(Instant::now());
        }
        Some(first) if first.elapsed() < ECHO => {}
        _ => {
            end_all();
            errln!("interrupted");
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(heard).ok();
}
