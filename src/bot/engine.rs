//! The engine: which step decides a turn.
//!
//! | step | finds | why here |
//! |---|---|---|
//! | deduction | cells that the rules prove safe | settles most turns |
//! | counting | cells that no layout mines | complete: no other cell is safe |
//! | endgame | the first cell of optimal play | strongest, where few layouts are left |
//! | guess | the cell of least estimated cost | no cell is safe, and there are too many layouts |
//! | rough | a hidden cell of small local risk | the numbers contradict each other |
//!
//! Deduction is two steps: what one and two numbers prove is kept from turn to turn
//! ([`crate::deduction::incremental`]); the other rules run where that finds nothing. A guess is
//! two steps as well: the two-ply look-ahead, then rollouts of the candidates that are close.
//!
//! Every step may decline, and the first hidden cell is the answer where all do. Node limits decide
//! how far a step goes, so the same board has the same answer on every machine; the clock only
//! bounds what takes unexpectedly long.
//!
//! Invariant: a decision depends on the board alone, unless the clock ends a step.
//!
//! Cost: at most [`SearchLimits::turn_nodes`] nodes for all steps after deduction, which ends by
//! itself.

use crate::base::budget::{Budget, Turn};
use crate::base::objective::Objective;
use crate::base::params::{
    BALANCE_NODES, COUNT_NODES, Effort, EndgameLimits, INCONSISTENCY_NODES, NODES_PER_ENDGAME_NODE,
    RolloutLimits, SearchLimits, TINY_FIELD_CELLS,
};
use crate::board::Board;
use crate::board::geometry::Cell;
use crate::board::group::Contradiction;
use crate::deduction::deducer::Reach;
use crate::deduction::incremental::IncrementalDeducer;
use crate::probability::inconsistency::{Inconsistency, inconsistencies};
use crate::search::endgame::Solution;
use crate::search::endgame::opening_table;
use crate::search::guess::{self, Guess, GuessConfig};
use crate::search::rollout::halving::{RolloutResult, SequentialHalving};
use crate::search::scratch::SolverScratch;

pub use crate::bot::decision::{Decision, Step};

/// Nodes for each cell of reading a board anew and building its position; charged in every turn.
const NODES_PER_CELL: u64 = 40;

/// Decides one board after another; its memory is reused, and no answer depends on it.
pub struct Engine {
    objective: Objective,
    limits: SearchLimits,
    incremental: IncrementalDeducer,
    scratch: SolverScratch,
    rollout: Option<Box<SequentialHalving>>,
    /// The cells that the last decision's step proved safe.
    safe: Vec<Cell>,
    /// Nodes used in this turn.
    nodes: u64,
}

/// The bot's engine: fewest hits, full effort.
impl Default for Engine {
    fn default() -> Engine {
        Engine::new(Objective::FewestHits, Effort::Full)
    }
}

/// A step: a decision, or `None` where it declines.
type StepFn = fn(&mut Engine, &Board, Turn) -> Result<Option<Decision>, Contradiction>;

