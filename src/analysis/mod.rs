//! Analysis of one position for a person: what deduction proves, the odds, the move and the
//! candidates.
//!
//! The bot stops at the first step that finds a safe cell. An [`Analysis`] continues: deduction to
//! its fixed point, the odds of every cell, every candidate of a guess. The move is the engine's
//! own. [`explanation`] puts the result into sentences, [`proof`] lists the steps of a deduction,
//! [`outcomes`] says what opening a cell can show, and [`notation`] is how cells and numbers are
//! written.
//!
//! Invariant: the move is what [`Engine`] decides on the same board. The exception is a field
//! without a mine count, which no engine plays: there it is the engine's order of steps without the
//! endgame.
//!
//! No module of the bot uses this one. It is built with the feature `analysis` and needs no crate
//! but the bot's.

pub mod explanation;
pub mod notation;
pub mod outcomes;
pub mod proof;

use self::notation::layouts_text;
use crate::base::budget::{Budget, Deadlines, NoClock, Turn};
use crate::base::objective::Objective;
use crate::base::params::{COUNT_NODES, Effort, OPENING_BONUS};
use crate::board::Board;
use crate::board::geometry::{Cell, Shape};
use crate::board::group::{Contradiction, Outside, Position};
use crate::bot::engine::{Engine, Step};
use crate::deduction::deducer::{Deducer, Reach};
use crate::probability::inconsistency::{Inconsistency, inconsistencies};
use crate::probability::solver::{Odds, ProbabilitySolver};
use crate::search::endgame::Solution;
use crate::search::guess::{self, GuessConfig, SecondPly};
use crate::search::scratch::SolverScratch;

/// The candidates may take this many times the engine's nodes: the engine stops at the first that
/// cannot be beaten, and here each is evaluated to the end.
const EVERY_CANDIDATE: u64 = 10;

/// The cell to open.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The cell.
    pub cell: Cell,
    /// The step that decided.
    pub by: Step,
    /// The chance that it is a mine.
    pub odds: f64,
    /// What it costs, where the endgame was solved.
    pub solved: Option<Solution>,
    /// Games that were played on to decide between the candidates.
    pub games: usize,
}

/// A candidate of a guess and its cost.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The cell.
    pub cell: Cell,
    /// The chance that it is a mine.
    pub odds: f64,
    /// What follows it.
    pub next: SecondPly,
}

impl Candidate {
    /// What the guess weighs: both moves' risk, less what a zero is worth.
    pub fn cost(&self) -> f64 {
        self.odds + self.next.cost()
    }
}

/// Analyses one position after another, reusing its memory.
pub struct Analysis {
    objective: Objective,
    effort: Effort,
    engine: Engine,
    scratch: SolverScratch,
    chosen: Option<Move>,
    candidates: Vec<Candidate>,
}

impl Analysis {
    /// An analysis of what an engine of this objective and effort plays.
    pub fn new((objective, effort): (Objective, Effort)) -> Analysis {
        Analysis {
            objective,
            effort,
            engine: Engine::new(objective, effort),
            scratch: SolverScratch::default(),
            chosen: None,
            candidates: Vec::new(),
        }
    }

    /// Analyses `board`; with `density`, as a field whose mine count is not known.
    ///
    /// # Errors
    /// Every reason why no layout fits, a line each, besides those of [`Board::reasons`]. The other
    /// methods then have no meaning.
    pub fn analyze(&mut self, board: &Board, density: Option<f64>) -> Result<(), Vec<String>> {
        self.chosen = None;
        self.candidates.clear();
        let SolverScratch { position, deducer, solver, .. } = &mut self.scratch;
        board.position_into(position);
        if let Some(density) = density {
            position.outside = Outside::Density(density);
        }
        let mut budget = Budget::new(COUNT_NODES, Deadlines::DEFAULT, &NoClock);
        let counted = deducer
            .run(position, Reach::FixedPoint)
            .and_then(|()| solver.run(position, deducer, &mut budget).map(drop));
        if let Err(contradiction) = counted {
            return Err(reasons(position, (deducer, solver), contradiction, board.shape()));
        }
        self.chosen = if density.is_some() {
            self.decide_without_mine_count(board)
        } else {
            self.decide(board)
        };
        if self.chosen.is_some_and(|chosen| chosen.by == Step::Guess) {
            self.evaluate_candidates(board);
        }
        Ok(())
    }

