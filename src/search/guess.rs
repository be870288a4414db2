//! Which cell to open when none is proven safe.
//!
//! **Two moves.** A cell costs its own risk and what the next move risks, over everything that the cell
//! may show:
//!
//! ```text
//! cost = P(mine) + sum over the numbers n of P(n) x least odds after n        (clean win)
//!      ... + P(mine) x least odds after the hit                              (fewest hits)
//! ```
//!
//! The least odds are 0 where a safe cell follows. Under *clean win* this is one less the chance to survive
//! two moves; under *fewest hits* it is the expected number of mines in two moves, the second of which is
//! also made after a hit. Survival of two moves is how David Hill's solver guesses; that the same sum
//! with one more term counts mines is ours.
//!
//! **Before a first region is open** a zero is worth [`OPENING_BONUS`] more under *clean win*: two moves see no further than the
//! one safe cell that a number may prove.
//!
//! **Candidates** are all cells, the least odds first: none can cost less than its own risk, so looking ends where
//! the risk alone reaches the best cost. Equal odds are looked at in the order of the tie-break, and of cells that are
//! alike ([`Lookahead::equivalence_key`]), as most of those that nobody sees, only the first.
//!
//! **By odds alone**, for an untouched field and where counting was refused: the least odds, then the
//! fewest hidden neighbours, then the first in row-major order. A cell with few hidden neighbours
//! shows a number that says much about each of them, is a zero more often, and takes the corner on an
//! untouched field. Measured on 10,000 boards each, paired, against this tie-break: the first in row-major
//! order wins 0.63 +-1.04 points less on expert boards (first click safe) and opens 0.0215 +-0.0115 more
//! mines on Botzone's default boards; fewest neighbours, hidden or not, wins 0.74 +-0.50 points less and
//! opens 0.0011 +-0.0038 more; breaking the remaining ties by most open numbers around changes nothing
//! (0.01 +-0.21 points, 0.0000 +-0.0015 mines).
//!
//! With standard and full effort, candidates that two moves leave close together are played on to the end:
//! [`crate::search::rollout`].
//!
//! Invariant: the choice is among the hidden cells, and depends on nothing but the position.

use arrayvec::ArrayVec;

use crate::base::budget::{Budget, BudgetExhausted};
use crate::base::objective::Objective;
use crate::base::params::{OPENING_BONUS, OPENING_BONUS_MAX_OPEN, PROBABILITY_TOLERANCE};
use crate::board::geometry::Cell;
use crate::board::group::Position;
use crate::board::{Board, CellState};
use crate::deduction::deducer::Deducer;
use crate::probability::solver::Odds;
use crate::search::two_ply::Lookahead;

/// What listing the candidates of a guess costs for each cell that is hidden, in nodes.
pub const NODES_PER_CANDIDATE: u64 = 50;

/// A cell to open and what speaks for it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The cell.
    pub cell: Cell,
    /// The chance that it is a mine.
    pub odds: f64,
    /// How many cells were looked at two moves ahead; where that is none, how many have the least odds.
    pub candidates: usize,
}

/// A candidate and what two moves say of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The cell.
    pub cell: Cell,
    /// The chance that it is a mine.
    pub odds: f64,
    /// What it costs in two moves.
    pub cost: f64,
}

/// The best guess on `board`, of which `deducer` and `odds` say all that is certain, or `None` where no
/// cell is hidden.
///
/// At most `most` cells are looked at two moves ahead while the budget lasts, the least odds first; what is
/// left then is judged by its odds. What two moves say goes to `weighed`, exactly for every cell that costs at
/// most `margin` more than the best.
pub fn choose(
    board: &Board,
    (position, deducer, odds): (&Position, &Deducer, &Odds),
    (objective, most, margin): (Objective, usize, f64),
    (lookahead, weighed): (&mut Lookahead, &mut Vec<Candidate>),
    budget: &mut Budget,
) -> Option<Choice> {
    weighed.clear();
    let by_odds = choose_by_odds(board, odds)?;
    // On an untouched field every cell shows the same, but for its place: the tie-break knows it. And
    // where every cell is a mine nothing follows.
    let untouched = board.hidden_len() == board.shape().len();
    let is_open = !untouched && by_odds.odds < 1.0 && most > 0;
    let Some(layouts) = odds.layouts().filter(|_| is_open) else { return Some(by_odds) };
    lookahead.begin(position, deducer, layouts);
    let candidates = candidates(board, odds, lookahead, most);
    let mut best = (f64::INFINITY, by_odds.cell);
    let zero = worth_of_zero(board, objective);
    for &cell in &candidates {
        let risk = odds.of(cell);
        // The cost is at least the cell's own risk less what a zero is worth, and they come by risk.
        let limit = best.0 + margin + zero - risk;
        if limit <= PROBABILITY_TOLERANCE {
            break;
        }
        let next = next_move(board, cell, (objective, limit), lookahead, budget);
        let Ok(next) = next else { break };
        let cost = risk + next.cost();
        weighed.push(Candidate { cell, odds: risk, cost });
        if cost < best.0 - PROBABILITY_TOLERANCE {
            best = (cost, cell);
        }
    }
    let looked_at = if weighed.is_empty() { by_odds.candidates } else { weighed.len() };
    Some(Choice { cell: best.1, odds: odds.of(best.1), candidates: looked_at })
}

