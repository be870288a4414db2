//! The generalised sequential probability ratio test of the mean paired difference.
//!
//! H0: B is better than A by `low` per board on average. H1: by `high`. After n boards, with mean
//! difference m and estimated variance s^2, the normal approximation of the log-likelihood ratio of
//! H1 over H0 is
//!
//! ```text
//! LLR = n (high - low) (2 m - low - high) / (2 s^2)
//! ```
//!
//! H1 is accepted above ln((1 - beta) / alpha), H0 below ln(beta / (1 - alpha)): Wald's bounds for
//! accepting H1 under H0 with probability alpha, and H0 under H1 with probability beta.
//!
//! The approximation needs a reliable variance: nothing is decided before [`MIN_BOARDS`] boards, of
//! which [`MIN_DIFFERING`] differ. So two equal bots never end the test.
//!
//! A fault that is rare, but costs a whole game, is often not met before the test ends. If only
//! such faults separate the hypotheses, most tests accept the wrong one. A test that waits for them
//! would be many times as long; the guide recommends a fixed number of boards instead (results
//! page, R26).
//!
//! Sources: A. Wald, *Sequential tests of statistical hypotheses*, Ann. Math. Stat. 16 (1945); for
//! the estimated variance, M. Van den Bergh's notes on the generalised SPRT.

use std::str::FromStr;

use sapper::kit::text::pluralize;
use serde::Serialize;

use crate::report::{MAX_SCORE, Mean};
use crate::runner::bots::GameResult;

/// The fewest boards after which a hypothesis is accepted.
const MIN_BOARDS: u64 = 30;
/// The fewest boards among them on which the bots differ.
const MIN_DIFFERING: u64 = 20;

/// The two hypotheses: by how much B is better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hypotheses {
    pub low: f64,
    pub high: f64,
}

impl FromStr for Hypotheses {
    type Err = String;

    fn from_str(text: &str) -> Result<Hypotheses, String> {
        let is_possible = |points: &f64| points.abs() <= MAX_SCORE;
        let number = |word: &str| word.trim().parse::<f64>().ok().filter(is_possible);
        text.split_once(',')
            .and_then(|(low, high)| Some(Hypotheses { low: number(low)?, high: number(high)? }))
            .filter(|hypotheses| hypotheses.low < hypotheses.high)
            .ok_or_else(|| {
                format!(
                    "give LOW,HIGH in points, from -{MAX_SCORE} to {MAX_SCORE}, with LOW below \
                     HIGH, such as 0,0.5"
                )
            })
    }
}

/// The result of the test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtResult {
    /// H0 is accepted: B is not better by `high`.
    Low,
    /// H1 is accepted: B is better by more than `low`.
    High,
    /// More boards are needed.
    Open,
}

/// A running test.
pub struct Sprt {
    /// Whether scores are without the luck of the guesses.
    adjusted: bool,
    hypotheses: Hypotheses,
    alpha: f64,
    beta: f64,
    gains: Mean,
    /// The boards on which the bots differ.
    differing: u64,
    /// Whether B had a game without a fault; else it is not accepted to be better.
    has_b_finished: bool,
}

impl Sprt {
    pub fn new(adjusted: bool, hypotheses: Hypotheses, alpha: f64, beta: f64) -> Sprt {
        Sprt {
            adjusted,
            hypotheses,
            alpha,
            beta,
            gains: Mean::default(),
            differing: 0,
            has_b_finished: false,
        }
    }

    /// By how many points the game of B was better than that of A, where `mines` mines cost the
    /// whole score.
    pub fn gain(&self, a: &GameResult, b: &GameResult, mines: u32) -> f64 {
        let score = |game: &GameResult| match self.adjusted {
            true => game.adjusted_score(mines).unwrap_or(game.score),
            false => game.score,
        };
        score(b) - score(a)
    }

    /// Adds the next board, on which B was better by `gain`, and had no fault if `is_b_done`.
    pub fn add(&mut self, gain: f64, is_b_done: bool) {
        self.has_b_finished |= is_b_done;
        self.gains.add(gain);
        self.differing += u64::from(gain != 0.0);
    }

