//! Analysis of one position for a person: what deduction proves, the odds, the move and the
//! candidates.
//!
//! The bot stops at the first step that finds a safe cell. An [`Analysis`] continues: deduction to
//! its fixed point, the odds of every cell, and the cost of every candidate of a guess. The move is
//! the engine's own.
//!
//! - [`explanation`]: the result in sentences
//! - [`proof`]: the steps of a deduction, numbered
//! - [`outcomes`]: what opening a cell can show
//! - [`notation`]: how cells and numbers are written
//!
//! Invariant: the move is what [`Engine`] decides on the same board. The exception is a field
//! without a mine count, which the engine does not play; there the steps are the engine's without
//! the endgame.
//!
//! Cost: one decision of the engine, one count of the layouts, and for a guess at most
//! `NODES_FACTOR` times the nodes of the engine's look-ahead.
//!
//! No module of the bot uses this one. It is built with the feature `analysis` and needs only the
//! bot's crates.

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

/// How many times the engine's nodes the candidates may take. The engine stops evaluating a
/// candidate that cannot be the best; here each is evaluated completely.
const NODES_FACTOR: u64 = 10;

/// The node limit for finding every contradiction. A person waits longer than the platform.
const INCONSISTENCY_NODES: u64 = 100_000_000;

/// The move: the cell to open, and how it was chosen.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The cell.
    pub cell: Cell,
    /// The step that decided.
    pub by: Step,
    /// The probability that it is a mine.
    pub odds: f64,
    /// The solution of the endgame, where that step decided.
    pub solved: Option<Solution>,
    /// The number of playouts that compared the candidates.
    pub games: usize,
}

/// A candidate of a guess with the parts of its cost.
#[derive(Clone, Copy, Debug)]
pub struct CandidateReport {
    /// The cell.
    pub cell: Cell,
    /// The probability that it is a mine.
    pub odds: f64,
    /// The expected risk of the next move.
    pub next: SecondPly,
}

impl CandidateReport {
    /// The cost that a guess minimizes: the risk of both moves, minus the bonus for an opening.
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
    candidates: Vec<CandidateReport>,
}

impl Analysis {
    /// An analysis for an engine of this objective and effort.
    pub fn new(objective: Objective, effort: Effort) -> Analysis {
        Analysis {
            objective,
            effort,
            engine: Engine::new(objective, effort),
            scratch: SolverScratch::default(),
            chosen: None,
            candidates: Vec::new(),
        }
    }

    /// Analyses `board`. With `density`, the mine count is unknown, and an unconstrained cell is a
    /// mine with this probability.
    ///
    /// # Errors
    /// The reasons why no layout is consistent with the board, one line each, except those of
    /// [`Board::reasons`]. The other methods must not be called after an error.
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
            return Err(reasons(position, deducer, solver, contradiction, board.shape()));
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

    /// The constraints of the board.
    pub fn position(&self) -> &Position {
        &self.scratch.position
    }

    /// The deducer, at its fixed point.
    pub fn deducer(&self) -> &Deducer {
        &self.scratch.deducer
    }

    /// The odds of every hidden cell.
    pub fn odds(&self) -> &Odds {
        self.scratch.solver.odds()
    }

    /// The move; `None` where no cell is hidden.
    pub fn chosen(&self) -> Option<Move> {
        self.chosen
    }

    /// The candidates of a guess in order of cost; empty where the move is not a guess, or where
    /// the layouts could not be counted.
    pub fn candidates(&self) -> &[CandidateReport] {
        &self.candidates
    }

    /// Adds `cell` to the candidates of a guess, where it is not among them yet.
    pub fn add_candidate(&mut self, board: &Board, cell: Cell) {
        let Analysis { objective, effort, scratch, candidates, .. } = self;
        let odds = scratch.solver.odds().of(cell);
        let is_new = candidates.iter().all(|candidate| candidate.cell != cell);
        if candidates.is_empty() || !is_new || odds == 1.0 || !board.is_hidden(cell) {
            return;
        }
        let nodes = effort.limits().lookahead_nodes;
        let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
        let Some(mut two_ply) = scratch.two_ply(board) else { return };
        let limit = f64::INFINITY;
        if let Ok(next) = guess::second_ply(&mut two_ply, cell, *objective, limit, &mut budget) {
            candidates.push(CandidateReport { cell, odds, next });
            candidates.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        }
    }

    /// The objective.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The number of layouts in words; `None` where it is not known.
    pub fn layouts(&self) -> Option<String> {
        layouts_text(None, self.odds().layouts())
    }

