//! The chance to win from a position, by each cell that may be opened next; with fewest hits as the
//! objective, the mines that are still to be expected.
//!
//! Opening a cell is followed by a policy that plays the game to its end, over layouts drawn from
//! all that fit; every cell meets the same layouts. Where the endgame is solved, the chance is that
//! of best play, and exact. Where only one layout fits, the chance is exact, too.
//!
//! A playout counts the odds of its guesses ([`crate::adjusted::playouts`]). At 5,000 positions of
//! expert games, a chance within two points takes 611 playouts in the mean, and 1,999 by plain wins
//! and losses (`judge calibrate --chance`). Although such a playout ends at its first hit, these
//! took 2.4 times as long at 60 guesses.
//!
//! Invariant: these playouts take no part in the choice of the move. A chance taken from the
//! playouts that chose would be too high. The figures follow from the board, the settings and the
//! number of playouts; it does not matter in how many parts they are made.

use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::bot::engine::{Decision, Step};
use sapper::evaluate;
use sapper::kit::rng::mix;
use sapper::settings::params::{Effort, Objective, PROBABILITY_TOLERANCE};

use crate::Analysis;
use crate::adjusted::playouts::{DrawnLayout, Playouts, Sample};
use crate::values::{CellValue, proven_solution};

/// The playouts whose layouts are drawn at once, which takes as long as some playouts, and after
/// which [`Chances::run`] may end. Fewer do not tell how uncertain a chance is.
pub const STEP: usize = 20;
/// The most playouts of each cell, unless asked for more.
pub const PLAYOUTS: usize = 200;
/// The fewest playouts of a precise chance that is not exact: fewer may miss what is rare.
pub const FEWEST: usize = 3 * STEP;
/// A chance to win is precise within one point, mines within a twentieth, or a twentieth of a mine.
const PRECISE_CHANCE: f64 = 0.01;
const PRECISE_MINES: f64 = 0.05;
/// The most cells that a person compares, the move among them.
pub const MOST_CELLS: usize = 8;
/// The effort of the engine that plays on. Better play wins hardly more than the playouts scatter,
/// and takes ten times as long.
pub const POLICY: Effort = Effort::Fast;
/// The seed of the playouts of a position that stands alone.
pub const SEED: u64 = 0;
/// The standard normal quantile of a 95 % interval.
pub const Z: f64 = 1.96;

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

    /// Whether a difference is a gain by more than chance explains. The best of several cells is
    /// looked at, so that three standard errors are asked for.
    fn is_gain(&self, objective: Objective) -> bool {
        let gain = if objective == Objective::CleanWin { self.mean } else { -self.mean };
        gain > 3.0 * self.standard_error && gain > PROBABILITY_TOLERANCE
    }
}

/// The chance by one cell, or by a chord.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellChance {
    /// The cell; the first of a chord's.
    pub cell: Cell,
    /// The chance if it is opened next.
    pub chance: Chance,
    /// The chance above that of the move, on the same layouts.
    pub above_move: Chance,
}

impl CellChance {
    /// Whether the cell is better than the move by more than chance explains.
    pub fn is_better(&self, objective: Objective) -> bool {
        self.above_move.is_gain(objective)
    }
}

/// A click with what it is worth: exactly, or in each playout.
struct Arm {
    /// The cell, or the cells that a chord opens.
    cells: Vec<Cell>,
    exact: Option<f64>,
    values: Vec<f64>,
}

/// The chances of one position: by the move of `analysis`, which is the first, and by the best
/// candidates of a guess or cells of an endgame, `most` cells in all. The engine of effort `policy`
/// plays on in at least [`STEP`] playouts of each cell. Empty where no cell is left, or where the
/// layouts cannot be counted exactly.
///
/// The same board, objective, policy, number of playouts and seed give the same chances.
/// [`Chances`] keeps its memory for the next position, makes more playouts later, and can be
/// interrupted.
///
/// ```
/// use analysis::{Analyzer, chance};
/// use sapper::{Board, Effort, Objective};
///
/// // One of the two hidden cells is a mine, and the number tells nothing about which.
/// let board: Board = "3 1 1\n.1.\n".parse()?;
/// let mut analyzer = Analyzer::new(Objective::CleanWin, Effort::Standard);
/// let analysis = analyzer.analyze(&board, None).unwrap();
/// let chances = chance::position_chances(&analysis, chance::MOST_CELLS, Effort::Fast, 100, 1);
/// assert_eq!(chances[0].chance.mean, 0.5);
/// assert_eq!(chances[0].chance.half_width(), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn position_chances(
    analysis: &Analysis,
    most: usize,
    policy: Effort,
    playouts: u32,
    seed: u64,
) -> Vec<CellChance> {
    let mut chances = Chances::new(analysis.objective(), policy, || false);
    chances.begin(analysis, most, seed);
    chances.run(Some(playouts));
    chances.cells()
}

