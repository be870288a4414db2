//! What a cell can show, and what follows, against enumeration of the board with that value.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use sapper::board::CellState;
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::odds::LowestOdds;
use sapper::probability::solver::ProbabilitySolver;
use sapper::search::CountedBoard;
use sapper::search::two_ply::Lookahead;
use sapper::settings::budget::Budget;

#[test]
fn outcomes_are_those_of_enumeration() {
    let mut random = fastrand::Rng::with_seed(31);
    let (mut lookahead, mut solver) = (Lookahead::default(), ProbabilitySolver::default());
    let (mut outcomes, mut few_cells) = (0, 0);
    for _ in 0..6000 {
        let board = twin::random_board(&mut random);
        let position = board.position();
        let mut deducer = Deducer::default();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let mut budget = Budget::unlimited();
        let counted = solver.run(deduced, &mut budget).unwrap();
        let odds = counted.odds();
        // The look-ahead is for positions without a safe cell; a few cells of each are enough.
        if !odds.safe().is_empty() {
            continue;
        }
        let all = twin::enumerate(&position, None, true).layouts;
        let undecided = position.hidden.iter().filter(|&&cell| odds.of(cell) < 1.0);
        let undecided: Vec<_> = undecided.copied().take(3).collect();
        let mut two_ply = lookahead.begin(CountedBoard { board: &board, counted }).unwrap();
        for cell in undecided {
            let mut sum = 0.0;
            for shown in two_ply.numbers(cell).chain([CellState::Hit]) {
                let mut after = board.clone();
                after.open(cell, shown);
                let found = two_ply.outcome(cell, shown, &mut budget).unwrap();
                // The board drops a number that cannot be; enumeration then has nothing to say.
                if !after.reasons().is_empty() {
                    assert_eq!(found, None, "{board}{cell:?} {shown:?}");
                    continue;
                }
                let truth = twin::enumerate(&after.position(), None, true);
                let Some(found) = found else {
                    assert_eq!(truth.layouts, 0, "{board}{cell:?} {shown:?}");
                    continue;
                };
                let probability = truth.layouts as f64 / all as f64;
                assert!(
                    (found.probability - probability).abs() < 1e-11,
                    "{board}{cell:?} {shown:?}"
                );
                let mut mined = truth.mined.clone();
                mined.sort_unstable();
                let odds = |rank: usize| mined[rank] as f64 / truth.layouts as f64;
                let expected = match after.hidden_len() - (after.mines() - after.hits()) as usize {
                    0 => [0.0, 0.0],
                    1 => [odds(0), odds(0)],
                    _ => [odds(0), odds(1)],
                };
                let LowestOdds { first, second } = found.lowest;
                let error = (first - expected[0]).abs().max((second - expected[1]).abs());
                assert!(error < 1e-11, "{board}{cell:?} {shown:?} {found:?} {expected:?}");
                few_cells += usize::from(second != first || mined.len() < 3);
                sum += found.probability;
                outcomes += 1;
            }
            assert!((sum - 1.0).abs() < 1e-11, "{board}{cell:?}: {sum}");
        }
    }
    assert!(outcomes > 5000 && few_cells > 1000, "{outcomes} {few_cells}");
}
