//! Intervals for what is measured, all 95 %, and the tail of the chi-square.

use statrs::distribution::{ChiSquared, ContinuousCDF};

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

/// How often a chi-square of so many degrees of freedom is `value` or more.
pub fn chi_square_tail(value: f64, degrees: usize) -> f64 {
    ChiSquared::new(degrees as f64).map_or(1.0, |distribution| distribution.sf(value))
}

/// A mean with half the width of its interval, by the normal approximation.
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
        Z * self.standard_error()
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
    fn the_mean_of_a_coin() {
        let mut mean = Mean::default();
        (0..400).for_each(|toss| mean.add(f64::from(toss % 2)));
        assert!((mean.value() - 0.5).abs() < 1e-12);
        assert!((mean.half_width() - 0.0490).abs() < 1e-4);
        let same = Mean::of(400, 200.0, 200.0);
        assert_eq!((same.value(), same.half_width()), (mean.value(), mean.half_width()));
    }
}
