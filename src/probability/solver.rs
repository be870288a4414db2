//! The mine probability of every hidden cell: components, unconstrained cells, and the mine total.
//!
//! Deduction has decided some cells and left smaller groups. The solver splits these into
//! components ([`crate::probability::component`]), has them counted and combined under the mine
//! total ([`crate::probability::mine_total`]), and collects the result for every cell.
//!
//! Counting runs in `f64`, and is repeated in [`ExtendedF64`] if the numbers leave its range.
//!
//! Invariant: odds are exactly 0 or 1 if and only if all layouts agree. That follows from zero
//! weights ([`crate::probability::weight`]) and from deduction, never from comparing floats.
//! [`Odds::approximate`] is the number of cells whose odds are approximate because a component, or
//! their combination, was too large.

use crate::base::budget::Budget;
use crate::base::params::PROBABILITY_MARGIN;
use crate::base::rng::Random;
use crate::board::geometry::{Cell, CellMap};
use crate::board::group::{Contradiction, Position};
use crate::deduction::deducer::Deducer;
use crate::probability::balance::balance;
use crate::probability::component::Partition;
use crate::probability::frontier_dp::ComponentCounter;
use crate::probability::mine_probability::MineProbability;
use crate::probability::mine_total::{CombineError, ComponentChain, Unconstrained};
use crate::probability::weight::{ExtendedF64, Weight};

/// The mine probabilities of the hidden cells of one position.
#[derive(Clone, Default, Debug)]
pub struct Odds {
    odds: CellMap<f64>,
    safe: Vec<Cell>,
    mines: Vec<Cell>,
    approximate: usize,
    layouts: Option<ExtendedF64>,
}

impl Odds {
    /// The mine probability of a hidden cell: exactly 0 or 1 if and only if proven. NaN for an open
    /// cell.
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

    /// The number of layouts up to rounding, if it was counted exactly.
    pub fn layouts(&self) -> Option<ExtendedF64> {
        self.layouts
    }

    /// The number of cells whose odds are approximate.
    pub fn approximate(&self) -> usize {
        self.approximate
    }

    fn reset(&mut self, universe: usize) {
        self.odds.reset(universe, f64::NAN);
        self.safe.clear();
        self.mines.clear();
        self.approximate = 0;
        self.layouts = None;
    }

    fn set(&mut self, cell: Cell, probability: MineProbability) {
        match probability {
            MineProbability::Safe => self.safe.push(cell),
            MineProbability::Mine => self.mines.push(cell),
            MineProbability::Exact(_) => {}
            MineProbability::Approximate(_) => self.approximate += 1,
        }
        self.odds[cell] = probability.value();
    }

    /// Gives every hidden cell without odds this probability.
    fn set_others(&mut self, hidden: &[Cell], probability: MineProbability) {
        for &cell in hidden {
            if self.odds[cell].is_nan() {
                self.set(cell, probability);
            }
        }
    }
}

/// Computes the odds of one position after another, in reused memory.
pub struct ProbabilitySolver {
    partition: Partition,
    chains: Chains,
    odds: Odds,
}

/// A chain in each of the two float types.
struct Chains {
    narrow: ComponentChain<f64>,
    extended: ComponentChain<ExtendedF64>,
    max_bytes: usize,
    /// Whether the last query was answered by the extended chain.
    is_extended: bool,
}

/// A question that a chain answers in any number type.
trait Query {
    type Answer;

    fn answer<W: Weight>(
        &mut self,
        chain: &mut ComponentChain<W>,
        partition: &Partition,
        unconstrained: Unconstrained,
        budget: &mut Budget,
    ) -> Result<Self::Answer, CombineError>;
}

