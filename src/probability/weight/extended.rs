//! Floats that cannot overflow, for fields whose counts leave the range of an `f64`.
//!
//! Invariant: equal numbers are represented alike, and an operation is rounded as one on `f64` is.

use std::f64::consts::LN_2;
use std::ops::{Add, Div, Mul};

use crate::kit::elementary::{ln, power_of_two, split};
use crate::probability::weight::Weight;
use crate::settings::params::PROBABILITY_TOLERANCE;

/// A float that cannot overflow: mantissa x 2^(512 x exponent), not negative.
///
/// The mantissa is at least 2^-256 and below 2^256, or zero; zero has the least exponent. So most
/// sums and products are those of two `f64` between these bounds, and rounded like them: an
/// operation costs twice to three times that of an `f64`. The type is used only after an `f64` was
/// found too narrow (results page, R3).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExtendedF64 {
    mantissa: f64,
    exponent: i64,
}

impl ExtendedF64 {
    /// The binary exponent that one step of `exponent` stands for.
    const STEP: i64 = 512;
    /// A factor of one step, and its inverse.
    const UP: f64 = power_of_two(ExtendedF64::STEP);
    const DOWN: f64 = power_of_two(-ExtendedF64::STEP);
    /// The bounds of a mantissa: the least one, and the least one that is too large.
    const LEAST: f64 = power_of_two(-ExtendedF64::STEP / 2);
    const TOO_LARGE: f64 = power_of_two(ExtendedF64::STEP / 2);

    #[inline]
    fn normalize(mantissa: f64, exponent: i64) -> ExtendedF64 {
        if (ExtendedF64::LEAST..ExtendedF64::TOO_LARGE).contains(&mantissa) {
            ExtendedF64 { mantissa, exponent }
        } else {
            ExtendedF64::normalize_rare(mantissa, exponent)
        }
    }

    #[cold]
    fn normalize_rare(mut mantissa: f64, mut exponent: i64) -> ExtendedF64 {
        if mantissa == 0.0 {
            return ExtendedF64::ZERO;
        }
        while mantissa < ExtendedF64::LEAST {
            (mantissa, exponent) = (mantissa * ExtendedF64::UP, exponent - 1);
        }
        while mantissa >= ExtendedF64::TOO_LARGE {
            (mantissa, exponent) = (mantissa * ExtendedF64::DOWN, exponent + 1);
        }
        ExtendedF64 { mantissa, exponent }
    }

    /// The nearest `f64`: 0 below its range, and infinite above it.
    pub fn to_f64(self) -> f64 {
        match self.exponent {
            0 => self.mantissa,
            1 => self.mantissa * ExtendedF64::UP,
            2 => self.mantissa * ExtendedF64::UP * ExtendedF64::UP,
            -1 => self.mantissa * ExtendedF64::DOWN,
            -2 => self.mantissa * ExtendedF64::DOWN * ExtendedF64::DOWN,
            3.. => f64::INFINITY,
            _ => 0.0,
        }
    }

    /// The natural logarithm of a number that is not zero.
    pub fn ln(self) -> f64 {
        let (mantissa, exponent) = split(self.mantissa);
        ln(mantissa) + (ExtendedF64::STEP * self.exponent + exponent) as f64 * LN_2
    }

    /// Whether the number exceeds `limit` by more than rounding.
    pub fn is_above(self, limit: usize) -> bool {
        !self.is_zero()
            && self.ratio_to(ExtendedF64::from_u64(limit as u64)) > 1.0 + PROBABILITY_TOLERANCE
    }
}

impl Default for ExtendedF64 {
    fn default() -> ExtendedF64 {
        ExtendedF64::ZERO
    }
}

impl Weight for ExtendedF64 {
    // No sum or difference with another exponent overflows.
    const ZERO: ExtendedF64 = ExtendedF64 { mantissa: 0.0, exponent: i64::MIN / 4 };
    const NODES_PER_PAIR: u64 = 8;
    const PRODUCTS_PER_PAIR: u64 = 6;

    fn from_f64(number: f64) -> ExtendedF64 {
        ExtendedF64::normalize(number, 0)
    }

    fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    fn is_in_range(self) -> bool {
        true
    }

    fn is_factor(self) -> bool {
        true
    }

    fn to_extended(self) -> ExtendedF64 {
        self
    }

    fn ratio_to(self, total: ExtendedF64) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let steps = (self.exponent - total.exponent).clamp(-3, 3);
        let ratio = ExtendedF64 { mantissa: self.mantissa / total.mantissa, exponent: steps };
        // Only zero has the ratio 0.
        ratio.to_f64().clamp(f64::MIN_POSITIVE, f64::MAX)
    }
}

impl Add for ExtendedF64 {
    type Output = ExtendedF64;

