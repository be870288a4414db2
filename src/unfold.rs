//! A game as it unfolds: what is known of every cell, kept up to date as cells open.
//!
//! Thousands of games are played in thought for one guess, so that a step must cost what it changes and no more. Nothing
//! is built anew: every number keeps which of its neighbours are undecided and how many mines it misses among them, and
//! whoever changes that queues the number. Two rules settle what they can:
//!
//! 1. *One number*: with no mine missing its undecided cells are safe, with as many as these they are mines.
//! 2. *Two numbers*: where `a` misses as many mines more than `b` as it has cells of its own, these are mines, and the
//!    own cells of `b` are safe. The cells around two numbers near each other lie in a window of 7x7: a word of bits.
//!
//! These are rules 1 to 3 of [`crate::deduce`] for the numbers as they are shown, without what follows from groups that
//! no number shows: what they miss, counting finds.
//!
//! The field is kept with walls around, two cells wide, so that everything near a cell lies at the same distances. No
//! wall is undecided, and none is a number.
//!
//! One file, because the rules open cells, and cells that open call for the rules.
//!
//! Invariant: of every cell `undecided` has the undecided neighbours, and `missing` of every number the mines among them.

use crate::board::{Board, Shown};
use crate::geometry::{Cell, CellMap, Shape};
use crate::group::{Contradiction, Group, GroupCells, Outside, Position, Premise};
use crate::random::mix;

/// How wide the wall is: as far as two numbers that share a cell are apart.
const WALL: usize = 2;

/// A mine that was hit, where others show a number.
const HIT: u8 = 9;

/// What is known of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// No cell of the field.
    Wall,
    /// Hidden, and neither proven safe nor a mine.
    Undecided,
    /// Hidden, and proven to be a mine.
    Mine,
    /// A mine that was opened.
    Hit,
    /// Open, with its number.
    Number,
    /// Open, with a number that cannot be: nothing follows from it, as in [`Board::position_into`].
    Silent,
}

/// The undecided cells around a cell: bit 8 x (rows below) + (columns to the right), from the one above to the left.
type Around = u32;

/// Cells around two numbers that are near: the same from the cell three rows above and three columns to the left.
type Window = u64;

/// From [`Around`] to [`Window`], both about the same cell.
const TO_WINDOW: u32 = 18;

/// What is known. Places are indices of the field with its walls.
#[derive(Default)]
struct State {
    known: Vec<Known>,
    undecided: Vec<Around>,
    /// Mines missing around a number; around a hidden cell, less than none: minus the known mines.
    missing: Vec<i8>,
    /// Mines around that were hit.
    hits: Vec<i8>,
    undecided_len: usize,
    /// Mines among the undecided cells.
    mines: usize,
}

impl State {
    /// Becomes the same as another, in the memory that it has.
    fn clone_from(&mut self, other: &State) {
        let State { known, undecided, missing, hits, undecided_len, mines } = other;
        self.known.clone_from(known);
        self.undecided.clone_from(undecided);
        self.missing.clone_from(missing);
        self.hits.clone_from(hits);
        (self.undecided_len, self.mines) = (*undecided_len, *mines);
    }
}

/// The field with its walls.
#[derive(Default)]
struct Walled {
    stride: usize,
    place_of: CellMap<u32>,
    cell_of: Vec<Cell>,
}

impl Walled {
    fn lay_out(&mut self, shape: Shape) {
        let (rows, columns) = (shape.rows() as usize, shape.columns() as usize);
        self.stride = columns + WALL;
        let places = (rows + 2 * WALL) * self.stride + WALL;
        self.cell_of.clear();
        self.cell_of.resize(places, Cell::from_index(0));
        self.place_of.reset(shape.len(), 0);
        for cell in shape.cells() {
            let (row, column) = (shape.row(cell) as usize, shape.column(cell) as usize);
            let place = (row + WALL) * self.stride + WALL + column;
            self.place_of[cell] = place as u32;
            self.cell_of[place] = cell;
        }
    }

