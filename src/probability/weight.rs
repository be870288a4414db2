//! The number types of counting, and the binomials they start from.
//!
//! A weight is a number of layouts, or such a number up to a factor common to a whole computation.
//! Counting only ever adds and multiplies weights that are not negative, so a relative error never
//! grows beyond the number of steps times the precision: there is no subtraction to lose digits in.
//!
//! Invariant: **a weight is zero if and only if no layout stands behind it.** That is what "safe"
//! and "mine" are read from. Inside a component weights are whole numbers of layouts, from 1 up, in
//! every type; the only fractions are the scaled binomials of [`Weight::binomials`], which refuse a
//! range in which a product could leave the type. What would break the invariant is an underflow
//! to zero, and nothing can underflow; an overflow shows as [`Weight::is_sound`] being false at the
//! end, and the computation is done again in a wider type.
//!
//! Three types, one algorithm: `f64` for play (every legal Botzone field fits), [`ExtendedF64`] for fields
//! whose counts leave an `f64`, and [`Exact`] for the tests and for exact numbers of layouts.

use crate::base::elementary::{exp, ln, power_of_two, split};
use crate::base::params::PROBABILITY_TOLERANCE;

/// A number that counts layouts. See the module for what it promises.
pub trait Weight: Copy {
    /// No layout.
    const ZERO: Self;

    /// What putting two histograms together takes for each pair of entries, in nodes: three products, each added to a sum.
    const NODES_PER_PAIR: u64;

    /// A small whole number.
    fn whole(number: u64) -> Self;

    /// The sum.
    fn plus(self, other: Self) -> Self;

    /// The product.
    fn times(self, other: Self) -> Self;

    /// e^`ln` for `ln` up to 0, times a factor that is the same for all: a made-up weight, never zero.
    /// A type that cannot hold it cuts it off at its own least.
    fn bell(ln: f64) -> Self;

    /// Whether no layout stands behind it.
    fn is_zero(self) -> bool;

    /// The same number, which is sound, in the widest type.
    fn wide(self) -> ExtendedF64;

    /// Whether the number is what the computation says, and not an overflow.
    fn is_sound(self) -> bool;

    /// This part of `whole`, which is not zero. At most 1 up to rounding.
    fn share_of(self, whole: Self) -> f64;

    /// The binomials C(cells, k) for k from `first` to `last`, all up to one common factor, into
    /// `out`. Entries with k > cells are zero, and only those.
    ///
    /// Returns false when the type cannot hold them: their ratios are too large. The factor is
    /// [`Factorials::scaled_by`], and 1 for a type of whole numbers.
    fn binomials(cells: usize, first: usize, last: usize, out: &mut Vec<Self>) -> bool;

    /// The powers 0, 1, ... `len` - 1 of a positive `base`, up to one common factor, into `out`.
    ///
    /// Returns false when the type cannot hold them, always so for a type of whole numbers.
    fn powers(base: f64, len: usize, out: &mut Vec<Self>) -> bool;
}

/// C(n, k) for the small numbers of a block. Exact up to C(29, k) at least, as it stays below 2^32.
pub fn small_binomial(n: u32, k: u32) -> u64 {
    (0..u64::from(k.min(n - k))).fold(1, |product, i| product * (u64::from(n) - i) / (i + 1))
}

/// The entry that [`Weight::binomials`] makes 1, where the range has one that is not zero.
fn peak(cells: usize, first: usize, last: usize) -> usize {
    (cells / 2).clamp(first, last.min(cells))
}

/// Writes C(cells, k) for k in first..=last up to a factor, walking outward from the peak.
fn scaled_binomials<W: Copy>(
    cells: usize,
    range: (usize, usize),
    out: &mut Vec<W>,
    (zero, one): (W, W),
    scale: impl Fn(W, f64) -> W,
) {
    let (first, last) = range;
    out.clear();
    out.resize(last + 1 - first, zero);
    if first > cells {
        return;
    }
    let top = last.min(cells);
    let peak = peak(cells, first, last);
    out[peak - first] = one;
    for k in peak..top {
        out[k + 1 - first] = scale(out[k - first], (cells - k) as f64 / (k + 1) as f64);
    }
    for k in (first + 1..=peak).rev() {
        out[k - 1 - first] = scale(out[k - first], k as f64 / (cells + 1 - k) as f64);
    }
}

