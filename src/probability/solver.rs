//! The mine probability of every hidden cell: components, unconstrained cells, and the mine total.
//!
//! Deduction has decided some cells and left smaller groups. The solver splits these into
//! components ([`crate::probability::component`]), has them counted and combined under the mine
//! total ([`crate::probability::mine_total`]), and collects the result for every cell.
//!
//! Counting runs in `f64`, and is repeated in [`ExtendedF64`] if the numbers leave its range. It
//! begins in [`ExtendedF64`] where so many cells are counted that they do ([`WIDE_CELLS`]).
//!
//! Invariant: odds are exactly 0 or 1 if and only if all layouts agree. That follows from zero
//! weights ([`crate::probability::weight`]) and from deduction, never from comparing floats.

use crate::board::contradiction::Contradiction;
use crate::board::geometry::Cell;
use crate::board::group::Position;
use crate::deduction::groups::deduced::Deduced;
use crate::kit::rng::Random;
use crate::probability::balance::balance;
use crate::probability::component::{Partition, Structure};
use crate::probability::frontier_dp::ByteLimit;
use crate::probability::mine_probability::MineProbability;
use crate::probability::mine_total::{CombineError, ComponentChain, Unconstrained};
use crate::probability::odds::{LowestOdds, Odds};
use crate::probability::weight::ExtendedF64;
use crate::settings::budget::Budget;
use crate::settings::params::{PROBABILITY_MARGIN, WIDE_CELLS};

/// Nodes of each group that is split into blocks: making its component, and the odds of its cells
/// (results page, R21).
const NODES_PER_GROUP: u64 = 500;

/// Computes the odds of one position after another, in reused memory.
#[derive(Default)]
pub struct ProbabilitySolver {
    partition: Partition,
    narrow: ComponentChain<f64>,
    extended: ComponentChain<ExtendedF64>,
    /// Whether the last position left the range of an `f64`.
    is_extended: bool,
    odds: Odds,
}

/// A position whose components are combined.
struct Combined {
    unconstrained: Unconstrained,
    /// The number of layouts up to rounding, if it is known exactly.
    layouts: Option<ExtendedF64>,
}

impl ProbabilitySolver {
    /// Sets the bytes that the components of a position may take together.
    pub fn set_limit(&mut self, limit: ByteLimit) {
        self.narrow.set_limit(limit);
        self.extended.set_limit(limit);
    }

