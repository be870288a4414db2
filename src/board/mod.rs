//! The board as it was shown: hidden cells, numbers, and mines that were hit.
//!
//! A [`Board`] is built by replaying what the judge reported and by nothing else. What cannot be
//! (a cell outside, a value that is neither a number nor a mine, a cell given two values, a number
//! that its neighbours cannot satisfy) does not stop the replay: each is a [`Reason`], and
//! [`BoardError`] carries all of them together with the board that could be saved, because a legal
//! answer is owed even to a history that makes no sense.
//!
//! One file, because the reasons are what the replay finds, told in its own words.
//!
//! Invariant: no cell is opened twice; the counts of hidden, hit and illegible cells, and of the hidden
//! cells around each, are those of the grid.
//! [`Board::reasons`] recomputes the rest from nothing, and both the replay and the tests call it.

pub mod geometry;
pub mod group;
pub mod text_format;

use std::fmt;

use crate::base::capped_vec::CappedVec;
use crate::base::params::MARGIN;
use crate::base::text::{nearest, pluralize, with_article};
use crate::board::geometry::{Cell, CellMap, Neighbours, Shape};
use crate::board::group::{Contradiction, Group, GroupCells, Outside, Position, Premise};

/// What one cell shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellState {
    /// Unopened.
    Hidden,
    /// Open and safe, with this many mines around it, 0 to 8.
    Number(u8),
    /// A mine that was opened.
    Hit,
    /// Reported open, with a value that nobody can read. It is not offered again and says nothing.
    Illegible,
}

impl CellState {
    /// What a reported value means: 0-8 a number, 9 a mine, anything else illegible.
    pub fn from_value(value: Option<i64>) -> CellState {
        match value {
            Some(number @ 0..=8) => CellState::Number(number as u8),
            Some(9) => CellState::Hit,
            _ => CellState::Illegible,
        }
    }

    /// The value in a grid of 0-10: 0-8 numbers, 9 an opened mine, 10 unopened.
    ///
    /// An illegible cell is open and no mine that can be counted on, so it has no value.
    pub fn value(self) -> Option<u8> {
        match self {
            CellState::Number(number) => Some(number),
            CellState::Hit => Some(9),
            CellState::Hidden => Some(10),
            CellState::Illegible => None,
        }
    }
}

/// One cell as the judge reports it, still unchecked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangedCell {
    /// The turn whose request carried it, from 0.
    pub turn: usize,
    /// Row from 0, where it could be read.
    pub row: Option<i64>,
    /// Column from 0, where it could be read.
    pub column: Option<i64>,
    /// 0-8 a number, 9 a mine; where it could be read.
    pub value: Option<i64>,
}

/// One thing that is wrong with a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The reported cell is not on the field, or its row or column is no integer.
    Outside(ChangedCell),
    /// The reported value is neither a number (0-8) nor a mine (9).
    Value(ChangedCell),
    /// The cell had been reported before, with another value.
    Twice(ChangedCell),
    /// A number is below its hit neighbours, or above its hit and hidden neighbours together.
    Number {
        /// The cell's row.
        row: u32,
        /// The cell's column.
        column: u32,
        /// What it shows.
        number: u8,
        /// Mines around it that were hit.
        hits: u32,
        /// Hidden cells around it.
        hidden: u32,
    },
    /// More mines than cells.
    Mines {
        /// Mines announced.
        mines: u64,
        /// Cells of the field.
        cells: usize,
    },
    /// More mines were hit than there are.
    Hits {
        /// Mines that were hit.
        hits: u32,
        /// Mines announced.
        mines: u32,
    },
    /// More mines are left than cells are hidden.
    Left {
        /// Mines announced less mines hit.
        mines: u32,
        /// Hidden cells.
        hidden: usize,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn word(value: Option<i64>) -> String {
            value.map_or_else(|| "unreadable".to_owned(), |value| value.to_string())
        }
        let at = |f: &mut fmt::Formatter<'_>, report: &ChangedCell| {
            let (row, column) = (word(report.row), word(report.column));
            write!(f, "requests[{}]: row {row}, col {column}: ", report.turn)
        };
        match self {
            Reason::Outside(report) => {
                at(f, report)?;
                write!(f, "there is no such cell")
            }
            Reason::Value(report) => {
                at(f, report)?;
                write!(f, "val {} is neither a number (0-8) nor a mine (9)", word(report.value))
            }
            Reason::Twice(report) => {
                at(f, report)?;
                write!(f, "val {} contradicts an earlier report", word(report.value))
            }
            Reason::Number { row, column, number, hits, hidden } => {
                let number = with_article(*number);
                let hits = pluralize(*hits, "hit mine", "hit mines");
                let hidden = pluralize(*hidden, "hidden cell", "hidden cells");
                write!(f, "row {row}, col {column}: {number} beside {hits} and {hidden}")
            }
            Reason::Mines { mines, cells } => {
                let cells = pluralize(*cells, "cell", "cells");
                let mines = nearest(i64::try_from(*mines).unwrap_or(i64::MAX));
                write!(f, "minecount {mines} is more than the {cells} of the field")
            }
            Reason::Hits { hits, mines } => {
                let hits = pluralize(*hits, "mine was", "mines were");
                write!(f, "{hits} opened, but minecount is {mines}")
            }
            Reason::Left { mines, hidden } => {
                let mines = pluralize(*mines, "mine is", "mines are");
                write!(f, "{mines} left for {}", pluralize(*hidden, "hidden cell", "hidden cells"))
            }
        }
    }
}

