//! Games played to their end in thought: what a guess is worth when play goes on after it.
//!
//! Two moves say what is lost soon, not what a guess saves later: a cell that has to be guessed some time, and
//! that opens a way, is worth more than its odds. So the candidates that two moves leave not too far apart are
//! played on ([`crate::search::rollout::playout`]), over layouts drawn from all that fit ([`crate::probability::sampler`]), the same for each.
//!
//! **The better the games are played, the more they tell.** By least odds to the end, full effort gains 0.0064 +-0.0016 of
//! a win at a late guess of an expert game; ending with the solved endgame, 0.0068; guessing by two moves besides
//! where a position is met again, 0.0074; and with 32 candidates instead of 16, which then pays, 0.0082 (358 guesses, paired:
//! 0.0019 +-0.0010 more than the first; judged by 1,200 new games of fast effort each).
//!
//! **Odds are added up, not luck.** A game counts not the mines that it happens to hit but the odds that it
//! took. The mean is the same, and the variance a fifth:
//!
//! - *fewest hits*: the sum of the odds at its guesses. Play goes on after a hit.
//! - *clean win*: one less the product of the chances to survive its guesses. Where a guess would hit a mine,
//!   the layout is drawn again from those in which the cell is safe, so that every game goes on.
//!
//! **Halving** (Karnin, Koren and Somekh, 2013). All candidates get as many games; the worse half is dropped, and who is
//! posterior_gap beyond posterior_std; the others get twice as many more, and so on. Every round has the same nodes. What two moves
//! say is not forgotten: it is the prior, by [`RolloutLimits::prior_std`] off, and a difference of games moves it as far as their
//! number allows.
//!
//! One file, because rounds are played and cut in one list of candidates; nearly half of it are its tests.
//!
//! Invariant: the choice is one of the candidates, and the same for the same board: the random numbers are
//! seeded by what the board shows, and nodes end the work.

pub mod game;
pub mod playout;
pub mod policy;

use crate::base::budget::Budget;
use crate::base::elementary::power;
use crate::base::objective::Objective;
use crate::base::params::{MIN_PLAYOUTS, PlayoutSettings, RolloutLimits};
use crate::base::rng::Random;
use crate::board::Board;
use crate::board::geometry::Cell;
use crate::board::group::Position;
use crate::deduction::deducer::Deducer;
use crate::probability::sampler::{LayoutSampler, PlayoutAborted};
use crate::probability::solver::ProbabilitySolver;
use crate::search::guess::Candidate;
use crate::search::rollout::playout::{NODES_PER_BEGIN, PlayoutRunner};

/// Why games end before all are played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// The round has no nodes left.
    Round,
    /// No time is left, or games are too long, or odds are not exact.
    All,
}

/// The variance of the difference of two candidates in one game, as it usually is; it is added to what is seen as if so
/// many games more had shown it.
const PRIOR_VARIANCE: f64 = 0.04;
const PRIOR_GAMES: f64 = 16.0;

/// How many standard deviations a candidate is posterior_gap that is played on no more.
const ELIMINATION_SIGMAS: f64 = 3.0;

/// Plays candidates on, reusing its memory.
pub struct SequentialHalving {
    objective: Objective,
    player: PlayoutRunner,
    sampler: LayoutSampler,
    arms: Vec<Arm>,
    /// Nodes that a game may take.
    longest: u64,
}

/// A candidate and its games.
struct Arm {
    candidate: Candidate,
    /// What each game cost; the layouts are the same for all candidates, in the same order.
    costs: Vec<f64>,
    /// How much more than the reference it costs, by two moves and its games together, and how sure that is, as a
    /// standard deviation.
    posterior_gap: f64,
    posterior_std: f64,
}

/// What games say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RolloutResult {
    /// The best candidate.
    pub cell: Cell,
    /// Games played, of all candidates together.
    pub games: usize,
}

impl SequentialHalving {
    /// Plays for `objective`; games go on as `play` says.
    pub fn new(objective: Objective, play: PlayoutSettings) -> SequentialHalving {
        SequentialHalving {
            objective,
            player: PlayoutRunner::new(objective, play),
            sampler: LayoutSampler::default(),
            arms: Vec::new(),
            longest: 0,
        }
    }

