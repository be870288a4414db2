//! The board as it was reported: hidden cells, numbers, and mines that were hit.
//!
//! A [`Board`] knows the grid. A [`group::Position`] is what follows from it for the solver: sets
//! of hidden cells with the number of mines in each. Deduction, counting and search work on
//! positions.
//!
//! - In: a shape, the mine count, and the open cells with what they show.
//! - Out: what each cell shows, and the position ([`Board::position`]).
//!
//! Invariants: an open cell stays open and keeps its state. The counts that the board keeps up to
//! date (hidden, hit and illegible cells of the field; hidden and hit cells around each cell) equal
//! those of the grid. Whether the numbers can be true is not an invariant, because a report may be
//! wrong: [`Board::reasons`] says how they cannot.
//!
//! Files:
//! - [`consistency`]: every reason why a board cannot be true, as far as single numbers show it.
//! - [`geometry`]: shapes, cells, and maps from cells to values.
//! - [`group`]: groups and positions, the input of the solver.
//! - [`text_format`]: boards as text, in both directions.
//!
//! Cost: opening a cell visits its neighbours; a position is two passes over the field.

pub mod consistency;
pub mod contradiction;
pub mod geometry;
pub mod group;
pub mod text_format;

use crate::board::geometry::{Cell, CellMap, Shape};
use crate::board::group::{Group, GroupCells, MineCount, Position, Premise};
use crate::settings::params::PROBABILITY_MARGIN;

/// The state of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CellState {
    /// Not opened.
    #[default]
    Hidden,
    /// Open and safe, with this number of mines around it, 0 to 8.
    Number(u8),
    /// A mine that was opened, or that is known by other means. It is one of the board's mines, and
    /// costs no more.
    Hit,
    /// Reported open with an invalid value. The cell may be a mine or safe, and is not opened
    /// again.
    Illegible,
}

impl CellState {
    /// The state for a value that the platform reported of an open cell: 0-8 a number, 9 a mine.
    /// Anything else is illegible, also `None` and 10: this is no inverse of [`CellState::value`].
    pub fn from_value(value: Option<i64>) -> CellState {
        match value {
            Some(number @ 0..=8) => CellState::Number(number as u8),
            Some(9) => CellState::Hit,
            _ => CellState::Illegible,
        }
    }

    /// The value in a grid of values: 0-8 a number, 9 an opened mine, 10 hidden; `None` if
    /// illegible.
    pub fn value(self) -> Option<u8> {
        match self {
            CellState::Number(number) => Some(number),
            CellState::Hit => Some(9),
            CellState::Hidden => Some(10),
            CellState::Illegible => None,
        }
    }
}

/// Counts of the cells around a cell, kept up to date as cells are opened.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct NeighbourCounts {
    /// Hidden cells. Most numbers have none left, and are skipped.
    hidden: u8,
    /// Mines that were hit, with [`ILLEGIBLE_FLAG`] set if a neighbour is illegible.
    hits: u8,
}

/// A bit beyond the number of neighbours: with it set, a count exceeds every number.
const ILLEGIBLE_FLAG: u8 = 0x80;

/// A field of which some cells are open.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    shape: Shape,
    mines: u32,
    grid: CellMap<CellState>,
    neighbour_counts: CellMap<NeighbourCounts>,
    hidden: usize,
    hits: u32,
    illegible: usize,
}

impl Board {
    /// A field of hidden cells with `mines` mines.
    pub fn new(shape: Shape, mines: u32) -> Board {
        let grid = CellMap::new(shape.len(), CellState::Hidden);
        let mut neighbour_counts = CellMap::new(shape.len(), NeighbourCounts::default());
        for cell in shape.cells() {
            neighbour_counts[cell].hidden = shape.neighbours(cell).len() as u8;
        }
        Board { shape, mines, grid, neighbour_counts, hidden: shape.len(), hits: 0, illegible: 0 }
    }

