//! The engine: which step decides a turn.
//!
//! | step | finds | why here |
//! |---|---|---|
//! | deduction | cells that the rules prove safe | settles most turns |
//! | counting | cells that are safe in every layout | complete: no other cell is safe |
//! | endgame | the first cell of optimal play | strongest, where few layouts are left |
//! | guess | the cell of lowest estimated cost | no cell is safe, and there are too many layouts |
//! | rough | a hidden cell of small local risk | the numbers contradict each other |
//!
//! Deduction is two steps: what one and two numbers prove is kept from turn to turn
//! ([`crate::deduction::propagation::incremental`]); the other rules run where that finds nothing.
//! The endgame and the guess are in the module `choice`.
//!
//! Every step may decline, and the first hidden cell is the answer where all do. Node limits decide
//! how far a step goes, so the same board has the same answer on every machine; the clock only
//! bounds what takes unexpectedly long.
//!
//! Invariant: a decision depends on the board alone, unless the clock ends a step.
//!
//! Cost: at most [`SearchLimits::turn_nodes`] nodes for all steps after deduction, which ends by
//! itself.

use std::fmt;

use crate::board::Board;
use crate::board::contradiction::Contradiction;
use crate::board::geometry::Cell;
use crate::bot::choice::Choice;
use crate::deduction::groups::deducer::Reach;
use crate::deduction::propagation::incremental::IncrementalDeducer;
use crate::probability::contradictions::contradictions;
use crate::search::CountedBoard;
use crate::search::guess::{self, Guess, SolverScratch};
use crate::search::rollout::halving::SequentialHalving;
use crate::settings::budget::{Budget, Turn};
use crate::settings::params::{
    BALANCE_NODES, CONTRADICTION_NODES, COUNT_NODES, Effort, Objective, SearchLimits,
};

pub use crate::bot::decision::{Decision, Step};

/// Nodes for each cell of reading a board anew and building its position; charged in every turn.
const NODES_PER_CELL: u64 = 40;

/// Decides one board after another; its memory is reused, and no answer depends on it.
///
/// A game is a loop: decide, open, and report what the cell shows. The engine opens no cells, also
/// not the neighbours of a 0. A decision within a time:
///
/// ```
/// use std::time::Duration;
/// use sapper::{Board, Deadlines, Effort, Engine, Objective, Turn, WallClock};
///
/// let board: Board = "3 2 1\n1..\n1..".parse()?;
/// let mut engine = Engine::new(Objective::CleanWin, Effort::Full);
/// let clock = WallClock::start();
/// let turn = Turn { deadlines: Deadlines::within(Duration::from_millis(50)), clock: &clock };
/// let decision = engine.decide(&board, turn).expect("not every hidden cell is a mine");
/// println!("open {}, found by {}", decision.place(), decision.by);
/// # Ok::<(), sapper::Error>(())
/// ```
pub struct Engine {
    objective: Objective,
    limits: SearchLimits,
    incremental: IncrementalDeducer,
    scratch: SolverScratch,
    rollout: Option<Box<SequentialHalving>>,
    /// The cells that the last decision's step proved safe.
    safe: Vec<Cell>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("objective", &self.objective).finish_non_exhaustive()
    }
}

/// The bot's engine: fewest hits, full effort.
impl Default for Engine {
    fn default() -> Engine {
        Engine::new(Objective::FewestHits, Effort::Full)
    }
}

impl Engine {
    /// An engine that plays for `objective` with this effort.
    pub fn new(objective: Objective, effort: Effort) -> Engine {
        Engine::within(objective, effort.limits())
    }

    /// An engine that plays for `objective` within these limits.
    pub fn within(objective: Objective, limits: SearchLimits) -> Engine {
        Engine {
            objective,
            limits,
            incremental: IncrementalDeducer::default(),
            scratch: SolverScratch::default(),
            rollout: None,
            safe: Vec::new(),
        }
    }

    /// Forgets all boards, and what a panic may have left behind.
    pub fn reset(&mut self) {
        *self = Engine::within(self.objective, self.limits);
    }

    /// What to open on `board`, or `None` where no cell is hidden.
    pub fn decide(&mut self, board: &Board, turn: Turn) -> Option<Decision> {
        self.decide_within(board, &mut turn.budget(self.limits.turn_nodes))
    }