    /// The best of `candidates` (the least cost first) on `board`, whose layouts `solver` has just counted exactly.
    ///
    /// Where nodes or time end first, the best by what was played until then; `None` where that is nothing.
    pub fn choose(
        &mut self,
        board: &Board,
        (position, deducer, solver): (&Position, &Deducer, &ProbabilitySolver),
        candidates: &[Candidate],
        limits: RolloutLimits,
        budget: &mut Budget,
    ) -> Option<RolloutResult> {
        solver.odds().layouts()?;
        budget.charge(NODES_PER_BEGIN * board.shape().len() as u64);
        self.sampler.prepare(solver, position, deducer);
        self.player.begin(board, solver.odds().mines());
        let mut random = Random::new(fingerprint(board));
        let arms = |&candidate| Arm {
            candidate,
            costs: Vec::new(),
            posterior_gap: 0.0,
            posterior_std: 0.0,
        };
        self.arms.clear();
        self.arms.extend(candidates.iter().map(arms));
        self.longest = budget.limit() / MIN_PLAYOUTS;
        let (mut active, mut games) = (self.arms.len(), limits.initial_playouts);
        while active > 1 {
            // The same nodes for every round that is left.
            let rounds = usize::BITS - (active - 1).leading_zeros();
            let mut round = budget.sub_budget(budget.left() / u64::from(rounds));
            let mut played = Ok(());
            for _ in 0..games {
                played = self.play_all(solver, active, &mut random, &mut round);
                if played.is_err() {
                    break;
                }
            }
            budget.charge(round.used());
            active = self.halve(active, limits.prior_std);
            if played == Err(Ended::All) {
                break;
            }
            games = games.saturating_mul(2);
        }
        let games = self.arms.iter().map(|arms| arms.costs.len()).sum();
        let best = self.arms.first().filter(|_| games > 0)?;
        Some(RolloutResult { cell: best.candidate.cell, games })
    }

    /// One game of each of the first `active` candidates over one layout, or of none.
    fn play_all(
        &mut self,
        solver: &ProbabilitySolver,
        active: usize,
        random: &mut Random,
        round: &mut Budget,
    ) -> Result<(), Ended> {
        if self.sampler.draw(solver, random, round).is_err() {
            return Err(if round.left() == 0 { Ended::Round } else { Ended::All });
        }
        let mines = std::mem::take(&mut self.sampler.mines);
        let mut outcome = Ok(());
        for index in 0..active {
            let mut random = Random::new(random.next_u64());
            let mut game = round.sub_budget(self.longest.min(round.left()));
            let cost = self.play(solver, index, &mines, &mut random, &mut game);
            round.charge(game.used());
            if let Ok(cost) = cost {
                self.arms[index].costs.push(cost);
                continue;
            }
            // The lists stay of one length: what stands at one place was played over one layout.
            for arms in &mut self.arms[..index] {
                arms.costs.pop();
            }
            // Only for want of nodes in this round, or else for good?
            let is_cut = game.limit() < self.longest;
            outcome = Err(if is_cut { Ended::Round } else { Ended::All });
            break;
        }
        self.sampler.mines = mines;
        outcome
    }

