//! Guesses sorted by their odds, and the check that the odds are right.
//!
//! A guess of odds p adds p to what is predicted and p(1-p) to the variance of what is observed.
//! Guesses of one game are not independent, but each hits with chance p *given all that came
//! before*, and its odds, and so its bin, are known before it is made: the differences form a
//! martingale, their variances add, and those of different bins are uncorrelated. The number of
//! guesses may depend on their outcomes for the same reason.

use crate::results::statistics::{chi_square_tail, wilson};

/// Bins of equal width over 0..1.
pub const BINS: usize = 20;

/// A sum of so much variance is close enough to normal for a tail of one in 1,000.
const LEAST_VARIANCE: f64 = 25.0;

/// How often exact odds fail the check.
pub const FALSE_ALARMS: f64 = 0.001;

/// What is kept of one game until its turn comes.
#[derive(Default)]
pub struct Game {
    /// Odds of every guess, above 0 and below 1, and whether it was a mine.
    pub guesses: Vec<(f64, bool)>,
    /// Guesses whose odds are not exact.
    pub approximate: u32,
    /// Mines where a cell was proven safe, the opposite, and true boards that were called
    /// impossible.
    pub false_proofs: u32,
}

impl Game {
    /// Takes a guess of exact odds in. What is certain is no guess: it happens where every hidden
    /// cell is a mine.
    pub fn add(&mut self, odds: f64, mine: bool) {
        if odds > 0.0 && odds < 1.0 {
            self.guesses.push((odds, mine));
        } else {
            self.false_proofs += u32::from(mine != (odds >= 1.0));
        }
    }
}

/// The guesses of one range of odds.
#[derive(Clone, Copy, Default)]
pub struct Bin {
    pub guesses: u64,
    pub mines: u64,
    /// Sum of the odds.
    expected: f64,
    /// Sum of odds times one minus odds.
    variance: f64,
}

impl Bin {
    fn add(&mut self, other: Bin) {
        self.guesses += other.guesses;
        self.mines += other.mines;
        self.expected += other.expected;
        self.variance += other.variance;
    }

    /// The mean of the odds.
    pub fn predicted(&self) -> f64 {
        self.expected / self.guesses as f64
    }

    /// The share of mines.
    pub fn observed(&self) -> f64 {
        self.mines as f64 / self.guesses as f64
    }

    /// The 95 % interval of the share of mines.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.mines, self.guesses)
    }

    /// How many standard deviations there are too many mines. A guess is neither certain to hit nor
    /// not to, so that a bin with a guess in it has some variance.
    pub fn z(&self) -> f64 {
        (self.mines as f64 - self.expected) / self.variance.sqrt()
    }
}

/// All guesses.
#[derive(Default)]
pub struct Tally {
    bins: [Bin; BINS],
    pub games: u64,
    pub approximate: u64,
    pub false_proofs: u64,
}

/// The outcome of the check.
pub struct Check {
    pub chi_square: f64,
    pub degrees: usize,
    /// How often exact odds give as much or more.
    pub p_value: f64,
}

impl Check {
    /// The odds are off.
    pub fn fails(&self) -> bool {
        self.p_value < FALSE_ALARMS
    }
}

