//! Random layouts, each with equal probability.
//!
//! Exact counting leaves, for every component and every number of mines in it, the number of ways
//! that lead to each state of its frontier. Read backward, these numbers are the distribution of
//! what comes before: first the mines of each component are drawn, then those of its blocks from
//! the last to the first, then the cells in each block, and last the unconstrained cells.
//!
//! Invariant: only layouts that satisfy the position are drawn, each in proportion to its weight.
//!
//! Cost: a walk over the edges of every component, and one node for each mine.

use crate::base::budget::{Budget, BudgetExhausted};
use crate::base::rng::Random;
use crate::board::geometry::Cell;
use crate::probability::solver::Counted;

/// The layouts that [`LayoutDraws::draw_safe`] draws at most.
const MAX_DRAWS: usize = 1000;

/// The random layouts of one position.
pub struct LayoutDraws<'a> {
    counted: Counted<'a>,
    /// The undecided cells outside all components, in any order.
    unconstrained: Vec<Cell>,
    /// The mines of the last layout.
    mines: Vec<Cell>,
}

impl<'a> LayoutDraws<'a> {
    /// The layouts of a position.
    ///
    /// Cost: a sort of the cells in components.
    pub fn new(counted: Counted<'a>) -> LayoutDraws<'a> {
        let partition = counted.partition();
        let components = partition.components().iter();
        let mut constrained: Vec<Cell> =
            components.flat_map(|component| partition.cells(component)).copied().collect();
        constrained.sort_unstable();
        let deduced = counted.deduced();
        let is_unconstrained = |cell: &Cell| {
            deduced.verdict(*cell).is_none() && constrained.binary_search(cell).is_err()
        };
        let mut unconstrained = counted.position().hidden.clone();
        unconstrained.retain(is_unconstrained);
        LayoutDraws { counted, unconstrained, mines: Vec::new() }
    }

    /// Draws a layout, and returns its hidden mines.
    ///
    /// # Errors
    /// [`BudgetExhausted`] if the layouts were not counted exactly, or `budget` lacks a node for
    /// each mine.
    pub fn draw(
        &mut self,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<&[Cell], BudgetExhausted> {
        let sampled = self.sample(random);
        budget.spend(self.mines.len() as u64)?;
        sampled.ok_or(BudgetExhausted)?;
        Ok(&self.mines)
    }

    /// Draws layouts until `cell` is safe, and returns the hidden mines of the last.
    ///
    /// # Errors
    /// [`BudgetExhausted`] as for [`LayoutDraws::draw`], and if `cell` is hardly ever safe.
    pub fn draw_safe(
        &mut self,
        cell: Cell,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<&[Cell], BudgetExhausted> {
        for _ in 0..MAX_DRAWS {
            if !self.draw(random, budget)?.contains(&cell) {
                return Ok(&self.mines);
            }
        }
        Err(BudgetExhausted)
    }

    /// Writes the mines of a layout to `mines`; `None` if there is no layout to draw.
    fn sample(&mut self, random: &mut Random) -> Option<()> {
        let LayoutDraws { unconstrained, mines, .. } = self;
        mines.clear();
        self.counted.odds().layouts()?;
        mines.extend_from_slice(self.counted.deduced().mines());
        let remaining = self.counted.sample_components(random, mines)?;
        if remaining > unconstrained.len() {
            return None;
        }
        // A partial shuffle.
        for index in 0..remaining {
            let other = index + random.below(unconstrained.len() - index);
            unconstrained.swap(index, other);
        }
        mines.extend_from_slice(&unconstrained[..remaining]);
        Some(())
    }
}