    /// The log-likelihood ratio; 0 while there are too few boards.
    fn llr(&self) -> f64 {
        let Hypotheses { low, high } = self.hypotheses;
        if self.gains.count() < MIN_BOARDS || self.differing < MIN_DIFFERING {
            return 0.0;
        }
        // The variance is 0 if one bot crashes on every board and the other has a constant score.
        let variance = self.gains.variance().max(1e-6);
        let n = self.gains.count() as f64;
        n * (high - low) * (2.0 * self.gains.value() - low - high) / (2.0 * variance)
    }

    /// The ratios at which H0 and H1 are accepted.
    fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    pub fn verdict(&self) -> SprtResult {
        let (lower, upper) = self.bounds();
        match self.llr() {
            llr if llr >= upper && self.has_b_finished => SprtResult::High,
            llr if llr <= lower => SprtResult::Low,
            _ => SprtResult::Open,
        }
    }

    /// The hypotheses, the verdict, and whether the intervals hold, in three lines.
    pub fn text(&self, a: &str, b: &str) -> String {
        let (Hypotheses { low, high }, (lower, upper)) = (self.hypotheses, self.bounds());
        let verdict = match self.verdict() {
            SprtResult::High => format!("H1 accepted: {b} is better than {a} by more than {low}"),
            SprtResult::Low => format!("H0 accepted: {b} is not better than {a} by {high}"),
            SprtResult::Open if self.differing < MIN_DIFFERING => {
                let boards = pluralize(self.differing, "board", "boards");
                format!("undecided: the bots differ on {boards}, {MIN_DIFFERING} are needed")
            }
            SprtResult::Open if !self.has_b_finished => {
                format!("undecided: {b} has no game without a fault")
            }
            SprtResult::Open => {
                "undecided: more boards are needed (--games), or, where the bots are \
                                 far apart, a wider --sprt=LOW,HIGH"
                    .to_owned()
            }
        };
        let adjusted = if self.adjusted { "adjusted " } else { "" };
        let intervals = match self.verdict() {
            SprtResult::Open => "The test did not end the run: the intervals above hold.",
            _ => "The test ended the run: the intervals above, of a fixed run, are too narrow.",
        };
        format!(
            "SPRT on {adjusted}score, {b} over {a}: H0 {low:+}, H1 {high:+}, alpha {}, beta {}\n  \
             {}, LLR {:.2} ({lower:.2} to {upper:.2}); {verdict}\n  {intervals}",
            self.alpha,
            self.beta,
            pluralize(self.gains.count(), "board", "boards"),
            self.llr(),
        )
    }

    /// The test as it is reported.
    pub fn report(&self) -> SprtReport {
        let (Hypotheses { low, high }, (lower, upper)) = (self.hypotheses, self.bounds());
        SprtReport {
            adjusted: self.adjusted,
            h0: low,
            h1: high,
            alpha: self.alpha,
            beta: self.beta,
            boards: self.gains.count(),
            differ: self.differing,
            llr: self.llr(),
            lower,
            upper,
            accepted: match self.verdict() {
                SprtResult::Low => Some("h0"),
                SprtResult::High => Some("h1"),
                SprtResult::Open => None,
            },
        }
    }
}