/// Computes the chances of one position after another; its memory is reused.
pub struct Chances {
    objective: Objective,
    playouts: Playouts,
    board: Board,
    seed: u64,
    /// The layouts of the next playouts, the next one last.
    drawn: Vec<DrawnLayout>,
    /// The move is the first. If it is not exact, none is.
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
            drawn: Vec::new(),
            arms: Vec::new(),
        }
    }

    /// Begins with a position: the move of `analysis`, and the best candidates of a guess or cells
    /// of an endgame, `most` cells in all.
    pub fn begin(&mut self, analysis: &Analysis, most: usize, seed: u64) {
        let Some(chosen) = analysis.chosen() else {
            self.arms.clear();
            return;
        };
        let others: Vec<Cell> = match proven_solution(chosen) {
            Some(_) => {
                let known = analysis.values().iter().filter(|value| value.cost.is_some());
                known.map(|value| value.cell).collect()
            }
            None => analysis.candidates().iter().map(|candidate| candidate.cell).collect(),
        };
        let others = others.into_iter().filter(|&other| other != chosen.cell());
        let others = others.take(most.saturating_sub(1)).map(|cell| vec![cell]);
        self.begin_beside(analysis.board(), chosen, analysis.values(), others, seed);
    }

    /// Begins with a position: the engine's move, and these other clicks, each on hidden cells.
    /// `values` are those of the cells of an endgame. In a solved one, a click without a value is
    /// told by playouts.
    pub fn begin_beside(
        &mut self,
        board: &Board,
        chosen: &Decision,
        values: &[CellValue],
        others: impl IntoIterator<Item = Vec<Cell>>,
        seed: u64,
    ) {
        self.board.clone_from(board);
        self.seed = seed;
        self.drawn.clear();
        self.arms.clear();
        if chosen.by == Step::Rough {
            return;
        }
        let solved = proven_solution(chosen);
        let chance = |cost: u32, layouts: u32| {
            let cost = f64::from(cost) / f64::from(layouts);
            if self.objective == Objective::CleanWin { 1.0 - cost } else { cost }
        };
        let others: Vec<Vec<Cell>> = others.into_iter().collect();
        // A chord may end the game before it opens all of its cells.
        let has_chord = others.iter().any(|cells| cells.len() > 1);
        if !has_chord && let Some(mines) = only_layout(board, chosen) {
            let arms = std::iter::once(vec![chosen.cell()]).chain(others);
            self.arms.extend(arms.map(|cells| {
                let cost = u32::from(cells.iter().any(|cell| mines.contains(cell)));
                Arm::new(cells, Some(chance(cost, 1)))
            }));
            return;
        }
        let exact = solved.map(|best| chance(best.cost, best.layouts));
        self.arms.push(Arm::new(vec![chosen.cell()], exact));
        self.arms.extend(others.into_iter().map(|cells| {
            let value = values.iter().find(|value| cells == [value.cell]);
            let cost = value.and_then(|value| value.cost);
            let exact = solved.zip(cost).map(|(best, cost)| chance(cost, best.layouts));
            Arm::new(cells, exact)
        }));
    }

    /// Makes one more playout of each click, on the same layout. Returns `false` where there is
    /// nothing to do: the chances are exact, the layouts of the board cannot be counted exactly,
    /// the game is over, or the playouts were interrupted.
    pub fn playout(&mut self) -> bool {
        if !self.takes_playouts() {
            return false;
        }
        if self.drawn.is_empty() {
            let seed = mix(self.seed) ^ mix(self.playouts() as u64);
            self.drawn = self.playouts.layouts(&self.board, STEP, seed).unwrap_or_default();
            self.drawn.reverse();
        }
        let Some(layout) = self.drawn.pop() else { return false };
        let played = self.arms.iter().filter(|arm| arm.exact.is_none());
        let clicks: Vec<&[Cell]> = played.map(|arm| &arm.cells[..]).collect();
        let Some(costs) = self.playouts.row(&self.board, &clicks, &layout) else {
            self.drawn.push(layout);
            return false;
        };
        let played = self.arms.iter_mut().filter(|arm| arm.exact.is_none());
        for (arm, cost) in played.zip(costs) {
            arm.values.push(match self.objective {
                Objective::CleanWin => 1.0 - cost,
                Objective::FewestHits => cost,
            });
        }
        true
    }

    /// Makes so many playouts of each click, and at least [`STEP`]. If no number is stated, it
    /// makes [`PLAYOUTS`], or fewer where the chance of the move is precise.
    pub fn run(&mut self, count: Option<u32>) {
        let most = count.map_or(PLAYOUTS, |count| STEP.max(count as usize));
        let is_enough = |chances: &Chances| {
            let made = chances.playouts();
            let may_end = count.is_none() && made.is_multiple_of(STEP);
            made >= most || (may_end && chances.is_precise())
        };
        while !is_enough(self) && self.playout() {}
    }

    /// Whether more playouts of the move would tell a person no more.
    pub fn is_precise(&self) -> bool {
        let Some(of_move) = self.arms.first().filter(|arm| arm.exact.is_none()) else {
            return false;
        };
        let chance = Chance::of(of_move.values.iter().copied());
        let precise = match self.objective {
            Objective::CleanWin => PRECISE_CHANCE,
            Objective::FewestHits => PRECISE_MINES * chance.mean.max(1.0),
        };
        chance.playouts >= FEWEST && chance.half_width() <= precise
    }

    /// What the engine plays for.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The board of the position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether there is a click whose chance is not exact.
    pub fn takes_playouts(&self) -> bool {
        self.arms.iter().any(|arm| arm.exact.is_none())
    }

    /// The number of playouts so far of each click whose chance is not exact.
    pub fn playouts(&self) -> usize {
        self.arms.iter().map(|arm| arm.values.len()).max().unwrap_or(0)
    }

    /// The chances so far, that of the move first; those that are not exact are missing before the
    /// first playout. The other cells are in the order of the analysis, except where one is ahead
    /// of the cell before it by more than chance explains.
    pub fn cells(&self) -> Vec<CellChance> {
        let Some(first) = self.arms.first() else { return Vec::new() };
        self.ranked().into_iter().filter_map(|arm| arm.beside(first)).collect()
    }

    /// The clicks in their order. Each exchange puts a better mean first, so that they come to an
    /// end.
    fn ranked(&self) -> Vec<&Arm> {
        let mut ranked: Vec<&Arm> = self.arms.iter().collect();
        let is_ahead = |arm: &Arm, other: &Arm| arm.above(other).is_gain(self.objective);
        while let Some(at) = (2..ranked.len()).find(|&at| is_ahead(ranked[at], ranked[at - 1])) {
            ranked.swap(at - 1, at);
        }
        ranked
    }
}

