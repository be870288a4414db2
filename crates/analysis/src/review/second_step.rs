//! How much a guess gains if it is chosen by playouts of a stronger policy: the next step of policy
//! iteration.
//!
//! The engine at full effort is one step of policy iteration over fast effort, whose playouts
//! choose among the candidates. Here the candidates are played on by a policy that is stronger than
//! that, in more playouts than a turn has time for. What such a player gains is what is left for
//! play of this kind.
//!
//! The candidates are halved from round to round, like those of the engine
//! ([`sapper::search::rollout::halving`]). Other playouts then judge the chosen cell against the
//! engine's: playouts that choose a cell are too good to it.
//!
//! Invariant: the judging playouts share no random number with those that choose, so that the mean
//! of the gains is not biased. The result follows from the board and the seed.
//!
//! Source: R. A. Howard, *Dynamic Programming and Markov Processes*, 1960 (policy iteration).

use std::slice::from_ref;

use sapper::board::Board;
use sapper::board::geometry::Cell;
use sapper::kit::rng::mix;
use sapper::settings::params::{Effort, Objective, PROBABILITY_TOLERANCE};

use crate::Analyzer;
use crate::adjusted::playouts::{Playouts, Sample};
use crate::values::proven_solution;

/// The rounds in which candidates are dropped, with twice as many playouts from each to the next.
const ROUNDS: u32 = 3;
/// A candidate that is worse than the best by more than so many standard errors is dropped.
const CERTAINLY_WORSE: f64 = 3.0;

/// How candidates are chosen and judged.
#[derive(Clone, Copy, Debug)]
pub struct SecondStepSettings {
    /// The objective of the engine and of the policy.
    pub objective: Objective,
    /// The effort of the engine whose guesses are judged.
    pub effort: Effort,
    /// The effort of the policy that plays on.
    pub policy: Effort,
    /// The most candidates, in order of the look-ahead's cost; the engine's cell is one of them.
    pub candidates: usize,
    /// The playouts of a candidate that is not dropped, and as many again of the cell that is
    /// judged.
    pub playouts: usize,
}

/// What the second step does at a guess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SecondStep {
    /// The engine's cell.
    pub own: Cell,
    /// The cell that the playouts choose.
    pub chosen: Cell,
    /// The candidates that were played.
    pub candidates: usize,
    /// The mines, or the probability to win, that the chosen cell gains by other playouts; 0 where
    /// the engine's cell is chosen.
    pub gain: f64,
    /// The standard error of the gain.
    pub standard_error: f64,
    /// The same gain by the playouts that chose, which is too high.
    pub gain_as_chosen: f64,
}

/// Judges one guess after another; its memory is reused.
pub struct SecondStepper {
    settings: SecondStepSettings,
    analyzer: Analyzer,
    playouts: Playouts,
}

/// A candidate with its costs, one for each layout that it was played on.
struct Arm {
    cell: Cell,
    costs: Vec<f64>,
}

impl SecondStepper {
    /// Judges as `settings` say. While `is_interrupted` is true, no playout begins.
    pub fn new(settings: SecondStepSettings, is_interrupted: fn() -> bool) -> SecondStepper {
        let SecondStepSettings { objective, effort, policy, .. } = settings;
        SecondStepper {
            settings,
            analyzer: Analyzer::new(objective, effort),
            playouts: Playouts::new(objective, policy, is_interrupted),
        }
    }

    /// Judges the engine's guess on `board`. `None` where it does not guess, where its endgame is
    /// solved, so that no cell is better, and where the layouts cannot be counted exactly or the
    /// playouts were interrupted.
    pub fn judge(&mut self, board: &Board, seed: u64) -> Option<SecondStep> {
        let SecondStepSettings { candidates: most, playouts: count, .. } = self.settings;
        let analysis = self.analyzer.analyze(board, None).ok()?;
        let decision = analysis.chosen().filter(|chosen| !chosen.by.is_proof())?;
        if proven_solution(decision).is_some() {
            return None;
        }
        let own = decision.cell();
        let by_cost = analysis.candidates().iter().map(|candidate| candidate.cell);
        let others = by_cost.filter(|&cell| cell != own).take(most.saturating_sub(1));
        let cells = std::iter::once(own).chain(others);
        let mut arms: Vec<Arm> = cells.map(|cell| Arm { cell, costs: Vec::new() }).collect();
        let candidates = arms.len();
        for round in 0..ROUNDS {
            if arms.len() < 2 {
                break;
            }
            let layouts = (count << round) / ((1 << ROUNDS) - 1);
            let cells: Vec<&[Cell]> = arms.iter().map(|arm| from_ref(&arm.cell)).collect();
            let rows = self.playouts.rows(board, &cells, layouts, mix(seed) ^ u64::from(round))?;
            for row in rows {
                arms.iter_mut().zip(row).for_each(|(arm, cost)| arm.costs.push(cost));
            }
            halve(&mut arms, own);
        }
        let (best, engine) = (best(&arms)?, arms.iter().find(|arm| arm.cell == own)?);
        let (chosen, gain_as_chosen) = (best.cell, difference(engine, best).mean);
        let (gain, standard_error) = if chosen == own {
            (0.0, 0.0)
        } else {
            let rows = self.playouts.costs(board, [own, chosen], count, !mix(seed))?;
            let gains = Sample::of(rows.iter().map(|[own, chosen]| own - chosen));
            (gains.mean, gains.standard_error())
        };
        Some(SecondStep { own, chosen, candidates, gain, standard_error, gain_as_chosen })
    }
}

/// Drops the worse half of the candidates, and all that are certainly worse than the best; never
/// the engine's cell, whose costs the gain is measured by.
fn halve(arms: &mut Vec<Arm>, own: Cell) {
    let mean = |arm: &Arm| arm.costs.iter().sum::<f64>();
    arms.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    let half = arms.len().div_ceil(2).max(2);
    let Some((best, others)) = arms.split_first() else { return };
    let is_kept = |(rank, arm): (usize, &Arm)| {
        let behind = difference(arm, best);
        let is_near = behind.mean <= CERTAINLY_WORSE * behind.standard_error();
        arm.cell == own || rank < half && is_near
    };
    let kept: Vec<bool> = (1..).zip(others).map(is_kept).collect();
    let mut kept = std::iter::once(true).chain(kept);
    arms.retain(|_| kept.next() == Some(true));
}

/// The candidate of the lowest mean cost; of equal ones the first, the engine's.
fn best(arms: &[Arm]) -> Option<&Arm> {
    let mean = |arm: &Arm| arm.costs.iter().sum::<f64>() / arm.costs.len().max(1) as f64;
    arms.iter().reduce(
        |best, arm| {
            if mean(arm) < mean(best) - PROBABILITY_TOLERANCE { arm } else { best }
        },
    )
}

/// By how much the first costs more than the second on the same layouts.
fn difference(first: &Arm, second: &Arm) -> Sample {
    Sample::of(first.costs.iter().zip(&second.costs).map(|(a, b)| a - b))
}
