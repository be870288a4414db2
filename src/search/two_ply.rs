//! The two-ply look-ahead: what a cell can show, and the risk of the next move after it.
//!
//! For a cell and a value that it can show, the position with that value is a position like any
//! other. Its layouts are counted exactly; their share of all layouts is the probability of the
//! value. The risk of the next move is the lowest odds of that position, or 0 where it has a safe
//! cell.
//!
//! The position with the value is not read from a board. It is what deduction has left of the
//! present one (undecided cells, and groups without the decided cells), with the cell taken out of
//! its groups and, for a number, one group more. This is equivalent and has a third of the groups
//! (results page, R12).
//!
//! Invariant: over all values of a cell, the mine included, the probabilities sum to 1.
//!
//! Cost: for each value, deduction and counting of the undecided cells.

use crate::base::budget::{Budget, BudgetExhausted};
use crate::board::CellState;
use crate::board::geometry::{Cell, CellMap};
use crate::board::group::{Contradiction, Group, GroupCells, Position, Premise};
use crate::deduction::deducer::{Deducer, Reach};
use crate::probability::frontier_dp::ByteLimit;
use crate::probability::solver::ProbabilitySolver;
use crate::probability::weight::{ExtendedF64, Weight};
use crate::search::counted::CountedBoard;

/// Nodes that building a position costs for each of its cells.
const NODES_PER_CELL: u64 = 2;

/// Bytes that counting may take for one value, besides those of the position itself.
const MAX_BYTES: ByteLimit = ByteLimit(16 << 20);

/// One value that a cell can show.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// The probability that the cell shows it.
    pub probability: f64,
    /// The lowest odds of the next move; 0 where a safe cell is known or none is left.
    pub next_risk: f64,
}

/// Whether a cell is decided and, if not, whether a number constrains it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum CellKind {
    /// Open, or a proven mine.
    #[default]
    Decided,
    /// Undecided, and in no group.
    Unconstrained,
    /// Undecided, and in a group.
    Constrained,
}

/// The memory of the look-ahead, reused from position to position.
pub struct Lookahead {
    /// The undecided part of the counted position.
    base: Position,
    kinds: CellMap<CellKind>,
    /// The position with one value more.
    position: Position,
    deducer: Deducer,
    solver: ProbabilitySolver,
}

impl Default for Lookahead {
    fn default() -> Lookahead {
        Lookahead {
            base: Position::default(),
            kinds: CellMap::default(),
            position: Position::default(),
            deducer: Deducer::default(),
            solver: ProbabilitySolver::within(MAX_BYTES),
        }
    }
}

impl Lookahead {
    /// Begins with a position that has no safe cell; `None` where its layouts were not counted
    /// exactly.
    pub fn begin<'a>(&'a mut self, at: CountedBoard<'a>) -> Option<TwoPly<'a>> {
        let layouts = at.counted.odds().layouts()?;
        self.base = at.counted.deduced().undecided();
        self.kinds.reset(self.base.universe, CellKind::Decided);
        self.base.hidden.iter().for_each(|&cell| self.kinds[cell] = CellKind::Unconstrained);
        for cell in self.base.premises.iter().flat_map(|premise| premise.group.cells()) {
            self.kinds[*cell] = CellKind::Constrained;
        }
        Some(TwoPly { at, layouts, memory: self })
    }
}

/// The look-ahead from one position.
pub struct TwoPly<'a> {
    at: CountedBoard<'a>,
    layouts: ExtendedF64,
    memory: &'a mut Lookahead,
}

/// What surrounds an undecided cell.
struct Neighbourhood {
    undecided: GroupCells,
    known_mines: i64,
}

impl<'a> TwoPly<'a> {
    /// The board from which it looks ahead.
    pub fn at(&self) -> CountedBoard<'a> {
        self.at
    }

    /// A key that is the same for equivalent cells: the numbers of undecided neighbours and of
    /// known mines around. `None` where the cell or one of these neighbours is constrained.
    ///
    /// Equivalent cells show each number with the same probability, and leave positions that differ
    /// in the names of the cells alone.
    pub fn equivalence_key(&self, cell: Cell) -> Option<(usize, i64)> {
        let is_unconstrained = |cell: &Cell| self.memory.kinds[*cell] == CellKind::Unconstrained;
        if self.memory.kinds[cell] == CellKind::Constrained {
            return None;
        }
        let Neighbourhood { undecided, known_mines } = self.neighbourhood(cell);
        undecided.iter().all(is_unconstrained).then_some((undecided.len(), known_mines))
    }

    fn neighbourhood(&self, cell: Cell) -> Neighbourhood {
        let board = self.at.board;
        let mut around = Neighbourhood { undecided: GroupCells::new(), known_mines: 0 };
        for neighbour in board.shape().neighbours(cell) {
            match board.state(neighbour) {
                CellState::Hit => around.known_mines += 1,
                CellState::Hidden => match self.memory.kinds[neighbour] {
                    CellKind::Unconstrained | CellKind::Constrained => {
                        around.undecided.push(neighbour);
                    }
                    // No cell is proven safe here, so a hidden cell that is decided is a mine.
                    CellKind::Decided => around.known_mines += 1,
                },
                CellState::Number(_) | CellState::Illegible => {}
            }
        }
        around
    }

    /// The numbers that the undecided `cell` can show.
    pub fn numbers(&self, cell: Cell) -> impl Iterator<Item = CellState> + use<> {
        let Neighbourhood { undecided, known_mines } = self.neighbourhood(cell);
        let numbers = known_mines..=known_mines + undecided.len() as i64;
        numbers.map(|number| CellState::Number(number as u8))
    }

    /// Writes the position in which `cell` shows `shown`.
    fn assume(&mut self, cell: Cell, shown: CellState) -> Result<(), Contradiction> {
        let mine = i64::from(shown == CellState::Hit);
        let Neighbourhood { undecided, known_mines } = self.neighbourhood(cell);
        let Lookahead { base, position, .. } = &mut *self.memory;
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
            let group = Group::new(undecided, i64::from(number) - known_mines)?;
            position.premises.extend(group.map(|group| Premise { source: cell, group }));
        }
        Ok(())
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
        budget.spend(NODES_PER_CELL * self.memory.base.hidden.len() as u64)?;
        if self.assume(cell, shown).is_err() {
            return Ok(None);
        }
        let Lookahead { position, deducer, solver, .. } = &mut *self.memory;
        let Ok(deduced) = deducer.run_within(position, Reach::FirstSafe, budget) else {
            return Ok(None);
        };
        let is_over = position.hidden.len() == position.mines as usize;
        let counted = if is_over || !deduced.safe().is_empty() {
            solver.layout_count(deduced, budget).map(|layouts| (0.0, layouts))
        } else {
            solver.min_mine_probability(deduced, budget)
        };
        let Ok((next_risk, layouts)) = counted else { return Ok(None) };
        let layouts = layouts.ok_or(BudgetExhausted)?;
        Ok(Some(Outcome { probability: layouts.ratio_to(self.layouts), next_risk }))
    }
}
