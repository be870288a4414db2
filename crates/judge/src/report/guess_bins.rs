//! Guesses in bins by their odds, and the chi-square test of the odds.
//!
//! A guess of odds p adds p to the expected number of mines of its bin, and p(1-p) to its variance.
//! The guesses of one game are not independent. But each hits with probability p *given all that
//! came before it*, and its odds, which select its bin, are known before it is made. So the
//! differences between hits and odds form a martingale: their variances add, and those of different
//! bins are uncorrelated. This also holds if the number of guesses depends on their outcomes.
//!
//! Bins are merged until their variance is large enough for the normal approximation.

use std::fmt;

use analysis::adjusted::luck::Luck;
use sapper::kit::text::pluralize;

use super::statistics::chi_square_tail;

/// Bins of equal width over 0..1.
pub const BINS: usize = 20;

/// From this variance on, a sum is close enough to normal for a tail of 1 in 1,000.
const MIN_VARIANCE: f64 = 25.0;

/// The probability that exact odds fail the check.
pub const FALSE_ALARMS: f64 = 0.001;

/// The guesses of one game or of several.
#[derive(Default)]
pub struct GuessBins {
    bins: [Luck; BINS],
    pub games: u64,
    /// The number of guesses with approximate odds.
    pub approximate: u64,
    /// Cells that were not what they had been proven to be, and valid positions that were called
    /// impossible.
    pub false_proofs: u64,
}

/// The result of the chi-square test.
pub struct Check {
    pub chi_square: f64,
    pub degrees: usize,
    /// The probability that exact odds give this chi-square or more.
    pub p_value: f64,
}

impl Check {
    /// Tests bins in their order; each is merged with the next ones until its variance is at least
    /// `min_variance`. `None` if all of them together have less.
    pub fn of<'b>(bins: impl IntoIterator<Item = &'b Luck>, min_variance: f64) -> Option<Check> {
        let mut merged_bins: Vec<Luck> = Vec::new();
        let mut open = Luck::default();
        for bin in bins {
            open.merge(bin);
            if open.variance >= min_variance {
                merged_bins.push(std::mem::take(&mut open));
            }
        }
        // The rest has too little variance for a bin of its own.
        merged_bins.last_mut()?.merge(&open);
        let chi_square = merged_bins.iter().map(|bin| bin.deviation().powi(2)).sum();
        let degrees = merged_bins.len();
        Some(Check { chi_square, degrees, p_value: chi_square_tail(chi_square, degrees) })
    }

    /// Whether the odds are refuted.
    pub fn fails(&self) -> bool {
        self.p_value < FALSE_ALARMS
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Check { chi_square, degrees, p_value } = self;
        let verdict = if self.fails() { "OFF" } else { "ON" };
        let degrees = pluralize(*degrees as u64, "degree", "degrees");
        write!(
            f,
            "{verdict} the diagonal: chi-square {chi_square:.2}, {degrees} of freedom, \
             p {p_value:.4} (off below {FALSE_ALARMS})"
        )
    }
}

impl GuessBins {
    /// Adds a decision with exact odds. Odds of 0 or 1 are proofs and not guesses: the engine opens
    /// a proven mine where every hidden cell is one.
    pub fn add(&mut self, odds: f64, hit: bool) {
        if odds <= 0.0 || odds >= 1.0 {
            self.false_proofs += u64::from(hit != (odds >= 1.0));
            return;
        }
        let bin = ((odds * BINS as f64) as usize).min(BINS - 1);
        self.bins[bin].add(Some(odds), hit);
    }

