//! The passes over the whole list of layouts: iterative widening.
//!
//! In every set, the first pass tries only the cell that a scan ranks first, and the second only
//! the cell that a one-ply look-ahead ranks first. The third pass tries three cells, the last all.
//! A pass finds the cost of some play; this bounds the later passes, which find most sets settled,
//! so that all passes together cost less than the last alone would.
//!
//! Invariant: the solution only improves. If the nodes end before the last pass does, it is play
//! that costs no more than it says, and [`Solution::is_proven`] is false.

use crate::board::geometry::Cell;
use crate::search::CountedBoard;
use crate::search::endgame::layouts::Layouts;
use crate::search::endgame::scan::Branch;
use crate::search::endgame::search::{Depth, Node, PASSES, Search};
use crate::search::endgame::set_table::LayoutKeys;
use crate::settings::budget::{Budget, BudgetExhausted};
use crate::settings::params::Objective;

/// Up to this many layouts the second pass is cheap, and the first is skipped.
const SHORT_LIST: usize = 5000;

/// The best cell and its cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The cell to open.
    pub cell: Cell,
    /// Layouts in which it is a mine.
    pub mined: u32,
    /// The cost of the best play found: mines opened, or layouts lost, summed over all layouts.
    pub cost: u32,
    /// All layouts.
    pub layouts: u32,
    /// Whether no play costs less; false where the budget ended before this was known.
    pub is_proven: bool,
}

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
    if layouts.len() < 2 {
        return Ok(None);
    }
    let keys = LayoutKeys::new(layouts);
    let mut search = Search::new(layouts, &keys, objective, budget);
    let (root, mut branches) = search.root()?;
    let mut best = None;
    let first = usize::from(layouts.len() <= SHORT_LIST);
    for pass in first..PASSES.len() {
        search.begin_pass(pass);
        let best_cell = best.map(|best: Solution| best.cell);
        let is_best = |branch: &Branch| best_cell == Some(search.cell_of(branch));
        if let Some(best) = branches.iter().position(is_best) {
            branches[..=best].rotate_right(1);
        }
        match (improve(&mut best, &mut search, root, &branches), &mut best) {
            (Ok(()), Some(best)) => best.is_proven = search.is_last_pass(),
            (Err(exhausted), None) => return Err(exhausted),
            _ => break,
        }
    }
    Ok(best)
}

/// Searches the branches of the root in one pass, and improves `best`.
fn improve(
    best: &mut Option<Solution>,
    search: &mut Search,
    root: Node,
    branches: &[Branch],
) -> Result<(), BudgetExhausted> {
    for branch in branches {
        let &Branch { cell, mined, lower, .. } = branch;
        let bound = best.map_or(u32::MAX, |best| best.cost);
        if lower >= bound {
            continue;
        }
        let rest = search.cost_after(cell, root, bound - mined, Depth::Full)?;
        if rest < bound - mined {
            let (cell, cost) = (search.cell_of(branch), mined + rest);
            let layouts = root.layouts() as u32;
            *best = Some(Solution { cell, mined, cost, layouts, is_proven: false });
        }
    }
    Ok(())
}
