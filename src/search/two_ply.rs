//! What a cell may show, how likely, and what the next move would risk after it.
//!
//! For a cell and a value that it may show, the position with that value is a position like any other:
//! its layouts are counted exactly, and their share of all layouts is the chance of the value. What the
//! next move risks is the least odds of that position, or nothing where it has a safe cell.
//!
//! The position with the value is not read from a board: it is what deduction left of the present
//! one (undecided cells, and groups without the decided ones), with the cell taken out of its groups and, for a
//! number, one group more. That says the same with a third of the groups.
//!
//! Invariant: over all values of a cell, the mine included, the chances sum to 1.
//!
//! Cost: for each value, deduction and counting of what is undecided.

use crate::base::budget::{Budget, BudgetExhausted};
use crate::board::geometry::{Cell, CellMap};
use crate::board::group::{Contradiction, Group, GroupCells, Position, Premise};
use crate::board::{Board, CellState};
use crate::deduction::deducer::{Deducer, Reach};
use crate::probability::solver::ProbabilitySolver;
use crate::probability::weight::ExtendedF64;

/// What building a position costs for each of its cells, in nodes.
const NODES_PER_CELL: u64 = 2;

/// One value that a cell may show.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// How likely the cell shows it.
    pub chance: f64,
    /// The chance that the next move, at its best, is a mine.
    pub next: f64,
}

/// Bytes that counting may take for one value, beside what counting the position itself took.
const MAX_BYTES: usize = 16 << 20;

/// What is known of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum FrontierStatus {
    /// A mine for certain, or open.
    #[default]
    Decided,
    /// Undecided, and in no group.
    Unseen,
    /// Undecided, and in a group.
    Seen,
}

/// Looks at one value after another, reusing its memory.
pub struct Lookahead {
    /// What is undecided now.
    base: Position,
    known: CellMap<FrontierStatus>,
    layouts: ExtendedF64,
    position: Position,
    deducer: Deducer,
    solver: ProbabilitySolver,
}

impl Default for Lookahead {
    fn default() -> Lookahead {
        Lookahead {
            base: Position::default(),
            known: CellMap::default(),
            layouts: ExtendedF64::ZERO,
            position: Position::default(),
            deducer: Deducer::default(),
            solver: ProbabilitySolver::within(MAX_BYTES),
        }
    }
}

impl Lookahead {
    /// Begins with a position that `deducer` has taken to its fixed point without finding a safe cell,
    /// and with its number of layouts.
    pub fn begin(&mut self, position: &Position, deducer: &Deducer, layouts: ExtendedF64) {
        self.layouts = layouts;
        deducer.undecided_into(position, &mut self.base);
        self.known.reset(position.universe, FrontierStatus::Decided);
        self.base.hidden.iter().for_each(|&cell| self.known[cell] = FrontierStatus::Unseen);
        for cell in self.base.premises.iter().flat_map(|premise| premise.group.cells()) {
            self.known[*cell] = FrontierStatus::Seen;
        }
    }

    /// Which cells nobody sees, nor any of their undecided neighbours, are alike: those for which this is the same,
    /// the number of those neighbours and of known mines around. `None` for any other cell.
    ///
    /// Such cells show each number as often, and what it leaves is the same but for the names of the cells.
    pub fn equivalence_key(&self, board: &Board, cell: Cell) -> Option<(usize, i64)> {
        if self.known[cell] == FrontierStatus::Seen {
            return None;
        }
        let (undecided, known) = self.around(board, cell);
        let is_apart =
            undecided.iter().all(|&neighbour| self.known[neighbour] == FrontierStatus::Unseen);
        is_apart.then_some((undecided.len(), known))
    }

    /// The undecided neighbours of `cell`, and the mines around it that are known.
    fn around(&self, board: &Board, cell: Cell) -> (GroupCells, i64) {
        let mut undecided = GroupCells::new();
        let mut known = 0;
        for neighbour in board.shape().neighbours(cell) {
            match board.state(neighbour) {
                CellState::Hit => known += 1,
                // No cell is proven safe here, so a hidden cell that is decided is a mine.
                CellState::Hidden => match self.known[neighbour] {
                    FrontierStatus::Unseen | FrontierStatus::Seen => undecided.push(neighbour),
                    FrontierStatus::Decided => known += 1,
                },
                CellState::Number(_) | CellState::Illegible => {}
            }
        }
        (undecided, known)
    }

    /// The numbers that `cell`, which is undecided, may show.
    pub fn numbers(&self, board: &Board, cell: Cell) -> impl Iterator<Item = CellState> + use<> {
        let (undecided, known) = self.around(board, cell);
        (known..=known + undecided.len() as i64).map(|number| CellState::Number(number as u8))
    }

    /// Writes the position in which `cell` shows `shown`.
    fn suppose(
        &mut self,
        board: &Board,
        cell: Cell,
        shown: CellState,
    ) -> Result<(), Contradiction> {
        let mine = i64::from(shown == CellState::Hit);
        let (around, known) = self.around(board, cell);
        let Lookahead { base, position, .. } = self;
        position.universe = base.universe;
        // Without a total the count is an estimate, which may be too low.
        position.mines = base.mines.saturating_sub(mine as u32);
        position.outside = base.outside;
        position.hidden.clear();
        position.hidden.extend(base.hidden.iter().filter(|&&other| other != cell));
        position.premises.clear();
        for Premise { source, group } in &base.premises {
            let group = if group.contains(cell) {
                let others = group.cells().iter().copied().filter(|&other| other != cell);
                Group::new(others.collect(), i64::from(group.mines()) - mine)?
            } else {
                Some(group.clone())
            };
            position.premises.extend(group.map(|group| Premise { source: *source, group }));
        }
        if let CellState::Number(number) = shown {
            let group = Group::new(around, i64::from(number) - known)?;
            position.premises.extend(group.map(|group| Premise { source: cell, group }));
        }
        Ok(())
    }

    /// What follows when the undecided `cell` shows `shown`. `Ok(None)` where no layout shows it.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where the budget ends before it is known.
    pub fn outcome(
        &mut self,
        board: &Board,
        cell: Cell,
        shown: CellState,
        budget: &mut Budget,
    ) -> Result<Option<Outcome>, BudgetExhausted> {
        budget.spend(NODES_PER_CELL * self.base.hidden.len() as u64)?;
        if self.suppose(board, cell, shown).is_err() {
            return Ok(None);
        }
        let Lookahead { position, deducer, .. } = self;
        if deducer.run_within(position, Reach::FirstSafe, budget).is_err() {
            return Ok(None);
        }
        let all_safe_open = self.position.hidden.len() == self.position.mines as usize;
        let (layouts, next) = if all_safe_open || !self.deducer.safe().is_empty() {
            match self.solver.layout_count(&self.position, &self.deducer, budget) {
                Ok(layouts) => (layouts, 0.0),
                Err(_) => return Ok(None),
            }
        } else {
            match self.solver.min_mine_probability(&self.position, &self.deducer, budget) {
                Ok((next, layouts)) => (layouts, next),
                Err(_) => return Ok(None),
            }
        };
        let layouts = layouts.ok_or(BudgetExhausted)?;
        Ok(Some(Outcome { chance: layouts.ratio_to(self.layouts), next }))
    }
}