    /// Adds the games of `other`.
    pub fn merge(&mut self, other: &GuessBins) {
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, other)| bin.merge(other));
        self.games += other.games;
        self.approximate += other.approximate;
        self.false_proofs += other.false_proofs;
    }

    /// The number of guesses with exact odds.
    pub fn guesses(&self) -> u64 {
        self.bins.iter().map(|bin| bin.guesses).sum()
    }

    /// The bins with a guess: lower end, upper end, bin.
    pub fn bins(&self) -> impl Iterator<Item = (f64, f64, &Luck)> {
        let edge = |index: usize| index as f64 / BINS as f64;
        let bins = self.bins.iter().enumerate().filter(|(_, bin)| bin.guesses > 0);
        bins.map(move |(index, bin)| (edge(index), edge(index + 1), bin))
    }

    /// All guesses as one bin.
    pub fn total(&self) -> Luck {
        let mut total = Luck::default();
        self.bins.iter().for_each(|bin| total.merge(bin));
        total
    }

    /// Tests the odds; `None` if the guesses are too few.
    pub fn check(&self) -> Option<Check> {
        Check::of(&self.bins, MIN_VARIANCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random guesses; one of odds p hits with probability `truth(p)`.
    fn tally(random: &mut fastrand::Rng, guesses: usize, truth: impl Fn(f64) -> f64) -> GuessBins {
        let mut tally = GuessBins::default();
        for _ in 0..guesses {
            let odds = match random.usize(0..4) {
                0 => 0.5,
                1 => 0.01 + 0.1 * random.f64(),
                _ => 0.15 + 0.35 * random.f64().powi(2),
            };
            tally.add(odds, random.f64() < truth(odds));
        }
        tally
    }

    #[test]
    fn certain_odds_are_not_counted_as_guesses() {
        let mut game = GuessBins::default();
        [(1.0, true), (0.0, false), (0.3, true)]
            .into_iter()
            .for_each(|(p, mine)| game.add(p, mine));
        assert_eq!((game.guesses(), game.total().hits, game.false_proofs), (1, 1, 0));
        [(1.0, false), (0.0, true)].into_iter().for_each(|(p, mine)| game.add(p, mine));
        assert_eq!((game.guesses(), game.false_proofs), (1, 2));
    }

    #[test]
    fn exact_odds_fail_at_the_stated_rate() {
        let mut random = fastrand::Rng::with_seed(41);
        let p_values: Vec<f64> = (0..4000)
            .map(|_| tally(&mut random, 2000, |odds| odds).check().unwrap().p_value)
            .collect();
        let below = |level: f64| p_values.iter().filter(|&&p| p < level).count();
        // Expected 200 and 4; five standard deviations are 69 and 10.
        assert!((131..269).contains(&below(0.05)), "{}", below(0.05));
        assert!(below(FALSE_ALARMS) <= 14, "{}", below(FALSE_ALARMS));
    }

    #[test]
    fn wrong_odds_fail() {
        let mut random = fastrand::Rng::with_seed(42);
        let mut fails =
            |truth: fn(f64) -> f64| tally(&mut random, 100_000, truth).check().unwrap().fails();
        assert!(!fails(|odds| odds));
        assert!(fails(|odds| odds * 1.05));
        assert!(fails(|odds| odds - 0.01));
        // Right on average but wrong in the bins, and wrong in one bin only.
        assert!(fails(|odds| 0.9 * odds + 0.03));
        assert!(fails(|odds| if odds == 0.5 { 0.52 } else { odds }));
    }

    #[test]
    fn small_bins_are_merged_and_too_few_guesses_give_no_check() {
        let game = |odds: &[f64]| {
            let mut game = GuessBins { games: 1, ..GuessBins::default() };
            odds.iter().for_each(|&odds| game.add(odds, true));
            game
        };
        let mut tally = game(&[0.5; 99]);
        assert!(tally.check().is_none());
        // 100 guesses of variance 1/4 make 25. The two later guesses have too little for a bin of
        // their own.
        tally.merge(&game(&[0.5]));
        tally.merge(&game(&[0.9, 1.0 - f64::EPSILON / 2.0]));
        let check = tally.check().unwrap();
        assert_eq!(check.degrees, 1);
        let expected = (102.0 - 51.9_f64).powi(2) / 25.09;
        assert!((check.chi_square - expected).abs() < 1e-9, "{}", check.chi_square);
        assert!(check.fails());
        assert_eq!(tally.bins().count(), 3);
        assert_eq!((tally.total().guesses, tally.total().hits, tally.games), (102, 102, 3));
    }
}
