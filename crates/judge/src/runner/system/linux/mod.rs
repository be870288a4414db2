//! Linux: what the judge asks of it, through `procfs`, pidfds and `wait4`.
//!
//! | file | holds |
//! |---|---|
//! | [`tree`] | all processes of a bot, measured and ended together |
//! | [`registry`] | the running bots, and the orphans among their processes |
//! | [`guard`] | kills the bots of a judge that was killed |
//! | [`os`] | children, resource usage and signals, as the system reports them |
//! | [`program`] | files of programs, and why they cannot be started |
//! | [`files`] | locks and the size limit of files |
//!
//! A bot's first process leads a process group of its own, and the judge is the subreaper of what
//! leaves the group, so that no process is lost while the judge runs. Limits of the system
//! (`setrlimit`) are not an alternative to measuring: a limit of the address space stops languages
//! that reserve more memory than they use, and no limit applies to all processes of a bot together.
//!
//! Invariant: the judge waits only for its children, and a signal goes through a pidfd or to a
//! process group whose leader is not yet waited for, so that neither reaches another process.

mod files;
mod guard;
mod os;
mod program;
mod registry;
mod tree;

pub use files::{survive_file_size_limit, try_lock};
pub use guard::run_if_guard as run_if_helper;
pub use program::{file_obstacle, find_program, is_format_error, this_file, this_program};
pub use registry::{end_all, stop_all, sweep};
pub use tree::Tree;
