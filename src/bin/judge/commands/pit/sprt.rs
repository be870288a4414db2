//! The sequential test: two hypotheses on the mean paired difference, and when enough boards were
//! played.
//!
//! H0: B is better than A by `low` a board on average. H1: by `high`. Boards are taken in order.
//! After n of them, with mean difference m and variance s^2 as estimated from them, the logarithm
//! of the likelihood ratio of H1 over H0 is, by the normal approximation,
//!
//! ```text
//! LLR = n (high - low) (2 m - low - high) / (2 s^2)
//! ```
//!
//! The test ends with H1 above ln((1 - beta) / alpha) and with H0 below ln(beta / (1 - alpha)):
//! Wald's bounds for choosing H1 under H0 with chance alpha, and H0 under H1 with chance beta.
//! Where the truth is between the two it ends too, and either way. This is the generalised test
//! that engine testers use on pairs of games, with the variance taken from the differences
//! themselves.
//!
//! Source: A. Wald, *Sequential tests of statistical hypotheses*, Ann. Math. Stat. 16 (1945); for a
//! variance that is estimated, M. Van den Bergh's notes on the generalised SPRT.
//!
//! What the approximation needs: a variance that was not guessed from nothing. So nothing is
//! decided before [`LEAST`] boards, of which [`DIFFER`] differ. Equal bots thus never end the test.
//!
//! What it cannot see: a rare fault. A crash costs all of a game, and one in two hundred games is
//! half a point on average; a test that ends after sixty boards has mostly not met it. Simulated
//! with differences as of good bots: errors are 3 to 5 % of 5 % allowed, with faults of both in 0.2
//! % of games too; but where one bot's faults in 0.5 % of games are all that lies between the
//! hypotheses, 7 of 10 runs end before them, with the wrong one. Waiting for it would make every
//! test ten times as long, so the help says it instead.

use std::str::FromStr;

use clap::ValueEnum;
use sapper::base::text::pluralize;
use serde_json::{Value, json};

use crate::results::statistics::Mean;

/// Boards before anything is decided,
const LEAST: u64 = 30;
/// and boards among them on which the bots differ.
const DIFFER: u64 = 20;

/// What is compared, each so that more is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Measure {
    /// Points of score
    Score,
    /// Mines not opened; a fault counts as all of them
    Mines,
    /// Games without a mine opened, in percent
    Clean,
}

impl Measure {
    pub fn name(self) -> &'static str {
        match self {
            Measure::Score => "score",
            Measure::Mines => "mines",
            Measure::Clean => "clean %",
        }
    }
}

/// The two hypotheses: how much better B is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hypotheses {
    pub low: f64,
    pub high: f64,
}

impl FromStr for Hypotheses {
    type Err = String;

    fn from_str(text: &str) -> Result<Hypotheses, String> {
        let number = |word: &str| word.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        text.split_once(',')
            .and_then(|(low, high)| Some(Hypotheses { low: number(low)?, high: number(high)? }))
            .filter(|both| both.low < both.high)
            .ok_or_else(|| "give LOW,HIGH with LOW below HIGH, such as 0,0.5".to_owned())
    }
}

/// What the test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// B is not better by HIGH.
    Low,
    /// B is better by more than LOW.
    High,
    Open,
}

/// A running test.
pub struct Sprt {
    hypotheses: Hypotheses,
    alpha: f64,
    beta: f64,
    gains: Mean,
    differ: u64,
}

impl Sprt {
    pub fn new(hypotheses: Hypotheses, alpha: f64, beta: f64) -> Sprt {
        Sprt { hypotheses, alpha, beta, gains: Mean::default(), differ: 0 }
    }

    /// Takes in how much better B was on the next board.
    pub fn add(&mut self, gain: f64) {
        self.gains.add(gain);
        self.differ += u64::from(gain != 0.0);
    }

    /// The logarithm of the likelihood ratio; 0 while too little is known.
    fn ratio(&self) -> f64 {
        let Hypotheses { low, high } = self.hypotheses;
        if self.gains.count() < LEAST || self.differ < DIFFER {
            return 0.0;
        }
        // A bot that always crashes differs by the same on every board.
        let variance = self.gains.variance().max(1e-6);
        let n = self.gains.count() as f64;
        n * (high - low) * (2.0 * self.gains.value() - low - high) / (2.0 * variance)
    }

    fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    pub fn verdict(&self) -> Verdict {
        let (lower, upper) = self.bounds();
        match self.ratio() {
            ratio if ratio >= upper => Verdict::High,
            ratio if ratio <= lower => Verdict::Low,
            _ => Verdict::Open,
        }
    }

    /// One line: the hypotheses and what came of them.
    pub fn text(&self, measure: Measure, a: &str, b: &str) -> String {
        let (Hypotheses { low, high }, (lower, upper)) = (self.hypotheses, self.bounds());
        let said = match self.verdict() {
            Verdict::High => format!("H1 accepted: {b} is better than {a} by more than {low}"),
            Verdict::Low => format!("H0 accepted: {b} is not better than {a} by {high}"),
            Verdict::Open if self.differ < DIFFER => {
                let boards = pluralize(self.differ, "board", "boards");
                format!("undecided: the bots differ on {boards}, {DIFFER} are needed")
            }
            Verdict::Open => "undecided: more boards are needed".to_owned(),
        };
        format!(
            "SPRT on {}, {b} over {a}: H0 {low:+}, H1 {high:+}, alpha {}, beta {}\n  {}, LLR {:.2} ({lower:.2} to {upper:.2}); {said}",
            measure.name(),
            self.alpha,
            self.beta,
            pluralize(self.gains.count(), "board", "boards"),
            self.ratio(),
        )
    }

