//! Deserializers that treat a value of the wrong type as absent.
//!
//! [`Integer`] and [`Seconds`] read numbers, [`Record`] reads an object with known keys, and
//! [`Fold`] reads a list item by item. [`crate::protocol::input`] says which keys there are.
//!
//! Invariant: a deserializer consumes the whole value, so that the values after it are read. Only
//! text that is not JSON is an error.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::base::text::format_saturated;

/// An integer that is written as a number, as a float without a fraction, or as a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Integer {
    /// There is no value, or it is null.
    #[default]
    Absent,
    /// The integer, saturated to 64 bits.
    Value(i64),
    /// Something else, described for a message.
    Invalid(&'static str),
}

impl From<u64> for Integer {
    fn from(value: u64) -> Integer {
        Integer::Value(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl Integer {
    /// The integer, if there is one.
    pub fn value(self) -> Option<i64> {
        if let Integer::Value(value) = self { Some(value) } else { None }
    }
}

/// An optional 32-bit integer in four bytes, because a history may have millions of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompactInteger(i32);

impl CompactInteger {
    /// Represents `None`; no row, column or value of a field equals it.
    const NONE: i32 = i32::MIN;

    /// The integer, if there is one.
    pub fn get(self) -> Option<i64> {
        Some(self.0).filter(|&number| number != CompactInteger::NONE).map(i64::from)
    }
}

impl Default for CompactInteger {
    fn default() -> CompactInteger {
        CompactInteger(CompactInteger::NONE)
    }
}

/// `None` if there is no integer or it does not fit.
impl From<Integer> for CompactInteger {
    fn from(integer: Integer) -> CompactInteger {
        let small = integer.value().and_then(|value| i32::try_from(value).ok());
        CompactInteger(small.unwrap_or(CompactInteger::NONE))
    }
}

/// A time in seconds, written as a number or as a string of one. Anything else is absent.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Seconds(pub Option<f64>);

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Absent => write!(f, "nothing"),
            Integer::Value(value) => f.write_str(&format_saturated(*value)),
            Integer::Invalid(what) => write!(f, "{what}"),
        }
    }
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Integer, D::Error> {
        Ok(match Number::deserialize(deserializer)? {
            // Beyond 2^53 a float is not exact. No row, size or count is that large, so that the
            // nearest integer is refused as too large rather than as absent.
            Number::Value(number) if number.fract() == 0.0 => Integer::Value(number as i64),
            Number::Value(_) => Integer::Invalid("a fraction"),
            Number::Absent => Integer::Absent,
            Number::Invalid(what) => Integer::Invalid(what),
        })
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seconds, D::Error> {
        Ok(match Number::deserialize(deserializer)? {
            Number::Value(number) => Seconds(Some(number)),
            Number::Absent | Number::Invalid(_) => Seconds(None),
        })
    }
}

/// A number, or the description of another value.
enum Number {
    Absent,
    /// A finite number.
    Value(f64),
    Invalid(&'static str),
}

impl Number {
    /// The number that a string holds, in JSON's notation, which excludes `inf` and `nan`. A number
    /// beyond the range of `f64` is clamped to it.
    fn from_text(text: &str) -> Number {
        let text = text.trim();
        let is_number_char = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let number = text.parse::<f64>().ok().filter(|_| text.chars().all(is_number_char));
        match number {
            Some(number) => Number::Value(number.clamp(f64::MIN, f64::MAX)),
            None => Number::Invalid("a text that is no number"),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        struct NumberVisitor;
        impl<'de> Visitor<'de> for NumberVisitor {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a number")
            }
            fn visit_i64<E>(self, number: i64) -> Result<Number, E> {
                Ok(Number::Value(number as f64))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Number, E> {
                Ok(Number::Value(number as f64))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Number, E> {
                Ok(Number::Value(number))
            }
            fn visit_str<E>(self, text: &str) -> Result<Number, E> {
                Ok(Number::from_text(text))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Number, E> {
                Ok(Number::Invalid("a boolean"))
            }
            fn visit_unit<E>(self) -> Result<Number, E> {
                Ok(Number::Absent)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Number, A::Error> {
                skip_items(items).map(|()| Number::Invalid("a list"))
            }
            fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Number, A::Error> {
                skip_entries(entries).map(|()| Number::Invalid("an object"))
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

/// A value that is read from the entries of a JSON object, of which the last of duplicates counts.
pub trait Record: Default {
    /// The known keys, and one variant for all others.
    type Key: for<'de> Deserialize<'de>;
    /// Reads the value of `key` from `map`.
    ///
    /// # Errors
    /// The text is not JSON.
    fn read<'de, A: MapAccess<'de>>(&mut self, key: Self::Key, map: &mut A)
    -> Result<(), A::Error>;
}

/// Reads a record from an object; any other value gives the default.
///
/// # Errors
/// The text is not JSON.
pub fn record<'de, T: Record, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(RecordVisitor(PhantomData))
}

struct RecordVisitor<T>(PhantomData<T>);

impl<'de, T: Record> Visitor<'de> for RecordVisitor<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut record = T::default();
        while let Some(key) = map.next_key::<T::Key>()? {
            record.read(key, &mut map)?;
        }
        Ok(record)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T, A::Error> {
        skip_items(items).map(|()| T::default())
    }
    fn visit_i64<E>(self, _: i64) -> Result<T, E> {
        Ok(T::default())
    }
    fn visit_u64<E>(self, _: u64) -> Result<T, E> {
        Ok(T::default())
    }
    fn visit_f64<E>(self, _: f64) -> Result<T, E> {
        Ok(T::default())
    }
    fn visit_str<E>(self, _: &str) -> Result<T, E> {
        Ok(T::default())
    }
    fn visit_bool<E>(self, _: bool) -> Result<T, E> {
        Ok(T::default())
    }
    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }
}

/// A value that is built from the items of a list, one by one.
pub trait Fold: Default {
    /// The type of the items.
    type Item: for<'de> Deserialize<'de>;
    /// Adds the next item.
    fn take(&mut self, item: Self::Item);
    /// The result for a value that is no list; `is_empty` for null and the empty string.
    fn from_other(is_empty: bool) -> Self;
}

/// Reads a fold from a list; any other value gives [`Fold::from_other`].
///
/// # Errors
/// The text is not JSON.
pub fn fold<'de, T: Fold, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(FoldVisitor(PhantomData))
}

struct FoldVisitor<T>(PhantomData<T>);

impl<'de, T: Fold> Visitor<'de> for FoldVisitor<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<T, A::Error> {
        let mut folded = T::default();
        while let Some(item) = items.next_element()? {
            folded.take(item);
        }
        Ok(folded)
    }
    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<T, A::Error> {
        skip_entries(entries).map(|()| T::from_other(false))
    }
    fn visit_i64<E>(self, _: i64) -> Result<T, E> {
        Ok(T::from_other(false))
    }
    fn visit_u64<E>(self, _: u64) -> Result<T, E> {
        Ok(T::from_other(false))
    }
    fn visit_f64<E>(self, _: f64) -> Result<T, E> {
        Ok(T::from_other(false))
    }
    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::from_other(text.is_empty()))
    }
    fn visit_bool<E>(self, _: bool) -> Result<T, E> {
        Ok(T::from_other(false))
    }
    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::from_other(true))
    }
}

fn skip_items<'de, A: SeqAccess<'de>>(mut items: A) -> Result<(), A::Error> {
    while items.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

fn skip_entries<'de, A: MapAccess<'de>>(mut entries: A) -> Result<(), A::Error> {
    while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}
