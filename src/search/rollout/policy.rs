//! What a game in thought does in a position of which its rules prove nothing.
//!
//! The position is counted like any other ([`crate::probability::solver`]), which finds all that is certain. Where no cell is
//! safe, three ways to go on are offered, each dearer and better than the one before it:
//!
//! - *by odds*: the least, as the fast policy breaks ties;
//! - *by two moves*, as a real turn guesses ([`crate::search::guess`]);
//! - *solved*: where few layouts are left, nothing is opened at all, since what optimal play costs is known
//!   ([`crate::search::endgame`]).
//!
//! Two moves and the endgame look at a [`Board`]: the one that all games begin with is kept, and what this game has shown
//! besides is opened on a copy.
//!
//! Invariant: everything offered depends on what the game has shown, and on nothing that was asked before.
//!
//! Cost: as fitted in [`crate::search::rollout::playout`]; two moves are some 20 us on an expert field, a count 5.

use crate::base::budget::Budget;
use crate::base::objective::Objective;
use crate::base::params::NODES_PER_ENDGAME_NODE;
use crate::base::rng::Random;
use crate::board::Board;
use crate::board::geometry::{Cell, Shape};
use crate::board::group::Position;
use crate::deduction::deducer::{Deducer, Reach};
use crate::probability::sampler::{LayoutSampler, PlayoutAborted};
use crate::probability::solver::{Odds, ProbabilitySolver};
use crate::search::endgame::Endgame;
use crate::search::endgame::layouts::{Layouts, MOST_CELLS};
use crate::search::guess::{self, Candidate, Choice, NODES_PER_CANDIDATE, least_odds};
use crate::search::rollout::game::SimulatedGame;
use crate::search::two_ply::Lookahead;

/// What counting a position costs for each place of the field, each hidden cell and each number, besides what counting
/// takes itself; and what a copy of the board does for each place.
const NODES_PER_PLACE: u64 = 1;
const NODES_PER_CELL: u64 = 5;
const NODES_PER_NUMBER: u64 = 200;
const NODES_PER_COPY: u64 = 4;

/// What listing layouts costs for each pair of cells, besides what the list itself takes.
const NODES_PER_PAIR: u64 = 1;

/// Nodes of one endgame. Where they end first, it costs what the best play found until then does.
pub const SOLVE_NODES: u64 = 30_000;

/// Nodes of one look two moves ahead. Where they end first, what was looked at until then decides, whatever the game
/// has left, so that what is remembered does not depend on it.
const TWO_MOVES_NODES: u64 = 2_000_000;

/// Advises one position after another, reusing its memory.
pub struct PlayoutPolicy {
    objective: Objective,
    position: Position,
    deducer: Deducer,
    solver: ProbabilitySolver,
    sampler: LayoutSampler,
    /// What all games begin with, and the board of the position.
    begin: Board,
    board: Board,
    lookahead: Lookahead,
    weighed: Vec<Candidate>,
    undecided: Position,
    layouts: Layouts,
    endgame: Endgame,
}

impl PlayoutPolicy {
    /// Advises who plays for `objective`.
    pub fn new(objective: Objective) -> PlayoutPolicy {
        PlayoutPolicy {
            objective,
            position: Position::default(),
            deducer: Deducer::default(),
            solver: ProbabilitySolver::default(),
            sampler: LayoutSampler::default(),
            begin: Board::new(Shape::SMALLEST, 0),
            board: Board::new(Shape::SMALLEST, 0),
            lookahead: Lookahead::default(),
            weighed: Vec::new(),
            undecided: Position::default(),
            layouts: Layouts::default(),
            endgame: Endgame::default(),
        }
    }

    /// All games begin on `board`.
    pub fn begin(&mut self, board: &Board) {
        self.begin.clone_from(board);
    }