    /// Opens a hidden cell. Returns `false`, and changes nothing, if the cell is open already. The
    /// number is not checked; [`Board::open_at`] checks it.
    ///
    /// # Panics
    /// If the cell is not of the board's shape, as all functions that take a [`Cell`].
    pub fn open(&mut self, cell: Cell, state: CellState) -> bool {
        if self.grid[cell] != CellState::Hidden || state == CellState::Hidden {
            return false;
        }
        self.grid[cell] = state;
        self.hidden -= 1;
        self.hits += u32::from(state == CellState::Hit);
        self.illegible += usize::from(state == CellState::Illegible);
        for neighbour in self.shape.neighbours(cell) {
            let counts = &mut self.neighbour_counts[neighbour];
            counts.hidden -= 1;
            match state {
                CellState::Hit => counts.hits += 1,
                CellState::Illegible => counts.hits |= ILLEGIBLE_FLAG,
                CellState::Number(_) | CellState::Hidden => {}
            }
        }
        true
    }

    /// Rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of mines of the field, including those that were hit.
    pub fn mines(&self) -> u32 {
        self.mines
    }

    /// The number of mines that were hit.
    pub fn hits(&self) -> u32 {
        self.hits
    }

    /// The number of hidden cells.
    pub fn hidden_len(&self) -> usize {
        self.hidden
    }

    /// The state of `cell`; [`Board::state_at`] takes a row and a column.
    pub fn state(&self, cell: Cell) -> CellState {
        self.grid[cell]
    }

    /// Whether `cell` is hidden.
    pub fn is_hidden(&self, cell: Cell) -> bool {
        self.grid[cell] == CellState::Hidden
    }

    /// The number of hidden cells around `cell`.
    pub fn hidden_around(&self, cell: Cell) -> u8 {
        self.neighbour_counts[cell].hidden
    }

