//! Optimal play by exhaustive search: every cell is tried in every position.
//!
//! A position is the set of layouts that are still possible. A cell with the same value in all of
//! them is constant and gives no information: opening it is free, or a mine that optimal play
//! leaves alone. Of the other cells, one that is safe in all layouts can be opened first without
//! loss, because additional information never makes optimal play worse. If there is none, every
//! cell is tried: each layout with a mine there costs one, and the value of the cell splits the
//! layouts into smaller sets.
//!
//! Solved positions are memoized by their constant cells, which determine the set of layouts; the
//! key is exact, not a hash. The only bound: a cell is abandoned once its mines and the cost of
//! some of its values reach the cost of a cell already tried.
//!
//! The engine's own endgame search shares no code with this file.

use std::collections::HashMap;

use sapper::settings::params::Objective;

use super::tiny_field::{LayoutBits, MINE, PackedBoard, TinyField};

/// The number of values that an open cell may have: 0-8 and a mine.
const VALUES: usize = MINE as usize + 1;

/// Computes the optimum of one field for one objective.
pub struct ExhaustiveSearch<'t> {
    field: &'t TinyField,
    objective: Objective,
    /// The cost of solved positions by their constant cells.
    solved: HashMap<PackedBoard, u64>,
}

/// A cell whose value differs between layouts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct InformativeCell {
    /// The number of layouts with a mine in the cell. First, for the order.
    mined: u64,
    cell: usize,
}

impl ExhaustiveSearch<'_> {
    pub fn new(field: &TinyField, objective: Objective) -> ExhaustiveSearch<'_> {
        ExhaustiveSearch { field, objective, solved: HashMap::new() }
    }

    /// The cost of optimal play from a position with these layouts, summed over them: mines opened,
    /// or layouts lost.
    pub fn cost(&mut self, layouts: &[LayoutBits]) -> u64 {
        if layouts.len() < 2 {
            return 0;
        }
        let (constant, informative) = self.classify(layouts);
        if let Some(&cost) = self.solved.get(&constant) {
            return cost;
        }
        let cost = if let Some(safe) = informative.iter().find(|cell| cell.mined == 0) {
            self.cost_of(safe.cell, layouts, u64::MAX)
        } else {
            let mut least = u64::MAX;
            for InformativeCell { cell, .. } in informative {
                least = least.min(self.cost_of(cell, layouts, least));
            }
            least
        };
        self.solved.insert(constant, cost);
        cost
    }

    /// The constant cells with their values, and the informative ones, those with the fewest mines
    /// first.
    fn classify(&self, layouts: &[LayoutBits]) -> (PackedBoard, Vec<InformativeCell>) {
        let (mut constant, mut informative) = (PackedBoard::UNTOUCHED, Vec::new());
        for cell in 0..self.field.cells() {
            let mut counts = [0_u64; VALUES];
            for &layout in layouts {
                counts[self.field.value(cell, layout) as usize] += 1;
            }
            match counts.iter().position(|&count| count == layouts.len() as u64) {
                Some(value) => constant = constant.with(cell, value as u8),
                None => informative.push(InformativeCell { mined: counts[MINE as usize], cell }),
            }
        }
        informative.sort_unstable();
        (constant, informative)
    }

    /// The cost of opening `cell` and optimal play after it. Stops at `limit`: the result is exact
    /// only if it is below.
    fn cost_of(&mut self, cell: usize, layouts: &[LayoutBits], limit: u64) -> u64 {
        let mut by_value: [Vec<LayoutBits>; VALUES] = Default::default();
        for &layout in layouts {
            by_value[self.field.value(cell, layout) as usize].push(layout);
        }
        let mut cost = by_value[MINE as usize].len() as u64;
        if self.objective == Objective::CleanWin {
            by_value[MINE as usize].clear();
        }
        for layouts in &by_value {
            if cost >= limit {
                break;
            }
            cost += self.cost(layouts);
        }
        cost
    }
}
