//! Counts in messages, as English writes them.

use std::fmt::Display;

/// `number` with what is counted: `1 mine`, `2 mines`.
pub fn pluralize<N: Copy + Display + PartialEq + From<u8>>(
    number: N,
    one: &str,
    many: &str,
) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

/// A number of which the nearest of 64 bits is kept: at either end it may have been any beyond.
pub fn nearest(number: i64) -> String {
    match number {
        i64::MAX => format!("{number} or more"),
        i64::MIN => format!("{number} or less"),
        _ => number.to_string(),
    }
}

/// That there are more mines than cells: `2 mines do not fit into 1 cell`.
pub fn too_many_mines(mines: u64, cells: u64) -> String {
    let (mines, cells) =
        (pluralize(mines, "mine does", "mines do"), pluralize(cells, "cell", "cells"));
    format!("{mines} not fit into {cells}")
}

/// A number on a cell with its article: `a 7`, `an 8`.
pub fn with_article(number: u8) -> String {
    format!("{} {number}", if number == 8 { "an" } else { "a" })
}
