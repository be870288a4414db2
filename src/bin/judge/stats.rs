//! Intervals for what is measured, all 95 %, and the tail of the chi-square.
//!
//! Invariant: an interval is right for few values too, and lies within what is possible. What few values cannot tell
//! is not told: an interval of paired differences leaves 0 out only where an exact test would too.

use statrs::distribution::{Beta, ChiSquared, ContinuousCDF, StudentsT};

/// The normal distribution's 97.5 % point.
const Z: f64 = 1.959_963_985;

/// The Wilson interval of a share of `wins` in `games`.
///
/// Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*,
/// JASA 22 (1927). It stays inside 0..1 and is right for small numbers too.
pub fn wilson(wins: u64, games: u64) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    let n = games as f64;
    let share = wins as f64 / n;
    let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // Rounding may miss the ends by a hair.
    let low = if wins == 0 { 0.0 } else { (middle - half).max(0.0) };
    (low, if wins == games { 1.0 } else { (middle + half).min(1.0) })
}

/// The exact interval of a share of `wins` in `games`: outside of it, so many wins or more (or less) come in less than
/// 2.5 % of cases.
///
/// Source: C. J. Clopper and E. S. Pearson, *The use of confidence or fiducial limits illustrated in the case of the
/// binomial*, Biometrika 26 (1934).
pub fn exact_share(wins: u64, games: u64) -> (f64, f64) {
    let point = |a: u64, b: u64, chance: f64, end: f64| {
        let beta = (a > 0 && b > 0).then(|| Beta::new(a as f64, b as f64).ok()).flatten();
        beta.map_or(end, |beta| beta.inverse_cdf(chance))
    };
    (point(wins, games - wins + 1, 0.025, 0.0), point(wins + 1, games - wins, 0.975, 1.0))
}

/// The interval of the difference of two shares over the same `boards`: `more` boards count only for the second,
/// `less` only for the first.
///
/// The difference is (2 s - 1) d, with d the share of boards that differ and s the share of `more` among these. Each end
/// takes the end of s that is exact, so that 0 is left out just where the sign test leaves it out, and the end of d that
/// makes it the wider.
pub fn paired_shares(more: u64, less: u64, boards: u64) -> (f64, f64) {
    let differ = more + less;
    let (low, high) = exact_share(more, differ);
    let (few, many) = wilson(differ, boards);
    let (low, high) = (2.0 * low - 1.0, 2.0 * high - 1.0);
    let low = low * if low < 0.0 { many } else { few };
    (low, high * if high > 0.0 { many } else { few })
}

/// The most differences that [`sign_flips`] takes: beyond, the t-distribution is as good.
pub const MOST_FLIPPED: usize = 16;

/// How often differences of these sizes, with signs tossed, have a sum as far from 0 or farther.
///
/// Source: R. A. Fisher, *The design of experiments* (1935), section 21: exact for any differences of two bots that
/// might as well be each other. All sizes equal, it is the sign test.
pub fn sign_flips(differences: &[f64]) -> f64 {
    let mut sums = vec![0.0];
    for difference in differences {
        sums = sums.iter().flat_map(|sum| [sum + difference, sum - difference]).collect();
    }
    let size: f64 = differences.iter().map(|difference| difference.abs()).sum();
    // Sums that are equal but for rounding are as far.
    let observed = differences.iter().sum::<f64>().abs() - 1e-9 * size;
    sums.iter().filter(|sum| sum.abs() >= observed).count() as f64 / sums.len() as f64
}

/// How often a chi-square of so many degrees of freedom is `value` or more.
pub fn chi_square_tail(value: f64, degrees: usize) -> f64 {
    ChiSquared::new(degrees as f64).map_or(1.0, |distribution| distribution.sf(value))
}

/// Student's t: its 97.5 % point.
fn student(degrees: u64) -> f64 {
    // From here on it is the normal distribution's, to four digits.
    if degrees > 20_000 {
        return Z;
    }
    StudentsT::new(0.0, 1.0, degrees as f64).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975))
}