/// A history that cannot be, with every reason and the board that could be saved from it.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardError {
    /// What is wrong, in the order it was met; never empty, and nothing twice in a row. Of the reports the first
    /// [`crate::base::capped_vec::MOST`], of all else everything.
    pub reasons: Vec<Reason>,
    /// How many more reports are wrong.
    pub more: usize,
    /// What could be replayed. Cells reported open are open in it.
    pub board: Board,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, reason) in self.reasons.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(f, "{separator}{reason}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BoardError {}

/// What is kept of the cells around a cell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Beside {
    /// Those that are hidden: most numbers have none left, and are passed over at a glance.
    hidden: u8,
    /// The mines hit, plus [`UNSURE`] where one is illegible.
    hits: u8,
}

/// More than a cell has neighbours: marks a cell beside one that may be a mine and may be none.
const UNSURE: u8 = 0x80;

/// The board after some cells were opened.
#[derive(PartialEq, Debug)]
pub struct Board {
    shape: Shape,
    mines: u32,
    grid: CellMap<CellState>,
    beside: CellMap<Beside>,
    hidden: usize,
    hits: u32,
    illegible: usize,
}

/// Written out for the sake of `clone_from`, which keeps the memory.
impl Clone for Board {
    fn clone(&self) -> Board {
        Board { grid: self.grid.clone(), beside: self.beside.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &Board) {
        let Board { shape, mines, grid, beside, hidden, hits, illegible } = other;
        self.grid.clone_from(grid);
        self.beside.clone_from(beside);
        (self.shape, self.mines) = (*shape, *mines);
        (self.hidden, self.hits, self.illegible) = (*hidden, *hits, *illegible);
    }
}

impl Board {
    /// An untouched field with `mines` mines.
    pub fn new(shape: Shape, mines: u32) -> Board {
        let grid = CellMap::new(shape.len(), CellState::Hidden);
        let mut beside = CellMap::new(shape.len(), Beside::default());
        for cell in shape.cells() {
            beside[cell].hidden = shape.neighbours(cell).len() as u8;
        }
        Board { shape, mines, grid, beside, hidden: shape.len(), hits: 0, illegible: 0 }
    }

    /// The board that a whole history leaves. `mines` is taken as it was announced.
    ///
    /// # Errors
    /// [`BoardError`] with every reason when the history cannot be true; its board still holds
    /// what could be read, and never more mines than cells.
    pub fn replay(
        shape: Shape,
        mines: u64,
        reports: impl IntoIterator<Item = ChangedCell>,
    ) -> Result<Board, BoardError> {
        let mut wrong = CappedVec::default();
        let possible = mines.min(shape.len() as u64);
        if possible < mines {
            wrong.push(Reason::Mines { mines, cells: shape.len() });
        }
        let mut board = Board::new(shape, possible as u32);
        for report in reports {
            let place = report.row.zip(report.column);
            let Some(cell) = place.and_then(|(row, column)| shape.cell(row, column)) else {
                // What it shows there does not matter.
                wrong.push_other(Reason::Outside(ChangedCell { value: None, ..report }));
                continue;
            };
            let shown = CellState::from_value(report.value);
            if shown == CellState::Illegible {
                wrong.push_other(Reason::Value(report));
            }
            // The judge never repeats a cell; one that is repeated alike does no harm.
            if !board.open(cell, shown) && board.state(cell) != shown {
                wrong.push_other(Reason::Twice(report));
            }
        }
        let CappedVec { kept: mut reasons, more, .. } = wrong;
        // Where minecount itself was cut to the cells, what is left of it says nothing new.
        let of_board = board.reasons().into_iter();
        reasons.extend(of_board.filter(|r| possible == mines || !matches!(r, Reason::Left { .. })));
        if reasons.is_empty() { Ok(board) } else { Err(BoardError { reasons, more, board }) }
    }

