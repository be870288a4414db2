//! The state of the [`Propagator`](super::propagator::Propagator): one record for each padded
//! index.
//!
//! A simulated game starts from a saved state, so that saving and restoring is a copy of one array.
//!
//! Invariant: `undecided` of every cell is the set of its undecided neighbours, and
//! `mines_remaining` of every number is the number of mines among them.

use crate::deduction::propagation::padded_grid::NeighbourMask;

/// What is known about a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellStatus {
    /// Not a cell of the board.
    Border,
    /// Hidden, and proven neither safe nor a mine.
    Undecided,
    /// Hidden, and proven safe.
    Safe,
    /// Hidden, and proven to be a mine.
    Mine,
    /// An opened mine.
    Hit,
    /// Open, with a number that is in use.
    Number,
    /// Open, with an impossible number, which is not used.
    /// [`Board::position`](crate::board::Board::position) leaves it out likewise.
    Ignored,
}

/// What is stored for a padded index. Eight bytes: simulated games copy the whole array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// The undecided neighbours.
    pub(super) undecided: NeighbourMask,
    /// The number on the cell, or 0 while it shows none, minus the known mines around it.
    pub(super) mines_remaining: i8,
    /// Opened mines around the cell.
    pub(super) hits: i8,
    pub(super) status: CellStatus,
    /// The queues that contain the cell: [`IN_SINGLES`], [`IN_PAIRS`].
    pub(super) queued: u8,
}

/// Flag of a number in the queue of the rule for one number.
pub(super) const IN_SINGLES: u8 = 1;
/// Flag of a number in the queue of the rule for two numbers.
pub(super) const IN_PAIRS: u8 = 2;

impl Record {
    pub(super) const BORDER: Record =
        Record { undecided: 0, mines_remaining: 0, hits: 0, status: CellStatus::Border, queued: 0 };
}

/// What is known about every cell, by padded index
/// ([`crate::deduction::propagation::padded_grid`]).
#[derive(Clone, Default)]
pub struct PropagatorState {
    pub(super) records: Vec<Record>,
    /// The number of undecided cells.
    pub undecided_len: usize,
    /// Mines among the undecided cells; negative if the numbers ask for more mines than there are.
    pub mines: i64,
}

impl PropagatorState {
    /// Returns what is known about a cell.
    pub fn status(&self, index: usize) -> CellStatus {
        self.records[index].status
    }
}
