//! What every game under review is, whoever played and recorded it.

use super::frame::Frame;
use super::outcome::GameOutcome;
use crate::Analyzer;
use game::figures::GameFigures;
use sapper::board::Board;
use sapper::board::geometry::Cell;

/// A game whose turns can be analyzed.
///
/// Frames do not depend on each other: the caller chooses their order and the threads.
pub trait ReviewedGame: Send + Sync {
    /// The number of frames, at least one.
    fn frames(&self) -> usize;

    /// The number of answers or clicks.
    fn moves(&self) -> usize;

    /// The board of the first frame.
    fn board(&self) -> &Board;

    /// Size, mines, player and outcome in one line, as far as they are known.
    fn title(&self) -> String;

    /// How the game ended.
    fn outcome(&self) -> &GameOutcome;

    /// The cells of the mines, if they are known.
    fn mines(&self) -> Option<Vec<Cell>>;

    /// What a finished game counts in the adjusted results, where hits are survived: the
    /// probability to survive all its guesses, and 0 after a fault.
    fn adjusted_won(&self) -> Option<f64> {
        None
    }

    /// The figures by which people compare their games; `None` for a game of a bot.
    fn figures(&self) -> Option<GameFigures> {
        None
    }

    /// Analyzes a turn, which must be below the number of frames.
    fn frame(&self, turn: usize, analyzer: &mut Analyzer) -> Frame;
}
