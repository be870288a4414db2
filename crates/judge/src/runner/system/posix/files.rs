//! The size limit of files.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGXFSZ;

/// Catches the signal of a write beyond the limit (`ulimit -f`), which by default ends the program
/// without a message. The signal is not ignored, because bots would inherit that it is ignored.
pub fn survive_file_size_limit() {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).ok();
}