/// The factorials up to the largest that was asked for, each the product of the one before it.
///
/// Two of n and m have the same rounding errors up to the smaller, so that a quotient of two is off
/// by |n - m| roundings only.
#[derive(Clone, Default, Debug)]
pub struct Factorials(Vec<ExtendedF64>);

impl Factorials {
    fn of(&mut self, n: usize) -> ExtendedF64 {
        for next in self.0.len()..=n {
            let before = self.0.last().copied().unwrap_or(ExtendedF64::whole(1));
            self.0.push(before.times(ExtendedF64::whole(next.max(1) as u64)));
        }
        self.0[n]
    }

    /// C(`cells`, `k`), for `k` up to `cells`.
    fn binomial(&mut self, cells: usize, k: usize) -> ExtendedF64 {
        self.of(cells).over(self.of(k).times(self.of(cells - k)))
    }

    /// The factor that [`Weight::binomials`] of `f64` and [`ExtendedF64`] took out for the same arguments.
    pub fn scaled_by(&mut self, cells: usize, first: usize, last: usize) -> ExtendedF64 {
        if first > cells {
            return ExtendedF64::whole(1);
        }
        self.binomial(cells, peak(cells, first, last))
    }
}

impl Weight for f64 {
    const ZERO: f64 = 0.0;
    const NODES_PER_PAIR: u64 = 1;

    fn whole(number: u64) -> f64 {
        number as f64
    }

    fn plus(self, other: f64) -> f64 {
        self + other
    }

    fn times(self, other: f64) -> f64 {
        self * other
    }

    fn bell(ln: f64) -> f64 {
        // From 1 up, as every weight inside a component. The cut at e^-400 is of what the mines of the
        // other cells can hardly outweigh; where they do, their own range is too large for the type.
        exp((ln + 400.0).max(0.0))
    }

    fn is_zero(self) -> bool {
        self == 0.0
    }

    fn is_sound(self) -> bool {
        // Room for the last factors: mines held and cells of a block.
        self < 1e290
    }

    fn share_of(self, whole: f64) -> f64 {
        self / whole
    }

    fn wide(self) -> ExtendedF64 {
        ExtendedF64::from_f64(self)
    }

    fn binomials(cells: usize, first: usize, last: usize, out: &mut Vec<f64>) -> bool {
        let scale = |weight, ratio| weight * ratio;
        scaled_binomials(cells, (first, last), out, (0.0, 1.0), scale);
        // Every product is of one of these and of whole numbers, so nothing gets smaller again.
        let top = last.min(cells);
        first > cells || out[0].min(out[top - first]) > 1e-280
    }

    fn powers(base: f64, len: usize, out: &mut Vec<f64>) -> bool {
        out.clear();
        // None above 1, so that no product with a sound weight overflows: the last is 1 where they grow.
        let step = if base > 1.0 { base.recip() } else { base };
        out.extend(std::iter::successors(Some(1.0), |power| Some(power * step)).take(len));
        if base > 1.0 {
            out.reverse();
        }
        out.iter().all(|power| *power > 1e-280)
    }
}

/// A float with an exponent of its own: mantissa x 2^exponent.
///
/// The mantissa is in 1..2, or zero. About five times slower than an `f64`, so it is used only
/// after an `f64` was found too narrow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExtendedF64 {
    mantissa: f64,
    exponent: i64,
}

impl ExtendedF64 {
    /// A sum's smaller part below this many bits leaves no trace.
    const BITS: i64 = 64;

    fn normal(mantissa: f64, exponent: i64) -> ExtendedF64 {
        if mantissa == 0.0 {
            return ExtendedF64::ZERO;
        }
        let (mantissa, shift) = split(mantissa);
        ExtendedF64 { mantissa, exponent: exponent + shift }
    }

    /// A number that is not negative, and finite.
    pub fn from_f64(number: f64) -> ExtendedF64 {
        ExtendedF64::normal(number, 0)
    }

    /// The nearest `f64`: 0 below its range, and infinite above it.
    pub fn to_f64(self) -> f64 {
        match self.exponent {
            ..-1022 => 0.0,
            1024.. => f64::INFINITY,
            exponent => self.mantissa * power_of_two(exponent),
        }
    }