    pub fn json(&self, measure: Measure) -> Value {
        let (Hypotheses { low, high }, (lower, upper)) = (self.hypotheses, self.bounds());
        json!({
            "measure": measure.name(), "h0": low, "h1": high, "alpha": self.alpha, "beta": self.beta,
            "boards": self.gains.count(), "differ": self.differ, "llr": self.ratio(),
            "lower": lower, "upper": upper,
            "accepted": match self.verdict() {
                Verdict::Low => Some("h0"),
                Verdict::High => Some("h1"),
                Verdict::Open => None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(low: f64, high: f64) -> Sprt {
        Sprt::new(Hypotheses { low, high }, 0.05, 0.05)
    }

    #[test]
    fn the_ratio_is_that_of_two_normal_densities() {
        let mut sprt = test(-0.5, 1.0);
        let gains: Vec<f64> = (0..40).map(|board| f64::from(board * 7 % 11) - 4.3).collect();
        gains.iter().for_each(|&gain| sprt.add(gain));
        let n = gains.len() as f64;
        let mean = gains.iter().sum::<f64>() / n;
        let variance = gains.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let density =
            |at: f64| gains.iter().map(|x| -(x - at).powi(2) / (2.0 * variance)).sum::<f64>();
        assert!((sprt.ratio() - (density(1.0) - density(-0.5))).abs() < 1e-9);
    }

    /// Differences as of two good bots: mostly 0, else a mine or two more or less, skewed to
    /// `plus`.
    fn chosen(random: &mut fastrand::Rng, plus: f64) -> (Verdict, u64) {
        let mut sprt = test(0.0, 0.4);
        for boards in 1..20_000 {
            let mut gain = match random.u32(0..10) {
                0 => -2.5,
                1 => -1.25,
                2 => 1.25,
                3 => 2.5,
                _ => 0.0,
            };
            gain += if random.f64() < plus / 1.25 { 1.25 } else { 0.0 };
            sprt.add(gain);
            if sprt.verdict() != Verdict::Open {
                return (sprt.verdict(), boards);
            }
        }
        (Verdict::Open, 20_000)
    }

    #[test]
    fn the_wrong_hypothesis_is_chosen_as_seldom_as_promised() {
        for (mean, wrong) in [(0.0, Verdict::High), (0.4, Verdict::Low)] {
            let mut random = fastrand::Rng::with_seed(7);
            let runs: Vec<_> = (0..2000).map(|_| chosen(&mut random, mean)).collect();
            let errors = runs.iter().filter(|run| run.0 == wrong).count();
            // 5 % of 2,000 are 100; three standard deviations more are 129, and the approximation
            // has its own.
            assert!((20..150).contains(&errors), "{errors} of 2000 at {mean}");
            assert!(runs.iter().all(|run| run.0 != Verdict::Open));
            let boards = runs.iter().map(|run| run.1).sum::<u64>() / 2000;
            assert!((40..400).contains(&boards), "{boards} boards on average");
        }
    }

    #[test]
    fn little_is_no_evidence() {
        let mut sprt = test(0.0, 1.0);
        (0..29).for_each(|board| sprt.add(f64::from(10 + board % 3)));
        assert_eq!((sprt.ratio(), sprt.verdict()), (0.0, Verdict::Open));
        sprt.add(10.0);
        assert_eq!(sprt.verdict(), Verdict::High);
        let mut constant = test(0.0, 1.0);
        (0..30).for_each(|_| constant.add(-100.0));
        assert_eq!(constant.verdict(), Verdict::Low);
        let mut equal = test(0.0, 1.0);
        (0..5000).for_each(|board| equal.add(if board % 300 == 0 { 1.0 } else { 0.0 }));
        assert_eq!(equal.verdict(), Verdict::Open);
        assert!(equal.text(Measure::Score, "a", "b").contains("differ on 17 boards"));
    }

    #[test]
    fn the_two_errors_have_each_its_bound() {
        let strict = Sprt::new(Hypotheses { low: 0.0, high: 1.0 }, 0.01, 0.2);
        let (lower, upper) = strict.bounds();
        assert!((lower - (0.2_f64 / 0.99).ln()).abs() < 1e-12);
        assert!((upper - (0.8_f64 / 0.01).ln()).abs() < 1e-12);
    }

    #[test]
    fn hypotheses_are_two_numbers_in_order() {
        assert_eq!("0,0.5".parse(), Ok(Hypotheses { low: 0.0, high: 0.5 }));
        assert_eq!("-1, 1".parse(), Ok(Hypotheses { low: -1.0, high: 1.0 }));
        for bad in ["", "1", "1,1", "2,1", "a,b", "0,inf", "nan,1"] {
            assert!(bad.parse::<Hypotheses>().is_err(), "{bad}");
        }
    }
}
