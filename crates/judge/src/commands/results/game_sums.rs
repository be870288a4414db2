//! The sums over the games of a part.
//!
//! Invariant: sums are integers, so that the parts of a measurement add up to the same sums in any
//! order, on any machine. Only times differ.

use game::rule::Rule;
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use crate::report::Mean;
use crate::report::run::{Counts, UNITS, adjusted_result, adjusted_units};
use crate::runner::board_game::BoardGame;

/// The sums of a part, or of several parts.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct GameSums {
    pub counts: Counts,
    /// The games that ended with a fault of the bot.
    pub faults: u64,
    /// The comparison with each measurement of `--less`, by its place there.
    pub less: Vec<PairedSums>,
}
read_from_object!(both GameSums);

/// Sums over boards that two players played: the first less the second.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct PairedSums {
    pub boards: u64,
    /// Boards that only the first won, and that only the second won.
    pub won: u64,
    pub lost: u64,
    /// Mines opened.
    pub mines: i64,
    pub mines_squared: u64,
    /// The adjusted results: wins, or mines opened.
    pub adjusted: i64,
    pub adjusted_squared: u64,
}
read_from_object!(both PairedSums);

impl PairedSums {
    /// The sums of one board.
    pub fn of_games(first: &BoardGame, second: &BoardGame, rule: Rule) -> PairedSums {
        let units = |game| adjusted_result(game, rule).map_or(0, adjusted_units);
        let mines = i64::from(first.result.hits) - i64::from(second.result.hits);
        let adjusted = units(first) - units(second);
        PairedSums {
            boards: 1,
            won: u64::from(first.result.won && !second.result.won),
            lost: u64::from(second.result.won && !first.result.won),
            mines,
            mines_squared: mines.unsigned_abs().pow(2),
            adjusted,
            adjusted_squared: adjusted.unsigned_abs().pow(2),
        }
    }

    /// Adds other boards.
    pub fn merge(&mut self, other: &PairedSums) {
        self.boards += other.boards;
        self.won += other.won;
        self.lost += other.lost;
        self.mines += other.mines;
        self.mines_squared += other.mines_squared;
        self.adjusted += other.adjusted;
        self.adjusted_squared += other.adjusted_squared;
    }

    /// The mean difference of wins, in points.
    pub fn points(&self) -> Mean {
        let (sum, squares) = (self.won as f64 - self.lost as f64, (self.won + self.lost) as f64);
        Mean::of(self.boards, 1e2 * sum, 1e4 * squares)
    }

    /// The mean difference of mines.
    pub fn mean_mines(&self) -> Mean {
        Mean::of(self.boards, self.mines as f64, self.mines_squared as f64)
    }

    /// The mean difference of the adjusted results, in `scale` units.
    pub fn mean_adjusted(&self, scale: f64) -> Mean {
        let unit = scale / UNITS;
        let squares = self.adjusted_squared as f64 * unit * unit;
        Mean::of(self.boards, self.adjusted as f64 * unit, squares)
    }
}

impl GameSums {
    /// Adds the games of one board: that of the measurement, and those that it is compared with.
    pub fn add(&mut self, games: &[BoardGame], rule: Rule) {
        let Some((game, others)) = games.split_first() else { return };
        self.counts.merge(&Counts::of_game(game, rule));
        self.less.resize(others.len(), PairedSums::default());
        for (sums, other) in self.less.iter_mut().zip(others) {
            sums.merge(&PairedSums::of_games(game, other, rule));
        }
    }

    /// Adds another part.
    pub fn merge(&mut self, other: &GameSums) {
        self.counts.merge(&other.counts);
        self.faults += other.faults;
        self.less.resize(other.less.len().max(self.less.len()), PairedSums::default());
        self.less.iter_mut().zip(&other.less).for_each(|(sums, other)| sums.merge(other));
    }

    /// The sums without times, which differ from run to run.
    pub fn untimed(&self) -> GameSums {
        let counts =
            Counts { cpu_ns: 0, slowest_turn_ns: 0, slowest_board: 0, ..self.counts.clone() };
        GameSums { counts, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use analysis::adjusted::luck::Luck;
    use game::simulate::PlayResult;

    use super::*;

    fn game(index: i64, hits: u32, survival: f64) -> BoardGame {
        let result = PlayResult { hits, won: hits == 0, ..PlayResult::default() };
        let luck = Some(Luck { survival, ..Luck::default() });
        BoardGame { index, result, luck, cpu: Duration::from_millis(3) }
    }

    #[test]
    fn paired_sums_are_those_of_the_differences() {
        let mut random = fastrand::Rng::with_seed(45);
        let games: Vec<[BoardGame; 2]> = (0..500)
            .map(|index| [0, 1].map(|_| game(index, random.u32(0..3), random.f64())))
            .collect();
        let (mut all, mut half, mut rest) =
            (GameSums::default(), GameSums::default(), GameSums::default());
        let rule = Rule::SafeFirst;
        for (index, pair) in games.iter().enumerate() {
            all.add(pair, rule);
            if index < 200 { &mut half } else { &mut rest }.add(pair, rule);
        }
        rest.merge(&half);
        assert!(rest.untimed() == all.untimed() && all.counts.games == 500);
        let [mut points, mut mines, mut adjusted] = [Mean::default(); 3];
        for [a, b] in &games {
            points.add(100.0 * (f64::from(a.result.won) - f64::from(b.result.won)));
            mines.add(f64::from(a.result.hits) - f64::from(b.result.hits));
            let survival = |game: &BoardGame| game.luck.unwrap().survival;
            adjusted.add(100.0 * (survival(a) - survival(b)));
        }
        let sums = &all.less[0];
        let pairs = [
            (sums.points(), points),
            (sums.mean_mines(), mines),
            (sums.mean_adjusted(1e2), adjusted),
        ];
        for (found, expected) in pairs {
            assert!((found.value() - expected.value()).abs() < 1e-3);
            assert!((found.half_width() - expected.half_width()).abs() < 1e-3);
            assert!(expected.half_width() > 0.01);
        }
    }
}
