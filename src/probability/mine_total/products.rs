//! Prefix and suffix products of the histograms of a chain, read as polynomials in the mines.
//!
//! Invariant: there is one boundary more than components, and boundary i lies between components
//! i-1 and i. For each number of mines that the components before a boundary can have together,
//! `prefix` and `suffix` have one value, both at the same index.
//!
//! Cost: for each component, its entries times those of the boundary before it, once for each
//! direction and once more for the weight outside.

use std::ops::Range;

use crate::board::group::MineCount;
use crate::deduction::groups::deduced::Deduced;
use crate::probability::component::Partition;
use crate::probability::frontier_dp::Histogram;
use crate::probability::weight::binomial::BinomialRow;
use crate::probability::weight::{OutOfRange, Weight};

/// The undecided cells that no group contains, and the mines that they share with the components.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unconstrained {
    /// The number of these cells.
    pub cells: usize,
    /// The mines in these cells and in the components together.
    pub mines_remaining: usize,
    /// What determines the mines in these cells.
    pub mine_count: MineCount,
}

impl Unconstrained {
    /// The cells outside of `partition`, the components of the groups of `deduced`.
    pub fn new(deduced: Deduced, partition: &Partition) -> Unconstrained {
        Unconstrained {
            cells: deduced.undecided_len() - partition.cells_len(),
            mines_remaining: deduced.mines_left() as usize,
            mine_count: deduced.position().mine_count,
        }
    }
}

/// The values at one place of the chain.
#[derive(Clone)]
struct Boundary {
    /// The range in `prefix` and `suffix`.
    values: Range<usize>,
    /// The mines before the boundary to which the first value belongs.
    min_mines: usize,
}

/// What the products of a chain take.
pub(super) struct Cost {
    /// Pairs of entries in one direction.
    pub(super) pairs: u64,
    /// Memory of all values.
    pub(super) bytes: u64,
}

/// The products of one chain after another, in reused memory.
#[derive(Default)]
pub(super) struct Products<W> {
    boundaries: Vec<Boundary>,
    prefix: Vec<W>,
    suffix: Vec<W>,
    /// The weights of the unconstrained cells at the last boundary, and their coefficients. The
    /// last of these is for the most mines that the components can leave.
    pub(super) row: BinomialRow,
    row_weights: Vec<W>,
}

impl<W: Weight> Products<W> {
    /// The cost for histograms of these lengths.
    pub(super) fn cost(histogram_lens: impl Iterator<Item = usize>) -> Cost {
        let (mut boundary_len, mut pairs, mut values) = (1_u64, 0, 0_u64);
        for len in histogram_lens {
            let len = len as u64;
            pairs += boundary_len * len;
            boundary_len += len.saturating_sub(1);
            values += 2 * boundary_len;
        }
        Cost { pairs, bytes: values.saturating_mul(size_of::<W>() as u64) }
    }

    /// Computes both products for a chain of these histograms, with the unconstrained cells at its
    /// end.
    ///
    /// # Errors
    /// [`OutOfRange`] when the type cannot hold the weights of the unconstrained cells.
    pub(super) fn compute(
        &mut self,
        histograms: &[Histogram<W>],
        unconstrained: Unconstrained,
    ) -> Result<(), OutOfRange> {
        self.compute_prefix(histograms);
        self.weigh_unconstrained(unconstrained)?;
        self.compute_suffix(histograms);
        Ok(())
    }

    fn compute_prefix(&mut self, histograms: &[Histogram<W>]) {
        self.boundaries.clear();
        self.prefix.clear();
        self.prefix.push(W::from_u64(1));
        let mut boundary = Boundary { values: 0..1, min_mines: 0 };
        for Histogram { min_mines, counts } in histograms {
            let end = boundary.values.end;
            let values = end..end + boundary.values.len() + counts.len() - 1;
            self.prefix.resize(values.end, W::ZERO);
            let (before, after) = self.prefix.split_at_mut(end);
            for (offset, count) in counts.iter().enumerate() {
                let before = &before[boundary.values.clone()];
                for (value, next) in before.iter().zip(&mut after[offset..]) {
                    *next = *next + *value * *count;
                }
            }
            let next = Boundary { values, min_mines: boundary.min_mines + min_mines };
            self.boundaries.push(std::mem::replace(&mut boundary, next));
        }
        self.boundaries.push(boundary);
    }

