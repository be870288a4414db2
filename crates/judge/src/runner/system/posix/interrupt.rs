//! The signals by which a judge is asked to end.

use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// See [`on_interrupt`](crate::runner::system::on_interrupt). `is_ignored` returns whether this
/// process ignores a signal.
pub fn on_interrupt(is_ignored: fn(i32) -> bool, mut handle: impl FnMut() + Send + 'static) {
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    if let Ok(mut signals) = Signals::new(signals) {
        thread::spawn(move || signals.forever().for_each(|_| handle()));
    }
}
