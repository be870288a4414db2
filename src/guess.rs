//! Which cell to open when none is proven safe.
//!
//! The least odds win; among equals the cell with the fewest hidden neighbours, and among those the
//! first in row-major order. A cell with few hidden neighbours shows a number that says much about
//! each of them, is a zero more often, and takes the corner on an untouched field.
//!
//! Measured on 10,000 boards each, paired, against this rule: the first in row-major order wins
//! 0.63 +-1.04 points less on expert boards (first click safe) and opens 0.0215 +-0.0115 more mines on
//! Botzone's default boards; fewest neighbours, hidden or not, wins 0.74 +-0.50 points less and opens
//! 0.0011 +-0.0038 more; breaking the remaining ties by most open numbers around changes nothing
//! (0.01 +-0.21 points, 0.0000 +-0.0015 mines).
//!
//! Invariant: the choice is among the hidden cells, and depends on nothing but the position.

use crate::board::{Board, Shown};
use crate::budget::Budget;
use crate::geometry::Cell;
use crate::lookahead::Lookahead;
use crate::params::{CANDIDATES, SAME_ODDS, WINDOW};
use crate::probability::Odds;

/// What is played for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// The least expected number of mines opened; play goes on after a hit. Botzone's score.
    #[default]
    FewestHits,
    /// The best chance to open no mine at all. The classic rules.
    CleanWin,
}

/// A cell to open and what speaks for it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The cell.
    pub cell: Cell,
    /// The chance that it is a mine.
    pub odds: f64,
    /// How many cells were considered.
    pub candidates: usize,
}

/// The best guess on `board` by two moves, or `None` where no cell is hidden.
pub fn choose(
    board: &Board,
    odds: &Odds,
    objective: Objective,
    lookahead: &mut Lookahead,
    budget: &mut Budget,
) -> Option<Choice> {
    let by_odds = choose_by_odds(board, odds)?;
    let untouched = board.hidden_len() == board.shape().len();
    let Some(ln_layouts) = odds.ln_layouts().filter(|_| !untouched) else { return Some(by_odds) };
    let mut candidates: Vec<(f64, usize, Cell)> = board
        .hidden()
        .filter(|&cell| odds.of(cell) <= by_odds.odds + WINDOW)
        .map(|cell| (odds.of(cell), hidden_around(board, cell), cell))
        .collect();
    // Odds that differ by rounding only must not decide the order.
    candidates.sort_by(|a, b| {
        if (a.0 - b.0).abs() <= SAME_ODDS {
            (a.1, a.2).cmp(&(b.1, b.2))
        } else {
            a.0.total_cmp(&b.0)
        }
    });
    candidates.truncate(CANDIDATES);
    let mut best = (f64::INFINITY, by_odds.cell);
    for &(risk, _, cell) in &candidates {
        // Both costs are at least the cell's own risk.
        if risk >= best.0 - SAME_ODDS {
            break;
        }
        let after_hit = (objective == Objective::FewestHits).then_some(Shown::Hit);
        let mut cost = risk;
        for shown in Lookahead::numbers(board, cell).chain(after_hit) {
            let outcome = lookahead.outcome(board, cell, shown, ln_layouts, budget);
            cost += outcome.map_or(0.0, |outcome| outcome.chance * outcome.next);
            if cost >= best.0 {
                break;
            }
        }
        if cost < best.0 - SAME_ODDS {
            best = (cost, cell);
        }
    }
    Some(Choice { cell: best.1, odds: odds.of(best.1), candidates: candidates.len() })
}

/// The least odds; on a tie the fewest hidden neighbours, then the first in row-major order.
pub fn choose_by_odds(board: &Board, odds: &Odds) -> Option<Choice> {
    let least = board.hidden().map(|cell| odds.of(cell)).fold(f64::INFINITY, f64::min);
    let candidates = || board.hidden().filter(|&cell| odds.of(cell) <= least + SAME_ODDS);
    let cell = candidates().min_by_key(|&cell| (hidden_around(board, cell), cell))?;
    Some(Choice { cell, odds: odds.of(cell), candidates: candidates().count() })
}

fn hidden_around(board: &Board, cell: Cell) -> usize {
    board.shape().neighbours(cell).iter().filter(|&&other| board.is_hidden(other)).count()
}
