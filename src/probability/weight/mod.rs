//! The number types of counting.
//!
//! A *weight* is a number of layouts, or such a number times a factor common to one computation.
//! Weights are never negative, and counting only adds and multiplies them. No subtraction cancels
//! digits, so the relative error is at most the number of operations times the precision.
//!
//! Invariant: **a weight is zero if and only if no layout has it.** "Safe" and "mine" are read from
//! zero weights. Inside a component weights are whole numbers of layouts, at least 1 unless zero,
//! in every type. The only fractions are the scaled factors of [`Weight::binomials`] and
//! [`Weight::powers`], which refuse a range in which a product could underflow. An overflow is not
//! refused where it happens: [`Weight::is_in_range`] is false for the result, and the caller
//! repeats the computation in a wider type.
//!
//! Three types share one algorithm: `f64` for play, [`ExtendedF64`] for fields whose counts leave
//! the range of an `f64`, and [`ExactCount`] for tests and for exact numbers of layouts.
//!
//! - `extended`: `f64` mantissas with an exponent of 64 bits
//! - `exact`: 128-bit integers that remember an overflow
//! - [`binomial`]: binomial coefficients, single and in scaled rows
//! - [`sample`]: a random index, drawn in proportion to weights

pub mod binomial;
mod exact;
mod extended;
pub mod sample;

use std::iter::successors;
use std::ops::{Add, Mul};

use crate::base::elementary::exp;
use crate::probability::weight::binomial::{BinomialRow, exact_binomials, scaled_binomials};
pub use crate::probability::weight::exact::ExactCount;
pub use crate::probability::weight::extended::ExtendedF64;

/// The smallest scaled factor of an `f64`. A product with whole numbers cannot underflow from here.
const MIN_FACTOR: f64 = 1e-280;

/// The number type cannot hold the weights; a wider one may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfRange;

/// A number that counts layouts. The module states the invariant.
pub trait Weight: Copy + Add<Output = Self> + Mul<Output = Self> {
    /// No layout.
    const ZERO: Self;

    /// The nodes of one pair of entries when two histograms are combined: three products, each
    /// added to a sum.
    const NODES_PER_PAIR: u64;

    /// Converts a whole number; the floats round it.
    fn from_u64(number: u64) -> Self;

    /// e^`ln` for `ln` up to 0, times a factor common to all. Never zero: a type with a smallest
    /// number returns that one instead.
    fn scaled_exp(ln: f64) -> Self;

    /// Whether no layout has this weight.
    fn is_zero(self) -> bool;

    /// Whether no operation has overflowed.
    fn is_in_range(self) -> bool;

    /// The same number in the widest type. `self` is in range.
    fn to_extended(self) -> ExtendedF64;

    /// The quotient by `total`, which is not zero. For a part of the total at most 1 up to
    /// rounding.
    fn ratio_to(self, total: Self) -> f64;

    /// Writes the binomial coefficients of `row` to `out`, all times one common factor. The entries
    /// with k > n are zero, and no others.
    ///
    /// The factor is the inverse of [`Factorials::peak`] for the floats, and 1 for integers.
    ///
    /// # Errors
    /// [`OutOfRange`] when the ratios are too large for the type.
    ///
    /// [`Factorials::peak`]: crate::probability::weight::binomial::Factorials::peak
    fn binomials(row: BinomialRow, out: &mut Vec<Self>) -> Result<(), OutOfRange>;

    /// Writes the powers 0, 1, ... `len` - 1 of a positive `base` to `out`, all times one common
    /// factor.
    ///
    /// # Errors
    /// [`OutOfRange`] when the ratios are too large for the type; always for integers.
    fn powers(base: f64, len: usize, out: &mut Vec<Self>) -> Result<(), OutOfRange>;
}

impl Weight for f64 {
    const ZERO: f64 = 0.0;
    const NODES_PER_PAIR: u64 = 1;

    fn from_u64(number: u64) -> f64 {
        number as f64
    }

    fn scaled_exp(ln: f64) -> f64 {
        // At least 1, like every weight inside a component. Weights below e^-400 are raised to it:
        // the other cells could only outweigh them with a range that is too large for the type.
        exp((ln + 400.0).max(0.0))
    }

    fn is_zero(self) -> bool {
        self == 0.0
    }

    fn is_in_range(self) -> bool {
        // Below the largest `f64` by the last factors: mines held, and cells of a block.
        self < 1e290
    }

    fn to_extended(self) -> ExtendedF64 {
        ExtendedF64::from_f64(self)
    }

    fn ratio_to(self, total: f64) -> f64 {
        self / total
    }

    fn binomials(row: BinomialRow, out: &mut Vec<f64>) -> Result<(), OutOfRange> {
        scaled_binomials(row, out, 0.0, 1.0, |weight, ratio| weight * ratio);
        // A row rises to its peak and falls, so its smallest entry is at one end.
        match row.last_nonzero() {
            Some(last) if out[0].min(out[last - row.first]) <= MIN_FACTOR => Err(OutOfRange),
            _ => Ok(()),
        }
    }