    fn decide(&mut self, board: &Board) -> Option<Move> {
        let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };
        let decision = self.engine.decide(board, turn)?;
        let (cell, by, odds) = (decision.cell(), decision.by, decision.odds);
        Some(Move { cell, by, odds, solved: decision.solved, games: decision.playouts })
    }

    /// Decides like the engine, which needs a mine count.
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
        let min_odds = position.hidden.iter().map(|&cell| odds.of(cell)).fold(1.0, f64::min);
        // In these cases the engine compares odds only.
        let is_untouched = position.hidden.len() == position.universe;
        if is_untouched || min_odds >= 1.0 {
            return;
        }
        let Some(mut two_ply) = scratch.two_ply(board) else { return };
        let odds = two_ply.counted().odds();
        let limits = self.effort.limits();
        let nodes = limits.lookahead_nodes.saturating_mul(NODES_FACTOR);
        let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
        let margin = limits.rollouts.map_or(0.0, |rollouts| rollouts.margin) + OPENING_BONUS;
        let mut min_cost = f64::INFINITY;
        for cell in guess::candidate_cells(&two_ply, limits.candidates) {
            // As in the engine: the odds are a lower bound of the cost before the bonus, and the
            // cells are in order of odds.
            if odds.of(cell) > min_cost + margin {
                break;
            }
            let (objective, limit) = (self.objective, f64::INFINITY);
            let next = guess::second_ply(&mut two_ply, cell, objective, limit, &mut budget);
            let Ok(next) = next else { break };
            let candidate = CandidateReport { cell, odds: odds.of(cell), next };
            min_cost = min_cost.min(candidate.cost());
            candidates.push(candidate);
        }
        // The sort must be stable: of two equal costs, the engine takes the first.
        candidates.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
    }
}

/// The reasons why no layout is consistent with `position`, one line each. `first` is the
/// contradiction that deduction or counting found; `deducer` and `solver` are scratch memory.
pub fn reasons(
    position: &Position,
    deducer: &mut Deducer,
    solver: &mut ProbabilitySolver,
    first: Contradiction,
    shape: Shape,
) -> Vec<String> {
    let mut budget = Budget::new(INCONSISTENCY_NODES, Deadlines::DEFAULT, &NoClock);
    let mut found = inconsistencies(position, deducer, solver, &mut budget);
    if found.is_empty() {
        // The budget may end before the search finds `first` again.
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
    fn a_guess_has_the_minimum_cost_of_its_candidates() {
        for objective in [Objective::FewestHits, Objective::CleanWin] {
            let mut analysis = Analysis::new(objective, Effort::Fast);
            // Many unconstrained cells: too many layouts for the endgame.
            let board = board("9 5 12\n1........\n.........\n....3....\n.........\n.........");
            analysis.analyze(&board, None).unwrap();
            let chosen = analysis.chosen().unwrap();
            assert_eq!(chosen.by, Step::Guess);
            let mut candidates = analysis.candidates().iter();
            let candidate = candidates.find(|candidate| candidate.cell == chosen.cell).unwrap();
            let min_cost = analysis.candidates()[0].cost();
            assert!(analysis.candidates().len() > 1 && min_cost > 0.0);
            assert!(candidate.cost() <= min_cost + PROBABILITY_TOLERANCE);
            assert!((candidate.odds - chosen.odds).abs() < 1e-15);
        }
    }

    #[test]
    fn without_a_mine_count_the_density_decides() {
        let mut analysis = Analysis::new(Objective::FewestHits, Effort::Fast);
        let drawn = board("3 1 1\n1..");
        analysis.analyze(&drawn, Some(0.2)).unwrap();
        let far = Cell::from_index(2);
        assert!((analysis.odds().of(far) - 0.2).abs() < 1e-12);
        assert_eq!(
            (analysis.chosen().unwrap().cell, analysis.chosen().unwrap().by),
            (far, Step::Guess)
        );
        // With the mine count it is proven.
        analysis.analyze(&drawn, None).unwrap();
        assert_eq!(
            (analysis.chosen().unwrap().cell, analysis.chosen().unwrap().by),
            (far, Step::Deduction)
        );
    }

    #[test]
    fn an_inconsistent_position_has_reasons_and_an_open_board_has_no_move() {
        let mut analysis = Analysis::new(Objective::FewestHits, Effort::Fast);
        let reasons = analysis.analyze(&board("8 1 2\n1.00.11."), None).unwrap_err();
        assert_eq!(reasons.len(), 2, "{reasons:?}");
        let mut open = Board::new(Shape::new(1, 1).unwrap(), 0);
        open.open(Cell::from_index(0), crate::board::CellState::Number(0));
        analysis.analyze(&open, None).unwrap();
        assert!(analysis.chosen().is_none());
    }
}
