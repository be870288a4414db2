//! The list of all layouts of the undecided cells, and what each cell shows in each.
//!
//! The list is found by backtracking: each cell is tried as safe and as a mine, up to where a group
//! or the total can no longer be satisfied.
//!
//! Invariant: the layouts are pairwise different, and all that fit. The value of a cell is what the
//! board would show if the cell were opened under that layout, known mines included.
//!
//! Cost: a walk over the tree of partial layouts, which is hardly larger than the list because the
//! cells are ordered group by group.

use smallvec::SmallVec;

use crate::base::budget::{Budget, BudgetExhausted};
use crate::board::geometry::Cell;
use crate::board::group::Position;
use crate::board::{Board, CellState};
use crate::search::endgame::symmetry::symmetries;

/// The most cells of a list. A long chain of cells may have few layouts, but takes seconds to list,
/// and the recursion of the endgame is as deep as there are cells.
pub const MAX_CELLS: usize = 256;

/// The value of a mine in a layout.
pub const MINE: u8 = 9;

/// Nodes of trying one value of one cell (results page, R7).
const NODES_PER_TRY: u64 = 10;

/// All layouts of some cells; its memory is reused from list to list.
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
    groups: Vec<Remaining>,
    /// The partial layout, one entry for each cell.
    mined: Vec<bool>,
    /// All layouts found, one after another.
    found: Vec<bool>,
}

/// The mines and cells that are left to assign in a group, or in all.
#[derive(Clone, Copy)]
struct Remaining {
    mines: u32,
    cells: u32,
}

impl Remaining {
    fn allows(&self, mine: bool) -> bool {
        if mine { self.mines > 0 } else { self.cells > self.mines }
    }

    fn assign(&mut self, mine: bool) {
        self.cells -= 1;
        self.mines -= u32::from(mine);
    }

    fn unassign(&mut self, mine: bool) {
        self.cells += 1;
        self.mines += u32::from(mine);
    }
}

impl Layouts {
    /// Lists the layouts of `undecided`, the undecided part of `board`, where no cell is known to
    /// be safe: every other hidden cell is a known mine.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where there are more than `max_layouts` or more than [`MAX_CELLS`]
    /// cells, or the budget ends first.
    pub fn list(
        &mut self,
        board: &Board,
        undecided: &Position,
        max_layouts: usize,
        budget: &mut Budget,
    ) -> Result<(), BudgetExhausted> {
        if undecided.hidden.len() > MAX_CELLS {
            return Err(BudgetExhausted);
        }
        self.order_cells(undecided);
        self.len = 0;
        self.scratch.found.clear();
        self.backtrack(undecided.mines, max_layouts, budget)?;
        self.read_values(board);
        self.symmetries = symmetries(board.shape(), &self.cells);
        Ok(())
    }

    /// The symmetries of the cells, which the list of layouts does not necessarily share.
    pub fn symmetries(&self) -> &[Vec<u32>] {
        &self.symmetries
    }

    /// The cells, in the order of their numbers in [`Layouts::values`].
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The number of layouts.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no layout fits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What the cell of this number shows in each layout: 0 to 8, or [`MINE`].
    pub fn values(&self, cell: usize) -> &[u8] {
        &self.values[cell * self.len..(cell + 1) * self.len]
    }

    /// Orders the cells group by group, those without a group last.
    fn order_cells(&mut self, undecided: &Position) {
        let index = |cell| undecided.hidden.binary_search(&cell).unwrap_or(0);
        let mut number = vec![u32::MAX; undecided.hidden.len()];
        self.cells.clear();
        let in_groups = undecided.premises.iter().flat_map(|premise| premise.group.cells());
        for &cell in in_groups.chain(&undecided.hidden) {
            let number = &mut number[index(cell)];
            if *number == u32::MAX {
                *number = self.cells.len() as u32;
                self.cells.push(cell);
            }
        }
        let s = &mut self.scratch;
        s.groups_of.clear();
        s.groups_of.resize(self.cells.len(), SmallVec::new());
        s.groups.clear();
        for (group_number, premise) in (0..).zip(&undecided.premises) {
            let group = &premise.group;
            s.groups.push(Remaining { mines: group.mines(), cells: group.cells().len() as u32 });
            for &cell in group.cells() {
                s.groups_of[number[index(cell)] as usize].push(group_number);
            }
        }
    }

    fn backtrack(
        &mut self,
        mines: u32,
        max_layouts: usize,
        budget: &mut Budget,
    ) -> Result<(), BudgetExhausted> {
        let cells = self.cells.len();
        let s = &mut self.scratch;
        let mut total = Remaining { mines, cells: cells as u32 };
        s.mined.clear();
        // Safe is tried before mine; `next` is what to try for the cell after those of `mined`.
        let mut next = Some(false);
        loop {
            budget.spend(NODES_PER_TRY)?;
            if s.mined.len() == cells {
                if self.len == max_layouts {
                    return Err(BudgetExhausted);
                }
                self.len += 1;
                s.found.extend_from_slice(&s.mined);
                next = None;
            }
            match next {
                Some(mine) => {
                    let groups = &s.groups_of[s.mined.len()];
                    let fits = total.allows(mine)
                        && groups.iter().all(|&group| s.groups[group as usize].allows(mine));
                    if fits {
                        total.assign(mine);
                        groups.iter().for_each(|&group| s.groups[group as usize].assign(mine));
                        s.mined.push(mine);
                        next = Some(false);
                    } else {
                        next = if mine { None } else { Some(true) };
                    }
                }
                None => {
                    let Some(mine) = s.mined.pop() else { return Ok(()) };
                    total.unassign(mine);
                    let groups = &s.groups_of[s.mined.len()];
                    groups.iter().for_each(|&group| s.groups[group as usize].unassign(mine));
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
