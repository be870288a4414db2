//! Windows: what the judge asks of it, through job objects.
//!
//! | file | holds |
//! |---|---|
//! | [`tree`] | all processes of a bot, in a job: measured and ended together |
//! | [`program`] | files of programs, and why they cannot be started |
//!
//! The judge is in a job of its own, which Windows ends with the judge, however the judge ends. All
//! processes of bots are in it, because a process starts in the job of its parent. Each bot is also
//! in a job inside of that one, by which its processes are counted and ended.
//!
//! Invariant: a bot's processes are ended by closing its job, never by their ids.
//!
//! Not found until the judge ends: a process that the first one starts before it is put into its
//! job, a few microseconds after its own start. Not measured: CPU time and memory of a process that
//! has ended, other than the first one.

mod program;
mod tree;

use std::fs::File;
use std::io;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::Path;

pub use super::windows_rules::{quote as quote_word, split as split_command};
pub use program::{
    file_obstacle, find_program, is_format_error, program_to_start, this_file, this_program,
};
pub use tree::{Tree, end_all, stop_all};

/// What is measured less exactly than on Linux.
pub const LIMITS_NOTE: Option<&str> = Some(
    "Windows: the CPU time and the memory of a bot's further processes count only while they run",
);

/// Closing a job ends its processes, so that none is missed.
pub fn sweep() {}

/// The judge has no helper here: Windows ends a job with its last handle.
pub fn run_if_helper() -> bool {
    false
}

/// See [`on_interrupt`](super::on_interrupt).
pub fn on_interrupt(handle: impl FnMut() + Send + 'static) {
    ctrlc::set_handler(handle).ok();
}

/// Windows has no limit of the size of files.
pub fn survive_file_size_limit() {}

/// See [`try_lock_folder`](super::try_lock_folder): a folder cannot be locked. A file in it is
/// opened for this process alone, and Windows deletes that file when it is closed.
pub fn try_lock_folder(folder: &Path) -> io::Result<Option<File>> {
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    let mut options = File::options();
    options.write(true).create(true).truncate(false).share_mode(0);
    options.custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
    match options.open(folder.join(".lock")) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
        Err(error) => Err(error),
    }
}
