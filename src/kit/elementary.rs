//! Exponential and logarithm with the same bits on every machine.
//!
//! `f64::exp` and `f64::ln` come from the C library or the compilation target, and their last bits
//! differ from one to the next; a last bit can decide between two cells. The functions here use
//! only sums, products and quotients, which IEEE 754 rounds correctly. A lint forbids the others in
//! the whole crate (`.clippy.toml`).
//!
//! Invariant: the relative error is at most 1e-15. The tests check it against
//! series in 128-bit fixed-point arithmetic.
//!
//! Cost: slower than the C library, so hot loops do not use them. Where counts must be scaled,
//! [`crate::probability::weight::ExtendedF64`] is faster and more precise.
//!
//! Source: argument reduction by powers of two, then the Taylor series of e^x, and the series of
//! the inverse hyperbolic tangent for the logarithm.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// ln 2 as a sum: its first 21 bits, whose product with an exponent is exact, and the remainder.
const LN_2_HIGH: f64 = f64::from_bits(LN_2.to_bits() & !0xffff_ffff);
const LN_2_LOW: f64 = 4.749_325_039_031_672_6e-7;

/// e^`x`; 0 for `x` below -708, and infinity for `x` above 709.
pub fn exp(x: f64) -> f64 {
    const TERMS: u32 = 14;
    if x < -708.0 {
        return 0.0;
    }
    if x > 709.0 {
        return f64::INFINITY;
    }
    let exponent = (x * LOG2_E + 0.5).floor();
    let remainder = (x - exponent * LN_2_HIGH) - exponent * LN_2_LOW;
    let series = (1..TERMS).rev().fold(1.0, |sum, term| 1.0 + remainder * sum / f64::from(term));
    series * power_of_two(exponent as i64)
}

/// The natural logarithm of a positive, finite, normal `x`.
pub fn ln(x: f64) -> f64 {
    const TERMS: u32 = 12;
    let (mut mantissa, mut exponent) = split(x);
    if mantissa > SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // ln((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + s^5 / 5 + ...)
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let odd = |term: u32| f64::from(2 * term + 1).recip();
    let series = (0..TERMS).rev().fold(0.0, |sum, term| odd(term) + square * sum);
    let exponent = exponent as f64;
    exponent * LN_2_HIGH + (exponent * LN_2_LOW + 2.0 * s * series)
}

/// `base` to an integer power, by repeated multiplication: the precision of `f64::powi` is
/// unspecified.
pub fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

/// 2^`exponent`, exactly, for exponents from -1022 to 1023.
pub const fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The mantissa in `1.0..2.0` and the exponent of a positive, finite, normal `x`, whose product
/// mantissa * 2^exponent is `x`.
pub fn split(x: f64) -> (f64, i64) {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    (f64::from_bits((bits & !(0x7ff << 52)) | (1023 << 52)), exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_RELATIVE_ERROR: f64 = 1e-15;

    /// A fixed-point number with 100 fractional bits.
    type Fixed = i128;
    const PLACES: i64 = 100;
    const ONE: Fixed = 1 << PLACES;
    const LN_2_FIXED: Fixed = 878_668_439_483_319_573_618_263_538_048;

    /// The product of two numbers below 8, rounded down.
    fn product(a: Fixed, b: Fixed) -> Fixed {
        const HALF: i64 = PLACES / 2;
        let low = |x: Fixed| x & ((1 << HALF) - 1);
        let (a, a_low, b, b_low) = (a >> HALF, low(a), b >> HALF, low(b));
        a * b + ((a * b_low + a_low * b + ((a_low * b_low) >> HALF)) >> HALF)
    }

    fn fixed(x: f64) -> Fixed {
        if x == 0.0 {
            return 0;
        }
        let (mantissa, exponent) = split(x.abs());
        let (bits, shift) = ((mantissa * power_of_two(52)) as i128, PLACES - 52 + exponent);
        let size = if shift >= 0 { bits << shift } else { bits >> shift.unsigned_abs().min(127) };
        if x < 0.0 { -size } else { size }
    }

    /// e^x as a mantissa from 0.7 to 1.42 and an exponent of two.
    fn exp_fixed(x: Fixed) -> (Fixed, i64) {
        let exponent = (x + LN_2_FIXED / 2).div_euclid(LN_2_FIXED);
        let remainder = x - exponent * LN_2_FIXED;
        let (mut term, mut sum) = (ONE, ONE);
        for k in 1..40 {
            term = product(term, remainder) / k;
            sum += term;
        }
        (sum, exponent as i64)
    }

    /// The relative difference of `x` to e^`power`.
    fn excess_over_exp(x: f64, power: f64) -> f64 {
        let (reference, exponent) = exp_fixed(fixed(power));
        // In two steps, because the whole power of two may overflow.
        let x = x * power_of_two(-exponent / 2) * power_of_two(-exponent - -exponent / 2);
        (fixed(x) - reference) as f64 / reference as f64
    }

    #[test]
    fn exponentials_are_those_of_the_series() {
        let mut random = fastrand::Rng::with_seed(5);
        for round in 0..20_000 {
            let range = [1.0, 1e-3, 30.0, 700.0][round % 4];
            let x = (random.f64() * 2.0 - 1.0) * range;
            let error = excess_over_exp(exp(x), x);
            assert!(error.abs() <= MAX_RELATIVE_ERROR, "{x}: {error}");
        }
        assert_eq!((exp(0.0), exp(-1e9), exp(1e9)), (1.0, 0.0, f64::INFINITY));
    }

    #[test]
    fn logarithms_undo_the_series() {
        let mut random = fastrand::Rng::with_seed(6);
        for round in 0..20_000 {
            let x = match round % 4 {
                0 => 1.0 + random.f64() * 1e-3,
                1 => 0.5 + random.f64(),
                2 => random.f64() * 1e6 + f64::MIN_POSITIVE,
                _ => f64::from_bits(random.u64(1 << 52..0x7fe << 52)),
            };
            let ln = ln(x);
            let error = excess_over_exp(x, ln);
            // An absolute error of the logarithm is a relative error of the exponential.
            assert!(error.abs() <= MAX_RELATIVE_ERROR * ln.abs(), "{x}: {error}");
        }
        assert_eq!(ln(1.0), 0.0);
    }

    #[test]
    fn powers_are_products() {
        assert_eq!((power(3.0, 0), power(3.0, 1), power(-3.0, 3)), (1.0, 3.0, -27.0));
        for exponent in -1022..=1023 {
            assert_eq!(split(power_of_two(exponent)), (1.0, exponent));
        }
        assert_eq!(split(10.0), (1.25, 3));
    }
}
