//! The number types of counting.
//!
//! A *weight* is a number of layouts, or such a number times a factor common to one computation.
//! Weights are never negative, and counting only adds and multiplies them. No subtraction cancels
//! digits, so the relative error is at most the number of operations times the precision.
//!
//! Invariant: **a weight is zero if and only if no layout has it.** "Safe" and "mine" are read from
//! zero weights. Inside a component weights are whole numbers of layouts, at least 1 unless zero,
//! in both types. The only fractions are the scaled factors of [`BinomialRow::scaled_into`] and
//! [`scaled_powers_into`], which refuse a range in which a product could underflow. An overflow is
//! not refused where it happens: [`Weight::is_in_range`] is false for the result, and the caller
//! repeats the computation in a wider type.
//!
//! Two types share one algorithm: `f64`, and [`ExtendedF64`] for fields whose counts leave the
//! range of an `f64`.
//!
//! The module [`binomial`] has binomial coefficients, single and in scaled rows.
//!
//! [`BinomialRow::scaled_into`]: binomial::BinomialRow::scaled_into

pub mod binomial;
mod extended;

use std::iter::successors;
use std::ops::{Add, Mul};

use crate::kit::rng::Random;

pub use crate::probability::weight::extended::ExtendedF64;

/// The number type cannot hold the weights; a wider one may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfRange;

/// A number that counts layouts. The module states the invariant. The default is no layout.
pub trait Weight: Copy + Default + Add<Output = Self> + Mul<Output = Self> {
    /// No layout.
    const ZERO: Self;

    /// The nodes of one pair of entries when two histograms are combined: three products, each
    /// added to a sum.
    const NODES_PER_PAIR: u64;

    /// These products as a multiple of those of two `f64`, by their time.
    const PRODUCTS_PER_PAIR: u64;

    /// Converts a number that is not negative, and finite.
    fn from_f64(number: f64) -> Self;

    /// Converts a whole number, rounded to the precision of an `f64`.
    fn from_u64(number: u64) -> Self {
        Self::from_f64(number as f64)
    }

    /// Whether no layout has this weight.
    fn is_zero(self) -> bool;

    /// Whether no operation has overflowed.
    fn is_in_range(self) -> bool;

    /// Whether this scaled factor is so large that a product with whole numbers cannot underflow.
    fn is_factor(self) -> bool;

    /// The same number in the widest type. `self` is in range.
    fn to_extended(self) -> ExtendedF64;

    /// The quotient by `total`, which is not zero. For a part of the total at most 1 up to
    /// rounding.
    fn ratio_to(self, total: Self) -> f64;
}

/// Writes the powers 0, 1, ... `len` - 1 of a positive `base` to `out`, all times one common
/// factor.
///
/// # Errors
/// [`OutOfRange`] when the ratios are too large for the type.
pub fn scaled_powers_into<W: Weight>(
    base: f64,
    len: usize,
    out: &mut Vec<W>,
) -> Result<(), OutOfRange> {
    out.clear();
    // Scaled to at most 1, so that no product with a weight in range overflows.
    let step = W::from_f64(if base > 1.0 { base.recip() } else { base });
    out.extend(successors(Some(W::from_u64(1)), |power| Some(*power * step)).take(len));
    if base > 1.0 {
        out.reverse();
    }
    if out.iter().all(|power| power.is_factor()) { Ok(()) } else { Err(OutOfRange) }
}

/// Draws an index of `weights`, each with its weight's share of `total`, the sum up to rounding.
///
/// Returns `None` if `total` is zero; an index whose weight is zero is never drawn.
pub fn sample_index<W: Weight>(
    weights: impl Iterator<Item = W>,
    total: W,
    random: &mut Random,
) -> Option<usize> {
    if total.is_zero() {
        return None;
    }
    let mut remaining = random.next_f64();
    let mut sampled = None;
    for (index, weight) in weights.enumerate().filter(|(_, weight)| !weight.is_zero()) {
        sampled = Some(index);
        remaining -= weight.ratio_to(total);
        if remaining < 0.0 {
            break;
        }
    }
    // A remainder that rounding leaves goes to the last index.
    sampled
}

impl Weight for f64 {
    const ZERO: f64 = 0.0;
    const NODES_PER_PAIR: u64 = 1;
    const PRODUCTS_PER_PAIR: u64 = 3;

    fn from_f64(number: f64) -> f64 {
        number
    }

    fn is_zero(self) -> bool {
        self == 0.0
    }

    fn is_in_range(self) -> bool {
        // Below the largest `f64` by the last factors: mines held, and cells of a block.
        self < 1e290
    }

    fn is_factor(self) -> bool {
        self > 1e-280
    }

    fn to_extended(self) -> ExtendedF64 {
        ExtendedF64::from_f64(self)
    }

    fn ratio_to(self, total: f64) -> f64 {
        self / total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::weight::binomial::{BinomialRow, Factorials, binomial};

    #[test]
    fn scaled_rows_are_binomials_in_both_types() {
        let mut factorials = Factorials::default();
        for n in 0..60_usize {
            for (first, last) in [(0, n), (n / 3, n / 2), (1, 5), (n, n + 3)] {
                if last < first {
                    continue;
                }
                let row = BinomialRow { n, first, last };
                let (mut float, mut extended) = (Vec::<f64>::new(), Vec::<ExtendedF64>::new());
                assert_eq!(row.scaled_into(&mut float), Ok(()));
                assert_eq!(row.scaled_into(&mut extended), Ok(()));
                let factor = factorials.peak(row);
                for k in first..=last {
                    let exact = if k > n { 0 } else { binomial(n as u32, k as u32) };
                    let (float, extended) = (float[k - first], extended[k - first]);
                    assert_eq!((float.is_zero(), extended.is_zero()), (exact == 0, exact == 0));
                    for scaled in [float.to_extended(), extended] {
                        let found = (scaled * factor).to_f64();
                        assert!((found - exact as f64).abs() <= 1e-13 * exact as f64);
                    }
                }
            }
        }
    }

    #[test]
    fn an_f64_refuses_a_row_that_it_cannot_hold() {
        let row = BinomialRow { n: 40_000, first: 0, last: 20_000 };
        assert_eq!(row.scaled_into(&mut Vec::<f64>::new()), Err(OutOfRange));
        let mut out = Vec::<ExtendedF64>::new();
        assert_eq!(row.scaled_into(&mut out), Ok(()));
        assert!(out.iter().all(|weight| !weight.is_zero()));
        let ratio = out[1].ratio_to(out[2]);
        assert!((ratio - 2.0 / 39_999.0).abs() < 1e-16);
    }
}
