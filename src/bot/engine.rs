//! The ladder: which step answers, in order of cost, and why there.
//!
//! | step | finds | why here |
//! |---|---|---|
//! | deduction | cells that one or two numbers prove safe, then one or two groups | settles most turns; what two numbers prove is kept from turn to turn |
//! | counting | cells that no layout mines | complete: what it does not find safe is not safe |
//! | endgame | the cell that optimal play opens | where the layouts can be looked at one by one |
//! | guess | the least cost, two moves ahead | only when there is no safe cell |
//! | rough | a hidden cell of small local risk | the numbers contradict each other: there are no odds |
//!
//! The first hidden cell is the answer from the first moment; each step may only replace it by a
//! better one. Node limits decide how far a step goes, so the same board gives the same answer on
//! every machine; the clock is only the net below them.
//!
//! Invariant: a [`Decision`] names a hidden cell of the board that it was made for. Its constructor
//! checks this, and the constructor is private.

use crate::base::budget::{Budget, Turn};
use crate::base::objective::Objective;
use crate::base::params::{
    BALANCE_NODES, COUNT_NODES, Effort, EndgameLimits, INCONSISTENCY_NODES, NODES_PER_ENDGAME_NODE,
    RolloutLimits, SearchLimits, TINY_FIELD_CELLS,
};
use crate::board::Board;
use crate::board::geometry::Cell;
use crate::board::group::{Contradiction, Position};
use crate::deduction::deducer::{Deducer, Reach};
use crate::deduction::incremental::IncrementalDeducer;
use crate::probability::inconsistency::{Inconsistency, inconsistencies};
use crate::probability::solver::ProbabilitySolver;
use crate::probability::weight::ExtendedF64;
use crate::search::endgame::layouts::Layouts;
use crate::search::endgame::opening_table;
use crate::search::endgame::{Endgame, Solution};
use crate::search::guess;
use crate::search::rollout::{RolloutResult, SequentialHalving};
use crate::search::two_ply::Lookahead;

/// The step of the ladder that decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// A cell that group deduction proved safe.
    Deduction,
    /// A cell that counting proved safe.
    Counting,
    /// The best by optimal play over all layouts left, or by the best play that was found in time.
    Endgame,
    /// The least cost.
    Guess,
    /// The numbers contradict each other.
    Rough,
}

impl Step {
    /// All steps, in the order of the ladder.
    pub const ALL: [Step; 5] =
        [Step::Deduction, Step::Counting, Step::Endgame, Step::Guess, Step::Rough];

    /// Its name in tables and logs.
    pub fn name(self) -> &'static str {
        match self {
            Step::Deduction => "deduction",
            Step::Counting => "counting",
            Step::Endgame => "endgame",
            Step::Guess => "guess",
            Step::Rough => "rough",
        }
    }

    /// Whether the cell was proven safe.
    pub fn is_proof(self) -> bool {
        matches!(self, Step::Deduction | Step::Counting)
    }
}

/// What to open, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    cell: Cell,
    /// The step that decided.
    pub by: Step,
    /// The chance that the cell is a mine; 0 where it is proven safe.
    pub odds: f64,
    /// Cells that were proven safe, or looked at for a guess ([`guess::Choice::candidates`]).
    pub candidates: usize,
    /// Cells whose odds are approximate.
    pub approximate: usize,
    /// Games that were played on to their end to decide between the candidates.
    pub games: usize,
    /// Why there are no odds, where the numbers contradict each other.
    pub contradiction: Option<Contradiction>,
    /// What the cell costs, where the endgame was solved, or as far as that went.
    pub solved: Option<Solution>,
}

impl Decision {
    /// The cell to open; hidden on the board that was asked about.
    pub fn cell(&self) -> Cell {
        self.cell
    }

    fn new(board: &Board, cell: Cell, by: Step, odds: f64, candidates: usize) -> Option<Decision> {
        let decision = Decision {
            cell,
            by,
            odds,
            candidates,
            approximate: 0,
            games: 0,
            contradiction: None,
            solved: None,
        };
        board.is_hidden(cell).then_some(decision)
    }
}

/// What reading a board anew and building its position cost for each cell, in nodes; paid whether it is anew or not.
const NODES_PER_CELL: u64 = 40;

/// Decides one board after another, reusing its memory. It keeps nothing that an answer depends on.
pub struct Engine {
    incremental: IncrementalDeducer,
    position: Position,
    deducer: Deducer,
    solver: ProbabilitySolver,
    safe: Vec<Cell>,
    objective: Objective,
    limits: SearchLimits,
    lookahead: Lookahead,
    undecided: Position,
    layouts: Layouts,
    endgame: Endgame,
    weighed: Vec<guess::Candidate>,
    rollout: Option<Box<SequentialHalving>>,
    nodes: u64,
}

