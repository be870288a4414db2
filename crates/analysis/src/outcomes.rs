//! What opening a cell can show, with the probability of each outcome and the risk of the move
//! after it.
//!
//! This is the slow twin of [`sapper::search::two_ply`], which handles no position that has a safe
//! cell. Here the board with the opened cell is solved like any other board, so that every hidden
//! cell has outcomes, a proven one too.
//!
//! Invariant: an outcome that no layout shows is absent, and the probabilities sum to 1.

use crate::Analysis;
use sapper::board::CellState;
use sapper::board::geometry::Cell;
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::solver::ProbabilitySolver;
use sapper::probability::weight::Weight;
use sapper::settings::budget::Budget;
use sapper::settings::params::{COUNT_NODES, Objective};

/// One outcome of opening a cell.
#[derive(Clone, PartialEq, Debug)]
pub struct CellOutcome {
    /// A number, or [`CellState::Hit`].
    pub shown: CellState,
    /// The share of the layouts in which the cell shows this.
    pub chance: f64,
    /// The minimum odds of the hidden cells afterwards; `None` where no safe cell is left to open.
    pub next: Option<f64>,
    /// The number of cells that are proven safe afterwards.
    pub safe: usize,
    /// The cells that are proven safe afterwards and were not before, sorted.
    pub new_safe: Vec<Cell>,
    /// The cells that are proven mines afterwards and were not before, sorted.
    pub new_mines: Vec<Cell>,
}

impl CellOutcome {
    /// The least risk of the next move; `None` if the game is over.
    pub fn next_risk(&self, objective: Objective) -> Option<f64> {
        let is_lost = self.shown == CellState::Hit && objective == Objective::CleanWin;
        self.next.filter(|_| !is_lost)
    }
}

/// The outcomes of opening the hidden `cell`, the numbers first.
///
/// `None` where the layouts cannot be counted exactly, because the mine count is unknown or a
/// component is too large.
///
/// Cost: one count of the layouts for each outcome.
pub fn outcomes(analysis: &Analysis, cell: Cell) -> Option<Vec<CellOutcome>> {
    let all = analysis.odds().layouts()?;
    let mut deducer = Deducer::default();
    let mut solver = ProbabilitySolver::default();
    let mut outcomes = Vec::new();
    for shown in (0..=8).map(CellState::Number).chain([CellState::Hit]) {
        let mut after = analysis.board().clone();
        after.open(cell, shown);
        if !after.reasons().is_empty() {
            continue;
        }
        let position = after.position();
        let Ok(deduced) = deducer.run(&position, Reach::FixedPoint) else { continue };
        let mut budget = Budget::of_nodes(COUNT_NODES);
        let Ok(counted) = solver.run(deduced, &mut budget) else { continue };
        let odds = counted.odds();
        let has_safe_cell = position.hidden.len() > position.mines as usize;
        let min_odds = || position.hidden.iter().map(|&cell| odds.of(cell)).fold(1.0, f64::min);
        outcomes.push(CellOutcome {
            shown,
            chance: odds.layouts()?.ratio_to(all),
            next: has_safe_cell.then(min_odds),
            safe: odds.safe().len(),
            new_safe: new(odds.safe(), analysis.odds().safe()),
            new_mines: new(odds.mines(), analysis.odds().mines()),
        });
    }
    // A single outcome is certain; rounding must not hide that.
    if let [certain] = &mut outcomes[..] {
        certain.chance = 1.0;
    }
    Some(outcomes)
}

/// The cells of `after` that are not in `before`; both are sorted.
fn new(after: &[Cell], before: &[Cell]) -> Vec<Cell> {
    after.iter().copied().filter(|cell| before.binary_search(cell).is_err()).collect()
}

#[cfg(test)]
mod tests {
    use crate::Analyzer;
    use sapper::board::Board;
    use sapper::board::text_format::BoardText;
    use sapper::settings::params::Effort;

    use super::*;

    fn board(picture: &str) -> Board {
        picture.parse::<BoardText>().unwrap().board(0).unwrap()
    }

    fn analyzer() -> Analyzer {
        Analyzer::new(Objective::FewestHits, Effort::Fast)
    }

    /// Computed by hand: the mine is the left, the middle or the right cell.
    #[test]
    fn three_cells_in_a_row() {
        let (three, two) = (board("3 1 1\n..."), board("2 1 1\n.."));
        let mut analyzer = analyzer();
        let analysis = analyzer.analyze(&three, None).unwrap();
        let found = outcomes(&analysis, Cell::from_index(1)).unwrap();
        let expected =
            [(CellState::Number(1), 2.0 / 3.0, 0.5, 0), (CellState::Hit, 1.0 / 3.0, 0.0, 2)];
        assert_eq!(found.len(), expected.len());
        for (found, (shown, chance, next, safe)) in found.iter().zip(expected) {
            assert_eq!((found.shown, found.next, found.safe), (shown, Some(next), safe));
            assert!((found.chance - chance).abs() < 1e-12);
        }
        // An outer cell that shows 0 or 1 decides the other two cells.
        let found = outcomes(&analysis, Cell::from_index(0)).unwrap();
        assert_eq!(found.iter().map(|one| one.safe).collect::<Vec<_>>(), [1, 1, 2]);
        let analysis = analyzer.analyze(&two, None).unwrap();
        let found = outcomes(&analysis, Cell::from_index(0)).unwrap();
        assert_eq!(found.iter().map(|one| one.next).collect::<Vec<_>>(), [None, Some(0.0)]);
    }

    #[test]
    fn probabilities_sum_to_one_and_agree_with_the_two_ply_search() {
        let board = board("9 5 12\n1........\n.........\n....3....\n.........\n.........");
        let mut analyzer = analyzer();
        let mut analysis = analyzer.analyze(&board, None).unwrap();
        let hidden: Vec<Cell> = board.hidden().collect();
        hidden.iter().for_each(|&cell| analysis.add_candidate(cell));
        assert_eq!(analysis.candidates().len(), hidden.len());
        for candidate in analysis.candidates() {
            let found = outcomes(&analysis, candidate.cell).unwrap();
            let sum: f64 = found.iter().map(|one| one.chance).sum();
            let mine = found.iter().find(|one| one.shown == CellState::Hit).unwrap();
            let next: f64 = found.iter().map(|one| one.chance * one.next.unwrap_or(0.0)).sum();
            assert!((sum - 1.0).abs() < 1e-9 && (mine.chance - candidate.odds).abs() < 1e-9);
            assert!((next - candidate.next.risk).abs() < 1e-9, "{next} {candidate:?}");
        }
    }

    #[test]
    fn proven_cells_have_outcomes_and_uncounted_positions_have_none() {
        let board = board("3 2 1\n1..\n1..");
        let (mut analyzer, last_column) = (analyzer(), Cell::from_index(2));
        let analysis = analyzer.analyze(&board, None).unwrap();
        // The mine is in the middle column, so the last column is safe.
        let safe = outcomes(&analysis, last_column).unwrap();
        assert!(safe.len() == 1 && (safe[0].chance - 1.0).abs() < 1e-12);
        assert_eq!((safe[0].shown, safe[0].safe), (CellState::Number(1), 1));
        let analysis = analyzer.analyze(&board, Some(0.2)).unwrap();
        assert_eq!(outcomes(&analysis, last_column), None);
    }
}
