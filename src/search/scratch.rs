//! The memory of all solvers that a decision runs.
//!
//! The engine, the playouts and the analysis each own one [`SolverScratch`] and run the same stages
//! on it. Every stage returns a value that the next takes:
//!
//! ```text
//! Position ─► Deducer ─► Deduced ─► ProbabilitySolver ─► Counted ─► the methods of SearchScratch
//! ```
//!
//! Invariant: a result borrows the memory that it lies in, so it cannot outlive the next run.
//!
//! Cost: the buffers keep their capacity from position to position. The counting of a position of
//! the size of an earlier one allocates nothing.

use crate::base::budget::{Budget, BudgetExhausted};
use crate::base::objective::Objective;
use crate::board::group::Position;
use crate::deduction::deducer::Deducer;
use crate::probability::solver::ProbabilitySolver;
use crate::search::counted::CountedBoard;
use crate::search::endgame::layouts::Layouts;
use crate::search::endgame::{Endgame, Solution};
use crate::search::guess::{self, Candidate, Guess, GuessConfig};
use crate::search::two_ply::{Lookahead, TwoPly};

/// One of each solver, reused from position to position.
#[derive(Default)]
pub struct SolverScratch {
    /// The groups of the position.
    pub position: Position,
    /// The rules of deduction.
    pub deducer: Deducer,
    /// The counting of what deduction leaves.
    pub solver: ProbabilitySolver,
    /// The methods that choose a cell.
    pub search: SearchScratch,
}

/// The memory of the methods that choose a cell on a counted board.
#[derive(Default)]
pub struct SearchScratch {
    /// The candidates of the last guess.
    pub candidates: Vec<Candidate>,
    lookahead: Lookahead,
    undecided: Position,
    layouts: Layouts,
    endgame: Endgame,
}

impl SearchScratch {
    /// The two-ply look-ahead on `at`; `None` where its layouts were not counted exactly.
    pub fn two_ply<'a>(&'a mut self, at: CountedBoard<'a>) -> Option<TwoPly<'a>> {
        self.lookahead.begin(at)
    }

    /// The best guess on `at`, by [`guess::choose`]; fills `candidates`.
    pub fn guess(
        &mut self,
        at: CountedBoard,
        config: GuessConfig,
        budget: &mut Budget,
    ) -> Option<Guess> {
        guess::choose(at, config, &mut self.lookahead, &mut self.candidates, budget)
    }

    /// The best cell over all layouts of `at`; `None` where one layout is left.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where there are more than `max_layouts`, or the budget ends before the
    /// cost of any cell is known.
    pub fn solve(
        &mut self,
        at: CountedBoard,
        objective: Objective,
        max_layouts: usize,
        budget: &mut Budget,
    ) -> Result<Option<Solution>, BudgetExhausted> {
        let SearchScratch { undecided, layouts, endgame, .. } = self;
        at.deduced().undecided_into(undecided);
        layouts.list(at.board, undecided, max_layouts, budget)?;
        endgame.solve(layouts, objective, budget)
    }
}
