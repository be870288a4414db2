//! The turns of a recorded game analyzed on all threads, and handed on in order.
//!
//! Invariant: at most [`BATCH`] frames a thread are held, however long the game is.

use analysis::Analyzer;
use analysis::chance::{Chances, POLICY};
use analysis::review::frame::Frame;
use analysis::review::reviewed_game::ReviewedGame;
use analysis::review::turn_chance::tell_chances;
use anyhow::Result;
use output::Kind;
use rayon::prelude::*;
use sapper::{Effort, Objective};
use viewer::page::BEGINNING;

use crate::report::progress;
use crate::runner::interrupt;

/// The page of a game.
pub const REPLAY_PAGE: Kind<'static> =
    Kind { name: "page of `judge replay`", beginnings: &[BEGINNING] };

/// The turns that a thread analyzes before the frames of all threads are handed on. A frame of a
/// large field takes a megabyte.
const BATCH: usize = 4;

/// Analyzes all turns of a game on all threads, tells the chances to win by so many playouts, and
/// hands each frame to `take`, in order. Returns whether the judge was asked to end before the last
/// one.
///
/// # Errors
/// Those of `take`.
pub fn analyze_game(
    game: &dyn ReviewedGame,
    objective: Objective,
    effort: Effort,
    playouts: Option<u32>,
    mut take: impl FnMut(&Frame) -> Result<()>,
) -> Result<bool> {
    let frames = game.frames();
    let bar = progress::bar(frames as u64, "turns");
    let threads = rayon::current_num_threads().min(frames.div_ceil(BATCH));
    let worker = |_| {
        let chances = Chances::new(objective, POLICY, interrupt::is_requested);
        (Analyzer::new(objective, effort), chances)
    };
    let mut workers: Vec<(Analyzer, Chances)> = (0..threads).map(worker).collect();
    for first in (0..frames).step_by(threads * BATCH) {
        if interrupt::is_requested() {
            return Ok(true);
        }
        let batch = |(thread, worker): (usize, &mut (Analyzer, Chances))| -> Vec<Frame> {
            let (analyzer, chances) = worker;
            let first = first + thread * BATCH;
            let turns = first..(first + BATCH).min(frames);
            let turns = turns.take_while(|_| !interrupt::is_requested());
            let told = |turn: usize| {
                let mut frame = game.frame(turn, analyzer);
                tell_chances(&mut frame, chances, playouts);
                frame
            };
            turns.map(told).collect()
        };
        let batches: Vec<Vec<Frame>> = workers.par_iter_mut().enumerate().map(batch).collect();
        if interrupt::is_requested() {
            return Ok(true);
        }
        for frame in batches.iter().flatten() {
            take(frame)?;
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(false)
}
