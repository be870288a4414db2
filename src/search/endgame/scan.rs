//! The cells of a set of layouts: which are informative, how they split it, and which is safe.
//!
//! A cell is *informative* if it shows different values in the layouts of the set. Cells that split
//! a set in the same way are one branch.

use crate::kit::rng::mix;
use crate::search::endgame::layouts::{Layouts, MINE};
use crate::search::endgame::set_table::LayoutKeys;

/// A cell that splits a set of layouts.
#[derive(Clone, Copy)]
pub struct Branch {
    pub cell: u32,
    /// Layouts of the set in which it is a mine.
    pub mined: u32,
    /// A lower bound on the cost of opening it.
    pub lower: u32,
    /// The sum of the squares of the parts' sizes: the smaller, the more informative the cell.
    pub spread: u64,
    /// A hash of the partition, the same for cells that split the set in the same way.
    pub partition: u64,
}

/// The result of a scan of a set's cells.
pub enum Scan {
    /// This cell is safe in all layouts of the set, and informative.
    SafeCell(u32),
    /// Every informative cell may be a mine. The branches were pushed, by increasing mines.
    Guess,
}

/// Scans the cells of one set after another, in reused memory.
///
/// Cost of each method: one node for each of the cells in each layout of the set, which the caller
/// charges.
pub struct CellScanner<'l> {
    layouts: &'l Layouts,
    keys: &'l LayoutKeys,
    /// The keys of the layouts of the set that is scanned.
    set_keys: Vec<u64>,
}

impl<'l> CellScanner<'l> {
    /// A scanner of sets of these layouts, which have these keys.
    pub fn new(layouts: &'l Layouts, keys: &'l LayoutKeys) -> CellScanner<'l> {
        CellScanner { layouts, keys, set_keys: Vec::new() }
    }

    /// Scans these cells in every layout of `set`; pushes the branches of a guess.
    pub fn scan(&mut self, set: &[u32], cells: &[u32], branches: &mut Vec<Branch>) -> Scan {
        let CellScanner { layouts, keys, set_keys } = self;
        let first_branch = branches.len();
        let keys = keys.of_layouts();
        set_keys.clear();
        set_keys.extend(set.iter().map(|&layout| keys[layout as usize] as u64));
        for &cell in cells {
            let values = layouts.values(cell as usize);
            let Some(mined) = mined_if_informative(values, set) else { continue };
            if mined == 0 {
                branches.truncate(first_branch);
                return Scan::SafeCell(cell);
            }
            let (mut counts, mut sums) = ([0_u32; 10], [0_u64; 10]);
            for (&layout, &key) in set.iter().zip(&*set_keys) {
                let value = values[layout as usize] as usize;
                counts[value] += 1;
                sums[value] = sums[value].wrapping_add(key);
            }
            let spread = counts.iter().map(|&count| u64::from(count) * u64::from(count)).sum();
            // Which number stands for which part does not matter; which part is the mines does.
            let numbers = sums[..MINE as usize].iter().map(|&sum| mix(sum));
            let partition = numbers.fold(mix(!sums[MINE as usize]), u64::wrapping_add);
            if branches[first_branch..].iter().all(|other| other.partition != partition) {
                branches.push(Branch { cell, mined, lower: mined, spread, partition });
            }
        }
        branches[first_branch..]
            .sort_unstable_by_key(|branch| (branch.mined, branch.spread, branch.cell));
        Scan::Guess
    }

    /// The fewest layouts of `set` in which an informative cell is a mine; 0 if no cell is
    /// informative.
    pub fn fewest_mined(&self, set: &[u32], cells: &[u32]) -> u32 {
        let mut fewest = None;
        for &cell in cells {
            let mined = mined_if_informative(self.layouts.values(cell as usize), set);
            fewest = mined.into_iter().chain(fewest).min();
            if fewest == Some(0) {
                break;
            }
        }
        fewest.unwrap_or(0)
    }

    /// The cost of a set of two layouts: 0 if a cell that is safe in both tells them apart,
    /// otherwise a mine in one of them.
    pub fn cost_of_pair(&self, set: &[u32], cells: &[u32]) -> u32 {
        let (a, b) = (set[0] as usize, set[1] as usize);
        let is_safe_and_different = |&cell: &u32| {
            let values = self.layouts.values(cell as usize);
            let (a, b) = (values[a], values[b]);
            a != b && a != MINE && b != MINE
        };
        u32::from(!cells.iter().any(is_safe_and_different))
    }
}

/// The layouts of `set` in which a cell of these `values` is a mine; `None` where all are alike.
fn mined_if_informative(values: &[u8], set: &[u32]) -> Option<u32> {
    let first = values[*set.first()? as usize];
    let (mut mined, mut difference) = (0, 0);
    for &layout in set {
        let value = values[layout as usize];
        mined += u32::from(value == MINE);
        difference |= value ^ first;
    }
    (difference != 0).then_some(mined)
}
