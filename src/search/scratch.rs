//! The memory of all solvers that a decision runs.
//!
//! The engine, the playouts and the analysis each own one [`SolverScratch`] and run the same stages
//! on it: `position` is read, `deducer` runs on it, then `solver`; [`SolverScratch::counted`] is
//! the result, from which [`SolverScratch::guess`] and [`SolverScratch::solve`] continue.
//!
//! Invariant: a stage overwrites what it leaves, so a result depends on the last position alone.
//!
//! Cost: the buffers keep their capacity from position to position. The counting of a position of
//! the size of an earlier one allocates nothing.

use crate::base::budget::{Budget, BudgetExhausted};
use crate::base::objective::Objective;
use crate::board::Board;
use crate::board::group::Position;
use crate::deduction::deducer::Deducer;
use crate::probability::solver::ProbabilitySolver;
use crate::search::counted::CountedPosition;
use crate::search::endgame::layouts::Layouts;
use crate::search::endgame::{Endgame, Solution};
use crate::search::guess::{self, Candidate, Guess, GuessConfig};
use crate::search::two_ply::{Lookahead, TwoPly};

/// One of each solver, reused from position to position.
#[derive(Default)]
pub struct SolverScratch {
    /// The groups of the position.
    pub position: Position,
    /// What deduction proves in it.
    pub deducer: Deducer,
    /// The mine probabilities of what deduction leaves.
    pub solver: ProbabilitySolver,
    /// The candidates of the last guess.
    pub candidates: Vec<Candidate>,
    lookahead: Lookahead,
    undecided: Position,
    layouts: Layouts,
    endgame: Endgame,
}

impl SolverScratch {
    /// The position, which was read from `board`, after deduction and counting.
    pub fn counted<'a>(&'a self, board: &'a Board) -> CountedPosition<'a> {
        let SolverScratch { position, deducer, solver, .. } = self;
        CountedPosition { board, position, deducer, solver }
    }

    /// The two-ply look-ahead from the counted position; `None` where its layouts were not counted
    /// exactly.
    pub fn two_ply<'a>(&'a mut self, board: &'a Board) -> Option<TwoPly<'a>> {
        let SolverScratch { position, deducer, solver, lookahead, .. } = self;
        lookahead.begin(CountedPosition { board, position, deducer, solver })
    }

    /// The best guess in the counted position, by [`guess::choose`]; fills `candidates`.
    pub fn guess(
        &mut self,
        board: &Board,
        config: GuessConfig,
        budget: &mut Budget,
    ) -> Option<Guess> {
        let SolverScratch { position, deducer, solver, lookahead, candidates, .. } = self;
        let counted = CountedPosition { board, position, deducer, solver };
        guess::choose(counted, config, lookahead, candidates, budget)
    }

    /// How many hidden cells of the position deduction has not decided.
    pub fn undecided_len(&self) -> usize {
        let is_undecided = |cell: &&_| self.deducer.verdict(**cell).is_none();
        self.position.hidden.iter().filter(is_undecided).count()
    }

    /// The best cell over all layouts of the counted position; `None` where one layout is left.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where there are more than `max_layouts`, or the budget ends before the
    /// cost of any cell is known.
    pub fn solve(
        &mut self,
        board: &Board,
        objective: Objective,
        max_layouts: usize,
        budget: &mut Budget,
    ) -> Result<Option<Solution>, BudgetExhausted> {
        let SolverScratch { position, deducer, undecided, layouts, endgame, .. } = self;
        deducer.undecided_into(position, undecided);
        layouts.list(board, undecided, max_layouts, budget)?;
        endgame.solve(layouts, objective, budget)
    }
}