    fn place(&self, cell: Cell) -> usize {
        self.place_of[cell] as usize
    }

    /// The places around one, with the bit that stands for it in each one's [`Around`].
    fn around(&self, place: usize) -> [(usize, Around); 8] {
        let (above, below) = (place - self.stride, place + self.stride);
        [
            (above - 1, 1 << 18),
            (above, 1 << 17),
            (above + 1, 1 << 16),
            (place - 1, 1 << 10),
            (place + 1, 1 << 8),
            (below - 1, 1 << 2),
            (below, 1 << 1),
            (below + 1, 1),
        ]
    }

    /// The places of the cells in a window about `place`, in row-major order.
    fn places(&self, place: usize, mut window: Window) -> impl Iterator<Item = usize> + use<> {
        // Three rows above the first there is nothing, and no bit for it.
        let (first, stride) = (place.wrapping_sub(3 * self.stride + 3), self.stride);
        std::iter::from_fn(move || {
            let bit = window.trailing_zeros() as usize;
            (window != 0).then(|| {
                window &= window - 1;
                first.wrapping_add(bit / 8 * stride + bit % 8)
            })
        })
    }
}

/// The name of a cell that shows something, mixed so that names can be put together.
fn name(place: usize, value: u8) -> u64 {
    mix((place as u64) << 4 | u64::from(value))
}

/// One game after another from the same beginning, reusing its memory.
#[derive(Default)]
pub struct Unfolding {
    walled: Walled,
    /// What all games begin with, and the mines that were hit by then.
    start: State,
    hits: Vec<Cell>,
    state: State,
    /// The layout of this game.
    is_mine: Vec<bool>,
    /// Numbers whose own rule may apply, and those to be compared with others.
    single: Vec<u32>,
    paired: Vec<u32>,
    is_queued: Vec<[bool; 2]>,
    name: u64,
    steps: u64,
}

impl Unfolding {
    /// All games begin on `board`, of whose hidden cells `mines` are proven to be mines and none to be safe. Its layouts
    /// have been counted exactly, so that no cell is illegible, and there is one that fits all numbers that can be.
    pub fn begin(&mut self, board: &Board, mines: &[Cell]) {
        self.walled.lay_out(board.shape());
        let places = self.walled.cell_of.len();
        let State { known, undecided, missing, hits, .. } = &mut self.state;
        known.clear();
        known.resize(places, Known::Wall);
        undecided.clear();
        undecided.resize(places, 0);
        missing.clear();
        missing.resize(places, 0);
        hits.clear();
        hits.resize(places, 0);
        self.state.undecided_len = board.shape().len();
        self.state.mines = board.mines() as usize;
        self.single.clear();
        self.paired.clear();
        self.is_queued.clear();
        self.is_queued.resize(places, [false; 2]);
        for cell in board.shape().cells() {
            let place = self.walled.place(cell);
            self.state.known[place] = Known::Undecided;
            for (other, bit) in self.walled.around(place) {
                self.state.undecided[other] |= bit;
            }
        }
        self.hits.clear();
        for (cell, shown) in board.iter() {
            let place = self.walled.place(cell);
            match shown {
                Shown::Number(number) => self.show(place, number),
                Shown::Hit => {
                    self.hits.push(cell);
                    self.mark(place, Known::Hit);
                }
                Shown::Illegible | Shown::Hidden => {}
            }
        }
        for (place, known) in self.state.known.iter_mut().enumerate() {
            let most = self.state.undecided[place].count_ones() as i8;
            if *known == Known::Number && !(0..=most).contains(&self.state.missing[place]) {
                *known = Known::Silent;
            }
        }
        mines.iter().for_each(|&mine| self.mark_mine(mine));
        self.start.clone_from(&self.state);
    }

