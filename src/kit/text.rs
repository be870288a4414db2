//! Phrases that messages share: counts with their nouns, and lists of names.

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

/// The position of a name among `names`, which are at least two.
///
/// # Errors
/// What to give instead: `give a, b or c`.
pub fn position_of_name(names: &[&str], text: &str) -> Result<usize, String> {
    names.iter().position(|name| *name == text).ok_or_else(|| {
        let (last, others) = names.split_last().expect("there are names");
        format!("give {} or {last}", others.join(", "))
    })
}
