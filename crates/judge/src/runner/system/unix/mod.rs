//! Unix other than Linux, such as macOS: what the judge asks of it, through process groups.
//!
//! | file | holds |
//! |---|---|
//! | [`tree`] | all processes of a bot, in a process group: measured and ended together |
//! | [`guard`] | kills the bots of a judge that was killed |
//!
//! Programs, locks and the size limit of files are those of every Unix ([`super::posix`]).
//!
//! Invariant: a signal goes to a process group whose leader is not yet waited for, so that it
//! reaches no other process.
//!
//! Not found: a process that has left the group of the first one (a daemon). Not measured: CPU time
//! and memory of processes that have ended and that the first one has not waited for.

mod guard;
mod tree;

pub use guard::run_if_guard as run_if_helper;
pub use tree::{Tree, end_all, stop_all};

use std::process::{Command, Stdio};

use super::posix;

/// What is measured and ended less exactly than on Linux.
pub const LIMITS_NOTE: Option<&str> = Some(
    "this system: the memory of a bot's further processes counts only while they run, and a \
     process that leaves the bot's process group is not ended",
);

/// See [`on_interrupt`](super::on_interrupt).
pub fn on_interrupt(handle: impl FnMut() + Send + 'static) {
    posix::on_interrupt(is_ignored, handle);
}

/// Whether the judge ignores this signal. A shell, which inherits it, then survives the signal.
fn is_ignored(signal: i32) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-c", "kill -\"$0\" $$", &signal.to_string()]);
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.status().is_ok_and(|status| status.success())
}

/// Nothing is missed that could be found later.
pub fn sweep() {}
