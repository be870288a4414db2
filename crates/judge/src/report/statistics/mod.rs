//! 95 % intervals of shares, of means and of paired differences, and two tests.
//!
//! Invariant: an interval is also valid for a small number of values, and lies within the bounds of
//! the values. An interval of paired shares excludes 0 if and only if the exact sign test does.

mod mean;

use statrs::distribution::{ChiSquared, ContinuousCDF};
use statrs::function::beta::beta_reg;

pub use mean::Mean;

/// The normal distribution's 97.5 % point.
const Z: f64 = 1.959_963_985;

/// The Wilson interval of the share `wins` of `games`. It lies within 0 to 1 and is valid for small
/// numbers too.
///
/// Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*,
/// JASA 22 (1927).
pub fn wilson(wins: u64, games: u64) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    let n = games as f64;
    let share = wins as f64 / n;
    let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // The exact ends, which rounding may miss.
    let low = if wins == 0 { 0.0 } else { (middle - half).max(0.0) };
    (low, if wins == games { 1.0 } else { (middle + half).min(1.0) })
}

/// If wins and losses are both more numerous than this, the exact interval is replaced by Wilson's,
/// which then differs by less than a thousandth of the width. The library's beta function limits
/// its number of iterations and loses digits for larger numbers.
const MAX_EXACT: u64 = 1_000_000;

/// The exact interval of the share `wins` of `games`: for a share below (above) it, the probability
/// of at least (at most) this number of wins is less than 2.5 %.
///
/// Source: C. J. Clopper and E. S. Pearson, *The use of confidence or fiducial limits illustrated
/// in the case of the binomial*, Biometrika 26 (1934).
pub fn exact_share(wins: u64, games: u64) -> (f64, f64) {
    let losses = games - wins;
    if wins.min(losses) > MAX_EXACT {
        return wilson(wins, games);
    }
    let low = if wins == 0 { 0.0 } else { beta_point(wins, losses + 1, 0.025) };
    (low, if losses == 0 { 1.0 } else { beta_point(wins + 1, losses, 0.975) })
}

