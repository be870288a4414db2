//! The value of a number of any length, in constant memory.
//!
//! The value does not depend on the number of zeros: `1` with a million zeros and the exponent
//! -1000000 is 1. Only the first digits that are not leading zeros are stored, with the power of
//! ten beside them; a final 1 replaces all further digits that are not 0.
//!
//! Invariant: the short form rounds to the same `f64` as the whole number, because no midpoint of
//! two adjacent `f64` has more digits than are stored.

use arrayvec::ArrayVec;

/// The maximum number of digits that are stored. The longest midpoint of two adjacent `f64` has
/// 768.
const MAX_DIGITS: usize = 800;

/// Larger powers of ten, which overflow or round to 0, are clamped to this one.
const MAX_POWER: i64 = 99_999;

/// The part of a number that was read last, by JSON's grammar.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    #[default]
    Start,
    AfterMinus,
    /// A first zero, which no digit may follow.
    Zero,
    Whole,
    AfterPoint,
    Fraction,
    AfterE,
    AfterSign,
    Exponent,
    /// The bytes are no number.
    Invalid,
}

/// A number of which the first bytes were read; the default is the number without any.
#[derive(Default)]
pub struct LongNumber {
    part: Part,
    negative: bool,
    digits: ArrayVec<u8, MAX_DIGITS>,
    /// Whether a digit that is not stored is not 0.
    has_more: bool,
    /// The number without its exponent is the stored digits, as an integer, times ten to this
    /// power.
    power: i64,
    exponent: i64,
    exponent_is_negative: bool,
}

impl LongNumber {
    /// Adds the next byte.
    pub fn push(&mut self, byte: u8) {
        self.part = match (self.part, byte) {
            (Part::Start, b'-') => {
                self.negative = true;
                Part::AfterMinus
            }
            (Part::Start | Part::AfterMinus, b'0') => Part::Zero,
            (Part::Start | Part::AfterMinus | Part::Whole, b'0'..=b'9') => {
                self.push_digit(byte, 0);
                Part::Whole
            }
            (Part::Zero | Part::Whole, b'.') => Part::AfterPoint,
            (Part::AfterPoint | Part::Fraction, b'0'..=b'9') => {
                self.push_digit(byte, 1);
                Part::Fraction
            }
            (Part::Zero | Part::Whole | Part::Fraction, b'e' | b'E') => Part::AfterE,
            (Part::AfterE, b'+' | b'-') => {
                self.exponent_is_negative = byte == b'-';
                Part::AfterSign
            }
            (Part::AfterE | Part::AfterSign | Part::Exponent, b'0'..=b'9') => {
                let digit = i64::from(byte - b'0');
                self.exponent = self.exponent.saturating_mul(10).saturating_add(digit);
                Part::Exponent
            }
            _ => Part::Invalid,
        };
    }

    /// Adds a digit; `fraction_digits` is 1 for a digit after the decimal point, and 0 before it.
    fn push_digit(&mut self, digit: u8, fraction_digits: i64) {
        let is_leading_zero = self.digits.is_empty() && digit == b'0';
        if is_leading_zero || self.digits.try_push(digit).is_ok() {
            self.power -= fraction_digits;
        } else {
            self.has_more |= digit != b'0';
            self.power += 1 - fraction_digits;
        }
    }

    /// The short form in JSON's notation; `None` if the bytes are no number.
    pub fn short(&self) -> Option<String> {
        if !matches!(self.part, Part::Zero | Part::Whole | Part::Fraction | Part::Exponent) {
            return None;
        }
        let mut short = String::with_capacity(MAX_DIGITS + 16);
        short.extend(self.negative.then_some('-'));
        if self.digits.is_empty() {
            short.push('0');
            return Some(short);
        }
        short.extend(self.digits.iter().map(|&digit| char::from(digit)));
        let mut power = self.power;
        if self.has_more {
            short.push('1');
            power -= 1;
        }
        let exponent = if self.exponent_is_negative { -self.exponent } else { self.exponent };
        let power = power.saturating_add(exponent).clamp(-MAX_POWER, MAX_POWER);
        Some(format!("{short}e{power}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> Option<String> {
        let mut number = LongNumber::default();
        text.bytes().for_each(|byte| number.push(byte));
        number.short()
    }

    #[test]
    fn zeros_are_not_stored() {
        let zeros = "0".repeat(100_000);
        for (text, expected) in [
            (format!("1{zeros}e-100000"), "1"),
            (format!("-1{zeros}.{zeros}E-100001"), "-0.1"),
            (format!("0.{zeros}25e+100002"), "25"),
            (format!("0.{zeros}e5"), "0"),
            (format!("3e{zeros}2"), "300"),
            (format!("3.{zeros}"), "3"),
            (format!("7e-{}", "9".repeat(1000)), "0"),
        ] {
            let short = short(&text).unwrap();
            assert!(short.len() < MAX_DIGITS + 20);
            assert_eq!(short.parse::<f64>().unwrap(), expected.parse::<f64>().unwrap(), "{short}");
        }
        assert!(short(&format!("7e{}", "9".repeat(1000))).unwrap().parse::<f64>().unwrap() > 1e300);
        assert_eq!(short(&format!("-0.{zeros}")).unwrap(), "-0");
    }

    #[test]
    fn the_short_form_has_the_value_of_the_number() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut digits = |most: usize| -> String {
            let kinds = ["0", "9", "0123456789"];
            let kind = kinds[random.usize(0..3)].as_bytes();
            let len = random.usize(1..=most);
            (0..len).map(|_| char::from(kind[random.usize(0..kind.len())])).collect()
        };
        for round in 0..3_000 {
            let most = if round % 3 == 0 { 2_000 } else { 40 };
            let mut text = format!("1{}", digits(most));
            if round % 2 == 0 {
                text = format!("{text}.{}", digits(most));
            }
            if round % 5 > 0 {
                text = format!("{text}e-{}", text.len() + round % 7);
            }
            let short = short(&text).unwrap();
            assert_eq!(short.parse::<f64>().unwrap(), text.parse::<f64>().unwrap(), "{text}");
        }
        // Just above a midpoint: the digit that decides comes late.
        let half = format!("9007199254740993{}1e-1000", "0".repeat(999));
        assert_eq!(short(&half).unwrap().parse::<f64>().unwrap(), 9_007_199_254_740_994.0);
    }

    #[test]
    fn what_is_no_number_has_no_short_form() {
        for text in [
            "", "-", "01", "-01", "1.", ".1", "1.e1", "1e", "1e+", "1-1", "1.1.1", "1e1.1", "--1",
            "+1",
        ] {
            assert_eq!(short(text), None, "{text}");
        }
        for text in ["0", "-0", "10", "0.0", "1e5", "1E+05", "0e-0"] {
            assert!(short(text).is_some(), "{text}");
        }
    }
}