    /// The groups of the board.
    pub fn position(&self) -> &Position {
        &self.scratch.position
    }

    /// Deduction at its fixed point.
    pub fn deducer(&self) -> &Deducer {
        &self.scratch.deducer
    }

    /// The odds of every hidden cell.
    pub fn odds(&self) -> &Odds {
        self.scratch.solver.odds()
    }

    /// The cell to open; `None` where none is hidden.
    pub fn chosen(&self) -> Option<Move> {
        self.chosen
    }

    /// The candidates of a guess, the least cost first; empty where nothing had to be guessed or no
    /// cost of two moves is known.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Adds `cell` to the candidates of a guess, where it is none of them yet.
    pub fn add_candidate(&mut self, board: &Board, cell: Cell) {
        let Analysis { objective, effort, scratch, candidates, .. } = self;
        let odds = scratch.solver.odds().of(cell);
        let is_new = candidates.iter().all(|worth| worth.cell != cell);
        if candidates.is_empty() || !is_new || odds == 1.0 || !board.is_hidden(cell) {
            return;
        }
        let nodes = effort.limits().lookahead_nodes;
        let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
        let Some(mut two_ply) = scratch.two_ply(board) else { return };
        let limit = f64::INFINITY;
        if let Ok(next) = guess::second_ply(&mut two_ply, cell, *objective, limit, &mut budget) {
            candidates.push(Candidate { cell, odds, next });
            candidates.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        }
    }

    /// The objective.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The number of layouts in words, where that is known.
    pub fn layouts(&self) -> Option<String> {
        layouts_text(None, self.odds().layouts())
    }

    fn decide(&mut self, board: &Board) -> Option<Move> {
        let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };
        let decision = self.engine.decide(board, turn)?;
        let (cell, by, odds) = (decision.cell(), decision.by, decision.odds);
        Some(Move { cell, by, odds, solved: decision.solved, games: decision.games })
    }

    /// The engine's order of steps, without the engine, which plays only fields with a mine count.
    fn decide_without_mine_count(&mut self, board: &Board) -> Option<Move> {
        let SolverScratch { deducer, solver, .. } = &self.scratch;
        let odds = solver.odds();
        let proven = |cell: &Cell, by| Move { cell: *cell, by, odds: 0.0, solved: None, games: 0 };
        if let Some(cell) = deducer.safe().first() {
            return Some(proven(cell, Step::Deduction));
        }
        if let Some(cell) = odds.safe().first() {
            return Some(proven(cell, Step::Counting));
        }
        let limits = self.effort.limits();
        let mut budget = Budget::new(limits.lookahead_nodes, Deadlines::DEFAULT, &NoClock);
        let (objective, max_candidates) = (self.objective, limits.candidates);
        let config = GuessConfig { objective, max_candidates, margin: 0.0 };
        let choice = self.scratch.guess(board, config, &mut budget)?;
        Some(Move { cell: choice.cell, by: Step::Guess, odds: choice.odds, solved: None, games: 0 })
    }

    fn evaluate_candidates(&mut self, board: &Board) {
        let Analysis { scratch, candidates, .. } = self;
        let SolverScratch { position, solver, .. } = &*scratch;
        let odds = solver.odds();
        let least = position.hidden.iter().map(|&cell| odds.of(cell)).fold(1.0, f64::min);
        // Where the guess looks at odds alone, so does this.
        let untouched = position.hidden.len() == position.universe;
        if untouched || least >= 1.0 {
            return;
        }
        let Some(mut two_ply) = scratch.two_ply(board) else { return };
        let odds = two_ply.counted().odds();
        let limits = self.effort.limits();
        let nodes = limits.lookahead_nodes.saturating_mul(EVERY_CANDIDATE);
        let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
        // What is played on, and what a zero may take off.
        let close = limits.rollouts.map_or(0.0, |rollouts| rollouts.margin) + OPENING_BONUS;
        let mut best = f64::INFINITY;
        for cell in guess::candidate_cells(&two_ply, limits.candidates) {
            // As the guess does: whoever costs more by the odds alone is no candidate, nor are
            // those after it.
            if odds.of(cell) > best + close {
                break;
            }
            let (objective, limit) = (self.objective, f64::INFINITY);
            let next = guess::second_ply(&mut two_ply, cell, objective, limit, &mut budget);
            let Ok(next) = next else { break };
            let worth = Candidate { cell, odds: odds.of(cell), next };
            best = best.min(worth.cost());
            candidates.push(worth);
        }
        // Stable: where two cost the same, the guess takes the first.
        candidates.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
    }
}

