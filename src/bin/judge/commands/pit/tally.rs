//! The figures of each bot, and of each two bots board by board.
//!
//! Boards are added one by one in the order of their seeds. Invariant: a board counts when every
//! bot has played it, so that all figures are about the same boards.
//!
//! Cost: times are kept in a histogram with three significant digits, whose size does not depend on
//! the number of games.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use sapper::referee::adjusted::luck::Luck;
use serde::Serialize;
use serde_json::{Value, json};

use super::sprt::{Sprt, Verdict};
use crate::bots::game_result::GameResult;
use crate::cli::units::measured_mebibytes;
use crate::results::adjusted::luck_json;
use crate::results::paired::Paired;
use crate::results::statistics::{Mean, wilson};

/// The score of a game without an opened mine.
pub const MAX_SCORE: f64 = 100.0;
/// The most faults of a bot, and boards of a pair, that are listed.
const MAX_LISTED: usize = 3;
/// The upper bound of the histogram, in microseconds: a year.
const MAX_MICROS: u64 = 365 * 86_400 * 1_000_000;

/// The distribution of the times of turns.
pub struct Times(Histogram<u64>);

impl Default for Times {
    fn default() -> Times {
        Times(Histogram::new_with_bounds(1, MAX_MICROS, 3).expect("the bounds are valid"))
    }
}

impl Times {
    /// Adds a time; less than a microsecond counts as one.
    fn add(&mut self, micros: u64) {
        self.0.saturating_record(micros.max(1));
    }

    /// The median, the 99th percentile and the maximum, in milliseconds; null without times.
    fn json(&self) -> Value {
        let milliseconds = |micros: u64| micros as f64 / 1e3;
        let quantile = |share: f64| milliseconds(self.0.value_at_quantile(share));
        let worst = milliseconds(self.0.max());
        match self.0.is_empty() {
            true => Value::Null,
            false => json!({"median": quantile(0.5), "p99": quantile(0.99), "worst": worst}),
        }
    }
}

/// What the boards so far add up to.
pub struct Totals {
    /// The totals of each bot.
    pub tallies: Vec<Tally>,
    /// The comparison of every two bots, in both orders.
    pub pairs: Vec<Pair>,
    /// The sequential test of two bots, if one was asked for.
    pub sprt: Option<Sprt>,
    /// The boards that every bot has played.
    pub boards: usize,
    /// The games that came from the journal.
    pub resumed: usize,
    /// The mines that cost the whole score.
    mines: u32,
    /// Whether bots are ranked by adjusted scores.
    pub adjusted: bool,
}

impl Totals {
    /// No boards yet, of `bots` bots, where `mines` mines cost the whole score.
    pub fn new(bots: usize, mines: u32, adjusted: bool, sprt: Option<Sprt>) -> Totals {
        let tallies = (0..bots).map(|_| Tally::default()).collect();
        let pairs = Pair::all(bots, mines, adjusted);
        Totals { tallies, pairs, sprt, boards: 0, resumed: 0, mines, adjusted }
    }

    /// Adds a board: one game of each bot.
    pub fn add(&mut self, board: &[GameResult]) {
        self.tallies.iter_mut().zip(board).for_each(|(tally, game)| tally.add(game, self.mines));
        self.pairs.iter_mut().for_each(|pair| pair.add(board, self.mines));
        self.boards += 1;
        self.resumed += board.iter().filter(|game| game.is_resumed).count();
        if let (Some(sprt), [a, b]) = (&mut self.sprt, board) {
            sprt.add(sprt.gain.of(a, b, self.mines));
        }
    }

    /// Whether the sequential test has accepted a hypothesis.
    pub fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.verdict() != Verdict::Open)
    }

    /// Whether no bot had a fault.
    pub fn is_faultless(&self) -> bool {
        self.tallies.iter().all(|tally| tally.faults.is_empty())
    }

    /// The indices of the bots, the best first; equal ones in the order in which they were given.
    pub fn ranking(&self) -> Vec<usize> {
        let score = |bot: usize| {
            let Tally { score, adjusted_score, .. } = &self.tallies[bot];
            if self.adjusted { adjusted_score.value() } else { score.value() }
        };
        let mut order: Vec<usize> = (0..self.tallies.len()).collect();
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        order
    }
}

/// The totals of one bot.
#[derive(Default)]
pub struct Tally {
    pub games: u64,
    pub score: Mean,
    /// The scores without the luck of the guesses.
    pub adjusted_score: Mean,
    /// The mines opened in games without a fault.
    pub mines: Mean,
    /// The same without the luck of the guesses.
    pub adjusted_mines: Mean,
    /// The guesses of all games.
    pub luck: Luck,
    /// The games without a fault and without an opened mine.
    pub clean: u64,
    pub wall: Times,
    pub cpu: Times,
    pub turns: u64,
    /// The largest memory, in bytes; 0 if none was sampled.
    pub peak_bytes: u64,
    /// The processes that were left running.
    pub left_behind: u64,
    /// The number of faults of each kind.
    pub faults: BTreeMap<String, u64>,
    /// The first games with a fault.
    pub first_faults: Vec<GameResult>,
}