/// A mean with its interval, by Student's t.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mean {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Mean {
    /// The mean of so many values with this sum and this sum of squares.
    pub fn of(count: u64, sum: f64, squares: f64) -> Mean {
        Mean { count, sum, squares }
    }

    /// Takes one more value in.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean; 0 of nothing.
    pub fn value(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The variance of the values, as estimated from them; infinite for fewer than two.
    pub fn variance(&self) -> f64 {
        if self.count < 2 {
            return f64::INFINITY;
        }
        let n = self.count as f64;
        ((self.squares - self.sum * self.sum / n) / (n - 1.0)).max(0.0)
    }

    /// The mean's standard error; infinite for fewer than two values.
    pub fn standard_error(&self) -> f64 {
        (self.variance() / self.count.max(1) as f64).sqrt()
    }

    /// Half the width of the interval; infinite for fewer than two values.
    pub fn half_width(&self) -> f64 {
        if self.count < 2 {
            return f64::INFINITY;
        }
        student(self.count - 1) * self.standard_error()
    }

    /// The interval, of values that are all from `least` to `most`; `None` for fewer than two values, and for equal ones
    /// where there is no such bound.
    ///
    /// Equal values say nothing of how far others lie: with n of them a share 1 - 0.025^(1/n) may be others, and these
    /// anywhere within the bounds.
    pub fn interval(&self, (least, most): (f64, f64)) -> Option<(f64, f64)> {
        if self.count < 2 {
            return None;
        }
        let mean = self.value();
        // Equal but for rounding.
        if self.variance() <= 1e-12 * (1.0 + mean * mean) {
            let others = 1.0 - 0.025_f64.powf(1.0 / self.count as f64);
            let end = |bound: f64| mean + others * (bound - mean);
            return (least.is_finite() && most.is_finite()).then(|| (end(least), end(most)));
        }
        let half = self.half_width();
        Some(((mean - half).max(least), (mean + half).min(most)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_agrees_with_published_values() {
        // 41.55 % of 20,000 games: 40.87-42.24.
        let (low, high) = wilson(8310, 20_000);
        assert!((low - 0.4087).abs() < 1e-4 && (high - 0.4224).abs() < 1e-4);
        let (low, high) = wilson(0, 10);
        assert!(low == 0.0 && (high - 0.2775).abs() < 1e-4);
    }

    #[test]
    fn the_chi_square_agrees_with_published_values() {
        for (value, degrees, tail) in
            [(10.828, 1, 0.001), (3.841, 1, 0.05), (45.315, 20, 0.001), (31.410, 20, 0.05)]
        {
            assert!((chi_square_tail(value, degrees) / tail - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn exact_shares_agree_with_published_values() {
        for (wins, games, low, high) in [
            (0, 10, 0.0, 0.3085),
            (3, 10, 0.0667, 0.6525),
            (6, 6, 0.5407, 1.0),
            (0, 0, 0.0, 1.0),
            (5000, 10_000, 0.4902, 0.5098),
        ] {
            let found = exact_share(wins, games);
            assert!((found.0 - low).abs() < 1e-4 && (found.1 - high).abs() < 1e-4, "{found:?}");
        }
    }

    /// Two-sided, by sums of binomials.
    fn sign_test(more: u64, less: u64) -> f64 {
        let (least, all) = (more.min(less), more + less);
        let choose = |k: u64| (0..k).fold(1.0, |c, i| c * (all - i) as f64 / (i + 1) as f64);
        (2.0 * (0..=least).map(choose).sum::<f64>() / 2_f64.powi(all as i32)).min(1.0)
    }

    #[test]
    fn paired_shares_leave_0_out_where_the_sign_test_does() {
        for boards in [0, 1, 2, 7, 40] {
            for more in 0..=boards {
                for less in 0..=boards - more {
                    let (low, high) = paired_shares(more, less, boards);
                    assert!((-1.0..=1.0).contains(&low) && low <= high && high <= 1.0);
                    let out = low > 0.0 || high < 0.0;
                    assert_eq!(
                        out,
                        sign_test(more, less) < 0.05,
                        "{more}, {less}: {low} to {high}"
                    );
                }
            }
        }
        // Of many boards it is hardly wider than the normal approximation's: 0.01 +-1.96 sqrt(0.2 - 0.01^2) / sqrt(20,000).
        let (low, high) = paired_shares(2100, 1900, 20_000);
        assert!(0.0035 < low && low < 0.0038 && 0.0162 < high && high < 0.0168, "{low} to {high}");
    }

    #[test]
    fn signs_are_flipped_as_by_hand() {
        assert_eq!(sign_flips(&[]), 1.0);
        assert_eq!(sign_flips(&[2.5; 5]), 0.0625);
        assert_eq!(sign_flips(&[-2.5; 6]), 0.03125);
        // Of 8 sums those of 1 + 2 + 4 and of -1 + 2 + 4, and their opposites.
        assert_eq!(sign_flips(&[-1.0, 2.0, 4.0]), 0.5);
        for (more, less) in [(0, 1), (3, 5), (9, 2), (10, 6)] {
            let signs = [vec![1.25; more], vec![-1.25; less]].concat();
            assert!((sign_flips(&signs) - sign_test(more as u64, less as u64)).abs() < 1e-12);
        }
    }

    #[test]
    fn student_agrees_with_published_values() {
        for (degrees, point) in
            [(1, 12.7062), (2, 4.3027), (5, 2.5706), (30, 2.0423), (1000, 1.9623), (20_000, 1.9601)]
        {
            assert!((student(degrees) - point).abs() < 1e-4, "{degrees}: {}", student(degrees));
        }
    }

    #[test]
    fn an_interval_is_within_what_is_possible_and_wide_for_few_values() {
        let mean = |values: &[f64]| {
            let mut mean = Mean::default();
            values.iter().for_each(|&value| mean.add(value));
            mean
        };
        let all = (0.0, 100.0);
        assert_eq!(mean(&[90.0]).interval(all), None);
        // 95 +-5 * 12.706 ends at 158.5.
        let (low, high) = mean(&[90.0, 100.0]).interval(all).unwrap();
        assert!((low - 31.47).abs() < 0.01 && high == 100.0, "{low} to {high}");
        // Six values that are all 100: 0.025^(1/6) = 0.5407 of all values are, at the least.
        let (low, high) = mean(&[100.0; 6]).interval(all).unwrap();
        assert!((low - 54.07).abs() < 0.01 && high == 100.0, "{low} to {high}");
        // Equal, but not in binary.
        let (low, high) = mean(&[98.7; 1000]).interval(all).unwrap();
        assert!((low - 98.34).abs() < 0.01 && (high - 98.70).abs() < 0.01, "{low} to {high}");
        assert_eq!(mean(&[3.0; 6]).interval((0.0, f64::INFINITY)), None);
    }

    #[test]
    fn the_mean_of_a_coin() {
        let mut mean = Mean::default();
        (0..400).for_each(|toss| mean.add(f64::from(toss % 2)));
        assert!((mean.value() - 0.5).abs() < 1e-12);
        assert!((mean.half_width() - 0.0492).abs() < 1e-4);
        let same = Mean::of(400, 200.0, 200.0);
        assert_eq!((same.value(), same.half_width()), (mean.value(), mean.half_width()));
    }
}
