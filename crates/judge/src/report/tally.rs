//! The figures of all games of one bot.
//!
//! Cost: times are kept in a histogram with three significant digits, whose size does not depend on
//! the number of games.

use std::collections::BTreeMap;

use analysis::adjusted::luck::Luck;
use hdrhistogram::Histogram;
use serde::Serialize;

use crate::report::{LuckReport, Mean, wilson};
use crate::runner::bots::{GameResult, Starts};
use crate::runner::units::measured_mebibytes;

/// The score of a game without an opened mine.
pub const MAX_SCORE: f64 = 100.0;
/// The most faults of a bot that are listed.
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

    /// The times as they are reported; `None` without times.
    fn report(&self) -> Option<TimesReport> {
        let milliseconds = |micros: u64| micros as f64 / 1e3;
        let quantile = |share: f64| milliseconds(self.0.value_at_quantile(share));
        (!self.0.is_empty()).then(|| TimesReport {
            median: quantile(0.5),
            p99: quantile(0.99),
            worst: milliseconds(self.0.max()),
        })
    }
}

/// The times of turns, in milliseconds.
#[derive(Serialize)]
pub struct TimesReport {
    pub median: f64,
    /// The 99th percentile.
    pub p99: f64,
    pub worst: f64,
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
    /// The probabilities to win, where a hit ends the game; 0 after a fault.
    pub adjusted_won: Mean,
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
    /// The starts of the bot.
    pub starts: Starts,
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
        self.starts.merge(&game.starts);
        self.clean += u64::from(game.is_clean());
        game.adjusted_score(mines).into_iter().for_each(|score| self.adjusted_score.add(score));
        game.adjusted_won().into_iter().for_each(|won| self.adjusted_won.add(won));
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

    /// Whether a game ended without a fault.
    pub fn has_finished(&self) -> bool {
        self.mines.count() > 0
    }

    /// The figures as they are reported, on boards with `mines` mines.
    pub fn report(&self, mines: u32) -> TallyReport {
        let (has_games, (low, high)) = (self.games > 0, wilson(self.clean, self.games));
        TallyReport {
            games: self.games,
            turns: self.turns,
            score: MeanReport::of(&self.score, MAX_SCORE),
            mines: MeanReport::of(&self.mines, mines.into()),
            finished: self.mines.count(),
            clean: self.clean,
            clean_percent: has_games.then(|| 100.0 * self.clean as f64 / self.games as f64),
            clean_interval: has_games.then_some((100.0 * low, 100.0 * high)),
            faults: self.faults.clone(),
            wall_ms: self.wall.report(),
            cpu_ms: self.cpu.report(),
            memory_mb: measured_mebibytes(self.peak_bytes),
            left_behind: self.left_behind,
            adjusted: (self.adjusted_score.count() > 0).then(|| AdjustedTallyReport {
                score: MeanReport::of(&self.adjusted_score, f64::INFINITY),
                mines: MeanReport::of(&self.adjusted_mines, f64::INFINITY),
                luck: LuckReport::from(&self.luck),
            }),
        }
    }
}

/// The figures of a bot as they are reported.
#[derive(Serialize)]
pub struct TallyReport {
    pub games: u64,
    pub turns: u64,
    pub score: MeanReport,
    /// The mines opened in games without a fault.
    pub mines: MeanReport,
    /// The games without a fault.
    finished: u64,
    /// The games without a fault and without an opened mine.
    clean: u64,
    pub clean_percent: Option<f64>,
    pub clean_interval: Option<(f64, f64)>,
    /// The number of faults of each kind.
    pub faults: BTreeMap<String, u64>,
    pub wall_ms: Option<TimesReport>,
    pub cpu_ms: Option<TimesReport>,
    /// The largest memory, in MiB; `None` if none was sampled.
    pub memory_mb: Option<f64>,
    /// The processes that were left running.
    left_behind: u64,
    adjusted: Option<AdjustedTallyReport>,
}

/// The figures without the luck of the guesses.
#[derive(Serialize)]
struct AdjustedTallyReport {
    score: MeanReport,
    mines: MeanReport,
    luck: LuckReport,
}

/// A mean with its 95 % interval; `None` without values.
#[derive(Serialize)]
pub struct MeanReport {
    pub mean: Option<f64>,
    pub interval: Option<(f64, f64)>,
}

impl MeanReport {
    /// The mean of values between 0 and `max`, which may be infinite.
    fn of(mean: &Mean, max: f64) -> MeanReport {
        let interval = mean.interval(0.0..=max);
        MeanReport { mean: (mean.count() > 0).then(|| mean.value()), interval }
    }
}