impl Chains {
    /// Answers in `f64`, and in [`ExtendedF64`] if the weights leave the range of an `f64`.
    fn answer<Q: Query>(
        &mut self,
        mut query: Q,
        partition: &Partition,
        unconstrained: Unconstrained,
        budget: &mut Budget,
    ) -> Result<Q::Answer, Contradiction> {
        let mut answer = query.answer(&mut self.narrow, partition, unconstrained, budget);
        self.is_extended = matches!(answer, Err(CombineError::OutOfRange));
        if self.is_extended {
            // Both chains together could take twice the memory limit.
            self.narrow = ComponentChain::within(self.max_bytes);
            let mut again = budget.sub_budget(budget.limit());
            answer = query.answer(&mut self.extended, partition, unconstrained, &mut again);
            budget.charge(again.used());
        }
        answer.map_err(CombineError::into_contradiction)
    }
}

impl Default for ProbabilitySolver {
    fn default() -> ProbabilitySolver {
        ProbabilitySolver::within(ComponentCounter::<f64>::MAX_BYTES)
    }
}

impl ProbabilitySolver {
    /// A solver whose counted components may take `max_bytes` together.
    pub fn within(max_bytes: usize) -> ProbabilitySolver {
        let (narrow, extended) =
            (ComponentChain::within(max_bytes), ComponentChain::within(max_bytes));
        ProbabilitySolver {
            partition: Partition::default(),
            chains: Chains { narrow, extended, max_bytes, is_extended: false },
            odds: Odds::default(),
        }
    }

    /// Computes the odds of `position`. `deducer` holds the fixed point of this position.
    ///
    /// # Errors
    /// [`Contradiction`] if there is no layout.
    pub fn run(
        &mut self,
        position: &Position,
        deducer: &Deducer,
        budget: &mut Budget,
    ) -> Result<&Odds, Contradiction> {
        let unconstrained = self.split(position, deducer);
        let query = AllOdds { odds: &mut self.odds, position, deducer };
        self.chains.answer(query, &self.partition, unconstrained, budget)?;
        Ok(&self.odds)
    }

    /// The odds of the last run.
    pub fn odds(&self) -> &Odds {
        &self.odds
    }

    /// Computes the least odds that [`ProbabilitySolver::run`] would find, and the number of
    /// layouts if it is counted exactly. Cheaper than a run. `deducer` holds the fixed point of
    /// `position`.
    ///
    /// # Errors
    /// [`Contradiction`] if there is no layout.
    pub fn min_mine_probability(
        &mut self,
        position: &Position,
        deducer: &Deducer,
        budget: &mut Budget,
    ) -> Result<(f64, Option<ExtendedF64>), Contradiction> {
        let unconstrained = self.split(position, deducer);
        let of_decided = if deducer.safe().is_empty() { 1.0 } else { 0.0 };
        self.chains.answer(MinOdds { of_decided }, &self.partition, unconstrained, budget)
    }

    /// Counts the layouts, without the odds of any cell. `None` if the number is not known exactly.
    /// `deducer` holds a result for `position`, which may have stopped at the first safe cell.
    ///
    /// # Errors
    /// [`Contradiction`] if there is no layout.
    pub fn layout_count(
        &mut self,
        position: &Position,
        deducer: &Deducer,
        budget: &mut Budget,
    ) -> Result<Option<ExtendedF64>, Contradiction> {
        let unconstrained = self.split(position, deducer);
        self.chains.answer(LayoutCount, &self.partition, unconstrained, budget)
    }

    fn split(&mut self, position: &Position, deducer: &Deducer) -> Unconstrained {
        self.partition.split(position.universe, deducer.groups());
        Unconstrained::new(position, deducer, &self.partition)
    }

