//! What single numbers and pairs of them prove, kept up to date as cells open.
//!
//! Nothing is built anew when a cell opens: every number keeps which of its neighbours are undecided and how many mines
//! it misses among them, and whoever changes that queues the number. Two rules propagate what they can:
//!
//! 1. *One number*: with no mine mines_remaining its undecided cells are safe, with as many as these they are mines.
//! 2. *Two numbers*: where `a` misses as many mines more than `b` as it has cells of its own, these are mines, and the
//!    own cells of `b` are safe.
//!
//! These are rules 1 to 3 of [`crate::deduction::deducer`] for the numbers as they are shown, without what follows from groups that
//! no number shows. A game in thought opens what is safe at once ([`crate::search::rollout::game`]), the game that is played tells it
//! ([`crate::deduction::incremental`]).
//!
//! What is found does not depend on the order in which cells opened, nor on when the rules were applied: a rule that
//! applies still does when more is known, or what it says is known, or the numbers contradict each other; and that
//! is seen in any order, because more propagator does not lift it.
//!
//! Invariant: of every cell `undecided` has the undecided neighbours, and `mines_remaining` of every number the mines among them.

use crate::board::geometry::{Cell, Shape};
use crate::deduction::padded_grid::{Around, PaddedGrid, Window, window};

/// What is known of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellStatus {
    /// No cell of the field.
    Wall,
    /// Hidden, and neither proven safe nor a mine.
    Undecided,
    /// Hidden, and proven safe.
    Safe,
    /// Hidden, and proven to be a mine.
    Mine,
    /// A mine that was opened.
    Hit,
    /// Open, with its number.
    Number,
    /// Open, with a number that cannot be: nothing follows from it, as in [`crate::board::Board::position_into`].
    Silent,
}

/// What is kept of a place.
#[derive(Clone, Copy, Debug)]
struct Place {
    undecided: Around,
    /// Mines mines_remaining around a number; around a hidden cell, less than none: minus the known mines.
    mines_remaining: i8,
    /// Mines around that were hit.
    hits: i8,
    known: CellStatus,
    /// Whether it waits for its own rule, and to be compared with others.
    queued: u8,
}

const SINGLE: u8 = 1;
const PAIRED: u8 = 2;

impl Place {
    const OUTSIDE: Place =
        Place { undecided: 0, mines_remaining: 0, hits: 0, known: CellStatus::Wall, queued: 0 };
}

/// What is known of every place. Places are those of the field with its walls ([`crate::deduction::padded_grid`]).
#[derive(Default)]
pub struct State {
    places: Vec<Place>,
    undecided_len: usize,
    /// Mines among the undecided cells; less than none where the numbers ask for more than there are.
    mines: i64,
}

/// Written out for the sake of `clone_from`, which keeps the memory.
impl Clone for State {
    fn clone(&self) -> State {
        State { places: self.places.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &State) {
        let State { places, undecided_len, mines } = other;
        self.places.clone_from(places);
        (self.undecided_len, self.mines) = (*undecided_len, *mines);
    }
}

impl State {
    /// What is known of a place.
    pub fn known(&self, place: usize) -> CellStatus {
        self.places[place].known
    }
}

/// Applies the rules to one field after another, reusing its memory.
#[derive(Default)]
pub struct Propagator {
    grid: PaddedGrid,
    state: State,
    /// Numbers whose own rule may apply.
    single: Vec<u32>,
    /// Those to be compared with others; none but while the rules are applied.
    paired: Vec<u32>,
    steps: u64,
    /// Below 0 since some number was seen to miss less than none, or one or two to miss more than they have room for.
    room: i32,
}

impl Propagator {
    /// Nothing is known of a field but how many of its cells are mines.
    pub fn begin(&mut self, shape: Shape, mines: u32) {
        self.grid.lay_out(shape);
        self.state.places.clear();
        self.state.places.resize(self.grid.places(), Place::OUTSIDE);
        (self.state.undecided_len, self.state.mines) = (shape.len(), mines.into());
        self.single.clear();
        self.room = 0;
        for cell in shape.cells() {
            let place = self.grid.place(cell);
            self.state.places[place].known = CellStatus::Undecided;
            for (other, bit) in self.grid.around(place) {
                self.state.places[other].undecided |= bit;
            }
        }
    }