    /// Every cell with its state, in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, CellState)> {
        self.grid.iter().map(|(cell, state)| (cell, *state))
    }

    /// The hidden cells, in row-major order.
    pub fn hidden(&self) -> impl Iterator<Item = Cell> {
        self.grid.iter().filter(|(_, state)| **state == CellState::Hidden).map(|(cell, _)| cell)
    }

    /// The hidden cells around `cell`, in row-major order.
    fn hidden_neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        self.shape.neighbours(cell).into_iter().filter(|&neighbour| self.is_hidden(neighbour))
    }

    /// The number of hidden mines around `cell`, which shows `number`.
    ///
    /// `None` if more mines were hit than the number allows, or if a neighbour is illegible and may
    /// be a mine.
    fn hidden_mines_around(&self, cell: Cell, number: u8) -> Option<u8> {
        number.checked_sub(self.neighbour_counts[cell].hits)
    }

    /// Whether the hidden cells around `cell` can be as many mines as are missing from `number`;
    /// `false` if a neighbour is illegible.
    fn is_possible(&self, cell: Cell, number: u8) -> bool {
        let NeighbourCounts { hidden, hits } = self.neighbour_counts[cell];
        hits < ILLEGIBLE_FLAG && (hits..=hits + hidden).contains(&number)
    }

    /// The solver's view of the board.
    ///
    /// A number that cannot be true, or that has an illegible neighbour, states nothing certain and
    /// is left out. The mine count is limited to the hidden cells. It is exact unless a cell is
    /// illegible or the count itself cannot be true; then only the density of the mines is stated.
    ///
    /// Cost: two passes over the field.
    pub fn position(&self) -> Position {
        let mut premises = Vec::new();
        for (cell, number) in self.numbers() {
            let Some(mines) = self.hidden_mines_around(cell, number) else { continue };
            let around: GroupCells = self.hidden_neighbours(cell).collect();
            if let Ok(Some(group)) = Group::new(around, mines.into()) {
                premises.push(Premise { source: cell, group });
            }
        }
        self.position_of(premises, Vec::new())
    }

    /// The position of [`Board::position`] in fewer and smaller groups: the mines that a number
    /// shows by itself are known. `None` where other numbers, or the mine count, contradict these
    /// mines, and where a cell is illegible.
    ///
    /// Cost: three passes over the field.
    pub(crate) fn reduced_position(&self) -> Option<Position> {
        let (mut known_mines, mut is_known) = (Vec::new(), CellMap::new(self.shape.len(), false));
        for (cell, number) in self.numbers() {
            if self.hidden_mines_around(cell, number)? != self.hidden_around(cell) {
                continue;
            }
            for mine in self.hidden_neighbours(cell) {
                if !std::mem::replace(&mut is_known[mine], true) {
                    known_mines.push(mine);
                }
            }
        }
        known_mines.sort_unstable();
        let mut premises = Vec::new();
        for (cell, number) in self.numbers() {
            let mut mines = i64::from(self.hidden_mines_around(cell, number)?);
            let mut around = GroupCells::new();
            for hidden in self.hidden_neighbours(cell) {
                if is_known[hidden] {
                    mines -= 1;
                } else {
                    around.push(hidden);
                }
            }
            let group = Group::new(around, mines).ok()?;
            premises.extend(group.map(|group| Premise { source: cell, group }));
        }
        let mines = self.mines.checked_sub(self.hits)? as usize;
        let is_possible = (known_mines.len()..=self.hidden).contains(&mines);
        (is_possible && self.illegible == 0).then(|| self.position_of(premises, known_mines))
    }

    /// The numbers beside hidden cells.
    fn numbers(&self) -> impl Iterator<Item = (Cell, u8)> {
        self.grid.iter().filter_map(|(cell, state)| match *state {
            CellState::Number(number) if self.hidden_around(cell) > 0 => Some((cell, number)),
            _ => None,
        })
    }

    fn position_of(&self, premises: Vec<Premise>, known_mines: Vec<Cell>) -> Position {
        let left = self.mines.saturating_sub(self.hits);
        let is_possible = self.hits <= self.mines && left as usize <= self.hidden;
        let mine_count = if self.illegible == 0 && is_possible {
            MineCount::Exact
        } else {
            let density = f64::from(left) / (self.hidden + self.illegible) as f64;
            MineCount::Density(density.clamp(PROBABILITY_MARGIN, 1.0 - PROBABILITY_MARGIN))
        };
        let mut hidden = Vec::with_capacity(self.hidden);
        hidden.extend(self.hidden());
        let mines = left.min(self.hidden as u32);
        Position { universe: self.shape.len(), hidden, known_mines, premises, mines, mine_count }
    }

    /// The number of cells around `cell` in this state, counted from the grid alone.
    fn count_around(&self, cell: Cell, state: CellState) -> u32 {
        let neighbours = self.shape.neighbours(cell);
        neighbours.iter().filter(|&&neighbour| self.grid[neighbour] == state).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::rng::Random;

    #[test]
    fn the_counts_kept_are_those_of_the_grid() {
        let mut random = Random::new(7);
        let shape = Shape::new(6, 7).unwrap();
        for _ in 0..200 {
            let mut board = Board::new(shape, 9);
            for cell in shape.cells() {
                let values = [0, 1, 2, 3, 8, 9, 9, 15];
                // Indices beyond the values leave the cell hidden.
                if let Some(&value) = values.get(random.below(12)) {
                    board.open(cell, CellState::from_value(Some(value)));
                }
            }
            for cell in shape.cells() {
                let count = |state| board.count_around(cell, state);
                let (hidden, hits) = (count(CellState::Hidden), count(CellState::Hit));
                assert_eq!(u32::from(board.hidden_around(cell)), hidden);
                assert_eq!(board.hidden_neighbours(cell).count() as u32, hidden);
                for number in 0..=8_u8 {
                    let mines = u32::from(number).checked_sub(hits);
                    let mines = mines.filter(|_| count(CellState::Illegible) == 0);
                    assert_eq!(board.hidden_mines_around(cell, number).map(u32::from), mines);
                }
            }
        }
    }
}