/// The steps after incremental deduction, in order of cost. Each relies on those before it:
/// counting on deduction at its fixed point, the others on odds without a safe cell.
const STEPS: [StepFn; 4] = [Engine::deduce, Engine::count, Engine::solve_endgame, Engine::guess];

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
            nodes: 0,
        }
    }

    /// What to open on `board`, or `None` where no cell is hidden.
    pub fn decide(&mut self, board: &Board, turn: Turn) -> Option<Decision> {
        #[cfg(sapper_injected_panic)]
        assert!(board.hidden_len() == 0, "injected, to see that an answer goes out");
        self.safe.clear();
        self.nodes = NODES_PER_CELL * board.shape().len() as u64;
        if let Some(decision) = self.deduce_incrementally(board) {
            return Some(decision);
        }
        board.position_into(&mut self.scratch.position);
        let first_hidden = *self.scratch.position.hidden.first()?;
        let fallback = Decision::new(board, first_hidden, Step::Rough, f64::NAN, 0);
        match self.try_steps(board, turn) {
            Ok(decision) => decision.or(fallback),
            Err(contradiction) => {
                let mut decision = self.approximate(board, turn).or(fallback)?;
                decision.contradiction = Some(contradiction);
                Some(decision)
            }
        }
    }

    fn try_steps(&mut self, board: &Board, turn: Turn) -> Result<Option<Decision>, Contradiction> {
        for step in STEPS {
            let decision = step(self, board, turn)?;
            if decision.is_some() {
                return Ok(decision);
            }
        }
        Ok(None)
    }

    /// What one and two numbers prove safe, with what was proven in the turns before.
    fn deduce_incrementally(&mut self, board: &Board) -> Option<Decision> {
        self.safe.extend_from_slice(self.incremental.update(board));
        self.open_first_safe(board, Step::Deduction)
    }

    /// What the rules of deduction prove safe. They end by themselves, so that only the clock
    /// limits them.
    fn deduce(&mut self, board: &Board, turn: Turn) -> Result<Option<Decision>, Contradiction> {
        let SolverScratch { position, deducer, .. } = &mut self.scratch;
        let mut budget = turn.budget(u64::MAX);
        let result = deducer.run_within(position, Reach::FirstSafe, &mut budget);
        self.nodes += budget.used();
        result?;
        self.safe.extend_from_slice(self.scratch.deducer.safe());
        Ok(self.open_first_safe(board, Step::Deduction))
    }

    /// What no layout mines. Past the soft deadline nothing is counted, and the odds are
    /// approximate.
    fn count(&mut self, board: &Board, turn: Turn) -> Result<Option<Decision>, Contradiction> {
        let mut budget = self.budget(COUNT_NODES, turn);
        let SolverScratch { position, deducer, solver, .. } = &mut self.scratch;
        let result = solver.run(position, deducer, &mut budget);
        self.nodes += budget.used();
        let odds = result?;
        self.safe.extend_from_slice(odds.safe());
        let approximate = odds.approximate();
        Ok(self.open_first_safe(board, Step::Counting).map(|mut decision| {
            decision.approximate = approximate;
            decision
        }))
    }

    /// The first cell of the best play over all layouts, where there are few.
    fn solve_endgame(
        &mut self,
        board: &Board,
        turn: Turn,
    ) -> Result<Option<Decision>, Contradiction> {
        Ok(self.solve(board, turn).and_then(|best| {
            let odds = f64::from(best.mined) / f64::from(best.layouts);
            let mut decision = Decision::new(board, best.cell, Step::Endgame, odds, 1)?;
            decision.solved = Some(best);
            Some(decision)
        }))
    }

    /// The best guess by the two-ply look-ahead, or by rollouts where candidates are close.
    fn guess(&mut self, board: &Board, turn: Turn) -> Result<Option<Decision>, Contradiction> {
        let approximate = self.scratch.solver.odds().approximate();
        let rollouts = self.limits.rollouts;
        let rollouts = rollouts.filter(|limits| are_rollouts_due(board, self.objective, limits));
        let margin = rollouts.map_or(0.0, |limits| limits.margin);
        let Some(two_ply) = self.guess_by_two_ply(board, margin, turn) else { return Ok(None) };
        let played = rollouts.and_then(|limits| self.roll_out(board, limits, turn));
        let (cell, games) = match played {
            Some(RolloutResult { cell, games }) => (cell, games),
            None => (two_ply.cell, 0),
        };
        let odds = self.scratch.solver.odds().of(cell);
        Ok(Decision::new(board, cell, Step::Guess, odds, two_ply.candidates).map(|mut decision| {
            (decision.approximate, decision.games) = (approximate, games);
            decision
        }))
    }

    /// A hidden cell of small local risk, on a board whose numbers contradict each other.
    fn approximate(&mut self, board: &Board, turn: Turn) -> Option<Decision> {
        let SolverScratch { position, solver, .. } = &mut self.scratch;
        let odds = solver.run_approximate(position, &mut turn.budget(BALANCE_NODES));
        let Guess { cell, odds, candidates } = guess::choose_by_odds(board, odds)?;
        Decision::new(board, cell, Step::Rough, odds, candidates)
    }

    fn open_first_safe(&self, board: &Board, by: Step) -> Option<Decision> {
        Decision::new(board, *self.safe.first()?, by, 0.0, self.safe.len())
    }

    fn solve(&mut self, board: &Board, turn: Turn) -> Option<Solution> {
        let layouts = self.scratch.solver.odds().layouts()?;
        let is_untouched = board.hidden_len() == board.shape().len();
        if is_untouched && self.objective == Objective::FewestHits && self.limits.opening_table {
            let known = opening_table::best(board.shape(), board.mines());
            if known.is_some() {
                return known;
            }
        }
        let is_tiny = board.shape().len() <= TINY_FIELD_CELLS;
        let EndgameLimits { layouts: max_layouts, nodes } =
            if is_tiny { self.limits.tiny_field } else { self.limits.endgame };
        if layouts.is_above(max_layouts) || !turn.may_start() {
            return None;
        }
        let left = self.budget(u64::MAX, turn).left() / NODES_PER_ENDGAME_NODE;
        let mut budget = turn.budget(nodes.min(left));
        let best = self.scratch.solve(board, self.objective, max_layouts, &mut budget);
        self.nodes += NODES_PER_ENDGAME_NODE * budget.used();
        best.ok()?
    }

    fn guess_by_two_ply(&mut self, board: &Board, margin: f64, turn: Turn) -> Option<Guess> {
        self.nodes += guess::NODES_PER_HIDDEN_CELL * board.hidden_len() as u64;
        let mut budget = self.budget(self.limits.lookahead_nodes, turn);
        let (objective, max_candidates) = (self.objective, self.limits.candidates);
        let config = GuessConfig { objective, max_candidates, margin };
        let guess = self.scratch.guess(board, config, &mut budget);
        self.nodes += budget.used();
        guess
    }

    /// The best of the candidates that the look-ahead left close together, by playouts.
    fn roll_out(
        &mut self,
        board: &Board,
        limits: RolloutLimits,
        turn: Turn,
    ) -> Option<RolloutResult> {
        guess::prune(&mut self.scratch.candidates, limits.margin, limits.candidates);
        if self.scratch.candidates.len() < 2 || !turn.may_start() {
            return None;
        }
        let mut budget = self.budget(limits.nodes, turn);
        let Engine { objective, scratch, rollout, .. } = self;
        let new = || Box::new(SequentialHalving::new(*objective, limits.playout));
        let halving = rollout.get_or_insert_with(new);
        let counted = scratch.counted(board);
        let result = halving.choose(counted, &scratch.candidates, limits, &mut budget);
        self.nodes += budget.used();
        result
    }

    /// A budget of at most `nodes`, and no more than the turn has left; empty past the soft
    /// deadline.
    fn budget<'c>(&self, nodes: u64, turn: Turn<'c>) -> Budget<'c> {
        let left = self.limits.turn_nodes.saturating_sub(self.nodes);
        turn.budget(if turn.may_start() { nodes.min(left) } else { 0 })
    }

    /// All cells that the last decision's step proved safe; the decision names the first.
    pub fn safe(&self) -> &[Cell] {
        &self.safe
    }

    /// Every reason why no layout fits `board` that the budget suffices to find, besides those of
    /// [`Board::reasons`].
    pub fn contradictions(&mut self, board: &Board, turn: Turn) -> Vec<Inconsistency> {
        #[cfg(sapper_injected_late_panic)]
        assert!(board.hidden_len() == 0, "injected, to see that an answer stands after it");
        let SolverScratch { position, deducer, solver, .. } = &mut self.scratch;
        board.position_into(position);
        inconsistencies(position, deducer, solver, &mut turn.budget(INCONSISTENCY_NODES))
    }
}

