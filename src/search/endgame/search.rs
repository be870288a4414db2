//! The search below the root: depth first over cells and what they show.
//!
//! **Bounds.** The cost of a set is searched below an upper bound. A result below this bound is the
//! cost of some play; any other result is a lower bound on what the pass can find. Each part of a
//! set is bounded by the costs of the parts before it and the lower bounds of those after it, which
//! saves many nodes on the larger fields.
//!
//! **Sets** are bits in words ([`crate::search::endgame::universe`]): a scan of a cell is an *and*
//! and a count of ones for each word and value.
//!
//! **Stacks.** All universes, sets, cells and branches on the way down lie on stacks, so the
//! recursion allocates nothing once these have grown.
//!
//! Invariant: on return from a method the stacks are as they were on entry, unless its
//! documentation says what it leaves on them. If the budget ends they are abandoned.

use std::ops::Range;

use crate::board::geometry::Cell;
use crate::search::endgame::layouts::{Layouts, MINE};
use crate::search::endgame::scan::{Branch, Scan, cost_of_pair, fewest_mined, scan};
use crate::search::endgame::set_table::{CostBounds, LayoutKeys, SetTable};
use crate::search::endgame::universe::{Universe, words_for};
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
const MIN_LOOKAHEAD: u32 = 8;

/// The nodes that a split costs besides one for each word of its parts.
const SPLIT_NODES: u64 = 10;

/// How many values a cell shows on average: nodes are charged before they are known.
const MEAN_VALUES: u64 = 3;

/// A set gets a universe of its own if it has at most this many layouts for each word that is
/// saved. To fill a universe takes longer the more layouts it has; every scan is shorter for it.
const LAYOUTS_PER_SAVED_WORD: usize = 64;

/// A slice of a stack.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
}

impl Span {
    fn len(self) -> usize {
        self.end - self.start
    }

    fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A set of layouts of the last universe.
#[derive(Clone, Copy)]
struct Set {
    /// Its first word on the stack.
    start: usize,
    /// The number of its layouts.
    len: u32,
}

/// One of the sets that a cell splits a set into.
#[derive(Clone, Copy)]
struct Part {
    set: Set,
    key: u128,
    /// A lower bound on what this pass finds.
    lower: u32,
}

/// A set of layouts, and the cells that may be informative in it.
#[derive(Clone, Copy)]
pub struct Node {
    set: Set,
    cells: Span,
}

impl Node {
    /// The number of layouts.
    pub fn layouts(self) -> usize {
        self.set.len as usize
    }
}

/// The heights of the stacks.
#[derive(Clone, Copy)]
struct Heights {
    words: usize,
    parts: usize,
    cells: usize,
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
    table: SetTable<'s>,
    /// Stack: those from the last one in use on keep their memory for later.
    universes: Vec<Universe>,
    /// The index of the last universe in use, which all sets of a node are of.
    universe: usize,
    /// Stack: the words of the sets.
    words: Vec<u64>,
    /// Stack: the sets that cells split off.
    parts: Vec<Part>,
    /// Stack: informative cells, those that show different values within a set, as indices in the
    /// last universe.
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
            table: SetTable::new(keys),
            universes: vec![Universe::default()],
            universe: 0,
            words: Vec::new(),
            parts: Vec::new(),
            cells: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// The set of all layouts, with the cells that are informative in it left on their stack, and
    /// its branches, the most promising first. If a cell is safe, it is the only branch.
    pub fn root(&mut self) -> Result<(Node, Vec<Branch>), BudgetExhausted> {
        let (len, cells) = (self.layouts.len() as u32, self.layouts.cells().len() as u32);
        self.budget.spend(fill_nodes(len, cells as usize))?;
        self.universes[0].fill(self.layouts, 0..len, 0..cells);
        let root = self.whole_universe(len);
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

    /// Pushes the set of all layouts of the last universe and its cells.
    fn whole_universe(&mut self, len: u32) -> Node {
        let universe = &self.universes[self.universe];
        let set = Set { start: self.words.len(), len };
        universe.push_all(&mut self.words);
        let start = self.cells.len();
        self.cells.extend(0..universe.len() as u32);
        Node { set, cells: Span { start, end: self.cells.len() } }
    }

    /// The cell of a branch of the root.
    pub fn cell_of(&self, branch: &Branch) -> Cell {
        self.layouts.cells()[self.universes[0].cell(branch.cell) as usize]
    }

    /// Begins the pass with this index.
    pub fn begin_pass(&mut self, pass: usize) {
        self.pass = pass as u32;
    }

    /// Whether this pass tries all cells.
    pub fn is_last_pass(&self) -> bool {
        self.pass as usize == PASSES.len() - 1
    }

    /// The words of a set.
    fn words_of(&self, set: Set) -> &[u64] {
        &self.words[set.start..set.start + self.universes[self.universe].words()]
    }

    /// The nodes of counting the layouts of a set in which a cell is a mine, for each cell.
    fn count_nodes(&self, cells: Span) -> u64 {
        (self.universes[self.universe].words() * cells.len()) as u64
    }

    /// Scans every cell of `node` in every layout of its set; pushes the branches of a guess.
    fn scan(&mut self, node: Node) -> Result<Scan, BudgetExhausted> {
        self.budget.spend(MEAN_VALUES * self.count_nodes(node.cells))?;
        let Search { universes, universe, words, cells, branches, .. } = self;
        let universe = &universes[*universe];
        let set = &words[node.set.start..node.set.start + universe.words()];
        Ok(scan(universe, set, &cells[node.cells.range()], branches))
    }

    /// Pushes the cells of the branches from `first_branch` on, as the informative ones.
    fn push_informative(&mut self, first_branch: usize) -> Span {
        let Search { cells, branches, .. } = self;
        let start = cells.len();
        cells.extend(branches[first_branch..].iter().map(|branch| branch.cell));
        Span { start, end: cells.len() }
    }

    /// The key of a set.
    fn key_of(&mut self, set: Set) -> Result<u128, BudgetExhausted> {
        self.budget.spend(self.table.key_nodes(set.len as usize))?;
        let universe = &self.universes[self.universe];
        Ok(self.table.key(&universe.layouts_of(self.words_of(set))))
    }

    /// The cost of a set of two layouts.
    fn cost_of_pair(&mut self, node: Node) -> Result<u32, BudgetExhausted> {
        self.budget.spend(node.cells.len() as u64)?;
        let (cells, set) = (&self.cells[node.cells.range()], self.words_of(node.set));
        Ok(cost_of_pair(self.layouts, &self.universes[self.universe], set, cells))
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
        let len = node.set.len;
        let tries_all = self.is_last_pass() || len < MIN_LOOKAHEAD;
        let (heights, universe) = (self.heights(), self.universe);
        let node = self.with_full_words(node)?;
        let first_branch = self.branches.len();
        let cost = match self.scan(node)? {
            Scan::SafeCell(cell) => self.cost_after(cell, node, limit, Depth::Full)?,
            Scan::Guess => {
                let best = self.best_branch(node, first_branch, limit)?;
                known.lower = known.lower.max(best.lower);
                best.cost
            }
        };
        self.universe = universe;
        self.pop_to(heights);
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

    /// The node in a universe of its own, if its layouts need far fewer words there.
    fn with_full_words(&mut self, node: Node) -> Result<Node, BudgetExhausted> {
        let Node { set: Set { start, len }, cells } = node;
        let words = self.universes[self.universe].words();
        let saved = words - words_for(len as usize);
        if len as usize > saved * LAYOUTS_PER_SAVED_WORD {
            return Ok(node);
        }
        self.budget.spend(fill_nodes(len, cells.len()))?;
        self.universe += 1;
        if self.universe == self.universes.len() {
            self.universes.push(Universe::default());
        }
        let (outer, inner) = self.universes.split_at_mut(self.universe);
        let outer = &outer[self.universe - 1];
        let layouts = outer.layouts_of(&self.words[start..start + words]);
        let cells = self.cells[cells.range()].iter().map(|&cell| outer.cell(cell));
        inner[0].fill(self.layouts, layouts, cells);
        Ok(self.whole_universe(len))
    }

    fn heights(&self) -> Heights {
        let Search { words, parts, cells, .. } = self;
        Heights { words: words.len(), parts: parts.len(), cells: cells.len() }
    }

    fn pop_to(&mut self, heights: Heights) {
        self.words.truncate(heights.words);
        self.parts.truncate(heights.parts);
        self.cells.truncate(heights.cells);
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
        if node.layouts() <= max_lookahead {
            self.look_ahead(node, first_branch, bound)?;
        }
        let end = self.branches.len();
        let lower = self.branches.get(first_branch).map_or(0, |branch| branch.lower);
        let mut cost = bound;
        let width = if node.set.len < MIN_LOOKAHEAD { usize::MAX } else { width };
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
            if node.set.len >= MIN_LOOKAHEAD && mined < bound {
                let rest = self.cost_after(cell, node, bound - mined, Depth::OnePly)?;
                self.branches[index].lower += rest;
            }
        }
        let universe = &self.universes[self.universe];
        self.branches[first_branch..].sort_unstable_by_key(|branch| {
            (branch.lower, branch.mined, branch.spread, universe.cell(branch.cell))
        });
        Ok(())
    }

    /// A lower bound on the cost of a set, by one scan of its cells.
    fn lower_bound(&mut self, node: Node) -> Result<u32, BudgetExhausted> {
        if node.set.len == 2 {
            return self.cost_of_pair(node);
        }
        let key = self.key_of(node.set)?;
        if let Some(known) = self.table.get(key) {
            return Ok(known.lower);
        }
        self.budget.spend(self.count_nodes(node.cells))?;
        let (cells, set) = (&self.cells[node.cells.range()], self.words_of(node.set));
        let lower = fewest_mined(&self.universes[self.universe], set, node.set.len, cells);
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
        let heights = self.heights();
        self.split(node.set, cell)?;
        let cost = match depth {
            Depth::OnePly => self.sum_of_lower_bounds(heights.parts, node.cells, bound)?,
            Depth::Full => self.sum_of_costs(heights.parts, node.cells, bound)?,
        };
        self.pop_to(heights);
        Ok(cost)
    }

    /// Pushes the parts of a set, by what a cell shows, that have two layouts or more.
    fn split(&mut self, set: Set, cell: u32) -> Result<(), BudgetExhausted> {
        let Search { universes, universe, words, parts, objective, budget, .. } = self;
        let universe = &universes[*universe];
        budget.spend(SPLIT_NODES + MEAN_VALUES * universe.words() as u64)?;
        for (value, mask) in universe.values(cell) {
            // Nothing follows a mine where it loses the game.
            if value == MINE && *objective == Objective::CleanWin {
                break;
            }
            let (start, mut len) = (words.len(), 0);
            for (index, mask) in (set.start..).zip(mask) {
                let word = words[index] & mask;
                len += word.count_ones();
                words.push(word);
            }
            if len > 1 {
                parts.push(Part { set: Set { start, len }, key: 0, lower: 0 });
            } else {
                words.truncate(start);
            }
        }
        Ok(())
    }

    /// A lower bound on the cost of the parts from `first` on, or `bound` or more.
    fn sum_of_lower_bounds(
        &mut self,
        first: usize,
        cells: Span,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let mut sum = 0;
        for index in first..self.parts.len() {
            let set = self.parts[index].set;
            sum += self.lower_bound(Node { set, cells })?;
            if sum >= bound {
                break;
            }
        }
        Ok(sum)
    }

    /// The cost of the parts from `first` on, where it is below `bound`; otherwise a lower bound on
    /// it.
    fn sum_of_costs(
        &mut self,
        first: usize,
        cells: Span,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let (mut sum, end) = (0, self.parts.len());
        for index in first..end {
            let set = self.parts[index].set;
            let (key, lower) = if set.len == 2 {
                (0, self.cost_of_pair(Node { set, cells })?)
            } else {
                let key = self.key_of(set)?;
                (key, self.table.get(key).map_or(0, |known| known.lower_in(self.pass)))
            };
            self.parts[index] = Part { set, key, lower };
            sum += lower;
            if sum >= bound {
                return Ok(sum);
            }
        }
        for index in first..end {
            let Part { set, key, lower } = self.parts[index];
            if set.len > 2 {
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

/// The nodes of filling a universe with so many layouts and cells.
fn fill_nodes(layouts: u32, cells: usize) -> u64 {
    2 * u64::from(layouts) * cells as u64
}
