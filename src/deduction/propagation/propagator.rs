//! Incremental propagation: what single numbers and pairs of numbers prove, kept up to date as
//! cells are opened.
//!
//! Every number keeps a mask of its undecided neighbours and the mines remaining among them. An
//! event that changes either queues the number, so that the work is proportional to the change and
//! not to the board. Two rules run until the queues are empty:
//!
//! 1. *One number.* With no mines remaining, all undecided neighbours are safe; with as many mines
//!    remaining as undecided neighbours, all are mines.
//! 2. *Two numbers.* If the mines remaining of `a` exceed those of `b` by the number of cells that
//!    only `a` sees, these cells are mines and the cells that only `b` sees are safe.
//!
//! They correspond to the rules decide, subset and overlap of group deduction
//! ([`crate::deduction::groups::deducer`]), but apply to numbers only and never to derived groups.
//! Simulated games open every safe cell at once ([`crate::search::rollout::game`]); a played game
//! collects them ([`crate::deduction::propagation::incremental`]).
//!
//! The fixed point does not depend on the order of events. A rule that applies stays applicable as
//! more cells are decided, unless its conclusion has been drawn already or the numbers contradict
//! each other; and a contradiction, once visible, stays visible.
//!
//! Invariant: the masks and counts of [`PropagatorState`] agree with its statuses after every
//! event.

use crate::board::CellState;
use crate::board::contradiction::Contradiction;
use crate::board::geometry::Shape;
use crate::board::group::{Group, GroupCells, Premise};
use crate::deduction::propagation::padded_grid::{PaddedGrid, WindowMask, window};
use crate::deduction::propagation::state::{
    CellStatus, IN_PAIRS, IN_SINGLES, PropagatorState, Record,
};

/// Propagation that looks for contradictions.
pub const CHECKED: bool = true;
/// Propagation of numbers that some layout fits, as the fast path of simulated games.
pub const TRUSTED: bool = false;

/// Applies the rules to one board after another, reusing its memory. Cells are named by their
/// padded indices.
#[derive(Default)]
pub struct Propagator {
    grid: PaddedGrid,
    state: PropagatorState,
    /// Numbers to which the first rule may apply.
    singles: Vec<u32>,
    /// Numbers to which the second rule may apply; empty except during propagation.
    pairs: Vec<u32>,
    steps: u64,
    is_inconsistent: bool,
}

impl Propagator {
    /// Starts a board on which all cells are hidden.
    pub fn reset(&mut self, shape: Shape, mines: u32) {
        self.grid.reset(shape);
        self.state.records.clear();
        self.state.records.resize(self.grid.index_count(), Record::BORDER);
        (self.state.undecided_len, self.state.mines) = (shape.len(), mines.into());
        self.singles.clear();
        self.is_inconsistent = false;
        for cell in shape.cells() {
            let index = self.grid.index(cell);
            self.state.records[index].status = CellStatus::Undecided;
            for (neighbour, bit) in self.grid.neighbours(index) {
                self.state.records[neighbour].undecided |= bit;
            }
        }
    }

    /// Returns the conversion between cells and padded indices.
    pub fn grid(&self) -> &PaddedGrid {
        &self.grid
    }

    /// Returns what is known about every cell.
    pub fn state(&self) -> &PropagatorState {
        &self.state
    }

    /// Restores a state of the same board that was saved while the queue was empty, and sets the
    /// count of steps to zero.
    pub fn restore(&mut self, state: &PropagatorState) {
        self.singles.clear();
        self.steps = 0;
        // Not by `clone_from` of the whole, which would allocate.
        let PropagatorState { records, undecided_len, mines } = state;
        self.state.records.clone_from(records);
        (self.state.undecided_len, self.state.mines) = (*undecided_len, *mines);
    }

    /// Clears the queue without propagating.
    pub fn clear_queue(&mut self) {
        for index in self.singles.drain(..) {
            self.state.records[index as usize].queued = 0;
        }
    }

    /// Takes the numbers out of use that ask for fewer than zero mines, or for more mines than they
    /// have undecided neighbours.
    pub fn ignore_inconsistent(&mut self) {
        for record in &mut self.state.records {
            let cells = record.undecided.count_ones() as i8;
            let is_possible = (0..=cells).contains(&record.mines_remaining);
            if record.status == CellStatus::Number && !is_possible {
                record.status = CellStatus::Ignored;
            }
        }
    }

