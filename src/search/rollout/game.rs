//! The simulated game of a playout: a layout opened by what one and two numbers prove.
//!
//! One guess takes thousands of playouts, so a step may cost no more than what it changes
//! ([`crate::deduction::propagation::propagator`]). What the two rules leave is counted
//! ([`crate::search::rollout::policy`]).
//!
//! Invariant: after [`SimulatedGame::propagate`], every cell that the two rules prove safe is open,
//! with the number that the layout gives it.
//!
//! Cost: a start copies the state of the padded grid; a cell that opens visits its neighbours.

use crate::board::contradiction::Contradiction;
use crate::board::geometry::Cell;
use crate::board::group::{MineCount, Position};
use crate::board::{Board, CellState};
use crate::deduction::propagation::padded_grid::PaddedGrid;
use crate::deduction::propagation::propagator::{Propagator, TRUSTED};
use crate::deduction::propagation::state::{CellStatus, PropagatorState};
use crate::kit::rng::mix;

/// The value of a hit mine in a key.
const HIT: u8 = 9;

/// The key of one cell that shows a value, mixed so that keys can be combined by exclusive or.
fn cell_key(index: usize, value: u8) -> u64 {
    mix((index as u64) << 4 | u64::from(value))
}

/// One game after another from the same board; its memory is reused.
#[derive(Default)]
pub struct SimulatedGame {
    propagator: Propagator,
    /// The state in which all games begin, and the mines that were hit by then.
    start: PropagatorState,
    hits: Vec<Cell>,
    /// The layout of this game, by padded index.
    is_mine: Vec<bool>,
    position_key: u64,
}

impl SimulatedGame {
    /// Sets the board on which all games begin. Of its hidden cells, `mines` are proven to be mines
    /// and none is proven safe.
    ///
    /// The layouts of the board must have been counted exactly, so that no cell is illegible and
    /// some layout fits all consistent numbers.
    pub fn begin(&mut self, board: &Board, mines: &[Cell]) {
        let SimulatedGame { propagator, hits, .. } = self;
        propagator.reset(board.shape(), board.mines());
        hits.clear();
        for (cell, shown) in board.iter() {
            let index = propagator.grid().index(cell);
            match shown {
                CellState::Number(number) => propagator.open_number(index, number),
                CellState::Hit => {
                    hits.push(cell);
                    propagator.mark_hit(index);
                }
                CellState::Illegible | CellState::Hidden => {}
            }
        }
        propagator.ignore_inconsistent();
        mines.iter().for_each(|&mine| self.mark_mine(mine));
        self.propagator.clear_queue();
        self.start = self.propagator.state().clone();
    }

    /// Begins a game under the layout with these hidden mines. Returns its cost: the size of the
    /// padded grid.
    pub fn start(&mut self, mines: &[Cell]) -> usize {
        self.propagator.restore(&self.start);
        self.position_key = 0;
        let grid = self.propagator.grid();
        self.is_mine.clear();
        self.is_mine.resize(grid.index_count(), false);
        for &mine in self.hits.iter().chain(mines) {
            self.is_mine[grid.index(mine)] = true;
        }
        self.is_mine.len()
    }

    /// Changes the layout: of `cells`, only `mines` are mines.
    pub fn resample(&mut self, cells: &[Cell], mines: &[Cell]) {
        let grid = self.propagator.grid();
        for (cells, is_mine) in [(cells, false), (mines, true)] {
            cells.iter().for_each(|&cell| self.is_mine[grid.index(cell)] = is_mine);
        }
    }

    /// Whether the layout has a mine in `cell`.
    pub fn is_mine(&self, cell: Cell) -> bool {
        self.is_mine[self.propagator.grid().index(cell)]
    }

    /// Whether all undecided cells are mines.
    pub fn is_over(&self) -> bool {
        let state = self.propagator.state();
        state.undecided_len as i64 == state.mines
    }

    /// A hash of what was shown since the start: the same for the same cells and numbers in any
    /// order.
    pub fn position_key(&self) -> u64 {
        self.position_key
    }

    /// Cells opened and numbers compared since the last call.
    pub fn steps(&mut self) -> u64 {
        self.propagator.take_steps()
    }

    /// How many cells around the undecided `cell` are hidden, mines included.
    pub fn hidden_around(&self, cell: Cell) -> u8 {
        self.propagator.hidden_around(self.propagator.grid().index(cell))
    }

    /// Whether `cell` is a known mine, hidden or hit.
    pub fn is_known_mine(&self, cell: Cell) -> bool {
        let status = self.propagator.state().status(self.propagator.grid().index(cell));
        matches!(status, CellStatus::Mine | CellStatus::Hit)
    }

    /// Writes what the solver may know: the undecided cells, and the numbers that constrain them.
    ///
    /// # Errors
    /// [`Contradiction`] where a number is impossible, which under a layout none is.
    pub fn position_into(&self, position: &mut Position) -> Result<(), Contradiction> {
        let (grid, state) = (self.propagator.grid(), self.propagator.state());
        position.universe = grid.cell_count();
        position.mines = state.mines.max(0) as u32;
        position.mine_count = MineCount::Exact;
        position.hidden.clear();
        position.known_mines.clear();
        position.premises.clear();
        for index in 0..grid.index_count() {
            match state.status(index) {
                CellStatus::Undecided => position.hidden.push(grid.cell(index)),
                CellStatus::Number if self.propagator.has_undecided(index) => {
                    self.propagator.add_premise(index, &mut position.premises)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Opens on `board`, a copy of the one on which all games begin, what this game has shown
    /// since.
    pub fn open_on(&self, board: &mut Board) {
        let (grid, state) = (self.propagator.grid(), self.propagator.state());
        for index in 0..grid.index_count() {
            let shown = match state.status(index) {
                CellStatus::Number if self.start.status(index) == CellStatus::Undecided => {
                    CellState::Number(mines_around(grid, &self.is_mine, index))
                }
                CellStatus::Hit => CellState::Hit,
                _ => continue,
            };
            board.open(grid.cell(index), shown);
        }
    }

    /// Marks a cell as a proven mine.
    pub fn mark_mine(&mut self, cell: Cell) {
        let index = self.propagator.grid().index(cell);
        self.propagator.mark_mine(index);
    }

    /// Opens an undecided cell, a mine or not; a cell that is decided stays as it is.
    pub fn open(&mut self, cell: Cell) {
        let SimulatedGame { propagator, is_mine, position_key, .. } = self;
        let index = propagator.grid().index(cell);
        if propagator.state().status(index) != CellStatus::Undecided {
            return;
        }
        if is_mine[index] {
            *position_key ^= cell_key(index, HIT);
            propagator.mark_hit(index);
        } else {
            show(propagator, is_mine, position_key, index);
        }
    }

    /// Opens all that one or two numbers prove safe.
    pub fn propagate(&mut self) {
        let SimulatedGame { propagator, is_mine, position_key, .. } = self;
        propagator.propagate::<TRUSTED>(|propagator, index| {
            show(propagator, is_mine, position_key, index);
        });
    }
}

/// Opens an undecided cell with the number that the layout gives it.
fn show(propagator: &mut Propagator, is_mine: &[bool], position_key: &mut u64, index: usize) {
    let number = mines_around(propagator.grid(), is_mine, index);
    *position_key ^= cell_key(index, number);
    propagator.open_number(index, number);
}

/// The mines of a layout around a padded index.
fn mines_around(grid: &PaddedGrid, is_mine: &[bool], index: usize) -> u8 {
    grid.neighbours(index).iter().filter(|(other, _)| is_mine[*other]).count() as u8
}
