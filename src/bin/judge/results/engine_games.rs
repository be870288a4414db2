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

use super::ordered::{in_order_with, threads};
use crate::cli::boards::{BoardOptions, Boards};

/// Calls `play` for every board, with its index, and `take` for every result in the order of the
/// boards, until `take` breaks.
///
/// # Errors
/// Fails if `take` fails, or if no thread can be started.
pub fn play_boards<T: Send>(
    options: &BoardOptions,
    boards: &Boards,
    play: impl Fn(&mut Engine, i64, &Layout) -> T + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let engine = || options.strength.engine(options.rule);
    let play = |engine: &mut Engine, position| {
        let (index, layout) = boards.board(position)?;
        Ok(play(engine, index, &layout))
    };
    let positions = 0..boards.len() as usize;
    in_order_with(threads(options.jobs), positions, engine, play, |_, result: Result<T>| {
        take(result?)
    })
}
