//! The components that were counted before, found by what they are.
//!
//! Positions of one game differ in a few cells, so most of their components are the same, and the
//! same component occurs in different places. A component is what counting reads of it, its
//! [`Structure`], wherever it lies.
//!
//! Invariants: a component is found only under its own structure, which is compared number by
//! number; a hash only says where. A component that is found is charged the nodes and the memory of
//! its count, so that no result depends on what is remembered.
//!
//! Cost: a comparison of two structures. Of structures with the same hash the last is remembered.

use std::ops::Range;

use crate::base::key_map::KeyMap;
use crate::probability::component::{Constraint, Structure};
use crate::probability::frontier_dp::{CountedComponent, Refusal};

/// The bytes of an entry and of a constraint on 64-bit machines, used on all so that all forget
/// alike.
const ENTRY_BYTES: usize = 120;
const CONSTRAINT_BYTES: usize = 56;

/// What counting a component gave, and what it took.
pub(super) struct Known {
    /// Never [`Refusal::TooLarge`], which depends on the budget.
    pub(super) counted: Result<CountedComponent, Refusal>,
    pub(super) nodes: u64,
    /// The bytes that were kept, and the most that were needed.
    pub(super) bytes: usize,
    pub(super) peak_bytes: usize,
}

/// The results of all components that are kept.
#[derive(Default)]
pub(super) struct Memo {
    entries: KeyMap<u64, Entry>,
    /// The structures of all entries.
    sizes: Vec<u32>,
    constraints: Vec<Constraint>,
}

struct Entry {
    sizes: Range<usize>,
    constraints: Range<usize>,
    known: Known,
}

impl Memo {
    /// The result of a component.
    pub(super) fn get(&self, structure: Structure) -> Option<&Known> {
        let Entry { sizes, constraints, known } = self.entries.get(&structure.hash)?;
        let is_same = self.sizes[sizes.clone()] == *structure.sizes
            && self.constraints[constraints.clone()] == *structure.constraints;
        is_same.then_some(known)
    }

    /// Remembers a component.
    pub(super) fn insert(&mut self, structure: Structure, known: Known) {
        let (sizes, constraints) = (self.sizes.len(), self.constraints.len());
        self.sizes.extend_from_slice(structure.sizes);
        self.constraints.extend_from_slice(structure.constraints);
        let (sizes, constraints) = (sizes..self.sizes.len(), constraints..self.constraints.len());
        self.entries.insert(structure.hash, Entry { sizes, constraints, known });
    }

    /// Forgets every component.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.sizes.clear();
        self.constraints.clear();
    }

    /// The bytes of what is remembered.
    pub(super) fn bytes(&self) -> usize {
        self.sizes.len() * size_of::<u32>()
            + self.constraints.len() * CONSTRAINT_BYTES
            + self.entries.len() * ENTRY_BYTES
    }
}
