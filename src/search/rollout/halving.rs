//! Sequential halving: the candidate of lowest cost, by playouts under a node budget.
//!
//! In each round all active candidates get the same number of playouts over the same layouts. Then
//! the worse half is dropped, with all that are certainly worse ([`crate::search::rollout::arm`]),
//! and the next round has twice as many playouts for each of the others. Every round may use the
//! same number of nodes.
//!
//! Invariant: the random numbers are seeded by what the board shows and nodes end the work, so the
//! choice is the same for the same board. After any interruption all active candidates have been
//! played on the same layouts.
//!
//! Cost: bounded by the budget, except that the setup is charged even where it exceeds the budget.

use crate::board::Board;
use crate::board::geometry::Cell;
use crate::kit::rng::Random;
use crate::probability::sampler::LayoutDraws;
use crate::search::CountedBoard;
use crate::search::guess::Candidate;
use crate::search::rollout::arm::{Arm, halve};
use crate::search::rollout::playout::{NODES_PER_BEGIN, PlayoutRunner};
use crate::settings::budget::{Budget, BudgetExhausted};
use crate::settings::params::{MIN_PLAYOUTS, Objective, PlayoutSettings, RolloutLimits};

/// Why the playouts over one layout were not finished.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interrupted {
    /// The round has no nodes left; the next one begins.
    Round,
    /// The time is up, a playout is too long, or odds are not exact: no round follows.
    Search,
}

/// Compares candidates by playouts; its memory is reused from guess to guess.
pub struct SequentialHalving {
    objective: Objective,
    runner: PlayoutRunner,
    arms: Vec<Arm>,
}

impl SequentialHalving {
    /// Plays for `objective`; `settings` are those of the playouts.
    pub fn new(objective: Objective, settings: PlayoutSettings) -> SequentialHalving {
        SequentialHalving {
            objective,
            runner: PlayoutRunner::new(objective, settings),
            arms: Vec::new(),
        }
    }

    /// The best of `candidates`, which are sorted by increasing two-ply cost, and the number of
    /// playouts of all of them together.
    ///
    /// Where nodes or time end first, the best by the playouts until then. `None` where there were
    /// none, or the layouts were not counted exactly.
    pub fn choose(
        &mut self,
        at: CountedBoard,
        candidates: &[Candidate],
        limits: RolloutLimits,
        budget: &mut Budget,
    ) -> Option<(Candidate, usize)> {
        at.counted.odds().layouts()?;
        budget.charge(NODES_PER_BEGIN * at.board.shape().len() as u64);
        let SequentialHalving { objective, runner, arms } = self;
        runner.begin(at.board, at.counted.odds().mines());
        arms.clear();
        arms.extend(candidates.iter().copied().map(Arm::new));
        let mut comparison = Comparison {
            objective: *objective,
            runner,
            draws: LayoutDraws::new(at.counted),
            arms,
            random: Random::new(board_seed(at.board)),
            playout_nodes: budget.limit() / MIN_PLAYOUTS,
        };
        comparison.run(limits, budget);
        let playouts = arms.iter().map(|arm| arm.costs.len()).sum();
        let best = arms.first().filter(|_| playouts > 0)?;
        Some((best.candidate, playouts))
    }
}

/// The comparison of the candidates of one board.
struct Comparison<'a> {
    objective: Objective,
    /// Begun on the board.
    runner: &'a mut PlayoutRunner,
    draws: LayoutDraws<'a>,
    /// One arm for each candidate; after each round the active ones are first.
    arms: &'a mut [Arm],
    random: Random,
    /// Nodes that one playout may use.
    playout_nodes: u64,
}

