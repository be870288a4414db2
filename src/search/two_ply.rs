//! The two-ply look-ahead: what a cell can show, and the risks of the safest cells after it.
//!
//! For a cell and a value that it can show, the position with that value is a position like any
//! other. Its layouts are counted exactly; their share of all layouts is the probability of the
//! value. The next move risks the lowest odds of that position, which are 0 if it has a safe cell;
//! the second lowest odds estimate the risk of the move after that.
//!
//! The position with the value is not read from a board. It is what deduction has left of the
//! present one (undecided cells, and groups without the decided cells), with the cell taken out of
//! its groups and, for a number, one group more. This is equivalent and has a third of the groups
//! (results page, R12). Deduction and the components start from those of the present position, and
//! only what the cell touches is done anew.
//!
//! Invariant: over all values of a cell, the mine included, the probabilities sum to 1.
//!
//! Cost: for each value, deduction and counting of what the cell touches, and a pass over the
//! components.

use arrayvec::ArrayVec;

use crate::board::CellState;
use crate::board::contradiction::Contradiction;
use crate::board::geometry::Cell;
use crate::board::group::{Group, GroupCells, MAX_NEIGHBOURS, Position, Shown};
use crate::deduction::groups::deducer::Deducer;
use crate::deduction::propagation::padded_grid::PaddedGrid;
use crate::probability::frontier_dp::ByteLimit;
use crate::probability::odds::{LowestOdds, quantize};
use crate::probability::solver::ProbabilitySolver;
use crate::probability::weight::{ExtendedF64, Weight};
use crate::search::CountedBoard;
use crate::search::regions::Regions;
use crate::settings::budget::{Budget, BudgetExhausted};

/// Nodes that building a position costs for each of its cells.
const NODES_PER_CELL: u64 = 2;
/// Nodes of an outcome, besides those of its cells, of deduction and of counting.
const NODES_PER_OUTCOME: u64 = 3000;

/// Bytes that counting may take for one value, besides those of the position itself.
const MAX_BYTES: ByteLimit = ByteLimit(16 << 20);

/// One value that a cell can show.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// The probability that the cell shows it.
    pub probability: f64,
    /// The odds of the two safest cells afterwards. Both are 0 where no safe cell is left to open,
    /// and both are the first where only one is.
    pub lowest: LowestOdds,
}

/// The kind of a cell as counters in one word (undecided, constrained, mines), so that a sum over
/// cells counts each kind.
#[derive(Clone, Copy, Default)]
struct CellKind(u32);

impl CellKind {
    /// Open, or beyond the border.
    const OPEN: CellKind = CellKind(0);
    /// Undecided, and in no group.
    const UNCONSTRAINED: CellKind = CellKind(1);
    /// Undecided, and in a group.
    const CONSTRAINED: CellKind = CellKind(1 | 1 << 8);
    /// A mine, hidden or hit.
    const MINE: CellKind = CellKind(1 << 16);

    fn undecided(self) -> usize {
        (self.0 & 0xff) as usize
    }

    fn constrained(self) -> usize {
        (self.0 >> 8 & 0xff) as usize
    }

    fn mines(self) -> usize {
        (self.0 >> 16) as usize
    }
}

/// The memory of the look-ahead, reused from position to position.
#[derive(Default)]
pub struct Lookahead {
    /// The undecided part of the counted position.
    base: Position,
    grid: PaddedGrid,
    /// By padded index.
    kinds: Vec<CellKind>,
    deducer: Deducer,
    solver: ProbabilitySolver,
    regions: Regions,
}

impl Lookahead {
    /// Begins with a position that has no safe cell; `None` where its layouts were not counted
    /// exactly.
    pub fn begin<'a>(&'a mut self, at: CountedBoard<'a>) -> Option<TwoPly<'a>> {
        let layouts = at.counted.odds().layouts()?;
        let Lookahead { base, grid, kinds, deducer, solver, regions } = self;
        *base = at.counted.deduced().undecided();
        solver.set_limit(MAX_BYTES);
        solver.set_base(deducer.set_base(base));
        grid.reset(at.board.shape());
        kinds.clear();
        kinds.resize(grid.index_count(), CellKind::OPEN);
        for (cell, shown) in at.board.iter() {
            // No cell is proven safe here, so a hidden cell that is decided is a mine.
            if matches!(shown, CellState::Hidden | CellState::Hit) {
                kinds[grid.index(cell)] = CellKind::MINE;
            }
        }
        for &cell in &base.hidden {
            kinds[grid.index(cell)] = CellKind::UNCONSTRAINED;
        }
        for &cell in base.premises.iter().flat_map(|premise| premise.group.cells()) {
            kinds[grid.index(cell)] = CellKind::CONSTRAINED;
        }
        let odds = at.counted.odds();
        regions.find(grid, base, |cell| odds.of(cell) < 1.0);
        Some(TwoPly { at, layouts, memory: self })
    }
}

