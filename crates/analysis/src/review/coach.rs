//! What the decisions of a game cost against a policy, judged by playouts.
//!
//! Wherever a game opens another cell than the policy would, both are opened, and the policy plays
//! on, over layouts drawn from all that fit. In an endgame that is solved no playout is needed:
//! the cost of best play is known. By the performance difference lemma the differences of the
//! decisions add up to the difference in strength to the policy
//! ([`crate::adjusted::playouts`]). `judge coach` and the page's coach both count so. The
//! cells of another player may stand in place of the policy's.
//!
//! Invariant: the number of playouts depends on how much costs scatter in other playouts, and not
//! on which cell is ahead, so that the sum is not biased.

use crate::adjusted::click_odds::ClickOdds;
use crate::adjusted::playouts::{Playouts, Sample};
use crate::guesses::{BESIDE_FIFTY_FIFTY, IN_FIFTY_FIFTY, fifty_fifties};
use crate::mistakes::{Judgement, Verdict, exact_cost, judge_click};
use crate::values::proven_solution;
use crate::{Analysis, Analyzer};
use sapper::board::Board;
use sapper::board::geometry::Cell;
use sapper::kit::rng::mix;
use sapper::settings::params::{Effort, Objective, PROBABILITY_TOLERANCE};

/// The fewest playouts of each of two cells, unless asked otherwise.
pub const PLAYOUTS: u32 = 500;
/// The standard error of a cost that is aimed at, in mines or games.
const PRECISION: f64 = 0.01;
/// The most playouts of a decision, as a multiple of the fewest.
const MAX_FACTOR: f64 = 4.0;
/// The share of the fewest playouts that is played before to learn how much costs scatter.
const PILOT_SHARE: usize = 5;

/// The kind of a decision on a covered field.
pub const FIRST_CELL: &str = "first cell";

/// A click with its odds.
pub struct JudgedClick {
    /// The probability that the cell was a mine, if it is known exactly.
    pub odds: Option<f64>,
    /// How it compares with the policy's click.
    pub click: Click,
}

/// A click, compared with the policy's.
pub enum Click {
    /// The cell was proven safe, and costs nothing.
    Safe,
    /// The policy, or the other player, opens the same cell, in a decision of this kind.
    Same(&'static str),
    /// The policy, or the other player, opens another cell.
    Differs(Box<DifferingClick>),
    /// It takes playouts, but the layouts cannot be counted exactly, no game leads to the board, or
    /// the judge was interrupted.
    Unjudged,
}

/// A decision that differs from the policy's.
pub struct DifferingClick {
    /// The board before the click.
    pub board: Board,
    /// The judgement of the click without playouts.
    pub judgement: Judgement,
    /// The cell that the click is compared with: the policy's, or another player's.
    pub instead: Cell,
    /// The probability that this cell was a mine.
    pub odds_instead: f64,
    /// What the click costs above it.
    pub cost: Cost,
    /// The chance to win after the click, and by the other cell; or the mines to be expected.
    pub chances: [f64; 2],
    /// What kind of decision it is.
    pub kind: &'static str,
}

/// What a cell costs above another: mines, or the probability to lose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cost {
    /// The mean over the playouts.
    pub mean: f64,
    /// Its standard error; 0 if the cost is exact.
    pub standard_error: f64,
    /// The variance of a playout.
    variance: f64,
    /// The number of playouts; 0 if the cost is exact.
    pub playouts: usize,
}

impl Cost {
    /// A cost that is known without playouts.
    fn exact(mean: f64) -> Cost {
        Cost { mean, standard_error: 0.0, variance: 0.0, playouts: 0 }
    }

    /// The mean difference of at least two pairs of costs.
    fn of(costs: &[[f64; 2]]) -> Cost {
        let sample = Sample::of(costs.iter().map(|[own, other]| own - other));
        let (standard_error, Sample { count, mean, variance }) = (sample.standard_error(), sample);
        // Equal costs differ by rounding.
        let mean = if mean.abs() <= PROBABILITY_TOLERANCE { 0.0 } else { mean };
        Cost { mean, standard_error, variance, playouts: count }
    }
}

/// Judges one click after another.
pub struct Coach {
    analyzer: Analyzer,
    odds: ClickOdds,
    playouts: Playouts,
    /// The fewest playouts of a decision.
    fewest: u32,
}

impl Coach {
    /// The policy plays for `objective` with this effort. While `is_interrupted` is true, no
    /// playout begins.
    pub fn new(
        objective: Objective,
        effort: Effort,
        fewest: u32,
        is_interrupted: fn() -> bool,
    ) -> Coach {
        let analyzer = Analyzer::new(objective, effort);
        let playouts = Playouts::new(objective, effort, is_interrupted);
        Coach { analyzer, odds: ClickOdds::default(), playouts, fewest }
    }