    #[inline]
    fn add(self, other: ExtendedF64) -> ExtendedF64 {
        if self.exponent == other.exponent {
            return ExtendedF64::normalize(self.mantissa + other.mantissa, self.exponent);
        }
        let (large, small) =
            if self.exponent > other.exponent { (self, other) } else { (other, self) };
        // The summand of a number that is two steps larger is less than half of its last digit.
        if large.exponent - small.exponent > 1 {
            return large;
        }
        let mantissa = large.mantissa + small.mantissa * ExtendedF64::DOWN;
        ExtendedF64::normalize(mantissa, large.exponent)
    }
}

impl Mul for ExtendedF64 {
    type Output = ExtendedF64;

    #[inline]
    fn mul(self, other: ExtendedF64) -> ExtendedF64 {
        ExtendedF64::normalize(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }
}

impl Div for ExtendedF64 {
    type Output = ExtendedF64;

    /// The quotient by a number that is not zero.
    fn div(self, other: ExtendedF64) -> ExtendedF64 {
        ExtendedF64::normalize(self.mantissa / other.mantissa, self.exponent - other.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::rng::Random;

    /// A number as its mantissa in `1.0..2.0` and its exponent, split anew after each operation.
    fn plain(mantissa: f64, exponent: i64) -> (f64, i64) {
        if mantissa == 0.0 {
            return (0.0, 0);
        }
        let (mantissa, shift) = split(mantissa);
        (mantissa, exponent + shift)
    }

    fn plain_sum(a: (f64, i64), b: (f64, i64)) -> (f64, i64) {
        let (large, small) = if b.0 == 0.0 || (a.0 != 0.0 && a.1 >= b.1) { (a, b) } else { (b, a) };
        let shift = large.1 - small.1;
        if small.0 == 0.0 || shift > 100 {
            return large;
        }
        plain(large.0 + small.0 * power_of_two(-shift), large.1)
    }

    #[test]
    fn extended_floats_are_rounded_like_floats_of_any_exponent() {
        let of = |x: ExtendedF64| plain(x.mantissa, ExtendedF64::STEP * x.exponent.max(-1 << 40));
        let mut random = Random::new(1);
        let mut numbers: Vec<ExtendedF64> =
            [0.0, 1.0, 3.7, 1e77, 1.2e77, 1e-78, 1e300, 1e-300].map(ExtendedF64::from_f64).into();
        let mut steps = [0; 2];
        for _ in 0..100_000 {
            let [a, b] = [0; 2].map(|_| numbers[random.below(numbers.len())]);
            let ((x, y), sum, product) = ((of(a), of(b)), a + b, a * b);
            assert_eq!(of(sum), plain_sum(x, y), "{a:?} + {b:?}");
            assert_eq!(of(product), plain(x.0 * y.0, x.1 + y.1), "{a:?} * {b:?}");
            if !b.is_zero() {
                assert_eq!(of(a / b), plain(x.0 / y.0, x.1 - y.1), "{a:?} / {b:?}");
                let ratio = a.ratio_to(b);
                assert_eq!(ratio == 0.0, a.is_zero(), "{a:?} of {b:?}");
                if (-1000..1000).contains(&(x.1 - y.1)) {
                    assert_eq!(plain(ratio, 0), of(a / b), "{a:?} of {b:?}");
                }
            }
            steps[usize::from(a.exponent != b.exponent)] += 1;
            // Numbers stay within a few steps of each other.
            let next = [sum, product, a][random.below(3)];
            if next.is_zero() || next.exponent.abs() < 3 {
                let at = random.below(numbers.len());
                numbers[at] = next;
            } else {
                let at = 1 + random.below(numbers.len() - 1);
                numbers[at] = ExtendedF64::from_f64(random.next_f64() * 1e-150);
            }
        }
        assert!(steps.iter().all(|&steps| steps > 1000), "{steps:?}");
    }

    #[test]
    fn extended_floats_add_and_multiply_as_floats_do() {
        let one = ExtendedF64::from_u64(1);
        let values = [0_u64, 1, 2, 3, 7, 1000, 123_456_789];
        for a in values {
            for b in values {
                let (x, y) = (ExtendedF64::from_u64(a), ExtendedF64::from_u64(b));
                assert_eq!((x + y).ratio_to(one), (a + b) as f64);
                assert_eq!((x * y).ratio_to(one), (a * b) as f64);
            }
        }
        // Far beyond the range of an f64 and back, and a sum whose smaller part is dropped.
        let thousand = ExtendedF64::from_u64(1000);
        let huge = (0..400).fold(one, |product, _| product * thousand);
        assert!((huge.ratio_to(huge * ExtendedF64::from_u64(4)) - 0.25).abs() < 1e-15);
        assert_eq!(huge + one, huge);
        assert_eq!(one + huge, huge);
        assert!(!one.ratio_to(huge).is_nan());
    }
}
