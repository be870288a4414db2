//! The search below the root: depth first over cells and what they show.
//!
//! **Bounds.** The cost of a set is searched below an upper bound. A result below this bound is the
//! cost of some play; any other result is a lower bound on what the pass can find. Each part of a
//! set is bounded by the costs of the parts before it and the lower bounds of those after it, which
//! saves many nodes on the larger fields.
//!
//! **Stacks.** All sets, cells and branches on the way down lie on stacks, so the recursion
//! allocates nothing once these have grown.
//!
//! Invariant: on return from a method the stacks are as they were on entry, unless its
//! documentation says what it leaves on them. If the budget ends they are abandoned.

use crate::search::endgame::layouts::{Layouts, MINE};
use crate::search::endgame::scan::{Branch, CellScanner, Scan};
use crate::search::endgame::set_stack::{Height, Part, SetStack, Span};
use crate::search::endgame::set_table::{CostBounds, LayoutKeys, SetTable};
use crate::settings::budget::{Budget, BudgetExhausted};
use crate::settings::params::Objective;

/// How sets are searched in a pass.
pub struct Pass {
    /// How many of its branches are searched to the end.
    width: usize,
    /// Sets of more layouts have no look-ahead: the fewest mines and the smallest parts decide.
    max_lookahead: usize,
}

/// The first is for lists so long that the second would exceed the nodes.
pub const PASSES: [Pass; 4] = [
    Pass { width: 1, max_lookahead: 64 },
    Pass { width: 1, max_lookahead: usize::MAX },
    Pass { width: 3, max_lookahead: usize::MAX },
    Pass { width: usize::MAX, max_lookahead: usize::MAX },
];

/// Sets of fewer layouts have no look-ahead, which would cost as much as it saves; all their
/// branches are searched in every pass.
const MIN_LOOKAHEAD: usize = 8;

/// The nodes that a split costs besides one for each layout of the set: those of its ten parts.
const SPLIT_NODES: u64 = 10;

/// A set of layouts, and the cells that may be informative in it.
#[derive(Clone, Copy)]
pub struct Node {
    set: Span,
    cells: Span,
}

impl Node {
    /// The number of layouts.
    pub fn layouts(self) -> usize {
        self.set.len()
    }

    /// The nodes that a scan of the cells costs.
    fn scan_nodes(self) -> u64 {
        (self.set.len() * self.cells.len()) as u64
    }
}

/// How far the parts of a set are searched.
#[derive(Clone, Copy)]
pub enum Depth {
    /// Their cells are scanned, for a lower bound.
    OnePly,
    /// To the end of the game.
    Full,
}

/// The cost of the best branch of a set.
struct BestBranch {
    /// The cost, or the bound where no branch costs less.
    cost: u32,
    /// A lower bound that is true in every pass.
    lower: u32,
}

/// One endgame that is being solved.
pub struct Search<'s, 'c> {
    layouts: &'s Layouts,
    objective: Objective,
    budget: &'s mut Budget<'c>,
    /// The index of the pass.
    pass: u32,
    scanner: CellScanner<'s>,
    table: SetTable<'s>,
    sets: SetStack,
    /// Stack: informative cells, those that show different values within a set.
    cells: Vec<u32>,
    /// Stack: the cells to choose from in a set.
    branches: Vec<Branch>,
}

impl<'s, 'c> Search<'s, 'c> {
    /// A search over these layouts, which have these keys.
    pub fn new(
        layouts: &'s Layouts,
        keys: &'s LayoutKeys,
        objective: Objective,
        budget: &'s mut Budget<'c>,
    ) -> Search<'s, 'c> {
        Search {
            layouts,
            objective,
            budget,
            pass: 0,
            scanner: CellScanner::new(layouts, keys),
            table: SetTable::new(keys),
            sets: SetStack::with_all(layouts.len()),
            cells: (0..layouts.cells().len() as u32).collect(),
            branches: Vec::new(),
        }
    }

    /// The set of all layouts, with the cells that are informative in it left on their stack, and
    /// its branches, the most promising first. If a cell is safe, it is the only branch.
    pub fn root(&mut self) -> Result<(Node, Vec<Branch>), BudgetExhausted> {
        let root = Node {
            set: Span { start: 0, end: self.layouts.len() },
            cells: Span { start: 0, end: self.cells.len() },
        };
        match self.scan(root)? {
            Scan::SafeCell(cell) => {
                Ok((root, vec![Branch { cell, mined: 0, lower: 0, spread: 0, partition: 0 }]))
            }
            Scan::Guess => {
                let root = Node { cells: self.push_informative(0), ..root };
                self.look_ahead(root, 0, u32::MAX)?;
                Ok((root, std::mem::take(&mut self.branches)))
            }
        }
    }

    /// Begins the pass with this index.
    pub fn begin_pass(&mut self, pass: usize) {
        self.pass = pass as u32;
    }