/// The mines of the only layout that fits `board`, of which `chosen` is the move; `None` if there
/// are several.
fn only_layout(board: &Board, chosen: &Decision) -> Option<Vec<Cell>> {
    let evaluation = chosen.by.is_proof().then(|| evaluate(board).ok())??;
    let (safe, mines) = (evaluation.safe().len(), evaluation.mines());
    let is_only = safe + mines.len() == board.hidden_len();
    is_only.then(|| mines.filter_map(|place| board.shape().cell_at(place)).collect())
}

impl Arm {
    fn new(cells: Vec<Cell>, exact: Option<f64>) -> Arm {
        Arm { cells, exact, values: Vec::new() }
    }

    /// The chance of this click, compared with that of the move; `None` before the first playout.
    fn beside(&self, of_move: &Arm) -> Option<CellChance> {
        let cell = *self.cells.first()?;
        let values = self.values.iter().copied();
        let (chance, above_move) = match (self.exact, of_move.exact) {
            (Some(exact), Some(of_move)) => (Chance::exact(exact), Chance::exact(exact - of_move)),
            _ if self.values.is_empty() => return None,
            (_, Some(of_move)) => {
                (Chance::of(values.clone()), Chance::of(values.map(|own| own - of_move)))
            }
            (_, None) => {
                let above = values.clone().zip(&of_move.values).map(|(own, of)| own - of);
                (Chance::of(values), Chance::of(above))
            }
        };
        Some(CellChance { cell, chance, above_move })
    }

    /// What it is worth above another one, on the same layouts; 0 where both are exact.
    fn above(&self, other: &Arm) -> Chance {
        Chance::of(self.values.iter().zip(&other.values).map(|(own, other)| own - other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_passes_the_one_before_it_only_by_more_than_chance_explains() {
        // Values with this mean, which scatter by `noise` to both sides.
        let arm = |at: u32, mean: f64, noise: f64| {
            let value = |playout| mean + if playout % 2 == 0 { noise } else { -noise };
            Arm {
                values: (0..40).map(value).collect(),
                ..Arm::new(vec![Cell::from_index(at)], None)
            }
        };
        let order = |objective: Objective, sign: f64| -> Vec<usize> {
            let mut chances = Chances::new(objective, Effort::Fast, || false);
            // Cell 3 is ahead of all; 4 is ahead of 2, and of 1 in the mean alone.
            let worth = [(0.1, 0.1), (0.3, 0.1), (0.2, 0.1), (0.5, 0.1), (0.31, 0.2)];
            let arms = (0..).zip(worth).map(|(at, (mean, noise))| arm(at, sign * mean, noise));
            chances.arms.extend(arms);
            chances.cells().iter().map(|one| one.cell.index()).collect()
        };
        assert_eq!(order(Objective::CleanWin, 1.0), [0, 3, 1, 4, 2]);
        assert_eq!(order(Objective::FewestHits, -1.0), [0, 3, 1, 4, 2]);
        assert_eq!(order(Objective::FewestHits, 1.0), [0, 2, 1, 4, 3]);
    }
}
