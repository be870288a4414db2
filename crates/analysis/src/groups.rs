//! What a proof starts from: the groups of a position. Each number has a group, and so has the mine
//! total.
//!
//! A cell that is beside no number is in the group of the mine total alone.
//!
//! Invariant: the indexes of groups are those of the numbers in row-major order, then the total.

use smallvec::SmallVec;

use sapper::board::geometry::{Cell, CellMap};
use sapper::board::group::{Group, MineCount, Position};

/// What a group comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GroupSource {
    /// The number on this open cell.
    Number(Cell),
    /// The number of mines that are left.
    Total,
}

impl GroupSource {
    /// The open cell, if it is a number.
    pub fn number(self) -> Option<Cell> {
        match self {
            GroupSource::Number(cell) => Some(cell),
            GroupSource::Total => None,
        }
    }
}

/// The index of a group in [`Groups`].
pub type GroupIndex = u32;

/// The groups of one position.
pub struct Groups<'a> {
    position: &'a Position,
    total: Option<Group>,
    beside: CellMap<SmallVec<[GroupIndex; 8]>>,
}

impl<'a> Groups<'a> {
    /// The groups of `position`.
    pub fn new(position: &'a Position) -> Groups<'a> {
        let mut beside = CellMap::new(position.universe, SmallVec::new());
        for (id, premise) in (0..).zip(&position.premises) {
            premise.group.cells().iter().for_each(|&cell| beside[cell].push(id));
        }
        let has_total = position.mine_count == MineCount::Exact;
        let total = || Group::new(position.hidden.iter().copied().collect(), position.mines.into());
        let total = has_total.then(total).and_then(|total| total.ok().flatten());
        Groups { position, total, beside }
    }

    /// The position.
    pub fn position(&self) -> &'a Position {
        self.position
    }

    /// The indexes of all numbers.
    pub fn numbers(&self) -> impl Iterator<Item = GroupIndex> + use<> {
        0..self.position.premises.len() as GroupIndex
    }

    /// The index of the total, if the position has one.
    pub fn total(&self) -> Option<GroupIndex> {
        self.total.as_ref().map(|_| self.position.premises.len() as GroupIndex)
    }

    /// The numbers beside a hidden cell.
    pub fn beside(&self, cell: Cell) -> &[GroupIndex] {
        &self.beside[cell]
    }

    /// What the group comes from.
    pub fn source(&self, id: GroupIndex) -> GroupSource {
        match self.position.premises.get(id as usize) {
            Some(premise) => GroupSource::Number(premise.source),
            None => GroupSource::Total,
        }
    }

    /// The hidden cells of a group and the mines in them.
    ///
    /// # Panics
    /// If the group is the total of a position that has none.
    pub fn group(&self, id: GroupIndex) -> &Group {
        match self.position.premises.get(id as usize) {
            Some(premise) => &premise.group,
            None => self.total.as_ref().expect("only a position with a total names it"),
        }
    }

    /// The numbers that share a cell with `id`, without it, in order.
    pub fn neighbours(&self, id: GroupIndex) -> Vec<GroupIndex> {
        let cells = self.group(id).cells().iter();
        let mut near: Vec<GroupIndex> =
            cells.flat_map(|&cell| self.beside(cell)).copied().collect();
        near.sort_unstable();
        near.dedup();
        near.retain(|&other| other != id);
        near
    }
}
