//! Components under one mine total: what each counts for when the mines are shared out.
//!
//! Every layout that fits the numbers and the total is equally likely. A component that holds k
//! mines leaves the rest to others, so its layouts with k mines weigh as much as the ways to lay the
//! remaining mines elsewhere: in the other components, and in the R cells that no number sees, C(R,
//! remaining) ways. With the components in a row, let *before* count the ways of those already
//! passed by mines used, and *after* weigh what is still to come, the unseen cells included:
//!
//! ```text
//!   component 1    component 2    component 3     unseen cells
//!   before ───────►   [k]   ◄─────────────────────────── after
//!        outside(k) = sum over m of before(m) x after(m + k)
//! ```
//!
//! Then `outside` is handed to [`ComponentCounter::distribute`], which spreads it over the cells.
//!
//! One file, because both chains, the shares and the stand-ins are read off the same row.
//!
//! Invariant: `before` and `after` have one stage more than there are components, stage i lying
//! between components i-1 and i; both hold, at the same places, one value for each number of mines that the
//! components before the stage can hold together.
//!
//! A component that is too large to count gets the odds of [`crate::probability::balance`], and stands in the
//! row with a made-up histogram around its expected mines, nowhere zero, so that nothing is taken for
//! proven on its account.

use std::ops::Range;

use crate::base::budget::Budget;
use crate::base::elementary::ln;
use crate::base::params::{BALANCE_NODES, COMBINE_PRODUCTS};
use crate::board::geometry::Cell;
use crate::board::group::{Contradiction, Outside, Position};
use crate::deduction::deducer::{Deducer, Reach};
use crate::probability::balance::balance;
use crate::probability::component::Partition;
use crate::probability::frontier_dp::{ComponentCounter, CountedComponent, Refusal};
use crate::probability::mine_probability::MineProbability;
use crate::probability::weight::{Exact, ExtendedF64, Factorials, Weight};

/// Why there is no outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CombineError {
    /// The number type cannot hold the weights: do it again in a wider one.
    TooNarrow,
    /// No layout fits these cells, or the whole where there are none.
    NoLayout(Vec<Cell>),
}

impl CombineError {
    /// What is wrong with the position, after the widest type was tried.
    pub fn contradiction(self) -> Contradiction {
        match self {
            CombineError::NoLayout(cells) => Contradiction { cells, mines: None },
            // The widest type refuses nothing; if it did, there would be no odds either.
            CombineError::TooNarrow => Contradiction { cells: Vec::new(), mines: None },
        }
    }
}

/// What is outside all components.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unconstrained {
    /// Undecided cells that no group holds.
    pub unseen: usize,
    /// Mines in the components and the unseen cells together.
    pub mines: usize,
    /// How the two share them.
    pub outside: Outside,
}

impl Unconstrained {
    /// What `deducer` left of `position` outside the components of its groups.
    pub fn of(position: &Position, deducer: &Deducer, partition: &Partition) -> Unconstrained {
        let decided = deducer.safe().len() + deducer.mines().len();
        let unseen = position.hidden.len() - partition.cells_len() - decided;
        Unconstrained { unseen, mines: deducer.mines_left() as usize, outside: position.outside }
    }
}

/// One component in the row.
pub(crate) struct Part {
    pub(crate) component: usize,
    pub(crate) counted: Result<CountedComponent, Refusal>,
    /// Its place in `histograms`; the first entry is for `fewest` mines.
    pub(crate) histogram: Range<usize>,
    pub(crate) fewest: usize,
    /// Approximate odds of its blocks, where it was refused.
    rough: Vec<f64>,
}

/// A place between two components: its values in `before` and `after`, the first for `fewest` mines.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) values: Range<usize>,
    pub(crate) fewest: usize,
}

/// The components in a row, in one number type. Reused from one position to the next.
pub struct ComponentChain<W> {
    pub(crate) counter: ComponentCounter<W>,
    pub(crate) parts: Vec<Part>,
    pub(crate) histograms: Vec<W>,
    pub(crate) stages: Vec<Stage>,
    before: Vec<W>,
    pub(crate) after: Vec<W>,
    /// Mines in the components and the unseen cells together.
    pub(crate) mines: usize,
    /// The arguments of the binomials that `after` begins with, from which its common factor follows.
    binomials: (usize, usize, usize),
    factorials: Factorials,
    layouts: Option<ExtendedF64>,
    scratch: Vec<W>,
    order: Vec<(u32, u32, u32)>,
}

