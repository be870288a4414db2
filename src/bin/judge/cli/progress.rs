//! The progress bar of a command, on standard error if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `len` items of a kind, such as `games`.
pub fn bar(len: u64, items: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}  {elapsed}  eta {eta}");
    let style = style.expect("a valid template");
    let bar = ProgressBar::new(len).with_style(style).with_message(items);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
