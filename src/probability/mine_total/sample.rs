//! A random layout of all components under the mine total.
//!
//! The suffix says how the mines of each component are distributed, given those of the components
//! before it; the edges of the count say it for the blocks of a component, from the last to the
//! first; the cells of a block are interchangeable.

use crate::board::geometry::Cell;
use crate::kit::rng::Random;
use crate::probability::component::Partition;
use crate::probability::frontier_dp::Histogram;
use crate::probability::mine_total::chain::ComponentChain;
use crate::probability::weight::{Weight, sample_index};

impl<W: Weight> ComponentChain<W> {
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