impl Tally {
    /// Adds a game on a board with `mines` mines.
    pub fn add(&mut self, game: &GameResult, mines: u32) {
        self.games += 1;
        self.score.add(game.score);
        self.turns += game.wall_micros.len() as u64;
        game.wall_micros.iter().for_each(|&time| self.wall.add(time));
        game.cpu_micros.iter().for_each(|&time| self.cpu.add(time));
        self.peak_bytes = self.peak_bytes.max(game.peak_bytes);
        self.left_behind += u64::from(game.left_behind);
        self.clean += u64::from(game.is_clean());
        game.adjusted_score(mines).into_iter().for_each(|score| self.adjusted_score.add(score));
        game.luck.iter().for_each(|luck| self.luck.merge(luck));
        if game.is_done() {
            self.mines.add(game.mines.into());
            game.adjusted_hits().into_iter().for_each(|hits| self.adjusted_mines.add(hits));
        } else {
            *self.faults.entry(game.outcome.clone()).or_default() += 1;
            if self.first_faults.len() < MAX_LISTED {
                self.first_faults.push(game.clone());
            }
        }
    }

    /// The figures as JSON, on boards with `mines` mines.
    pub fn json(&self, mines: u32) -> Value {
        let (low, high) = wilson(self.clean, self.games);
        let adjusted = || {
            json!({
                "score": mean_json(&self.adjusted_score, f64::INFINITY),
                "mines": mean_json(&self.adjusted_mines, f64::INFINITY),
                "luck": luck_json(&self.luck),
            })
        };
        json!({
            "games": self.games,
            "turns": self.turns,
            "score": mean_json(&self.score, MAX_SCORE),
            "mines": mean_json(&self.mines, mines.into()),
            "finished": self.mines.count(),
            "clean": self.clean,
            "clean_percent": 100.0 * (self.clean as f64 / self.games.max(1) as f64),
            "clean_interval": [100.0 * low, 100.0 * high],
            "faults": self.faults,
            "wall_ms": self.wall.json(),
            "cpu_ms": self.cpu.json(),
            "memory_mb": measured_mebibytes(self.peak_bytes),
            "left_behind": self.left_behind,
            "adjusted": (self.adjusted_score.count() > 0).then(adjusted),
        })
    }
}

/// A mean of values between 0 and `max`, which may be infinite, with its interval; null without
/// values.
fn mean_json(mean: &Mean, max: f64) -> Value {
    json!({"mean": (mean.count() > 0).then(|| mean.value()), "interval": mean.interval(0.0..=max)})
}

/// The scores of two bots on one board.
#[derive(Serialize)]
pub struct BoardScores {
    pub seed: i32,
    pub a: f64,
    pub b: f64,
}

impl BoardScores {
    fn distance(&self) -> f64 {
        (self.a - self.b).abs()
    }
}

/// The comparison of two bots.
pub struct Pair {
    /// The index of the first bot.
    pub a: usize,
    /// The index of the second bot.
    pub b: usize,
    pub score: Paired,
    pub adjusted_score: Paired,
    pub clean: Paired,
    /// The mines opened on the boards that both finished without a fault.
    pub mines: Paired,
    pub adjusted_mines: Paired,
    /// Whether the adjusted score decides which is better.
    adjusted: bool,
    /// The boards with the largest differences of score, the largest first.
    pub extremes: Vec<BoardScores>,
}

impl Pair {
    /// Every two of `bots` bots in both orders, on boards with `mines` mines.
    fn all(bots: usize, mines: u32, adjusted: bool) -> Vec<Pair> {
        let pair = |a, b| Pair {
            a,
            b,
            score: Paired::values(MAX_SCORE),
            adjusted_score: Paired::values(f64::INFINITY),
            clean: Paired::percent(),
            mines: Paired::values(mines.into()),
            adjusted_mines: Paired::values(f64::INFINITY),
            adjusted,
            extremes: Vec::new(),
        };
        let others = |a| (0..bots).filter(move |&b| b != a).map(move |b| pair(a, b));
        (0..bots).flat_map(others).collect()
    }

    /// The score that decides which is better.
    pub fn deciding(&self) -> &Paired {
        if self.adjusted { &self.adjusted_score } else { &self.score }
    }

    /// The index of the bot with the better score, if the interval of the difference excludes 0.
    pub fn better(&self) -> Option<usize> {
        match self.deciding().interval()? {
            (low, _) if low > 0.0 => Some(self.b),
            (_, high) if high < 0.0 => Some(self.a),
            _ => None,
        }
    }

    /// Adds a board: one game of each bot.
    fn add(&mut self, board: &[GameResult], mines: u32) {
        let (a, b) = (&board[self.a], &board[self.b]);
        self.score.add(a.score, b.score, b.score - a.score);
        if let [Some(a), Some(b)] = [a, b].map(|game| game.adjusted_score(mines)) {
            self.adjusted_score.add(a, b, b - a);
        }
        let [clean_a, clean_b] = [a, b].map(GameResult::clean_percent);
        self.clean.add(clean_a, clean_b, clean_b - clean_a);
        if a.is_done() && b.is_done() {
            let (a, b) = (f64::from(a.mines), f64::from(b.mines));
            self.mines.add(a, b, a - b);
        }
        if let [Some(a), Some(b)] =
            [a, b].map(|game| game.adjusted_hits().filter(|_| game.is_done()))
        {
            self.adjusted_mines.add(a, b, a - b);
        }
        if a.score != b.score {
            self.extremes.push(BoardScores { seed: a.seed, a: a.score, b: b.score });
            // A stable sort: of equal differences the first boards stay.
            self.extremes.sort_by(|x, y| y.distance().total_cmp(&x.distance()));
            self.extremes.truncate(MAX_LISTED);
        }
    }
}