    /// What one candidate costs under the layout with these `mines`.
    fn play(
        &mut self,
        solver: &ProbabilitySolver,
        index: usize,
        mines: &[Cell],
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<f64, PlayoutAborted> {
        let Candidate { cell, odds, .. } = self.arms[index].candidate;
        match self.objective {
            Objective::FewestHits => Ok(odds + self.player.play(cell, mines, random, budget)?),
            Objective::CleanWin => {
                let mut layout = mines;
                if mines.contains(&cell) {
                    self.sampler.draw_safe(solver, cell, random, budget)?;
                    layout = &self.sampler.mines;
                }
                let rest = self.player.play(cell, layout, random, budget)?;
                Ok(1.0 - (1.0 - odds) * (1.0 - rest))
            }
        }
    }

    /// Sorts the first `active` by what two moves and the games say, the best first, and says how many are to be played
    /// on: the better half, of those that are not posterior_gap beyond posterior_std.
    fn halve(&mut self, active: usize, prior: f64) -> usize {
        let arms = &mut self.arms[..active];
        // The games are compared with those of one candidate: paired, since the layouts are the same.
        let Some(first) = arms.first() else { return 0 };
        let reference = first.costs.clone();
        let (candidate, games) = (first.candidate, reference.len());
        if games == 0 {
            return active.div_ceil(2);
        }
        // Of what two moves lose, only games that would be won count.
        let scale = match self.objective {
            Objective::FewestHits => 1.0,
            Objective::CleanWin => 1.0 - reference.iter().sum::<f64>() / games as f64,
        };
        for arms in arms.iter_mut().filter(|arms| arms.candidate.cell != candidate.cell) {
            let expected = scale * (arms.candidate.cost - candidate.cost);
            let (seen, variance) = difference(&arms.costs, &reference);
            let trust = prior * prior / (prior * prior + variance);
            (arms.posterior_gap, arms.posterior_std) = if trust > 0.0 {
                (expected + trust * (seen - expected), (trust * variance).sqrt())
            } else {
                (expected, prior)
            };
        }
        (arms[0].posterior_gap, arms[0].posterior_std) = (0.0, 0.0);
        arms.sort_by(|a, b| a.posterior_gap.total_cmp(&b.posterior_gap));
        let (best, others) = (&arms[0], &arms[1..active.div_ceil(2)]);
        // Squared, since the files to upload do without `hypot`.
        let doubts = |arms: &Arm| {
            arms.posterior_std * arms.posterior_std + best.posterior_std * best.posterior_std
        };
        let is_open = |arms: &&Arm| {
            arms.posterior_gap <= best.posterior_gap + ELIMINATION_SIGMAS * doubts(arms).sqrt()
        };
        others.iter().rposition(|arms| is_open(&arms)).map_or(1, |last| last + 2)
    }
}

/// The mean of the differences of two lists, and its variance; no knowledge where there are none.
///
/// Of a few games that happen to go alike the variance is not believed: it counts as if [`PRIOR_GAMES`] games more had
/// been seen, of the usual one.
fn difference(a: &[f64], b: &[f64]) -> (f64, f64) {
    let differences = || a.iter().zip(b).map(|(a, b)| a - b);
    let count = differences().count() as f64;
    if count < 1.0 {
        return (0.0, f64::INFINITY);
    }
    let mean = differences().sum::<f64>() / count;
    let squares = differences().map(|difference| power(difference - mean, 2)).sum::<f64>();
    (mean, (squares + PRIOR_GAMES * PRIOR_VARIANCE) / (count - 1.0 + PRIOR_GAMES) / count)
}

/// A seed made of what the board shows.
fn fingerprint(board: &Board) -> u64 {
    let values = board.iter().map(|(_, shown)| shown.value().map_or(10, u64::from));
    values.fold(0, |sum: u64, value| sum.wrapping_mul(0x100_0000_01b3).wrapping_add(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::{Deadlines, NoClock};
    use crate::base::params::Effort;
    use crate::board::text_format::Picture;
    use crate::deduction::deducer::Reach;

    #[test]
    fn few_games_are_not_believed_to_be_alike() {
        assert_eq!(difference(&[], &[]), (0.0, f64::INFINITY));
        let (mean, variance) = difference(&[0.3], &[0.1]);
        assert!((mean - 0.2).abs() < 1e-12 && (variance - 0.04).abs() < 1e-12);
        // Four that are alike beside sixteen of the usual variance; then four that are not.
        let (mean, variance) = difference(&[0.5; 4], &[0.25; 4]);
        assert!((mean - 0.25).abs() < 1e-12 && (variance - 0.64 / 19.0 / 4.0).abs() < 1e-12);
        let (mean, variance) = difference(&[0.0, 0.0, 1.0, 1.0], &[0.0; 4]);
        assert!((mean - 0.5).abs() < 1e-12 && (variance - 1.64 / 19.0 / 4.0).abs() < 1e-12);
    }

    #[test]
    fn games_move_what_two_moves_say_as_far_as_their_number_allows() {
        // The second costs 0.05 more by two moves, and 0.4 less in every game.
        let best_of = |objective, games: usize, (first, second): (f64, f64)| {
            let mut rollout = SequentialHalving::new(objective, PlayoutSettings::BY_ODDS);
            let arms = |index, cost, each| Arm {
                candidate: Candidate { cell: Cell::from_index(index), odds: 0.1, cost },
                costs: vec![each; games],
                posterior_gap: 0.0,
                posterior_std: 0.0,
            };
            rollout.arms = vec![arms(0, 0.2, first), arms(1, 0.25, second)];
            rollout.halve(2, 0.03);
            rollout.arms[0].candidate.cell.index()
        };
        use Objective::{CleanWin, FewestHits};
        for (objective, games, best) in [
            (FewestHits, 1, 0),
            (FewestHits, 1000, 1),
            (CleanWin, 1, 0),
            (CleanWin, 1000, 1),
            // Half of the games are lost anyway, so that two moves differ by half as much.
            (FewestHits, 3, 0),
            (CleanWin, 3, 1),
        ] {
            assert_eq!(best_of(objective, games, (0.5, 0.1)), best, "{objective:?} {games}");
            // Games that say the same as two moves change nothing.
            assert_eq!(best_of(objective, games, (0.1, 0.5)), 0, "{objective:?} {games}");
        }
    }

    #[test]
    fn those_behind_beyond_doubt_are_played_on_no_more() {
        let left = |costs: &[f64]| {
            let mut rollout =
                SequentialHalving::new(Objective::FewestHits, PlayoutSettings::BY_ODDS);
            let arms = |(index, &each): (usize, &f64)| Arm {
                candidate: Candidate { cell: Cell::from_index(index as u32), odds: 0.1, cost: 0.1 },
                costs: vec![each; 1000],
                posterior_gap: 0.0,
                posterior_std: 0.0,
            };
            rollout.arms = costs.iter().enumerate().map(arms).collect();
            rollout.halve(costs.len(), 0.03)
        };
        // The better half, of an odd number the larger one.
        assert_eq!(left(&[0.5; 8]), 4);
        assert_eq!(left(&[0.5; 5]), 3);
        assert_eq!(left(&[0.5; 2]), 1);
        // A thousand games of the usual variance: one standard deviation is under 0.001.
        assert_eq!(left(&[0.5, 0.4, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5]), 2);
        assert_eq!(left(&[0.4, 0.5, 0.5, 0.5, 0.5, 0.5]), 1);
        assert_eq!(left(&[0.4, 0.401, 0.5, 0.5, 0.5, 0.5]), 2);
    }

    /// A guess, with its first cells as candidates.
    struct Known {
        board: Board,
        position: Position,
        deducer: Deducer,
        solver: ProbabilitySolver,
        candidates: Vec<Candidate>,
    }

    impl Known {
        fn new(candidates: usize) -> Known {
            let picture: Picture = "4 4 4\n2???\n????\n????\n????\n".parse().expect("a picture");
            let board = picture.board(picture.known_mines()).expect("a board");
            let position = board.position();
            let (mut deducer, mut solver) = (Deducer::new(), ProbabilitySolver::default());
            deducer.run(&position, Reach::FixedPoint).expect("a layout");
            let odds = solver.run(&position, &deducer, &mut Budget::unlimited()).expect("a layout");
            let candidate = |cell| Candidate { cell, odds: odds.of(cell), cost: 0.3 };
            let candidates = board.hidden().take(candidates).map(candidate).collect();
            Known { board, position, deducer, solver, candidates }
        }

        /// What was chosen, and the nodes that it took.
        fn choose(
            &self,
            rollout: &mut SequentialHalving,
            nodes: u64,
            games: u32,
        ) -> (Option<RolloutResult>, u64) {
            let mut budget = Budget::new(nodes, Deadlines::DEFAULT, &NoClock);
            let limits = Effort::Full.limits().rollouts.expect("full effort plays on");
            let limits = RolloutLimits { initial_playouts: games, ..limits };
            let seen = (&self.position, &self.deducer, &self.solver);
            let work = &mut budget;
            let played = rollout.choose(&self.board, seen, &self.candidates, limits, work);
            (played, budget.used())
        }
    }

    fn lens(rollout: &SequentialHalving) -> Vec<usize> {
        rollout.arms.iter().map(|arms| arms.costs.len()).collect()
    }

    #[test]
    fn without_nodes_nothing_is_chosen() {
        let known = Known::new(2);
        let mut rollout = SequentialHalving::new(Objective::FewestHits, PlayoutSettings::BY_ODDS);
        let mut choose = |nodes| {
            let (played, used) = known.choose(&mut rollout, nodes, 80);
            // Whatever the nodes, what stands at one place was played over one layout.
            let lens = lens(&rollout);
            assert_eq!(lens[0], lens[1], "{nodes}");
            assert!(used >= 16 * NODES_PER_BEGIN, "{nodes}");
            played
        };
        assert_eq!(choose(0), None);
        assert_eq!(choose(16 * NODES_PER_BEGIN), None, "that is what it takes to begin");
        assert_eq!(choose(50_000), None, "a game may take a sixteenth of that");
        let all = choose(u64::MAX);
        assert_eq!(all.map(|played| played.games), Some(160));
        let few: Vec<usize> = (150_000..160_000)
            .step_by(500)
            .map(|nodes| choose(nodes).map_or(0, |played| played.games))
            .collect();
        assert!(few.is_sorted() && 0 < few[0] && few[19] < 160, "{few:?}");
        assert_eq!(choose(u64::MAX), all, "the same again");
    }

    #[test]
    fn every_round_has_the_same_nodes() {
        let known = Known::new(4);
        let mut rollout = SequentialHalving::new(Objective::FewestHits, PlayoutSettings::BY_ODDS);
        let nodes = 400_000;
        let (_, used) = known.choose(&mut rollout, nodes, 80);
        assert!((nodes * 9 / 10..=nodes * 11 / 10).contains(&used), "{used}");
        // Four candidates in the first round, two in the second.
        let mut lens = lens(&rollout);
        lens.sort_unstable();
        let (first, second) = (lens[0], lens[3] - lens[0]);
        assert_eq!((lens[1], lens[2]), (lens[0], lens[3]), "{lens:?}");
        // Twice as many, and more since most positions are remembered by then.
        assert!((17..22).contains(&first) && (60..90).contains(&second), "{lens:?}");
    }

    #[test]
    fn a_clean_win_is_played_on_from_the_cell_being_safe() {
        let known = Known::new(5);
        let mut rollout = SequentialHalving::new(Objective::CleanWin, PlayoutSettings::BY_ODDS);
        known.choose(&mut rollout, u64::MAX, 10_000);
        let mut player = PlayoutRunner::new(Objective::CleanWin, PlayoutSettings::BY_ODDS);
        player.begin(&known.board, known.solver.odds().mines());
        let mut sampler = LayoutSampler::default();
        sampler.prepare(&known.solver, &known.position, &known.deducer);
        let (mut random, mut budget) = (Random::new(5), Budget::unlimited());
        for arms in &rollout.arms {
            let Candidate { cell, odds, .. } = arms.candidate;
            let mut of_one = || {
                sampler.draw_safe(&known.solver, cell, &mut random, &mut budget).expect("a layout");
                let work = &mut budget;
                let rest = player.play(cell, &sampler.mines, &mut random, work).expect("a game");
                1.0 - (1.0 - odds) * (1.0 - rest)
            };
            let expected: Vec<f64> = (0..10_000).map(|_| of_one()).collect();
            let mean = |costs: &[f64]| costs.iter().sum::<f64>() / costs.len() as f64;
            let (expected, seen) = (mean(&expected), mean(&arms.costs));
            assert!((expected - seen).abs() < 0.01, "{cell:?}: {expected} {seen}");
        }
    }
}