    /// Counts what the rules leave of `game`. What is asked after is asked of this position.
    ///
    /// # Errors
    /// [`PlayoutAborted`] where the budget ends first, or its odds are not exact.
    pub fn count(
        &mut self,
        game: &SimulatedGame,
        budget: &mut Budget,
    ) -> Result<(), PlayoutAborted> {
        let PlayoutPolicy { position, deducer, solver, .. } = self;
        game.position_into(position).map_err(|_| PlayoutAborted)?;
        let (cells, numbers) = (position.hidden.len() as u64, position.premises.len() as u64);
        let places = position.universe as u64;
        budget.spend(
            NODES_PER_PLACE * places + NODES_PER_CELL * cells + NODES_PER_NUMBER * numbers,
        )?;
        deducer.run_within(position, Reach::FixedPoint, budget).map_err(|_| PlayoutAborted)?;
        let odds = solver.run(position, deducer, budget).map_err(|_| PlayoutAborted)?;
        odds.layouts().map(|_| ()).ok_or(PlayoutAborted)
    }

    /// The odds of the position that was counted last.
    pub fn odds(&self) -> &Odds {
        self.solver.odds()
    }

    /// The guess by odds alone; `None` where no cell is undecided.
    pub fn by_odds(&self, game: &SimulatedGame) -> Option<Choice> {
        let cells = || self.position.hidden.iter().copied();
        least_odds(cells, self.solver.odds(), |cell| game.hidden_around(cell))
    }

    /// The guess by two moves, of the `most` cells with the least odds. The mines that are known are hidden on the board,
    /// but have no odds, so that none is a candidate.
    ///
    /// # Errors
    /// [`PlayoutAborted`] where the budget has not what the look takes.
    pub fn by_two_moves(
        &mut self,
        game: &SimulatedGame,
        most: usize,
        budget: &mut Budget,
    ) -> Result<Option<Choice>, PlayoutAborted> {
        budget.spend(NODES_PER_CANDIDATE * self.position.hidden.len() as u64)?;
        self.copy_board(game, budget)?;
        let known = (&self.position, &self.deducer, self.solver.odds());
        let memory = (&mut self.lookahead, &mut self.weighed);
        let play = (self.objective, most, 0.0);
        let mut apart = budget.sub_budget(TWO_MOVES_NODES);
        let choice = guess::choose(&self.board, known, play, memory, &mut apart);
        budget.spend(apart.used())?;
        Ok(choice)
    }

    /// What is still to be paid, where at most `most` layouts are left: mines, or the chance to lose.
    ///
    /// # Errors
    /// [`PlayoutAborted`] where the budget ends before it is known.
    pub fn solved(
        &mut self,
        game: &SimulatedGame,
        most: usize,
        budget: &mut Budget,
    ) -> Result<Option<f64>, PlayoutAborted> {
        if self.solver.odds().layouts().ok_or(PlayoutAborted)?.is_above(most) {
            return Ok(None);
        }
        self.deducer.undecided_into(&self.position, &mut self.undecided);
        let cells = self.undecided.hidden.len();
        if cells > MOST_CELLS {
            return Ok(None);
        }
        self.copy_board(game, budget)?;
        budget.spend(NODES_PER_PAIR * (cells * cells) as u64)?;
        let mut apart = budget.sub_budget(SOLVE_NODES);
        let PlayoutPolicy { board, layouts, undecided, endgame, .. } = self;
        let listed = layouts.list(board, undecided, most, &mut apart);
        let best = listed.and_then(|()| endgame.solve(layouts, self.objective, &mut apart));
        budget.spend(NODES_PER_ENDGAME_NODE * apart.used())?;
        let best = best.ok().flatten();
        Ok(best.map(|best| f64::from(best.cost) / f64::from(best.layouts)))
    }

    /// Lays the undecided cells of `game` anew, with `cell` safe.
    ///
    /// # Errors
    /// [`PlayoutAborted`] where the budget ends first, or the cell is hardly ever safe.
    pub fn resample(
        &mut self,
        game: &mut SimulatedGame,
        cell: Cell,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<(), PlayoutAborted> {
        budget.spend(NODES_PER_CELL * self.position.hidden.len() as u64)?;
        self.sampler.prepare(&self.solver, &self.position, &self.deducer);
        self.sampler.draw_safe(&self.solver, cell, random, budget)?;
        game.resample(&self.position.hidden, &self.sampler.mines);
        Ok(())
    }

    fn copy_board(
        &mut self,
        game: &SimulatedGame,
        budget: &mut Budget,
    ) -> Result<(), PlayoutAborted> {
        budget.spend(NODES_PER_COPY * self.position.universe as u64)?;
        self.board.clone_from(&self.begin);
        game.open_on(&mut self.board);
        Ok(())
    }
}
