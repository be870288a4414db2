//! Counts in messages, as English writes them.

use std::fmt::Display;

/// `number` with what is counted: `1 mine`, `2 mines`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(
    number: N,
    one: &str,
    many: &str,
) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

/// A number on a cell with its article: `a 7`, `an 8`.
pub fn with_article(number: u8) -> String {
    format!("{} {number}", if number == 8 { "an" } else { "a" })
}
