//! The chain of components: counted, combined under the mine total, and distributed to the cells.
//!
//! Small components are counted first, and each may use half of the nodes left, so that one that is
//! too large leaves enough for the next. A component that is refused gets balanced probabilities,
//! and a stand-in for its histogram; the probabilities of all others are then approximate as well.

use smallvec::SmallVec;

use crate::board::geometry::Cell;
use crate::board::group::Outside;
use crate::probability::balance::balance;
use crate::probability::component::{Partition, Structure};
use crate::probability::frontier_dp::{ComponentCounter, CountedComponent, Histogram, Refusal};
use crate::probability::mine_probability::MineProbability;
use crate::probability::mine_total::products::{Products, Unconstrained};
use crate::probability::mine_total::stand_in::stand_in;
use crate::probability::weight::binomial::Factorials;
use crate::probability::weight::{ExtendedF64, OutOfRange, Weight, scaled_powers_into};
use crate::settings::budget::Budget;
use crate::settings::params::{BALANCE_NODES, COMBINE_PRODUCTS};

/// The reason why components were not combined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CombineError {
    /// The number type cannot hold the weights. The computation must be repeated in a wider one.
    OutOfRange,
    /// These cells have no layout, or all together have none if the list is empty.
    NoLayout(Vec<Cell>),
}

/// One component of the chain.
pub(super) struct Link<W> {
    /// The index of the component in its partition.
    pub(super) component: usize,
    pub(super) counted: Result<CountedComponent, Refusal>,
    /// The balanced probabilities of its blocks, if it was refused as too large.
    pub(super) approximate: Vec<f64>,
    /// The stand-in for its histogram, if it was refused as too large.
    stand_in: Vec<W>,
}

impl<W: Weight> Link<W> {
    /// The histogram of the component, which `counter` has counted.
    pub(super) fn histogram<'a>(&'a self, counter: &'a ComponentCounter<W>) -> Histogram<'a, W> {
        match &self.counted {
            Ok(counted) => counter.histogram(counted),
            Err(_) => Histogram { min_mines: 0, counts: &self.stand_in },
        }
    }
}

/// The components of one position after another in one number type, in reused memory.
#[derive(Default)]
pub struct ComponentChain<W> {
    pub(in crate::probability) counter: ComponentCounter<W>,
    pub(super) links: Vec<Link<W>>,
    pub(super) products: Products<W>,
    factorials: Factorials,
    /// The mine density of the cells outside a component; `None` if the products give their weight.
    density: Option<f64>,
    /// The powers of the odds of `density`.
    powers: Vec<W>,
    /// Whether all probabilities are exact.
    is_exact: bool,
    outside: Vec<W>,
    /// The indices of the components, those with few blocks first.
    order: Vec<usize>,
}

impl<W: Weight> ComponentChain<W> {
    /// Counts all components, and combines them under the total.
    ///
    /// If the budget ends before a component is counted, the probabilities are approximate. If
    /// combining exceeds its limit, a density replaces the total, and the probabilities are
    /// approximate as well.
    ///
    /// Returns the number of layouts up to rounding, or `None` if it is not known exactly.
    ///
    /// # Errors
    /// [`CombineError`].
    pub fn combine(
        &mut self,
        partition: &Partition,
        unconstrained: Unconstrained,
        budget: &mut Budget,
    ) -> Result<Option<ExtendedF64>, CombineError> {
        self.count_components(partition, unconstrained, budget);
        let no_layout = self.links.iter().find(|link| link.counted == Err(Refusal::NoLayout));
        if let Some(link) = no_layout {
            let component = &partition.components()[link.component];
            return Err(CombineError::NoLayout(partition.cells(component).to_vec()));
        }
        (self.density, self.is_exact) = match unconstrained.outside {
            Outside::Density(density) => (Some(density), true),
            // A stand-in makes the share of every other component approximate.
            Outside::Total if self.charge_products(budget).is_ok() => {
                (None, self.links.iter().all(|link| link.counted.is_ok()))
            }
            Outside::Total => (Some(self.matching_density(partition, unconstrained)), false),
        };
        let histograms: SmallVec<[Histogram<W>; 8]> =
            self.links.iter().map(|link| link.histogram(&self.counter)).collect();
        if !histograms.iter().flat_map(|one| one.counts).all(|count| count.is_in_range()) {
            return Err(CombineError::OutOfRange);
        }
        if let Some(density) = self.density {
            let longest = histograms.iter().map(|one| one.counts.len()).max().unwrap_or(0);
            let odds = density / (1.0 - density);
            let scaled = scaled_powers_into(odds, longest, &mut self.powers);
            return scaled.map(|()| None).map_err(|OutOfRange| CombineError::OutOfRange);
        }
        let products = self.products.compute(&histograms, unconstrained);
        products.map_err(|OutOfRange| CombineError::OutOfRange)?;
        let total = self.products.total();
        if !total.is_in_range() {
            return Err(CombineError::OutOfRange);
        }
        if total.is_zero() {
            return Err(CombineError::NoLayout(Vec::new()));
        }
        let layouts = || total.to_extended() * self.factorials.peak(self.products.row);
        Ok(self.is_exact.then(layouts))
    }