/// The quantile of a beta distribution.
///
/// It is found by bisection: the library's own inverse does not terminate if the quantile is within
/// 1e-6 of an end.
fn beta_point(a: u64, b: u64, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // To the precision of an `f64`.
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if beta_reg(a as f64, b as f64, middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The interval of the difference of two shares over the same `boards`. `more` boards count only
/// for the second share, `less` only for the first.
///
/// The difference is (2 s - 1) d, where d is the share of boards that differ and s the share of
/// `more` among these. Each end combines the exact end of s, so that 0 is excluded exactly if the
/// sign test excludes it, with the exact end of d that makes the interval wider. With Wilson's ends
/// of d, the interval of a few boards would cover the true difference far too rarely (results page,
/// R27).
pub fn paired_shares(more: u64, less: u64, boards: u64) -> (f64, f64) {
    let differ = more + less;
    let (low, high) = exact_share(more, differ);
    let (few, many) = exact_share(differ, boards);
    let (low, high) = (2.0 * low - 1.0, 2.0 * high - 1.0);
    let low = low * if low < 0.0 { many } else { few };
    (low, high * if high > 0.0 { many } else { few })
}

/// The greatest number of differences for [`sign_flips`], which takes time exponential in it. For
/// more, the t-distribution is as good.
pub const MAX_FLIPPED: usize = 16;

/// The p-value of the permutation test of these differences: the probability that their sum is at
/// least as far from 0 if all signs are random.
///
/// The test is exact if the two bots are interchangeable. For equal sizes it is the sign test.
///
/// Source: R. A. Fisher, *The design of experiments* (1935), section 21.
pub fn sign_flips(differences: &[f64]) -> f64 {
    let mut sums = vec![0.0];
    for difference in differences {
        sums = sums.iter().flat_map(|sum| [sum + difference, sum - difference]).collect();
    }
    let size: f64 = differences.iter().map(|difference| difference.abs()).sum();
    // Sums may differ by rounding.
    let observed = differences.iter().sum::<f64>().abs() - 1e-9 * size;
    sums.iter().filter(|sum| sum.abs() >= observed).count() as f64 / sums.len() as f64
}

/// The probability that a chi-square variable with these degrees of freedom is at least `value`.
pub fn chi_square_tail(value: f64, degrees: usize) -> f64 {
    ChiSquared::new(degrees as f64).map_or(1.0, |distribution| distribution.sf(value))
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

    /// The probability of at least `wins` of `games` with this share, as a plain sum.
    fn at_least(wins: u64, games: u64, share: f64) -> f64 {
        let ln_choose =
            |k: u64| (1..=k).map(|i| ((games - k + i) as f64 / i as f64).ln()).sum::<f64>();
        let (k, n) = (wins as f64, games as f64);
        let mut term = (ln_choose(wins) + k * share.ln() + (n - k) * (-share).ln_1p()).exp();
        let mut sum = 0.0;
        for more in wins..=games {
            sum += term;
            term *= (games - more) as f64 / (more + 1) as f64 * share / (1.0 - share);
            if term < 1e-18 * sum {
                break;
            }
        }
        sum
    }

    #[test]
    fn exact_shares_of_many_games_terminate_and_are_exact() {
        // Computed with 30 digits by another program.
        let (low, high) = exact_share(3, 10_000_000);
        assert!((low / 6.186_721_656_3e-8 - 1.0).abs() < 1e-7, "{low}");
        assert!((high / 8.767_270_541_6e-7 - 1.0).abs() < 1e-7, "{high}");
        for (wins, games) in [
            (3, 10_000_000),
            (20, 100_000_000),
            (1000, 10_000_000),
            (500_000, 1_000_000),
            (999_999, 9_000_000),
        ] {
            let (low, high) = exact_share(wins, games);
            assert!(
                (at_least(wins, games, low) / 0.025 - 1.0).abs() < 1e-5,
                "{wins} of {games}: {low}"
            );
            let less = 1.0 - at_least(wins + 1, games, high);
            assert!((less / 0.025 - 1.0).abs() < 1e-5, "{wins} of {games}: {high}");
            // The share of the losses is symmetric.
            let (other_low, other_high) = exact_share(games - wins, games);
            let ends = (1.0 - other_high, 1.0 - other_low);
            assert!((ends.0 - low).abs() < 1e-12 && (ends.1 - high).abs() < 1e-12, "{ends:?}");
        }
        // The transition to Wilson's interval is continuous.
        for games in [2_000_000, 2_000_002, 1_000_000_000] {
            let (exact, wilson) = (exact_share(games / 2, games), wilson(games / 2, games));
            let width = wilson.1 - wilson.0;
            let difference = (exact.0 - wilson.0).abs().max((exact.1 - wilson.1).abs());
            assert!(exact.0 < exact.1 && difference < 1e-3 * width, "{exact:?}, {wilson:?}");
        }
    }

    /// The two-sided sign test by sums of binomials.
    fn sign_test(more: u64, less: u64) -> f64 {
        let (least, all) = (more.min(less), more + less);
        let choose = |k: u64| (0..k).fold(1.0, |c, i| c * (all - i) as f64 / (i + 1) as f64);
        (2.0 * (0..=least).map(choose).sum::<f64>() / 2_f64.powi(all as i32)).min(1.0)
    }

    #[test]
    fn paired_shares_exclude_0_if_the_sign_test_does() {
        for boards in [0, 1, 2, 7, 40] {
            for more in 0..=boards {
                for less in 0..=boards - more {
                    let (low, high) = paired_shares(more, less, boards);
                    assert!((-1.0..=1.0).contains(&low) && low <= high && high <= 1.0);
                    let excludes_0 = low > 0.0 || high < 0.0;
                    assert_eq!(
                        excludes_0,
                        sign_test(more, less) < 0.05,
                        "{more}, {less}: {low} to {high}"
                    );
                }
            }
        }
        // For many boards it is hardly wider than the normal approximation's: 0.01 +-1.96 sqrt(0.2
        // - 0.01^2) / sqrt(20,000).
        let (low, high) = paired_shares(2100, 1900, 20_000);
        assert!(0.0035 < low && low < 0.0038 && 0.0162 < high && high < 0.0168, "{low} to {high}");
    }

    /// The coverage over all outcomes of a few boards: for any probabilities of `more` and `less`,
    /// the interval contains the true difference with a probability of at least 95 %.
    #[test]
    fn paired_shares_have_the_stated_coverage() {
        for boards in [2, 3, 5, 7, 10, 15, 20] {
            let choose =
                |k: u64, n: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
            let outcomes: Vec<(u64, u64, f64, (f64, f64))> = (0..=boards)
                .flat_map(|more| (0..=boards - more).map(move |less| (more, less)))
                .map(|(more, less)| {
                    let ways = choose(more, boards) * choose(less, boards - more);
                    (more, less, ways, paired_shares(more, less, boards))
                })
                .collect();
            for (a, b) in (0..=50).flat_map(|a| (0..=50 - a).map(move |b| (a, b))) {
                let [p, q, same] = [a, b, 50 - a - b].map(|part| f64::from(part) / 50.0);
                let contains = |&(.., (low, high)): &&(u64, u64, f64, (f64, f64))| {
                    low - 1e-12 <= p - q && p - q <= high + 1e-12
                };
                let weight = |&(more, less, ways, _): &(u64, u64, f64, (f64, f64))| {
                    let equal = boards - more - less;
                    ways * p.powi(more as i32) * q.powi(less as i32) * same.powi(equal as i32)
                };
                let coverage: f64 = outcomes.iter().filter(contains).map(weight).sum();
                assert!(coverage >= 0.95, "{boards} boards, {p} and {q}: {coverage}");
            }
        }
    }

    #[test]
    fn sign_flips_agree_with_sums_by_hand() {
        assert_eq!(sign_flips(&[]), 1.0);
        assert_eq!(sign_flips(&[2.5; 5]), 0.0625);
        assert_eq!(sign_flips(&[-2.5; 6]), 0.03125);
        // 4 of the 8 sums are as far from 0: 1 + 2 + 4 and -1 + 2 + 4, and their negatives.
        assert_eq!(sign_flips(&[-1.0, 2.0, 4.0]), 0.5);
        for (more, less) in [(0, 1), (3, 5), (9, 2), (10, 6)] {
            let signs = [vec![1.25; more], vec![-1.25; less]].concat();
            assert!((sign_flips(&signs) - sign_test(more as u64, less as u64)).abs() < 1e-12);
        }
    }

    /// 0.1 + 0.1 + 0.1 - 0.1 and -0.1 + 0.1 + 0.1 + 0.1 differ in the last bit.
    #[test]
    fn sums_that_differ_by_rounding_are_equal() {
        for scale in [1e-6, 1.0, 1e6] {
            let signs = [0.1, 0.1, 0.1, -0.1].map(|difference| scale * difference);
            assert_eq!(sign_flips(&signs), sign_test(3, 1), "{scale}");
            // Sums that differ by more than rounding are not equal.
            let nearly = [1.0, 1.0, 1.0, -0.999_999].map(|difference| scale * difference);
            assert_eq!(sign_flips(&nearly), 0.25, "{scale}");
        }
    }
}
