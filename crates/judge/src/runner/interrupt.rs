//! Handles an interrupt from the terminal, its hang-up and a termination signal.
//!
//! The first signal terminates the bots and the judge. A command that can report the games so far
//! defers the exit ([`defer_exit`]): its bots are killed, no further one is started, and the
//! command continues with its report. A second signal terminates the judge at once, unless the
//! command reports even then.
//!
//! Invariant: [`is_requested`] becomes true before a bot is killed for an interrupt, and stays
//! true. A game that ended while it was false therefore ended by itself; any other game may have
//! been cut off and is not counted.

use std::sync::Once;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use super::messages::errln;
use super::system;

/// A signal within this time is taken for a copy of the one before: `timeout` sends a signal to the
/// judge and to its process group.
const REPEAT_WINDOW: Duration = Duration::from_secs(1);

/// How many signals the command handles itself, and how many have come.
static DEFERRED: AtomicU8 = AtomicU8::new(0);
static REQUESTS: AtomicU8 = AtomicU8::new(0);

/// Declares that the running command handles so many signals: it polls [`is_requested`] and then
/// ends soon, with a report; of two, it also polls [`is_repeated`] and then ends at once.
pub fn defer_exit(signals: u8) {
    DEFERRED.store(signals, Ordering::SeqCst);
    install_handler();
}

/// Whether the judge was asked to end.
pub fn is_requested() -> bool {
    REQUESTS.load(Ordering::SeqCst) > 0
}

/// Whether the judge was asked to end at once.
pub fn is_repeated() -> bool {
    REQUESTS.load(Ordering::SeqCst) > 1
}

/// Plays a game; `None` if the judge was asked to end before it or during it, which may have cut it
/// off.
pub fn unless_requested<T>(play: impl FnOnce() -> T) -> Option<T> {
    let game = (!is_requested()).then(play)?;
    (!is_requested()).then_some(game)
}

/// Installs the handler of the signals. A second call has no effect.
pub fn install_handler() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let mut last = None;
        system::on_interrupt(move || handle(&mut last));
    });
}

/// Handles a signal. `last` is when the last one came that was not taken for a copy.
fn handle(last: &mut Option<Instant>) {
    if last.is_some_and(|last| last.elapsed() < REPEAT_WINDOW) {
        return;
    }
    if REQUESTS.load(Ordering::SeqCst) < DEFERRED.load(Ordering::SeqCst) {
        REQUESTS.fetch_add(1, Ordering::SeqCst);
        system::stop_all();
        *last = Some(Instant::now());
    } else {
        system::end_all();
        errln!("interrupted");
        std::process::exit(130);
    }
}