/// Odds or a cost in steps of [`PROBABILITY_TOLERANCE`]: what differs by rounding only must decide no order and part no equals.
fn quantize(value: f64) -> i64 {
    (value / PROBABILITY_TOLERANCE).round() as i64
}

/// The cells to look at two moves ahead, `most` of them, the least odds first, and one for all that are alike.
/// `lookahead` has begun with the position.
pub fn candidates(board: &Board, odds: &Odds, lookahead: &Lookahead, most: usize) -> Vec<Cell> {
    let mut candidates: Vec<(i64, u8, Cell)> = board
        .hidden()
        .filter(|&cell| odds.of(cell) < 1.0)
        .map(|cell| (quantize(odds.of(cell)), board.hidden_around(cell), cell))
        .collect();
    candidates.sort_unstable();
    // Two numbers with a sum of 8 at most: 45 pairs.
    let mut met = ArrayVec::<(usize, i64), 64>::new();
    let is_new = |cell: &Cell| {
        let Some(equivalence_key) = lookahead.equivalence_key(board, *cell) else { return true };
        !met.contains(&equivalence_key) && met.try_push(equivalence_key).is_ok()
    };
    candidates.into_iter().map(|(_, _, cell)| cell).filter(is_new).take(most).collect()
}

/// Keeps those that cost at most `margin` more than the least, `most` of them, the least first. Of those that are
/// the same to two moves, as the cells of an untouched region, one stands for all.
pub fn prune(weighed: &mut Vec<Candidate>, margin: f64, most: usize) {
    let key = |weighed: &Candidate| (quantize(weighed.cost), quantize(weighed.odds));
    weighed.sort_by_key(key);
    weighed.dedup_by_key(|weighed| key(weighed));
    let limit = weighed.first().map_or(0.0, |first| first.cost + margin);
    weighed.retain(|candidate| candidate.cost <= limit);
    weighed.truncate(most);
}

/// What follows a cell, over everything that it may show.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Next {
    /// What the next move risks: an expected number of mines, or a chance.
    pub risk: f64,
    /// What the chance of a zero is worth.
    pub zero: f64,
}

impl Next {
    /// What is to be added to the cell's own risk.
    pub fn cost(self) -> f64 {
        self.risk - self.zero
    }
}

/// What a zero is worth on `board`.
fn worth_of_zero(board: &Board, objective: Objective) -> f64 {
    let open = board.shape().len() - board.hidden_len();
    if objective == Objective::CleanWin && open <= OPENING_BONUS_MAX_OPEN {
        OPENING_BONUS
    } else {
        0.0
    }
}

/// What follows `cell`. Stops adding up where the risk reaches `limit`. `lookahead` has begun with the position.
///
/// # Errors
/// [`BudgetExhausted`] where the budget ends before it is known.
pub fn next_move(
    board: &Board,
    cell: Cell,
    (objective, limit): (Objective, f64),
    lookahead: &mut Lookahead,
    budget: &mut Budget,
) -> Result<Next, BudgetExhausted> {
    let after_a_hit = (objective == Objective::FewestHits).then_some(CellState::Hit);
    let mut next = Next::default();
    for shown in lookahead.numbers(board, cell).chain(after_a_hit) {
        if let Some(outcome) = lookahead.outcome(board, cell, shown, budget)? {
            next.risk += outcome.chance * outcome.next;
            if shown == CellState::Number(0) {
                next.zero = outcome.chance * worth_of_zero(board, objective);
            }
        }
        if next.risk >= limit {
            break;
        }
    }
    Ok(next)
}

/// The cell to open by odds alone.
pub fn choose_by_odds(board: &Board, odds: &Odds) -> Option<Choice> {
    least_odds(|| board.hidden(), odds, |cell| board.hidden_around(cell))
}

/// The least odds of the `cells`; on a tie the fewest hidden neighbours, then the first in row-major order.
pub fn least_odds<I: Iterator<Item = Cell>>(
    cells: impl Fn() -> I,
    odds: &Odds,
    hidden_around: impl Fn(Cell) -> u8,
) -> Option<Choice> {
    let lesser = |least: f64, cell| if odds.of(cell) < least { odds.of(cell) } else { least };
    let least = cells().fold(f64::INFINITY, lesser);
    let mut len = 0;
    let candidates = cells().filter(|&cell| odds.of(cell) <= least + PROBABILITY_TOLERANCE);
    let keys = candidates.inspect(|_| len += 1).map(|cell| (hidden_around(cell), cell));
    let (_, cell) = keys.min()?;
    Some(Choice { cell, odds: odds.of(cell), candidates: len })
}
