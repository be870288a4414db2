//! A recorded game with all its turns analyzed, on all threads.

use analysis::Analyzer;
use analysis::review::frames::{Frame, RecordedGame};
use anyhow::Result;
use game::record::Record;
use indicatif::ParallelProgressIterator;
use output::Kind;
use rayon::prelude::*;
use sapper::{Effort, Objective};
use viewer::page::{AnalyzedGame, BEGINNING};

use crate::report::progress;

/// The page of a game.
pub const REPLAY_PAGE: Kind<'static> =
    Kind { name: "page of `judge replay`", beginnings: &[BEGINNING] };

/// Analyzes all turns of a game, with a progress bar.
///
/// # Errors
/// An output of the log that does not describe a field.
pub fn analyze_game(record: Record, objective: Objective, effort: Effort) -> Result<AnalyzedGame> {
    let game = RecordedGame::new(record)?;
    let bar = progress::bar(game.frames() as u64, "turns");
    let frames: Vec<Frame> = (0..game.frames())
        .into_par_iter()
        .progress_with(bar.clone())
        .map_init(|| Analyzer::new(objective, effort), |analyzer, turn| game.frame(turn, analyzer))
        .collect();
    bar.finish_and_clear();
    Ok(AnalyzedGame { game, frames, objective })
}
