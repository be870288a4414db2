//! The counts of a run, all of them integers: the counts of shards add up to those of the run,
//! whatever the division and the order.

use game::rule::Rule;
use sapper::Step;
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use crate::report::Mean;
use crate::report::run::AdjustedCounts;
use crate::runner::board_game::BoardGame;

/// The number of bins, of equal width, for the share of the safe cells that were open at the end.
pub const BINS: usize = 10;

/// Sums over games.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Counts {
    pub games: u64,
    pub wins: u64,
    /// Mines opened.
    pub mines: u64,
    /// The sum of the squares of the mines of each game.
    pub mines_squared: u64,
    /// Cells opened by the bot. A cell with a flood counts once.
    pub turns: u64,
    pub guesses: u64,
    pub cpu_ns: u64,
    /// The time of the slowest decision.
    pub slowest_turn_ns: u64,
    /// The index of the board of the slowest decision.
    pub slowest_board: i64,
    /// Games by the share of the safe cells that were open at the end. The last bin includes the
    /// games in which all were open.
    pub explored: [u64; BINS],
    /// For each step of the engine, the cells opened by it and the mines among them.
    pub steps: [(u64, u64); Step::ALL.len()],
    /// Zero unless adjusted results were asked for.
    #[serde(default)]
    pub adjusted: AdjustedCounts,
}
read_from_object!(both Counts);

impl Counts {
    /// The sums of all these counts.
    pub fn sum<'c>(all: impl IntoIterator<Item = &'c Counts>) -> Counts {
        let mut sum = Counts::default();
        all.into_iter().for_each(|counts| sum.merge(counts));
        sum
    }

    /// The counts of a game by `rule`.
    pub fn of_game(game: &BoardGame, rule: Rule) -> Counts {
        let BoardGame { index, result, cpu, .. } = game;
        let mines = u64::from(result.hits);
        let mut explored = [0; BINS];
        explored[bin(result.opened, result.safe)] = 1;
        Counts {
            games: 1,
            wins: result.won.into(),
            mines,
            mines_squared: mines * mines,
            turns: result.turns.into(),
            guesses: result.guesses.into(),
            cpu_ns: cpu.as_nanos() as u64,
            slowest_turn_ns: result.slowest.as_nanos() as u64,
            slowest_board: *index,
            explored,
            steps: result.by_step.map(|(cells, mines)| (cells.into(), mines.into())),
            adjusted: AdjustedCounts::of_game(game, rule),
        }
    }

    /// Adds the games of `other`.
    pub fn merge(&mut self, other: &Counts) {
        if self.games == 0 || other.slowest_turn_ns > self.slowest_turn_ns {
            self.slowest_turn_ns = other.slowest_turn_ns;
            self.slowest_board = other.slowest_board;
        }
        self.games += other.games;
        self.wins += other.wins;
        self.mines += other.mines;
        self.mines_squared += other.mines_squared;
        self.turns += other.turns;
        self.guesses += other.guesses;
        self.cpu_ns += other.cpu_ns;
        for (sum, more) in self.explored.iter_mut().zip(other.explored) {
            *sum += more;
        }
        for (sum, more) in self.steps.iter_mut().zip(other.steps) {
            sum.0 += more.0;
            sum.1 += more.1;
        }
        self.adjusted.merge(&other.adjusted);
    }

    /// The mean of a total per game.
    pub fn per_game(&self, total: u64) -> f64 {
        total as f64 / self.games.max(1) as f64
    }

    /// The mean of the mines opened per game.
    pub fn mean_mines(&self) -> Mean {
        Mean::of(self.games, self.mines as f64, self.mines_squared as f64)
    }

    /// The mines in cells that were proven safe. Each one is a bug.
    pub fn false_proofs(&self) -> u64 {
        let proven = Step::ALL.into_iter().filter(|step| step.is_proof());
        proven.map(|step| self.steps[step as usize].1).sum()
    }
}

/// The bin of a game in which `opened` of `safe` cells were open at the end. Without safe cells,
/// all are open.
fn bin(opened: u32, safe: u32) -> usize {
    let tenth = u64::from(opened) * BINS as u64 / u64::from(safe.max(1));
    if safe == 0 { BINS - 1 } else { (tenth as usize).min(BINS - 1) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use analysis::adjusted::luck::Luck;
    use game::simulate::PlayResult;

    use super::*;

    #[test]
    fn games_are_binned_by_tenths() {
        for (opened, safe, expected) in [
            (0, 381, 0),
            (38, 381, 0),
            (39, 381, 1),
            (343, 381, 9),
            (381, 381, 9),
            (0, 0, 9),
            (1, 2, 5),
        ] {
            assert_eq!(bin(opened, safe), expected, "{opened} of {safe}");
        }
    }

    #[test]
    fn the_order_and_the_division_do_not_matter() {
        let mut random = fastrand::Rng::with_seed(81);
        let games: Vec<BoardGame> = (0..200)
            .map(|index| {
                let (hits, guesses) = (random.u32(0..4), random.u32(4..9));
                let mut result = PlayResult {
                    hits,
                    guesses,
                    turns: 50,
                    won: hits == 0,
                    ..PlayResult::default()
                };
                result.by_step[0] = (50 - guesses, 0);
                result.by_step[3] = (guesses, hits);
                (result.safe, result.opened) = (100, random.u32(1..=100));
                result.slowest = Duration::from_nanos(random.u64(1..1 << 40));
                // The adjusted hits are the expected ones.
                let (expected, hits) = (f64::from(guesses) / 7.0, hits.into());
                let luck = Some(Luck { expected, hits, ..Luck::default() });
                BoardGame { index, result, luck, cpu: Duration::from_nanos(random.u64(..1 << 40)) }
            })
            .collect();
        let count = |games: &[BoardGame]| {
            Counts::sum(&Vec::from_iter(
                games.iter().map(|game| Counts::of_game(game, Rule::Botzone)),
            ))
        };
        let all = count(&games);
        assert!(all.games == 200 && all.wins > 20 && all.false_proofs() == 0);
        let mut merged = count(&games[150..]);
        merged.merge(&Counts::default());
        merged.merge(&count(&games[..70]));
        merged.merge(&count(&games[70..150]));
        assert_eq!(merged, all);
        let adjusted = all.adjusted.mean(200);
        let guesses: u32 = games.iter().map(|game| game.result.guesses).sum();
        assert!((adjusted.value() - f64::from(guesses) / 1400.0).abs() < 1e-5);
        assert!(0.01 < adjusted.half_width() && adjusted.half_width() < 0.05);
        let mut direct = Mean::default();
        games.iter().for_each(|game| direct.add(game.result.hits.into()));
        assert_eq!(all.mean_mines().half_width(), direct.half_width());
    }
}
