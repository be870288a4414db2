//! The probability that at least one of several cells is a mine.
//!
//! A chord opens several cells at once, so that their odds do not add up. The layouts without a
//! mine in any of the cells are those of the same position with one more group, of these cells and
//! no mine; their share of all layouts is the probability that all the cells are safe.
//!
//! Invariant: the result is 0 if and only if all the cells are proven safe, and 1 if and only if
//! one of them is a mine in every layout.

use crate::Analysis;
use sapper::board::geometry::Cell;
use sapper::board::group::{Group, Premise};
use sapper::deduction::groups::deducer::Reach;
use sapper::probability::weight::Weight;
use sapper::search::guess::SolverScratch;
use sapper::settings::budget::Budget;
use sapper::settings::params::COUNT_NODES;

/// The probability that at least one of these hidden cells is a mine.
///
/// Exact where the odds of the position are; otherwise the cells count as independent.
///
/// Cost: one count of the layouts, if two of the cells or more are undecided.
pub fn joint_odds(analysis: &Analysis, cells: &[Cell]) -> f64 {
    let odds = analysis.odds();
    if cells.iter().any(|&cell| odds.of(cell) == 1.0) {
        return 1.0;
    }
    let mut undecided: Vec<Cell> =
        cells.iter().copied().filter(|&cell| odds.of(cell) != 0.0).collect();
    undecided.sort_unstable();
    undecided.dedup();
    match undecided[..] {
        [] => 0.0,
        [cell] => odds.of(cell),
        [source, ..] => exact(analysis, source, &undecided).unwrap_or_else(|| {
            1.0 - undecided.iter().map(|&cell| 1.0 - odds.of(cell)).product::<f64>()
        }),
    }
}

/// The exact probability; `None` where the layouts are not counted exactly.
fn exact(analysis: &Analysis, source: Cell, cells: &[Cell]) -> Option<f64> {
    let all = analysis.odds().layouts()?;
    let SolverScratch { mut position, mut deducer, mut solver, .. } = SolverScratch::default();
    position.clone_from(analysis.at.counted.position());
    let group = Group::new(cells.iter().copied().collect(), 0).ok()??;
    position.premises.push(Premise { source, group });
    let Ok(deduced) = deducer.run(&position, Reach::FixedPoint) else { return Some(1.0) };
    match solver.run(deduced, &mut Budget::of_nodes(COUNT_NODES)) {
        // A layout has a mine in one of the cells, and another has none: rounding must not say
        // otherwise.
        Ok(counted) => {
            let all_safe = counted.odds().layouts()?.ratio_to(all);
            Some((1.0 - all_safe).clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON))
        }
        Err(_) => Some(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analyzer;
    use sapper::board::geometry::Shape;
    use sapper::board::{Board, CellState};
    use sapper::settings::params::{Effort, Objective};

    /// All layouts of the hidden cells that fit the board, as bits by hidden cell.
    fn layouts(board: &Board) -> Vec<u32> {
        let hidden: Vec<Cell> = board.hidden().collect();
        let fits = |bits: &u32| {
            let is_mine = |cell: &Cell| {
                let index = hidden.iter().position(|hidden| hidden == cell);
                index.is_some_and(|index| bits >> index & 1 == 1)
            };
            bits.count_ones() == board.mines()
                && board.iter().all(|(cell, state)| match state {
                    CellState::Number(number) => {
                        let around = board.shape().neighbours(cell);
                        around.iter().filter(|near| is_mine(near)).count() == usize::from(number)
                    }
                    _ => true,
                })
        };
        (0..1_u32 << hidden.len()).filter(fits).collect()
    }

    #[test]
    fn the_probability_is_that_of_all_layouts() {
        let mut random = fastrand::Rng::with_seed(44);
        let mut analyzer = Analyzer::new(Objective::CleanWin, Effort::Fast);
        let (mut guesses, mut certain, mut safe) = (0, 0, 0);
        for _ in 0..400 {
            let shape = Shape::new(random.u64(2..5), random.u64(2..5)).unwrap();
            let cells: Vec<Cell> = shape.cells().collect();
            let mines = random.u32(1..=cells.len() as u32 / 3 + 1);
            let laid: Vec<Cell> = random.choose_multiple(cells.iter().copied(), mines as usize);
            let mut board = Board::new(shape, mines);
            for &cell in cells.iter().filter(|cell| !laid.contains(cell)) {
                if random.bool() {
                    let around = shape.neighbours(cell);
                    let number = around.iter().filter(|near| laid.contains(near)).count();
                    board.open(cell, CellState::Number(number as u8));
                }
            }
            let hidden: Vec<Cell> = board.hidden().collect();
            if hidden.is_empty() || hidden.len() > 14 {
                continue;
            }
            let all = layouts(&board);
            let analysis = analyzer.analyze(&board, None).unwrap();
            for _ in 0..10 {
                let count = random.usize(1..=hidden.len().min(4));
                let chosen = random.choose_multiple(hidden.iter().copied(), count);
                let chosen_bits = chosen.iter().fold(0_u32, |bits, cell| {
                    bits | 1 << hidden.iter().position(|hidden| hidden == cell).unwrap()
                });
                let mined = all.iter().filter(|&&bits| bits & chosen_bits != 0).count();
                let expected = mined as f64 / all.len() as f64;
                let found = joint_odds(&analysis, &chosen);
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
                assert_eq!((found == 0.0, found == 1.0), (mined == 0, mined == all.len()));
                guesses += usize::from(mined > 0 && mined < all.len() && count > 1);
                certain += usize::from(mined == all.len() && count > 1);
                safe += usize::from(mined == 0);
            }
        }
        assert!(guesses > 500 && certain > 100 && safe > 100, "{guesses} {certain} {safe}");
    }
}