    /// Opens a hidden cell. Returns false, and changes nothing, where the cell is open already.
    pub fn open(&mut self, cell: Cell, shown: CellState) -> bool {
        if self.grid[cell] != CellState::Hidden || shown == CellState::Hidden {
            return false;
        }
        self.grid[cell] = shown;
        self.hidden -= 1;
        self.hits += u32::from(shown == CellState::Hit);
        self.illegible += usize::from(shown == CellState::Illegible);
        for neighbour in self.shape.neighbours(cell) {
            let beside = &mut self.beside[neighbour];
            beside.hidden -= 1;
            match shown {
                CellState::Hit => beside.hits += 1,
                CellState::Illegible => beside.hits |= UNSURE,
                CellState::Number(_) | CellState::Hidden => {}
            }
        }
        true
    }

    /// Rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All mines of the field, those that were hit included.
    pub fn mines(&self) -> u32 {
        self.mines
    }

    /// Mines that were hit.
    pub fn hits(&self) -> u32 {
        self.hits
    }

    /// Number of hidden cells.
    pub fn hidden_len(&self) -> usize {
        self.hidden
    }

    /// Whether a cell without a mine is left to open, by the numbers of cells alone.
    pub fn has_safe_left(&self) -> bool {
        self.hidden + self.hits as usize > self.mines as usize
    }

    /// What `cell` shows.
    pub fn state(&self, cell: Cell) -> CellState {
        self.grid[cell]
    }

    /// Whether `cell` may still be opened.
    pub fn is_hidden(&self, cell: Cell) -> bool {
        self.grid[cell] == CellState::Hidden
    }

    /// How many cells around `cell` may still be opened.
    pub fn hidden_around(&self, cell: Cell) -> u8 {
        self.beside[cell].hidden
    }

    /// The mines that are still hidden around `cell`, which shows `number`; `None` where fewer than none are, or
    /// where a cell around it is illegible and may be one of them.
    fn missing_around(&self, cell: Cell, number: u8) -> Option<u8> {
        // Beside an illegible cell there are more than any number.
        number.checked_sub(self.beside[cell].hits)
    }

    /// The hidden cells around `cell`, in row-major order.
    fn hidden_neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        self.shape.neighbours(cell).into_iter().filter(|&neighbour| self.is_hidden(neighbour))
    }

