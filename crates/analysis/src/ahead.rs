//! What opening each hidden cell promises: the chance of a zero, the chance that a safe cell
//! follows, and whether its number can tell anything.
//!
//! All of it is sums over the [`outcomes`] of the cell.
//!
//! Invariant: both chances are exact. Cells whose outcomes differ in names alone are counted once:
//! a cell of which no number is known, and whose neighbours no number touches, is equivalent to
//! another one with as many hidden cells and as many opened mines around it.
//!
//! Cost: the outcomes of every cell near a number, and of a few cells far from all numbers.

use std::collections::HashMap;

use crate::Analysis;
use crate::outcomes::{CellOutcome, outcomes};
use sapper::board::CellState;
use sapper::board::geometry::Cell;
use sapper::settings::params::Objective;

/// What opening a cell promises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Promise {
    /// The probability that it shows 0.
    pub zero: f64,
    /// The probability that a cell is proven safe afterwards, or that no safe cell is left to open.
    /// For a clean win, a mine is followed by nothing.
    pub next_safe: f64,
    /// Whether its number, if it is safe, is known beforehand: it tells nothing.
    pub is_dead: bool,
}

impl Promise {
    fn of(outcomes: &[CellOutcome], objective: Objective) -> Promise {
        let is_counted = |one: &&CellOutcome| {
            let is_lost = one.shown == CellState::Hit && objective == Objective::CleanWin;
            !is_lost && (one.safe > 0 || one.next.is_none())
        };
        let numbers = || outcomes.iter().filter(|one| one.shown != CellState::Hit);
        let zero = numbers().find(|one| one.shown == CellState::Number(0));
        let sum: f64 = outcomes.iter().filter(is_counted).map(|one| one.chance).sum();
        Promise {
            zero: zero.map_or(0.0, |one| one.chance),
            // What is certain is exactly 1: rounding must not hide it.
            next_safe: if outcomes.iter().all(|one| is_counted(&one)) { 1.0 } else { sum.min(1.0) },
            is_dead: numbers().count() == 1,
        }
    }
}

/// The promises of the hidden cells that are no proven mines, in row-major order; `None` where the
/// layouts cannot be counted exactly.
pub fn promises(analysis: &Analysis) -> Option<Vec<(Cell, Promise)>> {
    let board = analysis.board();
    let shape = board.shape();
    let mut is_constrained = vec![false; shape.len()];
    let premises = &analysis.deduced().position().premises;
    for cell in premises.iter().flat_map(|premise| premise.group.cells()) {
        is_constrained[cell.index()] = true;
    }
    let key = |cell: Cell| {
        let around = shape.neighbours(cell);
        let is_free = |cell: &Cell| !is_constrained[cell.index()];
        let count = |state| around.iter().filter(|&&other| board.state(other) == state).count();
        (is_free(&cell) && around.iter().all(is_free))
            .then(|| (count(CellState::Hidden), count(CellState::Hit)))
    };
    let mut known = HashMap::new();
    let mut found = Vec::new();
    for cell in board.hidden().filter(|&cell| analysis.odds().of(cell) < 1.0) {
        let key = key(cell);
        let promise = match key.and_then(|key| known.get(&key)) {
            Some(&promise) => promise,
            None => Promise::of(&outcomes(analysis, cell)?, analysis.objective()),
        };
        if let Some(key) = key {
            known.insert(key, promise);
        }
        found.push((cell, promise));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analyzer;
    use sapper::board::Board;
    use sapper::board::text_format::BoardText;
    use sapper::settings::params::Effort;

    fn promised(field: &str, objective: Objective) -> Vec<(usize, Promise)> {
        let board: Board = field.parse::<BoardText>().unwrap().board(0).unwrap();
        let mut analyzer = Analyzer::new(objective, Effort::Fast);
        let analysis = analyzer.analyze(&board, None).unwrap();
        let found = promises(&analysis).unwrap();
        found.into_iter().map(|(cell, promise)| (cell.index(), promise)).collect()
    }

    /// Computed by hand: the mine is the left, the middle or the right cell.
    #[test]
    fn three_cells_in_a_row() {
        let outer = |next_safe| Promise { zero: 1.0 / 3.0, next_safe, is_dead: false };
        let middle = |next_safe| Promise { zero: 0.0, next_safe, is_dead: true };
        for (objective, after_outer, after_middle) in
            [(Objective::FewestHits, 1.0, 1.0 / 3.0), (Objective::CleanWin, 2.0 / 3.0, 0.0)]
        {
            let found = promised("3 1 1\n...", objective);
            let expected =
                [(0, outer(after_outer)), (1, middle(after_middle)), (2, outer(after_outer))];
            assert_eq!(found.len(), 3);
            for ((cell, found), (index, expected)) in found.into_iter().zip(expected) {
                assert_eq!((cell, found.is_dead), (index, expected.is_dead));
                assert!((found.zero - expected.zero).abs() < 1e-12, "{found:?}");
                assert!((found.next_safe - expected.next_safe).abs() < 1e-12, "{found:?}");
            }
        }
    }

    /// Equivalent cells are counted once, and have what their own outcomes say.
    #[test]
    fn each_cell_has_the_sums_of_its_outcomes() {
        let field = "9 5 9\n1........\n.........\n.........\n.........\n........*";
        let board: Board = field.parse::<BoardText>().unwrap().board(0).unwrap();
        let mut analyzer = Analyzer::new(Objective::CleanWin, Effort::Fast);
        let analysis = analyzer.analyze(&board, None).unwrap();
        let found = promises(&analysis).unwrap();
        assert_eq!(found.len(), board.hidden().count());
        for (cell, promise) in found {
            let own = Promise::of(&outcomes(&analysis, cell).unwrap(), Objective::CleanWin);
            assert!((promise.zero - own.zero).abs() < 1e-9, "{cell:?} {promise:?} {own:?}");
            assert!((promise.next_safe - own.next_safe).abs() < 1e-9, "{cell:?}");
            assert_eq!(promise.is_dead, own.is_dead);
        }
    }

    #[test]
    fn a_proven_mine_promises_nothing_and_a_safe_cell_may_tell_nothing() {
        // The mine is in the middle column; the last column is safe and shows 1 for certain.
        let found = promised("3 2 1\n1..\n1..", Objective::CleanWin);
        let last = found.iter().find(|(cell, _)| *cell == 2).unwrap().1;
        assert_eq!(last, Promise { zero: 0.0, next_safe: 1.0, is_dead: true });
        assert!(promised("5 1 3\n.2...", Objective::CleanWin).iter().all(|(cell, _)| *cell > 2));
    }
}
