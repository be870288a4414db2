//! The chain of components: counted, combined under the mine total, distributed to the cells, and
//! sampled.
//!
//! Small components are counted first, and each may use half of the nodes left, so that one that is
//! too large leaves enough for the next. A component that is refused gets balanced probabilities,
//! and a stand-in for its histogram; the probabilities of all others are then approximate as well.
//!
//! A random layout is drawn from the first component to the last. The suffix says how the mines of
//! a component are distributed, given those of the components before it.

use smallvec::SmallVec;

use crate::board::geometry::Cell;
use crate::board::group::MineCount;
use crate::kit::rng::Random;
use crate::probability::balance::balance;
use crate::probability::component::{Partition, Structure};
use crate::probability::frontier_dp::{
    ByteLimit, ComponentCounter, CountedComponent, Histogram, Refusal,
};
use crate::probability::mine_probability::MineProbability;
use crate::probability::mine_total::estimates::{
    ComponentMines, expected_mines, matching_density, stand_in,
};
use crate::probability::mine_total::products::{Products, Unconstrained};
use crate::probability::weight::binomial::Factorials;
use crate::probability::weight::{
    ExtendedF64, OutOfRange, Weight, sample_index, scaled_powers_into,
};
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
struct Link<W> {
    /// The index of the component in its partition.
    component: usize,
    counted: Result<CountedComponent, Refusal>,
    /// The balanced probabilities of its blocks, if it was refused as too large.
    approximate: Vec<f64>,
    /// The stand-in for its histogram, if it was refused as too large.
    stand_in: Vec<W>,
}

impl<W: Weight> Link<W> {
    /// The histogram of the component, which `counter` has counted.
    fn histogram<'a>(&'a self, counter: &'a ComponentCounter<W>) -> Histogram<'a, W> {
        match &self.counted {
            Ok(counted) => counter.histogram(counted),
            Err(_) => Histogram { min_mines: 0, counts: &self.stand_in },
        }
    }

    /// What is known of the mines in the component, which `counter` has counted unless it was
    /// refused.
    fn mines<'a>(
        &'a self,
        counter: &'a ComponentCounter<W>,
        partition: &Partition,
    ) -> ComponentMines<'a, W> {
        if self.approximate.is_empty() {
            return ComponentMines::Counted(self.histogram(counter));
        }
        let sizes = partition.sizes(&partition.components()[self.component]);
        ComponentMines::Expected(expected_mines(sizes, &self.approximate))
    }
}

/// The components of one position after another in one number type, in reused memory.
#[derive(Default)]
pub struct ComponentChain<W> {
    counter: ComponentCounter<W>,
    links: Vec<Link<W>>,
    products: Products<W>,
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
    /// The limit of the bytes of all components together.
    pub fn limit(&self) -> ByteLimit {
        self.counter.limit()
    }

