//! The games of a run: each with one of its guesses, drawn by lot and judged; and their header.

use analysis::adjusted::adjuster::Adjuster;
use analysis::review::second_step::{SecondStep, SecondStepper};
use analysis::values::proven_solution;
use game::board_file::Layout;
use game::referee::Referee;
use game::rule::Rule;
use game::simulate::{GuessObserver, play_adjusted};
use sapper::kit::rng::Random;
use sapper::settings::budget::{NoClock, Turn};
use sapper::{Board, Cell, Engine};
use serde::{Deserialize, Serialize};

use super::share::OpenShares;
use crate::report::run::Setting;
use crate::report::{Comparable, Entries, entries};
use crate::runner::board_game::open_share;

/// What the results of a file have in common.
#[derive(Clone, Serialize, Deserialize)]
pub struct Header {
    pub setting: Setting,
    pub policy: String,
    pub playouts: u32,
    pub candidates: u32,
    pub open: String,
    /// The boards: the first index, and the last.
    pub boards: (i64, i64),
}

impl Comparable for Header {
    fn entries(&self) -> Entries {
        let Header { setting, policy, playouts, candidates, open, boards } = self;
        let (first, last) = boards;
        let mut all = setting.entries();
        all.extend(entries(
            "ceiling",
            [
                ("policy", policy.clone()),
                ("playouts", playouts.to_string()),
                ("candidates", candidates.to_string()),
                ("open", open.clone()),
                ("boards", format!("{first}..{last}")),
            ],
        ));
        all
    }
}

/// A game, with the guess that was drawn.
#[derive(Clone, Serialize, Deserialize)]
pub struct JudgedGame {
    /// The index of the board.
    pub index: i64,
    /// The guesses that could have been drawn: those whose endgame is not solved.
    pub guesses: u32,
    /// The one that was; none if there are none.
    pub drawn: Option<JudgedGuess>,
}

/// A guess that was judged.
#[derive(Clone, Serialize, Deserialize)]
pub struct JudgedGuess {
    /// The share of the safe cells that are open before it.
    pub open: f64,
    /// The probability that a game is alive before it, given its guesses until then.
    pub alive: f64,
    /// The candidates that were played; 0 where the layouts cannot be counted exactly.
    pub candidates: u32,
    /// Whether the playouts choose another cell than the engine.
    pub differs: bool,
    /// What their cell gains by other playouts: mines, or the probability to win.
    pub gain: f64,
    pub standard_error: f64,
    /// The same by the playouts that chose.
    pub gain_as_chosen: f64,
}

/// The guesses of a game, each with the board before it and the probability to be alive there.
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
    let count = guesses.len();
    let mut random = Random::new(index as u64);
    let drawn = (count > 0).then(|| {
        let (board, survival) = guesses.swap_remove(random.below(count));
        let step = stepper.judge(&board, random.next_u64());
        let alive = if rule.is_classic() { survival } else { 1.0 };
        judged(open_share(&board), alive, step)
    });
    JudgedGame { index, guesses: count as u32, drawn }
}

fn judged(open: f64, alive: f64, step: Option<SecondStep>) -> JudgedGuess {
    let Some(SecondStep { own, chosen, candidates, gain, standard_error, gain_as_chosen }) = step
    else {
        let (gain, standard_error, gain_as_chosen) = (0.0, 0.0, 0.0);
        let (candidates, differs) = (0, false);
        return JudgedGuess {
            open,
            alive,
            candidates,
            differs,
            gain,
            standard_error,
            gain_as_chosen,
        };
    };
    let (candidates, differs) = (candidates as u32, chosen != own);
    JudgedGuess { open, alive, candidates, differs, gain, standard_error, gain_as_chosen }
}