/// The bot's: for Botzone's score, with all its effort.
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

    /// An engine that plays for `objective` within limits of the caller's own.
    pub fn within(objective: Objective, limits: SearchLimits) -> Engine {
        Engine {
            objective,
            limits,
            incremental: IncrementalDeducer::default(),
            position: Position::default(),
            deducer: Deducer::default(),
            solver: ProbabilitySolver::default(),
            safe: Vec::new(),
            lookahead: Lookahead::default(),
            undecided: Position::default(),
            layouts: Layouts::default(),
            endgame: Endgame::default(),
            weighed: Vec::new(),
            rollout: None,
            nodes: 0,
        }
    }

    /// What to open on `board`, or `None` where no cell is hidden.
    pub fn decide(&mut self, board: &Board, turn: Turn) -> Option<Decision> {
        #[cfg(sapper_injected_panic)]
        assert!(board.hidden_len() == 0, "injected, to see that an answer goes out");
        self.safe.clear();
        self.nodes = NODES_PER_CELL * board.shape().len() as u64;
        let safe = self.incremental.update(board);
        if let Some(&cell) = safe.first() {
            self.safe.extend_from_slice(safe);
            return Decision::new(board, cell, Step::Deduction, 0.0, self.safe.len());
        }
        board.position_into(&mut self.position);
        let any = *self.position.hidden.first()?;
        let fallback = Decision::new(board, any, Step::Rough, f64::NAN, 0);
        match self.climb(board, turn) {
            Ok(decision) => decision.or(fallback),
            Err(contradiction) => {
                let mut budget = turn.budget(BALANCE_NODES);
                let odds = self.solver.run_approximate(&self.position, &mut budget);
                let choice = guess::choose_by_odds(board, odds);
                let mut decision = choice
                    .and_then(|choice| {
                        let guess::Choice { cell, odds, candidates } = choice;
                        Decision::new(board, cell, Step::Rough, odds, candidates)
                    })
                    .or(fallback)?;
                decision.contradiction = Some(contradiction);
                Some(decision)
            }
        }
    }

    /// Every reason why no layout fits `board`, as far as the budget goes, but for those that the board
    /// itself knows ([`Board::reasons`]).
    pub fn contradictions(&mut self, board: &Board, turn: Turn) -> Vec<Inconsistency> {
        #[cfg(sapper_injected_late_panic)]
        assert!(board.hidden_len() == 0, "injected, to see that an answer stands after it");
        let Engine { position, deducer, solver, .. } = self;
        board.position_into(position);
        inconsistencies(position, deducer, solver, &mut turn.budget(INCONSISTENCY_NODES))
    }

    /// All cells that the last decision's step proved safe; the decision names the first.
    pub fn safe(&self) -> &[Cell] {
        &self.safe
    }

    /// The best cell by optimal play, or by the best play found until nodes ended, where so few layouts are left that
    /// they can be looked at one by one.
    fn solve(&mut self, board: &Board, layouts: ExtendedF64, turn: Turn) -> Option<Solution> {
        let is_untouched = board.hidden_len() == board.shape().len();
        if is_untouched && self.objective == Objective::FewestHits && self.limits.opening_table {
            let known = opening_table::best(board.shape(), board.mines());
            if known.is_some() {
                return known;
            }
        }
        let is_tiny = board.shape().len() <= TINY_FIELD_CELLS;
        let EndgameLimits { layouts: most, nodes } =
            if is_tiny { self.limits.tiny_field } else { self.limits.endgame };
        if layouts.is_above(most) || !turn.may_start() {
            return None;
        }
        let left = self.budget(u64::MAX, turn).left() / NODES_PER_ENDGAME_NODE;
        let mut budget = turn.budget(nodes.min(left));
        self.deducer.undecided_into(&self.position, &mut self.undecided);
        let Engine { layouts, endgame, undecided, .. } = self;
        let listed = layouts.list(board, undecided, most, &mut budget);
        let best = listed.and_then(|()| endgame.solve(layouts, self.objective, &mut budget));
        self.nodes += NODES_PER_ENDGAME_NODE * budget.used();
        best.ok()?
    }

    /// The best guess, where odds are known and no cell is proven safe.
    fn guess(&mut self, board: &Board, turn: Turn) -> Option<Decision> {
        self.nodes += guess::NODES_PER_CANDIDATE * board.hidden_len() as u64;
        let mut budget = self.budget(self.limits.lookahead_nodes, turn);
        let known = (&self.position, &self.deducer, self.solver.odds());
        let objective = self.objective;
        let rollouts = self.limits.rollouts.filter(|limits| is_begun(board, objective, limits));
        let margin = rollouts.map_or(0.0, |rollouts| rollouts.margin);
        let play = (self.objective, self.limits.candidates, margin);
        let memory = (&mut self.lookahead, &mut self.weighed);
        let guess::Choice { cell, odds, candidates } =
            guess::choose(board, known, play, memory, &mut budget)?;
        self.nodes += budget.used();
        let by_two_moves = Decision::new(board, cell, Step::Guess, odds, candidates);
        let Some(limits) = rollouts else { return by_two_moves };
        guess::prune(&mut self.weighed, limits.margin, limits.candidates);
        if self.weighed.len() < 2 || !turn.may_start() {
            return by_two_moves;
        }
        let mut budget = self.budget(limits.nodes, turn);
        let rollout = self
            .rollout
            .get_or_insert_with(|| Box::new(SequentialHalving::new(objective, limits.playout)));
        let known = (&self.position, &self.deducer, &self.solver);
        let played = rollout.choose(board, known, &self.weighed, limits, &mut budget);
        self.nodes += budget.used();
        let Some(RolloutResult { cell, games }) = played else { return by_two_moves };
        let odds = self.solver.odds().of(cell);
        let decision = Decision::new(board, cell, Step::Guess, odds, candidates)?;
        Some(Decision { games, ..decision })
    }

    /// At most `most` nodes, and no more than the turn has left; none past the soft deadline.
    fn budget<'c>(&self, most: u64, turn: Turn<'c>) -> Budget<'c> {
        let left = self.limits.turn_nodes.saturating_sub(self.nodes);
        turn.budget(if turn.may_start() { most.min(left) } else { 0 })
    }

    fn climb(&mut self, board: &Board, turn: Turn) -> Result<Option<Decision>, Contradiction> {
        // The rules end by themselves, so that only the clock may stop them.
        let mut budget = turn.budget(u64::MAX);
        let deduced = self.deducer.run_within(&self.position, Reach::FirstSafe, &mut budget);
        self.nodes += budget.used();
        deduced?;
        if let Some(&cell) = self.deducer.safe().first() {
            self.safe.extend_from_slice(self.deducer.safe());
            return Ok(Decision::new(board, cell, Step::Deduction, 0.0, self.safe.len()));
        }
        // Without a safe cell deduction went to its fixed point, which is what counting wants. Past
        // the soft deadline (a field so large that deduction took it) nothing is counted.
        let mut budget = self.budget(COUNT_NODES, turn);
        let odds = self.solver.run(&self.position, &self.deducer, &mut budget);
        self.nodes += budget.used();
        let odds = odds?;
        let approximate = odds.approximate();
        let decision = if let Some(&cell) = odds.safe().first() {
            self.safe.extend_from_slice(odds.safe());
            Decision::new(board, cell, Step::Counting, 0.0, self.safe.len())
        } else {
            let layouts = odds.layouts();
            if let Some(best) = layouts.and_then(|layouts| self.solve(board, layouts, turn)) {
                let risk = f64::from(best.mined) / f64::from(best.layouts);
                let decision = Decision::new(board, best.cell, Step::Endgame, risk, 1);
                return Ok(decision.map(|decision| Decision { solved: Some(best), ..decision }));
            }
            self.guess(board, turn)
        };
        Ok(decision.map(|decision| Decision { approximate, ..decision }))
    }
}

