//! Phrases that messages share: counts with their nouns, and numbers with an article.

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

/// A number from 0 to 8 with its indefinite article: `a 7`, `an 8`.
pub fn with_article(number: u8) -> String {
    format!("{} {number}", if number == 8 { "an" } else { "a" })
}