/// A sequential test as it is reported.
#[derive(Serialize)]
pub struct SprtReport {
    /// Whether the scores are without the luck of the guesses.
    adjusted: bool,
    /// The hypotheses: by how much the second bot is better.
    h0: f64,
    h1: f64,
    alpha: f64,
    beta: f64,
    boards: u64,
    /// The boards on which the bots differ.
    differ: u64,
    /// The log-likelihood ratio, and the values at which H0 and H1 are accepted.
    llr: f64,
    lower: f64,
    upper: f64,
    /// `h0`, `h1`, or `None` if the test is undecided.
    accepted: Option<&'static str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(low: f64, high: f64) -> Sprt {
        Sprt::new(false, Hypotheses { low, high }, 0.05, 0.05)
    }

    #[test]
    fn the_ratio_is_that_of_two_normal_densities() {
        let mut sprt = test(-0.5, 1.0);
        let gains: Vec<f64> = (0..40).map(|board| f64::from(board * 7 % 11) - 4.3).collect();
        gains.iter().for_each(|&gain| sprt.add(gain, true));
        let n = gains.len() as f64;
        let mean = gains.iter().sum::<f64>() / n;
        let variance = gains.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let density =
            |at: f64| gains.iter().map(|x| -(x - at).powi(2) / (2.0 * variance)).sum::<f64>();
        assert!((sprt.llr() - (density(1.0) - density(-0.5))).abs() < 1e-9);
    }

    /// Runs a test on simulated differences of two good bots: mostly 0, else one or two mines more
    /// or less, with a mean of `mean`. The verdict, and the boards that it took.
    fn simulate(random: &mut fastrand::Rng, mean: f64) -> (SprtResult, u64) {
        let mut sprt = test(0.0, 0.4);
        for boards in 1..20_000 {
            let mut gain = match random.u32(0..10) {
                0 => -2.5,
                1 => -1.25,
                2 => 1.25,
                3 => 2.5,
                _ => 0.0,
            };
            gain += if random.f64() < mean / 1.25 { 1.25 } else { 0.0 };
            sprt.add(gain, true);
            if sprt.verdict() != SprtResult::Open {
                return (sprt.verdict(), boards);
            }
        }
        (SprtResult::Open, 20_000)
    }

    #[test]
    fn the_wrong_hypothesis_is_accepted_as_seldom_as_promised() {
        for (mean, wrong) in [(0.0, SprtResult::High), (0.4, SprtResult::Low)] {
            let mut random = fastrand::Rng::with_seed(7);
            let runs: Vec<_> = (0..2000).map(|_| simulate(&mut random, mean)).collect();
            let errors = runs.iter().filter(|run| run.0 == wrong).count();
            // 5 % of 2,000 are 100, and three standard deviations more are 129; the approximation
            // adds an error of its own.
            assert!((20..150).contains(&errors), "{errors} of 2000 at {mean}");
            assert!(runs.iter().all(|run| run.0 != SprtResult::Open));
            let boards = runs.iter().map(|run| run.1).sum::<u64>() / 2000;
            assert!((40..400).contains(&boards), "{boards} boards on average");
        }
    }

    #[test]
    fn few_boards_are_no_evidence() {
        let mut sprt = test(0.0, 1.0);
        (0..29).for_each(|board| sprt.add(f64::from(10 + board % 3), true));
        assert_eq!((sprt.llr(), sprt.verdict()), (0.0, SprtResult::Open));
        sprt.add(10.0, true);
        assert_eq!(sprt.verdict(), SprtResult::High);
        let mut constant = test(0.0, 1.0);
        (0..30).for_each(|_| constant.add(-100.0, true));
        assert_eq!(constant.verdict(), SprtResult::Low);
        let mut equal = test(0.0, 1.0);
        (0..5000).for_each(|board| equal.add(if board % 300 == 0 { 1.0 } else { 0.0 }, true));
        assert_eq!(equal.verdict(), SprtResult::Open);
        assert!(equal.text("a", "b").contains("differ on 17 boards"));
    }

    #[test]
    fn a_gain_is_in_points() {
        let game = |score: f64, mines: u32, outcome: &str| -> GameResult {
            let value = serde_json::json!({
                "bot": "a", "seed": 1, "outcome": outcome, "score": score, "mines": mines,
                "wall": [], "cpu": [], "memory": 0, "left": 0,
            });
            serde_json::from_value(value).unwrap()
        };
        let (worse, clean) = (game(75.0, 2, "done"), game(100.0, 0, "done"));
        let fault = game(0.0, 1, "crash");
        // Of 8 mines the first opened 2; a fault counts as all of them.
        for (a, b, gain) in [
            (&worse, &clean, 25.0),
            (&clean, &worse, -25.0),
            (&clean, &fault, -100.0),
            (&worse, &fault, -75.0),
            (&fault, &fault, 0.0),
        ] {
            assert_eq!(test(0.0, 1.0).gain(a, b, 8), gain);
        }
    }

    #[test]
    fn each_of_the_two_errors_has_its_bound() {
        let strict = Sprt::new(false, Hypotheses { low: 0.0, high: 1.0 }, 0.01, 0.2);
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
