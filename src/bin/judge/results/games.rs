//! Games in process: the engine plays boards on several threads, and the results arrive in the
//! order of the boards.
//!
//! Each thread has an engine of its own. Games against bots, which are processes, use
//! [`super::ordered`] directly.
//!
//! Invariant: the results do not depend on the number of threads, and a run may end after any game.

use std::ops::ControlFlow;

use anyhow::Result;
use sapper::bot::engine::Engine;
use sapper::referee::board_file::Layout;

use super::ordered::in_order_with;
use crate::bots::interrupt;
use crate::cli::boards::{BoardOptions, Boards};

/// Calls `play` for every board, with its index, and `take` for every result in the order of the
/// boards, until `take` breaks or the run is interrupted. Returns whether it was interrupted.
///
/// # Errors
/// Fails if `take` fails, or if no thread can be started.
pub fn play_boards<T: Send>(
    options: &BoardOptions,
    boards: &Boards,
    play: impl Fn(&mut Engine, i64, &Layout) -> T + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>>,
) -> Result<bool> {
    let engine = || options.strength.engine(options.rule);
    let play = |engine: &mut Engine, position| {
        interrupt::unless_requested(|| {
            let (index, layout) = boards.board(position)?;
            Ok(play(engine, index, &layout))
        })
    };
    interrupt::defer_exit();
    let positions = 0..boards.len() as usize;
    in_order_with(options.jobs.count(None), positions, engine, play, |result: Result<T>| {
        take(result?)
    })
}