/// The look-ahead from one position.
pub struct TwoPly<'a> {
    at: CountedBoard<'a>,
    layouts: ExtendedF64,
    memory: &'a mut Lookahead,
}

impl<'a> TwoPly<'a> {
    /// The board from which it looks ahead.
    pub fn at(&self) -> CountedBoard<'a> {
        self.at
    }

    /// The undecided cells, in row-major order.
    pub fn undecided(&self) -> &[Cell] {
        &self.memory.base.hidden
    }

    /// Whether a guess in the undecided `cell` is put off, because the cell is not in the largest
    /// region.
    pub fn is_put_off(&self, cell: Cell) -> bool {
        let Lookahead { grid, regions, .. } = &self.memory;
        !regions.is_in_largest(grid.index(cell))
    }

    /// A key that is the same for equivalent cells: the numbers of undecided neighbours and of
    /// known mines around. `None` where the cell or one of these neighbours is constrained.
    ///
    /// Equivalent cells show each number with the same probability, and leave positions that differ
    /// in the names of the cells alone.
    pub fn equivalence_key(&self, cell: Cell) -> Option<(usize, usize)> {
        let Lookahead { grid, kinds, .. } = &self.memory;
        if kinds[grid.index(cell)].constrained() > 0 {
            return None;
        }
        let around = self.around(cell);
        (around.constrained() == 0).then_some((around.undecided(), around.mines()))
    }

    /// The cells of each kind around `cell`.
    fn around(&self, cell: Cell) -> CellKind {
        let Lookahead { grid, kinds, .. } = &self.memory;
        let around = grid.neighbours(grid.index(cell)).map(|(index, _)| kinds[index].0);
        CellKind(around.iter().sum())
    }

    /// The numbers that the undecided `cell` can show, by increasing distance from their mean over
    /// all layouts: roughly the likely ones first.
    pub fn numbers(&self, cell: Cell) -> impl Iterator<Item = CellState> + use<> {
        let around = self.around(cell);
        let mean = around.mines() as f64 + self.mean_mines_among_undecided(cell);
        let mut numbers: ArrayVec<(i64, usize), { MAX_NEIGHBOURS + 1 }> = (around.mines()
            ..=around.mines() + around.undecided())
            .map(|number| (quantize((number as f64 - mean).abs()), number))
            .collect();
        numbers.sort_unstable();
        numbers.into_iter().map(|(_, number)| CellState::Number(number as u8))
    }

    /// The mean number of mines among the undecided cells around `cell`.
    fn mean_mines_among_undecided(&self, cell: Cell) -> f64 {
        let Lookahead { grid, kinds, .. } = &self.memory;
        let odds = self.at.counted.odds();
        let around = grid.neighbours(grid.index(cell)).into_iter();
        let undecided = around.filter(|&(index, _)| kinds[index].undecided() > 0);
        undecided.map(|(index, _)| odds.of(grid.cell(index))).sum()
    }

    /// The group of `number` in the undecided `cell`.
    fn group_of(&self, cell: Cell, number: u8) -> Result<Option<Group>, Contradiction> {
        let Lookahead { grid, kinds, .. } = &self.memory;
        let mut cells = GroupCells::new();
        for (index, _) in grid.neighbours(grid.index(cell)) {
            if kinds[index].undecided() > 0 {
                cells.push(grid.cell(index));
            }
        }
        Group::new(cells, i64::from(number) - self.around(cell).mines() as i64)
    }

    /// What follows when the undecided `cell` shows `shown`; `Ok(None)` where no layout shows it.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where the budget ends before it is known.
    pub fn outcome(
        &mut self,
        cell: Cell,
        shown: CellState,
        budget: &mut Budget,
    ) -> Result<Option<Outcome>, BudgetExhausted> {
        budget.spend(NODES_PER_OUTCOME + NODES_PER_CELL * self.memory.base.hidden.len() as u64)?;
        let group = match shown {
            CellState::Number(number) => self.group_of(cell, number),
            _ => Ok(None),
        };
        let Ok(group) = group else { return Ok(None) };
        let is_mine = shown == CellState::Hit;
        let Lookahead { base, deducer, solver, .. } = &mut *self.memory;
        let Ok(deduced) = deducer.run_with(base, Shown { cell, is_mine, group }, budget) else {
            return Ok(None);
        };
        let mines = (base.mines as usize).saturating_sub(usize::from(is_mine));
        // The cells that are no mines, proven or not.
        let safe_cells = (base.hidden.len() - 1).saturating_sub(mines);
        let are_both_safe = deduced.safe().len() >= safe_cells.min(2);
        let Ok(counted) = solver.run_changed(deduced, budget) else { return Ok(None) };
        let layouts = counted.layouts().ok_or(BudgetExhausted)?;
        let mut lowest = if are_both_safe { LowestOdds::SAFE } else { counted.lowest_odds(budget) };
        if safe_cells == 1 {
            lowest.second = lowest.first;
        }
        Ok(Some(Outcome { probability: layouts.ratio_to(self.layouts), lowest }))
    }
}
