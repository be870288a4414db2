//! Phrases that messages share: counts with their nouns.

use std::fmt::Display;

/// A count with its noun in the singular or the plural: `1 mine`, `2 mines`.
pub fn pluralize<N: Copy + Display + PartialEq + From<u8>>(
    number: N,
    one: &str,
    many: &str,
) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}