/// Whether enough cells are open for playouts to tell candidates apart ([`RolloutLimits::min_open_share`]);
/// mines that were hit count as open.
fn are_rollouts_due(board: &Board, objective: Objective, limits: &RolloutLimits) -> bool {
    let len = board.shape().len();
    let safe = len - (board.mines() as usize).min(len);
    let share = match objective {
        Objective::FewestHits => limits.min_open_share.fewest_hits,
        Objective::CleanWin => limits.min_open_share.clean_win,
    };
    (len - board.hidden_len()) as f64 >= share * safe as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::{Deadlines, NoClock};
    use crate::board::geometry::Shape;
    use crate::board::text_format::Picture;

    const TURN: Turn<'static> = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };

    #[test]
    fn a_turn_keeps_to_its_nodes_and_the_last_steps_use_what_is_left() {
        let rows = "2?2?2?2?2\n?????????\n".repeat(4);
        let picture: Picture = format!("9 8 20\n{rows}").parse().expect("a picture");
        let board = picture.board(0).expect("a board");
        let full = Effort::Full.limits();
        let mut used = Vec::new();
        for turn_nodes in [0, 100_000, 400_000, 30_000_000] {
            let mut engine =
                Engine::within(Objective::FewestHits, SearchLimits { turn_nodes, ..full });
            let decision = engine.decide(&board, TURN).expect("a hidden cell");
            assert_eq!(decision.by, Step::Guess);
            // Deduction is not limited, and a step may exceed its nodes by one charge.
            assert!(engine.nodes <= turn_nodes + turn_nodes / 4 + 50_000, "{turn_nodes}");
            used.push((engine.nodes, decision.games));
        }
        assert!(used.is_sorted() && used[3].0 > 600_000 && used[3].1 > 0, "{used:?}");
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
        let opening_table = false;
        assert_eq!(decide(Objective::FewestHits, SearchLimits { opening_table, ..standard }), None);
        assert_eq!(decide(Objective::CleanWin, standard), None);
    }

    #[test]
    fn rollouts_begin_once_enough_cells_are_open() {
        use crate::base::params::PerObjective;
        use crate::board::CellState;
        let full = Effort::Full.limits().rollouts.expect("full effort has rollouts");
        let limits = RolloutLimits {
            min_open_share: PerObjective { fewest_hits: 0.0, clean_win: 0.25 },
            ..full
        };
        let mut board = Board::new(Shape::new(10, 10).expect("a shape"), 20);
        let cells: Vec<_> = board.shape().cells().collect();
        for (open, &cell) in cells.iter().enumerate().take(30) {
            assert_eq!(
                are_rollouts_due(&board, Objective::CleanWin, &limits),
                open >= 20,
                "{open}"
            );
            assert!(are_rollouts_due(&board, Objective::FewestHits, &limits));
            board.open(cell, CellState::Number(0));
        }
    }
}
