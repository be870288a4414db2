//! Every layout of the undecided cells, one by one, and what each cell shows in each.
//!
//! Counting never looks at a single layout; deciding the last cells of a game exactly does
//! ([`crate::search::endgame`]). The list is made by trying safe and mine for one cell after another and giving up
//! where a group or the total cannot be met any more.
//!
//! Invariants: the layouts are pairwise different, and are all that fit; a cell's value is what the board
//! would show if the cell were opened under that layout, mines that are known already included.
//!
//! Cost: a walk over the tree of partial layouts, which is hardly larger than the list where the groups'
//! cells come one group after another, as they do here.

use smallvec::SmallVec;

use crate::base::budget::{Budget, BudgetExhausted};
use crate::board::geometry::Cell;
use crate::board::group::Position;
use crate::board::{Board, CellState};
use crate::search::endgame::symmetry::symmetries;

/// The most cells that layouts are listed over: a long chain has few layouts too, but takes seconds to list, and
/// the endgame goes as deep as there are cells.
pub const MOST_CELLS: usize = 256;

/// The value of a mine in a layout.
pub const MINE: u8 = 9;

/// What trying one value of one cell costs, in nodes: about 10 ns.
const NODES_PER_TRY: u64 = 10;

/// All layouts of some cells.
#[derive(Default)]
pub struct Layouts {
    cells: Vec<Cell>,
    len: usize,
    /// The value of each cell in each layout, cell by cell.
    values: Vec<u8>,
    symmetries: Vec<Vec<u32>>,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    groups_of: Vec<SmallVec<[u32; 8]>>,
    groups: Vec<Left>,
    /// The layout at hand, one entry a cell.
    mined: Vec<bool>,
    /// All layouts found, one after another.
    found: Vec<bool>,
}

/// What a group, or the total, still misses.
#[derive(Clone, Copy)]
struct Left {
    mines: u32,
    cells: u32,
}

impl Left {
    fn takes(&self, mine: bool) -> bool {
        if mine { self.mines > 0 } else { self.cells > self.mines }
    }

    fn take(&mut self, mine: bool) {
        self.cells -= 1;
        self.mines -= u32::from(mine);
    }

    fn give_back(&mut self, mine: bool) {
        self.cells += 1;
        self.mines += u32::from(mine);
    }
}

impl Layouts {
    /// Lists the layouts of the undecided cells of `board`: those of `undecided`, whose groups and mines say
    /// all that is known of them. Every other hidden cell is a known mine, none is known to be safe.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where there are more than `most`, or the budget ends first, or there are more than [`MOST_CELLS`]
    /// cells.
    pub fn list(
        &mut self,
        board: &Board,
        undecided: &Position,
        most: usize,
        budget: &mut Budget,
    ) -> Result<(), BudgetExhausted> {
        if undecided.hidden.len() > MOST_CELLS {
            return Err(BudgetExhausted);
        }
        self.order_cells(undecided);
        self.len = 0;
        self.scratch.found.clear();
        self.try_all(undecided.mines, most, budget)?;
        self.read_values(board);
        self.symmetries = symmetries(board.shape(), &self.cells);
        Ok(())
    }

    /// The symmetries of the cells, as numbers of the images; whether the layouts share them is not looked at.
    pub fn symmetries(&self) -> &[Vec<u32>] {
        &self.symmetries
    }

    /// The cells, in the order of their numbers in [`Layouts::values`].
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// How many layouts there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no layout fits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What the cell of this number shows in each layout: 0-8, or [`MINE`].
    pub fn values(&self, cell: usize) -> &[u8] {
        &self.values[cell * self.len..(cell + 1) * self.len]
    }

    /// Puts the cells of each group together, those that no group holds last.
    fn order_cells(&mut self, undecided: &Position) {
        let place = |cell| undecided.hidden.binary_search(&cell).unwrap_or(0);
        let mut number = vec![u32::MAX; undecided.hidden.len()];
        self.cells.clear();
        let in_groups = undecided.premises.iter().flat_map(|premise| premise.group.cells());
        for &cell in in_groups.chain(&undecided.hidden) {
            let number = &mut number[place(cell)];
            if *number == u32::MAX {
                *number = self.cells.len() as u32;
                self.cells.push(cell);
            }
        }
        let s = &mut self.scratch;
        s.groups_of.clear();
        s.groups_of.resize(self.cells.len(), SmallVec::new());
        s.groups.clear();
        for (index, premise) in undecided.premises.iter().enumerate() {
            let group = &premise.group;
            s.groups.push(Left { mines: group.mines(), cells: group.cells().len() as u32 });
            for &cell in group.cells() {
                s.groups_of[number[place(cell)] as usize].push(index as u32);
            }
        }
    }

    fn try_all(
        &mut self,
        mines: u32,
        most: usize,
        budget: &mut Budget,
    ) -> Result<(), BudgetExhausted> {
        let cells = self.cells.len();
        let s = &mut self.scratch;
        let mut total = Left { mines, cells: cells as u32 };
        s.mined.clear();
        // Safe is tried before mine; `next` is what to try for the cell after those in `mined`.
        let mut next = Some(false);
        loop {
            budget.spend(NODES_PER_TRY)?;
            if s.mined.len() == cells {
                if self.len == most {
                    return Err(BudgetExhausted);
                }
                self.len += 1;
                s.found.extend_from_slice(&s.mined);
                next = None;
            }
            match next {
                Some(mine) => {
                    let groups = &s.groups_of[s.mined.len()];
                    let fits = total.takes(mine)
                        && groups.iter().all(|&group| s.groups[group as usize].takes(mine));
                    if fits {
                        total.take(mine);
                        groups.iter().for_each(|&group| s.groups[group as usize].take(mine));
                        s.mined.push(mine);
                        next = Some(false);
                    } else {
                        next = if mine { None } else { Some(true) };
                    }
                }
                None => {
                    let Some(mine) = s.mined.pop() else { return Ok(()) };
                    total.give_back(mine);
                    let groups = &s.groups_of[s.mined.len()];
                    groups.iter().for_each(|&group| s.groups[group as usize].give_back(mine));
                    next = if mine { None } else { Some(true) };
                }
            }
        }
    }

    fn read_values(&mut self, board: &Board) {
        let (cells, len) = (self.cells.len(), self.len);
        let mined = |cell: usize, layout: usize| self.scratch.found[layout * cells + cell];
        let mut is_mine = vec![0_u8; cells * len];
        for layout in 0..len {
            for cell in 0..cells {
                is_mine[cell * len + layout] = u8::from(mined(cell, layout));
            }
        }
        self.values.clear();
        self.values.resize(cells * len, 0);
        for (cell, values) in self.values.chunks_exact_mut(len.max(1)).enumerate() {
            for neighbour in board.shape().neighbours(self.cells[cell]) {
                match self.cells.iter().position(|&other| other == neighbour) {
                    Some(other) => {
                        let mines = &is_mine[other * len..(other + 1) * len];
                        values.iter_mut().zip(mines).for_each(|(value, mine)| *value += mine);
                    }
                    None => {
                        let known =
                            matches!(board.state(neighbour), CellState::Hit | CellState::Hidden);
                        values.iter_mut().for_each(|value| *value += u8::from(known));
                    }
                }
            }
            let mines = &is_mine[cell * len..(cell + 1) * len];
            for (value, mine) in values.iter_mut().zip(mines) {
                *value = if *mine == 1 { MINE } else { *value };
            }
        }
    }
}
