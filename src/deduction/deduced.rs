//! The result of group deduction, from which counting continues.

use crate::board::geometry::Cell;
use crate::board::group::{Group, Position, Premise};
use crate::deduction::group_store::GroupStore;
use crate::deduction::proof::{Proof, Verdict};

/// A position with what a run of the [`Deducer`](crate::deduction::deducer::Deducer) found in it.
///
/// It borrows both, so that neither can change while it is in use.
#[derive(Clone, Copy)]
pub struct Deduced<'a> {
    position: &'a Position,
    groups: &'a GroupStore,
}

impl<'a> Deduced<'a> {
    /// The result in `groups`, whose cells are sorted, of a run on `position`.
    pub(super) fn new(position: &'a Position, groups: &'a GroupStore) -> Deduced<'a> {
        Deduced { position, groups }
    }

    /// The position.
    pub fn position(&self) -> &'a Position {
        self.position
    }

    /// The cells proven safe, sorted.
    pub fn safe(&self) -> &'a [Cell] {
        self.groups.safe()
    }

    /// The cells proven to be mines, sorted.
    pub fn mines(&self) -> &'a [Cell] {
        self.groups.mines()
    }

    /// The verdict on a hidden cell, if there is one.
    pub fn verdict(&self, cell: Cell) -> Option<Verdict> {
        self.groups.verdicts()[cell]
    }

    /// The groups that are left to count. They contain no decided cell.
    pub fn groups(&self) -> impl Iterator<Item = &'a Group> + use<'a> {
        self.groups.live_groups()
    }

    /// The number of hidden cells without a verdict.
    pub fn undecided_len(&self) -> usize {
        self.groups.undecided_len()
    }

    /// The mines among the undecided cells: an estimate if the position has no total.
    pub fn mines_left(&self) -> u32 {
        self.groups.mines_left().max(0) as u32
    }

    /// Writes the undecided cells and the groups that are left to `undecided`, as a position of its
    /// own. Its layouts, completed by the verdicts, are those of the position.
    pub fn undecided_into(&self, undecided: &mut Position) {
        undecided.universe = self.position.universe;
        undecided.mines = self.mines_left();
        undecided.outside = self.position.outside;
        undecided.hidden.clear();
        let hidden = self.position.hidden.iter();
        undecided.hidden.extend(hidden.filter(|&&cell| self.verdict(cell).is_none()));
        undecided.premises.clear();
        let premise = |group: &Group| Premise { source: group.cells()[0], group: group.clone() };
        undecided.premises.extend(self.groups().map(premise));
    }

    /// The steps that prove the verdict on `cell`, or `None` if it has no verdict.
    pub fn proof(&self, cell: Cell) -> Option<Proof> {
        let last = self.verdict(cell)?.decided_by;
        Some(Proof::of(last, self.groups.derived(), self.groups.verdicts()))
    }
}
