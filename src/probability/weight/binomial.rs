//! Binomial coefficients.
//!
//! Counting needs them in three forms:
//!
//! - [`binomial`]: a single small coefficient, exact, for the cells of a block. It is computed once
//!   for each edge of a count.
//! - a part of a row of Pascal's triangle ([`BinomialRow`]), for the unconstrained cells, scaled so
//!   that its largest entry is 1;
//! - [`Factorials::peak`]: the factor that the scaled row leaves out, for the number of layouts.

use crate::probability::weight::{ExtendedF64, OutOfRange, Weight};

/// C(n, k) for `k` up to `n`. Exact up to n = 29 at least, since C(29, k) < 2^32.
pub fn binomial(n: u32, k: u32) -> u64 {
    (0..u64::from(k.min(n - k))).fold(1, |product, i| product * (u64::from(n) - i) / (i + 1))
}

/// The coefficients C(n, k) for k from `first` to `last`; those with k > n are zero.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BinomialRow {
    /// The row of Pascal's triangle.
    pub n: usize,
    /// The first k.
    pub first: usize,
    /// The last k, not below `first`.
    pub last: usize,
}

impl BinomialRow {
    /// The last k whose coefficient is not zero, if there is one.
    fn last_nonzero(self) -> Option<usize> {
        (self.first <= self.n).then_some(self.last.min(self.n))
    }

    /// The k of the largest coefficient, if one is not zero.
    fn peak(self) -> Option<usize> {
        Some((self.n / 2).clamp(self.first, self.last_nonzero()?))
    }

    /// Writes the coefficients to `out`, divided by the largest, from the peak outward. The entries
    /// with k > n are zero, and no others.
    ///
    /// # Errors
    /// [`OutOfRange`] when the ratios are too large for the type.
    pub fn scaled_into<W: Weight>(self, out: &mut Vec<W>) -> Result<(), OutOfRange> {
        let BinomialRow { n, first, last } = self;
        out.clear();
        out.resize(last + 1 - first, W::ZERO);
        let (Some(peak), Some(last)) = (self.peak(), self.last_nonzero()) else { return Ok(()) };
        let ratio = |numerator: usize, denominator: usize| {
            W::from_f64(numerator as f64 / denominator as f64)
        };
        out[peak - first] = W::from_u64(1);
        for k in peak..last {
            out[k + 1 - first] = out[k - first] * ratio(n - k, k + 1);
        }
        for k in (first + 1..=peak).rev() {
            out[k - 1 - first] = out[k - first] * ratio(k, n + 1 - k);
        }
        // A row rises to its peak and falls, so its smallest entry is at one end.
        let is_in_range = out[0].is_factor() && out[last - first].is_factor();
        if is_in_range { Ok(()) } else { Err(OutOfRange) }
    }
}

/// The factorials up to the largest that was needed, each the product of the one before it.
///
/// n! and m! have the same rounding errors up to the smaller of n and m, so the error of their
/// quotient is |n - m| roundings.
#[derive(Clone, Default, Debug)]
pub struct Factorials(Vec<ExtendedF64>);

impl Factorials {
    fn of(&mut self, n: usize) -> ExtendedF64 {
        for next in self.0.len()..=n {
            let previous = self.0.last().copied().unwrap_or(ExtendedF64::from_u64(1));
            self.0.push(previous * ExtendedF64::from_u64(next.max(1) as u64));
        }
        self.0[n]
    }

    /// The largest coefficient of `row`, by which the scaled row is divided; 1 if all are zero.
    pub fn peak(&mut self, row: BinomialRow) -> ExtendedF64 {
        match row.peak() {
            Some(k) => self.of(row.n) / (self.of(k) * self.of(row.n - k)),
            None => ExtendedF64::from_u64(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_binomials_are_pascals() {
        for n in 1..30 {
            for k in 1..n {
                assert_eq!(binomial(n, k), binomial(n - 1, k - 1) + binomial(n - 1, k));
            }
            assert_eq!((binomial(n, 0), binomial(n, n)), (1, 1));
        }
    }
}