/// Nodes for finding every contradiction: a person waits longer than the platform does.
const MISFIT_NODES: u64 = 100_000_000;

/// Every reason why no layout fits `position`, a line each; `first` is the contradiction that was
/// met.
pub fn reasons(
    position: &Position,
    known: (&mut Deducer, &mut ProbabilitySolver),
    first: Contradiction,
    shape: Shape,
) -> Vec<String> {
    let mut budget = Budget::new(MISFIT_NODES, Deadlines::DEFAULT, &NoClock);
    let (deducer, solver) = known;
    let mut found = inconsistencies(position, deducer, solver, &mut budget);
    if found.is_empty() {
        // The check may end before it has found it again.
        found.push(Inconsistency::Numbers(first));
    }
    found.iter().map(|inconsistency| inconsistency.message(shape)).collect()
}

#[cfg(test)]
mod tests {
    use crate::base::params::PROBABILITY_TOLERANCE;
    use crate::board::geometry::Shape;
    use crate::board::text_format::Picture;

    use super::*;

    fn board(picture: &str) -> Board {
        picture.parse::<Picture>().unwrap().board(0).unwrap()
    }

    #[test]
    fn a_guess_costs_the_least_of_its_candidates() {
        for objective in [Objective::FewestHits, Objective::CleanWin] {
            let mut analysis = Analysis::new((objective, Effort::Fast));
            // Forty cells that nobody sees: too many layouts to solve.
            let board = board("9 5 12\n1........\n.........\n....3....\n.........\n.........");
            analysis.analyze(&board, None).unwrap();
            let chosen = analysis.chosen().unwrap();
            assert_eq!(chosen.by, Step::Guess);
            let worth =
                |cell| analysis.candidates().iter().find(|worth| worth.cell == cell).unwrap();
            let least = analysis.candidates()[0].cost();
            assert!(analysis.candidates().len() > 1 && least > 0.0);
            assert!(worth(chosen.cell).cost() <= least + PROBABILITY_TOLERANCE);
            assert!((worth(chosen.cell).odds - chosen.odds).abs() < 1e-15);
        }
    }

    #[test]
    fn without_a_mine_count_the_ladder_is_climbed_by_density() {
        let mut analysis = Analysis::new((Objective::FewestHits, Effort::Fast));
        let drawn = board("3 1 1\n1..");
        analysis.analyze(&drawn, Some(0.2)).unwrap();
        let far = Cell::from_index(2);
        assert!((analysis.odds().of(far) - 0.2).abs() < 1e-12);
        assert_eq!(
            (analysis.chosen().unwrap().cell, analysis.chosen().unwrap().by),
            (far, Step::Guess)
        );
        // With the total it is proven.
        analysis.analyze(&drawn, None).unwrap();
        assert_eq!(
            (analysis.chosen().unwrap().cell, analysis.chosen().unwrap().by),
            (far, Step::Deduction)
        );
    }

    #[test]
    fn an_impossible_position_has_all_its_reasons_and_a_full_board_no_move() {
        let mut analysis = Analysis::new((Objective::FewestHits, Effort::Fast));
        let reasons = analysis.analyze(&board("8 1 2\n1.00.11."), None).unwrap_err();
        assert_eq!(reasons.len(), 2, "{reasons:?}");
        let mut open = Board::new(Shape::new(1, 1).unwrap(), 0);
        open.open(Cell::from_index(0), crate::board::CellState::Number(0));
        analysis.analyze(&open, None).unwrap();
        assert!(analysis.chosen().is_none());
    }
}