    /// Begins a game on a field of so many cells.
    pub fn begin(&mut self, cells: usize) {
        self.odds.begin(cells);
    }

    /// Judges the opening of a hidden cell in turn `turn` of the game with this seed, beside
    /// `instead`, or beside the policy's cell if that is `None`. The playouts follow from seed and
    /// turn.
    pub fn click(
        &mut self,
        board: &Board,
        cell: Cell,
        instead: Option<Cell>,
        seed: i32,
        turn: usize,
    ) -> JudgedClick {
        let odds = self.odds.odds(board, cell);
        // The policy opens a proven cell wherever there is one.
        let mut are_safe = || {
            odds == Some(0.0)
                && instead.is_none_or(|instead| self.odds.odds(board, instead) == Some(0.0))
        };
        let click = if are_safe() {
            Click::Safe
        } else {
            let seed = mix(seed as u64) ^ turn as u64;
            self.decision(board, cell, instead, seed).unwrap_or(Click::Unjudged)
        };
        JudgedClick { odds, click }
    }

    /// Judges a click where the cell or `instead` was not proven safe; `None` if it cannot be
    /// judged.
    fn decision(
        &mut self,
        board: &Board,
        cell: Cell,
        instead: Option<Cell>,
        seed: u64,
    ) -> Option<Click> {
        let Coach { analyzer, playouts, fewest, .. } = self;
        let analysis = analyzer.analyze(board, None).ok();
        let mut analysis = analysis.filter(|_| board.reasons().is_empty())?;
        let instead = instead.or_else(|| Some(analysis.chosen()?.cell()))?;
        let judgement = judge_click(&mut analysis, cell)?;
        let kind = kind(&analysis, &judgement);
        if instead == cell {
            return Some(Click::Same(kind));
        }
        let is_solved = is_solved(&analysis);
        let exact = [cell, instead].map(|cell| exact_cost(&analysis, cell).filter(|_| is_solved));
        let (cost, costs) = match exact {
            [Some(own), Some(other)] => (Cost::exact(own - other), [own, other]),
            _ => cost(playouts, board, [cell, instead], *fewest as usize, seed)?,
        };
        let chances = match analysis.objective() {
            Objective::CleanWin => costs.map(|cost| 1.0 - cost),
            Objective::FewestHits => costs,
        };
        Some(Click::Differs(Box::new(DifferingClick {
            board: board.clone(),
            instead,
            odds_instead: analysis.odds().of(instead),
            cost,
            chances,
            kind,
            judgement,
        })))
    }
}

/// What the first cell costs above the second, and what each costs with the rest of the game;
/// `None` if that cannot be judged.
///
/// Other playouts, which do not count, determine how many are needed. If the same playouts did
/// both, a cost that looks certain by chance would get fewer playouts, and the sum would be biased.
fn cost(
    playouts: &mut Playouts,
    board: &Board,
    cells: [Cell; 2],
    fewest: usize,
    seed: u64,
) -> Option<(Cost, [f64; 2])> {
    let mut play = |count: usize, seed: u64| {
        let costs = playouts.costs(board, cells, count, seed)?;
        let mean = |of: usize| Sample::of(costs.iter().map(|pair| pair[of])).mean;
        Some((Cost::of(&costs), [mean(0), mean(1)]))
    };
    let (pilot, _) = play((fewest / PILOT_SHARE).max(2), mix(seed))?;
    let needed = pilot.variance / (PRECISION * PRECISION);
    let count = needed.clamp(fewest as f64, MAX_FACTOR * fewest as f64);
    play(count as usize, mix(seed) ^ 1)
}

/// Whether the policy's cell is proven to be the best over all layouts.
fn is_solved(analysis: &Analysis) -> bool {
    analysis.chosen().and_then(proven_solution).is_some()
}

/// What kind of decision it is.
fn kind(analysis: &Analysis, judgement: &Judgement) -> &'static str {
    let board = analysis.board();
    match judgement.verdict {
        Verdict::Safe => "safe cell",
        Verdict::ProvenMine { .. } => "proven mine opened",
        Verdict::NeedlessRisk { .. } => "proven cell passed over",
        Verdict::Guess { .. } if board.hidden_len() == board.shape().len() => FIRST_CELL,
        Verdict::Guess { .. } => {
            let fifty_fifties = fifty_fifties(analysis);
            if fifty_fifties.iter().any(|one| one.contains(judgement.cell)) {
                IN_FIFTY_FIFTY
            } else if fifty_fifties.iter().any(|one| one.beside.contains(&judgement.cell)) {
                BESIDE_FIFTY_FIFTY
            } else if is_solved(analysis) {
                "endgame that is solved"
            } else {
                "guess"
            }
        }
    }
}
