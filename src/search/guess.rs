//! The guess by two plies.
//!
//! **Two plies.** The cost of a cell is its own risk and the risk of what follows, over everything
//! that the cell can show:
//!
//! ```text
//! cost = P(mine) + sum over the numbers n of P(n) x risk after n       (clean win)
//!      ... + P(mine) x risk after the hit                             (fewest hits)
//! ```
//!
//! The risk is the mean of the two lowest odds ([`SECOND_CELL_WEIGHT`]), 0 where two safe cells
//! follow. Unlikely numbers are neglected ([`Precision::negligible`]).
//!
//! **Opening bonus.** Before a first opening, a zero reduces the cost under *clean win* by
//! [`OPENING_BONUS`] times its probability: two plies do not see what an opening leads to.
//!
//! **Candidates** are the undecided cells of the largest region ([`crate::search::regions`]), by
//! increasing odds, ties by `tie_break`, up to the end of the budget or where the odds less the
//! bonus exceed the best cost by the margin: no other costs less. Of equivalent cells
//! ([`TwoPly::equivalence_key`]) only the first is evaluated.
//!
//! **A 50/50** with informative numbers is guessed before any other cell ([`fifty_fifty`]). **By
//! odds alone** a cell is chosen on an untouched field, and if odds are approximate.
//!
//! Invariant: the choice is a hidden cell, and depends on nothing but the position and the budget.

use crate::board::geometry::Cell;
use crate::board::group::Position;
use crate::board::{Board, CellState};
use crate::deduction::groups::deducer::Deducer;
use crate::probability::odds::{Odds, quantize};
use crate::probability::solver::ProbabilitySolver;
use crate::search::two_ply::{Lookahead, Outcome, TwoPly};
use crate::search::{CountedBoard, fifty_fifty};
use crate::settings::budget::{Budget, BudgetExhausted};
use crate::settings::params::{
    NEGLIGIBLE_PROBABILITY, OPENING_BONUS, OPENING_BONUS_MAX_OPEN, Objective,
    PROBABILITY_TOLERANCE, SECOND_CELL_WEIGHT,
};

/// Nodes that listing the candidates costs for each hidden cell; the caller charges them.
pub const NODES_PER_HIDDEN_CELL: u64 = 50;

/// The error of a sum of probabilities.
const ROUNDING: f64 = 1e-12;

/// How a guess is chosen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GuessConfig {
    /// What is played for.
    pub objective: Objective,
    /// Cells that the two-ply look-ahead evaluates, by increasing odds; with 0 the odds decide.
    pub max_candidates: usize,
    /// Candidates that cost at most this much more than the best are evaluated to the end.
    pub margin: f64,
    /// See [`Precision::negligible`].
    pub negligible: f64,
}

impl GuessConfig {
    /// The engine's: [`NEGLIGIBLE_PROBABILITY`] is neglected.
    pub fn played(objective: Objective, max_candidates: usize, margin: f64) -> GuessConfig {
        GuessConfig { objective, max_candidates, margin, negligible: NEGLIGIBLE_PROBABILITY }
    }
}

/// How far the sum over the numbers of a cell goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Precision {
    /// The sum ends where the cost that follows the cell, without the bonus, reaches this.
    pub limit: f64,
    /// The sum ends where the numbers left have at most this probability together; their risk is
    /// taken to be the mean of the others, and no opening is expected. With 0 the sum is exact.
    pub negligible: f64,
}

/// A cell to open.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guess {
    /// The cell.
    pub cell: Cell,
    /// The probability that it is a mine.
    pub odds: f64,
    /// How many cells the two-ply look-ahead evaluated; without one, how many have the lowest odds.
    pub candidates: usize,
}

/// A cell that was evaluated by the two-ply look-ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The cell.
    pub cell: Cell,
    /// The probability that it is a mine.
    pub odds: f64,
    /// Its two-ply cost.
    pub cost: f64,
}

/// The memory of the look-ahead, reused from guess to guess.
#[derive(Default)]
pub struct GuessScratch {
    /// The two-ply look-ahead.
    pub lookahead: Lookahead,
    /// The candidates of the last guess.
    pub candidates: Vec<Candidate>,
}

/// The memory of every stage up to a guess, reused from position to position.
///
/// The engine, the playouts and the analysis each own one, and run the same stages on it. Every
/// stage returns a value that the next one takes:
///
/// ```text
/// Position ─► Deducer ─► Deduced ─► ProbabilitySolver ─► Counted ─► the methods of the search
/// ```
///
/// Invariant: a result borrows the memory that contains it, so it cannot outlive the next run.
///
/// Cost: the buffers keep their capacity, so counting a position of the size of an earlier one
/// allocates nothing.
#[derive(Default)]
pub struct SolverScratch {
    /// The groups of the position.
    pub position: Position,
    /// The rules of deduction.
    pub deducer: Deducer,
    /// The counting of what deduction leaves.
    pub solver: ProbabilitySolver,
    /// The candidates of a guess, and the two-ply look-ahead.
    pub guess: GuessScratch,
}