    /// Begins a game under the layout with these hidden mines. Returns what that costs, in cells looked at.
    pub fn start(&mut self, mines: &[Cell]) -> usize {
        self.state.clone_from(&self.start);
        // Of a game that stopped between what was counted and what follows from it.
        for place in self.single.drain(..).chain(self.paired.drain(..)) {
            self.is_queued[place as usize] = [false; 2];
        }
        (self.name, self.steps) = (0, 0);
        self.is_mine.clear();
        self.is_mine.resize(self.walled.cell_of.len(), false);
        for &mine in self.hits.iter().chain(mines) {
            self.is_mine[self.walled.place(mine)] = true;
        }
        self.is_mine.len()
    }

    /// Changes the layout: of `cells`, only `mines` are mines.
    pub fn lay_again(&mut self, cells: &[Cell], mines: &[Cell]) {
        for (cells, is_mine) in [(cells, false), (mines, true)] {
            cells.iter().for_each(|&cell| self.is_mine[self.walled.place(cell)] = is_mine);
        }
    }

    /// Whether the layout has a mine in `cell`.
    pub fn is_mine(&self, cell: Cell) -> bool {
        self.is_mine[self.walled.place(cell)]
    }

    /// Whether only mines are undecided.
    pub fn is_over(&self) -> bool {
        self.state.undecided_len == self.state.mines
    }

    /// Names what was shown since the start: the same for the same cells and numbers, whatever their order.
    pub fn name(&self) -> u64 {
        self.name
    }

    /// Cells opened and numbers compared since this was last asked.
    pub fn steps(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }

    /// How many cells around the undecided `cell` may still be opened.
    pub fn hidden_around(&self, cell: Cell) -> u8 {
        let place = self.walled.place(cell);
        let State { known, undecided, missing, hits, .. } = &self.state;
        debug_assert_eq!(known[place], Known::Undecided);
        let mines = -missing[place] - hits[place];
        undecided[place].count_ones() as u8 + mines as u8
    }

    /// What the solver may know, without the cells that are known to be mines.
    ///
    /// # Errors
    /// [`Contradiction`] where a number cannot be, which under a layout none is.
    pub fn position_into(&self, position: &mut Position) -> Result<(), Contradiction> {
        let Unfolding { walled, state, .. } = self;
        position.universe = walled.place_of.len();
        position.mines = state.mines as u32;
        position.outside = Outside::Total;
        position.hidden.clear();
        position.premises.clear();
        for (place, known) in state.known.iter().enumerate() {
            match known {
                Known::Undecided => position.hidden.push(walled.cell_of[place]),
                Known::Number if state.undecided[place] != 0 => {
                    let window = Window::from(state.undecided[place]) << TO_WINDOW;
                    let cells = walled.places(place, window).map(|place| walled.cell_of[place]);
                    let cells: GroupCells = cells.collect();
                    let group = Group::new(cells, state.missing[place].into())?;
                    let source = walled.cell_of[place];
                    position.premises.extend(group.map(|group| Premise { source, group }));
                }
                Known::Number | Known::Silent | Known::Wall | Known::Mine | Known::Hit => {}
            }
        }
        Ok(())
    }

    /// Opens on a board, which is the one that all games begin with, what this game has shown since.
    pub fn open_on(&self, board: &mut Board) {
        for (place, known) in self.state.known.iter().enumerate() {
            let shown = match known {
                Known::Number if self.start.known[place] == Known::Undecided => {
                    Shown::Number(self.mines_around(place))
                }
                Known::Hit => Shown::Hit,
                _ => continue,
            };
            board.open(self.walled.cell_of[place], shown);
        }
    }

    /// A cell is proven to be a mine.
    pub fn mark_mine(&mut self, cell: Cell) {
        self.mark(self.walled.place(cell), Known::Mine);
    }

    /// Opens a cell, whatever it holds.
    pub fn open(&mut self, cell: Cell) {
        let place = self.walled.place(cell);
        if self.is_mine[place] {
            self.mark(place, Known::Hit);
        } else {
            self.open_safe(place);
        }
    }

