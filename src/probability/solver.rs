//! Exact mine odds of every hidden cell: components, the cells nobody sees, and the mine total.
//!
//! Every layout that fits the numbers and the total is equally likely. Deduction goes first and leaves
//! smaller groups; [`crate::probability::component`] splits these, [`crate::probability::mine_total`] counts the parts and puts them
//! together under the mine total; here the outcome is read off for every cell.
//!
//! Odds are exactly 0 or 1 if and only if no layout says otherwise: that is read from weights being zero,
//! which [`crate::probability::weight`] promises only where no layout is, and from the groups' own deduction.
//! The computation runs in `f64`; where that cannot hold the numbers it runs again in [`ExtendedF64`].
//!
//! A component that is too large to count gets the odds of [`crate::probability::balance`], and stands in the
//! row with a made-up histogram around its expected mines, nowhere zero, so that nothing is taken for
//! proven on its account. [`Odds::approximate`] tells.

use crate::base::budget::Budget;
use crate::base::params::PROBABILITY_MARGIN;
use crate::board::geometry::{Cell, CellMap};
use crate::board::group::{Contradiction, Position};
use crate::deduction::deducer::Deducer;
use crate::probability::balance::balance;
use crate::probability::component::Partition;
use crate::probability::frontier_dp::ComponentCounter;
use crate::probability::mine_probability::MineProbability;
use crate::probability::mine_total::{CombineError, ComponentChain, Unconstrained};
use crate::probability::weight::{ExtendedF64, Weight};

/// The odds of the hidden cells of one position.
#[derive(Clone, Default, Debug)]
pub struct Odds {
    odds: CellMap<f64>,
    safe: Vec<Cell>,
    mines: Vec<Cell>,
    approximate: usize,
    layouts: Option<ExtendedF64>,
}

impl Odds {
    /// The chance that a hidden cell is a mine: exactly 0 or 1 if and only if proven. NaN for an
    /// open cell.
    pub fn of(&self, cell: Cell) -> f64 {
        self.odds[cell]
    }

    /// The cells proven safe, sorted.
    pub fn safe(&self) -> &[Cell] {
        &self.safe
    }

    /// The cells proven to be mines, sorted.
    pub fn mines(&self) -> &[Cell] {
        &self.mines
    }

    /// The number of layouts, up to rounding, where it was counted exactly.
    pub fn layouts(&self) -> Option<ExtendedF64> {
        self.layouts
    }

    /// How many cells have approximate odds only.
    pub fn approximate(&self) -> usize {
        self.approximate
    }
}

/// Computes odds of one position after another, reusing its memory.
pub struct ProbabilitySolver {
    pub(super) partition: Partition,
    pub(super) rows: ComponentChains,
    odds: Odds,
}

/// The same row in plain numbers and in wide ones.
pub(super) struct ComponentChains {
    pub(super) plain: ComponentChain<f64>,
    pub(super) wide: ComponentChain<ExtendedF64>,
    max_bytes: usize,
    /// Whether the last run needed the wide numbers.
    pub(super) is_wide: bool,
}

/// Something to be read from a row.
trait Reading {
    type Read;
    fn read<W: Weight>(
        &mut self,
        row: &mut ComponentChain<W>,
        partition: &Partition,
        rest: Unconstrained,
        budget: &mut Budget,
    ) -> Result<Self::Read, CombineError>;
}

impl ComponentChains {
    /// Reads from plain numbers, and where these cannot hold it from wide ones.
    fn read<R: Reading>(
        &mut self,
        mut reading: R,
        partition: &Partition,
        rest: Unconstrained,
        budget: &mut Budget,
    ) -> Result<R::Read, Contradiction> {
        let mut read = reading.read(&mut self.plain, partition, rest, budget);
        self.is_wide = matches!(read, Err(CombineError::TooNarrow));
        if self.is_wide {
            // Both together could take twice the memory that counting may.
            self.plain = ComponentChain::within(self.max_bytes);
            let mut again = budget.sub_budget(budget.limit());
            read = reading.read(&mut self.wide, partition, rest, &mut again);
            budget.charge(again.used());
        }
        read.map_err(CombineError::contradiction)
    }
}

impl Default for ProbabilitySolver {
    fn default() -> ProbabilitySolver {
        ProbabilitySolver::within(ComponentCounter::<f64>::MAX_BYTES)
    }
}

impl ProbabilitySolver {
    /// A solver whose counting may take `max_bytes`.
    pub fn within(max_bytes: usize) -> ProbabilitySolver {
        let (plain, wide) = (ComponentChain::within(max_bytes), ComponentChain::within(max_bytes));
        ProbabilitySolver {
            partition: Partition::default(),
            rows: ComponentChains { plain, wide, max_bytes, is_wide: false },
            odds: Odds::default(),
        }
    }

    /// The odds of `position`, of which `deducer` has just been run to the fixed point.
    ///
    /// # Errors
    /// [`Contradiction`] when no layout fits.
    pub fn run(
        &mut self,
        position: &Position,
        deducer: &Deducer,
        budget: &mut Budget,
    ) -> Result<&Odds, Contradiction> {
        let rest = self.split(position, deducer);
        let every_cell = EveryCell { odds: &mut self.odds, position, deducer };
        self.rows.read(every_cell, &self.partition, rest, budget)?;
        Ok(&self.odds)
    }

    /// The odds of the last run.
    pub fn odds(&self) -> &Odds {
        &self.odds
    }

