//! JSON values read for what they are worth, whatever their kind.
//!
//! A value of the wrong kind is no error here but an absent one. Three readers do that: [`Integer`] and [`Limit`]
//! for numbers, [`Record`] for objects with known keys, [`Fold`] for lists. What a key means is said by
//! [`crate::protocol`].
//!
//! Invariant: a reader consumes the whole value, so that the values after it are read all the same. Only
//! text that is no JSON is an error.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::base::text::nearest;

/// An integer that may have come as a number, as a float without fraction, or as a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Integer {
    /// Not there, or null.
    #[default]
    Absent,
    /// This integer, or the nearest of 64 bits.
    Is(i64),
    /// Something else, in the words of a message.
    Other(&'static str),
}

impl From<u64> for Integer {
    fn from(value: u64) -> Integer {
        Integer::Is(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl Integer {
    /// The integer, where it is one.
    pub fn value(self) -> Option<i64> {
        if let Integer::Is(value) = self { Some(value) } else { None }
    }
}

/// An integer of 32 bits, or none, in four bytes: a history may hold a million of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Small(i32);

impl Small {
    /// Stands for none; no row, column or value is this.
    const NONE: i32 = i32::MIN;

    /// The integer, where there is one.
    pub fn get(self) -> Option<i64> {
        Some(self.0).filter(|&number| number != Small::NONE).map(i64::from)
    }
}

impl Default for Small {
    fn default() -> Small {
        Small(Small::NONE)
    }
}

/// None where it does not fit.
impl From<Integer> for Small {
    fn from(integer: Integer) -> Small {
        let small = integer.value().and_then(|value| i32::try_from(value).ok());
        Small(small.unwrap_or(Small::NONE))
    }
}

/// A limit in its unit; a number or a string that holds one. Anything else is absent.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limit(pub Option<f64>);

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Absent => write!(f, "nothing"),
            Integer::Is(value) => f.write_str(&nearest(*value)),
            Integer::Other(what) => write!(f, "{what}"),
        }
    }
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Integer, D::Error> {
        Ok(match Number::deserialize(deserializer)? {
            // Beyond 2^53 a float is no longer one integer, and no row, size or count is that large:
            // it is kept as large as it is, so that it is refused as too large and not as absent.
            Number::Is(number) if number.fract() == 0.0 => Integer::Is(number as i64),
            Number::Is(_) => Integer::Other("a fraction"),
            Number::Absent => Integer::Absent,
            Number::Other(what) => Integer::Other(what),
        })
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Limit, D::Error> {
        Ok(match Number::deserialize(deserializer)? {
            Number::Is(number) => Limit(Some(number)),
            Number::Absent | Number::Other(_) => Limit(None),
        })
    }
}

/// A number, or what stands in its place.
enum Number {
    Absent,
    /// Always finite.
    Is(f64),
    Other(&'static str),
}

impl Number {
    /// A number written in a string: as JSON writes it, not `inf` or `nan`. One that no `f64` can hold is huge,
    /// as it is outside of a string.
    fn from_text(text: &str) -> Number {
        let text = text.trim();
        let is_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let number = text.parse::<f64>().ok().filter(|_| text.chars().all(is_number));
        match number {
            Some(number) => Number::Is(number.clamp(f64::MIN, f64::MAX)),
            None => Number::Other("a text that is no number"),
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
                Ok(Number::Is(number as f64))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Number, E> {
                Ok(Number::Is(number as f64))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Number, E> {
                Ok(Number::Is(number))
            }
            fn visit_str<E>(self, text: &str) -> Result<Number, E> {
                Ok(Number::from_text(text))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Number, E> {
                Ok(Number::Other("a boolean"))
            }
            fn visit_unit<E>(self) -> Result<Number, E> {
                Ok(Number::Absent)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Number, A::Error> {
                skip_items(items).map(|()| Number::Other("a list"))
            }
            fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Number, A::Error> {
                skip_entries(entries).map(|()| Number::Other("an object"))
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

/// A JSON object whose keys are read one by one, the last of duplicates counting.
pub trait Record: Default {
    /// The keys it knows, and one for all others.
    type Key: for<'de> Deserialize<'de>;
    /// Reads the value of one key.
    ///
    /// # Errors
    /// Text that is no JSON.
    fn read<'de, A: MapAccess<'de>>(&mut self, key: Self::Key, map: &mut A)
    -> Result<(), A::Error>;
}

/// Reads a record from an object, and the empty record from anything else.
///
/// # Errors
/// Text that is no JSON.
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

/// Something that is built from the items of a list, one by one.
pub trait Fold: Default {
    /// What the list holds.
    type Item: for<'de> Deserialize<'de>;
    /// Takes the next item.
    fn take(&mut self, item: Self::Item);
    /// What a value is that is no list; `empty` for null and the empty string.
    fn no_list(empty: bool) -> Self;
}

/// Reads a fold from a list, and what it is without one from anything else.
///
/// # Errors
/// Text that is no JSON.
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
        skip_entries(entries).map(|()| T::no_list(false))
    }
    fn visit_i64<E>(self, _: i64) -> Result<T, E> {
        Ok(T::no_list(false))
    }
    fn visit_u64<E>(self, _: u64) -> Result<T, E> {
        Ok(T::no_list(false))
    }
    fn visit_f64<E>(self, _: f64) -> Result<T, E> {
        Ok(T::no_list(false))
    }
    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::no_list(text.is_empty()))
    }
    fn visit_bool<E>(self, _: bool) -> Result<T, E> {
        Ok(T::no_list(false))
    }
    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::no_list(true))
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
