//! What a proof starts from: the groups of a position, those of the numbers and that of the mine
//! total, each with an id.
//!
//! A cell that no number sees is in the group of the mine total alone.
//!
//! Invariant: the ids of groups are those of the numbers in row-major order, then the total.

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
pub type GroupId = u32;

/// The groups of one position.
pub struct Groups<'a> {
    position: &'a Position,
    total: Option<Group>,
    beside: CellMap<SmallVec<[GroupId; 8]>>,
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

    /// The ids of all numbers.
    pub fn numbers(&self) -> impl Iterator<Item = GroupId> + use<> {
        0..self.position.premises.len() as GroupId
    }

    /// The id of the total, where the position has one.
    pub fn total(&self) -> Option<GroupId> {
        self.total.as_ref().map(|_| self.position.premises.len() as GroupId)
    }

    /// The numbers that see a hidden cell.
    pub fn beside(&self, cell: Cell) -> &[GroupId] {
        &self.beside[cell]
    }

    /// What the id stands for.
    pub fn source(&self, id: GroupId) -> GroupSource {
        match self.position.premises.get(id as usize) {
            Some(premise) => GroupSource::Number(premise.source),
            None => GroupSource::Total,
        }
    }

    /// The hidden cells of a group and the mines in them.
    ///
    /// # Panics
    /// Where the group is the total of a position without one.
    pub fn group(&self, id: GroupId) -> &Group {
        match self.position.premises.get(id as usize) {
            Some(premise) => &premise.group,
            None => self.total.as_ref().expect("only a position with a total names it"),
        }
    }

    /// The numbers that share a cell with `id`, without it, in order.
    pub fn neighbours(&self, id: GroupId) -> Vec<GroupId> {
        let cells = self.group(id).cells().iter();
        let mut near: Vec<GroupId> = cells.flat_map(|&cell| self.beside(cell)).copied().collect();
        near.sort_unstable();
        near.dedup();
        near.retain(|&other| other != id);
        near
    }
}