    /// Sets the limit of the bytes of all components together.
    pub fn set_limit(&mut self, limit: ByteLimit) {
        self.counter.set_limit(limit);
    }

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
        (self.density, self.is_exact) = match unconstrained.mine_count {
            MineCount::Density(density) => (Some(density), true),
            // A stand-in makes the share of every other component approximate.
            MineCount::Exact if self.charge_products(budget).is_ok() => {
                (None, self.links.iter().all(|link| link.counted.is_ok()))
            }
            MineCount::Exact => (Some(self.matching_density(partition, unconstrained)), false),
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
            let counter = &mut self.counter;
            let counted =
                budget.lend(budget.left().div_ceil(2), |share| counter.count(structure, share));
            let mut approximate = Vec::new();
            if counted == Err(Refusal::TooLarge) {
                balance_budget.lend(balance_budget.left() / 2, |share| {
                    balance(structure.sizes, structure.constraints, share, &mut approximate);
                });
            }
            self.links.push(Link { component: index, counted, approximate, stand_in: Vec::new() });
        }
        self.add_stand_ins(partition, unconstrained);
    }

    /// Gives every component that was refused as too large a stand-in for its histogram.
    fn add_stand_ins(&mut self, partition: &Partition, unconstrained: Unconstrained) {
        if self.links.iter().all(|link| link.approximate.is_empty()) {
            return;
        }
        let density = match unconstrained.mine_count {
            MineCount::Density(density) => density,
            MineCount::Exact => self.matching_density(partition, unconstrained),
        };
        for link in self.links.iter_mut().filter(|link| !link.approximate.is_empty()) {
            let sizes = partition.sizes(&partition.components()[link.component]);
            link.stand_in = stand_in(sizes, &link.approximate, density);
        }
    }

    /// The density at which the components and the unconstrained cells have all mines on average.
    ///
    /// For a component that was not counted, the balanced probabilities give its mines.
    fn matching_density(&self, partition: &Partition, unconstrained: Unconstrained) -> f64 {
        let mines_of = |link| Link::mines(link, &self.counter, partition);
        let components: Vec<ComponentMines<W>> = self.links.iter().map(mines_of).collect();
        matching_density(&components, unconstrained)
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
        let fits = cost.bytes <= self.counter.bytes_left() as u64
            && W::PRODUCTS_PER_PAIR * cost.pairs <= COMBINE_PRODUCTS;
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
                let balanced = balanced_late(partition.structure(component), budget, approximate);
                return visit(cells, MineProbability::Approximate(balanced[block]));
            };
            let by_mines = weights.iter().copied().enumerate();
            let probability = MineProbability::from_weights(by_mines, cells.len());
            visit(cells, if self.is_exact { probability } else { probability.to_approximate() });
        });
    }

    /// Draws one layout of the components of the last exact run, each with the probability that all
    /// layouts give it, and appends its mines.
    ///
    /// Returns the mines left for the unconstrained cells. `None` if there is no layout to draw;
    /// the appended mines are then void.
    pub fn sample(
        &self,
        partition: &Partition,
        random: &mut Random,
        mines: &mut Vec<Cell>,
    ) -> Option<usize> {
        // The mines drawn so far beyond the fewest possible: an index at the current boundary.
        let mut offset = 0;
        for (index, link) in self.links.iter().enumerate() {
            let counted = link.counted.as_ref().ok()?;
            let component = &partition.components()[link.component];
            let Histogram { min_mines, counts } = self.counter.histogram(counted);
            let suffix = &self.products.suffix(index + 1)[offset..];
            let weights = counts.iter().zip(suffix).map(|(count, after)| *count * *after);
            let total = self.products.suffix(index)[offset];
            let entry = sample_index(weights, total, random)?;
            offset += entry;
            let in_component = (min_mines + entry) as u32;
            self.counter.sample(counted, in_component, random, |block, count, random| {
                choose_cells(partition.block(component, block), count, random, mines);
            })?;
        }
        Some(self.products.unconstrained_mines(offset))
    }
}

/// The balanced probabilities of a component that was counted, but cannot be distributed because
/// the hard deadline has passed. They are computed once, with the least work.
///
/// Node limits end well before the clock: this is for very slow machines only.
fn balanced_late<'a>(
    component: Structure,
    budget: &Budget,
    probabilities: &'a mut Vec<f64>,
) -> &'a [f64] {
    if probabilities.is_empty() {
        let Structure { sizes, constraints, .. } = component;
        balance(sizes, constraints, &mut budget.sub_budget(0), probabilities);
    }
    probabilities
}

/// Appends `count` of `cells`, every choice with equal probability: selection sampling (Knuth, The
/// Art of Computer Programming, volume 2, algorithm S).
fn choose_cells(cells: &[Cell], count: u32, random: &mut Random, chosen: &mut Vec<Cell>) {
    let mut remaining = count as usize;
    for (index, &cell) in cells.iter().enumerate() {
        if random.below(cells.len() - index) < remaining {
            remaining -= 1;
            chosen.push(cell);
        }
    }
}
