//! Derived groups with their origins, from which every verdict can be proven.
//!
//! Every group that a rule derives is kept with its [`Origin`], which names the groups it was
//! derived from. A proof is the part of this record that one group depends on.
//!
//! Invariant: a group has a larger [`GroupId`] than every group it was derived from, so that the
//! record is free of cycles and sorted.

use crate::board::geometry::Cell;
use crate::board::group::Group;

/// Identifies a group within one run of the [`Deducer`](crate::deduction::deducer::Deducer). Ids
/// increase in the order of derivation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupId(u32);

impl GroupId {
    pub(super) fn new(index: usize) -> GroupId {
        GroupId(index as u32)
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a group was derived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The number on this open cell.
    Number(Cell),
    /// `from` without the cells decided before this group.
    Reduced {
        /// The larger group.
        from: GroupId,
    },
    /// `superset` without the cells of `subset`.
    Difference {
        /// The containing group.
        superset: GroupId,
        /// The contained group.
        subset: GroupId,
    },
    /// One of the three parts of two overlapping groups.
    Split {
        /// The group with more mines.
        more: GroupId,
        /// The group with fewer mines, all of which are in the shared cells.
        fewer: GroupId,
        /// Which of the three parts.
        part: SplitPart,
    },
    /// The total of mines, without the cells decided before this group and without the cells of
    /// some disjoint groups.
    Total {
        /// The disjoint groups.
        without: Vec<GroupId>,
    },
}

impl Origin {
    /// The groups that the rule was applied to.
    pub fn groups(&self) -> Vec<GroupId> {
        match self {
            Origin::Number(_) => Vec::new(),
            Origin::Reduced { from } => vec![*from],
            Origin::Difference { superset, subset } => vec![*superset, *subset],
            Origin::Split { more, fewer, .. } => vec![*more, *fewer],
            Origin::Total { without } => without.clone(),
        }
    }
}

/// The three parts of two overlapping groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitPart {
    /// The shared cells, with all mines of `fewer`.
    Shared,
    /// The cells of `more` only: all mines.
    RestOfMore,
    /// The cells of `fewer` only: all safe.
    RestOfFewer,
}

/// A group with its origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derived {
    /// The group.
    pub group: Group,
    /// How it was derived.
    pub origin: Origin,
}

/// The decision on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether the cell is a mine; it is safe otherwise.
    pub is_mine: bool,
    /// The group that decided the cell: all of its cells are mines, or none is.
    pub decided_by: GroupId,
}