impl Comparison<'_> {
    /// Plays rounds until one arm is left, or the budget ends. The best arm is then the first.
    fn run(&mut self, limits: RolloutLimits, budget: &mut Budget) {
        let (mut active, mut layouts) = (self.arms.len(), limits.initial_playouts);
        while active > 1 {
            // The rounds that are left share the nodes equally.
            let rounds = usize::BITS - (active - 1).leading_zeros();
            let mut round = budget.sub_budget(budget.left() / u64::from(rounds));
            let mut played = Ok(());
            for _ in 0..layouts {
                played = self.play_layout(active, &mut round);
                if played.is_err() {
                    break;
                }
            }
            budget.charge(round.used());
            active = halve(&mut self.arms[..active], self.objective, limits.prior_std);
            if played == Err(Interrupted::Search) {
                break;
            }
            layouts = layouts.saturating_mul(2);
        }
    }

    /// Draws a layout and plays it with each of the first `active` arms; where it is interrupted,
    /// no arm keeps its playout.
    fn play_layout(&mut self, active: usize, round: &mut Budget) -> Result<(), Interrupted> {
        let Ok(mines) = self.draws.draw(&mut self.random, round) else {
            let is_spent = round.left() == 0;
            return Err(if is_spent { Interrupted::Round } else { Interrupted::Search });
        };
        let mut layout = mines.to_vec();
        layout.sort_unstable();
        let seed = self.random.next_u64();
        for index in 0..active {
            let mut budget = round.sub_budget(self.playout_nodes.min(round.left()));
            let cost = self.play(index, &layout, seed, &mut budget);
            round.charge(budget.used());
            if let Ok(cost) = cost {
                self.arms[index].costs.push(cost);
                continue;
            }
            for arm in &mut self.arms[..index] {
                arm.costs.pop();
            }
            // A playout that had its full share of nodes will not end in the next round either.
            let is_spent = budget.limit() < self.playout_nodes;
            return Err(if is_spent { Interrupted::Round } else { Interrupted::Search });
        }
        Ok(())
    }

    /// The cost of one arm under the layout with these mines, in order.
    fn play(
        &mut self,
        index: usize,
        layout: &[Cell],
        seed: u64,
        budget: &mut Budget,
    ) -> Result<f64, BudgetExhausted> {
        let Candidate { cell, odds, .. } = self.arms[index].candidate;
        let Comparison { runner, draws, .. } = self;
        match self.objective {
            Objective::FewestHits => Ok(odds + runner.play(cell, layout, seed, budget)?),
            Objective::CleanWin => {
                let is_mine = |cell: Cell| layout.binary_search(&cell).is_ok();
                let layout = if is_mine(cell) {
                    draws.draw_safe_near(cell, is_mine, seed, budget)?
                } else {
                    layout
                };
                let rest = runner.play(cell, layout, seed, budget)?;
                Ok(1.0 - (1.0 - odds) * (1.0 - rest))
            }
        }
    }
}

