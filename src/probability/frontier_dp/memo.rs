//! The components that were counted before, found by what they are.
//!
//! Positions of one game differ in a few cells, so most of their components are the same, and the
//! same component occurs in different places. It is described by the sizes of its blocks and by its
//! constraints, in their order, which is all that counting reads.
//!
//! Invariants: a component is found only under its own description, which is compared word by word;
//! a hash only says where. A component that is found is charged the nodes and the memory of its
//! count, so that no result depends on what is remembered.
//!
//! Cost: for each component, a pass over its description; one entry for each hash.

use std::ops::Range;

use crate::base::key_map::KeyMap;
use crate::base::rng::mix;
use crate::probability::component::Constraint;
use crate::probability::frontier_dp::{CountedComponent, Refusal};

/// The bytes of an entry on 64-bit machines, used on all so that they forget alike.
const ENTRY_BYTES: usize = 96;

/// What counting a component gave, and what it took.
pub(super) struct Known {
    /// Never [`Refusal::TooLarge`], which depends on the budget.
    pub(super) counted: Result<CountedComponent, Refusal>,
    pub(super) nodes: u64,
    /// The bytes that were kept, and the most that were needed.
    pub(super) bytes: usize,
    pub(super) peak_bytes: usize,
}

/// The hash of the component that was described last.
#[derive(Clone, Copy)]
pub(super) struct Key(u64);

/// The results of all components that are kept.
#[derive(Default)]
pub(super) struct Memo {
    /// By hash: the range of the description in `words`, and the result.
    entries: KeyMap<u64, (Range<usize>, Known)>,
    words: Vec<u32>,
    /// The description of the last component.
    description: Vec<u32>,
}

impl Memo {
    /// Describes a component, for [`Memo::get`] and [`Memo::insert`].
    pub(super) fn describe(&mut self, sizes: &[u32], constraints: &[Constraint]) -> Key {
        let words = &mut self.description;
        words.clear();
        // Each list follows its length, so that different components have different descriptions.
        words.push(sizes.len() as u32);
        words.extend_from_slice(sizes);
        for Constraint { blocks, mines } in constraints {
            words.extend([*mines, blocks.len() as u32]);
            words.extend_from_slice(blocks);
        }
        let add = |hash: u64, &word: &u32| {
            (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        Key(mix(words.iter().fold(0, add)))
    }

    /// The result of the component that was described last.
    pub(super) fn get(&self, Key(hash): Key) -> Option<&Known> {
        let (words, known) = self.entries.get(&hash)?;
        (self.words[words.clone()] == self.description).then_some(known)
    }

    /// Remembers the component that was described last.
    pub(super) fn insert(&mut self, Key(hash): Key, known: Known) {
        let start = self.words.len();
        self.words.extend_from_slice(&self.description);
        self.entries.insert(hash, (start..self.words.len(), known));
    }

    /// Forgets every component.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.words.clear();
    }

    /// The bytes of what is remembered.
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u32>() + self.entries.len() * ENTRY_BYTES
    }
}