    /// Computes approximate odds of a position that has no layout: every number counts as far as
    /// the others allow. They prove nothing.
    pub fn run_approximate(&mut self, position: &Position, budget: &mut Budget) -> &Odds {
        let groups = position.premises.iter().map(|premise| &premise.group);
        self.partition.split(position.universe, groups);
        self.odds.reset(position.universe);
        let mut probabilities = Vec::new();
        for component in self.partition.components() {
            let mut share = budget.sub_budget(budget.left() / 2);
            balance(
                self.partition.sizes(component),
                self.partition.constraints(component),
                &mut share,
                &mut probabilities,
            );
            budget.charge(share.used());
            for (cells, &probability) in self.partition.blocks(component).zip(&probabilities) {
                let probability = MineProbability::Approximate(probability);
                cells.iter().for_each(|&cell| self.odds.set(cell, probability));
            }
        }
        let density = f64::from(position.mines) / position.hidden.len().max(1) as f64;
        let density = MineProbability::Approximate(
            density.clamp(PROBABILITY_MARGIN, 1.0 - PROBABILITY_MARGIN),
        );
        self.odds.set_others(&position.hidden, density);
        &self.odds
    }

    /// The components of the last run.
    pub(super) fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Draws a layout of the components of the last run, which was exact. Returns the mines left
    /// for the unconstrained cells ([`ComponentChain::sample`]).
    pub(super) fn sample_components(
        &self,
        random: &mut Random,
        mines: &mut Vec<Cell>,
    ) -> Option<usize> {
        if self.chains.is_extended {
            self.chains.extended.sample(&self.partition, random, mines)
        } else {
            self.chains.narrow.sample(&self.partition, random, mines)
        }
    }
}

/// Asks for the odds of every hidden cell.
struct AllOdds<'a> {
    odds: &'a mut Odds,
    position: &'a Position,
    deducer: &'a Deducer,
}

impl Query for AllOdds<'_> {
    type Answer = ();

    fn answer<W: Weight>(
        &mut self,
        chain: &mut ComponentChain<W>,
        partition: &Partition,
        unconstrained: Unconstrained,
        budget: &mut Budget,
    ) -> Result<(), CombineError> {
        let AllOdds { odds, position, deducer } = self;
        // An attempt in a narrower type may have left values.
        odds.reset(position.universe);
        let mut visit = |cells: &[Cell], probability: MineProbability| {
            cells.iter().for_each(|&cell| odds.set(cell, probability));
        };
        visit(deducer.safe(), MineProbability::Safe);
        visit(deducer.mines(), MineProbability::Mine);
        let of_unconstrained = chain.run(partition, unconstrained, budget, &mut visit)?;
        odds.set_others(&position.hidden, of_unconstrained);
        odds.layouts = chain.layouts();
        odds.safe.sort_unstable();
        odds.mines.sort_unstable();
        Ok(())
    }
}

/// Asks for the least odds, and the number of layouts.
struct MinOdds {
    /// The least odds of the cells that deduction has decided.
    of_decided: f64,
}

impl Query for MinOdds {
    type Answer = (f64, Option<ExtendedF64>);

    fn answer<W: Weight>(
        &mut self,
        chain: &mut ComponentChain<W>,
        partition: &Partition,
        unconstrained: Unconstrained,
        budget: &mut Budget,
    ) -> Result<(f64, Option<ExtendedF64>), CombineError> {
        let mut min = self.of_decided;
        let mut visit =
            |_: &[Cell], probability: MineProbability| min = min.min(probability.value());
        let of_unconstrained = chain.run(partition, unconstrained, budget, &mut visit)?;
        if unconstrained.cells > 0 {
            min = min.min(of_unconstrained.value());
        }
        Ok((min, chain.layouts()))
    }
}

/// Asks for the number of layouts alone.
struct LayoutCount;

impl Query for LayoutCount {
    type Answer = Option<ExtendedF64>;

    fn answer<W: Weight>(
        &mut self,
        chain: &mut ComponentChain<W>,
        partition: &Partition,
        unconstrained: Unconstrained,
        budget: &mut Budget,
    ) -> Result<Option<ExtendedF64>, CombineError> {
        chain.layout_count(partition, unconstrained, budget)
    }
}
