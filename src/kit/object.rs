//! Structs, and enums without a tag, that JSON states as objects, and as nothing else.
//!
//! A derived `Deserialize` reads a struct from an object, and from an array of its fields' values
//! in their order as well. No program writes that second form, so an array is a mistake, which
//! [`read_from_object`] refuses.
//!
//! Invariant: whatever deserializer reads such a type, an array is an error of one text.
//!
//! Source: the attribute `remote` of serde, which derives a function in place of the trait.

use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

/// Implements `Deserialize` for structs and enums without a tag, from an object only. Each has the
/// derived function of `#[serde(remote = "Self")]`. Before a type that is written too, there is the
/// word `both`.
///
/// ```
/// #[derive(Debug, serde::Deserialize)]
/// #[serde(remote = "Self")]
/// struct Place {
///     row: u8,
/// }
/// sapper::kit::object::read_from_object!(Place);
///
/// assert_eq!(serde_json::from_str::<Place>(r#"{"row":3}"#).unwrap().row, 3);
/// let error = serde_json::from_str::<Place>("[3]").unwrap_err().to_string();
/// assert!(error.starts_with("expected an object, found an array at line 1"));
/// ```
#[macro_export]
macro_rules! read_from_object {
    (both $name:ty) => {
        $crate::kit::object::read_from_object!($name);
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$name>::serialize(self, serializer)
            }
        }
    };
    ($name:ty) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(value: D) -> Result<$name, D::Error> {
                <$name>::deserialize($crate::kit::object::FromObject(value))
            }
        }
    };
}

pub use read_from_object;

/// A deserializer that reads a struct or an enum without a tag from an object only.
pub struct FromObject<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for FromObject<D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct(name, fields, ObjectVisitor(visitor))
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(ObjectVisitor(visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct ObjectVisitor<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for ObjectVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<V::Value, A::Error> {
        Err(A::Error::custom("expected an object, found an array"))
    }
}