    fn open_safe(&mut self, place: usize) {
        if self.state.known[place] == Known::Undecided {
            self.show(place, self.mines_around(place));
        }
    }

    /// The mines of the layout around a place.
    fn mines_around(&self, place: usize) -> u8 {
        let around = self.walled.around(place);
        around.iter().filter(|(other, _)| self.is_mine[*other]).count() as u8
    }

    /// An undecided cell shows a number.
    fn show(&mut self, place: usize, number: u8) {
        self.steps += 1;
        self.name ^= name(place, number);
        self.state.known[place] = Known::Number;
        self.state.missing[place] += number as i8;
        self.state.undecided_len -= 1;
        for (other, bit) in self.walled.around(place) {
            self.state.undecided[other] &= !bit;
            self.queue(other);
        }
        self.queue(place);
    }

    /// An undecided cell is known to be a mine.
    fn mark(&mut self, place: usize, as_what: Known) {
        if self.state.known[place] != Known::Undecided {
            return;
        }
        self.state.known[place] = as_what;
        let hit = i8::from(as_what == Known::Hit);
        if hit > 0 {
            self.name ^= name(place, HIT);
        }
        self.state.undecided_len -= 1;
        self.state.mines -= 1;
        for (other, bit) in self.walled.around(place) {
            self.state.undecided[other] &= !bit;
            self.state.missing[other] -= 1;
            self.state.hits[other] += hit;
            self.queue(other);
        }
    }

    fn queue(&mut self, place: usize) {
        let is_queued = &mut self.is_queued[place][0];
        if self.state.known[place] == Known::Number && !*is_queued {
            *is_queued = true;
            self.single.push(place as u32);
        }
    }

    /// Applies both rules until neither finds anything.
    pub fn settle(&mut self) {
        loop {
            while let Some(place) = self.single.pop() {
                let place = place as usize;
                self.is_queued[place][0] = false;
                let (undecided, missing) = (self.state.undecided[place], self.state.missing[place]);
                if undecided == 0 {
                    continue;
                }
                let window = Window::from(undecided) << TO_WINDOW;
                if missing == 0 {
                    self.walled.places(place, window).for_each(|place| self.open_safe(place));
                } else if missing as u32 == undecided.count_ones() {
                    let places = self.walled.places(place, window);
                    places.for_each(|place| self.mark(place, Known::Mine));
                } else if !std::mem::replace(&mut self.is_queued[place][1], true) {
                    self.paired.push(place as u32);
                }
            }
            let Some(place) = self.paired.pop() else { break };
            self.is_queued[place as usize][1] = false;
            self.compare(place as usize);
        }
    }

    /// Rule 2 for a number and all others near it, until it finds something.
    fn compare(&mut self, place: usize) {
        self.steps += 1;
        let here = Window::from(self.state.undecided[place]) << TO_WINDOW;
        if here == 0 {
            return;
        }
        let missing = self.state.missing[place];
        for (row, first) in (0..5).map(|row| (row, place + row * self.walled.stride)) {
            for column in 0..5 {
                let other = first + column - 2 * self.walled.stride - 2;
                let there = Window::from(self.state.undecided[other]) << (8 * row + column);
                if here & there == 0 || self.state.known[other] != Known::Number || other == place {
                    continue;
                }
                let (own, others) = (here & !there, there & !here);
                let more = missing - self.state.missing[other];
                let (mined, safe) = if i32::from(more) == own.count_ones() as i32 {
                    (own, others)
                } else if -i32::from(more) == others.count_ones() as i32 {
                    (others, own)
                } else {
                    continue;
                };
                if mined | safe != 0 {
                    self.walled
                        .places(place, mined)
                        .for_each(|place| self.mark(place, Known::Mine));
                    self.walled.places(place, safe).for_each(|place| self.open_safe(place));
                    // There may be more to find.
                    self.queue(place);
                    return;
                }
            }
        }
    }
}
