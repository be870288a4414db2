//! What comes of the games of a pit: each bot by itself, and each two of them board by board.
//!
//! Invariant: only boards that every bot has played count, so that every figure is about the same
//! boards. Times are kept to three digits in a histogram, whose size does not grow with the games.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use serde_json::{Value, json};

use super::journal::Game;
use crate::cli::units::measured_mebibytes;
use crate::results::paired::Paired;
use crate::results::statistics::{Mean, wilson};

/// The score of a game without a mine.
pub const MOST_SCORE: f64 = 100.0;
/// Faults that are told one by one, of each bot.
const SHOWN: usize = 3;
/// The most that a time can be, in microseconds: a year.
const LONGEST: u64 = 365 * 86_400 * 1_000_000;

/// Times of turns.
pub struct Times(Histogram<u64>);

impl Times {
    fn new() -> Times {
        Times(Histogram::new_with_bounds(1, LONGEST, 3).expect("these are bounds"))
    }

    /// In microseconds; what is shorter than one counts as one.
    fn add(&mut self, time: u64) {
        self.0.saturating_record(time.max(1));
    }

    /// The median, the 99th percentile and the worst, in milliseconds; `None` of nothing.
    pub fn quantiles(&self) -> Option<[f64; 3]> {
        let times = [self.0.value_at_quantile(0.5), self.0.value_at_quantile(0.99), self.0.max()];
        (!self.0.is_empty()).then(|| times.map(|time| time as f64 / 1e3))
    }

    fn json(&self) -> Value {
        match self.quantiles() {
            Some([median, p99, worst]) => json!({"median": median, "p99": p99, "worst": worst}),
            None => Value::Null,
        }
    }
}

/// One bot's games.
pub struct Tally {
    pub games: u64,
    pub score: Mean,
    /// Of the games that came to their end.
    pub mines: Mean,
    pub clean: u64,
    pub wall: Times,
    pub cpu: Times,
    pub turns: u64,
    /// In bytes; 0 where none was seen.
    pub memory: u64,
    pub left: u64,
    /// By their kind.
    pub faults: BTreeMap<String, u64>,
    /// The first few.
    pub examples: Vec<Game>,
}

impl Tally {
    pub fn new() -> Tally {
        Tally {
            games: 0,
            score: Mean::default(),
            mines: Mean::default(),
            clean: 0,
            wall: Times::new(),
            cpu: Times::new(),
            turns: 0,
            memory: 0,
            left: 0,
            faults: BTreeMap::new(),
            examples: Vec::new(),
        }
    }

    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.score.add(game.score);
        self.turns += game.wall.len() as u64;
        game.wall.iter().for_each(|&time| self.wall.add(time));
        game.cpu.iter().for_each(|&time| self.cpu.add(time));
        self.memory = self.memory.max(game.memory);
        self.left += u64::from(game.left);
        self.clean += u64::from(is_clean(game));
        if game.is_done() {
            self.mines.add(game.mines.into());
        } else {
            *self.faults.entry(game.outcome.clone()).or_default() += 1;
            if self.examples.len() < SHOWN {
                self.examples.push(game.clone());
            }
        }
    }

    /// The faults as words; empty without any.
    pub fn faults_text(&self) -> String {
        let kinds = self.faults.iter().map(|(kind, count)| format!("{count} {kind}"));
        kinds.collect::<Vec<_>>().join(", ")
    }

    /// For programs, of boards with so many mines.
    pub fn json(&self, mines: u32) -> Value {
        let (low, high) = wilson(self.clean, self.games);
        let share = |share: f64| 100.0 * share;
        json!({
            "games": self.games,
            "turns": self.turns,
            "score": mean_json(&self.score, MOST_SCORE),
            "mines": mean_json(&self.mines, mines.into()),
            "finished": self.mines.count(),
            "clean": self.clean,
            "clean_percent": share(self.clean as f64 / self.games.max(1) as f64),
            "clean_interval": [share(low), share(high)],
            "faults": self.faults,
            "wall_ms": self.wall.json(),
            "cpu_ms": self.cpu.json(),
            "memory_mb": measured_mebibytes(self.memory),
            "left_behind": self.left,
        })
    }
}

/// A mean of values up to `most` with its interval, where there is one.
fn mean_json(mean: &Mean, most: f64) -> Value {
    json!({"mean": (mean.count() > 0).then(|| mean.value()), "interval": mean.interval(0.0..=most)})
}

/// Whether a game came to its end without a mine.
pub fn is_clean(game: &Game) -> bool {
    game.is_done() && game.mines == 0
}

/// A clean game in percent, so that differences are points.
pub fn clean_percent(game: &Game) -> f64 {
    100.0 * f64::from(u8::from(is_clean(game)))
}

/// Two bots, by their places among all.
pub struct Pair {
    pub a: usize,
    pub b: usize,
    pub score: Paired,
    pub clean: Paired,
    /// Of the boards that both brought to their end.
    pub mines: Paired,
    /// The boards with the largest differences of score: seed, score of A, of B.
    pub extremes: Vec<(i32, f64, f64)>,
}

impl Pair {
    /// Every two of so many bots, on boards with so many mines.
    pub fn all(bots: usize, mines: u32) -> Vec<Pair> {
        let pair = |a, b| Pair {
            a,
            b,
            score: Paired::values(MOST_SCORE),
            clean: Paired::percent(),
            mines: Paired::values(mines.into()),
            extremes: Vec::new(),
        };
        (0..bots).flat_map(|a| (a + 1..bots).map(move |b| pair(a, b))).collect()
    }

    /// The bot whose score is better by more than chance explains.
    pub fn better(&self) -> Option<usize> {
        match self.score.interval()? {
            (low, _) if low > 0.0 => Some(self.b),
            (_, high) if high < 0.0 => Some(self.a),
            _ => None,
        }
    }

    /// Takes in a board: the games of all bots on it.
    pub fn add(&mut self, board: &[Game]) {
        let (a, b) = (&board[self.a], &board[self.b]);
        self.score.add(a.score, b.score, b.score - a.score);
        self.clean.add(clean_percent(a), clean_percent(b), clean_percent(b) - clean_percent(a));
        if a.is_done() && b.is_done() {
            let (a, b) = (f64::from(a.mines), f64::from(b.mines));
            self.mines.add(a, b, a - b);
        }
        if a.score != b.score {
            self.extremes.push((a.seed, a.score, b.score));
            // Stable: of equal differences the first boards stay.
            self.extremes.sort_by(|x, y| (y.1 - y.2).abs().total_cmp(&(x.1 - x.2).abs()));
            self.extremes.truncate(SHOWN);
        }
    }
}
