//! The progress bar of a command, on standard error if that is a terminal.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// A bar for `len` items of a kind, such as `games`.
pub fn bar(len: u64, items: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}  {elapsed}  {left}");
    // Before the first item has ended, nothing is known of the others.
    let left = |state: &ProgressState, text: &mut dyn Write| {
        if state.pos() > 0 {
            write!(text, "eta {:#}", HumanDuration(state.eta())).ok();
        }
    };
    let style = style.expect("a valid template").with_key("left", left);
    let bar = ProgressBar::new(len).with_style(style).with_message(items);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
