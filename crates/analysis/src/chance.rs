//! The chance to win from a position, by each cell that may be opened next; with fewest hits as the
//! objective, the mines that are still to be expected.
//!
//! Opening a cell is followed by a policy that plays the game to its end, over layouts drawn from
//! all that fit; every cell meets the same layouts. Where the endgame is solved, the chance is that
//! of best play, and exact.
//!
//! A playout counts the odds of its guesses ([`crate::adjusted::playouts`]). At 60 guesses of
//! expert games, a chance within two points took 2.4 times as long by plain wins and losses,
//! although such a playout ends at its first hit.
//!
//! Invariant: these playouts take no part in the choice of the move. A chance taken from the
//! playouts that chose would be too high. The figures follow from the board, the settings and the
//! number of playouts; it does not matter in how many steps they are made.

use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::bot::engine::Step;
use sapper::kit::rng::mix;
use sapper::settings::params::{Effort, Objective, PROBABILITY_TOLERANCE};

use crate::Analysis;
use crate::adjusted::playouts::{Playouts, Sample};

/// The playouts of a step.
pub const STEP: usize = 20;
/// The most cells that a person compares, the move among them.
pub const MOST_CELLS: usize = 8;
/// The standard normal quantile of a 95 % interval.
const Z: f64 = 1.96;

/// What is to be expected of the rest of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chance {
    /// The probability to open no more mine, or the expected number of mines.
    pub mean: f64,
    /// The standard error of the mean; 0 if it is exact.
    pub standard_error: f64,
    /// The playouts; 0 if the mean is exact.
    pub playouts: usize,
}

impl Chance {
    /// Half the width of the 95 % interval; 0 if the mean is exact.
    pub fn half_width(&self) -> f64 {
        Z * self.standard_error
    }

    fn exact(mean: f64) -> Chance {
        Chance { mean, standard_error: 0.0, playouts: 0 }
    }

    fn of(values: impl Iterator<Item = f64> + Clone) -> Chance {
        let sample = Sample::of(values);
        let (standard_error, Sample { count, mean, .. }) = (sample.standard_error(), sample);
        Chance { mean, standard_error, playouts: count }
    }
}

/// The chance by one cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellChance {
    /// The cell.
    pub cell: Cell,
    /// The chance if it is opened next.
    pub chance: Chance,
    /// The chance above that of the move, on the same layouts.
    pub above_move: Chance,
}

impl CellChance {
    /// Whether the cell is better than the move by more than chance explains. The best of several
    /// cells is looked at, so that three standard errors are asked for.
    pub fn is_better(&self, objective: Objective) -> bool {
        let Chance { mean, standard_error, .. } = self.above_move;
        let gain = if objective == Objective::CleanWin { mean } else { -mean };
        gain > 3.0 * standard_error && gain > PROBABILITY_TOLERANCE
    }
}

/// A cell with what it is worth: exactly, or in each playout.
struct Arm {
    cell: Cell,
    exact: Option<f64>,
    values: Vec<f64>,
}

/// Computes the chances of one position after another; its memory is reused.
pub struct Chances {
    objective: Objective,
    playouts: Playouts,
    board: Board,
    seed: u64,
    /// The move is the first. Either all of them are exact, or none.
    arms: Vec<Arm>,
}

impl Chances {
    /// The engine of this objective and effort plays on. While `is_interrupted` is true, no playout
    /// begins.
    pub fn new(objective: Objective, policy: Effort, is_interrupted: fn() -> bool) -> Chances {
        Chances {
            objective,
            playouts: Playouts::new(objective, policy, is_interrupted),
            board: Board::new(Shape::SMALLEST, 0),
            seed: 0,
            arms: Vec::new(),
        }
    }

    /// Begins with a position: the move of `analysis`, and the best candidates of a guess or cells
    /// of an endgame, `most` cells in all.
    pub fn begin(&mut self, analysis: &Analysis, most: usize, seed: u64) {
        self.board.clone_from(analysis.board());
        self.seed = seed;
        self.arms.clear();
        let Some(chosen) = analysis.chosen().filter(|chosen| chosen.by != Step::Rough) else {
            return;
        };
        let solved = chosen.solved.filter(|solved| solved.is_proven);
        let chance = |cost: u32, layouts: u32| {
            let cost = f64::from(cost) / f64::from(layouts);
            if self.objective == Objective::CleanWin { 1.0 - cost } else { cost }
        };
        let (cell, exact) = (chosen.cell(), solved.map(|best| chance(best.cost, best.layouts)));
        self.arms.push(Arm::new(cell, exact));
        match solved {
            Some(best) => {
                let others = analysis.values().iter().filter(|value| value.cell != cell);
                let known = others
                    .filter_map(|value| Some((value.cell, chance(value.cost?, best.layouts))));
                let arms = known.map(|(cell, chance)| Arm::new(cell, Some(chance)));
                self.arms.extend(arms.take(most.saturating_sub(1)));
            }
            None => {
                let others = analysis.candidates().iter().map(|candidate| candidate.cell);
                let arms = others.filter(|&other| other != cell).map(|cell| Arm::new(cell, None));
                self.arms.extend(arms.take(most.saturating_sub(1)));
            }
        }
    }

    /// Makes [`STEP`] more playouts of each cell. Returns `false` where there is nothing to do: the
    /// chances are exact, the layouts of the board cannot be counted exactly, the rules cannot have
    /// led to it, or the playouts were interrupted.
    pub fn step(&mut self) -> bool {
        let cells: Vec<Cell> =
            self.arms.iter().filter(|arm| arm.exact.is_none()).map(|arm| arm.cell).collect();
        if cells.is_empty() {
            return false;
        }
        let seed = mix(self.seed) ^ mix(self.playouts() as u64);
        let Some(rows) = self.playouts.rows(&self.board, &cells, STEP, seed) else {
            return false;
        };
        for row in rows {
            let values = row.into_iter().map(|cost| match self.objective {
                Objective::CleanWin => 1.0 - cost,
                Objective::FewestHits => cost,
            });
            self.arms.iter_mut().zip(values).for_each(|(arm, value)| arm.values.push(value));
        }
        true
    }

    /// The number of playouts of each cell so far; 0 where the chances are exact.
    pub fn playouts(&self) -> usize {
        self.arms.first().map_or(0, |of_move| of_move.values.len())
    }

    /// The chances so far, that of the move first; empty before the first step, unless they are
    /// exact.
    pub fn cells(&self) -> Vec<CellChance> {
        let Some(first) = self.arms.first() else { return Vec::new() };
        let found = |arm: &Arm| {
            let cell = arm.cell;
            match (arm.exact, first.exact) {
                (Some(exact), Some(of_move)) => {
                    let [chance, above_move] = [exact, exact - of_move].map(Chance::exact);
                    Some(CellChance { cell, chance, above_move })
                }
                _ if arm.values.is_empty() => None,
                _ => {
                    let above = arm.values.iter().zip(&first.values).map(|(own, of)| own - of);
                    let chance = Chance::of(arm.values.iter().copied());
                    Some(CellChance { cell, chance, above_move: Chance::of(above) })
                }
            }
        };
        self.arms.iter().filter_map(found).collect()
    }
}

impl Arm {
    fn new(cell: Cell, exact: Option<f64>) -> Arm {
        Arm { cell, exact, values: Vec::new() }
    }
}
