//! The result of group deduction, from which counting continues.

use crate::board::geometry::Cell;
use crate::board::group::{Group, Position, Premise};
use crate::deduction::groups::store::GroupStore;

/// A position with what a run of the [`Deducer`](crate::deduction::groups::deducer::Deducer) found
/// in it.
///
/// It borrows both, so that neither can change while it is in use.
#[derive(Clone, Copy)]
pub struct Deduced<'a> {
    pub(super) position: &'a Position,
    /// Its decided cells are sorted.
    pub(super) groups: &'a GroupStore,
}

impl<'a> Deduced<'a> {
    /// The position.
    pub fn position(&self) -> &'a Position {
        self.position
    }

    /// The cells proven safe, sorted.
    pub fn safe(&self) -> &'a [Cell] {
        &self.groups.safe
    }

    /// The cells proven to be mines, sorted.
    pub fn mines(&self) -> &'a [Cell] {
        &self.groups.mines
    }

    /// Whether a hidden cell is a mine, if that is decided.
    pub fn verdict(&self, cell: Cell) -> Option<bool> {
        self.groups.verdicts[cell]
    }

    /// The groups that are left to count. They contain no decided cell.
    pub fn groups(&self) -> impl Iterator<Item = &'a Group> + use<'a> {
        self.indexed_groups().map(|(_, group)| group)
    }

    /// These groups with indices that groups of the base keep; new ones have greater indices.
    pub fn indexed_groups(&self) -> impl Iterator<Item = (u32, &'a Group)> + use<'a> {
        self.groups.live_groups()
    }

    /// The cells whose verdict or whose groups may differ from the base of the run.
    pub fn changed_cells(&self) -> impl Iterator<Item = Cell> + use<'a> {
        self.groups.changed.iter().copied()
    }

    /// The number of hidden cells without a verdict.
    pub fn undecided_len(&self) -> usize {
        self.groups.undecided_len
    }

    /// The mines among the undecided cells: an estimate if the position has no total.
    pub fn mines_left(&self) -> u32 {
        self.groups.mines_left.max(0) as u32
    }

    /// The undecided cells and the groups that are left, as a position of their own. Its layouts,
    /// completed by the verdicts, are those of the position.
    pub fn undecided(&self) -> Position {
        let hidden = self.position.hidden.iter().copied();
        let premise = |group: &Group| Premise { source: group.cells()[0], group: group.clone() };
        Position {
            universe: self.position.universe,
            hidden: hidden.filter(|&cell| self.verdict(cell).is_none()).collect(),
            known_mines: Vec::new(),
            premises: self.groups().map(premise).collect(),
            mines: self.mines_left(),
            mine_count: self.position.mine_count,
        }
    }
}
