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
use crate::board::group::Position;
use crate::deduction::deducer::Deducer;
use crate::probability::solver::ProbabilitySolver;

/// The layouts that [`LayoutSampler::draw_safe`] draws at most.
const MAX_DRAWS: usize = 1000;

/// A playout could not be completed: no time, no nodes, or no exact probabilities.
#[derive(Debug)]
pub struct PlayoutAborted;

impl From<BudgetExhausted> for PlayoutAborted {
    fn from(_: BudgetExhausted) -> PlayoutAborted {
        PlayoutAborted
    }
}

/// Draws layouts of one position after another, in reused memory.
#[derive(Default)]
pub struct LayoutSampler {
    /// The mines of every layout.
    known_mines: Vec<Cell>,
    /// The undecided cells outside all components, in any order.
    unconstrained: Vec<Cell>,
    /// The mines of the last layout.
    pub mines: Vec<Cell>,
}

impl LayoutSampler {
    /// Takes the position of the last run of `solver`, whose layouts are drawn until the next call.
    ///
    /// Cost: a sort of the cells in components.
    pub fn prepare(&mut self, solver: &ProbabilitySolver, position: &Position, deducer: &Deducer) {
        let partition = solver.partition();
        let components = partition.components().iter();
        let mut constrained: Vec<Cell> =
            components.flat_map(|component| partition.cells(component)).copied().collect();
        constrained.sort_unstable();
        let is_unconstrained = |cell: &Cell| {
            deducer.verdict(*cell).is_none() && constrained.binary_search(cell).is_err()
        };
        self.known_mines.clear();
        self.known_mines.extend_from_slice(deducer.mines());
        self.unconstrained.clear();
        self.unconstrained.extend(position.hidden.iter().copied().filter(is_unconstrained));
    }

    /// Draws a layout of the last run of `solver`, which [`LayoutSampler::prepare`] was given.
    ///
    /// # Errors
    /// [`PlayoutAborted`] if the run was not exact, or `budget` lacks a node for each mine.
    pub fn draw(
        &mut self,
        solver: &ProbabilitySolver,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<(), PlayoutAborted> {
        let sampled = self.sample(solver, random);
        budget.spend(self.mines.len() as u64)?;
        sampled.ok_or(PlayoutAborted)
    }

    /// Draws layouts until `cell` is safe.
    ///
    /// # Errors
    /// [`PlayoutAborted`] if the run was not exact, `cell` is hardly ever safe, or `budget` lacks a
    /// node for each mine.
    pub fn draw_safe(
        &mut self,
        solver: &ProbabilitySolver,
        cell: Cell,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<(), PlayoutAborted> {
        for _ in 0..MAX_DRAWS {
            self.draw(solver, random, budget)?;
            if !self.mines.contains(&cell) {
                return Ok(());
            }
        }
        Err(PlayoutAborted)
    }

    /// Writes the mines of a layout to `mines`; `None` if there is no layout to draw.
    fn sample(&mut self, solver: &ProbabilitySolver, random: &mut Random) -> Option<()> {
        self.mines.clear();
        solver.odds().layouts()?;
        self.mines.extend_from_slice(&self.known_mines);
        let remaining = solver.sample_components(random, &mut self.mines)?;
        if remaining > self.unconstrained.len() {
            return None;
        }
        // A partial shuffle.
        for index in 0..remaining {
            let other = index + random.below(self.unconstrained.len() - index);
            self.unconstrained.swap(index, other);
        }
        self.mines.extend_from_slice(&self.unconstrained[..remaining]);
        Some(())
    }
}