    /// Every cell with what it shows, in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, CellState)> {
        self.grid.iter().map(|(cell, shown)| (cell, *shown))
    }

    /// The hidden cells, in row-major order.
    pub fn hidden(&self) -> impl Iterator<Item = Cell> {
        self.grid.iter().filter(|(_, shown)| **shown == CellState::Hidden).map(|(cell, _)| cell)
    }

    /// Every local reason why this board cannot be, recomputed from the grid alone.
    pub fn reasons(&self) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for (cell, shown) in self.grid.iter() {
            let CellState::Number(number) = *shown else { continue };
            let around = self.around(cell);
            let fewest = around.hits;
            let most = around.hits + around.hidden.len() as u32 + around.illegible;
            if !(fewest..=most).contains(&number.into()) {
                reasons.push(Reason::Number {
                    row: self.shape.row(cell),
                    column: self.shape.column(cell),
                    number,
                    hits: around.hits,
                    hidden: around.hidden.len() as u32,
                });
            }
        }
        if self.hits > self.mines {
            reasons.push(Reason::Hits { hits: self.hits, mines: self.mines });
        }
        let left = self.mines.saturating_sub(self.hits);
        if left as usize > self.hidden + self.illegible {
            reasons.push(Reason::Left { mines: left, hidden: self.hidden });
        }
        reasons
    }

    /// What the solver may know, written over `position` so that its memory serves again.
    ///
    /// A number that cannot be satisfied, or that has an illegible neighbour, is left out: it says
    /// nothing that can be relied on. The mines left are cut to the hidden cells; an illegible cell may be
    /// one of them, so that beside one there is only their density; so too where the total cannot be.
    ///
    /// Cost: one walk over the field.
    pub fn position_into(&self, position: &mut Position) {
        position.universe = self.shape.len();
        position.hidden.clear();
        position.premises.clear();
        for (cell, shown) in self.grid.iter() {
            match *shown {
                CellState::Hidden => position.hidden.push(cell),
                CellState::Number(number) if self.beside[cell].hidden > 0 => {
                    let Some(mines) = self.missing_around(cell, number) else { continue };
                    let hidden: Neighbours = self.hidden_neighbours(cell).collect();
                    let hidden = GroupCells::from_slice(&hidden);
                    if let Ok(Some(group)) = Group::new(hidden, mines.into()) {
                        position.premises.push(Premise { source: cell, group });
                    }
                }
                CellState::Number(_) | CellState::Hit | CellState::Illegible => {}
            }
        }
        let left = self.mines.saturating_sub(self.hits);
        position.mines = left.min(self.hidden as u32);
        let may_be = self.hits <= self.mines && left as usize <= self.hidden;
        position.outside = if self.illegible == 0 && may_be {
            Outside::Total
        } else {
            let density = f64::from(left) / (self.hidden + self.illegible) as f64;
            Outside::Density(density.clamp(MARGIN, 1.0 - MARGIN))
        };
    }

    /// What the solver may know. See [`Board::position_into`].
    pub fn position(&self) -> Position {
        let mut position = Position::default();
        self.position_into(&mut position);
        position
    }

    /// What the neighbours of `cell` show.
    fn around(&self, cell: Cell) -> Around {
        let mut around = Around { hidden: GroupCells::new(), hits: 0, illegible: 0 };
        for neighbour in self.shape.neighbours(cell) {
            match self.grid[neighbour] {
                CellState::Hidden => around.hidden.push(neighbour),
                CellState::Hit => around.hits += 1,
                CellState::Illegible => around.illegible += 1,
                CellState::Number(_) => {}
            }
        }
        around
    }
}

impl Contradiction {
    /// The contradiction in words that say where on the field it is.
    pub fn told(&self, shape: Shape) -> String {
        match self.cells.first() {
            Some(&cell) => {
                format!("{self}, near row {}, col {}", shape.row(cell), shape.column(cell))
            }
            None => self.to_string(),
        }
    }
}

/// What the neighbours of a cell show, numbers left out.
pub(crate) struct Around {
    /// Those that may still be opened, sorted.
    pub(crate) hidden: GroupCells,
    /// Mines that were hit.
    pub(crate) hits: u32,
    /// Those that nobody can read.
    pub(crate) illegible: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::Budget;
    use crate::base::capped_vec::MOST;
    use crate::base::rng::Random;
    use crate::deduction::deducer::{Deducer, Reach};
    use crate::probability::solver::ProbabilitySolver;

    #[test]
    fn a_board_copied_over_another_is_a_board_cloned() {
        let cell = Cell::from_index;
        let mut board = Board::new(Shape::new(2, 3).unwrap(), 2);
        for (index, shown) in
            [(0, CellState::Hit), (3, CellState::Illegible), (5, CellState::Number(1))]
        {
            board.open(cell(index), shown);
        }
        let mut other = Board::new(Shape::new(4, 4).unwrap(), 9);
        other.open(cell(7), CellState::Number(3));
        other.clone_from(&board);
        assert_eq!(other, board);
        assert_eq!(board.clone(), board);
    }

    fn replay(mines: u64, cells: &[(i64, i64, i64)]) -> Result<Board, BoardError> {
        let shape = Shape::new(2, 3).unwrap();
        let report = |&(row, column, value): &(i64, i64, i64)| ChangedCell {
            turn: 0,
            row: Some(row),
            column: Some(column),
            value: Some(value),
        };
        Board::replay(shape, mines, cells.iter().map(report))
    }

    fn reasons(mines: u64, cells: &[(i64, i64, i64)]) -> Vec<Reason> {
        let error = replay(mines, cells).unwrap_err();
        assert_eq!(error.to_string().lines().count(), error.reasons.len());
        error.reasons
    }

