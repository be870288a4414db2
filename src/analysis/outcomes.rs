//! What opening a cell can show, with the probability of each outcome and the risk of the move
//! after it.
//!
//! The slow twin of [`crate::search::two_ply`], which takes a third of the time and handles no position
//! with a safe cell. Here the board with the cell opened is solved like any other board, so every
//! hidden cell can be asked about, proven ones too.
//!
//! Invariant: an outcome that no layout shows is absent, and the probabilities sum to 1.

use crate::base::budget::{Budget, Deadlines, NoClock};
use crate::base::params::COUNT_NODES;
use crate::board::geometry::Cell;
use crate::board::group::Position;
use crate::board::{Board, CellState};
use crate::deduction::deducer::{Deducer, Reach};
use crate::probability::solver::{Odds, ProbabilitySolver};

/// One outcome of opening a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellOutcome {
    /// A number, or [`CellState::Hit`].
    pub shown: CellState,
    /// The share of the layouts in which the cell shows it.
    pub chance: f64,
    /// The least odds of the cells that are hidden then; `None` where no safe cell is left to open.
    pub next: Option<f64>,
    /// How many cells are proven safe then.
    pub safe: usize,
}

/// What the hidden `cell` may show, the numbers first; `odds` are those of `board`.
///
/// `None` where layouts cannot be counted exactly: the mine count is not known, or a component is
/// too large.
pub fn outcomes(board: &Board, odds: &Odds, cell: Cell) -> Option<Vec<CellOutcome>> {
    let all = odds.layouts()?;
    let (mut position, mut deducer) = (Position::default(), Deducer::new());
    let mut solver = ProbabilitySolver::default();
    let mut outcomes = Vec::new();
    for shown in (0..=8).map(CellState::Number).chain([CellState::Hit]) {
        let mut after = board.clone();
        after.open(cell, shown);
        if !after.reasons().is_empty() {
            continue;
        }
        after.position_into(&mut position);
        if deducer.run(&position, Reach::FixedPoint).is_err() {
            continue;
        }
        let mut budget = Budget::new(COUNT_NODES, Deadlines::DEFAULT, &NoClock);
        let Ok(odds) = solver.run(&position, &deducer, &mut budget) else { continue };
        let safe_left = position.hidden.len() > position.mines as usize;
        let least = || position.hidden.iter().map(|&cell| odds.of(cell)).fold(1.0, f64::min);
        outcomes.push(CellOutcome {
            shown,
            chance: odds.layouts()?.ratio_to(all),
            next: safe_left.then(least),
            safe: odds.safe().len(),
        });
    }
    // The only one is certain, which a rounding must not hide.
    if let [only] = &mut outcomes[..] {
        only.chance = 1.0;
    }
    Some(outcomes)
}

#[cfg(test)]
mod tests {
    use crate::base::objective::Objective;
    use crate::base::params::Effort;
    use crate::board::text_format::Picture;

    use super::*;
    use crate::analysis::Analysis;

    fn studied(picture: &str) -> (Board, Analysis) {
        let board = picture.parse::<Picture>().unwrap().board(0).unwrap();
        let mut analysis = Analysis::new((Objective::FewestHits, Effort::Fast));
        analysis.analyze(&board, None).unwrap();
        (board, analysis)
    }

    /// By hand: the mine lies left or right of the middle one, which then shows 1 and tells
    /// nothing, or is it.
    #[test]
    fn three_cells_in_a_row() {
        let (board, analysis) = studied("3 1 1\n...");
        let found = outcomes(&board, analysis.odds(), Cell::from_index(1)).unwrap();
        let expected =
            [(CellState::Number(1), 2.0 / 3.0, 0.5, 0), (CellState::Hit, 1.0 / 3.0, 0.0, 2)];
        assert_eq!(found.len(), expected.len());
        for (found, (shown, chance, next, safe)) in found.iter().zip(expected) {
            assert_eq!((found.shown, found.next, found.safe), (shown, Some(next), safe));
            assert!((found.chance - chance).abs() < 1e-12);
        }
        // The outer one shows 0 or 1, and either tells all; with the mine hit or both open nothing
        // is left.
        let found = outcomes(&board, analysis.odds(), Cell::from_index(0)).unwrap();
        assert_eq!(found.iter().map(|one| one.safe).collect::<Vec<_>>(), [1, 1, 2]);
        let (board, analysis) = studied("2 1 1\n..");
        let found = outcomes(&board, analysis.odds(), Cell::from_index(0)).unwrap();
        assert_eq!(found.iter().map(|one| one.next).collect::<Vec<_>>(), [None, Some(0.0)]);
    }

    #[test]
    fn chances_sum_to_one_and_agree_with_the_bots_two_moves() {
        let (board, mut analysis) =
            studied("9 5 12\n1........\n.........\n....3....\n.........\n.........");
        let hidden: Vec<Cell> = board.hidden().collect();
        hidden.iter().for_each(|&cell| analysis.add_candidate(&board, cell));
        assert_eq!(analysis.candidates().len(), hidden.len());
        for worth in analysis.candidates() {
            let found = outcomes(&board, analysis.odds(), worth.cell).unwrap();
            let sum: f64 = found.iter().map(|one| one.chance).sum();
            let mine = found.iter().find(|one| one.shown == CellState::Hit).unwrap();
            let next: f64 = found.iter().map(|one| one.chance * one.next.unwrap_or(0.0)).sum();
            assert!((sum - 1.0).abs() < 1e-9 && (mine.chance - worth.odds).abs() < 1e-9);
            assert!((next - worth.next.risk).abs() < 1e-9, "{next} {worth:?}");
        }
    }

    #[test]
    fn what_is_proven_has_outcomes_too_and_what_is_not_counted_none() {
        let (board, mut analysis) = studied("3 2 1\n1..\n1..");
        let of = |analysis: &Analysis, index| {
            outcomes(&board, analysis.odds(), Cell::from_index(index)).unwrap()
        };
        // The mine lies in the middle column, so the last column is safe.
        let safe = of(&analysis, 2);
        assert!(safe.len() == 1 && (safe[0].chance - 1.0).abs() < 1e-12);
        assert_eq!((safe[0].shown, safe[0].safe), (CellState::Number(1), 1));
        analysis.analyze(&board, Some(0.2)).unwrap();
        assert_eq!(outcomes(&board, analysis.odds(), Cell::from_index(2)), None);
    }
}
