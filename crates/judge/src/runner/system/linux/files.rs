//! Locks and the size limit of files.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use signal_hook::consts::SIGXFSZ;

/// See [`try_lock`](super::super::try_lock).
pub fn try_lock(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(Errno::WOULDBLOCK)
}

/// Catches the signal of a write beyond the limit (`ulimit -f`), which by default ends the program
/// without a message. The signal is not ignored, because bots would inherit that it is ignored.
pub fn survive_file_size_limit() {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).ok();
}