    /// Whether this pass tries all cells.
    pub fn is_last_pass(&self) -> bool {
        self.pass as usize == PASSES.len() - 1
    }

    /// Scans every cell of `node` in every layout of its set; pushes the branches of a guess.
    fn scan(&mut self, node: Node) -> Result<Scan, BudgetExhausted> {
        self.budget.spend(node.scan_nodes())?;
        let cells = &self.cells[node.cells.range()];
        Ok(self.scanner.scan(self.sets.set(node.set), cells, &mut self.branches))
    }

    /// Pushes the cells of the branches from `first_branch` on, as the informative ones.
    fn push_informative(&mut self, first_branch: usize) -> Span {
        let Search { cells, branches, .. } = self;
        let start = cells.len();
        cells.extend(branches[first_branch..].iter().map(|branch| branch.cell));
        Span { start, end: cells.len() }
    }

    /// The key of a set.
    fn key_of(&mut self, set: Span) -> Result<u128, BudgetExhausted> {
        self.budget.spend(self.table.key_nodes(set.len()))?;
        Ok(self.table.key(self.sets.set(set)))
    }

    /// The cost of a set of two layouts.
    fn cost_of_pair(&mut self, node: Node) -> Result<u32, BudgetExhausted> {
        self.budget.spend(node.cells.len() as u64)?;
        let cells = &self.cells[node.cells.range()];
        Ok(self.scanner.cost_of_pair(self.sets.set(node.set), cells))
    }

    /// The cost of a set of three layouts or more, where it is below `bound`; otherwise a lower
    /// bound of `bound` or more.
    fn cost(&mut self, node: Node, key: u128, bound: u32) -> Result<u32, BudgetExhausted> {
        let mut known = self.table.get(key).unwrap_or(CostBounds::UNKNOWN);
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
        let cost = match self.scan(node)? {
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
        self.table.insert(key, known);
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
    fn look_ahead(
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
    fn lower_bound(&mut self, node: Node) -> Result<u32, BudgetExhausted> {
        if node.set.len() == 2 {
            return self.cost_of_pair(node);
        }
        let key = self.key_of(node.set)?;
        if let Some(known) = self.table.get(key) {
            return Ok(known.lower);
        }
        self.budget.spend(node.scan_nodes())?;
        let cells = &self.cells[node.cells.range()];
        let lower = self.scanner.fewest_mined(self.sets.set(node.set), cells);
        self.table.insert(key, CostBounds { lower, ..CostBounds::UNKNOWN });
        Ok(lower)
    }

    /// The cost of the rest of the game after opening `cell`, where it is below `bound`; otherwise
    /// a lower bound on it.
    pub fn cost_after(
        &mut self,
        cell: u32,
        node: Node,
        bound: u32,
        depth: Depth,
    ) -> Result<u32, BudgetExhausted> {
        self.budget.spend(SPLIT_NODES + node.set.len() as u64)?;
        let height = self.sets.height();
        // Nothing follows a mine where it loses the game.
        let kinds = match self.objective {
            Objective::FewestHits => MINE as usize + 1,
            Objective::CleanWin => MINE as usize,
        };
        self.sets.split(node.set, self.layouts.values(cell as usize), kinds);
        let cost = match depth {
            Depth::OnePly => self.sum_of_lower_bounds(height, node.cells, bound)?,
            Depth::Full => self.sum_of_costs(height, node.cells, bound)?,
        };
        self.sets.pop_to(height);
        Ok(cost)
    }

    /// A lower bound on the cost of the parts above `height`, or `bound` or more.
    fn sum_of_lower_bounds(
        &mut self,
        height: Height,
        cells: Span,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let mut sum = 0;
        for index in self.sets.parts_since(height) {
            let set = self.sets.part(index).set;
            sum += self.lower_bound(Node { set, cells })?;
            if sum >= bound {
                break;
            }
        }
        Ok(sum)
    }

    /// The cost of the parts above `height`, where it is below `bound`; otherwise a lower bound on
    /// it.
    fn sum_of_costs(
        &mut self,
        height: Height,
        cells: Span,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let mut sum = 0;
        for index in self.sets.parts_since(height) {
            let set = self.sets.part(index).set;
            let (key, lower) = if set.len() == 2 {
                (0, self.cost_of_pair(Node { set, cells })?)
            } else {
                let key = self.key_of(set)?;
                (key, self.table.get(key).map_or(0, |known| known.lower_in(self.pass)))
            };
            self.sets.set_part(index, Part { set, key, lower });
            sum += lower;
            if sum >= bound {
                return Ok(sum);
            }
        }
        for index in self.sets.parts_since(height) {
            let Part { set, key, lower } = self.sets.part(index);
            if set.len() > 2 {
                let others = sum - lower;
                sum = others + self.cost(Node { set, cells }, key, bound - others)?;
            }
            if sum >= bound {
                break;
            }
        }
        Ok(sum)
    }
}