    /// Writes the suffix at the last boundary.
    fn weigh_unconstrained(&mut self, unconstrained: Unconstrained) -> Result<(), OutOfRange> {
        self.suffix.clear();
        self.suffix.resize(self.prefix.len(), W::ZERO);
        let Boundary { values, min_mines } = self.boundaries[self.boundaries.len() - 1].clone();
        // No layout exists if the components require more than all mines. Otherwise the value for m
        // mines in the components is C(cells, mines_remaining - m).
        if let Some(last) = unconstrained.mines_remaining.checked_sub(min_mines) {
            let first = last.saturating_sub(values.len() - 1);
            self.row = BinomialRow { n: unconstrained.cells, first, last };
            self.row.scaled_into(&mut self.row_weights)?;
            let weights = self.row_weights.iter().rev();
            for (value, weight) in self.suffix[values].iter_mut().zip(weights) {
                *value = *weight;
            }
        }
        Ok(())
    }

    fn compute_suffix(&mut self, histograms: &[Histogram<W>]) {
        for (index, Histogram { counts, .. }) in histograms.iter().enumerate().rev() {
            let values = self.boundaries[index].values.clone();
            let next_values = self.boundaries[index + 1].values.clone();
            let (before, after) = self.suffix.split_at_mut(next_values.start);
            for (offset, value) in before[values].iter_mut().enumerate() {
                for (count, next) in counts.iter().zip(&after[offset..]) {
                    *value = *value + *count * *next;
                }
            }
        }
    }

    /// Writes the weight of everything outside of one component, for each entry of its histogram.
    pub(super) fn weigh_outside(&self, component: usize, entries: usize, out: &mut Vec<W>) {
        out.clear();
        out.resize(entries, W::ZERO);
        let prefix = &self.prefix[self.boundaries[component].values.clone()];
        let suffix = self.suffix(component + 1);
        for (offset, weight) in out.iter_mut().enumerate() {
            for (before, after) in prefix.iter().zip(&suffix[offset..]) {
                *weight = *weight + *before * *after;
            }
        }
    }

    /// The suffix at one boundary.
    pub(super) fn suffix(&self, boundary: usize) -> &[W] {
        &self.suffix[self.boundaries[boundary].values.clone()]
    }

    /// The weights of all layouts by the entry at the last boundary.
    fn last_weights(&self) -> impl Iterator<Item = (W, W)> {
        let values = self.boundaries.last().map_or(0..0, |boundary| boundary.values.clone());
        let prefix = self.prefix[values.clone()].iter().copied();
        prefix.zip(self.suffix[values].iter().copied())
    }

    /// The weight of all layouts together.
    pub(super) fn total(&self) -> W {
        self.last_weights().fold(W::ZERO, |total, (before, after)| total + before * after)
    }

    /// The mines in the unconstrained cells if the components have `offset` mines more than their
    /// minimum. There must be a layout with this offset.
    pub(super) fn unconstrained_mines(&self, offset: usize) -> usize {
        self.row.last - offset
    }

    /// The weights of all layouts by the mines in the unconstrained cells. Numbers of mines without
    /// a layout are left out.
    pub(super) fn by_unconstrained_mines(&self) -> impl Iterator<Item = (usize, W)> {
        let possible = self.last_weights().enumerate().filter(|(_, (_, after))| !after.is_zero());
        possible.map(|(offset, (before, after))| (self.unconstrained_mines(offset), before * after))
    }
}
