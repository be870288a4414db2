//! A game in thought as it unfolds: a layout opened by what one and two numbers prove.
//!
//! Thousands of games are played in thought for one guess, so that a step must cost what it changes and no more:
//! [`crate::deduction::propagate`] sees to that. What its two rules leave, counting finds ([`crate::search::rollout::policy`]).
//!
//! Invariant: every cell that is proven safe is open, with the number that the layout gives it.

use crate::base::rng::mix;
use crate::board::geometry::Cell;
use crate::board::group::{Contradiction, Group, GroupCells, Outside, Position, Premise};
use crate::board::{Board, CellState};
use crate::deduction::padded_grid::PaddedGrid;
use crate::deduction::propagate::Propagator;
use crate::deduction::propagator_state::{CellStatus, PropagatorState};

/// A mine that was hit, where others show a number.
const HIT: u8 = 9;

/// The name of a cell that shows something, mixed so that names can be put together.
fn cell_key(place: usize, value: u8) -> u64 {
    mix((place as u64) << 4 | u64::from(value))
}

/// One game after another from the same beginning, reusing its memory.
#[derive(Default)]
pub struct SimulatedGame {
    propagator: Propagator,
    /// What all games begin with, and the mines that were hit by then.
    start: PropagatorState,
    hits: Vec<Cell>,
    /// The layout of this game.
    is_mine: Vec<bool>,
    position_key: u64,
}

impl SimulatedGame {
    /// All games begin on `board`, of whose hidden cells `mines` are proven to be mines and none to be safe. Its layouts
    /// have been counted exactly, so that no cell is illegible, and there is one that fits all numbers that can be.
    pub fn begin(&mut self, board: &Board, mines: &[Cell]) {
        let SimulatedGame { propagator, hits, .. } = self;
        propagator.reset(board.shape(), board.mines());
        hits.clear();
        for (cell, shown) in board.iter() {
            let place = propagator.grid().index(cell);
            match shown {
                CellState::Number(number) => propagator.open_number(place, number),
                CellState::Hit => {
                    hits.push(cell);
                    propagator.mark_hit(place);
                }
                CellState::Illegible | CellState::Hidden => {}
            }
        }
        propagator.ignore_inconsistent();
        mines.iter().for_each(|&mine| self.mark_mine(mine));
        self.propagator.clear_queue();
        self.start.clone_from(self.propagator.state());
    }

    /// Begins a game under the layout with these hidden mines. Returns what that costs, in cells looked at.
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

    /// Whether only mines are undecided.
    pub fn is_over(&self) -> bool {
        self.propagator.undecided_len() as i64 == self.propagator.mines()
    }

    /// Names what was shown since the start: the same for the same cells and numbers, whatever their order.
    pub fn position_key(&self) -> u64 {
        self.position_key
    }

    /// Cells opened and numbers compared since this was last asked.
    pub fn steps(&mut self) -> u64 {
        self.propagator.take_steps()
    }

    /// How many cells around the undecided `cell` may still be opened.
    pub fn hidden_around(&self, cell: Cell) -> u8 {
        self.propagator.hidden_around(self.propagator.grid().index(cell))
    }

    /// What the solver may know, without the cells that are known to be mines.
    ///
    /// # Errors
    /// [`Contradiction`] where a number cannot be, which under a layout none is.
    pub fn position_into(&self, position: &mut Position) -> Result<(), Contradiction> {
        let (grid, state) = (self.propagator.grid(), self.propagator.state());
        position.universe = grid.cell_count();
        position.mines = self.propagator.mines().max(0) as u32;
        position.outside = Outside::Total;
        position.hidden.clear();
        position.premises.clear();
        for place in 0..grid.index_count() {
            match state.status(place) {
                CellStatus::Undecided => position.hidden.push(grid.cell(place)),
                CellStatus::Number if self.propagator.has_undecided(place) => {
                    let (cells, mines_remaining) = self.propagator.group(place);
                    let cells: GroupCells = cells.collect();
                    let group = Group::new(cells, mines_remaining.into())?;
                    let source = grid.cell(place);
                    position.premises.extend(group.map(|group| Premise { source, group }));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Opens on a board, which is the one that all games begin with, what this game has shown since.
    pub fn open_on(&self, board: &mut Board) {
        let (grid, state) = (self.propagator.grid(), self.propagator.state());
        for place in 0..grid.index_count() {
            let shown = match state.status(place) {
                CellStatus::Number if self.start.status(place) == CellStatus::Undecided => {
                    CellState::Number(mines_around(grid, &self.is_mine, place))
                }
                CellStatus::Hit => CellState::Hit,
                _ => continue,
            };
            board.open(grid.cell(place), shown);
        }
    }

    /// A cell is proven to be a mine.
    pub fn mark_mine(&mut self, cell: Cell) {
        let place = self.propagator.grid().index(cell);
        self.propagator.mark_mine(place);
    }

    /// Opens an undecided cell, whatever it holds; one that is decided stays as it is.
    pub fn open(&mut self, cell: Cell) {
        let SimulatedGame { propagator, is_mine, position_key, .. } = self;
        let place = propagator.grid().index(cell);
        if propagator.state().status(place) != CellStatus::Undecided {
            return;
        }
        if is_mine[place] {
            *position_key ^= cell_key(place, HIT);
            propagator.mark_hit(place);
        } else {
            show(propagator, is_mine, position_key, place);
        }
    }

    /// Opens all that one or two numbers prove safe.
    pub fn propagate(&mut self) {
        let SimulatedGame { propagator, is_mine, position_key, .. } = self;
        propagator.propagate(|propagator, place| show(propagator, is_mine, position_key, place));
    }
}

/// An undecided cell shows the number that the layout gives it.
fn show(propagator: &mut Propagator, is_mine: &[bool], position_key: &mut u64, place: usize) {
    let number = mines_around(propagator.grid(), is_mine, place);
    *position_key ^= cell_key(place, number);
    propagator.open_number(place, number);
}

/// The mines of a layout around a place.
fn mines_around(grid: &PaddedGrid, is_mine: &[bool], place: usize) -> u8 {
    grid.neighbours(place).iter().filter(|(other, _)| is_mine[*other]).count() as u8
}
