//! The solver's only input: sets of hidden cells with a number of mines in each.
//!
//! A number on the board says "n mines among these hidden cells": that is a [`Group`]. A
//! [`Position`] is all groups of a board, its hidden cells and the mines left among them. From here
//! on nobody knows a grid: deduction, counting and search see sets and counts only.
//!
//! Invariant of a `Group`: its cells are sorted and distinct, there is at least one, and
//! 0 <= mines <= cells. What breaks it is [`Contradiction`], a value and never a panic.

use std::fmt;

use smallvec::SmallVec;

use crate::base::text::pluralize;
use crate::board::geometry::Cell;

/// The most cells that a number sees.
pub const MOST_SEEN: usize = 8;

/// The cells of a group, sorted. Those of a number stay off the heap.
pub type GroupCells = SmallVec<[Cell; MOST_SEEN]>;

/// `mines` mines among `cells`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    cells: GroupCells,
    mines: u32,
}

/// A set of cells that would have to hold fewer than no mines, or more mines than cells, or no
/// layout at all: the numbers cannot all be true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The cells of the group, or of the component, that cannot be.
    pub cells: Vec<Cell>,
    /// The mines they would have to hold, where it is one number.
    pub mines: Option<i64>,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = pluralize(self.cells.len(), "cell", "cells");
        let mines = pluralize(self.mines.unwrap_or(0).unsigned_abs(), "mine", "mines");
        match (self.mines, self.cells.is_empty()) {
            (Some(0..), false) => write!(f, "{mines} would have to lie in {cells}"),
            (Some(0..), true) => write!(f, "the numbers leave too few cells for {mines}"),
            (Some(_), false) => {
                write!(f, "the numbers around {cells} ask for {mines} more than there can be")
            }
            (Some(_), true) => write!(f, "the numbers ask for {mines} more than there can be"),
            (None, false) => write!(f, "the numbers around {cells} contradict each other"),
            (None, true) => write!(f, "the mines left do not fit the numbers"),
        }
    }
}

impl std::error::Error for Contradiction {}

impl Group {
    /// `mines` mines among `cells`, which are sorted and distinct.
    ///
    /// `Ok(None)` when there is nothing to say: no cells and no mines.
    ///
    /// # Errors
    /// [`Contradiction`] unless 0 <= `mines` <= number of cells.
    pub fn new(cells: GroupCells, mines: i64) -> Result<Option<Group>, Contradiction> {
        debug_assert!(cells.is_sorted() && cells.windows(2).all(|pair| pair[0] != pair[1]));
        if mines < 0 || mines > cells.len() as i64 {
            return Err(Contradiction { cells: cells.to_vec(), mines: Some(mines) });
        }
        Ok((!cells.is_empty()).then_some(Group { cells, mines: mines as u32 }))
    }

    /// The cells, sorted; at least one.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The mines among the cells, at most their number.
    pub fn mines(&self) -> u32 {
        self.mines
    }

    /// Every cell is safe.
    pub fn is_safe(&self) -> bool {
        self.mines == 0
    }

    /// Every cell is a mine.
    pub fn is_full(&self) -> bool {
        self.mines as usize == self.cells.len()
    }

    /// How many cells the two groups share. Cost: one walk over both.
    pub fn shared_len(&self, other: &Group) -> usize {
        let (mut a, mut b, mut shared) = (0, 0, 0);
        while a < self.cells.len() && b < other.cells.len() {
            let (x, y) = (self.cells[a], other.cells[b]);
            shared += usize::from(x == y);
            a += usize::from(x <= y);
            b += usize::from(y <= x);
        }
        shared
    }

    /// The cells of both groups.
    pub fn intersection(&self, other: &Group) -> GroupCells {
        self.cells.iter().copied().filter(|cell| other.contains(*cell)).collect()
    }

    /// The cells of this group that are not in `other`.
    pub fn difference(&self, other: &Group) -> GroupCells {
        self.cells.iter().copied().filter(|cell| !other.contains(*cell)).collect()
    }

    /// Whether `cell` is in the group.
    pub fn contains(&self, cell: Cell) -> bool {
        // Eight cells at most where it matters: a walk beats a binary search.
        self.cells.contains(&cell)
    }
}

/// A group that the board states outright, with the cell that shows the number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Premise {
    /// The open cell whose number this is.
    pub source: Cell,
    /// Its hidden neighbours, and the mines among them.
    pub group: Group,
}

/// What the mines outside all groups are known by.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Outside {
    /// The mine total of the position: exact.
    #[default]
    Total,
    /// Each cell is a mine with this chance, strictly between 0 and 1: the total is not known.
    Density(f64),
}

/// Everything a solver may know: the groups, the hidden cells, and the mines among them.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Position {
    /// Every cell's index is below this.
    pub universe: usize,
    /// The hidden cells, sorted.
    pub hidden: Vec<Cell>,
    /// One group for every open number that has a hidden neighbour.
    pub premises: Vec<Premise>,
    /// The mines among `hidden`, at most their number. Proves nothing unless `outside` is the total.
    pub mines: u32,
    /// Whether the mines are known to be as many.
    pub outside: Outside,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(cells: &[u32], mines: i64) -> Result<Option<Group>, Contradiction> {
        Group::new(cells.iter().map(|&index| Cell::from_index(index)).collect(), mines)
    }

    #[test]
    fn a_group_holds_between_none_and_all() {
        assert!(group(&[1, 2], -1).is_err());
        assert!(group(&[1, 2], 3).is_err());
        assert!(group(&[], 1).is_err());
        assert_eq!(group(&[], 0), Ok(None));
        assert!(group(&[1, 2], 0).unwrap().unwrap().is_safe());
        assert!(group(&[1, 2], 2).unwrap().unwrap().is_full());
    }

    #[test]
    fn set_operations_agree_with_each_other() {
        let a = group(&[1, 3, 5, 7], 2).unwrap().unwrap();
        let b = group(&[0, 3, 4, 7, 9], 1).unwrap().unwrap();
        let shared = a.intersection(&b);
        assert_eq!(shared.as_slice(), [Cell::from_index(3), Cell::from_index(7)]);
        assert_eq!(a.shared_len(&b), shared.len());
        assert_eq!(a.difference(&b).len() + shared.len(), a.cells().len());
    }
}