    /// Returns the number of steps since the last call, and sets it to zero. A step is a number
    /// opened in an undecided cell, or a number compared with the numbers near it.
    pub fn take_steps(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }

    /// Whether one or two numbers have shown in [`CHECKED`] propagation since the reset that no
    /// layout fits, or a cell shows what it cannot show. The conclusions must not be used then.
    pub fn is_inconsistent(&self) -> bool {
        self.is_inconsistent
    }

    /// Returns the number of hidden neighbours of an undecided cell, provided that every cell
    /// proven safe has been opened.
    pub fn hidden_around(&self, index: usize) -> u8 {
        let Record { undecided, mines_remaining, hits, status, .. } = self.state.records[index];
        debug_assert_eq!(status, CellStatus::Undecided);
        // The number is not known yet, so that only the known mines have been subtracted.
        undecided.count_ones() as u8 + (-mines_remaining - hits) as u8
    }

    /// Adds the premise of a number to `premises`: its undecided neighbours and the mines remaining
    /// among them. No effect where no neighbour is undecided.
    ///
    /// # Errors
    /// [`Contradiction`] where the neighbours cannot hold the mines remaining.
    pub fn add_premise(
        &self,
        index: usize,
        premises: &mut Vec<Premise>,
    ) -> Result<(), Contradiction> {
        let Record { undecided, mines_remaining, .. } = self.state.records[index];
        let indices = self.grid.indices_in(index, window(undecided));
        let cells: GroupCells = indices.map(|index| self.grid.cell(index)).collect();
        let group = Group::new(cells, mines_remaining.into())?;
        let source = self.grid.cell(index);
        premises.extend(group.map(|group| Premise { source, group }));
        Ok(())
    }

    /// Whether a cell has an undecided neighbour.
    pub fn has_undecided(&self, index: usize) -> bool {
        self.state.records[index].undecided != 0
    }

    /// Gives an undecided cell another status, updates its neighbours by `update`, and queues those
    /// that are numbers.
    fn decide(&mut self, index: usize, status: CellStatus, update: impl Fn(&mut Record)) {
        let Propagator { grid, state, singles, .. } = self;
        state.records[index].status = status;
        state.undecided_len -= 1;
        for (neighbour, bit) in grid.neighbours(index) {
            let record = &mut state.records[neighbour];
            record.undecided &= !bit;
            update(record);
            enqueue(singles, neighbour, record);
        }
    }

    /// Records that an undecided cell is safe.
    pub fn mark_safe(&mut self, index: usize) {
        self.decide(index, CellStatus::Safe, |_| ());
    }

    /// Records that a cell is a hidden mine. No effect on a cell that is not undecided.
    pub fn mark_mine(&mut self, index: usize) {
        self.mark(index, CellStatus::Mine, 0);
    }

    /// Records that a cell is an opened mine. No effect on a cell that is not undecided.
    pub fn mark_hit(&mut self, index: usize) {
        self.mark(index, CellStatus::Hit, 1);
    }

    fn mark(&mut self, index: usize, status: CellStatus, hits: i8) {
        if self.state.status(index) != CellStatus::Undecided {
            return;
        }
        self.state.mines -= 1;
        self.decide(index, status, |neighbour| {
            neighbour.mines_remaining -= 1;
            neighbour.hits += hits;
        });
    }

    /// Records that an undecided cell was opened and shows a number.
    pub fn open_number(&mut self, index: usize, number: u8) {
        self.steps += 1;
        self.mark_safe(index);
        self.open_safe(index, number);
    }

    /// Records that a cell proven safe was opened and shows a number.
    fn open_safe(&mut self, index: usize, number: u8) {
        let record = &mut self.state.records[index];
        record.status = CellStatus::Number;
        record.mines_remaining += number as i8;
        enqueue(&mut self.singles, index, record);
    }

    /// Records what a hidden cell shows after it was opened, whether it had been decided or not.
    ///
    /// A cell that contradicts what was proven, or shows nothing that can be read, makes the board
    /// inconsistent.
    pub fn observe(&mut self, index: usize, shown: CellState) {
        match (self.state.status(index), shown) {
            (CellStatus::Undecided, CellState::Number(number)) => self.open_number(index, number),
            (CellStatus::Undecided, CellState::Hit) => self.mark_hit(index),
            (CellStatus::Safe, CellState::Number(number)) => self.open_safe(index, number),
            // The numbers around the mine have counted it since it was proven.
            (CellStatus::Mine, CellState::Hit) => {}
            _ => self.is_inconsistent = true,
        }
    }

