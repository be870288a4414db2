//! The table of the sets of layouts that were searched: their keys, and bounds on their costs.
//!
//! Every layout has a random key of 128 bits; the key of a set is the sum of those of its layouts.
//! If mirrors or turns map the undecided cells to themselves, sets that are images of each other
//! cost the same (what is known around the cells adds a constant to each number), so the lowest of
//! the set's keys under all symmetries stands for all. Symmetries gain most on untouched fields
//! (results page, R22).
//!
//! Invariants: the key of a layout depends on its mines alone, so a mirrored layout that is also in
//! the list has the key of that layout. Two different sets have the same key with negligible
//! probability. [`CostBounds::lower`] and [`CostBounds::upper`] are true in every pass; what a pass
//! finds besides is true in that pass alone, because it tries only some of the cells.
//!
//! Cost: a symmetry is used only if it maps the list of layouts to itself. Others would seldom find
//! a set again, and every symmetry multiplies the cost of a key. `HashMap` touches two cache lines
//! for a set; a table of our own that touches one saved too little time to be worth its code
//! (results page, R23).

use crate::kit::key_map::KeyMap;
use crate::kit::rng::mix;
use crate::search::endgame::layouts::{Layouts, MINE};

/// The keys of the layouts of one list.
pub struct LayoutKeys {
    /// The key of every layout, under the identity first and then under every other symmetry.
    keys: Vec<u128>,
    symmetries: usize,
}

impl LayoutKeys {
    /// The keys of these layouts.
    pub fn new(layouts: &Layouts) -> LayoutKeys {
        if layouts.symmetries().is_empty() {
            let keys = (0..layouts.len() as u64).map(random_key).collect();
            return LayoutKeys { keys, symmetries: 1 };
        }
        let mut found = LayoutKeys { keys: Vec::new(), symmetries: 1 };
        let identity: Vec<u32> = (0..layouts.cells().len() as u32).collect();
        found.push_images(layouts, &identity);
        let sum = |keys: &[u128]| keys.iter().fold(0_u128, |sum, key| sum.wrapping_add(*key));
        let all = sum(&found.keys);
        for symmetry in layouts.symmetries() {
            let len = found.keys.len();
            found.push_images(layouts, symmetry);
            if sum(&found.keys[len..]) == all {
                found.symmetries += 1;
            } else {
                found.keys.truncate(len);
            }
        }
        found
    }

    fn push_images(&mut self, layouts: &Layouts, images: &[u32]) {
        let first = self.keys.len();
        self.keys.resize(first + layouts.len(), 0);
        let keys = &mut self.keys[first..];
        for (cell, &image) in images.iter().enumerate() {
            let cell_key = random_key(u64::from(image));
            for (sum, &value) in keys.iter_mut().zip(layouts.values(cell)) {
                *sum = sum.wrapping_add(if value == MINE { cell_key } else { 0 });
            }
        }
        for sum in keys {
            *sum = u128::from(mix((*sum >> 64) as u64)) << 64 | u128::from(mix(*sum as u64));
        }
    }

    /// The key of the set of these layouts.
    fn of_set(&self, set: &(impl Iterator<Item = u32> + Clone)) -> u128 {
        let len = self.keys.len() / self.symmetries;
        let keys = self.keys.chunks_exact(len).map(|keys| {
            set.clone().fold(0, |sum: u128, layout| sum.wrapping_add(keys[layout as usize]))
        });
        keys.min().unwrap_or(0)
    }
}

fn random_key(number: u64) -> u128 {
    u128::from(mix(2 * number + 1)) << 64 | u128::from(mix(2 * number + 2))
}

/// Bounds on the cost of one set.
#[derive(Clone, Copy)]
pub struct CostBounds {
    /// No play costs less.
    pub lower: u32,
    /// Some play costs no more.
    pub upper: u32,
    /// The last pass that searched the set.
    pub pass: u32,
    /// A lower bound on what this pass can find.
    pub pass_lower: u32,
}

impl CostBounds {
    /// The bounds of a set that was not searched.
    pub const UNKNOWN: CostBounds =
        CostBounds { lower: 0, upper: u32::MAX, pass: 0, pass_lower: 0 };

    /// A lower bound on what `pass` can find.
    pub fn lower_in(&self, pass: u32) -> u32 {
        if self.pass == pass { self.lower.max(self.pass_lower) } else { self.lower }
    }
}

/// The bounds of all sets that were searched, by key.
pub struct SetTable<'k> {
    keys: &'k LayoutKeys,
    bounds: KeyMap<u128, CostBounds>,
}

impl<'k> SetTable<'k> {
    /// A table of sets of the layouts with these keys, none of which was searched.
    pub fn new(keys: &'k LayoutKeys) -> SetTable<'k> {
        SetTable { keys, bounds: KeyMap::default() }
    }

    /// The nodes that the key of a set of `layouts` layouts costs: one for each layout under each
    /// symmetry.
    pub fn key_nodes(&self, layouts: usize) -> u64 {
        (layouts * self.keys.symmetries) as u64
    }

    /// The key of the set of these layouts.
    pub fn key(&self, set: &(impl Iterator<Item = u32> + Clone)) -> u128 {
        self.keys.of_set(set)
    }

    /// The bounds of the set with this key, if it was searched.
    pub fn get(&self, key: u128) -> Option<CostBounds> {
        self.bounds.get(&key).copied()
    }

    /// Records the bounds of the set with this key.
    pub fn insert(&mut self, key: u128, bounds: CostBounds) {
        self.bounds.insert(key, bounds);
    }
}
