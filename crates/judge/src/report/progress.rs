//! The progress of a command, on standard error: a bar if that is a terminal, and what the run has
//! found so far, also where there is no bar.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::runner::messages::{errln, escaped};

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

/// The time of the first line where there is no bar.
const FIRST_LINE: Duration = Duration::from_secs(30);

/// What a run has found so far: in its bar, or else in lines whose intervals double, so that a long
/// run has few.
pub struct SoFar {
    items: &'static str,
    started: Instant,
    /// The time of the next line.
    next: Duration,
}

impl SoFar {
    /// Of a run over items of a kind.
    pub fn new(items: &'static str) -> SoFar {
        SoFar { items, started: Instant::now(), next: FIRST_LINE }
    }

    /// Shows what was found, if it is time for that.
    pub fn show(&mut self, bar: &ProgressBar, found: impl FnOnce() -> String) {
        if !bar.is_hidden() {
            bar.set_message(escaped(&format!("{}; {}", self.items, found())));
        } else if self.is_due(self.started.elapsed()) {
            let (done, all) = (bar.position(), bar.length().unwrap_or_default());
            let seconds = self.started.elapsed().as_secs();
            errln!("after {seconds} s: {done} of {all} {}; {}", self.items, found());
        }
    }

    /// Whether a line is due after this time; the next one is then due after twice the time.
    fn is_due(&mut self, elapsed: Duration) -> bool {
        let is_due = elapsed >= self.next;
        if is_due {
            self.next = 2 * elapsed;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_intervals_of_the_lines_double() {
        let mut so_far = SoFar::new("games");
        let due = (0..=300).step_by(10).filter(|&s| so_far.is_due(Duration::from_secs(s)));
        assert_eq!(due.collect::<Vec<_>>(), [30, 60, 120, 240]);
    }
}
