//! Proofs: derived groups with their origins, and the steps that lead to a verdict.
//!
//! Every group that a rule derives is kept with its [`Origin`], which names the groups it was
//! derived from. A [`Proof`] is the part of this record that one group depends on.
//!
//! Invariant: a group has a larger [`GroupId`] than every group it was derived from, so that the
//! record is free of cycles and sorted.

use crate::board::geometry::{Cell, CellMap};
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
    /// The name of the conclusion, as tables and JSON show it.
    pub fn name(&self) -> &'static str {
        match self {
            Origin::Number(_) => "number",
            Origin::Reduced { .. } => "reduced",
            Origin::Difference { .. } => "difference",
            Origin::Split { part: SplitPart::Shared, .. } => "shared",
            Origin::Split { part: SplitPart::RestOfMore, .. } => "full rest",
            Origin::Split { part: SplitPart::RestOfFewer, .. } => "empty rest",
            Origin::Total { .. } => "total",
        }
    }

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

/// The derivation of a group, each step after those that it uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The groups in order of their ids. The last one is the group that is proven.
    pub steps: Vec<(GroupId, Derived)>,
}

impl Proof {
    /// Collects the steps that `last` depends on. `derived` holds every group of the run, by id.
    ///
    /// Cost: one pass over the derived groups, and one over the verdicts for each step that uses
    /// the total.
    pub(super) fn of(
        last: GroupId,
        derived: &[Derived],
        verdicts: &CellMap<Option<Verdict>>,
    ) -> Proof {
        let mut is_needed = vec![false; derived.len()];
        is_needed[last.index()] = true;
        // Origins have smaller ids, so that a downward pass visits a group after all its users.
        for id in (0..=last.index()).rev().map(GroupId::new) {
            if is_needed[id.index()] {
                let need = |origin: GroupId| is_needed[origin.index()] = true;
                for_each_origin(id, derived, verdicts, need);
            }
        }
        let steps = is_needed
            .iter()
            .zip(derived)
            .enumerate()
            .filter(|(_, (is_needed, _))| **is_needed)
            .map(|(index, (_, derived))| (GroupId::new(index), derived.clone()))
            .collect();
        Proof { steps }
    }
}

/// Visits the groups from which `id` was derived, some of them more than once.
fn for_each_origin(
    id: GroupId,
    derived: &[Derived],
    verdicts: &CellMap<Option<Verdict>>,
    mut visit: impl FnMut(GroupId),
) {
    let decided_before = |verdict: &Option<Verdict>| {
        verdict.map(|verdict| verdict.decided_by).filter(|decided_by| *decided_by < id)
    };
    let Derived { group, origin } = &derived[id.index()];
    origin.groups().into_iter().for_each(&mut visit);
    // These two also use verdicts.
    match origin {
        Origin::Reduced { from } => {
            let from = derived[from.index()].group.cells().iter();
            from.filter(|cell| !group.contains(**cell))
                .filter_map(|cell| decided_before(&verdicts[*cell]))
                .for_each(visit);
        }
        Origin::Total { .. } => {
            verdicts.iter().filter_map(|(_, verdict)| decided_before(verdict)).for_each(visit);
        }
        _ => {}
    }
}
