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
use crate::adjusted::playouts::Playouts;

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

    /// The mean of so many values with this sum and this sum of squares.
    fn of(count: usize, sum: f64, squares: f64) -> Chance {
        let n = count as f64;
        let mean = sum / n;
        let variance = ((squares - sum * mean) / (n - 1.0)).max(0.0);
        Chance { mean, standard_error: (variance / n).sqrt(), playouts: count }
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

/// A cell with the sums over its playouts.
struct Arm {
    cell: Cell,
    exact: Option<f64>,
    sum: f64,
    squares: f64,
    sum_above: f64,
    squares_above: f64,
}

/// Computes the chances of one position after another; its memory is reused.
pub struct Chances {
    objective: Objective,
    playouts: Playouts,
    board: Board,
    seed: u64,
    /// The move is the first.
    arms: Vec<Arm>,
    done: usize,
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
            done: 0,
        }
    }

    /// Begins with a position: the move of `analysis`, and the best candidates of a guess or cells
    /// of an endgame, `most` cells in all.
    pub fn begin(&mut self, analysis: &Analysis, most: usize, seed: u64) {
        self.board.clone_from(analysis.board());
        (self.seed, self.done) = (seed, 0);
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
        let seed = mix(self.seed) ^ mix(self.done as u64);
        let Some(rows) = self.playouts.rows(&self.board, &cells, STEP, seed) else {
            return false;
        };
        for row in rows {
            let values = row.into_iter().map(|cost| match self.objective {
                Objective::CleanWin => 1.0 - cost,
                Objective::FewestHits => cost,
            });
            let mut of_move = None;
            for (arm, value) in self.arms.iter_mut().zip(values) {
                let above = value - *of_move.get_or_insert(value);
                arm.sum += value;
                arm.squares += value * value;
                arm.sum_above += above;
                arm.squares_above += above * above;
            }
        }
        self.done += STEP;
        true
    }

    /// The number of playouts of each cell so far; 0 where the chances are exact.
    pub fn playouts(&self) -> usize {
        self.done
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
                _ if self.done == 0 => None,
                _ => {
                    let chance = Chance::of(self.done, arm.sum, arm.squares);
                    let above_move = Chance::of(self.done, arm.sum_above, arm.squares_above);
                    Some(CellChance { cell, chance, above_move })
                }
            }
        };
        self.arms.iter().filter_map(found).collect()
    }
}

impl Arm {
    fn new(cell: Cell, exact: Option<f64>) -> Arm {
        Arm { cell, exact, sum: 0.0, squares: 0.0, sum_above: 0.0, squares_above: 0.0 }
    }
}
