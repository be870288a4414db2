//! A position looked at from every side: what deduction proves, the odds, the move and what else was weighed.
//!
//! The bot stops at the first step that finds a safe cell. To tell a person what there is to know, a study goes
//! on: deduction to its fixed point, odds of every cell, every candidate of a guess. What it calls the move is
//! the engine's own answer.
//!
//! Invariant: the move is what [`Engine`] decides on the same board, except on a field without a mine count, which
//! no engine plays: there it is the ladder's without the endgame.

pub mod outcomes;
pub mod proof;
pub mod words;

use sapper::board::Board;
use sapper::budget::{Budget, Deadlines, NoClock};
use sapper::deduce::{Deducer, Reach};
use sapper::endgame::Best;
use sapper::engine::{Engine, Step, Turn};
use sapper::geometry::Cell;
use sapper::group::{Outside, Position};
use sapper::guess::{self, Next, Objective};
use sapper::lookahead::Lookahead;
use sapper::params::{COUNT_NODES, Effort, ZERO};
use sapper::probability::{Odds, Prober};
use sapper::weight::Wide;

use crate::odds::reasons;

/// How many times the engine's own nodes the candidates may take: it stops at the first that cannot be
/// beaten, here each is looked at to the end.
const EVERY_CANDIDATE: u64 = 10;

/// The cell to open.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub cell: Cell,
    /// The step that decided.
    pub by: Step,
    /// The chance that it is a mine.
    pub odds: f64,
    /// What it costs, where the endgame was solved.
    pub solved: Option<Best>,
    /// Games that were played on to decide between the candidates.
    pub games: usize,
}

/// What a candidate of a guess is worth.
#[derive(Clone, Copy, Debug)]
pub struct Worth {
    pub cell: Cell,
    /// The chance that it is a mine.
    pub odds: f64,
    /// What follows it.
    pub next: Next,
}

impl Worth {
    /// What the guess weighs: both moves' risk, less what a zero is worth.
    pub fn cost(&self) -> f64 {
        self.odds + self.next.cost()
    }
}

/// Looks at one position after another, reusing its memory.
pub struct Study {
    objective: Objective,
    effort: Effort,
    engine: Engine,
    position: Position,
    deducer: Deducer,
    prober: Prober,
    lookahead: Lookahead,
    chosen: Option<Move>,
    candidates: Vec<Worth>,
}

impl Study {
    /// Studies as an engine of this objective and effort plays.
    pub fn new((objective, effort): (Objective, Effort)) -> Study {
        Study {
            objective,
            effort,
            engine: Engine::new(objective, effort),
            position: Position::default(),
            deducer: Deducer::new(),
            prober: Prober::default(),
            lookahead: Lookahead::default(),
            chosen: None,
            candidates: Vec::new(),
        }
    }

    /// Studies `board`; with `density`, as a field whose mine count is not known. The accessors then tell.
    ///
    /// # Errors
    /// Every reason why no layout fits, a line each, besides those that the board itself knows. Then nothing else
    /// may be asked for.
    pub fn look(&mut self, board: &Board, density: Option<f64>) -> Result<(), Vec<String>> {
        self.chosen = None;
        self.candidates.clear();
        board.position_into(&mut self.position);
        if let Some(density) = density {
            self.position.outside = Outside::Density(density);
        }
        let Study { position, deducer, prober, .. } = self;
        let mut budget = Budget::new(COUNT_NODES, Deadlines::DEFAULT, &NoClock);
        let counted = deducer
            .run(position, Reach::FixedPoint)
            .and_then(|()| prober.run(position, deducer, &mut budget).map(drop));
        if let Err(contradiction) = counted {
            let Study { position, deducer, prober, .. } = self;
            return Err(reasons(position, (deducer, prober), contradiction, board.shape()));
        }
        self.chosen = if density.is_some() { self.climb(board) } else { self.decide(board) };
        if self.chosen.is_some_and(|chosen| chosen.by == Step::Guess) {
            self.weigh(board);
        }
        Ok(())
    }

    /// The groups of the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Deduction at its fixed point.
    pub fn deducer(&self) -> &Deducer {
        &self.deducer
    }

    /// The odds of every hidden cell.
    pub fn odds(&self) -> &Odds {
        self.prober.odds()
    }

    /// The cell to open; `None` where none is hidden.
    pub fn chosen(&self) -> Option<Move> {
        self.chosen
    }

    /// What was weighed for a guess, the least cost first; empty where nothing had to be guessed, or nothing can be
    /// told two moves ahead.
    pub fn candidates(&self) -> &[Worth] {
        &self.candidates
    }

    /// Weighs `cell` too, where a guess was weighed and it was none of the candidates.
    pub fn weigh_also(&mut self, board: &Board, cell: Cell) {
        let Study { objective, effort, prober, lookahead, candidates, .. } = self;
        let odds = prober.odds().of(cell);
        let is_new = candidates.iter().all(|worth| worth.cell != cell);
        if candidates.is_empty() || !is_new || odds == 1.0 || !board.is_hidden(cell) {
            return;
        }
        let nodes = effort.limits().lookahead_nodes;
        let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
        let play = (*objective, f64::INFINITY);
        if let Ok(next) = guess::next_move(board, cell, play, lookahead, &mut budget) {
            candidates.push(Worth { cell, odds, next });
            candidates.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        }
    }

