//! The steps that choose among cells of which none is proven safe: the endgame and the guess.
//!
//! The guess is two steps: the two-ply look-ahead, then rollouts of the candidates that it leaves
//! close together.
//!
//! Invariant: every step takes its nodes from those that the turn has left.
//!
//! Cost: at most the nodes left.

use crate::board::Board;
use crate::bot::decision::{Decision, Step};
use crate::search::CountedBoard;
use crate::search::endgame::{self, Solution, opening_table};
use crate::search::guess::{self, Candidate, Guess, GuessConfig, GuessScratch};
use crate::search::rollout::halving::SequentialHalving;
use crate::settings::budget::Budget;
use crate::settings::params::{
    EARLY_SHARE, EndgameLimits, NODES_PER_ENDGAME_NODE, Objective, RolloutLimits, SearchLimits,
    TINY_FIELD_CELLS,
};

/// The choice on one board.
pub(super) struct Choice<'a, 'c> {
    pub(super) objective: Objective,
    pub(super) limits: &'a SearchLimits,
    pub(super) scratch: &'a mut GuessScratch,
    /// Created when it is first needed.
    pub(super) rollout: &'a mut Option<Box<SequentialHalving>>,
    pub(super) at: CountedBoard<'a>,
    /// The nodes of the turn.
    pub(super) budget: &'a mut Budget<'c>,
}

impl Choice<'_, '_> {
    /// The first cell of the best play over all layouts, where there are few.
    pub(super) fn solve_endgame(&mut self) -> Option<Decision> {
        let best = self.solve()?;
        let odds = f64::from(best.mined) / f64::from(best.layouts);
        let mut decision = Decision::new(self.at.board, best.cell, Step::Endgame, odds, 1)?;
        decision.solved = Some(best);
        Some(decision)
    }

    /// The best guess by the two-ply look-ahead, or by rollouts where candidates are close.
    pub(super) fn guess(&mut self) -> Option<Decision> {
        let CountedBoard { board, counted } = self.at;
        let rollouts = self.limits.rollouts;
        let rollouts = rollouts.and_then(|limits| rollouts_due(board, self.objective, limits));
        let two_ply = self.guess_by_two_ply(rollouts.map_or(0.0, |limits| limits.margin))?;
        let played = rollouts.and_then(|limits| self.roll_out(limits));
        let (cell, playouts) = match played {
            Some((best, playouts)) => (best.cell, playouts),
            None => (two_ply.cell, 0),
        };
        let odds = counted.odds();
        let mut decision =
            Decision::new(board, cell, Step::Guess, odds.of(cell), two_ply.candidates)?;
        (decision.approximate, decision.playouts) = (odds.approximate(), playouts);
        Some(decision)
    }

    fn solve(&mut self) -> Option<Solution> {
        let board = self.at.board;
        let layouts = self.at.counted.odds().layouts()?;
        let is_tiny = board.shape().len() <= TINY_FIELD_CELLS;
        let is_untouched = board.hidden_len() == board.shape().len();
        if is_tiny
            && is_untouched
            && self.objective == Objective::FewestHits
            && self.limits.opening_table
        {
            let known = opening_table::best(board.shape(), board.mines());
            if known.is_some() {
                return known;
            }
        }
        let EndgameLimits { layouts: max_layouts, nodes } =
            if is_tiny { self.limits.tiny_field } else { self.limits.endgame };
        if layouts.is_above(max_layouts) || !self.budget.may_start() {
            return None;
        }
        let mut budget =
            self.budget.sub_budget(nodes.min(self.budget.left() / NODES_PER_ENDGAME_NODE));
        let best = endgame::solve_counted(self.at, self.objective, max_layouts, &mut budget);
        self.budget.charge(NODES_PER_ENDGAME_NODE * budget.used());
        best.ok()?
    }

    fn guess_by_two_ply(&mut self, margin: f64) -> Option<Guess> {
        self.budget.charge(guess::NODES_PER_HIDDEN_CELL * self.at.board.hidden_len() as u64);
        let config = GuessConfig::played(self.objective, self.limits.candidates, margin);
        let nodes = self.budget.step_limit(self.limits.lookahead_nodes);
        self.budget.lend(nodes, |budget| guess::choose(self.at, config, self.scratch, budget))
    }

    /// The best of the candidates that the look-ahead left close together, by playouts.
    fn roll_out(&mut self, limits: RolloutLimits) -> Option<(Candidate, usize)> {
        let candidates = &mut self.scratch.candidates;
        guess::prune(candidates, limits.margin, limits.candidates);
        if candidates.len() < 2 || !self.budget.may_start() {
            return None;
        }
        let new = || Box::new(SequentialHalving::new(self.objective, limits.playout));
        let halving = self.rollout.get_or_insert_with(new);
        let nodes = self.budget.step_limit(limits.nodes);
        self.budget.lend(nodes, |budget| halving.choose(self.at, candidates, limits, budget))
    }
}

/// The limits of the rollouts by the number of open cells, with the prior of that phase; `None`
/// where playouts would not tell candidates apart. Mines that were hit count as open.
fn rollouts_due(
    board: &Board,
    objective: Objective,
    limits: RolloutLimits,
) -> Option<RolloutLimits> {
    let len = board.shape().len();
    let mines = (board.mines() as usize).min(len);
    let has_open = |share| (len - board.hidden_len()) as f64 >= share * (len - mines) as f64;
    let prior_std = match objective {
        Objective::CleanWin => has_open(limits.min_open_clean_win).then_some(limits.prior_std),
        Objective::FewestHits if has_open(EARLY_SHARE) => Some(limits.prior_std),
        Objective::FewestHits => limits.early_prior_std,
    };
    Some(RolloutLimits { prior_std: prior_std?, ..limits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CellState;
    use crate::board::geometry::Shape;
    use crate::settings::params::Effort;

    #[test]
    fn the_share_of_open_cells_decides_about_rollouts() {
        let full = Effort::Full.limits().rollouts.expect("full effort has rollouts");
        let with = |early_prior_std| RolloutLimits {
            min_open_clean_win: 0.05,
            prior_std: 0.03,
            early_prior_std,
            ..full
        };
        for (rows, mines, fewest_hits, clean_win) in
            [(10, 20, 20, 4), (10, 16, 21, 5), (11, 30, 20, 4)]
        {
            let mut board = Board::new(Shape::new(rows, 10).expect("a shape"), mines);
            let cells: Vec<_> = board.shape().cells().collect();
            for (open, &cell) in cells.iter().enumerate().take(30) {
                for early in [None, Some(0.01)] {
                    for (objective, first, before) in [
                        (Objective::FewestHits, fewest_hits, early),
                        (Objective::CleanWin, clean_win, None),
                    ] {
                        let due = rollouts_due(&board, objective, with(early));
                        let expected = if open >= first { Some(0.03) } else { before };
                        let prior_std = due.map(|limits| limits.prior_std);
                        assert_eq!(prior_std, expected, "{mines} mines, {open}, {objective:?}");
                    }
                }
                board.open(cell, CellState::Number(0));
            }
        }
    }
}