/// The rank of a cell among cells of equal probability; the lowest is opened.
type Rank = (u8, Cell);

/// The rank of `cell`, which has this many hidden neighbours.
///
/// The cell with the fewest hidden neighbours is first, then row-major order decides. A cell with
/// few hidden neighbours shows a number that says much about each of them, and is a zero more
/// often; on an untouched field this is a corner.
///
/// Guesses by odds and the order of the candidates, in play and in playouts, use this rank; the
/// endgame has an order of its own. Row-major order alone is weaker for both objectives; counting
/// all neighbours instead of the hidden ones wins less; breaking the remaining ties by the most
/// open neighbours changes nothing (results page, R11). `CONTRIBUTING.md` says how to try
/// another order.
///
/// Invariant: the order is total, so the choice does not depend on the order of evaluation.
fn tie_break(cell: Cell, hidden_neighbours: u8) -> Rank {
    (hidden_neighbours, cell)
}

/// The best guess, or `None` where no cell is hidden.
///
/// The evaluated cells are written to `scratch`; the sums are complete, up to the negligible
/// numbers, for every cell that costs at most `config.margin` more than the best. Where the budget
/// ends first, the best of the cells evaluated until then is chosen, or the cell of lowest odds
/// where there is none.
pub fn choose(
    at: CountedBoard,
    config: GuessConfig,
    scratch: &mut GuessScratch,
    budget: &mut Budget,
) -> Option<Guess> {
    let GuessScratch { lookahead, candidates } = scratch;
    let GuessConfig { objective, max_candidates, margin, negligible } = config;
    let (board, odds) = (at.board, at.counted.odds());
    candidates.clear();
    let by_odds = choose_by_odds(board, odds)?;
    // On an untouched field, cells differ only in their number of neighbours, which the tie-break
    // considers. If every cell is a mine, nothing follows.
    let is_untouched = board.hidden_len() == board.shape().len();
    let is_searched = !is_untouched && by_odds.odds < 1.0 && max_candidates > 0;
    let two_ply = if is_searched { lookahead.begin(at) } else { None };
    let Some(mut two_ply) = two_ply else { return Some(by_odds) };
    let (mut best_cost, mut best_cell) = (f64::INFINITY, by_odds.cell);
    let bonus = opening_bonus(board, objective);
    let even = fifty_fifty::first_set(at);
    let sides = if objective == Objective::FewestHits { 1 } else { 2 };
    let cells = match even {
        Some(even) => even[..sides].to_vec(),
        None => lowest_in_largest_region(&two_ply, max_candidates),
    };
    for cell in cells {
        let risk = odds.of(cell);
        // The cost is at least the risk less the bonus, and the cells come by increasing risk.
        let limit = best_cost + margin + bonus - risk;
        if limit <= PROBABILITY_TOLERANCE {
            break;
        }
        let precision = Precision { limit, negligible };
        let second = second_ply(&mut two_ply, cell, objective, precision, budget);
        let Ok(second) = second else { break };
        let cost = risk + second.cost();
        candidates.push(Candidate { cell, odds: risk, cost });
        if cost < best_cost - PROBABILITY_TOLERANCE {
            (best_cost, best_cell) = (cost, cell);
        }
    }
    let evaluated = if candidates.is_empty() { by_odds.candidates } else { candidates.len() };
    Some(Guess { cell: best_cell, odds: odds.of(best_cell), candidates: evaluated })
}

/// The first `max` of the [`ranked_cells`] that are not put off.
fn lowest_in_largest_region(two_ply: &TwoPly, max: usize) -> Vec<Cell> {
    let mut cells = ranked_cells(two_ply);
    cells.retain(|&cell| !two_ply.is_put_off(cell));
    cells.truncate(max);
    cells
}

/// The cells that may be safe, in the largest region and in those that are put off, by increasing
/// odds and then by `tie_break`. Only one of several equivalent cells is listed.
pub fn ranked_cells(two_ply: &TwoPly) -> Vec<Cell> {
    /// The counts of cells around a cell, from none to eight.
    const COUNTS: usize = 9;
    let (board, odds) = (two_ply.at().board, two_ply.at().counted.odds());
    let with_odds = |rank: Rank| (quantize(odds.of(rank.1)), rank);
    let mut ranked: Vec<(i64, Rank)> = Vec::new();
    // Most cells are equivalent to others. Equivalent cells have the same odds.
    let mut first_of_key = [[None; COUNTS * COUNTS]; 2];
    for &cell in two_ply.undecided().iter().filter(|&&cell| odds.of(cell) < 1.0) {
        let rank = tie_break(cell, board.hidden_around(cell));
        match two_ply.equivalence_key(cell) {
            Some((undecided, mines)) => {
                let firsts = &mut first_of_key[usize::from(two_ply.is_put_off(cell))];
                let first = &mut firsts[COUNTS * undecided + mines];
                *first = Some(first.map_or(rank, |first: Rank| first.min(rank)));
            }
            None => ranked.push(with_odds(rank)),
        }
    }
    ranked.extend(first_of_key.into_iter().flatten().flatten().map(with_odds));
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, (_, cell))| cell).collect()
}

