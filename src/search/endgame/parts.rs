//! The parts into which a cell splits a set of layouts, and the sum of their costs.
//!
//! Each part is bounded by the costs of the parts before it and the lower bounds of those after it,
//! which saves many nodes on the larger fields.

use crate::search::endgame::layouts::MINE;
use crate::search::endgame::search::{Depth, Node, Part, Search, Span};
use crate::settings::budget::BudgetExhausted;
use crate::settings::params::Objective;

impl Search<'_, '_> {
    /// The cost of the rest of the game after opening `cell`, where it is below `bound`; otherwise
    /// a lower bound on it.
    pub(super) fn cost_after(
        &mut self,
        cell: u32,
        node: Node,
        bound: u32,
        depth: Depth,
    ) -> Result<u32, BudgetExhausted> {
        self.budget.spend(node.set.len() as u64)?;
        let (sets_len, first_part) = (self.sets.len(), self.parts.len());
        self.push_parts(cell, node.set);
        let cost = match depth {
            Depth::OnePly => self.sum_of_lower_bounds(first_part, node.cells, bound)?,
            Depth::Full => self.sum_of_costs(first_part, node.cells, bound)?,
        };
        self.sets.truncate(sets_len);
        self.parts.truncate(first_part);
        Ok(cost)
    }

    /// Pushes the sets into which `cell` splits `set`, and as parts those that may cost something:
    /// two layouts or more, unless the game is lost with them.
    fn push_parts(&mut self, cell: u32, set: Span) {
        let values = self.layouts.values(cell as usize);
        let Search { sets, parts, .. } = self;
        // A counting sort by value: `ends` are counts, then the starts of the sets, then their
        // ends.
        let mut ends = [0_usize; 10];
        for &layout in &sets[set.range()] {
            ends[values[layout as usize] as usize] += 1;
        }
        let first = sets.len();
        let mut end = first;
        for slot in &mut ends {
            end += *slot;
            *slot = end - *slot;
        }
        sets.resize(end, 0);
        for index in set.range() {
            let layout = sets[index];
            let slot = &mut ends[values[layout as usize] as usize];
            sets[*slot] = layout;
            *slot += 1;
        }
        let len = if self.objective == Objective::CleanWin { MINE as usize } else { ends.len() };
        let mut start = first;
        for &end in &ends[..len] {
            if end - start > 1 {
                parts.push(Part { set: Span { start, end }, key: 0, lower: 0 });
            }
            start = end;
        }
    }

    /// A lower bound on the cost of the parts from `first_part` on, or `bound` or more.
    fn sum_of_lower_bounds(
        &mut self,
        first_part: usize,
        cells: Span,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let mut sum = 0;
        for index in first_part..self.parts.len() {
            let set = self.parts[index].set;
            sum += self.lower_bound(Node { set, cells })?;
            if sum >= bound {
                break;
            }
        }
        Ok(sum)
    }

    /// The cost of the parts from `first_part` on, where it is below `bound`; otherwise a lower
    /// bound on it.
    fn sum_of_costs(
        &mut self,
        first_part: usize,
        cells: Span,
        bound: u32,
    ) -> Result<u32, BudgetExhausted> {
        let mut sum = 0;
        for index in first_part..self.parts.len() {
            let set = self.parts[index].set;
            let (key, lower) = if set.len() == 2 {
                (0, self.cost_of_pair(Node { set, cells }))
            } else {
                let key = self.key_of(set)?;
                (key, self.bounds.get(&key).map_or(0, |known| known.lower_in(self.pass)))
            };
            self.parts[index] = Part { set, key, lower };
            sum += lower;
            if sum >= bound {
                return Ok(sum);
            }
        }
        for index in first_part..self.parts.len() {
            let Part { set, key, lower } = self.parts[index];
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