    /// What to open on `board` within this budget, for tools that read the nodes used.
    pub fn decide_within(&mut self, board: &Board, budget: &mut Budget) -> Option<Decision> {
        #[cfg(sapper_injected_panics)]
        assert_ne!(std::env::var("PANIC").as_deref(), Ok("search"), "injected into the search");
        budget.charge(NODES_PER_CELL * board.shape().len() as u64);
        // What one and two numbers prove safe, with what was proven in the turns before.
        self.safe.clear();
        self.safe.extend_from_slice(self.incremental.update(board));
        if let Some(decision) = open_first(&self.safe, board, Step::Deduction) {
            return Some(decision);
        }
        let position = self.incremental.position(board);
        self.scratch.position = position.unwrap_or_else(|| board.position());
        let first_hidden = *self.scratch.position.hidden.first()?;
        let fallback = Decision::new(board, first_hidden, Step::Rough, f64::NAN, 0);
        match self.try_steps(board, budget) {
            Ok(decision) => decision.or(fallback),
            Err(contradiction) => {
                let mut decision = self.approximate(board, budget).or(fallback)?;
                decision.contradiction = Some(contradiction);
                Some(decision)
            }
        }
    }

    /// The steps after incremental deduction, in order of cost; each continues from the result of
    /// the one before. `None` where all decline.
    fn try_steps(
        &mut self,
        board: &Board,
        budget: &mut Budget,
    ) -> Result<Option<Decision>, Contradiction> {
        let Engine { objective, limits, scratch, rollout, safe, .. } = self;
        let SolverScratch { position, deducer, solver, guess: scratch } = scratch;
        // The rules of deduction end by themselves, so that only the clock limits them.
        let deduced = budget
            .lend(u64::MAX, |budget| deducer.run_within(position, Reach::FirstSafe, budget))?;
        safe.extend_from_slice(deduced.safe());
        if let Some(decision) = open_first(safe, board, Step::Deduction) {
            return Ok(Some(decision));
        }
        // Past the soft deadline nothing is counted, and the odds are approximate.
        let nodes = budget.step_limit(COUNT_NODES);
        let counted = budget.lend(nodes, |budget| solver.run(deduced, budget))?;
        let approximate = counted.odds().approximate();
        safe.extend_from_slice(counted.odds().safe());
        if let Some(mut decision) = open_first(safe, board, Step::Counting) {
            decision.approximate = approximate;
            return Ok(Some(decision));
        }
        let at = CountedBoard { board, counted };
        let mut choice = Choice { objective: *objective, limits, scratch, rollout, at, budget };
        Ok(choice.solve_endgame().or_else(|| choice.guess()))
    }

    /// A hidden cell of small local risk, on a board whose numbers contradict each other.
    fn approximate(&mut self, board: &Board, budget: &Budget) -> Option<Decision> {
        let SolverScratch { position, solver, .. } = &mut self.scratch;
        // What follows from numbers that contradict each other is not known.
        *position = board.position();
        let odds = solver.run_approximate(position, &mut budget.sub_budget(BALANCE_NODES));
        let Guess { cell, odds, candidates } = guess::choose_by_odds(board, odds)?;
        Decision::new(board, cell, Step::Rough, odds, candidates)
    }

    /// All cells that the last decision's step proved safe; the decision names the first.
    pub fn safe(&self) -> &[Cell] {
        &self.safe
    }

    /// Every reason why no layout fits `board` that the budget suffices to find, besides those of
    /// [`Board::reasons`].
    pub fn contradictions(&mut self, board: &Board, turn: Turn) -> Vec<Contradiction> {
        #[cfg(sapper_injected_panics)]
        assert_ne!(std::env::var("PANIC").as_deref(), Ok("late"), "injected after the answer");
        let SolverScratch { position, deducer, solver, .. } = &mut self.scratch;
        *position = board.position();
        contradictions(position, deducer, solver, &mut turn.budget(CONTRADICTION_NODES))
    }
}

