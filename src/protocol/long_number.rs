//! A number of any length, folded into a short one digit by digit.
//!
//! What a number is worth does not depend on how many zeros it is written with: `1` with a million zeros and the
//! exponent -1000000 is 1. Here only the first digits that are not leading zeros are kept, with a 1 after them for
//! whatever else follows, and the power of ten beside them.
//!
//! Invariant: memory does not grow with the number; what is kept rounds to the `f64` that the whole rounds to, because
//! no boundary between two of them has more digits than are kept.

use arrayvec::ArrayVec;

/// The most digits that are kept. The longest number half way between two `f64` has 768.
const KEPT: usize = 800;

/// A power of ten beyond which every number is too large, or 0: it is kept no larger.
const LARGEST_POWER: i64 = 99_999;

/// Where in a number the next byte is, by JSON's grammar.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    #[default]
    Start,
    AfterMinus,
    /// After a first zero, which no digit may follow.
    Zero,
    Whole,
    AfterPoint,
    Fraction,
    AfterE,
    AfterSign,
    Exponent,
    /// No number.
    Wrong,
}

/// What is known of a number so far; by default, before its first byte.
#[derive(Default)]
pub struct LongNumber {
    part: Part,
    negative: bool,
    digits: ArrayVec<u8, KEPT>,
    /// Whether a digit that is not kept is no 0.
    more: bool,
    /// Ten to this times the digits, read as a whole number, is the number without its exponent.
    power: i64,
    exponent: i64,
    exponent_is_negative: bool,
}

impl LongNumber {
    /// Takes the next byte.
    pub fn take(&mut self, byte: u8) {
        self.part = match (self.part, byte) {
            (Part::Start, b'-') => {
                self.negative = true;
                Part::AfterMinus
            }
            (Part::Start | Part::AfterMinus, b'0') => Part::Zero,
            (Part::Start | Part::AfterMinus | Part::Whole, b'0'..=b'9') => {
                self.digit(byte, 0);
                Part::Whole
            }
            (Part::Zero | Part::Whole, b'.') => Part::AfterPoint,
            (Part::AfterPoint | Part::Fraction, b'0'..=b'9') => {
                self.digit(byte, 1);
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
            _ => Part::Wrong,
        };
    }

    /// Takes a digit that is `after` so many places more behind the point than the one before it.
    fn digit(&mut self, digit: u8, after: i64) {
        let leading = self.digits.is_empty() && digit == b'0';
        if leading || self.digits.try_push(digit).is_ok() {
            self.power -= after;
        } else {
            self.more |= digit != b'0';
            self.power += 1 - after;
        }
    }

    /// The number in short, as JSON writes it; `None` where it is none.
    pub fn short(&self) -> Option<String> {
        if !matches!(self.part, Part::Zero | Part::Whole | Part::Fraction | Part::Exponent) {
            return None;
        }
        let mut short = String::with_capacity(KEPT + 16);
        short.extend(self.negative.then_some('-'));
        if self.digits.is_empty() {
            short.push('0');
            return Some(short);
        }
        short.extend(self.digits.iter().map(|&digit| char::from(digit)));
        let mut power = self.power;
        if self.more {
            short.push('1');
            power -= 1;
        }
        let exponent = if self.exponent_is_negative { -self.exponent } else { self.exponent };
        let power = power.saturating_add(exponent).clamp(-LARGEST_POWER, LARGEST_POWER);
        Some(format!("{short}e{power}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> Option<String> {
        let mut number = LongNumber::default();
        text.bytes().for_each(|byte| number.take(byte));
        number.short()
    }

    #[test]
    fn zeros_cost_nothing() {
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
            assert!(short.len() < KEPT + 20);
            assert_eq!(short.parse::<f64>().unwrap(), expected.parse::<f64>().unwrap(), "{short}");
        }
        assert!(short(&format!("7e{}", "9".repeat(1000))).unwrap().parse::<f64>().unwrap() > 1e300);
        assert_eq!(short(&format!("-0.{zeros}")).unwrap(), "-0");
    }

    #[test]
    fn every_number_is_worth_what_it_was() {
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
        // Just above half way between two: the digit that decides comes late.
        let half = format!("9007199254740993{}1e-1000", "0".repeat(999));
        assert_eq!(short(&half).unwrap().parse::<f64>().unwrap(), 9_007_199_254_740_994.0);
    }

    #[test]
    fn what_is_no_number_is_none() {
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
