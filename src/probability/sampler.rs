//! Random layouts, each with equal probability.
//!
//! Exact counting leaves, for every component and every number of mines in it, the number of ways
//! that lead to each state of its frontier. Read backward, these numbers are the distribution of
//! what comes before: first the mines of each component are drawn, then those of its blocks from
//! the last to the first, then the cells in each block, and last the unconstrained cells.
//!
//! **Close layouts.** A layout in which a cell is safe can be drawn close to an old one in which it
//! is a mine: a new layout is drawn independently, and takes over parts of the old one. Where the
//! component of the cell has as many mines as before, it takes over all else. Otherwise it takes
//! over every other component that has as many mines as before, and as few unconstrained mines as
//! possible move. Given the numbers of mines, the parts are independent, so that the result has the
//! distribution of the independent layout. What is played on two close layouts differs less
//! (results page, R35).
//!
//! Invariant: only layouts that satisfy the position are drawn, each in proportion to its weight; a
//! close one if the old one was drawn so too.
//!
//! Cost: a walk over the edges of every component, and one node for each mine; for a close layout a
//! few sorts of the undecided cells as well.
//!
//! Source of the coupling: Lindvall, *Lectures on the Coupling Method*, 1992.

use crate::board::geometry::Cell;
use crate::kit::rng::Random;
use crate::probability::solver::Counted;
use crate::settings::budget::{Budget, BudgetExhausted};

/// Nodes that a close layout costs for each hidden cell of the position.
const NODES_PER_CELL: u64 = 80;

/// The layouts that [`LayoutDraws::draw_safe`] draws at most.
const MAX_DRAWS: usize = 1000;

/// The random layouts of one position.
pub struct LayoutDraws<'a> {
    counted: Counted<'a>,
    /// The undecided cells outside all components, in any order.
    unconstrained: Vec<Cell>,
    /// The mines of the last layout: the proven ones, those of the components, and the others.
    mines: Vec<Cell>,
    /// The mines of the last independent layout that are in no component and not proven.
    unconstrained_mines: usize,
}

impl<'a> LayoutDraws<'a> {
    /// The layouts of a position.
    ///
    /// Cost: a sort of the cells in components.
    pub fn new(counted: Counted<'a>) -> LayoutDraws<'a> {
        let mut constrained: Vec<Cell> = components(counted).flatten().copied().collect();
        constrained.sort_unstable();
        let deduced = counted.deduced();
        let is_unconstrained = |cell: &Cell| {
            deduced.verdict(*cell).is_none() && constrained.binary_search(cell).is_err()
        };
        let mut unconstrained = counted.position().hidden.clone();
        unconstrained.retain(is_unconstrained);
        LayoutDraws { counted, unconstrained, mines: Vec::new(), unconstrained_mines: 0 }
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
    /// [`BudgetExhausted`] as for [`LayoutDraws::draw`], and if `cell` is never or hardly ever
    /// safe.
    pub fn draw_safe(
        &mut self,
        cell: Cell,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<&[Cell], BudgetExhausted> {
        if self.counted.deduced().verdict(cell) == Some(true) {
            return Err(BudgetExhausted);
        }
        for _ in 0..MAX_DRAWS {
            if !self.draw(random, budget)?.contains(&cell) {
                return Ok(&self.mines);
            }
        }
        Err(BudgetExhausted)
    }

    /// Draws a layout in which `cell` is safe, close to an old one in which it is a mine, and
    /// returns its hidden mines. `is_old_mine` says which undecided cells are mines in the old
    /// layout. If no layout was drawn before, the result follows from the old one, `cell` and
    /// `seed`.
    ///
    /// If the old layout was drawn uniformly from all in which `cell` is a mine, and independently
    /// of `seed`, the result is uniform over all in which it is safe.
    ///
    /// # Errors
    /// [`BudgetExhausted`] as for [`LayoutDraws::draw_safe`].
    pub fn draw_safe_near(
        &mut self,
        cell: Cell,
        is_old_mine: impl Fn(Cell) -> bool,
        seed: u64,
        budget: &mut Budget,
    ) -> Result<&[Cell], BudgetExhausted> {
        let mut random = Random::indexed(seed, cell.index());
        self.draw_safe(cell, &mut random, budget)?;
        budget.spend(NODES_PER_CELL * self.counted.position().hidden.len() as u64)?;
        let mut new_mines = std::mem::take(&mut self.mines);
        new_mines.sort_unstable();
        let is_new_mine = |cell: Cell| new_mines.binary_search(&cell).is_ok();
        let has_as_many = |cells: &[Cell]| {
            let new = cells.iter().filter(|&&cell| is_new_mine(cell)).count();
            new == cells.iter().filter(|&&cell| is_old_mine(cell)).count()
        };
        let own = components(self.counted).find(|cells| cells.contains(&cell));
        // Whether everything outside the component of `cell` is taken over.
        let is_rest_old = own.is_some_and(has_as_many);
        self.mines.extend_from_slice(self.counted.deduced().mines());
        for cells in components(self.counted) {
            let is_old = Some(cells) != own && (is_rest_old || has_as_many(cells));
            let is_mine = |cell: Cell| if is_old { is_old_mine(cell) } else { is_new_mine(cell) };
            self.mines.extend(cells.iter().filter(|&&cell| is_mine(cell)));
        }
        // In order, so that which of them are taken does not depend on the draws before.
        let mut others = self.unconstrained.clone();
        others.retain(|&other| other != cell);
        others.sort_unstable();
        let (mut mines, mut safe): (Vec<Cell>, Vec<Cell>) =
            others.into_iter().partition(|&other| is_old_mine(other));
        if !is_rest_old {
            while mines.len() > self.unconstrained_mines {
                mines.swap_remove(random.below(mines.len()));
            }
            while mines.len() < self.unconstrained_mines {
                mines.push(safe.swap_remove(random.below(safe.len())));
            }
        }
        self.mines.extend(mines);
        Ok(&self.mines)
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
        self.unconstrained_mines = remaining;
        Some(())
    }
}

/// The cells of each component.
fn components(counted: Counted<'_>) -> impl Iterator<Item = &[Cell]> {
    let partition = counted.partition();
    partition.components().iter().map(|component| partition.cells(component))
}
