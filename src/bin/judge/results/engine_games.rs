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
use crate::cli::boards::Boards;
use crate::cli::level::RuleName;
use crate::cli::strength::Strength;

/// How the engine plays, and on how many threads.
pub struct EngineGames<'a> {
    /// The number of threads; by default one for each core.
    pub jobs: Option<u16>,
    pub strength: &'a Strength,
    pub rule: RuleName,
}

impl EngineGames<'_> {
    /// Calls `play` for every board, with its index, and `take` for every result in the order of
    /// the boards, until `take` breaks.
    ///
    /// # Errors
    /// Fails if a board cannot be read, if `take` fails, or if no thread can be started.
    pub fn play<T: Send>(
        &self,
        boards: &Boards,
        play: impl Fn(&mut Engine, i64, &Layout) -> T + Sync,
        mut take: impl FnMut(T) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let engine = || self.strength.engine(self.rule);
        let play = |engine: &mut Engine, board: Result<_>| {
            let (index, layout) = boards.layout(&board?)?;
            Ok(play(engine, index, &layout))
        };
        in_order_with(threads(self.jobs), boards.iter()?, engine, play, |_, result: Result<T>| {
            take(result?)
        })
    }
}
