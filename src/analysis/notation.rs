//! How cells, probabilities and counts of layouts are written for a person.
//!
//! Cells are `(row,column)`, counted from 0.
//!
//! Invariant: a probability is written `0 %` or `100 %` if and only if it is proven.

use crate::base::elementary::exp;
use crate::base::text;
use crate::board::geometry::{Cell, Shape};
use crate::probability::weight::ExtendedF64;

/// Formats a cell as `(row,column)`.
pub fn cell_text(shape: Shape, cell: Cell) -> String {
    format!("({},{})", shape.row(cell), shape.column(cell))
}

/// Formats cells one after another; of many, the first eight and how many more there are.
pub fn cells_text(shape: Shape, cells: &[Cell]) -> String {
    const SHOWN: usize = 8;
    let shown = if cells.len() > SHOWN + 1 { SHOWN } else { cells.len() };
    let mut names: Vec<String> =
        cells[..shown].iter().map(|&cell| cell_text(shape, cell)).collect();
    if shown < cells.len() {
        names.push(format!("and {} more cells", cells.len() - shown));
    }
    names.join(" ")
}

/// Formats odds in percent: without decimals if and only if they are proven.
pub fn percent(odds: f64) -> String {
    if odds == 0.0 || odds == 1.0 {
        format!("{:.0} %", 100.0 * odds)
    } else {
        // Never 0.00 or 100.00: that would look like a proof.
        format!("{:.2} %", (100.0 * odds).clamp(0.01, 99.99))
    }
}

/// Formats a number of layouts: `exact` where that is known, else as counted up to rounding.
pub fn layouts_text(exact: Option<u128>, counted: Option<ExtendedF64>) -> Option<String> {
    /// Below this, a count that is off by a few roundings rounds to the exact number.
    const WHOLE: f64 = 1e9;
    let whole = counted.map(ExtendedF64::to_f64).filter(|layouts| *layouts < WHOLE);
    match (exact.or(whole.map(|layouts| layouts.round() as u128)), counted) {
        (Some(layouts), _) => Some(text::pluralize(layouts, "layout", "layouts")),
        (None, Some(layouts)) => {
            let log = layouts.ln() * std::f64::consts::LOG10_E;
            let mantissa = exp(log.fract() * std::f64::consts::LN_10);
            Some(format!("about {mantissa:.2}e{:.0} layouts", log.floor()))
        }
        (None, None) => None,
    }
}
