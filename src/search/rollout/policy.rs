//! What a playout does in a position in which its rules prove nothing.
//!
//! The position is counted like any other ([`crate::probability::solver`]), which finds all that is
//! certain. Where no cell is safe there are three continuations, in order of cost and strength:
//!
//! - *by odds*: the cell of lowest odds, ties by [`crate::search::guess`];
//! - *by two plies*, as the engine guesses ([`crate::search::guess`]);
//! - *solved*: where few layouts are left the playout ends with the cost of optimal play
//!   ([`crate::search::endgame`]).
//!
//! The last two need a [`Board`]. The board on which all playouts begin is kept; what the playout
//! has shown since is opened on a copy.
//!
//! Invariant: an answer depends on what the playout has shown and on nothing that was asked before.
//!
//! Cost: as [`crate::search::rollout::playout`] is charged. A two-ply guess costs several times the
//! counting.

use crate::board::Board;
use crate::board::geometry::{Cell, Shape};
use crate::deduction::groups::deducer::Reach;
use crate::probability::odds::Odds;
use crate::probability::sampler::LayoutDraws;
use crate::probability::solver::Counted;
use crate::search::CountedBoard;
use crate::search::endgame;
use crate::search::endgame::layouts::{Layouts, MAX_CELLS};
use crate::search::guess::{
    self, Guess, GuessConfig, GuessScratch, NODES_PER_HIDDEN_CELL, SolverScratch,
    choose_by_odds_among,
};
use crate::search::rollout::game::SimulatedGame;
use crate::settings::budget::{Budget, BudgetExhausted};
use crate::settings::params::{NODES_PER_ENDGAME_NODE, Objective};

/// Nodes that building a position costs for each cell of the field, each undecided cell and each
/// number, besides the counting itself.
const NODES_PER_CELL: u64 = 1;
const NODES_PER_UNDECIDED: u64 = 5;
const NODES_PER_NUMBER: u64 = 200;

/// Nodes that copying the board costs for each of its cells.
const NODES_PER_COPY: u64 = 4;

/// Nodes of an endgame, besides those of the search: its tables.
const NODES_PER_SOLVE: u64 = 25_000;
/// Nodes that beginning an endgame costs for each cell of the field.
const NODES_PER_SOLVED_CELL: u64 = 4;

/// Nodes that listing layouts costs for each pair of cells, besides those of the list itself.
const NODES_PER_PAIR: u64 = 1;

/// Nodes of one endgame. Where they end first, the best play found until then is taken.
pub const SOLVE_NODES: u64 = 30_000;

/// Nodes of one two-ply look-ahead. This limit alone decides what is evaluated, not the nodes that
/// the playout has left, so that a cached guess does not depend on them.
const TWO_PLY_NODES: u64 = 2_000_000;

/// Evaluates one position after another; its memory is reused.
pub struct PlayoutPolicy {
    objective: Objective,
    /// The board on which all playouts begin.
    start: Board,
    scratch: SolverScratch,
}

impl PlayoutPolicy {
    /// A policy that plays for `objective`.
    pub fn new(objective: Objective) -> PlayoutPolicy {
        let start = Board::new(Shape::SMALLEST, 0);
        PlayoutPolicy { objective, start, scratch: SolverScratch::default() }
    }

    /// Sets the board on which all playouts begin.
    pub fn begin(&mut self, board: &Board) {
        self.start = board.clone();
    }

    /// Counts what the rules leave of `game`.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where the budget ends first, or the odds are not exact.
    pub fn count(
        &mut self,
        game: &SimulatedGame,
        budget: &mut Budget,
    ) -> Result<CountedGame<'_>, BudgetExhausted> {
        let PlayoutPolicy { objective, start, scratch } = self;
        let SolverScratch { position, deducer, solver, guess: scratch } = scratch;
        game.position_into(position).map_err(|_| BudgetExhausted)?;
        let (undecided, numbers) = (position.hidden.len() as u64, position.premises.len() as u64);
        budget.spend(
            NODES_PER_CELL * position.universe as u64
                + NODES_PER_UNDECIDED * undecided
                + NODES_PER_NUMBER * numbers,
        )?;
        let deduced = deducer.run_within(position, Reach::FixedPoint, budget);
        let deduced = deduced.map_err(|_| BudgetExhausted)?;
        let counted = solver.run(deduced, budget).map_err(|_| BudgetExhausted)?;
        counted.odds().layouts().ok_or(BudgetExhausted)?;
        Ok(CountedGame { counted, objective: *objective, start, scratch })
    }
}

