//! The state of the search: depth first over cells and what they show.
//!
//! All sets, cells, branches and parts on the way down lie on stacks, so that the recursion
//! allocates nothing once these have grown. The functions of the search are methods of [`Search`]
//! in `passes`, `sets`, `cells` and `parts`.
//!
//! Invariant: on return from a function the stacks are as they were on entry, unless its
//! documentation says what it leaves on them. Where the budget ends they are abandoned.

use std::ops::Range;

use crate::search::CountedBoard;
use crate::search::endgame::bounds::BoundsTable;
use crate::search::endgame::keys::LayoutKeys;
use crate::search::endgame::layouts::Layouts;
use crate::search::endgame::solution::Solution;
use crate::settings::budget::{Budget, BudgetExhausted};
use crate::settings::params::Objective;

/// The best cell over all layouts of `at`, which has no safe cell; `None` where one layout is left.
///
/// # Errors
/// [`BudgetExhausted`] where there are more than `max_layouts`, or the budget ends before the cost
/// of any cell is known.
pub fn solve_counted(
    at: CountedBoard,
    objective: Objective,
    max_layouts: usize,
    budget: &mut Budget,
) -> Result<Option<Solution>, BudgetExhausted> {
    let undecided = at.counted.deduced().undecided();
    let layouts = Layouts::list(at.board, &undecided, max_layouts, budget)?;
    solve(&layouts, objective, budget)
}

/// The best cell under `objective`, or `None` where at most one layout is left.
///
/// # Errors
/// [`BudgetExhausted`] where the budget ends before the cost of any cell is known.
pub fn solve(
    layouts: &Layouts,
    objective: Objective,
    budget: &mut Budget,
) -> Result<Option<Solution>, BudgetExhausted> {
    let mut search = Search {
        layouts,
        objective,
        budget,
        pass: 0,
        keys: LayoutKeys::new(layouts),
        set_keys: Vec::new(),
        bounds: BoundsTable::default(),
        sets: (0..layouts.len() as u32).collect(),
        cells: (0..layouts.cells().len() as u32).collect(),
        branches: Vec::new(),
        parts: Vec::new(),
    };
    let root = Node {
        set: Span { start: 0, end: search.sets.len() },
        cells: Span { start: 0, end: search.cells.len() },
    };
    search.run_passes(root)
}

/// One endgame that is being solved.
pub struct Search<'s, 'c> {
    pub(super) layouts: &'s Layouts,
    pub(super) objective: Objective,
    pub(super) budget: &'s mut Budget<'c>,
    /// The index of the pass.
    pub(super) pass: u32,
    pub(super) keys: LayoutKeys,
    /// The keys of the layouts of the set that is scanned.
    pub(super) set_keys: Vec<u64>,
    pub(super) bounds: BoundsTable,
    /// Stack: sets of layouts, by their numbers.
    pub(super) sets: Vec<u32>,
    /// Stack: informative cells, those that show different values within a set.
    pub(super) cells: Vec<u32>,
    /// Stack: the cells to choose from in a set.
    pub(super) branches: Vec<Branch>,
    /// Stack: the sets that a cell splits a set into, without those that cost nothing.
    pub(super) parts: Vec<Part>,
}

/// A slice of a stack.
#[derive(Clone, Copy)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn len(self) -> usize {
        self.end - self.start
    }

    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A set of layouts, and the cells that may be informative in it.
#[derive(Clone, Copy)]
pub struct Node {
    pub set: Span,
    pub cells: Span,
}

/// A cell that splits a set of layouts.
#[derive(Clone, Copy)]
pub struct Branch {
    pub cell: u32,
    /// Layouts of the set in which it is a mine.
    pub mined: u32,
    /// A lower bound on the cost of opening it.
    pub lower: u32,
    /// The sum of the squares of the parts' sizes: the smaller, the more informative the cell.
    pub spread: u64,
    /// A hash of the partition, the same for cells that split the set in the same way.
    pub partition: u64,
}

/// One of the sets that a cell splits a set into.
#[derive(Clone, Copy)]
pub struct Part {
    pub set: Span,
    pub key: u128,
    /// A lower bound on what this pass finds.
    pub lower: u32,
}

/// How far the parts of a set are searched.
#[derive(Clone, Copy)]
pub enum Depth {
    /// Their cells are scanned, for a lower bound.
    OnePly,
    /// To the end of the game.
    Full,
}
