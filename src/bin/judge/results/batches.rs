//! Plays games in process on all threads and hands their results over in the order of the boards.
//!
//! Games are played in batches, each by all threads, and a batch's results are handed over before
//! the next batch begins. So a run is the same whatever the number of threads, may end after any
//! game, and holds one batch in memory however long it is. A batch grows until it takes a second:
//! long enough that its slowest game costs little, short enough that progress is seen and little is
//! thrown away at the end.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::Result;
use rayon::prelude::*;
use sapper::bot::engine::Engine;
use sapper::referee::board_file::Layout;

use crate::cli::boards::{Board, Boards};
use crate::cli::level::RuleName;
use crate::cli::strength::Strength;

/// How long a batch should take.
const BATCH_TIME: Duration = Duration::from_secs(1);
/// The most games of a batch, for each thread: a megabyte or two.
const MOST_A_THREAD: usize = 1024;

/// How games are played.
pub struct Playing<'a> {
    /// Threads; all cores where it is not given.
    pub jobs: Option<u16>,
    pub strength: &'a Strength,
    pub rule: RuleName,
}

/// Plays every board by `one`, which gets the board's index, and hands the results to `take` in the
/// order of the boards until that breaks.
///
/// # Errors
/// Boards that cannot be read, or what `take` returns.
pub fn in_order<T: Send>(
    boards: &Boards,
    playing: &Playing,
    one: impl Fn(&mut Engine, i64, &Layout) -> T + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(playing.jobs.unwrap_or(0).into());
    let threads = threads.build()?;
    let count = threads.current_num_threads();
    let mut waiting = boards.iter()?;
    let mut size = count;
    loop {
        let started = Instant::now();
        let batch = waiting.by_ref().take(size).collect::<Result<Vec<Board>>>()?;
        if batch.is_empty() {
            return Ok(());
        }
        let results: Vec<Result<T>> = threads.install(|| {
            let engine = || playing.strength.engine(playing.rule);
            let batch = batch.par_iter();
            batch
                .map_init(engine, |engine, board| {
                    let (index, layout) = boards.layout(board)?;
                    Ok(one(engine, index, &layout))
                })
                .collect()
        });
        for result in results {
            if take(result?)?.is_break() {
                return Ok(());
            }
        }
        let took = started.elapsed();
        if took < BATCH_TIME / 2 {
            size = (size * 2).min(count * MOST_A_THREAD);
        } else if took > BATCH_TIME * 2 {
            size = (size / 2).max(count);
        }
    }
}
