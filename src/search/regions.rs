//! Regions: sets of undecided cells that only the mine total links with the others.
//!
//! Two undecided cells are linked if they are in one group, or next to each other, because the
//! number of one would then count the other. A *region* is a connected component of these links.
//! Opening cells in one region changes what is known about another region only through the number
//! of mines that are left for it.
//!
//! So a guess in one region can wait for the others: its cost stays the same, or falls if the
//! number of mines left for its region excludes some layouts. If there are several regions, the
//! guess is chosen in the largest, which gains least by waiting ([`crate::search::guess`]; results
//! page, R34).
//!
//! Invariant: every undecided cell is in exactly one region.
//!
//! Cost: a few steps for each neighbour of each undecided cell. No allocation once the memory has
//! grown.

use std::cmp::Reverse;

use crate::board::geometry::Cell;
use crate::board::group::Position;
use crate::deduction::propagation::padded_grid::PaddedGrid;

/// The label of a cell that is not undecided, and of one that is not reached yet.
const NOT_UNDECIDED: u32 = u32::MAX;
const NOT_REACHED: u32 = u32::MAX - 1;

/// The largest region of one position after another, in reused memory.
#[derive(Default)]
pub struct Regions {
    /// By padded index: cells that a chain of neighbours joins have the same label.
    labels: Vec<u32>,
    /// By label, the least label of the same region that is known; that label's own is itself.
    regions: Vec<u32>,
    /// By label, the number of cells of the region that may be safe.
    sizes: Vec<u32>,
    /// The least label of the largest region.
    largest: u32,
    /// Cells that were reached, and whose neighbours were not looked at yet.
    reached: Vec<usize>,
}

impl Regions {
    /// Finds the regions of `position`, all of whose hidden cells are undecided. The largest is the
    /// one with the most cells for which `may_be_safe` is true; of equal ones, the first in
    /// row-major order.
    pub fn find(
        &mut self,
        grid: &PaddedGrid,
        position: &Position,
        may_be_safe: impl Fn(Cell) -> bool,
    ) {
        self.label_cells(grid, position);
        let Regions { labels, regions, sizes, largest, .. } = self;
        for premise in &position.premises {
            let mut cells = premise.group.cells().iter().map(|&cell| labels[grid.index(cell)]);
            let Some(first) = cells.next() else { continue };
            cells.filter(|&label| label != first).for_each(|label| link(regions, first, label));
        }
        for label in 0..regions.len() {
            regions[label] = regions[regions[label] as usize];
        }
        sizes.clear();
        sizes.resize(regions.len(), 0);
        for &cell in position.hidden.iter().filter(|&&cell| may_be_safe(cell)) {
            sizes[regions[labels[grid.index(cell)] as usize] as usize] += 1;
        }
        // The labels are in row-major order of their first cells.
        let all = 0..regions.len() as u32;
        *largest = all.min_by_key(|&label| Reverse(sizes[label as usize])).unwrap_or(NOT_UNDECIDED);
    }

    /// Whether an undecided cell, by its padded index, is in the largest region.
    pub fn is_in_largest(&self, index: usize) -> bool {
        self.regions[self.labels[index] as usize] == self.largest
    }

    /// Gives each set of cells that neighbours join a label.
    fn label_cells(&mut self, grid: &PaddedGrid, position: &Position) {
        let Regions { labels, regions, reached, .. } = self;
        labels.clear();
        labels.resize(grid.index_count(), NOT_UNDECIDED);
        for &cell in &position.hidden {
            labels[grid.index(cell)] = NOT_REACHED;
        }
        regions.clear();
        for &cell in &position.hidden {
            let first = grid.index(cell);
            if labels[first] != NOT_REACHED {
                continue;
            }
            let label = regions.len() as u32;
            regions.push(label);
            labels[first] = label;
            reached.push(first);
            while let Some(index) = reached.pop() {
                for (other, _) in grid.neighbours(index) {
                    if labels[other] == NOT_REACHED {
                        labels[other] = label;
                        reached.push(other);
                    }
                }
            }
        }
    }
}

/// Joins the regions of two labels.
fn link(regions: &mut [u32], a: u32, b: u32) {
    let (a, b) = (least_label(regions, a), least_label(regions, b));
    regions[a.max(b) as usize] = a.min(b);
}

/// The least known label of the region of `label`.
fn least_label(regions: &[u32], mut label: u32) -> u32 {
    while regions[label as usize] != label {
        label = regions[label as usize];
    }
    label
}