    #[test]
    fn each_fault_of_a_history_is_a_reason() {
        assert!(replay(1, &[(0, 0, 1), (0, 0, 1)]).is_ok());
        assert!(matches!(reasons(1, &[(2, 0, 1)])[..], [Reason::Outside(_)]));
        assert!(matches!(reasons(1, &[(0, 0, 15)])[..], [Reason::Value(_)]));
        assert!(matches!(reasons(1, &[(0, 0, 1), (0, 0, 0)])[..], [Reason::Twice(_)]));
        assert!(matches!(reasons(7, &[])[..], [Reason::Mines { mines: 7, cells: 6 }]));
        assert!(matches!(
            reasons(3, &[(0, 0, 4)])[..],
            [Reason::Number { row: 0, column: 0, number: 4, hits: 0, hidden: 3 }]
        ));
        assert!(matches!(
            reasons(1, &[(0, 0, 9), (0, 1, 9)])[..],
            [Reason::Hits { hits: 2, mines: 1 }]
        ));
        assert!(matches!(reasons(6, &[(0, 0, 3)])[..], [Reason::Left { mines: 6, hidden: 5 }]));
        // Nine cells outside are nine reasons, and one that is reported nine times is one.
        assert_eq!(reasons(1, &[0, 1, 2, 3, 4, 5, 6, 7, 8].map(|row| (row, 9, 1))).len(), 9);
        assert_eq!(reasons(1, &[(9, 9, 1), (9, 9, 2), (9, 9, 1)]).len(), 1);
        let many: Vec<_> = (0..MOST as i64 + 5).map(|row| (row, 9, 1)).collect();
        let error = replay(1, &many).unwrap_err();
        assert_eq!((error.reasons.len(), error.more), (MOST, 5));
    }

    #[test]
    fn what_cannot_be_is_open_all_the_same_and_says_nothing() {
        let board = replay(9, &[(0, 0, 15), (0, 2, 8), (1, 1, 9)]).unwrap_err().board;
        let position = board.position();
        assert_eq!((board.hidden_len(), board.mines(), board.hits()), (3, 6, 1));
        assert!(position.premises.is_empty());
        assert_eq!(position.mines as usize, position.hidden.len());
        // The illegible cell may be one of the mines: nobody knows how many are hidden.
        assert_eq!(position.outside, Outside::Density(1.0 - MARGIN));
    }

    #[test]
    fn the_counts_kept_are_those_of_the_grid() {
        let mut random = Random::new(7);
        let shape = Shape::new(6, 7).unwrap();
        for _ in 0..200 {
            let mut board = Board::new(shape, 9);
            for cell in shape.cells() {
                let values = [0, 1, 2, 3, 8, 9, 9, 15];
                // The rest stay hidden.
                if let Some(&value) = values.get(random.below(12)) {
                    board.open(cell, CellState::from_value(Some(value)));
                }
            }
            for cell in shape.cells() {
                let around = board.around(cell);
                assert_eq!(usize::from(board.hidden_around(cell)), around.hidden.len());
                assert_eq!(board.hidden_neighbours(cell).collect::<GroupCells>(), around.hidden);
                for number in 0..=8_u8 {
                    let missing = u32::from(number).checked_sub(around.hits);
                    let missing = missing.filter(|_| around.illegible == 0);
                    assert_eq!(board.missing_around(cell, number).map(u32::from), missing);
                }
            }
        }
    }

    #[test]
    fn beside_an_illegible_cell_the_total_proves_nothing() {
        // One mine, and one cell that nobody can read: the hidden cells may hold it or not.
        let board = replay(1, &[(0, 0, 15)]).unwrap_err().board;
        let (mut deducer, mut solver) = (Deducer::new(), ProbabilitySolver::default());
        let position = board.position();
        deducer.run(&position, Reach::FixedPoint).unwrap();
        let odds = solver.run(&position, &deducer, &mut Budget::unlimited()).unwrap();
        let sixth = |&cell: &Cell| (odds.of(cell) - 1.0 / 6.0).abs() < 1e-12;
        assert!(position.hidden.iter().all(sixth));
        // All mines were opened, and one cell too many: still nothing is certain.
        let board = replay(1, &[(0, 0, 15), (0, 1, 9)]).unwrap_err().board;
        let position = board.position();
        deducer.run(&position, Reach::FixedPoint).unwrap();
        assert!(deducer.safe().is_empty() && deducer.mines().is_empty());
    }
}