    /// Where what lies.
    pub fn grid(&self) -> &PaddedGrid {
        &self.grid
    }

    /// What is known.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Goes back to what was known of the same field when nothing was queued, and no steps were made.
    pub fn restore(&mut self, state: &State) {
        self.single.clear();
        self.steps = 0;
        self.state.clone_from(state);
    }

    /// What follows from what was shown until now is known already.
    pub fn clear_queue(&mut self) {
        for place in self.single.drain(..) {
            self.state.places[place as usize].queued = 0;
        }
    }

    /// Passes over the numbers that cannot be.
    pub fn ignore_inconsistent(&mut self) {
        for place in &mut self.state.places {
            let most = place.undecided.count_ones() as i8;
            if place.known == CellStatus::Number && !(0..=most).contains(&place.mines_remaining) {
                place.known = CellStatus::Silent;
            }
        }
    }

    /// Whether numbers contradict each other, as far as the rules see it; for good.
    pub fn is_contradictory(&self) -> bool {
        self.room < 0
    }

    /// Undecided cells that showed a number, and numbers compared with others, since this was last asked.
    pub fn steps(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }

    /// Number of undecided cells.
    pub fn undecided_len(&self) -> usize {
        self.state.undecided_len
    }

    /// Mines among the undecided cells; less than none where the numbers ask for more than there are.
    pub fn mines(&self) -> i64 {
        self.state.mines
    }

    /// How many cells around an undecided one may still be opened, where all that were proven safe are open.
    pub fn hidden_around(&self, place: usize) -> u8 {
        let Place { undecided, mines_remaining, hits, known, .. } = self.state.places[place];
        debug_assert_eq!(known, CellStatus::Undecided);
        let mines = -mines_remaining - hits;
        undecided.count_ones() as u8 + mines as u8
    }

    /// The undecided cells around a number, in row-major order, and the mines that it misses among them.
    pub fn group(&self, place: usize) -> (impl Iterator<Item = Cell>, i8) {
        let Place { undecided, mines_remaining, .. } = self.state.places[place];
        let places = self.grid.places_in(place, window(undecided));
        (places.map(|place| self.grid.cell(place)), mines_remaining)
    }

    /// Whether there is an undecided cell around a place.
    pub fn has_undecided(&self, place: usize) -> bool {
        self.state.places[place].undecided != 0
    }

    /// A place is undecided no more; `change` is what else changes for those around it.
    fn decide(&mut self, place: usize, as_what: CellStatus, change: impl Fn(&mut Place)) {
        let Propagator { grid, state, single, .. } = self;
        state.places[place].known = as_what;
        state.undecided_len -= 1;
        for (other, bit) in grid.around(place) {
            let around = &mut state.places[other];
            around.undecided &= !bit;
            change(around);
            queue(single, other, around);
        }
    }

    /// An undecided cell is proven safe.
    pub fn mark_safe(&mut self, place: usize) {
        self.decide(place, CellStatus::Safe, |_| ());
    }

    /// A cell that was proven safe shows a number.
    fn show_safe(&mut self, place: usize, number: u8) {
        let here = &mut self.state.places[place];
        here.known = CellStatus::Number;
        here.mines_remaining += number as i8;
        queue(&mut self.single, place, here);
    }

    /// An undecided cell shows a number.
    pub fn show(&mut self, place: usize, number: u8) {
        self.steps += 1;
        self.mark_safe(place);
        self.show_safe(place, number);
    }

    /// An undecided cell is known to be a mine, hit or hidden; of any other nothing changes.
    pub fn mark(&mut self, place: usize, as_what: CellStatus) {
        if self.state.known(place) != CellStatus::Undecided {
            return;
        }
        let hit = i8::from(as_what == CellStatus::Hit);
        self.state.mines -= 1;
        self.decide(place, as_what, |around| {
            around.mines_remaining -= 1;
            around.hits += hit;
        });
    }

