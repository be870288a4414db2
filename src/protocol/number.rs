//! The numbers of a request: an error names the key whose value is no number of its kind.
//!
//! Cost: that of the numbers themselves. The key is text that only an error writes.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// Reads `height`, `width` or `minecount`, a whole number from 0; null is none.
fn count<'de, D: Deserializer<'de>>(
    key: &'static str,
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    struct Count(&'static str);
    impl<'de> Visitor<'de> for Count {
        type Value = Option<u64>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a whole number from 0 as \"{}\"", self.0)
        }
        fn visit_none<E>(self) -> Result<Option<u64>, E> {
            Ok(None)
        }
        fn visit_some<D: Deserializer<'de>>(self, number: D) -> Result<Option<u64>, D::Error> {
            number.deserialize_u64(self)
        }
        fn visit_u64<E>(self, number: u64) -> Result<Option<u64>, E> {
            Ok(Some(number))
        }
        fn visit_f64<E: Error>(self, number: f64) -> Result<Option<u64>, E> {
            let refused = || E::invalid_value(Unexpected::Float(number), &self);
            is_minus_zero(number).then_some(Some(0)).ok_or_else(refused)
        }
        fn visit_i64<E: Error>(self, number: i64) -> Result<Option<u64>, E> {
            let count = number.try_into();
            let refused = |_| E::invalid_value(Unexpected::Signed(number), &self);
            count.map(Some).map_err(refused)
        }
    }
    deserializer.deserialize_option(Count(key))
}

/// JSON's `-0`, the only integer that serde_json reads as a float. So is `-0.0` then.
fn is_minus_zero(number: f64) -> bool {
    number == 0.0 && number.is_sign_negative()
}

/// Reads `row`, `col` or `val`, an integer. Beyond 32 bits it counts as the nearest of 32 bits,
/// which is no row, column or value either.
fn integer<'de, D: Deserializer<'de>>(key: &'static str, deserializer: D) -> Result<i32, D::Error> {
    struct Integer(&'static str);
    impl Visitor<'_> for Integer {
        type Value = i32;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "an integer as \"{}\"", self.0)
        }
        fn visit_f64<E: Error>(self, number: f64) -> Result<i32, E> {
            let refused = || E::invalid_value(Unexpected::Float(number), &self);
            is_minus_zero(number).then_some(0).ok_or_else(refused)
        }
        fn visit_i64<E>(self, number: i64) -> Result<i32, E> {
            Ok(number.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
        }
        fn visit_u64<E>(self, number: u64) -> Result<i32, E> {
            Ok(number.min(i32::MAX as u64) as i32)
        }
    }
    deserializer.deserialize_i32(Integer(key))
}

/// Reads `height`.
pub fn height<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    count("height", deserializer)
}

/// Reads `width`.
pub fn width<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    count("width", deserializer)
}

/// Reads `minecount`.
pub fn minecount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    count("minecount", deserializer)
}

/// Reads `row`.
pub fn row<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
    integer("row", deserializer)
}

/// Reads `col`.
pub fn column<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
    integer("col", deserializer)
}

/// Reads `val`.
pub fn value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
    integer("val", deserializer)
}