impl Tally {
    /// Takes a game in.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.approximate += u64::from(game.approximate);
        self.false_proofs += u64::from(game.false_proofs);
        for &(odds, mine) in &game.guesses {
            let bin = ((odds * BINS as f64) as usize).min(BINS - 1);
            self.bins[bin].add(Bin {
                guesses: 1,
                mines: u64::from(mine),
                expected: odds,
                variance: odds * (1.0 - odds),
            });
        }
    }

    /// Guesses with exact odds.
    pub fn guesses(&self) -> u64 {
        self.bins.iter().map(|bin| bin.guesses).sum()
    }

    /// The bins that hold a guess, with the range of their odds.
    pub fn bins(&self) -> impl Iterator<Item = (f64, f64, &Bin)> {
        let edge = |index: usize| index as f64 / BINS as f64;
        let bins = self.bins.iter().enumerate().filter(|(_, bin)| bin.guesses > 0);
        bins.map(move |(index, bin)| (edge(index), edge(index + 1), bin))
    }

    /// All bins in one.
    pub fn all(&self) -> Bin {
        let mut all = Bin::default();
        self.bins.iter().for_each(|bin| all.add(*bin));
        all
    }

    /// The check; `None` where the guesses are too few for any.
    pub fn check(&self) -> Option<Check> {
        let mut pools: Vec<Bin> = Vec::new();
        let mut open = Bin::default();
        for bin in &self.bins {
            open.add(*bin);
            if open.variance >= LEAST_VARIANCE {
                pools.push(std::mem::take(&mut open));
            }
        }
        pools.last_mut()?.add(open);
        let chi_square = pools.iter().map(|pool| pool.z().powi(2)).sum();
        let degrees = pools.len();
        Some(Check { chi_square, degrees, p_value: chi_square_tail(chi_square, degrees) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guesses of all kinds of odds; each hits with the chance that `truth` makes of its odds.
    fn tally(random: &mut fastrand::Rng, guesses: usize, truth: impl Fn(f64) -> f64) -> Tally {
        let mut tally = Tally::default();
        let guess = |_| {
            let odds = match random.usize(0..4) {
                0 => 0.5,
                1 => 0.01 + 0.1 * random.f64(),
                _ => 0.15 + 0.35 * random.f64().powi(2),
            };
            (odds, random.f64() < truth(odds))
        };
        tally.add(&Game { guesses: (0..guesses).map(guess).collect(), ..Game::default() });
        tally
    }

    #[test]
    fn what_is_certain_is_no_guess() {
        let mut game = Game::default();
        [(1.0, true), (0.0, false), (0.3, true)]
            .into_iter()
            .for_each(|(p, mine)| game.add(p, mine));
        assert_eq!((game.guesses.as_slice(), game.false_proofs), (&[(0.3, true)][..], 0));
        [(1.0, false), (0.0, true)].into_iter().for_each(|(p, mine)| game.add(p, mine));
        assert_eq!((game.guesses.len(), game.false_proofs), (1, 2));
    }

    #[test]
    fn exact_odds_fail_as_seldom_as_stated() {
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
    fn odds_that_are_off_fail() {
        let mut random = fastrand::Rng::with_seed(42);
        let mut fails =
            |truth: fn(f64) -> f64| tally(&mut random, 100_000, truth).check().unwrap().fails();
        assert!(!fails(|odds| odds));
        assert!(fails(|odds| odds * 1.05));
        assert!(fails(|odds| odds - 0.01));
        // Right on the whole, wrong in the bins; and wrong in one bin only.
        assert!(fails(|odds| 0.9 * odds + 0.03));
        assert!(fails(|odds| if odds == 0.5 { 0.52 } else { odds }));
    }

    #[test]
    fn small_bins_are_pooled_and_too_few_guesses_are_no_check() {
        let game = |guesses: Vec<(f64, bool)>| Game { guesses, ..Game::default() };
        let mut tally = Tally::default();
        tally.add(&game(vec![(0.5, true); 99]));
        assert!(tally.check().is_none());
        // 100 guesses of 1/4 make the variance 25; what comes later has not enough for a pool of
        // its own.
        tally.add(&game(vec![(0.5, true); 1]));
        tally.add(&game(vec![(0.9, true), (1.0 - f64::EPSILON / 2.0, true)]));
        let check = tally.check().unwrap();
        assert_eq!(check.degrees, 1);
        let expected = (102.0 - 51.9_f64).powi(2) / 25.09;
        assert!((check.chi_square - expected).abs() < 1e-9, "{}", check.chi_square);
        assert!(check.fails());
        assert_eq!(tally.bins().count(), 3);
        assert_eq!((tally.all().guesses, tally.all().mines, tally.games), (102, 102, 3));
    }
}
