//! The random parameters of a game: board, turns and effort.
//!
//! Invariant: they follow from the game's seed alone. The effort has a generator of its own, so
//! that `--effort` does not change the board of a seed.

use fixtures::pattern::{Pattern, Recipe};
use game::board_gen::below;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use sapper::Effort;
use sapper::Shape;

/// Draws the board of a game, and the most turns that are played: sizes from one cell to the
/// largest, of which large ones get few turns.
pub fn random_board(random: &mut Xoshiro256PlusPlus) -> (Recipe, u64) {
    let mut between = |min: u64, max: u64| min + below(random, max - min + 1);
    let (columns, rows, max_turns) = match between(0, 999) {
        0..=549 => (between(1, 12), between(1, 12), 200),
        550..=929 => (between(11, 80), between(11, 40), 60),
        930..=979 => (between(1, 130), between(1, 130), 30),
        980..=988 => (between(1, 3), between(100, 3000), 20),
        989..=997 => (between(100, 3000), between(1, 3), 20),
        998 => (between(130, 250), between(130, 250), 8),
        _ => (between(250, 512), between(250, 512), 3),
    };
    let percent = match between(0, 9) {
        0..=5 => between(8, 25),
        6..=8 => between(20, 45),
        _ => between(0, 100),
    };
    let pattern = match between(0, 3) {
        0 => Pattern::PLAIN[between(0, Pattern::PLAIN.len() as u64 - 1) as usize].0,
        1 => Pattern::Scattered(between(0, 100) as u8),
        _ => Pattern::Untouched,
    };
    let shape = Shape::new(rows, columns).expect("at most 512 x 512 or 3000 x 3 cells");
    let seed = between(0, u64::MAX - 1);
    (Recipe { shape, percent: percent as u32, seed, pattern }, max_turns)
}

/// The effort of a game: mostly fast, which plays the most games, seldom full.
pub fn random_effort(seed: i64) -> Effort {
    match below(&mut Xoshiro256PlusPlus::seed_from_u64(!(seed as u64)), 32) {
        0 => Effort::Full,
        1..=5 => Effort::Standard,
        _ => Effort::Fast,
    }
}