    /// Computes the odds of every hidden cell.
    ///
    /// # Errors
    /// [`Contradiction`] if there is no layout.
    pub fn run<'a>(
        &'a mut self,
        deduced: Deduced<'a>,
        budget: &mut Budget,
    ) -> Result<Counted<'a>, Contradiction> {
        self.partition.split(deduced.position().universe, deduced.groups());
        let combined = self.combine(deduced, budget)?;
        let mut odds = std::mem::take(&mut self.odds);
        odds.reset(deduced.position().universe);
        odds.set(deduced.safe(), MineProbability::Safe);
        odds.set(deduced.mines(), MineProbability::Mine);
        let mut visit = |cells: &[Cell], probability: MineProbability| odds.set(cells, probability);
        let of_unconstrained = self.distribute(&combined, budget, &mut visit);
        odds.set_others(&deduced.position().hidden, of_unconstrained);
        odds.finish(combined.layouts);
        self.odds = odds;
        Ok(Counted { deduced, solver: self })
    }

    /// Counts the layouts, without the odds of any cell. `None` if the number is not known exactly.
    ///
    /// # Errors
    /// [`Contradiction`] if there is no layout.
    pub fn layout_count(
        &mut self,
        deduced: Deduced,
        budget: &mut Budget,
    ) -> Result<Option<ExtendedF64>, Contradiction> {
        self.partition.split(deduced.position().universe, deduced.groups());
        Ok(self.combine(deduced, budget)?.layouts)
    }

    /// Sets the base that [`ProbabilitySolver::run_changed`] starts from.
    pub fn set_base(&mut self, base: Deduced) {
        self.partition.split_base(base.position().universe, base.groups());
    }

    /// Counts the layouts of a position whose deduction continued from the base. Only components
    /// with changed cells are made anew.
    ///
    /// # Errors
    /// [`Contradiction`] if there is no layout.
    pub fn run_changed(
        &mut self,
        deduced: Deduced,
        budget: &mut Budget,
    ) -> Result<CountedChange<'_>, Contradiction> {
        self.partition.split_changed(deduced.indexed_groups(), deduced.changed_cells());
        let combined = self.combine(deduced, budget)?;
        Ok(CountedChange { safe_cells: deduced.safe().len(), combined, solver: self })
    }

    /// Combines the components of the partition in `f64`, and in [`ExtendedF64`] if the weights
    /// leave the range of an `f64`.
    fn combine(
        &mut self,
        deduced: Deduced,
        budget: &mut Budget,
    ) -> Result<Combined, Contradiction> {
        let ProbabilitySolver { partition, narrow, extended, .. } = self;
        budget.charge(NODES_PER_GROUP * partition.groups_len() as u64);
        let unconstrained = Unconstrained::new(deduced, partition);
        let is_wide = partition.cells_len() >= WIDE_CELLS;
        let mut layouts = if is_wide {
            Err(CombineError::OutOfRange)
        } else {
            narrow.combine(partition, unconstrained, budget)
        };
        self.is_extended = layouts == Err(CombineError::OutOfRange);
        if self.is_extended {
            // Both chains together could take twice the memory limit.
            *narrow = ComponentChain::default();
            narrow.set_limit(extended.limit());
            layouts = budget
                .lend(budget.limit(), |again| extended.combine(partition, unconstrained, again));
        }
        let layouts = layouts.map_err(|error| Contradiction::Numbers {
            cells: match error {
                CombineError::NoLayout(cells) => cells,
                // The widest type is never out of range.
                CombineError::OutOfRange => Vec::new(),
            },
        })?;
        Ok(Combined { unconstrained, layouts })
    }

    /// Passes all cells in components to `visit`, and returns the odds of an unconstrained cell.
    fn distribute(
        &mut self,
        combined: &Combined,
        budget: &Budget,
        visit: &mut dyn FnMut(&[Cell], MineProbability),
    ) -> MineProbability {
        let ProbabilitySolver { partition, narrow, extended, .. } = self;
        if self.is_extended {
            extended.distribute(partition, combined.unconstrained, budget, visit)
        } else {
            narrow.distribute(partition, combined.unconstrained, budget, visit)
        }
    }

    /// Computes approximate odds of a position that has no layout, and no known mines: every number
    /// counts as far as the others allow. They prove nothing.
    pub fn run_approximate(&mut self, position: &Position, budget: &mut Budget) -> &Odds {
        let groups = position.premises.iter().map(|premise| &premise.group);
        self.partition.split(position.universe, groups);
        self.odds.reset(position.universe);
        let mut probabilities = Vec::new();
        for component in self.partition.components() {
            let Structure { sizes, constraints, .. } = self.partition.structure(component);
            budget.lend(budget.left() / 2, |share| {
                balance(sizes, constraints, share, &mut probabilities);
            });
            for (cells, &probability) in self.partition.blocks(component).zip(&probabilities) {
                self.odds.set(cells, MineProbability::Approximate(probability));
            }
        }
        let density = f64::from(position.mines) / position.hidden.len().max(1) as f64;
        let density = MineProbability::Approximate(
            density.clamp(PROBABILITY_MARGIN, 1.0 - PROBABILITY_MARGIN),
        );
        self.odds.set_others(&position.hidden, density);
        &self.odds
    }
}

/// A position that differs from the base in a few cells, whose layouts are counted.
pub struct CountedChange<'a> {
    safe_cells: usize,
    combined: Combined,
    solver: &'a mut ProbabilitySolver,
}

impl CountedChange<'_> {
    /// The number of layouts up to rounding, if it was counted exactly.
    pub fn layouts(&self) -> Option<ExtendedF64> {
        self.combined.layouts
    }

    /// The two lowest odds that [`ProbabilitySolver::run`] would find, over the cells that are not
    /// proven to be mines. Cheaper than a run.
    pub fn lowest_odds(self, budget: &Budget) -> LowestOdds {
        let mut lowest = LowestOdds::NONE;
        lowest.add(0.0, self.safe_cells);
        let mut visit = |cells: &[Cell], probability: MineProbability| {
            lowest.add(probability.value(), cells.len());
        };
        let of_unconstrained = self.solver.distribute(&self.combined, budget, &mut visit);
        lowest.add(of_unconstrained.value(), self.combined.unconstrained.cells);
        lowest
    }
}

/// A position after deduction, with its odds: what the search and the sampler continue from.
///
/// It borrows the solver, so that the odds cannot change while it is in use.
#[derive(Clone, Copy)]
pub struct Counted<'a> {
    deduced: Deduced<'a>,
    solver: &'a ProbabilitySolver,
}

impl<'a> Counted<'a> {
    /// What deduction found.
    pub fn deduced(&self) -> Deduced<'a> {
        self.deduced
    }

    /// The position.
    pub fn position(&self) -> &'a Position {
        self.deduced.position()
    }

    /// The odds of every hidden cell.
    pub fn odds(&self) -> &'a Odds {
        &self.solver.odds
    }

    pub(super) fn partition(&self) -> &'a Partition {
        &self.solver.partition
    }

    /// Draws a layout of the components after an exact run. Returns the mines left for the
    /// unconstrained cells ([`ComponentChain::sample`]).
    pub(super) fn sample_components(
        &self,
        random: &mut Random,
        mines: &mut Vec<Cell>,
    ) -> Option<usize> {
        let ProbabilitySolver { partition, narrow, extended, is_extended, .. } = self.solver;
        if *is_extended {
            extended.sample(partition, random, mines)
        } else {
            narrow.sample(partition, random, mines)
        }
    }
}
