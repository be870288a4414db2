//! The adjusted results of a run, as integers: those of shards add up to those of the run.

use analysis::adjusted::luck::Luck;
use game::rule::Rule;
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use crate::report::Mean;
use crate::runner::board_game::BoardGame;

/// The unit of all sums but those of numbers: finer than the standard error of any run, and
/// coarse enough for the squares of a billion games.
pub const UNITS: f64 = 1e5;

/// A value in these units.
pub fn adjusted_units(value: f64) -> i64 {
    (value * UNITS).round() as i64
}

/// Sums over games.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct AdjustedCounts {
    /// The adjusted results: wins, or mines opened.
    pub result: u64,
    /// The squares of the adjusted results.
    pub result_squared: u64,
    pub guesses: u64,
    pub hits: u64,
    /// Those of the hits that were proven to be mines; 0 in files of former versions.
    #[serde(default)]
    pub proven_mines: u64,
    /// The odds of the guesses.
    pub expected: u64,
    /// The variances of the guesses.
    pub variance: u64,
    /// The clicks without exact odds.
    pub inexact: u64,
}
read_from_object!(both AdjustedCounts);

/// The adjusted result of a game: under Botzone's rules the mines opened, else the probability to
/// survive. `None` if the game is not adjusted.
pub fn adjusted_result(game: &BoardGame, rule: Rule) -> Option<f64> {
    let luck = game.luck?;
    Some(match rule {
        Rule::Botzone => f64::from(game.result.hits) - luck.excess(),
        Rule::SafeFirst | Rule::OpenFirst => luck.survival,
    })
}

impl AdjustedCounts {
    /// The counts of a game; zero if it is not adjusted.
    pub fn of_game(game: &BoardGame, rule: Rule) -> AdjustedCounts {
        let Some((result, luck)) = adjusted_result(game, rule).zip(game.luck) else {
            return AdjustedCounts::default();
        };
        let units = |value: f64| adjusted_units(value) as u64;
        let result = units(result);
        AdjustedCounts {
            result,
            result_squared: result * result,
            guesses: luck.guesses,
            hits: luck.hits,
            proven_mines: luck.proven_mines,
            expected: units(luck.expected),
            variance: units(luck.variance),
            inexact: luck.inexact,
        }
    }

    /// Adds the games of `other`.
    pub fn merge(&mut self, other: &AdjustedCounts) {
        self.result += other.result;
        self.result_squared += other.result_squared;
        self.guesses += other.guesses;
        self.hits += other.hits;
        self.proven_mines += other.proven_mines;
        self.expected += other.expected;
        self.variance += other.variance;
        self.inexact += other.inexact;
    }

    /// The mean of the adjusted results of so many games.
    pub fn mean(&self, games: u64) -> Mean {
        let squares = self.result_squared as f64 / (UNITS * UNITS);
        Mean::of(games, self.result as f64 / UNITS, squares)
    }

    /// The guesses of all games.
    pub fn luck(&self) -> Luck {
        Luck {
            guesses: self.guesses,
            hits: self.hits,
            proven_mines: self.proven_mines,
            expected: self.expected as f64 / UNITS,
            variance: self.variance as f64 / UNITS,
            inexact: self.inexact,
            ..Luck::default()
        }
    }
}