    /// Applies both rules until neither finds anything.
    ///
    /// `on_safe` is called for each undecided cell that is proven safe, and must decide it by
    /// [`Propagator::mark_safe`] or [`Propagator::open_number`].
    ///
    /// `CHECK` is [`CHECKED`] or [`TRUSTED`].
    pub fn propagate<const CHECK: bool>(
        &mut self,
        mut on_safe: impl FnMut(&mut Propagator, usize),
    ) {
        loop {
            while let Some(index) = self.singles.pop() {
                let index = index as usize;
                let record = &mut self.state.records[index];
                record.queued &= !IN_SINGLES;
                let Record { undecided, mines_remaining, .. } = *record;
                let (cells, mines) = (undecided.count_ones() as i32, i32::from(mines_remaining));
                if CHECK {
                    self.is_inconsistent |= mines < 0 || mines > cells;
                }
                if undecided == 0 {
                    continue;
                }
                if mines == 0 {
                    self.report_safe(index, window(undecided), &mut on_safe);
                } else if mines == cells {
                    self.mark_mines(index, window(undecided));
                } else if record.queued & IN_PAIRS == 0 {
                    record.queued |= IN_PAIRS;
                    self.pairs.push(index as u32);
                }
            }
            let Some(index) = self.pairs.pop() else { break };
            self.state.records[index as usize].queued &= !IN_PAIRS;
            self.compare::<CHECK>(index as usize, &mut on_safe);
        }
    }

    fn report_safe(
        &mut self,
        index: usize,
        cells: WindowMask,
        on_safe: &mut impl FnMut(&mut Propagator, usize),
    ) {
        for cell in self.grid.indices_in(index, cells) {
            // `on_safe` for one cell may have decided others.
            if self.state.status(cell) == CellStatus::Undecided {
                on_safe(self, cell);
            }
        }
    }

    fn mark_mines(&mut self, index: usize, cells: WindowMask) {
        self.grid.indices_in(index, cells).for_each(|cell| self.mark_mine(cell));
    }

    /// Applies the second rule to a number and each number near it, until it finds something.
    fn compare<const CHECK: bool>(
        &mut self,
        index: usize,
        on_safe: &mut impl FnMut(&mut Propagator, usize),
    ) {
        self.steps += 1;
        let Record { undecided, mines_remaining, .. } = self.state.records[index];
        let a_cells = window(undecided);
        if a_cells == 0 {
            return;
        }
        let stride = self.grid.stride();
        for (row, row_start) in (0..5).map(|row| (row, index + row * stride)) {
            for column in 0..5 {
                let b = self.state.records[row_start + column - 2 * stride - 2];
                let b_cells = WindowMask::from(b.undecided) << (8 * row + column);
                if a_cells & b_cells == 0 || b.status != CellStatus::Number {
                    continue;
                }
                let (only_a, only_b) = (a_cells & !b_cells, b_cells & !a_cells);
                let excess = i32::from(mines_remaining) - i32::from(b.mines_remaining);
                // In every layout, `a_slack` is the number of safe cells in `only_a` plus the
                // number of mines in `only_b`, and `b_slack` is the same with `a` and `b`
                // exchanged.
                let a_slack = only_a.count_ones() as i32 - excess;
                let b_slack = only_b.count_ones() as i32 + excess;
                if CHECK {
                    self.is_inconsistent |= a_slack < 0 || b_slack < 0;
                }
                let (mines, safe) = if a_slack == 0 {
                    (only_a, only_b)
                } else if b_slack == 0 {
                    (only_b, only_a)
                } else {
                    continue;
                };
                if mines | safe != 0 {
                    self.mark_mines(index, mines);
                    self.report_safe(index, safe, on_safe);
                    // The masks read above are out of date: compare again from the queue.
                    enqueue(&mut self.singles, index, &mut self.state.records[index]);
                    return;
                }
            }
        }
    }
}

/// Queues a cell for the first rule if it is a number.
fn enqueue(singles: &mut Vec<u32>, index: usize, record: &mut Record) {
    if record.status == CellStatus::Number && record.queued & IN_SINGLES == 0 {
        record.queued |= IN_SINGLES;
        singles.push(index as u32);
    }
}
