//! A float that cannot overflow: an `f64` mantissa with an exponent of 64 bits.
//!
//! Invariant: the mantissa is at least 1 and below 2, or zero; zero has exponent 0.
//!
//! Cost: several times that of an `f64`, so it is used only after an `f64` was found too narrow
//! (results page, R3).

use std::f64::consts::{LN_2, LOG2_E};
use std::ops::{Add, Div, Mul};

use crate::base::elementary::{exp, ln, power_of_two, split};
use crate::base::params::PROBABILITY_TOLERANCE;

/// The difference of exponents beyond which the smaller summand is dropped.
const MAX_SHIFT: i64 = 64;

/// A number that is not negative: mantissa x 2^exponent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExtendedF64 {
    mantissa: f64,
    exponent: i64,
}

impl ExtendedF64 {
    /// The number 0.
    pub const ZERO: ExtendedF64 = ExtendedF64 { mantissa: 0.0, exponent: 0 };

    fn normalize(mantissa: f64, exponent: i64) -> ExtendedF64 {
        if mantissa == 0.0 {
            return ExtendedF64::ZERO;
        }
        let (mantissa, shift) = split(mantissa);
        ExtendedF64 { mantissa, exponent: exponent + shift }
    }

    /// Converts a number that is not negative, and finite.
    pub fn from_f64(number: f64) -> ExtendedF64 {
        ExtendedF64::normalize(number, 0)
    }

    /// Converts a whole number, rounded to the precision of an `f64`.
    pub fn from_u64(number: u64) -> ExtendedF64 {
        ExtendedF64::normalize(number as f64, 0)
    }

    /// The nearest `f64`: 0 below its range, and infinite above it.
    pub fn to_f64(self) -> f64 {
        match self.exponent {
            ..-1022 => 0.0,
            1024.. => f64::INFINITY,
            exponent => self.mantissa * power_of_two(exponent),
        }
    }

    /// e^`x`.
    pub fn exp(x: f64) -> ExtendedF64 {
        let exponent = (x * LOG2_E).floor();
        ExtendedF64::normalize(exp(x - exponent * LN_2), exponent as i64)
    }

    /// The natural logarithm of a number that is not zero.
    pub fn ln(self) -> f64 {
        ln(self.mantissa) + self.exponent as f64 * LN_2
    }

    /// Whether the number is 0.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    /// The quotient by `total`, which is not zero, as an `f64`.
    pub fn ratio_to(self, total: ExtendedF64) -> f64 {
        let shift = (total.exponent - self.exponent).clamp(-1000, 1000);
        self.mantissa / total.mantissa * power_of_two(-shift)
    }

    /// Whether the number exceeds `limit` by more than rounding.
    pub fn is_above(self, limit: usize) -> bool {
        !self.is_zero()
            && self.ratio_to(ExtendedF64::from_u64(limit as u64)) > 1.0 + PROBABILITY_TOLERANCE
    }
}

impl Add for ExtendedF64 {
    type Output = ExtendedF64;

    fn add(self, other: ExtendedF64) -> ExtendedF64 {
        let (large, small) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        if small.is_zero() {
            return large;
        }
        // Zero has exponent 0, which may be the larger one.
        if large.is_zero() {
            return small;
        }
        let shift = large.exponent - small.exponent;
        if shift > MAX_SHIFT {
            return large;
        }
        let mantissa = large.mantissa + small.mantissa * power_of_two(-shift);
        ExtendedF64::normalize(mantissa, large.exponent)
    }
}

impl Mul for ExtendedF64 {
    type Output = ExtendedF64;

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