/// Whether so much is open that games played on tell candidates apart ([`RolloutLimits::min_open_share`]); mines that were hit count.
fn is_begun(board: &Board, objective: Objective, limits: &RolloutLimits) -> bool {
    let len = board.shape().len();
    let safe = len - (board.mines() as usize).min(len);
    (len - board.hidden_len()) as f64 >= limits.min_open_share.get(objective) * safe as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::{Deadlines, NoClock};
    use crate::board::geometry::Shape;
    use crate::board::text_format::Picture;

    const TURN: Turn<'static> = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };

    #[test]
    fn a_turn_keeps_to_its_nodes_and_its_last_steps_make_do_with_what_is_left() {
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
            // Deduction is not limited, and a step may end with one spend too much.
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
        let without_table = SearchLimits { opening_table: false, ..standard };
        assert_eq!(decide(Objective::FewestHits, without_table), None);
        assert_eq!(decide(Objective::CleanWin, standard), None);
    }

    #[test]
    fn games_are_played_on_once_so_much_is_open() {
        use crate::base::params::PerObjective;
        use crate::board::CellState;
        let full = Effort::Full.limits().rollouts.expect("full effort plays on");
        let min_open_share = PerObjective { fewest_hits: 0.0, clean_win: 0.25 };
        let limits = RolloutLimits { min_open_share, ..full };
        let mut board = Board::new(Shape::new(10, 10).expect("a shape"), 20);
        let cells: Vec<_> = board.shape().cells().collect();
        for (open, &cell) in cells.iter().enumerate().take(30) {
            assert_eq!(is_begun(&board, Objective::CleanWin, &limits), open >= 20, "{open}");
            assert!(is_begun(&board, Objective::FewestHits, &limits));
            board.open(cell, CellState::Number(0));
        }
    }
}