    /// Passes the cells of every block to `visit` with their mine probability, after
    /// [`ComponentChain::combine`].
    ///
    /// Returns the mine probability of an unconstrained cell.
    pub fn distribute(
        &mut self,
        partition: &Partition,
        unconstrained: Unconstrained,
        budget: &Budget,
        visit: &mut dyn FnMut(&[Cell], MineProbability),
    ) -> MineProbability {
        for index in 0..self.links.len() {
            let entries = self.links[index].histogram(&self.counter).counts.len();
            if self.density.is_some() {
                self.outside.clear();
                self.outside.extend_from_slice(&self.powers[..entries]);
            } else {
                self.products.weigh_outside(index, entries, &mut self.outside);
            }
            self.distribute_link(index, partition, budget, visit);
        }
        let probability = match self.density {
            Some(density) => MineProbability::Exact(density),
            None if unconstrained.cells == 0 => MineProbability::Safe,
            None => {
                let weights = self.products.by_unconstrained_mines();
                MineProbability::from_weights(weights, unconstrained.cells)
            }
        };
        if self.is_exact { probability } else { probability.to_approximate() }
    }

    /// Counts every component, the small ones first.
    fn count_components(
        &mut self,
        partition: &Partition,
        unconstrained: Unconstrained,
        budget: &mut Budget,
    ) {
        self.counter.begin();
        self.links.clear();
        let components = partition.components();
        self.order.clear();
        self.order.extend(0..components.len());
        self.order.sort_unstable_by_key(|&index| {
            let component = &components[index];
            (partition.sizes(component).len(), component.rank)
        });
        let mut balance_budget = budget.sub_budget(BALANCE_NODES);
        for &index in &self.order {
            let component = &components[index];
            let structure = partition.structure(component);
            let counted = budget
                .lend(budget.left().div_ceil(2), |share| self.counter.count(structure, share));
            let (mut approximate, stand_in) = (Vec::new(), Vec::new());
            if counted == Err(Refusal::TooLarge) {
                balance_budget.lend(balance_budget.left() / 2, |share| {
                    balance(structure.sizes, structure.constraints, share, &mut approximate);
                });
            }
            self.links.push(Link { component: index, counted, approximate, stand_in });
        }
        self.add_stand_ins(partition, unconstrained);
    }

    /// Gives every component that was refused as too large a stand-in for its histogram.
    fn add_stand_ins(&mut self, partition: &Partition, unconstrained: Unconstrained) {
        if self.links.iter().all(|link| link.approximate.is_empty()) {
            return;
        }
        let density = match unconstrained.outside {
            Outside::Density(density) => density,
            Outside::Total => self.matching_density(partition, unconstrained),
        };
        for link in self.links.iter_mut().filter(|link| !link.approximate.is_empty()) {
            let sizes = partition.sizes(&partition.components()[link.component]);
            link.stand_in = stand_in(sizes, &link.approximate, density);
        }
    }

    /// Charges the nodes of the products to the budget.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`] when they exceed their own limit or the memory that the counted
    /// components leave, or the hard deadline has passed. Then nothing is charged.
    fn charge_products(&self, budget: &mut Budget) -> Result<(), Refusal> {
        let lens = self.links.iter().map(|link| link.histogram(&self.counter).counts.len());
        let cost = Products::<W>::cost(lens);
        // Prefix, suffix, and the weight outside of every component.
        let fits =
            cost.bytes <= self.counter.bytes_left() as u64 && 3 * cost.pairs <= COMBINE_PRODUCTS;
        if !fits || budget.check_clock().is_err() {
            return Err(Refusal::TooLarge);
        }
        budget.charge(W::NODES_PER_PAIR * cost.pairs);
        Ok(())
    }

    /// Passes the blocks of one component to `visit`, given the weight outside of it.
    fn distribute_link(
        &mut self,
        index: usize,
        partition: &Partition,
        budget: &Budget,
        visit: &mut dyn FnMut(&[Cell], MineProbability),
    ) {
        let Link { component, counted, approximate, .. } = &mut self.links[index];
        let component = &partition.components()[*component];
        let Ok(counted) = counted else {
            for (cells, &probability) in partition.blocks(component).zip(&*approximate) {
                visit(cells, MineProbability::Approximate(probability));
            }
            return;
        };
        self.counter.distribute(counted, &self.outside, budget, |block, weights| {
            let cells = partition.block(component, block);
            let Some(weights) = weights else {
                // Node limits end well before the clock: this is for very slow machines only.
                if approximate.is_empty() {
                    let Structure { sizes, constraints, .. } = partition.structure(component);
                    balance(sizes, constraints, &mut budget.sub_budget(0), approximate);
                }
                return visit(cells, MineProbability::Approximate(approximate[block]));
            };
            let by_mines = weights.iter().copied().enumerate();
            let probability = MineProbability::from_weights(by_mines, cells.len());
            visit(cells, if self.is_exact { probability } else { probability.to_approximate() });
        });
    }
}