impl<W: Weight> Default for ComponentChain<W> {
    fn default() -> ComponentChain<W> {
        ComponentChain {
            counter: ComponentCounter::default(),
            parts: Vec::new(),
            histograms: Vec::new(),
            stages: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            mines: 0,
            binomials: (0, 0, 0),
            factorials: Factorials::default(),
            layouts: None,
            scratch: Vec::new(),
            order: Vec::new(),
        }
    }
}

impl<W: Weight> ComponentChain<W> {
    /// A row whose components may take `max_bytes` together.
    pub fn within(max_bytes: usize) -> ComponentChain<W> {
        ComponentChain { counter: ComponentCounter::within(max_bytes), ..ComponentChain::default() }
    }

    /// Counts and combines all components; `visit` gets the cells of every block with their chance.
    ///
    /// Returns the chance of an unseen cell. Where the budget ends before a component is counted, that
    /// component's chances are rough; where it ends before all are combined, the total is taken as a density and
    /// every chance is rough.
    ///
    /// # Errors
    /// [`CombineError`]; `visit` may have been called, and what it was given is void.
    pub fn run(
        &mut self,
        partition: &Partition,
        rest: Unconstrained,
        budget: &mut Budget,
        visit: &mut dyn FnMut(&[Cell], MineProbability),
    ) -> Result<MineProbability, CombineError> {
        let (density, exact) = self.prepare(partition, rest, budget)?;
        for place in 0..self.parts.len() {
            if !self.weigh_outside(place, density) {
                return Err(CombineError::TooNarrow);
            }
            self.spread(place, partition, exact, budget, visit);
        }
        let unseen = density.map_or_else(|| self.unseen_chance(rest), MineProbability::Odds);
        Ok(if exact { unseen } else { unseen.approximated() })
    }

    /// Counts and combines all components without looking at any cell.
    ///
    /// Returns the number of layouts, or `None` where it is not known exactly.
    ///
    /// # Errors
    /// [`CombineError`].
    pub fn layout_count(
        &mut self,
        partition: &Partition,
        rest: Unconstrained,
        budget: &mut Budget,
    ) -> Result<Option<ExtendedF64>, CombineError> {
        self.prepare(partition, rest, budget)?;
        Ok(self.layouts)
    }

    /// The number of layouts of the last run, up to rounding, where it was counted exactly.
    pub fn layouts(&self) -> Option<ExtendedF64> {
        self.layouts
    }

    /// Counts and chains. Returns the density that stands for the total, if one does, and whether what
    /// follows is exact.
    fn prepare(
        &mut self,
        partition: &Partition,
        rest: Unconstrained,
        budget: &mut Budget,
    ) -> Result<(Option<f64>, bool), CombineError> {
        self.layouts = None;
        self.mines = rest.mines;
        self.count(partition, rest, budget);
        for part in &self.parts {
            if part.counted == Err(Refusal::NoLayout) {
                let component = &partition.components()[part.component];
                return Err(CombineError::NoLayout(partition.cells(component).to_vec()));
            }
        }
        let (density, exact) = match rest.outside {
            Outside::Density(density) => (Some(density), true),
            Outside::Total if self.may_combine(budget) => {
                // A made-up histogram in the row makes every share of the total a rough one.
                (None, self.parts.iter().all(|part| part.counted.is_ok()))
            }
            Outside::Total => (Some(self.most_likely_density(partition, rest)), false),
        };
        if !self.histograms.iter().all(|count| count.is_sound()) {
            return Err(CombineError::TooNarrow);
        }
        if density.is_none() {
            self.chain_before();
            if !self.chain_after(rest) {
                return Err(CombineError::TooNarrow);
            }
            let total = self.total();
            if !total.is_sound() {
                return Err(CombineError::TooNarrow);
            }
            if total.is_zero() {
                return Err(CombineError::NoLayout(Vec::new()));
            }
            let (cells, first, last) = self.binomials;
            let factor = || self.factorials.scaled_by(cells, first, last);
            self.layouts = exact.then(factor).map(|factor| total.wide().times(factor));
        }
        Ok((density, exact))
    }

