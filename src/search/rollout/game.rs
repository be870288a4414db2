//! A game in thought as it unfolds: a layout opened by what one and two numbers prove.
//!
//! Thousands of games are played in thought for one guess, so that a step must cost what it changes and no more:
//! [`crate::deduction::propagate`] sees to that. What its two rules leave, counting finds ([`crate::search::rollout::policy`]).
//!
//! Invariant: every cell that is proven safe is open, with the number that the layout gives it.

use crate::base::rng::mix;
use crate::board::geometry::Cell;
use crate::board::group::{Contradiction, Group, GroupCells, Outside, Position, Premise};
use crate::board::{Board, Shown};
use crate::deduction::padded_grid::Walled;
use crate::deduction::propagate::{Knowledge, Known, State};

/// A mine that was hit, where others show a number.
const HIT: u8 = 9;

/// The name of a cell that shows something, mixed so that names can be put together.
fn name(place: usize, value: u8) -> u64 {
    mix((place as u64) << 4 | u64::from(value))
}

/// One game after another from the same beginning, reusing its memory.
#[derive(Default)]
pub struct Unfolding {
    knowledge: Knowledge,
    /// What all games begin with, and the mines that were hit by then.
    start: State,
    hits: Vec<Cell>,
    /// The layout of this game.
    is_mine: Vec<bool>,
    name: u64,
}

impl Unfolding {
    /// All games begin on `board`, of whose hidden cells `mines` are proven to be mines and none to be safe. Its layouts
    /// have been counted exactly, so that no cell is illegible, and there is one that fits all numbers that can be.
    pub fn begin(&mut self, board: &Board, mines: &[Cell]) {
        let Unfolding { knowledge, hits, .. } = self;
        knowledge.begin(board.shape(), board.mines());
        hits.clear();
        for (cell, shown) in board.iter() {
            let place = knowledge.walled().place(cell);
            match shown {
                Shown::Number(number) => knowledge.show(place, number),
                Shown::Hit => {
                    hits.push(cell);
                    knowledge.mark(place, Known::Hit);
                }
                Shown::Illegible | Shown::Hidden => {}
            }
        }
        knowledge.silence();
        mines.iter().for_each(|&mine| self.mark_mine(mine));
        self.knowledge.unqueue();
        self.start.clone_from(self.knowledge.state());
    }

    /// Begins a game under the layout with these hidden mines. Returns what that costs, in cells looked at.
    pub fn start(&mut self, mines: &[Cell]) -> usize {
        self.knowledge.set_state(&self.start);
        self.name = 0;
        let walled = self.knowledge.walled();
        self.is_mine.clear();
        self.is_mine.resize(walled.places(), false);
        for &mine in self.hits.iter().chain(mines) {
            self.is_mine[walled.place(mine)] = true;
        }
        self.is_mine.len()
    }

    /// Changes the layout: of `cells`, only `mines` are mines.
    pub fn lay_again(&mut self, cells: &[Cell], mines: &[Cell]) {
        let walled = self.knowledge.walled();
        for (cells, is_mine) in [(cells, false), (mines, true)] {
            cells.iter().for_each(|&cell| self.is_mine[walled.place(cell)] = is_mine);
        }
    }

    /// Whether the layout has a mine in `cell`.
    pub fn is_mine(&self, cell: Cell) -> bool {
        self.is_mine[self.knowledge.walled().place(cell)]
    }

    /// Whether only mines are undecided.
    pub fn is_over(&self) -> bool {
        self.knowledge.undecided_len() as i64 == self.knowledge.mines()
    }

    /// Names what was shown since the start: the same for the same cells and numbers, whatever their order.
    pub fn name(&self) -> u64 {
        self.name
    }

    /// Cells opened and numbers compared since this was last asked.
    pub fn steps(&mut self) -> u64 {
        self.knowledge.steps()
    }

    /// How many cells around the undecided `cell` may still be opened.
    pub fn hidden_around(&self, cell: Cell) -> u8 {
        self.knowledge.hidden_around(self.knowledge.walled().place(cell))
    }

    /// What the solver may know, without the cells that are known to be mines.
    ///
    /// # Errors
    /// [`Contradiction`] where a number cannot be, which under a layout none is.
    pub fn position_into(&self, position: &mut Position) -> Result<(), Contradiction> {
        let (walled, state) = (self.knowledge.walled(), self.knowledge.state());
        position.universe = walled.cells();
        position.mines = self.knowledge.mines().max(0) as u32;
        position.outside = Outside::Total;
        position.hidden.clear();
        position.premises.clear();
        for place in 0..walled.places() {
            match state.known(place) {
                Known::Undecided => position.hidden.push(walled.cell(place)),
                Known::Number if self.knowledge.has_undecided(place) => {
                    let (cells, missing) = self.knowledge.group(place);
                    let cells: GroupCells = cells.collect();
                    let group = Group::new(cells, missing.into())?;
                    let source = walled.cell(place);
                    position.premises.extend(group.map(|group| Premise { source, group }));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Opens on a board, which is the one that all games begin with, what this game has shown since.
    pub fn open_on(&self, board: &mut Board) {
        let (walled, state) = (self.knowledge.walled(), self.knowledge.state());
        for place in 0..walled.places() {
            let shown = match state.known(place) {
                Known::Number if self.start.known(place) == Known::Undecided => {
                    Shown::Number(mines_around(walled, &self.is_mine, place))
                }
                Known::Hit => Shown::Hit,
                _ => continue,
            };
            board.open(walled.cell(place), shown);
        }
    }

    /// A cell is proven to be a mine.
    pub fn mark_mine(&mut self, cell: Cell) {
        let place = self.knowledge.walled().place(cell);
        self.knowledge.mark(place, Known::Mine);
    }

    /// Opens an undecided cell, whatever it holds; one that is decided stays as it is.
    pub fn open(&mut self, cell: Cell) {
        let Unfolding { knowledge, is_mine, name: of_game, .. } = self;
        let place = knowledge.walled().place(cell);
        if knowledge.state().known(place) != Known::Undecided {
            return;
        }
        if is_mine[place] {
            *of_game ^= name(place, HIT);
            knowledge.mark(place, Known::Hit);
        } else {
            show(knowledge, is_mine, of_game, place);
        }
    }

    /// Opens all that one or two numbers prove safe.
    pub fn settle(&mut self) {
        let Unfolding { knowledge, is_mine, name, .. } = self;
        knowledge.settle::<false>(|knowledge, place| show(knowledge, is_mine, name, place));
    }
}

/// An undecided cell shows the number that the layout gives it.
fn show(knowledge: &mut Knowledge, is_mine: &[bool], of_game: &mut u64, place: usize) {
    let number = mines_around(knowledge.walled(), is_mine, place);
    *of_game ^= name(place, number);
    knowledge.show(place, number);
}

/// The mines of a layout around a place.
fn mines_around(walled: &Walled, is_mine: &[bool], place: usize) -> u8 {
    walled.around(place).iter().filter(|(other, _)| is_mine[*other]).count() as u8
}
