//! Linux: what the judge asks of it, through `procfs`, pidfds and `wait4`.
//!
//! | file | holds |
//! |---|---|
//! | [`tree`] | all processes of a bot, measured and ended together |
//! | [`registry`] | the running bots, and the orphans among their processes |
//! | [`guard`] | kills the bots of a judge that was killed |
//! | [`memory`] | the memory of these processes |
//! | [`os`] | children, resource usage and signals, as the system reports them |
//!
//! Programs, command lines and the size limit of files are those of every Unix ([`super::posix`]).
//!
//! A bot's first process leads a process group of its own, and the judge is the subreaper of what
//! leaves the group, so that no process is lost while the judge runs. Limits of the system
//! (`setrlimit`) are not an alternative to measuring: a limit of the address space stops languages
//! that reserve more memory than they use, and no limit applies to all processes of a bot together.
//!
//! Invariant: the judge waits only for its children, and a signal goes through a pidfd or to a
//! process group whose leader is not yet waited for, so that neither reaches another process.

mod guard;
mod memory;
mod os;
mod registry;
mod tree;

pub use guard::run_if_guard as run_if_helper;
pub use os::processor_name;
pub use registry::{end_all, stop_all, sweep};
pub use tree::Tree;

use super::posix;

/// See [`on_interrupt`](super::on_interrupt).
pub fn on_interrupt(handle: impl FnMut() + Send + 'static) {
    posix::on_interrupt(os::is_ignored, handle);
}

/// Everything is measured and enforced.
pub const LIMITS_NOTE: Option<&str> = None;
