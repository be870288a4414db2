//! Bytes and durations as the numbers that options take and tables print.
//!
//! Botzone's limit of memory is in units of 2^20 bytes, so the limits of a bot and its measured
//! memory are too ([`mebibytes`]). The commands `worst` and `soak` count in 10^6 bytes
//! ([`megabytes`]).

use std::time::Duration;

/// The bytes of the unit that Botzone's limit of memory is in.
pub const MEBIBYTE: u64 = 1 << 20;

/// Bytes in units of 2^20.
pub fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / MEBIBYTE as f64
}

/// The measured memory of a bot in units of 2^20 bytes; `None` for 0 bytes, which means that the
/// bot had ended before it was measured.
pub fn memory_seen(bytes: u64) -> Option<f64> {
    (bytes > 0).then(|| mebibytes(bytes))
}

/// A duration in milliseconds.
pub fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// Bytes in units of 10^6.
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// A duration in milliseconds, rounded to a tenth.
pub fn ms_to_a_tenth(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e4).round() / 10.0
}