    /// The quotient by a number that is not zero.
    pub fn over(self, other: ExtendedF64) -> ExtendedF64 {
        ExtendedF64::normal(self.mantissa / other.mantissa, self.exponent - other.exponent)
    }

    /// The natural logarithm of a number that is not zero.
    pub fn ln(self) -> f64 {
        ln(self.mantissa) + self.exponent as f64 * std::f64::consts::LN_2
    }

    /// Whether it is above `most` by more than a rounding.
    pub fn is_above(self, most: usize) -> bool {
        !self.is_zero()
            && self.share_of(ExtendedF64::whole(most as u64)) > 1.0 + PROBABILITY_TOLERANCE
    }
}

impl Weight for ExtendedF64 {
    const ZERO: ExtendedF64 = ExtendedF64 { mantissa: 0.0, exponent: 0 };
    const NODES_PER_PAIR: u64 = 8;

    fn whole(number: u64) -> ExtendedF64 {
        ExtendedF64::normal(number as f64, 0)
    }

    fn plus(self, other: ExtendedF64) -> ExtendedF64 {
        let (large, small) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        if small.is_zero() {
            return large;
        }
        let apart = large.exponent - small.exponent;
        if large.is_zero() || apart > ExtendedF64::BITS {
            return if large.is_zero() { small } else { large };
        }
        ExtendedF64::normal(large.mantissa + small.mantissa * power_of_two(-apart), large.exponent)
    }

    fn times(self, other: ExtendedF64) -> ExtendedF64 {
        ExtendedF64::normal(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }

    fn bell(ln: f64) -> ExtendedF64 {
        let exponent = (ln * std::f64::consts::LOG2_E).floor();
        ExtendedF64::normal(exp(ln - exponent * std::f64::consts::LN_2), exponent as i64)
    }

    fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    fn is_sound(self) -> bool {
        true
    }

    fn share_of(self, whole: ExtendedF64) -> f64 {
        let apart = (whole.exponent - self.exponent).clamp(-1000, 1000);
        self.mantissa / whole.mantissa * power_of_two(-apart)
    }

    fn wide(self) -> ExtendedF64 {
        self
    }

    fn binomials(cells: usize, first: usize, last: usize, out: &mut Vec<ExtendedF64>) -> bool {
        let one = ExtendedF64::whole(1);
        let scale = |weight: ExtendedF64, ratio| weight.times(ExtendedF64::normal(ratio, 0));
        scaled_binomials(cells, (first, last), out, (ExtendedF64::ZERO, one), scale);
        true
    }

    fn powers(base: f64, len: usize, out: &mut Vec<ExtendedF64>) -> bool {
        out.clear();
        let base = ExtendedF64::normal(base, 0);
        let next = |power: &ExtendedF64| Some(power.times(base));
        out.extend(std::iter::successors(Some(ExtendedF64::whole(1)), next).take(len));
        true
    }
}

/// A whole number of layouts, or `None` past 2^128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exact(pub Option<u128>);

impl Weight for Exact {
    const ZERO: Exact = Exact(Some(0));
    const NODES_PER_PAIR: u64 = 1;

    fn whole(number: u64) -> Exact {
        Exact(Some(number.into()))
    }

    fn plus(self, other: Exact) -> Exact {
        Exact(self.0.zip(other.0).and_then(|(a, b)| a.checked_add(b)))
    }

    fn times(self, other: Exact) -> Exact {
        if self.is_zero() || other.is_zero() {
            return Exact::ZERO;
        }
        Exact(self.0.zip(other.0).and_then(|(a, b)| a.checked_mul(b)))
    }

    fn bell(_: f64) -> Exact {
        Exact(None)
    }

    fn is_zero(self) -> bool {
        self.0 == Some(0)
    }

    fn is_sound(self) -> bool {
        self.0.is_some()
    }

    fn share_of(self, whole: Exact) -> f64 {
        match (self.0, whole.0) {
            (Some(part), Some(whole)) => part as f64 / whole as f64,
            _ => f64::NAN,
        }
    }

    fn wide(self) -> ExtendedF64 {
        ExtendedF64::from_f64(self.0.unwrap_or(0) as f64)
    }

