//! The cells of a set of layouts: which are informative, how they split it, and which is safe.
//!
//! A cell is *informative* if it shows different values in the layouts of the set. Cells that split
//! a set in the same way are one branch.

use crate::kit::rng::mix;
use crate::search::endgame::layouts::{Layouts, MINE};
use crate::search::endgame::universe::{Universe, common_len};

/// A cell that splits a set of layouts.
#[derive(Clone, Copy)]
pub struct Branch {
    /// The index of the cell in the universe of the set.
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

/// Scans these cells in every layout of `set`; pushes the branches of a guess.
pub fn scan(universe: &Universe, set: &[u64], cells: &[u32], branches: &mut Vec<Branch>) -> Scan {
    let first_branch = branches.len();
    for &cell in cells {
        let (mut parts, mut mined, mut spread, mut partition) = (0, 0, 0, 0_u64);
        for (value, mask) in universe.values(cell) {
            let (len, hash) = part(set, mask);
            if len == 0 {
                continue;
            }
            parts += 1;
            spread += u64::from(len) * u64::from(len);
            // Which number stands for which part does not matter; which part is the mines does.
            if value == MINE {
                mined = len;
                partition = partition.wrapping_add(mix(!hash));
            } else {
                partition = partition.wrapping_add(mix(hash));
            }
        }
        if parts < 2 {
            continue;
        }
        if mined == 0 {
            branches.truncate(first_branch);
            return Scan::SafeCell(cell);
        }
        if branches[first_branch..].iter().all(|other| other.partition != partition) {
            branches.push(Branch { cell, mined, lower: mined, spread, partition });
        }
    }
    branches[first_branch..]
        .sort_unstable_by_key(|branch| (branch.mined, branch.spread, universe.cell(branch.cell)));
    Scan::Guess
}

/// The number of layouts of a set that are in `mask`, and a hash of these layouts.
fn part(set: &[u64], mask: &[u64]) -> (u32, u64) {
    let (mut len, mut hash) = (0, 0_u64);
    for (set, mask) in set.iter().zip(mask) {
        let word = set & mask;
        len += word.count_ones();
        hash = (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (len, hash)
}

/// The fewest layouts of `set`, which has `len`, in which an informative cell is a mine; 0 if no
/// cell is informative.
pub fn fewest_mined(universe: &Universe, set: &[u64], len: u32, cells: &[u32]) -> u32 {
    let mut fewest = len;
    for &cell in cells {
        let mined = universe.mined(cell).map_or(0, |mask| common_len(set, mask));
        if mined > 0 {
            fewest = fewest.min(mined);
        } else if is_informative(universe, set, len, cell) {
            return 0;
        }
    }
    if fewest == len { 0 } else { fewest }
}

/// Whether a cell shows different values in the layouts of a set.
fn is_informative(universe: &Universe, set: &[u64], len: u32, cell: u32) -> bool {
    let first = universe.values(cell).map(|(_, mask)| common_len(set, mask)).find(|&len| len > 0);
    first != Some(len)
}

/// The cost of a set of two layouts: 0 if a cell that is safe in both tells them apart, otherwise a
/// mine in one of them.
pub fn cost_of_pair(list: &Layouts, universe: &Universe, set: &[u64], cells: &[u32]) -> u32 {
    let mut layouts = universe.layouts_of(set);
    let (Some(a), Some(b)) = (layouts.next(), layouts.next()) else { return 0 };
    let is_safe_and_different = |&cell: &u32| {
        let values = list.values(universe.cell(cell) as usize);
        let (a, b) = (values[a as usize], values[b as usize]);
        a != b && a != MINE && b != MINE
    };
    u32::from(!cells.iter().any(is_safe_and_different))
}
