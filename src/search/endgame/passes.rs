//! The passes of the search: iterative widening over the whole set of layouts.
//!
//! In every set, the first pass tries only the cell that a scan ranks first, and the second only
//! the cell that a one-ply look-ahead ranks first. The third pass tries three cells, the last all.
//! A pass finds the cost of some play; this bounds the later passes, which find most sets settled,
//! so that all passes together cost less than the last alone would.
//!
//! Invariant: the solution only improves. Where nodes end before the last pass does, it is play
//! that costs no more than it says, and [`Solution::is_proven`] is false.

use crate::search::endgame::cells::Scan;
use crate::search::endgame::search::{Branch, Depth, Node, Search};
use crate::search::endgame::solution::Solution;
use crate::settings::budget::BudgetExhausted;

/// How a set is left in a pass.
pub struct Pass {
    /// How many of its branches are searched to the end.
    pub width: usize,
    /// Sets of more layouts have no look-ahead: the fewest mines and the smallest parts decide.
    pub max_lookahead: usize,
}

/// The first is for lists so long that the second would exceed the nodes.
pub const PASSES: [Pass; 4] = [
    Pass { width: 1, max_lookahead: 64 },
    Pass { width: 1, max_lookahead: usize::MAX },
    Pass { width: 3, max_lookahead: usize::MAX },
    Pass { width: usize::MAX, max_lookahead: usize::MAX },
];

/// Up to so many layouts the second pass is cheap, and the first is skipped.
const SHORT_LIST: usize = 5000;

impl Search<'_, '_> {
    /// The best cell of the root, by as many passes as the budget allows.
    pub(super) fn run_passes(&mut self, root: Node) -> Result<Option<Solution>, BudgetExhausted> {
        if root.set.len() < 2 {
            return Ok(None);
        }
        let root = match self.scan_cells(root)? {
            Scan::SafeCell(cell) => {
                let branch = Branch { cell, mined: 0, lower: 0, spread: 0, partition: 0 };
                self.branches.push(branch);
                root
            }
            Scan::Guess => {
                let root = Node { cells: self.push_informative(0), ..root };
                self.look_ahead(root, 0, u32::MAX)?;
                root
            }
        };
        let mut best = None;
        let first = usize::from(root.set.len() <= SHORT_LIST);
        for pass in first..PASSES.len() {
            self.pass = pass as u32;
            match (self.search_root(root, &mut best), &mut best) {
                (Ok(()), Some(best)) => best.is_proven = self.is_last_pass(),
                (Err(exhausted), None) => return Err(exhausted),
                _ => break,
            }
        }
        Ok(best)
    }

    /// Whether this pass tries all cells.
    pub(super) fn is_last_pass(&self) -> bool {
        self.pass as usize == PASSES.len() - 1
    }

    /// Searches all branches of the root, the best so far first, and improves `best`.
    fn search_root(
        &mut self,
        root: Node,
        best: &mut Option<Solution>,
    ) -> Result<(), BudgetExhausted> {
        let cells = self.layouts.cells();
        let best_cell = best.map(|best| best.cell);
        self.branches.sort_by_key(|branch| best_cell != Some(cells[branch.cell as usize]));
        for index in 0..self.branches.len() {
            let bound = best.map_or(u32::MAX, |best| best.cost);
            let Branch { cell, mined, lower, .. } = self.branches[index];
            if lower >= bound {
                continue;
            }
            let rest = self.cost_after(cell, root, bound - mined, Depth::Full)?;
            if rest < bound - mined {
                let (cell, cost) = (cells[cell as usize], mined + rest);
                let layouts = root.set.len() as u32;
                *best = Some(Solution { cell, mined, cost, layouts, is_proven: false });
            }
        }
        Ok(())
    }
}
