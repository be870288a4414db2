//! A cache of the components that were counted before.
//!
//! Positions of one game differ in a few cells, so most of their components are equal, and equal
//! components occur in different places of the field. The key of the cache is therefore the
//! [`Structure`] of a component, which does not depend on its place.
//!
//! Invariant: a lookup compares the whole structure; the hash only selects the slot of the table.
//!
//! Cost: a comparison of two structures. If several structures fall into one slot, only the last
//! is found.

use std::ops::Range;

use crate::probability::component::{Constraint, Structure};

/// The bytes of an entry and of a constraint on 64-bit machines. Every machine uses them, so that
/// all machines forget the same components.
const ENTRY_BYTES: usize = 120;
const CONSTRAINT_BYTES: usize = 56;

/// The slots of the table: several times the components that are kept.
const SLOTS: usize = 1 << 13;

/// The result of each component that is kept.
pub(super) struct Memo<T> {
    /// By hash: the index of an entry, plus one; zero for a free slot. Empty without an entry.
    table: Vec<u32>,
    entries: Vec<Entry<T>>,
    /// The structures of all entries.
    sizes: Vec<u32>,
    constraints: Vec<Constraint>,
}

struct Entry<T> {
    sizes: Range<usize>,
    constraints: Range<usize>,
    result: T,
}

/// Without a component. A derived `Default` would require one of the results.
impl<T> Default for Memo<T> {
    fn default() -> Memo<T> {
        Memo { table: Vec::new(), entries: Vec::new(), sizes: Vec::new(), constraints: Vec::new() }
    }
}

impl<T> Memo<T> {
    /// The result of a component.
    pub(super) fn get(&self, structure: Structure) -> Option<&T> {
        let entry = self.table.get(slot(structure))?.checked_sub(1)?;
        let Entry { sizes, constraints, result } = &self.entries[entry as usize];
        let is_same = self.sizes[sizes.clone()] == *structure.sizes
            && self.constraints[constraints.clone()] == *structure.constraints;
        is_same.then_some(result)
    }

    /// Remembers a component.
    pub(super) fn insert(&mut self, structure: Structure, result: T) {
        let (sizes, constraints) = (self.sizes.len(), self.constraints.len());
        self.sizes.extend_from_slice(structure.sizes);
        self.constraints.extend_from_slice(structure.constraints);
        let (sizes, constraints) = (sizes..self.sizes.len(), constraints..self.constraints.len());
        self.entries.push(Entry { sizes, constraints, result });
        self.table.resize(SLOTS, 0);
        self.table[slot(structure)] = self.entries.len() as u32;
    }

    /// Forgets every component.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.entries.clear();
        self.sizes.clear();
        self.constraints.clear();
    }

    /// The bytes of all entries.
    pub(super) fn bytes(&self) -> usize {
        self.sizes.len() * size_of::<u32>()
            + self.constraints.len() * CONSTRAINT_BYTES
            + self.entries.len() * ENTRY_BYTES
    }
}

/// The slot of a component.
fn slot(structure: Structure) -> usize {
    structure.hash as usize & (SLOTS - 1)
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;

    #[test]
    fn a_component_is_never_taken_for_another_with_its_hash() {
        let sizes = [[1, 2], [2, 1]];
        let constraint = |mines| [Constraint { blocks: smallvec![0, 1], mines }];
        let constraints = [constraint(1), constraint(2)];
        let mut memo = Memo::default();
        let structures = || {
            let pairs = sizes.iter().flat_map(|sizes| constraints.iter().map(move |c| (sizes, c)));
            pairs.map(|(sizes, constraints)| Structure {
                hash: 7,
                ..Structure::new(sizes, constraints)
            })
        };
        for (index, structure) in structures().enumerate() {
            memo.insert(structure, index);
            // Only the last component with a hash is found.
            let found: Vec<bool> = structures().map(|other| memo.get(other).is_some()).collect();
            assert_eq!(found.iter().filter(|found| **found).count(), 1);
            assert_eq!(memo.get(structure), Some(&index));
        }
        memo.clear();
        assert!(structures().all(|structure| memo.get(structure).is_none()));
        assert_eq!(memo.bytes(), 0);
    }
}
