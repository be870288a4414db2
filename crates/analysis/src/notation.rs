//! How cells, probabilities and numbers of layouts are written for a person.
//!
//! Cells are `(row,column)`, counted from 0.
//!
//! Invariant: a probability is written `0 %` or `100 %` if and only if it is proven.

use sapper::board::geometry::{Cell, Shape};
use sapper::kit::elementary::exp;
use sapper::kit::text;
use sapper::probability::weight::ExtendedF64;

/// Formats a cell as `(row,column)`.
pub fn cell_text(shape: Shape, cell: Cell) -> String {
    format!("({},{})", shape.row(cell), shape.column(cell))
}

/// The names of some cells; of many, the first eight and the number of the others.
pub fn names(shape: Shape, cells: &[Cell]) -> Vec<String> {
    const SHOWN: usize = 8;
    let shown = if cells.len() > SHOWN + 1 { SHOWN } else { cells.len() };
    let mut names: Vec<String> =
        cells[..shown].iter().map(|&cell| cell_text(shape, cell)).collect();
    if shown < cells.len() {
        names.push(format!("{} more cells", cells.len() - shown));
    }
    names
}

/// Formats cells for a list or a table: `(0,1) (0,2)`.
pub fn cells_text(shape: Shape, cells: &[Cell]) -> String {
    names(shape, cells).join(" ")
}

/// Formats cells for a sentence: `(0,1), (0,2) and (1,2)`.
pub fn list_cells(shape: Shape, cells: &[Cell]) -> String {
    list(&names(shape, cells))
}

/// Formats odds in percent, without decimals if and only if they are proven.
pub fn percent(odds: f64) -> String {
    if odds == 0.0 || odds == 1.0 {
        format!("{:.0} %", 100.0 * odds)
    } else {
        // 0.00 and 100.00 would look like a proof.
        format!("{:.2} %", (100.0 * odds).clamp(0.01, 99.99))
    }
}

/// Formats a number of layouts: `exact` where it is known, otherwise the rounded `counted`.
pub fn layouts_text(exact: Option<u128>, counted: Option<ExtendedF64>) -> Option<String> {
    /// Below this limit a count is exact after rounding.
    const EXACT_LIMIT: f64 = 1e9;
    let small = counted.map(ExtendedF64::to_f64).filter(|layouts| *layouts < EXACT_LIMIT);
    match (exact.or(small.map(|layouts| layouts.round() as u128)), counted) {
        (Some(layouts), _) => Some(text::pluralize(layouts, "layout", "layouts")),
        (None, Some(layouts)) => {
            let log = layouts.ln() * std::f64::consts::LOG10_E;
            let mantissa = exp(log.fract() * std::f64::consts::LN_10);
            Some(format!("about {mantissa:.2}e{:.0} layouts", log.floor()))
        }
        (None, None) => None,
    }
}

/// Joins the items of a list: `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A small number as a word.
pub fn in_words(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// A text with a capital first letter.
pub fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
