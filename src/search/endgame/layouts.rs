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

use smallvec::{SmallVec, smallvec};

use crate::board::geometry::{Cell, Shape};
use crate::board::group::Position;
use crate::board::{Board, CellState};
use crate::search::endgame::symmetry::symmetries;
use crate::settings::budget::{Budget, BudgetExhausted};

/// The most cells of a list. A long chain of cells may have few layouts, but takes seconds to list,
/// and the recursion of the endgame is as deep as there are cells.
pub const MAX_CELLS: usize = 256;

/// The value of a mine in a layout.
pub const MINE: u8 = 9;

/// Nodes of trying one value of one cell (results page, R7).
const NODES_PER_TRY: u64 = 10;

/// All layouts of some cells.
pub struct Layouts {
    cells: Vec<Cell>,
    len: usize,
    /// The value of each cell in each layout, cell by cell.
    values: Vec<u8>,
    symmetries: Vec<Vec<u32>>,
}

/// The constraints on the cells, in the order in which they are assigned.
struct Constraints {
    /// The total first.
    groups: Vec<Remaining>,
    /// The groups of each cell.
    groups_of: Vec<SmallVec<[u32; 10]>>,
}

/// The mines and cells that are left to assign in a group.
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
        board: &Board,
        undecided: &Position,
        max_layouts: usize,
        budget: &mut Budget,
    ) -> Result<Layouts, BudgetExhausted> {
        let is_mine = |cell| matches!(board.state(cell), CellState::Hit | CellState::Hidden);
        Layouts::list_beside(board.shape(), is_mine, undecided, max_layouts, budget)
    }

    /// Lists the layouts of `undecided` on a board of this shape, where `is_mine` says whether
    /// another cell is a known mine, hidden or hit.
    ///
    /// # Errors
    /// As those of [`Layouts::list`].
    pub fn list_beside(
        shape: Shape,
        is_mine: impl Fn(Cell) -> bool,
        undecided: &Position,
        max_layouts: usize,
        budget: &mut Budget,
    ) -> Result<Layouts, BudgetExhausted> {
        if undecided.hidden.len() > MAX_CELLS {
            return Err(BudgetExhausted);
        }
        let (cells, constraints) = order_cells(undecided);
        let (found, len) = constraints.backtrack(max_layouts, budget)?;
        let values = read_values(shape, is_mine, &cells, &found);
        let symmetries = symmetries(shape, &cells);
        Ok(Layouts { cells, len, values, symmetries })
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
}

/// Orders the cells group by group, those without a group last.
fn order_cells(undecided: &Position) -> (Vec<Cell>, Constraints) {
    let index = |cell| undecided.hidden.binary_search(&cell).unwrap_or(0);
    let mut number = vec![u32::MAX; undecided.hidden.len()];
    let mut cells = Vec::with_capacity(undecided.hidden.len());
    let in_groups = undecided.premises.iter().flat_map(|premise| premise.group.cells());
    for &cell in in_groups.chain(&undecided.hidden) {
        let number = &mut number[index(cell)];
        if *number == u32::MAX {
            *number = cells.len() as u32;
            cells.push(cell);
        }
    }
    let mut groups_of = vec![smallvec![0]; cells.len()];
    let mut groups = vec![Remaining { mines: undecided.mines, cells: cells.len() as u32 }];
    for (group_number, premise) in (1..).zip(&undecided.premises) {
        let group = &premise.group;
        groups.push(Remaining { mines: group.mines(), cells: group.cells().len() as u32 });
        for &cell in group.cells() {
            groups_of[number[index(cell)] as usize].push(group_number);
        }
    }
    (cells, Constraints { groups, groups_of })
}

impl Constraints {
    /// The layouts, one after another, each with an entry for each cell; and their number.
    fn backtrack(
        mut self,
        max_layouts: usize,
        budget: &mut Budget,
    ) -> Result<(Vec<bool>, usize), BudgetExhausted> {
        let Constraints { groups, groups_of } = &mut self;
        let (mut found, mut len) = (Vec::new(), 0);
        let mut mined = Vec::with_capacity(groups_of.len());
        // Safe is tried before mine; `next` is what to try for the cell after those of `mined`.
        let mut next = Some(false);
        loop {
            budget.spend(NODES_PER_TRY)?;
            if mined.len() == groups_of.len() {
                if len == max_layouts {
                    return Err(BudgetExhausted);
                }
                len += 1;
                found.extend_from_slice(&mined);
                next = None;
            }
            match next {
                Some(mine) => {
                    let of_cell = &groups_of[mined.len()];
                    if of_cell.iter().all(|&group| groups[group as usize].allows(mine)) {
                        of_cell.iter().for_each(|&group| groups[group as usize].assign(mine));
                        mined.push(mine);
                        next = Some(false);
                    } else {
                        next = if mine { None } else { Some(true) };
                    }
                }
                None => {
                    let Some(mine) = mined.pop() else { return Ok((found, len)) };
                    let of_cell = &groups_of[mined.len()];
                    of_cell.iter().for_each(|&group| groups[group as usize].unassign(mine));
                    next = if mine { None } else { Some(true) };
                }
            }
        }
    }
}

/// What each of `cells` shows in each of the layouts `found`, cell by cell.
fn read_values(
    shape: Shape,
    is_known_mine: impl Fn(Cell) -> bool,
    cells: &[Cell],
    found: &[bool],
) -> Vec<u8> {
    let len = found.len() / cells.len().max(1);
    let mut is_mine = vec![0_u8; found.len()];
    for layout in 0..len {
        for cell in 0..cells.len() {
            is_mine[cell * len + layout] = u8::from(found[layout * cells.len() + cell]);
        }
    }
    let mines_of = |number: usize| &is_mine[number * len..(number + 1) * len];
    let mut all_values = vec![0; found.len()];
    for (number, values) in all_values.chunks_exact_mut(len.max(1)).enumerate() {
        for neighbour in shape.neighbours(cells[number]) {
            if let Some(other) = cells.iter().position(|&other| other == neighbour) {
                let mines = mines_of(other).iter();
                values.iter_mut().zip(mines).for_each(|(value, mine)| *value += mine);
            } else if is_known_mine(neighbour) {
                values.iter_mut().for_each(|value| *value += 1);
            }
        }
        for (value, mine) in values.iter_mut().zip(mines_of(number)) {
            *value = if *mine == 1 { MINE } else { *value };
        }
    }
    all_values
}