    /// What is played for.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// How many layouts there are, in words, where that is known.
    pub fn layouts(&self) -> Option<String> {
        crate::odds::told::layouts(None, self.odds().layouts().map(Wide::ln))
    }

    fn decide(&mut self, board: &Board) -> Option<Move> {
        let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };
        let decision = self.engine.decide(board, turn)?;
        let (cell, by, odds) = (decision.cell(), decision.by, decision.odds);
        Some(Move { cell, by, odds, solved: decision.solved, games: decision.games })
    }

    /// The ladder, without the engine, which knows only fields with a mine count.
    fn climb(&mut self, board: &Board) -> Option<Move> {
        let Study { position, deducer, prober, lookahead, .. } = self;
        let odds = prober.odds();
        let proven = |cell: &Cell, by| Move { cell: *cell, by, odds: 0.0, solved: None, games: 0 };
        if let Some(cell) = deducer.safe().first() {
            return Some(proven(cell, Step::Deduction));
        }
        if let Some(cell) = odds.safe().first() {
            return Some(proven(cell, Step::Counting));
        }
        let limits = self.effort.limits();
        let mut budget = Budget::new(limits.lookahead_nodes, Deadlines::DEFAULT, &NoClock);
        let play = (self.objective, limits.candidates, 0.0);
        let known = (&*position, &*deducer, odds);
        let choice = guess::choose(board, known, play, (lookahead, &mut Vec::new()), &mut budget)?;
        Some(Move { cell: choice.cell, by: Step::Guess, odds: choice.odds, solved: None, games: 0 })
    }

    fn weigh(&mut self, board: &Board) {
        let Study { position, deducer, prober, lookahead, candidates, .. } = self;
        let odds = prober.odds();
        let least = position.hidden.iter().map(|&cell| odds.of(cell)).fold(1.0, f64::min);
        // Where the guess looks at odds alone, so does this.
        let untouched = position.hidden.len() == position.universe;
        let Some(layouts) = odds.layouts().filter(|_| !untouched && least < 1.0) else {
            return;
        };
        let limits = self.effort.limits();
        let nodes = limits.lookahead_nodes.saturating_mul(EVERY_CANDIDATE);
        let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
        lookahead.begin(position, deducer, layouts);
        // What is played on, and what a zero may take off.
        let close = limits.rollouts.map_or(0.0, |rollouts| rollouts.slack) + ZERO;
        let mut best = f64::INFINITY;
        for cell in guess::candidates(board, odds, lookahead, limits.candidates) {
            // As the guess does: whoever costs more by the odds alone is no candidate, nor are those after it.
            if odds.of(cell) > best + close {
                break;
            }
            let play = (self.objective, f64::INFINITY);
            let Ok(next) = guess::next_move(board, cell, play, lookahead, &mut budget) else {
                break;
            };
            let worth = Worth { cell, odds: odds.of(cell), next };
            best = best.min(worth.cost());
            candidates.push(worth);
        }
        // Stable: where two cost the same, the guess takes the first.
        candidates.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
    }
}

#[cfg(test)]
mod tests {
    use sapper::geometry::Shape;
    use sapper::params::SAME_ODDS;
    use sapper::picture::Picture;

    use super::*;

    fn board(picture: &str) -> Board {
        picture.parse::<Picture>().unwrap().board(0).unwrap()
    }

    #[test]
    fn a_guess_costs_the_least_of_its_candidates() {
        for objective in [Objective::FewestHits, Objective::CleanWin] {
            let mut study = Study::new((objective, Effort::Fast));
            // Forty cells that nobody sees: too many layouts to solve.
            let board = board("9 5 12\n1........\n.........\n....3....\n.........\n.........");
            study.look(&board, None).unwrap();
            let chosen = study.chosen().unwrap();
            assert_eq!(chosen.by, Step::Guess);
            let worth = |cell| study.candidates().iter().find(|worth| worth.cell == cell).unwrap();
            let least = study.candidates()[0].cost();
            assert!(study.candidates().len() > 1 && least > 0.0);
            assert!(worth(chosen.cell).cost() <= least + SAME_ODDS);
            assert!((worth(chosen.cell).odds - chosen.odds).abs() < 1e-15);
        }
    }

    #[test]
    fn without_a_mine_count_the_ladder_is_climbed_by_density() {
        let mut study = Study::new((Objective::FewestHits, Effort::Fast));
        let drawn = board("3 1 1\n1..");
        study.look(&drawn, Some(0.2)).unwrap();
        let far = Cell::from_index(2);
        assert!((study.odds().of(far) - 0.2).abs() < 1e-12);
        assert_eq!((study.chosen().unwrap().cell, study.chosen().unwrap().by), (far, Step::Guess));
        // With the total it is proven.
        study.look(&drawn, None).unwrap();
        assert_eq!(
            (study.chosen().unwrap().cell, study.chosen().unwrap().by),
            (far, Step::Deduction)
        );
    }

    #[test]
    fn an_impossible_position_has_all_its_reasons_and_a_full_board_no_move() {
        let mut study = Study::new((Objective::FewestHits, Effort::Fast));
        let reasons = study.look(&board("8 1 2\n1.00.11."), None).unwrap_err();
        assert_eq!(reasons.len(), 2, "{reasons:?}");
        let mut open = Board::new(Shape::new(1, 1).unwrap(), 0);
        open.open(Cell::from_index(0), sapper::board::Shown::Number(0));
        study.look(&open, None).unwrap();
        assert!(study.chosen().is_none());
    }
}
