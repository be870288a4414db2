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

/// The message that there are more mines than cells: `2 mines do not fit into 1 cell`.
pub fn too_many_mines(mines: u64, cells: u64) -> String {
    let (mines, cells) =
        (pluralize(mines, "mine does", "mines do"), pluralize(cells, "cell", "cells"));
    format!("{mines} not fit into {cells}")
}

/// A number from 0 to 8 with its indefinite article: `a 7`, `an 8`.
pub fn with_article(number: u8) -> String {
    format!("{} {number}", if number == 8 { "an" } else { "a" })
}