/// A hash of what the board shows.
fn board_seed(board: &Board) -> u64 {
    let values = board.iter().map(|(_, shown)| shown.value().map_or(10, u64::from));
    values.fold(0, |sum: u64, value| sum.wrapping_mul(0x100_0000_01b3).wrapping_add(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text_format::BoardText;
    use crate::deduction::groups::deducer::Reach;
    use crate::search::guess::SolverScratch;
    use crate::settings::params::Effort;

    /// A position with a guess, and its first cells as candidates.
    struct GuessPosition {
        at: CountedBoard<'static>,
        candidates: Vec<Candidate>,
    }

    impl GuessPosition {
        /// The position is leaked, so that its result can be kept beside it.
        fn new(candidates: usize) -> GuessPosition {
            let picture: BoardText = "4 4 4\n2???\n????\n????\n????\n".parse().expect("a picture");
            let board = picture.board(picture.known_mines()).expect("a board");
            let board: &Board = Box::leak(Box::new(board));
            let scratch = Box::leak(Box::new(SolverScratch::default()));
            let SolverScratch { position, deducer, solver, .. } = scratch;
            *position = board.position();
            let deduced = deducer.run(position, Reach::FixedPoint).expect("a layout");
            let counted = solver.run(deduced, &mut Budget::unlimited()).expect("a layout");
            let odds = counted.odds();
            let candidate = |cell| Candidate { cell, odds: odds.of(cell), cost: 0.3 };
            let candidates = board.hidden().take(candidates).map(candidate).collect();
            GuessPosition { at: CountedBoard { board, counted }, candidates }
        }

        /// The choice, and the nodes used.
        fn choose(
            &self,
            halving: &mut SequentialHalving,
            nodes: u64,
            playouts: u32,
        ) -> (Option<(Candidate, usize)>, u64) {
            let mut budget = Budget::of_nodes(nodes);
            let limits = Effort::Full.limits().rollouts.expect("full effort has rollouts");
            let limits = RolloutLimits { initial_playouts: playouts, ..limits };
            let result = halving.choose(self.at, &self.candidates, limits, &mut budget);
            (result, budget.used())
        }
    }

    fn lens(halving: &SequentialHalving) -> Vec<usize> {
        halving.arms.iter().map(|arm| arm.costs.len()).collect()
    }

    #[test]
    fn without_nodes_nothing_is_chosen() {
        let guess = GuessPosition::new(2);
        let mut halving = SequentialHalving::new(Objective::FewestHits, PlayoutSettings::BY_ODDS);
        let mut choose = |nodes| {
            let (result, used) = guess.choose(&mut halving, nodes, 80);
            // Whatever the nodes, all arms have been played on the same layouts.
            let lens = lens(&halving);
            assert_eq!(lens[0], lens[1], "{nodes}");
            assert!(used >= 16 * NODES_PER_BEGIN, "{nodes}");
            result
        };
        assert_eq!(choose(0), None);
        assert_eq!(choose(16 * NODES_PER_BEGIN), None, "the beginning takes them all");
        assert_eq!(choose(50_000), None, "a playout may take a sixteenth of that");
        let all = choose(u64::MAX);
        assert_eq!(all.map(|(_, playouts)| playouts), Some(160));
        let few: Vec<usize> = (150_000..160_000)
            .step_by(500)
            .map(|nodes| choose(nodes).map_or(0, |(_, playouts)| playouts))
            .collect();
        assert!(few.is_sorted() && 0 < few[0] && few[19] < 160, "{few:?}");
        assert_eq!(choose(u64::MAX), all, "the same again");
    }

    #[test]
    fn every_round_has_the_same_nodes() {
        let guess = GuessPosition::new(4);
        let mut halving = SequentialHalving::new(Objective::FewestHits, PlayoutSettings::BY_ODDS);
        let nodes = 700_000;
        let (_, used) = guess.choose(&mut halving, nodes, 80);
        assert!((nodes * 9 / 10..=nodes * 11 / 10).contains(&used), "{used}");
        // Four candidates in the first round, two in the second.
        let mut lens = lens(&halving);
        lens.sort_unstable();
        let (first, second) = (lens[0], lens[3] - lens[0]);
        assert_eq!((lens[1], lens[2]), (lens[0], lens[3]), "{lens:?}");
        // Twice as many, and more since most positions are cached by then.
        assert!((17..22).contains(&first) && (60..90).contains(&second), "{lens:?}");
    }

    #[test]
    fn a_clean_win_is_played_from_the_cell_being_safe() {
        let guess = GuessPosition::new(5);
        let mut halving = SequentialHalving::new(Objective::CleanWin, PlayoutSettings::BY_ODDS);
        guess.choose(&mut halving, u64::MAX, 10_000);
        let mut runner = PlayoutRunner::new(Objective::CleanWin, PlayoutSettings::BY_ODDS);
        runner.begin(guess.at.board, guess.at.counted.odds().mines());
        let mut draws = LayoutDraws::new(guess.at.counted);
        let (mut random, mut budget) = (Random::new(5), Budget::unlimited());
        for arm in &halving.arms {
            let Candidate { cell, odds, .. } = arm.candidate;
            let play = |seed| {
                let layout = draws.draw_safe(cell, &mut random, &mut budget).expect("a layout");
                let rest = runner.play(cell, layout, seed, &mut budget);
                1.0 - (1.0 - odds) * (1.0 - rest.expect("a playout"))
            };
            let expected: Vec<f64> = (0..10_000).map(play).collect();
            let mean = |costs: &[f64]| costs.iter().sum::<f64>() / costs.len() as f64;
            let (expected, seen) = (mean(&expected), mean(&arm.costs));
            assert!((expected - seen).abs() < 0.01, "{cell:?}: {expected} {seen}");
        }
    }
}