    /// The weight of all layouts together, after both chains were made.
    fn total(&self) -> W {
        let mut total = W::ZERO;
        for (before, after) in self.end(&self.before).iter().zip(self.end(&self.after)) {
            total = total.plus(before.times(*after));
        }
        total
    }

    fn end<'v>(&self, values: &'v [W]) -> &'v [W] {
        self.stages.last().map_or(&[], |stage| &values[stage.values.clone()])
    }

    /// Counts every component, the small ones first.
    fn count(&mut self, partition: &Partition, rest: Unconstrained, budget: &mut Budget) {
        self.counter.clear();
        self.parts.clear();
        self.histograms.clear();
        let components = partition.components();
        self.order.clear();
        for (index, component) in components.iter().enumerate() {
            self.order.push((partition.sizes(component).len() as u32, index as u32, 0));
        }
        self.order.sort_unstable();
        let mut for_rough = budget.sub_budget(BALANCE_NODES);
        for &(_, index, _) in &self.order {
            let index = index as usize;
            let component = &components[index];
            let (sizes, constraints) =
                (partition.sizes(component), partition.constraints(component));
            // Half of what is left, so that a component that is too large leaves enough for the next.
            let mut share = budget.sub_budget(budget.left().div_ceil(2));
            let counted = self.counter.count(sizes, constraints, &mut share);
            budget.charge(share.used());
            let start = self.histograms.len();
            let mut fewest = 0;
            let mut rough = Vec::new();
            match &counted {
                Ok(counted) => {
                    let (first, histogram) = self.counter.histogram(counted);
                    fewest = first as usize;
                    self.histograms.extend_from_slice(histogram);
                }
                Err(Refusal::TooLarge) => {
                    let mut share = for_rough.sub_budget(for_rough.left() / 2);
                    balance(sizes, constraints, &mut share, &mut rough);
                    for_rough.charge(share.used());
                }
                Err(Refusal::NoLayout) => {}
            }
            let histogram = start..self.histograms.len();
            self.parts.push(Part { component: index, counted, histogram, fewest, rough });
        }
        self.stand_in(partition, rest);
    }

    /// Makes up a histogram for every component that was refused.
    fn stand_in(&mut self, partition: &Partition, rest: Unconstrained) {
        if self.parts.iter().all(|part| part.rough.is_empty()) {
            return;
        }
        let density = match rest.outside {
            Outside::Density(density) => density,
            Outside::Total => self.most_likely_density(partition, rest),
        };
        for part in self.parts.iter_mut().filter(|part| !part.rough.is_empty()) {
            let sizes = partition.sizes(&partition.components()[part.component]);
            let start = self.histograms.len();
            make_up_histogram(sizes, &part.rough, density, &mut self.histograms);
            part.histogram = start..self.histograms.len();
        }
    }

    /// Whether combining fits its own limit, and its stages fit the memory beside the counted components; then it is paid.
    fn may_combine(&self, budget: &mut Budget) -> bool {
        let (mut behind, mut pairs, mut values) = (1_u64, 0, 0);
        for part in &self.parts {
            let entries = part.histogram.len() as u64;
            pairs += behind * entries;
            behind += entries.saturating_sub(1);
            values += 2 * behind;
        }
        let bytes = values.saturating_mul(size_of::<W>() as u64);
        let left = self.counter.max_bytes().saturating_sub(self.counter.bytes());
        // From both ends, and once more for every part between them.
        let fits =
            bytes <= left as u64 && 3 * pairs <= COMBINE_PRODUCTS && budget.check_clock().is_ok();
        if fits {
            budget.charge(W::NODES_PER_PAIR * pairs);
        }
        fits
    }

    /// The density under which the components and the unseen cells hold, on average, all mines.
    ///
    /// It stands for the total where combining is too dear. A refused component holds what balancing says.
    /// Cost: 24 walks over all histograms.
    fn most_likely_density(&self, partition: &Partition, rest: Unconstrained) -> f64 {
        let mean_mines = |density: f64| {
            let odds = ExtendedF64::from_f64(density / (1.0 - density));
            let of_components: f64 = self
                .parts
                .iter()
                .map(|part| {
                    if !part.rough.is_empty() {
                        let sizes = partition.sizes(&partition.components()[part.component]);
                        return moments(sizes, &part.rough).0;
                    }
                    let (mut sum, mut mines) = (ExtendedF64::ZERO, ExtendedF64::ZERO);
                    let mut power = ExtendedF64::whole(1);
                    for (k, count) in self.histograms[part.histogram.clone()].iter().enumerate() {
                        let weight = count.wide().times(power);
                        sum = sum.plus(weight);
                        mines = mines.plus(weight.times(ExtendedF64::whole(k as u64)));
                        power = power.times(odds);
                    }
                    part.fewest as f64 + mines.share_of(sum)
                })
                .sum();
            of_components + density * rest.unseen as f64
        };
        // The mean grows with the density.
        let (mut low, mut high) = (1e-6, 1.0 - 1e-6);
        for _ in 0..24 {
            let middle = (low + high) / 2.0;
            if mean_mines(middle) < rest.mines as f64 { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    }

    fn chain_before(&mut self) {
        self.stages.clear();
        self.before.clear();
        self.before.push(W::whole(1));
        self.stages.push(Stage { values: 0..1, fewest: 0 });
        for part in &self.parts {
            let here = self.stages[self.stages.len() - 1].clone();
            let histogram = &self.histograms[part.histogram.clone()];
            let end = here.values.end;
            let values = end..end + here.values.len() + histogram.len() - 1;
            self.before.resize(values.end, W::ZERO);
            let (behind, ahead) = self.before.split_at_mut(end);
            for (offset, count) in histogram.iter().enumerate() {
                for (value, next) in behind[here.values.clone()].iter().zip(&mut ahead[offset..]) {
                    *next = next.plus(value.times(*count));
                }
            }
            self.stages.push(Stage { values, fewest: here.fewest + part.fewest });
        }
    }

    /// Weighs the unseen cells at the end of the row and walks back. False: too narrow a type.
    fn chain_after(&mut self, rest: Unconstrained) -> bool {
        self.after.clear();
        self.after.resize(self.before.len(), W::ZERO);
        let end = self.stages[self.stages.len() - 1].clone();
        // The entry for m mines in the components is C(unseen, mines - m); with more than all
        // mines there is no way.
        if rest.mines >= end.fewest {
            let most_left = rest.mines - end.fewest;
            let fewest_left = most_left.saturating_sub(end.values.len() - 1);
            self.binomials = (rest.unseen, fewest_left, most_left);
            if !W::binomials(rest.unseen, fewest_left, most_left, &mut self.scratch) {
                return false;
            }
            for (place, weight) in self.after[end.values].iter_mut().zip(self.scratch.iter().rev())
            {
                *place = *weight;
            }
        }
        for place in (0..self.parts.len()).rev() {
            let histogram = &self.histograms[self.parts[place].histogram.clone()];
            let here = self.stages[place].values.clone();
            let next = self.stages[place + 1].values.clone();
            let (behind, ahead) = self.after.split_at_mut(next.start);
            for (offset, value) in behind[here].iter_mut().enumerate() {
                for (count, after) in histogram.iter().zip(&ahead[offset..]) {
                    *value = value.plus(count.times(*after));
                }
            }
        }
        true
    }

    /// Writes the weight of everything outside a component, by its mines, to `scratch`.
    fn weigh_outside(&mut self, place: usize, density: Option<f64>) -> bool {
        let len = self.parts[place].histogram.len();
        if let Some(density) = density {
            return W::powers(density / (1.0 - density), len, &mut self.scratch);
        }
        self.scratch.clear();
        self.scratch.resize(len, W::ZERO);
        let before = &self.before[self.stages[place].values.clone()];
        let after = &self.after[self.stages[place + 1].values.clone()];
        for (offset, weight) in self.scratch.iter_mut().enumerate() {
            for (before, after) in before.iter().zip(&after[offset..]) {
                *weight = weight.plus(before.times(*after));
            }
        }
        true
    }

    fn spread(
        &mut self,
        place: usize,
        partition: &Partition,
        exact: bool,
        budget: &Budget,
        visit: &mut dyn FnMut(&[Cell], MineProbability),
    ) {
        let part = &mut self.parts[place];
        let component = &partition.components()[part.component];
        let (sizes, constraints) = (partition.sizes(component), partition.constraints(component));
        let Ok(counted) = &part.counted else {
            for (cells, &odds) in partition.blocks(component).zip(&part.rough) {
                visit(cells, MineProbability::Approximate(odds));
            }
            return;
        };
        let missed = self.counter.distribute(counted, &self.scratch, budget, |block, by_mines| {
            let cells = partition.block(component, block);
            let weights = by_mines.iter().copied().enumerate();
            let chance = MineProbability::from_weights(weights, cells.len());
            visit(cells, if exact { chance } else { chance.approximated() });
        });
        // The clock ends it early only on a machine slower than anybody measured.
        if missed > 0 {
            balance(sizes, constraints, &mut budget.sub_budget(0), &mut part.rough);
            for block in self.counter.blocks(counted).take(missed) {
                visit(
                    partition.block(component, block),
                    MineProbability::Approximate(part.rough[block]),
                );
            }
        }
    }

    fn unseen_chance(&self, rest: Unconstrained) -> MineProbability {
        let Some(end) = self.stages.last().filter(|_| rest.unseen > 0) else {
            return MineProbability::Safe;
        };
        let pairs = self.end(&self.before).iter().zip(self.end(&self.after));
        let weights = pairs.enumerate().filter(|(_, (_, after))| !after.is_zero());
        let by_mines = weights.map(|(offset, (before, after))| {
            (rest.mines - end.fewest - offset, before.times(*after))
        });
        MineProbability::from_weights(by_mines, rest.unseen)
    }
}

/// Stands in for a component that was not counted: nowhere zero, for every number of mines from none
/// to all cells.
///
/// Balanced odds say how many mines the component holds under the total, so it is the product with what
/// the other cells weigh that is made a bell around them. By one mine more in the component, the
/// others' layouts become fewer by about density / (1 - density), with the density of the unseen cells; the
/// stand-in makes up for that.
fn make_up_histogram<W: Weight>(sizes: &[u32], odds: &[f64], density: f64, histogram: &mut Vec<W>) {
    let (mean, variance) = moments(sizes, odds);
    let cells: u32 = sizes.iter().sum();
    let density = density.clamp(0.001, 0.999);
    let slope = ln(density / (1.0 - density));
    let ln_weight = |mines: u32| {
        let apart = f64::from(mines) - mean;
        -apart * apart / (2.0 * variance) - apart * slope
    };
    let top = (0..=cells).map(ln_weight).fold(f64::NEG_INFINITY, f64::max);
    histogram.extend((0..=cells).map(|mines| W::bell(ln_weight(mines) - top)));
}

/// The expected mines of blocks whose cells have these odds, and their variance if they were independent.
fn moments(sizes: &[u32], odds: &[f64]) -> (f64, f64) {
    let each = sizes.iter().zip(odds).map(|(&size, &chance)| (f64::from(size), chance));
    each.fold((0.0, 0.0), |(mean, variance), (size, chance)| {
        (mean + size * chance, variance + size * chance * (1.0 - chance))
    })
}

/// The number of layouts of `position`, or `None` where it passes 2^128.
///
/// # Errors
/// [`Refusal`] when a component is too large, or when no layout fits.
pub fn layouts(position: &Position, budget: &mut Budget) -> Result<Option<u128>, Refusal> {
    let mut deducer = Deducer::new();
    deducer.run(position, Reach::FixedPoint).map_err(|_| Refusal::NoLayout)?;
    let mut partition = Partition::default();
    partition.split(position.universe, deducer.groups());
    let rest = Unconstrained::of(position, &deducer, &partition);
    let mut row = ComponentChain::<Exact>::default();
    row.count(&partition, rest, budget);
    if let Some(part) = row.parts.iter().find(|part| part.counted.is_err()) {
        return Err(part.counted.clone().err().unwrap_or(Refusal::TooLarge));
    }
    row.chain_before();
    if !row.chain_after(rest) {
        return Ok(None);
    }
    match row.total() {
        total if total.is_zero() => Err(Refusal::NoLayout),
        total => Ok(total.0),
    }
}
