//! Units of memory and time in options, tables and JSON.
//!
//! Memory is measured in bytes. The limit of a bot and its measured memory are printed in units of
//! 2^20 bytes, like Botzone's limit.

use std::time::Duration;

/// The bytes of a MiB.
pub const MEBIBYTE: u64 = 1 << 20;

/// Bytes in units of 2^20.
pub fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / MEBIBYTE as f64
}

/// The measured memory of a bot in units of 2^20 bytes; `None` for 0 bytes, which stand for a bot
/// that ended before it was measured.
pub fn measured_mebibytes(bytes: u64) -> Option<f64> {
    (bytes > 0).then(|| mebibytes(bytes))
}

/// A duration in milliseconds.
pub fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
