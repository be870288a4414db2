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

/// An integer that may have come as a number, as a float without fraction, or as a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Integer(pub Option<i64>);

impl Integer {
    /// The same, where it fits into 32 bits.
    pub fn small(self) -> Option<i32> {
        self.0.and_then(|value| i32::try_from(value).ok())
    }
}

/// A limit in its unit; a number or a string that holds one. Anything else is absent.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limit(pub Option<f64>);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Integer, D::Error> {
        let number = Limit::deserialize(deserializer)?.0;
        // Beyond 2^53 a float is no longer one integer, and no row, size or count is that large:
        // it is kept as large as it is, so that it is refused as too large and not as absent.
        Ok(Integer(number.filter(|number| number.fract() == 0.0).map(|number| number as i64)))
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Limit, D::Error> {
        struct NumberVisitor;
        impl<'de> Visitor<'de> for NumberVisitor {
            type Value = Limit;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a number")
            }
            fn visit_i64<E>(self, number: i64) -> Result<Limit, E> {
                Ok(Limit(Some(number as f64)))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Limit, E> {
                Ok(Limit(Some(number as f64)))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Limit, E> {
                Ok(Limit(Some(number)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Limit, E> {
                Ok(Limit(text.trim().parse().ok().filter(|number: &f64| number.is_finite())))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Limit, E> {
                Ok(Limit(None))
            }
            fn visit_unit<E>(self) -> Result<Limit, E> {
                Ok(Limit(None))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Limit, A::Error> {
                skip_items(items).map(|()| Limit(None))
            }
            fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Limit, A::Error> {
                skip_entries(entries).map(|()| Limit(None))
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