    /// A hidden cell was opened, whatever was known of it: it shows a number, or was a mine.
    pub fn open(&mut self, place: usize, number: Option<u8>) {
        match (self.state.known(place), number) {
            (CellStatus::Undecided, Some(number)) => self.show(place, number),
            (CellStatus::Undecided, None) => self.mark(place, CellStatus::Hit),
            (CellStatus::Safe, Some(number)) => self.show_safe(place, number),
            // What is around it has counted it already.
            (CellStatus::Mine, None) => {}
            _ => self.contradict(),
        }
    }

    /// From now on the numbers contradict each other, or cannot be relied on.
    pub fn contradict(&mut self) {
        self.room = -1;
    }

    /// Applies both rules until neither finds anything. What is safe is given to `on_safe`, and is undecided after that
    /// no more. `CHECKED`: numbers may contradict each other, and that is looked for.
    pub fn propagate<const CHECKED: bool>(
        &mut self,
        mut on_safe: impl FnMut(&mut Propagator, usize),
    ) {
        loop {
            while let Some(place) = self.single.pop() {
                let place = place as usize;
                let here = &mut self.state.places[place];
                here.queued &= !SINGLE;
                let Place { undecided, mines_remaining, .. } = *here;
                let (cells, mines) = (undecided.count_ones() as i32, i32::from(mines_remaining));
                if CHECKED {
                    self.room |= mines | (cells - mines);
                }
                if undecided == 0 {
                    continue;
                }
                if mines == 0 {
                    self.open_all(place, window(undecided), &mut on_safe);
                } else if mines == cells {
                    self.mark_all(place, window(undecided));
                } else if here.queued & PAIRED == 0 {
                    here.queued |= PAIRED;
                    self.paired.push(place as u32);
                }
            }
            let Some(place) = self.paired.pop() else { break };
            self.state.places[place as usize].queued &= !PAIRED;
            self.compare::<CHECKED>(place as usize, &mut on_safe);
        }
    }

    fn open_all(
        &mut self,
        place: usize,
        window: Window,
        on_safe: &mut impl FnMut(&mut Propagator, usize),
    ) {
        for place in self.grid.places_in(place, window) {
            if self.state.known(place) == CellStatus::Undecided {
                on_safe(self, place);
            }
        }
    }

    fn mark_all(&mut self, place: usize, window: Window) {
        self.grid.places_in(place, window).for_each(|place| self.mark(place, CellStatus::Mine));
    }

    /// Rule 2 for a number and all others near it, until it finds something.
    fn compare<const CHECKED: bool>(
        &mut self,
        place: usize,
        on_safe: &mut impl FnMut(&mut Propagator, usize),
    ) {
        self.steps += 1;
        let Place { undecided, mines_remaining, .. } = self.state.places[place];
        let here = window(undecided);
        if here == 0 {
            return;
        }
        let stride = self.grid.stride();
        for (row, first) in (0..5).map(|row| (row, place + row * stride)) {
            for column in 0..5 {
                let other = first + column - 2 * stride - 2;
                let near = self.state.places[other];
                let there = Window::from(near.undecided) << (8 * row + column);
                if here & there == 0 || near.known != CellStatus::Number {
                    continue;
                }
                let (own, others) = (here & !there, there & !here);
                let more = i32::from(mines_remaining) - i32::from(near.mines_remaining);
                // How many cells of its own each has for no more mines than the other's.
                let (room, others_room) =
                    (own.count_ones() as i32 - more, others.count_ones() as i32 + more);
                if CHECKED {
                    self.room |= room | others_room;
                }
                let (mined, safe) = if room == 0 {
                    (own, others)
                } else if others_room == 0 {
                    (others, own)
                } else {
                    continue;
                };
                if mined | safe != 0 {
                    self.mark_all(place, mined);
                    self.open_all(place, safe, on_safe);
                    // There may be more to find, by a fresh look at what this has changed.
                    queue(&mut self.single, place, &mut self.state.places[place]);
                    return;
                }
            }
        }
    }
}

/// Puts a number among those whose own rule may apply.
fn queue(single: &mut Vec<u32>, at: usize, place: &mut Place) {
    if place.known == CellStatus::Number && place.queued & SINGLE == 0 {
        place.queued |= SINGLE;
        single.push(at as u32);
    }
}
