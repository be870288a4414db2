//! Optimal play over all layouts that are left.
//!
//! Where the layouts are few enough to be listed ([`crate::search::endgame::layouts`]), what is best is no guess: opening a
//! cell splits the layouts by what it shows, and the value of a set of layouts follows from the values of
//! its parts. What was opened before does not matter beyond the set that it left: whatever is constant in
//! it can be opened for nothing, or is a mine. With costs counted in layouts,
//!
//! ```text
//! cost(S) = 0                                              where S has one layout
//!         = sum over v of cost(S where c shows v)          where some cell c is safe in all of S, and tells
//!         = min over c of mines(c in S) + sum over v of cost(S where c shows v)
//! ```
//!
//! Under *fewest hits* v runs over the mine too, and the cost is the number of mines opened, summed over the
//! layouts. Under *clean win* a layout with a mine there is lost and no more is to be paid for it, so that
//! the cost is the number of layouts lost. Both are whole numbers: the choice compares no floats.
//!
//! Depth first, with memory of every set met (as a sum of random keys of its layouts, 128 bits), bounds
//! passed down, and cells that split a set in the same way looked at once.
//!
//! **Passes.** In the first each set is left by the one cell that is best at a glance, in the second by the one that a
//! look one move ahead finds best, so that a pass tells what each cell of the whole costs if play goes on so. In the third
//! three cells of a set are tried, in the last all. What a pass finds is what some play costs: it bounds the passes after it, which find most sets
//! settled. So the last one costs less than it would alone, and where nodes end before it does, the best that was found
//! stands, as play that costs no more than it says ([`Solution::is_proven`]). The whole of 4x4 with 5 mines takes 93 million
//! nodes so, and 344 without symmetries. The parts of a set are held to what those before them cost and what those after
//! them cost at least, which halves the nodes of the larger fields.
//!
//! **Symmetries.** Where mirrors or turns put the undecided cells onto themselves, sets that are images of each other
//! cost the same, since what is known beside the cells only adds a constant to what each shows; they are remembered as
//! one, by the least of their keys. It is the untouched field that gains, up to eight times. A position whose list of layouts is no
//! image of itself would seldom meet an image, so that its symmetries are passed over and cost nothing.
//!
//! The slow twin is in `tests/endgame.rs`: the same recursion in its plainest form. `judge optimum` has another, for
//! whole fields.
//!
//! Cost: one node is one value of one cell in one layout looked at: 5 ns, since looking up sets waits for
//! memory. The depth of the recursion is at most the number of cells, and every level needs two layouts or
//! more: [`crate::search::endgame::layouts::MOST_CELLS`] bounds it. A table that keeps what is known of a set in one cache line, instead of the library's
//! two, saved a tenth of the time and was not worth its code.

pub mod layouts;
pub mod opening_table;
mod search;
pub mod symmetry;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use crate::base::budget::{Budget, BudgetExhausted};
use crate::base::objective::Objective;
use crate::base::rng::mix;
use crate::board::geometry::Cell;
use crate::search::endgame::layouts::{Layouts, MINE};
use search::{Branch, Known, Part, Search};

/// The best cell and what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The cell to open.
    pub cell: Cell,
    /// Layouts in which it is a mine.
    pub mined: u32,
    /// Mines opened from here on by the best play found, or layouts lost, summed over all layouts.
    pub cost: u32,
    /// All layouts.
    pub layouts: u32,
    /// Whether that is optimal play: no other costs less. Else the budget ended before it was known.
    pub is_proven: bool,
}

/// Solves one list of layouts after another, reusing its memory.
#[derive(Default)]
pub struct Endgame {
    /// The key of every layout under every symmetry, one symmetry after another, as they are first.
    keys: Vec<u128>,
    symmetries: usize,
    known: HashMap<u128, Known, BuildHasherDefault<KeyHasher>>,
    /// The sets of layouts on the way down, each the numbers of its layouts.
    sets: Vec<u32>,
    /// Those of them that are still to be paid for.
    open: Vec<Part>,
    /// The cells worth looking at on the way down.
    live: Vec<u32>,
    parts: Vec<Branch>,
}

impl Endgame {
    /// The best cell under `objective`, or `None` where one layout or none is left, so that nothing is to
    /// be decided.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where the budget ends before the cost of any cell is known.
    pub fn solve(
        &mut self,
        layouts: &Layouts,
        objective: Objective,
        budget: &mut Budget,
    ) -> Result<Option<Solution>, BudgetExhausted> {
        self.make_keys(layouts);
        self.known.clear();
        self.sets.clear();
        self.sets.extend(0..layouts.len() as u32);
        self.open.clear();
        self.live.clear();
        self.live.extend(0..layouts.cells().len() as u32);
        self.parts.clear();
        Search::new(self, layouts, objective, budget).best()
    }

    /// The key of a layout is made of its mines, so that its image has the key of the layout that it is.
    fn make_keys(&mut self, layouts: &Layouts) {
        self.keys.clear();
        self.symmetries = 1;
        if layouts.symmetries().is_empty() {
            self.keys.extend((0..layouts.len() as u64).map(key));
            return;
        }
        let identity: Vec<u32> = (0..layouts.cells().len() as u32).collect();
        add_keys(&mut self.keys, layouts, &identity);
        let sum = |keys: &[u128]| keys.iter().fold(0_u128, |sum, key| sum.wrapping_add(*key));
        let all = sum(&self.keys);
        for symmetry in layouts.symmetries() {
            let before = self.keys.len();
            add_keys(&mut self.keys, layouts, symmetry);
            if sum(&self.keys[before..]) == all {
                self.symmetries += 1;
            } else {
                self.keys.truncate(before);
            }
        }
    }

    /// The same for sets that are images of each other.
    fn key_of(&self, set: Range<usize>) -> u128 {
        let len = self.keys.len() / self.symmetries;
        let set = &self.sets[set];
        let keys = self.keys.chunks_exact(len).map(|keys| {
            set.iter().fold(0, |sum: u128, &layout| sum.wrapping_add(keys[layout as usize]))
        });
        keys.min().unwrap_or(0)
    }
}

fn add_keys(keys: &mut Vec<u128>, layouts: &Layouts, images: &[u32]) {
    let first = keys.len();
    keys.resize(first + layouts.len(), 0);
    for (cell, &image) in images.iter().enumerate() {
        let cell_key = key(u64::from(image));
        for (sum, &value) in keys[first..].iter_mut().zip(layouts.values(cell)) {
            *sum = sum.wrapping_add(if value == MINE { cell_key } else { 0 });
        }
    }
    for sum in &mut keys[first..] {
        *sum = u128::from(mix((*sum >> 64) as u64)) << 64 | u128::from(mix(*sum as u64));
    }
}

/// The key of a layout by its number.
fn key(number: u64) -> u128 {
    u128::from(mix(2 * number + 1)) << 64 | u128::from(mix(2 * number + 2))
}

/// Keys are random already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}
