//! A game of the engine with one of its guesses, drawn by lot and judged by long playouts.
//!
//! Invariant: a game's gain, [`JudgedGuess::gain`] times [`JudgedGame::guesses`], has as its mean
//! what a player gains who chooses every guess so. The result follows from the board and the
//! settings.

use analysis::adjusted::adjuster::Adjuster;
use analysis::chance::Z;
use analysis::review::second_step::{SecondStep, SecondStepper};
use analysis::values::proven_solution;
use game::board_file::Layout;
use game::referee::Referee;
use game::rule::Rule;
use game::simulate::{GuessObserver, play_adjusted};
use sapper::board::geometry::Place;
use sapper::kit::rng::Random;
use sapper::settings::budget::{NoClock, Turn};
use sapper::{Board, Cell, Engine};
use serde::{Deserialize, Serialize};

use super::board_game::open_share;
use super::open_shares::OpenShares;

/// The error of a sum of probabilities.
const ROUNDING: f64 = 1e-12;

/// The candidates of a guess, if nothing else is asked for.
pub const CANDIDATES: u32 = 6;

/// A game, with the guess that was drawn.
#[derive(Clone, Serialize, Deserialize)]
pub struct JudgedGame {
    /// The index of the board.
    pub index: i64,
    /// The guesses that a game meets, of those that could have been drawn: the sum of the
    /// probabilities that the game is alive there. The endgame of none of them is solved.
    pub guesses: f64,
    /// The one that was drawn, each with a probability in proportion to that; none if there are
    /// none.
    pub drawn: Option<JudgedGuess>,
}

/// A guess that was judged.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct JudgedGuess {
    /// The share of the safe cells that are open before it.
    pub open: f64,
    /// The position, as `judge explain` reads it.
    pub position: String,
    /// The engine's cell, and the one that the playouts choose.
    pub own: Option<(u32, u32)>,
    pub chosen: Option<(u32, u32)>,
    /// The candidates that were played; 0 where the layouts cannot be counted exactly.
    pub candidates: u32,
    /// What their cell gains by other playouts: mines, or the probability to win.
    pub gain: f64,
    pub standard_error: f64,
    /// The same by the playouts that chose.
    pub gain_as_chosen: f64,
}

impl JudgedGuess {
    /// The 95 % interval of the gain.
    pub fn interval(&self) -> (f64, f64) {
        let half = Z * self.standard_error;
        (self.gain - half, self.gain + half)
    }
}

/// The guesses of a game: the board before each, and the probability that a game is alive there,
/// given its guesses until then.
struct Guesses {
    adjuster: Adjuster,
    found: Vec<(Board, f64)>,
}

impl GuessObserver for Guesses {
    fn add_click(&mut self, board: &Board, cell: Cell, hit: bool) {
        self.found.push((board.clone(), self.adjuster.luck().survival));
        self.adjuster.add_click(board, cell, hit);
    }

    fn survive(&mut self, board: &Board, cell: Cell, referee: &mut Referee) -> bool {
        self.adjuster.survive(board, cell, referee)
    }
}

/// Plays a game, draws one of its guesses, and judges that.
pub fn judge_game(
    engine: &mut Engine,
    stepper: &mut SecondStepper,
    rule: Rule,
    index: i64,
    layout: &Layout,
    shares: OpenShares,
) -> JudgedGame {
    let mut observer = Guesses { adjuster: Adjuster::default(), found: Vec::new() };
    observer.adjuster.begin(layout.shape.len(), index as u64);
    play_adjusted(layout, rule, engine, &NoClock, &mut observer);
    let mut guesses = observer.found;
    guesses.retain(|(board, _)| {
        let mut solved = || proven_solution(&engine.decide(board, Turn::UNTIMED)?);
        shares.contains(open_share(board)) && solved().is_none()
    });
    let weight = |survival: f64| if rule.is_classic() { survival } else { 1.0 };
    let all: f64 = guesses.iter().map(|(_, survival)| weight(*survival)).sum();
    let mut random = Random::new(index as u64);
    let mut left = all * random.next_f64();
    let drawn = guesses.into_iter().find(|(_, survival)| {
        left -= weight(*survival);
        left < ROUNDING
    });
    let drawn = drawn.map(|(board, _)| judged(&board, stepper.judge(&board, random.next_u64())));
    JudgedGame { index, guesses: all, drawn }
}

fn judged(board: &Board, step: Option<SecondStep>) -> JudgedGuess {
    let (open, position) = (open_share(board), board.to_string());
    let none = JudgedGuess { open, position, ..JudgedGuess::default() };
    let Some(SecondStep { own, chosen, candidates, gain, standard_error, gain_as_chosen }) = step
    else {
        return none;
    };
    let [own, chosen] = [own, chosen].map(|cell| {
        let Place { row, column } = board.shape().at(cell);
        Some((row, column))
    });
    let candidates = candidates as u32;
    JudgedGuess { own, chosen, candidates, gain, standard_error, gain_as_chosen, ..none }
}
