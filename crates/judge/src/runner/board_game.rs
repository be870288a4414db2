//! One game in process: the engine's, or one that was played before and is told by its clicks.
//!
//! Invariant: the result depends on the board, the rule and the player alone. With `is_adjusted`
//! the odds of the guesses are told too, and a game by the classic rules is played to its end.

use std::time::Duration;

use analysis::adjusted::adjuster::Adjuster;
use analysis::adjusted::luck::Luck;
use cpu_time::ThreadTime;
use game::board_file::Layout;
use game::rule::Rule;
use game::simulate::{GuessObserver, PlayResult, Unobserved, play_adjusted, play_timed};
use game::told::{Telling, ToldGame, play_told, tell};
use sapper::settings::budget::Clock;
use sapper::{Board, Cell, CellState, Engine};

/// A game that was played.
pub struct BoardGame {
    /// The index of the board.
    pub index: i64,
    pub result: PlayResult,
    /// The odds of the guesses, if the game is adjusted.
    pub luck: Option<Luck>,
    pub cpu: Duration,
}

/// A board of a game: its index, its layout and the rule.
#[derive(Clone, Copy)]
pub struct BoardToPlay<'a> {
    pub index: i64,
    pub layout: &'a Layout,
    pub rule: Rule,
    pub is_adjusted: bool,
}

impl BoardToPlay<'_> {
    /// The adjuster of the game, if it is adjusted. Layouts drawn again follow from the index.
    fn adjuster(&self) -> Option<Adjuster> {
        self.is_adjusted.then(|| {
            let mut adjuster = Adjuster::default();
            adjuster.begin(self.layout.shape.len(), self.index as u64);
            adjuster
        })
    }

    /// The engine's game on this board. `clock` measures its slowest turn.
    pub fn play(self, engine: &mut Engine, clock: &dyn Clock) -> BoardGame {
        let (BoardToPlay { index, layout, rule, .. }, started) = (self, ThreadTime::now());
        let mut adjuster = self.adjuster();
        let result = match &mut adjuster {
            Some(adjuster) => play_adjusted(layout, rule, engine, clock, adjuster),
            None => play_timed(layout, rule, engine, clock, |_, _, _| {}),
        };
        let cpu = started.elapsed();
        BoardGame { index, result, luck: adjuster.map(|adjuster| adjuster.luck()), cpu }
    }

    /// A game of so many turns that was played before on this board; `None` if a click shows that
    /// it was on another board.
    pub fn replay(self, told: &ToldGame, turns: u32, cpu: Duration) -> Option<BoardGame> {
        let BoardToPlay { index, layout, rule, .. } = self;
        let (result, luck) = self.observed(|observer| play_told(layout, rule, told, observer));
        Some(BoardGame { index, result: PlayResult { turns, ..result? }, luck, cpu })
    }

    /// The game of these clicks on this board, told as shortly as can be, and its turns; `None` if
    /// they are clicks on another board.
    pub fn tell(self, clicks: &[Cell]) -> Option<(ToldGame, u32)> {
        let BoardToPlay { layout, rule, .. } = self;
        let tell = |telling| {
            let clicks = clicks.iter().copied();
            let (told, luck) =
                self.observed(|observer| tell(layout, rule, clicks, telling, observer));
            told.map(|(told, result)| (told, result, luck))
        };
        let (told, result, luck) = tell(Telling::Guesses)?;
        let again = self.replay(&told, result.turns, Duration::ZERO);
        let is_same = again.is_some_and(|again| again.result == result && again.luck == luck);
        let told = if is_same { told } else { tell(Telling::All)?.0 };
        Some((told, result.turns))
    }

    /// What `play` returns, and the odds of the guesses that it has told, if the game is adjusted.
    fn observed<T>(self, play: impl FnOnce(&mut dyn GuessObserver) -> T) -> (T, Option<Luck>) {
        match self.adjuster() {
            Some(mut adjuster) => (play(&mut adjuster), Some(adjuster.luck())),
            None => (play(&mut Unobserved), None),
        }
    }
}

/// The share of the safe cells of a field that are open.
pub fn open_share(board: &Board) -> f64 {
    let numbers = board.iter().filter(|(_, shown)| matches!(shown, CellState::Number(_))).count();
    let safe = board.shape().len() - board.mines() as usize;
    numbers as f64 / safe.max(1) as f64
}
