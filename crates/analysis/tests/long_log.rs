//! A long game on a large field takes little more memory than its log.
//!
//! The test is alone in its file, because it reads the peak of its process.

#![cfg(target_os = "linux")]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::fs;

use analysis::review::recorded_game::RecordedGame;
use analysis::review::reviewed_game::ReviewedGame;
use fixtures::long_log::long_log;
use sapper::Shape;

/// The most memory that the process had so far, in units of 2^10 bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_turn_takes_no_memory_that_grows_with_the_field() {
    let text = long_log(Shape::new(300, 300).unwrap(), 18_000, 3_000);
    let before = peak();
    let game = RecordedGame::read(&text).unwrap();
    // A board a turn would be 270 MB.
    let grown = peak() - before;
    assert!(game.frames() == 3_001 && grown < 40_000, "{grown} KiB");
    let clicks: Vec<usize> = game.clicks().take(3).map(|(board, _)| board.hidden_len()).collect();
    assert!(clicks[0] == 90_000 && clicks[1] < clicks[0] && clicks[2] < clicks[1], "{clicks:?}");
}