    fn powers(base: f64, len: usize, out: &mut Vec<f64>) -> Result<(), OutOfRange> {
        out.clear();
        // Scaled to at most 1, so that no product with a weight in range overflows.
        let step = if base > 1.0 { base.recip() } else { base };
        out.extend(successors(Some(1.0), |power| Some(power * step)).take(len));
        if base > 1.0 {
            out.reverse();
        }
        if out.iter().all(|power| *power > MIN_FACTOR) { Ok(()) } else { Err(OutOfRange) }
    }
}

impl Weight for ExtendedF64 {
    const ZERO: ExtendedF64 = ExtendedF64::ZERO;
    const NODES_PER_PAIR: u64 = 8;

    fn from_u64(number: u64) -> ExtendedF64 {
        ExtendedF64::from_u64(number)
    }

    fn scaled_exp(ln: f64) -> ExtendedF64 {
        ExtendedF64::exp(ln)
    }

    fn is_zero(self) -> bool {
        ExtendedF64::is_zero(self)
    }

    fn is_in_range(self) -> bool {
        true
    }

    fn to_extended(self) -> ExtendedF64 {
        self
    }

    fn ratio_to(self, total: ExtendedF64) -> f64 {
        ExtendedF64::ratio_to(self, total)
    }

    fn binomials(row: BinomialRow, out: &mut Vec<ExtendedF64>) -> Result<(), OutOfRange> {
        let scale = |weight: ExtendedF64, ratio| weight * ExtendedF64::from_f64(ratio);
        scaled_binomials(row, out, ExtendedF64::ZERO, ExtendedF64::from_u64(1), scale);
        Ok(())
    }

    fn powers(base: f64, len: usize, out: &mut Vec<ExtendedF64>) -> Result<(), OutOfRange> {
        out.clear();
        let base = ExtendedF64::from_f64(base);
        let one = ExtendedF64::from_u64(1);
        out.extend(successors(Some(one), |power| Some(*power * base)).take(len));
        Ok(())
    }
}

impl Weight for ExactCount {
    const ZERO: ExactCount = ExactCount(Some(0));
    const NODES_PER_PAIR: u64 = 1;

    fn from_u64(number: u64) -> ExactCount {
        ExactCount(Some(number.into()))
    }

    fn scaled_exp(_: f64) -> ExactCount {
        ExactCount(None)
    }

    fn is_zero(self) -> bool {
        self.0 == Some(0)
    }

    fn is_in_range(self) -> bool {
        self.0.is_some()
    }

    fn to_extended(self) -> ExtendedF64 {
        ExtendedF64::from_f64(self.0.unwrap_or(0) as f64)
    }

    fn ratio_to(self, total: ExactCount) -> f64 {
        match (self.0, total.0) {
            (Some(part), Some(total)) => part as f64 / total as f64,
            _ => f64::NAN,
        }
    }

    fn binomials(row: BinomialRow, out: &mut Vec<ExactCount>) -> Result<(), OutOfRange> {
        exact_binomials(row, out);
        if out.iter().all(|weight| weight.is_in_range()) { Ok(()) } else { Err(OutOfRange) }
    }

    fn powers(_: f64, _: usize, _: &mut Vec<ExactCount>) -> Result<(), OutOfRange> {
        Err(OutOfRange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::weight::binomial::Factorials;

    #[test]
    fn binomials_agree_in_all_types() {
        let mut factorials = Factorials::default();
        for n in 0..60_usize {
            for (first, last) in [(0, n), (n / 3, n / 2), (1, 5), (n, n + 3)] {
                if last < first {
                    continue;
                }
                let row = BinomialRow { n, first, last };
                let (mut float, mut extended, mut exact) = (Vec::new(), Vec::new(), Vec::new());
                assert_eq!(<f64 as Weight>::binomials(row, &mut float), Ok(()));
                assert_eq!(ExtendedF64::binomials(row, &mut extended), Ok(()));
                assert_eq!(ExactCount::binomials(row, &mut exact), Ok(()));
                let factor = factorials.peak(row);
                let total = exact.iter().fold(ExactCount::ZERO, |sum, part| sum + *part);
                let float_total: f64 = float.iter().sum();
                let extended_total =
                    extended.iter().fold(ExtendedF64::ZERO, |sum, part| sum + *part);
                for (k, part) in exact.iter().enumerate() {
                    assert_eq!(part.is_zero(), float[k].is_zero());
                    assert_eq!(part.is_zero(), extended[k].is_zero());
                    if !total.is_zero() {
                        let ratio = part.ratio_to(total);
                        assert!((float[k].ratio_to(float_total) - ratio).abs() < 1e-13);
                        assert!((extended[k].ratio_to(extended_total) - ratio).abs() < 1e-13);
                        for scaled in [float[k].to_extended(), extended[k]] {
                            let ratio = (scaled * factor).ratio_to(part.to_extended());
                            assert!(part.is_zero() || (ratio - 1.0).abs() < 1e-13);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_f64_refuses_a_row_that_it_cannot_hold() {
        let row = BinomialRow { n: 40_000, first: 0, last: 20_000 };
        let mut out = Vec::new();
        assert_eq!(<f64 as Weight>::binomials(row, &mut out), Err(OutOfRange));
        let mut out = Vec::new();
        assert_eq!(ExtendedF64::binomials(row, &mut out), Ok(()));
        assert!(out.iter().all(|weight| !weight.is_zero()));
        let ratio = out[1].ratio_to(out[2]);
        assert!((ratio - 2.0 / 39_999.0).abs() < 1e-16);
    }
}