/// The position of a simulated game, with its odds.
///
/// The methods take the game that was counted, with no more shown than then.
pub struct CountedGame<'a> {
    counted: Counted<'a>,
    objective: Objective,
    start: &'a Board,
    scratch: &'a mut GuessScratch,
}

impl CountedGame<'_> {
    /// The odds of the position.
    pub fn odds(&self) -> &Odds {
        self.counted.odds()
    }

    /// The guess by odds alone; `None` where no cell is undecided.
    pub fn guess_by_odds(&self, game: &SimulatedGame) -> Option<Guess> {
        let cells = || self.counted.position().hidden.iter().copied();
        choose_by_odds_among(cells, self.odds(), |cell| game.hidden_around(cell))
    }

    /// The guess by the two-ply look-ahead over the `max_candidates` cells of lowest odds.
    ///
    /// Known mines are hidden on the board but have no odds, so none of them is a candidate.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where the budget has fewer nodes than the look-ahead takes.
    pub fn guess_by_two_ply(
        &mut self,
        game: &SimulatedGame,
        max_candidates: usize,
        budget: &mut Budget,
    ) -> Result<Option<Guess>, BudgetExhausted> {
        let position = self.counted.position();
        budget.spend(NODES_PER_HIDDEN_CELL * position.hidden.len() as u64)?;
        budget.spend(NODES_PER_COPY * position.universe as u64)?;
        let mut board = self.start.clone();
        game.open_on(&mut board);
        let config = GuessConfig::played(self.objective, max_candidates, 0.0);
        let mut own = budget.sub_budget(TWO_PLY_NODES);
        let at = CountedBoard { board: &board, counted: self.counted };
        let guess = guess::choose(at, config, self.scratch, &mut own);
        budget.spend(own.used())?;
        Ok(guess)
    }

    /// The cost of optimal play, where at most `max_layouts` are left: an expected number of mines,
    /// or the probability to lose.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where the budget ends before it is known.
    pub fn solve(
        &mut self,
        game: &SimulatedGame,
        max_layouts: usize,
        budget: &mut Budget,
    ) -> Result<Option<f64>, BudgetExhausted> {
        let cells = self.counted.deduced().undecided_len();
        let layouts = self.odds().layouts();
        if cells > MAX_CELLS || layouts.is_none_or(|layouts| layouts.is_above(max_layouts)) {
            return Ok(None);
        }
        let universe = self.counted.position().universe as u64;
        budget.spend(NODES_PER_SOLVE + NODES_PER_SOLVED_CELL * universe)?;
        budget.spend(NODES_PER_PAIR * (cells * cells) as u64)?;
        let mut own = budget.sub_budget(SOLVE_NODES);
        let (undecided, deduced) = (self.counted.deduced().undecided(), self.counted.deduced());
        // The game does not know yet which mines deduction has found.
        let is_mine = |cell| deduced.verdict(cell) == Some(true) || game.is_known_mine(cell);
        let shape = self.start.shape();
        let solution = Layouts::list_beside(shape, is_mine, &undecided, max_layouts, &mut own)
            .and_then(|layouts| endgame::solve(&layouts, self.objective, &mut own));
        budget.spend(NODES_PER_ENDGAME_NODE * own.used())?;
        let solution = solution.ok().flatten();
        Ok(solution.map(|best| f64::from(best.cost) / f64::from(best.layouts)))
    }

    /// Resamples the undecided cells of `game` so that `cell`, which is a mine, becomes safe; the
    /// layout is close to the present one.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where the budget ends first, or the cell is hardly ever safe.
    pub fn resample(
        &self,
        game: &mut SimulatedGame,
        cell: Cell,
        seed: u64,
        budget: &mut Budget,
    ) -> Result<(), BudgetExhausted> {
        let hidden = &self.counted.position().hidden;
        budget.spend(NODES_PER_UNDECIDED * hidden.len() as u64)?;
        let mut draws = LayoutDraws::new(self.counted);
        let mines = draws.draw_safe_near(cell, |other| game.is_mine(other), seed, budget)?;
        game.resample(hidden, mines);
        Ok(())
    }
}
