//! What a click costs if a policy plays on after it: games played to their end from one position.
//!
//! By the performance difference lemma, the differences of a bot's clicks to those of a policy,
//! each judged by the policy playing on, add up over the bot's own games to the difference of the
//! two in strength. So bots that are compared with the same policy stand on one scale.
//!
//! The layouts are drawn uniformly from those that fit the position. A playout costs the odds of
//! its guesses, or one minus the probability to survive them, as all adjusted results do, and ends
//! with the exact cost of an endgame that the policy solves. The cells that are compared meet the
//! same layouts.
//!
//! Invariant: the costs depend on the position, the cells, the policy and the seed.
//!
//! Source: S. Kakade and J. Langford, *Approximately Optimal Approximate Reinforcement Learning*,
//! ICML 2002.

use std::slice::from_ref;

use super::adjuster::{Adjuster, field_of};
use super::click_odds::ClickOdds;
use game::play_on::{KnownPositions, PlayedOn, play_from};
use game::rule::Rule;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::kit::rng::Random;
use sapper::settings::params::{Effort, Objective};

/// Values of playouts, summed up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The number of values.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The variance of a value; 0 for fewer than two.
    pub variance: f64,
}

impl Sample {
    /// The mean and the variance of some values; both are 0 for none.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Sample {
        let count = values.clone().count();
        let mean = values.clone().sum::<f64>() / count.max(1) as f64;
        let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
        Sample { count, mean, variance: squares / count.saturating_sub(1).max(1) as f64 }
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.count.max(1) as f64).sqrt()
    }
}

/// A layout that fits a position.
#[derive(Clone, Debug)]
pub struct DrawnLayout {
    /// The hidden mines.
    mines: Vec<Cell>,
    /// What else is drawn in its playouts.
    seed: u64,
}

/// Plays on with one policy; its memory is reused.
pub struct Playouts {
    objective: Objective,
    engine: Engine,
    odds: ClickOdds,
    adjuster: Adjuster,
    known: KnownPositions,
    is_interrupted: fn() -> bool,
}

impl Playouts {
    /// The engine of this objective and effort plays on. `is_interrupted` is asked before each
    /// playout.
    pub fn new(objective: Objective, effort: Effort, is_interrupted: fn() -> bool) -> Playouts {
        let engine = Engine::new(objective, effort);
        let (odds, adjuster) = (ClickOdds::default(), Adjuster::default());
        let known = KnownPositions::default();
        Playouts { objective, engine, odds, adjuster, known, is_interrupted }
    }

    /// The costs of opening each of these hidden cells, in a row for each of so many layouts:
    /// mines, or the probability to lose. `None` if the layouts of `board` are not counted exactly,
    /// if no game comes to it or the game is over on it, or if the playouts were interrupted.
    pub fn costs<const N: usize>(
        &mut self,
        board: &Board,
        cells: [Cell; N],
        playouts: usize,
        seed: u64,
    ) -> Option<Vec<[f64; N]>> {
        let rows = self.rows(board, &cells.each_ref().map(from_ref), playouts, seed)?;
        rows.into_iter().map(|row| row.try_into().ok()).collect()
    }

    /// As [`Playouts::costs`], of any number of clicks: each opens a cell, or the cells of a chord.
    pub fn rows(
        &mut self,
        board: &Board,
        clicks: &[&[Cell]],
        playouts: usize,
        seed: u64,
    ) -> Option<Vec<Vec<f64>>> {
        if has_closed_zero(board) {
            return None;
        }
        let layouts = self.layouts(board, playouts, seed)?;
        layouts.iter().map(|layout| self.row(board, clicks, layout)).collect()
    }

    /// Draws so many layouts of `board`. `None` if they are not counted exactly.
    pub fn layouts(&mut self, board: &Board, count: usize, seed: u64) -> Option<Vec<DrawnLayout>> {
        let mut random = Random::new(seed);
        let layouts = self.odds.layouts(board, count, &mut random)?;
        let drawn = |mines| DrawnLayout { mines, seed: random.next_u64() };
        Some(layouts.into_iter().map(drawn).collect())
    }

    /// The costs of these clicks on hidden cells under one layout. `None` if the game is over on
    /// `board`, or if the playouts were interrupted.
    pub fn row(
        &mut self,
        board: &Board,
        clicks: &[&[Cell]],
        layout: &DrawnLayout,
    ) -> Option<Vec<f64>> {
        clicks.iter().map(|cells| self.cost(board, cells, layout)).collect()
    }

    fn cost(&mut self, board: &Board, cells: &[Cell], layout: &DrawnLayout) -> Option<f64> {
        let DrawnLayout { mines, seed } = layout;
        let Playouts { objective, engine, adjuster, known, is_interrupted, .. } = self;
        if is_interrupted() {
            return None;
        }
        adjuster.begin(board.shape().len(), *seed);
        let field = field_of(board, mines)?;
        let rule = match objective {
            Objective::FewestHits => Rule::Botzone,
            Objective::CleanWin => Rule::SafeFirst,
        };
        let played = play_from(board, field, cells, rule, (engine, known), adjuster)?;
        let (PlayedOn { hits, rest }, luck) = (played, adjuster.luck());
        Some(match objective {
            Objective::FewestHits => f64::from(hits) - luck.excess() + rest,
            Objective::CleanWin => 1.0 - luck.survival * (1.0 - rest),
        })
    }
}

/// Whether a zero has a hidden neighbour. No game comes to such a board, so that no click on it is
/// judged; its playouts begin with the neighbours open.
fn has_closed_zero(board: &Board) -> bool {
    let is_closed = |cell| board.shape().neighbours(cell).iter().any(|&at| board.is_hidden(at));
    board.iter().any(|(cell, shown)| shown == CellState::Number(0) && is_closed(cell))
}
