//! What a proof starts from: the numbers on the board, and the number of mines that are left.
//!
//! Every clue is a [`Group`]: its cells are hidden and its mines are in them. A cell that no number
//! sees is in the group of the mine total alone.
//!
//! Invariant: the ids of clues are those of the numbers in row-major order, then the total.

use smallvec::SmallVec;

use sapper::board::geometry::{Cell, CellMap};
use sapper::board::group::{Group, Outside, Position};

/// Something on the board that a proof starts from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Clue {
    /// The number on this open cell.
    Number(Cell),
    /// The number of mines that are left.
    Total,
}

impl Clue {
    /// The open cell, if it is a number.
    pub fn number(self) -> Option<Cell> {
        match self {
            Clue::Number(cell) => Some(cell),
            Clue::Total => None,
        }
    }
}

/// The index of a clue in [`Clues`].
pub type ClueId = u32;

/// The clues of one position.
pub struct Clues<'a> {
    position: &'a Position,
    total: Option<Group>,
    beside: CellMap<SmallVec<[ClueId; 8]>>,
}

impl<'a> Clues<'a> {
    /// The clues of `position`.
    pub fn new(position: &'a Position) -> Clues<'a> {
        let mut beside = CellMap::new(position.universe, SmallVec::new());
        for (id, premise) in (0..).zip(&position.premises) {
            premise.group.cells().iter().for_each(|&cell| beside[cell].push(id));
        }
        let has_total = position.outside == Outside::Total;
        let total = || Group::new(position.hidden.iter().copied().collect(), position.mines.into());
        let total = has_total.then(total).and_then(|total| total.ok().flatten());
        Clues { position, total, beside }
    }

    /// The position.
    pub fn position(&self) -> &'a Position {
        self.position
    }

    /// The ids of all numbers.
    pub fn numbers(&self) -> impl Iterator<Item = ClueId> + use<> {
        0..self.position.premises.len() as ClueId
    }

    /// The id of the total, where the position has one.
    pub fn total(&self) -> Option<ClueId> {
        self.total.as_ref().map(|_| self.position.premises.len() as ClueId)
    }

    /// The numbers that see a hidden cell.
    pub fn beside(&self, cell: Cell) -> &[ClueId] {
        &self.beside[cell]
    }

    /// What the id stands for.
    pub fn clue(&self, id: ClueId) -> Clue {
        match self.position.premises.get(id as usize) {
            Some(premise) => Clue::Number(premise.source),
            None => Clue::Total,
        }
    }

    /// The hidden cells of a clue and the mines in them.
    ///
    /// # Panics
    /// Where the clue is the total of a position without one.
    pub fn group(&self, id: ClueId) -> &Group {
        match self.position.premises.get(id as usize) {
            Some(premise) => &premise.group,
            None => self.total.as_ref().expect("only a position with a total names it"),
        }
    }

    /// The numbers that share a cell with `id`, without it, in order.
    pub fn neighbours(&self, id: ClueId) -> Vec<ClueId> {
        let cells = self.group(id).cells().iter();
        let mut near: Vec<ClueId> = cells.flat_map(|&cell| self.beside(cell)).copied().collect();
        near.sort_unstable();
        near.dedup();
        near.retain(|&other| other != id);
        near
    }
}
