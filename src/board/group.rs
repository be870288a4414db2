//! The input of the solver: sets of hidden cells with the number of mines in each.
//!
//! A number on the board states how many mines are among its hidden neighbours: a [`Group`]. A
//! [`Position`] is the groups of the numbers, the hidden cells, those of them that are known to be
//! mines, and the number of mines among all. Deduction rules and counting work on these sets and
//! know no grid.
//!
//! Invariants of a group: its cells are sorted and distinct, there is at least one, and 0 <= mines
//! <= cells. An impossible number of mines is a [`Contradiction`].

use smallvec::SmallVec;

use crate::board::contradiction::Contradiction;
use crate::board::geometry::Cell;

/// The maximum number of cells around a cell.
pub const MAX_NEIGHBOURS: usize = 8;

/// The cells of a group, sorted; those of a number need no allocation.
pub type GroupCells = SmallVec<[Cell; MAX_NEIGHBOURS]>;

/// A set of cells with the number of mines among them.
#[derive(PartialEq, Eq, Debug)]
pub struct Group {
    cells: GroupCells,
    mines: u32,
}

/// Copies the cells at once; those of a derived `Clone` are cloned one by one.
impl Clone for Group {
    fn clone(&self) -> Group {
        Group { cells: GroupCells::from_slice(&self.cells), mines: self.mines }
    }
}

impl Group {
    /// A group of `mines` mines among `cells`, which are sorted and distinct.
    ///
    /// `Ok(None)` if there are neither cells nor mines.
    ///
    /// # Errors
    /// [`Contradiction`] unless 0 <= `mines` <= the number of cells.
    pub fn new(cells: GroupCells, mines: i64) -> Result<Option<Group>, Contradiction> {
        debug_assert!(cells.is_sorted() && cells.windows(2).all(|pair| pair[0] != pair[1]));
        if mines < 0 || mines > cells.len() as i64 {
            return Err(Contradiction::Group { cells: cells.to_vec(), mines });
        }
        Ok((!cells.is_empty()).then_some(Group { cells, mines: mines as u32 }))
    }

    /// The cells, sorted; there is at least one.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The number of mines among the cells.
    pub fn mines(&self) -> u32 {
        self.mines
    }

    /// Whether every cell is a mine.
    pub fn is_full(&self) -> bool {
        self.mines as usize == self.cells.len()
    }

    /// Whether the group decides its cells: none is a mine, or all are.
    pub fn is_trivial(&self) -> bool {
        self.mines == 0 || self.is_full()
    }

    /// The cells that both groups contain.
    pub fn intersection(&self, other: &Group) -> GroupCells {
        self.cells.iter().copied().filter(|cell| other.contains(*cell)).collect()
    }

    /// The cells of this group that are not in `other`.
    pub fn difference(&self, other: &Group) -> GroupCells {
        self.cells.iter().copied().filter(|cell| !other.contains(*cell)).collect()
    }

    /// Whether the group contains `cell`.
    pub fn contains(&self, cell: Cell) -> bool {
        // Nearly all groups have at most eight cells, where a scan is faster than a binary search.
        self.cells.contains(&cell)
    }
}

/// The group that an open number states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Premise {
    /// The cell that shows the number.
    pub source: Cell,
    /// Its hidden neighbours and the number of mines among them.
    pub group: Group,
}

/// What an undecided cell shows, which changes a position.
pub struct Shown {
    /// The cell.
    pub cell: Cell,
    /// Whether it is a mine.
    pub is_mine: bool,
    /// The group of its number, if that has undecided neighbours.
    pub group: Option<Group>,
}

/// How well the number of mines is known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum MineCount {
    /// [`Position::mines`] is exact.
    #[default]
    Exact,
    /// Only the probability of each cell to be a mine, strictly between 0 and 1.
    Density(f64),
}

/// The solver's view of a board: the groups, the hidden cells, and the number of mines among them.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Position {
    /// An upper bound of the indices of all cells, exclusive.
    pub universe: usize,
    /// The hidden cells, sorted.
    pub hidden: Vec<Cell>,
    /// Hidden cells that are known to be mines and lie in no group, sorted.
    pub known_mines: Vec<Cell>,
    /// A group for each open number: its hidden neighbours without the known mines.
    pub premises: Vec<Premise>,
    /// The number of mines among `hidden`, at most their number. Exact only with
    /// [`MineCount::Exact`].
    pub mines: u32,
    /// Whether `mines` is exact, or else the density of mines.
    pub mine_count: MineCount,
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
        assert!(!group(&[1, 2], 0).unwrap().unwrap().is_full());
        assert!(group(&[1, 2], 2).unwrap().unwrap().is_full());
    }

    #[test]
    fn set_operations_agree_with_each_other() {
        let a = group(&[1, 3, 5, 7], 2).unwrap().unwrap();
        let b = group(&[0, 3, 4, 7, 9], 1).unwrap().unwrap();
        let shared = a.intersection(&b);
        assert_eq!(shared.as_slice(), [Cell::from_index(3), Cell::from_index(7)]);
        assert_eq!(a.difference(&b).len() + shared.len(), a.cells().len());
    }
}
