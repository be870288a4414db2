//! The mean of values, with its interval by Student's t.

use std::ops::RangeInclusive;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::Z;

/// The 97.5 % point of Student's t-distribution.
fn student(degrees: u64) -> f64 {
    // To four digits, it is then that of the normal distribution.
    if degrees > 20_000 {
        return Z;
    }
    StudentsT::new(0.0, 1.0, degrees as f64).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975))
}

/// The mean of values.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mean {
    count: u64,
    sum: f64,
    /// The sum of the squares.
    squares: f64,
}

impl Mean {
    /// The mean of `count` values with this sum and this sum of squares.
    pub fn of(count: u64, sum: f64, squares: f64) -> Mean {
        Mean { count, sum, squares }
    }

    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean; 0 if there are no values.
    pub fn value(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// The mean of 1 - x for each value x.
    pub fn of_complements(&self) -> Mean {
        let Mean { count, sum, squares } = *self;
        let n = count as f64;
        Mean { count, sum: n - sum, squares: n - 2.0 * sum + squares }
    }

    /// The number of equal values whose mean would scatter as that of these positive values: few if
    /// a few values are most of the sum. 0 if all are 0.
    ///
    /// Source: L. Kish, *Survey Sampling* (1965).
    pub fn effective_count(&self) -> f64 {
        if self.squares > 0.0 { self.sum * self.sum / self.squares } else { 0.0 }
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sample variance of the values; infinite for fewer than two.
    pub fn variance(&self) -> f64 {
        if self.count < 2 {
            return f64::INFINITY;
        }
        let n = self.count as f64;
        ((self.squares - self.sum * self.sum / n) / (n - 1.0)).max(0.0)
    }

    /// The standard error of the mean; infinite for fewer than two values.
    pub fn standard_error(&self) -> f64 {
        (self.variance() / self.count.max(1) as f64).sqrt()
    }

    /// Half the width of the 95 % interval; infinite for fewer than two values.
    pub fn half_width(&self) -> f64 {
        if self.count < 2 {
            return f64::INFINITY;
        }
        student(self.count - 1) * self.standard_error()
    }

    /// The 95 % interval of the mean of values within `bounds`, which may be infinite; `None` for
    /// fewer than two values, and for equal values with an infinite bound.
    ///
    /// The variance of n equal values says nothing about others. A share of up to 1 - 0.025^(1/n)
    /// of all values may be different, anywhere within the bounds.
    pub fn interval(&self, bounds: RangeInclusive<f64>) -> Option<(f64, f64)> {
        if self.count < 2 {
            return None;
        }
        let (min, max) = bounds.into_inner();
        let mean = self.value();
        // The values may differ by rounding.
        if self.variance() <= 1e-12 * (1.0 + mean * mean) {
            let different = 1.0 - 0.025_f64.powf(1.0 / self.count as f64);
            let end = |bound: f64| mean + different * (bound - mean);
            return (min.is_finite() && max.is_finite()).then(|| (end(min), end(max)));
        }
        let half = self.half_width();
        Some(((mean - half).max(min), (mean + half).min(max)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_agrees_with_published_values() {
        for (degrees, point) in
            [(1, 12.7062), (2, 4.3027), (5, 2.5706), (30, 2.0423), (1000, 1.9623), (20_000, 1.9601)]
        {
            assert!((student(degrees) - point).abs() < 1e-4, "{degrees}: {}", student(degrees));
        }
    }

    #[test]
    fn an_interval_is_within_the_bounds_and_wide_for_few_values() {
        let mean = |values: &[f64]| {
            let mut mean = Mean::default();
            values.iter().for_each(|&value| mean.add(value));
            mean
        };
        let all = || 0.0..=100.0;
        assert_eq!(mean(&[90.0]).interval(all()), None);
        // 95 +-5 * 12.706 ends at 158.5.
        let (low, high) = mean(&[90.0, 100.0]).interval(all()).unwrap();
        assert!((low - 31.47).abs() < 0.01 && high == 100.0, "{low} to {high}");
        // 5 +-5 * 12.706 would begin at -58.5.
        let (low, high) = mean(&[10.0, 0.0]).interval(all()).unwrap();
        assert!(low == 0.0 && (high - 68.53).abs() < 0.01, "{low} to {high}");
        // Six values are all 100: at least 0.025^(1/6) = 0.5407 of all values are 100.
        let (low, high) = mean(&[100.0; 6]).interval(all()).unwrap();
        assert!((low - 54.07).abs() < 0.01 && high == 100.0, "{low} to {high}");
        // Equal values whose sums are rounded.
        let (low, high) = mean(&[98.7; 1000]).interval(all()).unwrap();
        assert!((low - 98.34).abs() < 0.01 && (high - 98.70).abs() < 0.01, "{low} to {high}");
        assert_eq!(mean(&[3.0; 6]).interval(0.0..=f64::INFINITY), None);
    }

    #[test]
    fn a_few_values_may_be_most_of_a_sum() {
        let mut mean = Mean::default();
        [vec![1.0; 3], vec![0.0; 37]].concat().into_iter().for_each(|value| mean.add(value));
        assert!((mean.effective_count() - 3.0).abs() < 1e-12);
        assert!((mean.of_complements().effective_count() - 37.0).abs() < 1e-12);
        assert!((mean.of_complements().value() - 37.0 / 40.0).abs() < 1e-12);
        assert_eq!(Mean::of(40, 0.0, 0.0).effective_count(), 0.0);
        assert!((Mean::of(40, 20.0, 10.0).effective_count() - 40.0).abs() < 1e-12);
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
