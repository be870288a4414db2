//! The cost of a set of layouts, within the bounds that its parent passes down.
//!
//! Invariant: a result below the upper bound that was passed down is the cost of some play; any
//! other result is a lower bound on what the pass can find.

use crate::search::endgame::bounds::CostBounds;
use crate::search::endgame::cells::Scan;
use crate::search::endgame::passes::{PASSES, Pass};
use crate::search::endgame::search::{Branch, Depth, Node, Search, Span};
use crate::settings::budget::BudgetExhausted;

/// Sets of fewer layouts have no look-ahead, which would cost as much as it saves; all their
/// branches are searched in every pass.
const MIN_LOOKAHEAD: usize = 8;

/// The cost of the best branch of a set.
struct BestBranch {
    /// The cost, or the bound where no branch costs less.
    cost: u32,
    /// A lower bound that holds in every pass.
    lower: u32,
}

impl Search<'_, '_> {
    /// The key of a set.
    pub(super) fn key_of(&mut self, set: Span) -> Result<u128, BudgetExhausted> {
        self.budget.spend((set.len() * self.keys.symmetries()) as u64)?;
        Ok(self.keys.of_set(&self.sets[set.range()]))
    }

    /// The cost of a set of three layouts or more, where it is below `bound`; otherwise a lower
    /// bound of `bound` or more.
    pub(super) fn cost(
        &mut self,
        node: Node,
        key: u128,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let mut known = self.bounds.get(&key).copied().unwrap_or(CostBounds::UNKNOWN);
        let lower = known.lower_in(self.pass);
        if lower >= known.upper {
            return Ok(known.upper);
        }
        if lower >= bound {
            return Ok(lower);
        }
        let limit = bound.min(known.upper);
        let tries_all = self.is_last_pass() || node.set.len() < MIN_LOOKAHEAD;
        let first_branch = self.branches.len();
        let cost = match self.scan_cells(node)? {
            Scan::SafeCell(cell) => self.cost_after(cell, node, limit, Depth::Full)?,
            Scan::Guess => {
                let best = self.best_branch(node, first_branch, limit)?;
                known.lower = known.lower.max(best.lower);
                best.cost
            }
        };
        known.pass = self.pass;
        known.pass_lower = cost.min(known.upper);
        if cost < limit {
            known.upper = cost;
        }
        if tries_all {
            known.lower = known.pass_lower;
        }
        self.bounds.insert(key, known);
        Ok(known.pass_lower)
    }

    /// Searches the branches from `first_branch` on, and pops them.
    fn best_branch(
        &mut self,
        node: Node,
        first_branch: usize,
        bound: u32,
    ) -> Result<BestBranch, BudgetExhausted> {
        let node = Node { cells: self.push_informative(first_branch), ..node };
        let Pass { width, max_lookahead } = PASSES[self.pass as usize];
        if node.set.len() <= max_lookahead {
            self.look_ahead(node, first_branch, bound)?;
        }
        let end = self.branches.len();
        let lower = self.branches.get(first_branch).map_or(0, |branch| branch.lower);
        let mut cost = bound;
        let width = if node.set.len() < MIN_LOOKAHEAD { usize::MAX } else { width };
        for index in (first_branch..end).take(width) {
            let Branch { cell, mined, lower, .. } = self.branches[index];
            if lower >= cost {
                break;
            }
            let rest = self.cost_after(cell, node, cost - mined, Depth::Full)?;
            if rest < cost - mined {
                cost = mined + rest;
            }
        }
        self.branches.truncate(first_branch);
        self.cells.truncate(node.cells.start);
        Ok(BestBranch { cost, lower })
    }

    /// Bounds the branches from `first_branch` on by a one-ply look-ahead and sorts them by it.
    pub(super) fn look_ahead(
        &mut self,
        node: Node,
        first_branch: usize,
        bound: u32,
    ) -> Result<(), BudgetExhausted> {
        for index in first_branch..self.branches.len() {
            let Branch { cell, mined, .. } = self.branches[index];
            self.branches[index].lower = mined;
            if node.set.len() >= MIN_LOOKAHEAD && mined < bound {
                let rest = self.cost_after(cell, node, bound - mined, Depth::OnePly)?;
                self.branches[index].lower += rest;
            }
        }
        self.branches[first_branch..].sort_unstable_by_key(|branch| {
            (branch.lower, branch.mined, branch.spread, branch.cell)
        });
        Ok(())
    }

    /// A lower bound on the cost of a set, by one scan of its cells.
    pub(super) fn lower_bound(&mut self, node: Node) -> Result<u32, BudgetExhausted> {
        if node.set.len() == 2 {
            return Ok(self.cost_of_pair(node));
        }
        let key = self.key_of(node.set)?;
        if let Some(known) = self.bounds.get(&key) {
            return Ok(known.lower);
        }
        let lower = self.fewest_mined(node)?;
        self.bounds.insert(key, CostBounds { lower, ..CostBounds::UNKNOWN });
        Ok(lower)
    }
}