/// Keeps the candidates that cost at most `margin` more than the best, at most `max` of them, by
/// increasing cost. If several candidates have equal odds and cost, only the first is kept.
pub fn prune(candidates: &mut Vec<Candidate>, margin: f64, max: usize) {
    let key = |candidate: &Candidate| (quantize(candidate.cost), quantize(candidate.odds));
    candidates.sort_by_key(key);
    candidates.dedup_by_key(|candidate| key(candidate));
    let limit = candidates.first().map_or(0.0, |first| first.cost + margin);
    candidates.retain(|candidate| candidate.cost <= limit);
    candidates.truncate(max);
}

/// What follows a cell, over everything that it can show.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SecondPly {
    /// The risk of the next move, by the safest cell: an expected number of mines, or a
    /// probability.
    pub risk: f64,
    /// The same by the second safest cell.
    pub second_risk: f64,
    /// The opening bonus times the probability of a zero.
    pub opening_bonus: f64,
}

impl SecondPly {
    /// The cost that is added to the cell's own risk.
    pub fn cost(self) -> f64 {
        self.mean_risk() - self.opening_bonus
    }

    /// Adds the risks after one value of the cell.
    fn add(&mut self, outcome: Outcome) {
        self.risk += outcome.probability * outcome.lowest.first;
        self.second_risk += outcome.probability * outcome.lowest.second;
    }

    /// The cost without the opening bonus.
    fn mean_risk(self) -> f64 {
        self.risk + SECOND_CELL_WEIGHT * (self.second_risk - self.risk)
    }
}

/// The value of a zero on `board`.
fn opening_bonus(board: &Board, objective: Objective) -> f64 {
    let open = board.shape().len() - board.hidden_len();
    if objective == Objective::CleanWin && open <= OPENING_BONUS_MAX_OPEN {
        OPENING_BONUS
    } else {
        0.0
    }
}

/// What follows `cell`. Where the sum ends early, it is scaled to the probability of all numbers.
///
/// # Errors
/// [`BudgetExhausted`] where the budget ends before it is known.
pub fn second_ply(
    two_ply: &mut TwoPly,
    cell: Cell,
    objective: Objective,
    precision: Precision,
    budget: &mut Budget,
) -> Result<SecondPly, BudgetExhausted> {
    let mut second = SecondPly::default();
    let safe = 1.0 - two_ply.at().counted.odds().of(cell);
    let mut counted = 0.0;
    for shown in two_ply.numbers(cell) {
        let is_negligible = safe - counted <= precision.negligible + ROUNDING;
        if is_negligible || second.mean_risk() >= precision.limit {
            break;
        }
        let Some(outcome) = two_ply.outcome(cell, shown, budget)? else { continue };
        counted += outcome.probability;
        second.add(outcome);
        if shown == CellState::Number(0) {
            let board = two_ply.at().board;
            second.opening_bonus = outcome.probability * opening_bonus(board, objective);
        }
    }
    if counted > 0.0 {
        second.risk *= safe / counted;
        second.second_risk *= safe / counted;
    }
    if objective == Objective::FewestHits && second.mean_risk() < precision.limit {
        let after_hit = two_ply.outcome(cell, CellState::Hit, budget)?;
        after_hit.into_iter().for_each(|outcome| second.add(outcome));
    }
    Ok(second)
}

/// The hidden cell of lowest odds, ties by `tie_break`; `None` where no cell is hidden.
pub fn choose_by_odds(board: &Board, odds: &Odds) -> Option<Guess> {
    choose_by_odds_among(|| board.hidden(), odds, |cell| board.hidden_around(cell))
}

/// The cell of lowest odds among `cells`, ties by `tie_break`; `None` where none has odds.
pub fn choose_by_odds_among<I: Iterator<Item = Cell>>(
    cells: impl Fn() -> I,
    odds: &Odds,
    hidden_neighbours: impl Fn(Cell) -> u8,
) -> Option<Guess> {
    let lowest = cells().map(|cell| odds.of(cell)).fold(f64::INFINITY, f64::min);
    let (mut first, mut candidates) = (None, 0);
    for cell in cells().filter(|&cell| odds.of(cell) <= lowest + PROBABILITY_TOLERANCE) {
        let rank = tie_break(cell, hidden_neighbours(cell));
        first = Some(first.map_or(rank, |first: Rank| first.min(rank)));
        candidates += 1;
    }
    let (_, cell) = first?;
    Some(Guess { cell, odds: odds.of(cell), candidates })
}
