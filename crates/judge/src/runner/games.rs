//! Games on several threads, whose results arrive in order.
//!
//! Each thread has a state of its own; that of games in process is an engine. An interrupt ends
//! the run, and the game that it may have cut off does not count.
//!
//! Invariant: the results do not depend on the number of threads, and a run may end after any game.
//! At its end no process of a bot is left, but for bots that wait for the next game (`--reuse`).

use std::ops::ControlFlow;

use anyhow::Result;
use game::board_file::Layout;
use sapper::Engine;

use super::boards::Boards;
use super::interrupt;
use super::ordered::in_order;
use super::system;

/// Calls `play` for the numbers of games below `count`, with a state that `init` makes for each
/// thread, and `take` for every result in order, until `take` breaks, or `play` has no result after
/// an interrupt. Returns whether that was the end.
///
/// # Errors
/// Fails if `play` or `take` fails, or if no thread can be started.
pub fn play_games<S, T: Send>(
    threads: usize,
    count: usize,
    init: impl Fn() -> S + Sync,
    play: impl Fn(&mut S, usize) -> Option<Result<T>> + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>>,
) -> Result<bool> {
    interrupt::defer_exit(1);
    let interrupted = in_order(threads, count, init, play, |game| take(game?));
    system::sweep();
    interrupted
}

/// Plays every board in process, with an engine for each thread: calls `play` with the index of the
/// board, and `take` as [`play_games`] does.
///
/// # Errors
/// Fails if `take` fails, or if no thread can be started.
pub fn play_boards<T: Send>(
    threads: usize,
    boards: &Boards,
    engine: impl Fn() -> Engine + Sync,
    play: impl Fn(&mut Engine, i64, &Layout) -> T + Sync,
    take: impl FnMut(T) -> Result<ControlFlow<()>>,
) -> Result<bool> {
    let play = |engine: &mut Engine, position| {
        interrupt::unless_requested(|| {
            let (index, layout) = boards.board(position)?;
            Ok(play(engine, index, &layout))
        })
    };
    play_games(threads, boards.len() as usize, engine, play, take)
}
