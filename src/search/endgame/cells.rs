//! The cells of a set: which are informative, how they split it, and whether one is safe.
//!
//! Cells that split a set in the same way are one branch.

use crate::kit::rng::mix;
use crate::search::endgame::layouts::MINE;
use crate::search::endgame::search::{Branch, Node, Search, Span};
use crate::settings::budget::BudgetExhausted;

/// The result of a scan of a set's cells.
pub enum Scan {
    /// This cell is safe in all layouts of the set, and informative.
    SafeCell(u32),
    /// Every informative cell may be a mine. The branches are on the stack, by increasing mines.
    Guess,
}

impl Search<'_, '_> {
    /// Scans every cell of `node` in every layout of its set; pushes the branches of a guess.
    pub(super) fn scan_cells(&mut self, node: Node) -> Result<Scan, BudgetExhausted> {
        self.budget.spend((node.set.len() * node.cells.len()) as u64)?;
        let Search { keys, set_keys, sets, cells, branches, .. } = self;
        let first_branch = branches.len();
        let (keys, set) = (keys.of_layouts(), &sets[node.set.range()]);
        set_keys.clear();
        set_keys.extend(set.iter().map(|&layout| keys[layout as usize] as u64));
        for &cell in &cells[node.cells.range()] {
            let values = self.layouts.values(cell as usize);
            let Some(mined) = mined_if_informative(values, set) else { continue };
            if mined == 0 {
                branches.truncate(first_branch);
                return Ok(Scan::SafeCell(cell));
            }
            let (mut counts, mut sums) = ([0_u32; 10], [0_u64; 10]);
            for (&layout, &key) in set.iter().zip(&*set_keys) {
                let value = values[layout as usize] as usize;
                counts[value] += 1;
                sums[value] = sums[value].wrapping_add(key);
            }
            let spread = counts.iter().map(|&count| u64::from(count) * u64::from(count)).sum();
            // Which number stands for which part does not matter; which part is the mines does.
            let numbers = sums[..MINE as usize].iter().map(|&sum| mix(sum));
            let partition = numbers.fold(mix(!sums[MINE as usize]), u64::wrapping_add);
            if branches[first_branch..].iter().all(|other| other.partition != partition) {
                branches.push(Branch { cell, mined, lower: mined, spread, partition });
            }
        }
        branches[first_branch..]
            .sort_unstable_by_key(|branch| (branch.mined, branch.spread, branch.cell));
        Ok(Scan::Guess)
    }

    /// The fewest layouts of the set of `node` in which an informative cell is a mine; 0 where no
    /// cell is informative.
    pub(super) fn fewest_mined(&mut self, node: Node) -> Result<u32, BudgetExhausted> {
        self.budget.spend((node.set.len() * node.cells.len()) as u64)?;
        let set = &self.sets[node.set.range()];
        let mut fewest = None;
        for &cell in &self.cells[node.cells.range()] {
            let mined = mined_if_informative(self.layouts.values(cell as usize), set);
            fewest = mined.into_iter().chain(fewest).min();
            if fewest == Some(0) {
                break;
            }
        }
        Ok(fewest.unwrap_or(0))
    }

    /// Pushes the cells of the branches from `first_branch` on, as the informative ones.
    pub(super) fn push_informative(&mut self, first_branch: usize) -> Span {
        let Search { cells, branches, .. } = self;
        let start = cells.len();
        cells.extend(branches[first_branch..].iter().map(|branch| branch.cell));
        Span { start, end: cells.len() }
    }

    /// The cost of two layouts: 0 where a cell that is safe in both tells them apart, otherwise a
    /// mine in one of them.
    pub(super) fn cost_of_pair(&self, node: Node) -> u32 {
        let Search { sets, cells, .. } = self;
        let (a, b) = (sets[node.set.start] as usize, sets[node.set.start + 1] as usize);
        let is_safe_and_different = |&cell: &u32| {
            let values = self.layouts.values(cell as usize);
            let (a, b) = (values[a], values[b]);
            a != b && a != MINE && b != MINE
        };
        u32::from(!cells[node.cells.range()].iter().any(is_safe_and_different))
    }
}

/// The layouts of `set` in which a cell of these `values` is a mine; `None` where all are alike.
fn mined_if_informative(values: &[u8], set: &[u32]) -> Option<u32> {
    let first = values[*set.first()? as usize];
    let (mut mined, mut difference) = (0, 0);
    for &layout in set {
        let value = values[layout as usize];
        mined += u32::from(value == MINE);
        difference |= value ^ first;
    }
    (difference != 0).then_some(mined)
}
