//! The candidates of a guess, each with its complete cost.
//!
//! The engine stops evaluating a candidate that cannot be the best. Here each is evaluated
//! completely, and it is found out whether its number can tell anything.
//!
//! Invariant: the candidates that are not put off are those of the engine's look-ahead, and their
//! costs are its costs but for the numbers that it neglects.
//!
//! Cost: at most `NODES_FACTOR` times the nodes of the engine's look-ahead.

use sapper::board::geometry::Cell;
use sapper::search::CountedBoard;
use sapper::search::guess::{self, GuessScratch, Precision, SecondPly};
use sapper::search::two_ply::TwoPly;
use sapper::settings::budget::Budget;
use sapper::settings::params::{OPENING_BONUS, Objective, SearchLimits};

/// How many times the engine's nodes the candidates may take.
const NODES_FACTOR: u64 = 10;

/// The sum over all numbers.
const COMPLETE: Precision = Precision { limit: f64::INFINITY, negligible: 0.0 };

/// A candidate of a guess with the parts of its cost.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatedCandidate {
    /// The cell.
    pub cell: Cell,
    /// The probability that it is a mine.
    pub odds: f64,
    /// The expected risk of the next move, by its two safest cells.
    pub next: SecondPly,
    /// How many other cells are equivalent: no number touches them or what is around them.
    pub alike: usize,
    /// Whether its number, if it is safe, is known beforehand: it tells nothing.
    pub is_dead: bool,
    /// Whether the engine puts off a guess there ([`TwoPly::is_put_off`]).
    pub is_put_off: bool,
}

impl EvaluatedCandidate {
    /// The cost that a guess minimizes: its own risk and the mean of the two that follow, minus the
    /// bonus for an opening.
    pub fn cost(&self) -> f64 {
        self.odds + self.next.cost()
    }
}

/// The candidates of a guess in order of cost; none where the engine compares odds only.
pub(super) fn candidates(
    scratch: &mut GuessScratch,
    at: CountedBoard,
    objective: Objective,
    limits: SearchLimits,
) -> Vec<EvaluatedCandidate> {
    let (position, odds) = (at.counted.position(), at.counted.odds());
    let mut candidates = Vec::new();
    let min_odds = position.hidden.iter().map(|&cell| odds.of(cell)).fold(1.0, f64::min);
    let is_untouched = position.hidden.len() == position.universe;
    if is_untouched || min_odds >= 1.0 {
        return candidates;
    }
    let Some(mut two_ply) = scratch.lookahead.begin(at) else { return candidates };
    let nodes = limits.lookahead_nodes.saturating_mul(NODES_FACTOR);
    let mut budget = Budget::of_nodes(nodes);
    let margin = limits.rollouts.map_or(0.0, |rollouts| rollouts.margin) + OPENING_BONUS;
    let mut min_cost = f64::INFINITY;
    for cell in guess::ranked_cells(&two_ply) {
        // As in the engine: the odds are a lower bound of the cost before the bonus, and the cells
        // are in order of odds.
        if odds.of(cell) > min_cost + margin {
            break;
        }
        let Some(candidate) = report(&mut two_ply, cell, objective, &mut budget) else { break };
        if !candidate.is_put_off {
            min_cost = min_cost.min(candidate.cost());
        }
        candidates.push(candidate);
    }
    // The sort must be stable: of two equal costs, the engine takes the first.
    candidates.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
    candidates
}

/// A candidate with the parts of its cost; `None` where the budget ends before they are known.
pub(super) fn report(
    two_ply: &mut TwoPly,
    cell: Cell,
    objective: Objective,
    budget: &mut Budget,
) -> Option<EvaluatedCandidate> {
    let next = guess::second_ply(two_ply, cell, objective, COMPLETE, budget).ok()?;
    let mut shown = 0;
    for number in two_ply.numbers(cell) {
        shown += usize::from(two_ply.outcome(cell, number, budget).ok()?.is_some());
        if shown > 1 {
            break;
        }
    }
    let at = two_ply.at();
    let (key, is_put_off) = (two_ply.equivalence_key(cell), two_ply.is_put_off(cell));
    let is_alike = |other: &Cell| {
        *other != cell
            && at.counted.odds().of(*other) < 1.0
            && two_ply.equivalence_key(*other) == key
            && two_ply.is_put_off(*other) == is_put_off
    };
    let alike = if key.is_some() { at.board.hidden().filter(is_alike).count() } else { 0 };
    Some(EvaluatedCandidate {
        cell,
        odds: at.counted.odds().of(cell),
        next,
        alike,
        is_dead: shown == 1,
        is_put_off,
    })
}