    /// The least odds that [`ProbabilitySolver::run`] would find, and the number of layouts, where that was
    /// counted exactly; at a part of the cost. `deducer` has just been run to the fixed point.
    ///
    /// # Errors
    /// [`Contradiction`] when no layout fits.
    pub fn min_mine_probability(
        &mut self,
        position: &Position,
        deducer: &Deducer,
        budget: &mut Budget,
    ) -> Result<(f64, Option<ExtendedF64>), Contradiction> {
        let rest = self.split(position, deducer);
        let least = LeastOdds { of_decided: if deducer.safe().is_empty() { 1.0 } else { 0.0 } };
        self.rows.read(least, &self.partition, rest, budget)
    }

    /// The number of layouts, without the odds of any cell; `deducer` may have stopped at the first
    /// safe cell. `None` where it is not known exactly.
    ///
    /// # Errors
    /// [`Contradiction`] when no layout fits.
    pub fn layout_count(
        &mut self,
        position: &Position,
        deducer: &Deducer,
        budget: &mut Budget,
    ) -> Result<Option<ExtendedF64>, Contradiction> {
        let rest = self.split(position, deducer);
        self.rows.read(LayoutsOnly, &self.partition, rest, budget)
    }

    fn split(&mut self, position: &Position, deducer: &Deducer) -> Unconstrained {
        self.partition.split(position.universe, deducer.groups());
        Unconstrained::of(position, deducer, &self.partition)
    }

    /// Rough odds for a position that contradicts itself: every number is listened to as far as
    /// it goes. They prove nothing.
    pub fn run_rough(&mut self, position: &Position, budget: &mut Budget) -> &Odds {
        let groups = || position.premises.iter().map(|premise| &premise.group);
        self.partition.split(position.universe, groups());
        self.odds.reset(position.universe);
        self.odds.approximate = position.hidden.len();
        let mut odds = Vec::new();
        for component in self.partition.components() {
            let mut share = budget.sub_budget(budget.left() / 2);
            balance(
                self.partition.sizes(component),
                self.partition.constraints(component),
                &mut share,
                &mut odds,
            );
            budget.charge(share.used());
            for (cells, &chance) in self.partition.blocks(component).zip(&odds) {
                cells.iter().for_each(|&cell| self.odds.odds[cell] = chance);
            }
        }
        let density = f64::from(position.mines) / position.hidden.len().max(1) as f64;
        let density = density.clamp(PROBABILITY_MARGIN, 1.0 - PROBABILITY_MARGIN);
        for &cell in &position.hidden {
            if self.odds.odds[cell].is_nan() {
                self.odds.odds[cell] = density;
            }
        }
        &self.odds
    }
}

/// The odds of every hidden cell, written from nothing.
struct EveryCell<'a> {
    odds: &'a mut Odds,
    position: &'a Position,
    deducer: &'a Deducer,
}

impl Reading for EveryCell<'_> {
    type Read = ();
    fn read<W: Weight>(
        &mut self,
        row: &mut ComponentChain<W>,
        partition: &Partition,
        rest: Unconstrained,
        budget: &mut Budget,
    ) -> Result<(), CombineError> {
        let EveryCell { odds, position, deducer } = self;
        odds.reset(position.universe);
        let mut visit = |cells: &[Cell], chance: MineProbability| {
            odds.approximate += usize::from(chance.is_approximate()) * cells.len();
            cells.iter().for_each(|&cell| odds.set(cell, chance));
        };
        visit(deducer.safe(), MineProbability::Safe);
        visit(deducer.mines(), MineProbability::Mine);
        let of_unseen = row.run(partition, rest, budget, &mut visit)?;
        if of_unseen.is_approximate() {
            odds.approximate += rest.unseen;
        }
        let unseen = of_unseen.odds();
        for &cell in &position.hidden {
            if odds.odds[cell].is_nan() {
                match of_unseen {
                    MineProbability::Odds(_) | MineProbability::Approximate(_) => {
                        odds.odds[cell] = unseen;
                    }
                    MineProbability::Safe | MineProbability::Mine => odds.set(cell, of_unseen),
                }
            }
        }
        odds.layouts = row.layouts();
        odds.safe.sort_unstable();
        odds.mines.sort_unstable();
        Ok(())
    }
}

/// The least odds, and the number of layouts.
struct LeastOdds {
    of_decided: f64,
}

impl Reading for LeastOdds {
    type Read = (f64, Option<ExtendedF64>);
    fn read<W: Weight>(
        &mut self,
        row: &mut ComponentChain<W>,
        partition: &Partition,
        rest: Unconstrained,
        budget: &mut Budget,
    ) -> Result<(f64, Option<ExtendedF64>), CombineError> {
        let mut least = self.of_decided;
        let of_unseen =
            row.run(partition, rest, budget, &mut |_, chance| least = least.min(chance.odds()))?;
        if rest.unseen > 0 {
            least = least.min(of_unseen.odds());
        }
        Ok((least, row.layouts()))
    }
}

/// The number of layouts alone.
struct LayoutsOnly;

impl Reading for LayoutsOnly {
    type Read = Option<ExtendedF64>;
    fn read<W: Weight>(
        &mut self,
        row: &mut ComponentChain<W>,
        partition: &Partition,
        rest: Unconstrained,
        budget: &mut Budget,
    ) -> Result<Option<ExtendedF64>, CombineError> {
        row.layout_count(partition, rest, budget)
    }
}

impl Odds {
    fn reset(&mut self, universe: usize) {
        self.odds.reset(universe, f64::NAN);
        self.safe.clear();
        self.mines.clear();
        self.approximate = 0;
        self.layouts = None;
    }

    fn set(&mut self, cell: Cell, chance: MineProbability) {
        match chance {
            MineProbability::Safe => self.safe.push(cell),
            MineProbability::Mine => self.mines.push(cell),
            MineProbability::Odds(_) | MineProbability::Approximate(_) => {}
        }
        self.odds[cell] = chance.odds();
    }
}
