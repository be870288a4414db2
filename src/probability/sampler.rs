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

/// No layout was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawError {
    /// The budget lacks a node for each mine.
    Budget,
    /// The layouts were not counted exactly, or the cell is hardly ever safe.
    NoLayout,
}

impl From<BudgetExhausted> for DrawError {
    fn from(_: BudgetExhausted) -> DrawError {
        DrawError::Budget
    }
}

/// Draws layouts of one position after another, in reused memory.
#[derive(Default)]
pub struct LayoutSampler {
    /// The undecided cells outside all components, in any order.
    unconstrained: Vec<Cell>,
    /// The mines of the last layout.
    mines: Vec<Cell>,
}

impl LayoutSampler {
    /// The layouts of a position.
    ///
    /// Cost: a sort of the cells in components.
    pub fn begin<'a>(&'a mut self, counted: Counted<'a>) -> LayoutDraws<'a> {
        let partition = counted.partition();
        let components = partition.components().iter();
        let mut constrained: Vec<Cell> =
            components.flat_map(|component| partition.cells(component)).copied().collect();
        constrained.sort_unstable();
        let deduced = counted.deduced();
        let is_unconstrained = |cell: &Cell| {
            deduced.verdict(*cell).is_none() && constrained.binary_search(cell).is_err()
        };
        self.unconstrained.clear();
        let hidden = counted.position().hidden.iter().copied();
        self.unconstrained.extend(hidden.filter(is_unconstrained));
        LayoutDraws { counted, memory: self }
    }
}

/// The random layouts of one position.
pub struct LayoutDraws<'a> {
    counted: Counted<'a>,
    memory: &'a mut LayoutSampler,
}

impl LayoutDraws<'_> {
    /// Draws a layout, and returns its hidden mines.
    ///
    /// # Errors
    /// [`DrawError`] if the layouts were not counted exactly, or `budget` lacks a node for each
    /// mine.
    pub fn draw(&mut self, random: &mut Random, budget: &mut Budget) -> Result<&[Cell], DrawError> {
        let sampled = self.sample(random);
        budget.spend(self.memory.mines.len() as u64)?;
        sampled.ok_or(DrawError::NoLayout)?;
        Ok(&self.memory.mines)
    }

    /// Draws layouts until `cell` is safe, and returns the hidden mines of the last.
    ///
    /// # Errors
    /// [`DrawError`] as for [`LayoutDraws::draw`], and if `cell` is hardly ever safe.
    pub fn draw_safe(
        &mut self,
        cell: Cell,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<&[Cell], DrawError> {
        for _ in 0..MAX_DRAWS {
            if !self.draw(random, budget)?.contains(&cell) {
                return Ok(&self.memory.mines);
            }
        }
        Err(DrawError::NoLayout)
    }

    /// Writes the mines of a layout to the memory; `None` if there is no layout to draw.
    fn sample(&mut self, random: &mut Random) -> Option<()> {
        let LayoutSampler { unconstrained, mines } = &mut *self.memory;
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