/// The decision for the first of the `safe` cells.
fn open_first(safe: &[Cell], board: &Board, by: Step) -> Option<Decision> {
    Decision::new(board, *safe.first()?, by, 0.0, safe.len())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::geometry::Shape;
    use crate::board::text_format::BoardText;
    use crate::settings::budget::{Clock, Deadlines};

    const TURN: Turn<'static> = Turn::UNTIMED;

    #[test]
    fn a_turn_keeps_to_its_nodes_and_the_last_steps_use_what_is_left() {
        let rows = "2?2?2?2?2\n?????????\n".repeat(4);
        let picture: BoardText = format!("9 8 20\n{rows}").parse().expect("a picture");
        let board = picture.board(0).expect("a board");
        let full = Effort::Full.limits();
        let mut used = Vec::new();
        // With 30 million the first playout exceeds its share, so that none counts.
        for turn_nodes in [0, 100_000, 400_000, 60_000_000] {
            let mut engine =
                Engine::within(Objective::FewestHits, SearchLimits { turn_nodes, ..full });
            let mut nodes = TURN.budget(turn_nodes);
            let decision = engine.decide_within(&board, &mut nodes).expect("a hidden cell");
            assert_eq!(decision.by, Step::Guess);
            // Deduction is not limited, and a step may exceed its nodes by one charge.
            assert!(nodes.used() <= turn_nodes + turn_nodes / 4 + 50_000, "{turn_nodes}");
            used.push((nodes.used(), decision.playouts));
        }
        assert!(used.is_sorted() && used[3].0 > 600_000 && used[3].1 > 0, "{used:?}");
    }

    /// Every step charges its nodes: the numbers change only where a step works differently.
    #[test]
    fn each_step_uses_the_nodes_that_it_always_took() {
        use Step::{Counting, Deduction, Endgame, Guess};
        let lattice = format!("9 8 20\n{}", "2?2?2?2?2\n?????????\n".repeat(4));
        let counted = include_str!("../../samples/fields/safe-by-counting.txt");
        for (picture, expected) in [
            ("3 2 1\n1..\n1..", [(Deduction, 640), (Deduction, 640), (Deduction, 640)]),
            (counted, [(Counting, 4468), (Counting, 4468), (Counting, 4468)]),
            (
                "5 4 5\n?????\n?2???\n????1\n?????",
                [(Guess, 13_858), (Endgame, 11_299_699), (Endgame, 11_299_699)],
            ),
            (&lattice, [(Guess, 4_181_561), (Guess, 16_186_293), (Guess, 102_689_397)]),
        ] {
            let board = picture.parse::<BoardText>().expect("a picture").board(0).expect("a board");
            let used = [Effort::Fast, Effort::Standard, Effort::Full].map(|effort| {
                let mut engine = Engine::new(Objective::FewestHits, effort);
                let mut nodes = TURN.budget(effort.limits().turn_nodes);
                let decision = engine.decide_within(&board, &mut nodes).expect("a hidden cell");
                (decision.by, nodes.used())
            });
            assert_eq!(used, expected, "{picture}");
        }
    }

    /// Between the deadlines no step begins, so that the odds are approximate.
    #[test]
    fn past_the_soft_deadline_nothing_is_counted() {
        struct Half;
        impl Clock for Half {
            fn elapsed(&self) -> Duration {
                Duration::from_millis(800)
            }
        }
        let picture: BoardText = "5 4 5\n?????\n?2???\n????1\n?????".parse().expect("a picture");
        let board = picture.board(0).expect("a board");
        let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &Half };
        let decision = Engine::default().decide(&board, turn).expect("a hidden cell");
        assert_eq!((decision.by, decision.playouts), (Step::Guess, 0));
        assert_eq!(decision.approximate, board.hidden_len());
        let in_time = Engine::default().decide(&board, TURN).expect("a hidden cell");
        assert_eq!((in_time.by, in_time.approximate), (Step::Endgame, 0));
    }

    #[test]
    fn the_first_cell_of_a_tiny_field_is_looked_up_for_fewest_hits_only() {
        let board = Board::new(Shape::new(4, 5).expect("a shape"), 5);
        let decide = |objective, limits| {
            let decision = Engine::within(objective, limits).decide(&board, TURN);
            decision.expect("a hidden cell").solved.map(|best| (best.cost, best.is_proven))
        };
        let standard = Effort::Standard.limits();
        assert_eq!(decide(Objective::FewestHits, standard), Some((10909, true)));
        let without_table = SearchLimits { opening_table: false, ..standard };
        assert_eq!(decide(Objective::FewestHits, without_table), None);
        assert_eq!(decide(Objective::CleanWin, standard), None);
    }
}
