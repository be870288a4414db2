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

use crate::base::budget::Budget;
use crate::base::params::PROBABILITY_MARGIN;
use crate::base::rng::Random;
use crate::board::geometry::Cell;
use crate::board::group::{Contradiction, Position};
use crate::deduction::deduced::Deduced;
use crate::probability::balance::balance;
use crate::probability::component::Partition;
use crate::probability::frontier_dp::ComponentCounter;
use crate::probability::mine_probability::MineProbability;
use crate::probability::mine_total::{CombineError, ComponentChain, Unconstrained};
use crate::probability::odds::Odds;
use crate::probability::weight::{ExtendedF64, Weight};

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

    /// Computes the odds of every hidden cell.
    ///
    /// # Errors
    /// [`Contradiction`] if there is no layout.
    pub fn run<'a>(
        &'a mut self,
        deduced: Deduced<'a>,
        budget: &mut Budget,
    ) -> Result<Counted<'a>, Contradiction> {
        let unconstrained = self.split(deduced);
        let query = AllOdds { odds: &mut self.odds, deduced };
        self.chains.answer(query, &self.partition, unconstrained, budget)?;
        Ok(Counted { deduced, solver: self })
    }

    /// Computes the least odds that [`ProbabilitySolver::run`] would find, and the number of
    /// layouts if it is counted exactly. Cheaper than a run.
    ///
    /// # Errors
    /// [`Contradiction`] if there is no layout.
    pub fn min_mine_probability(
        &mut self,
        deduced: Deduced,
        budget: &mut Budget,
    ) -> Result<(f64, Option<ExtendedF64>), Contradiction> {
        let unconstrained = self.split(deduced);
        let of_decided = if deduced.safe().is_empty() { 1.0 } else { 0.0 };
        self.chains.answer(MinOdds { of_decided }, &self.partition, unconstrained, budget)
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
        let unconstrained = self.split(deduced);
        self.chains.answer(LayoutCount, &self.partition, unconstrained, budget)
    }

    fn split(&mut self, deduced: Deduced) -> Unconstrained {
        self.partition.split(deduced.position().universe, deduced.groups());
        Unconstrained::new(deduced, &self.partition)
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
        let ProbabilitySolver { partition, chains, .. } = self.solver;
        if chains.is_extended {
            chains.extended.sample(partition, random, mines)
        } else {
            chains.narrow.sample(partition, random, mines)
        }
    }
}

/// Asks for the odds of every hidden cell.
struct AllOdds<'a> {
    odds: &'a mut Odds,
    deduced: Deduced<'a>,
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
        let AllOdds { odds, deduced } = self;
        // An attempt in a narrower type may have left values.
        odds.reset(deduced.position().universe);
        let mut visit = |cells: &[Cell], probability: MineProbability| odds.set(cells, probability);
        visit(deduced.safe(), MineProbability::Safe);
        visit(deduced.mines(), MineProbability::Mine);
        let of_unconstrained = chain.run(partition, unconstrained, budget, &mut visit)?;
        odds.set_others(&deduced.position().hidden, of_unconstrained);
        odds.finish(chain.layouts());
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