    fn binomials(cells: usize, first: usize, last: usize, out: &mut Vec<Exact>) -> bool {
        out.clear();
        let mut value = Some(1_u128);
        for k in 0..=last {
            if k >= first {
                out.push(if k > cells { Exact::ZERO } else { Exact(value) });
            }
            if k < cells {
                let next = |value: u128| value.checked_mul((cells - k) as u128);
                value = value.and_then(next).map(|value| value / (k as u128 + 1));
            }
        }
        out.iter().all(|weight| weight.is_sound())
    }

    fn powers(_: f64, _: usize, _: &mut Vec<Exact>) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_agree_in_all_types() {
        let mut factorials = Factorials::default();
        for cells in 0..60_usize {
            for (first, last) in [(0, cells), (cells / 3, cells / 2), (1, 5), (cells, cells + 3)] {
                if last < first {
                    continue;
                }
                let (mut plain, mut wide, mut exact) = (Vec::new(), Vec::new(), Vec::new());
                assert!(<f64 as Weight>::binomials(cells, first, last, &mut plain));
                assert!(ExtendedF64::binomials(cells, first, last, &mut wide));
                assert!(Exact::binomials(cells, first, last, &mut exact));
                let factor = factorials.scaled_by(cells, first, last);
                let total = exact.iter().fold(Exact::ZERO, |sum, part| sum.plus(*part));
                let plain_total: f64 = plain.iter().sum();
                let wide_total = wide.iter().fold(ExtendedF64::ZERO, |sum, part| sum.plus(*part));
                for (k, part) in exact.iter().enumerate() {
                    assert_eq!(part.is_zero(), plain[k].is_zero());
                    assert_eq!(part.is_zero(), wide[k].is_zero());
                    if !total.is_zero() {
                        let share = part.share_of(total);
                        assert!((plain[k].share_of(plain_total) - share).abs() < 1e-13);
                        assert!((wide[k].share_of(wide_total) - share).abs() < 1e-13);
                        for scaled in [plain[k].wide(), wide[k]] {
                            let ratio = scaled.times(factor).share_of(part.wide());
                            assert!(part.is_zero() || (ratio - 1.0).abs() < 1e-13);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_plain_float_refuses_what_it_cannot_hold() {
        let mut out = Vec::new();
        assert!(!<f64 as Weight>::binomials(40_000, 0, 20_000, &mut out));
        let mut out = Vec::new();
        assert!(ExtendedF64::binomials(40_000, 0, 20_000, &mut out));
        assert!(out.iter().all(|weight| !weight.is_zero()));
        let ratio = out[1].share_of(out[2]);
        assert!((ratio - 2.0 / 39_999.0).abs() < 1e-16);
    }

    #[test]
    fn wide_numbers_add_and_multiply_as_floats_do() {
        let values = [0_u64, 1, 2, 3, 7, 1000, 123_456_789];
        for a in values {
            for b in values {
                let (x, y) = (ExtendedF64::whole(a), ExtendedF64::whole(b));
                let one = ExtendedF64::whole(1);
                assert_eq!(x.plus(y).share_of(one), (a + b) as f64);
                assert_eq!(x.times(y).share_of(one), (a * b) as f64);
            }
        }
        // Far beyond an f64 and back, and a sum with a part that leaves no trace.
        let huge = (0..400)
            .fold(ExtendedF64::whole(1), |product, _| product.times(ExtendedF64::whole(1000)));
        assert!((huge.share_of(huge.times(ExtendedF64::whole(4))) - 0.25).abs() < 1e-15);
        assert_eq!(huge.plus(ExtendedF64::whole(1)), huge);
        assert_eq!(ExtendedF64::whole(1).plus(huge), huge);
        assert!(!ExtendedF64::whole(1).share_of(huge).is_nan());
    }

    #[test]
    fn small_binomials_are_pascals() {
        for n in 1..30 {
            for k in 1..n {
                assert_eq!(
                    small_binomial(n, k),
                    small_binomial(n - 1, k - 1) + small_binomial(n - 1, k)
                );
            }
            assert_eq!((small_binomial(n, 0), small_binomial(n, n)), (1, 1));
        }
    }
}
