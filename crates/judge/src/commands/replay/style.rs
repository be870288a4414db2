//! The style of a cell in a picture.
//!
//! Colour is never the only sign: a safe cell shows `ok`, a proven mine `×`, an opened mine `*`,
//! and any other hidden cell its odds in percent, if they are known. A zero is blank.

use sapper::CellState;

use viewer::page::{BasisPoints, PROVEN_MINE};

use crate::report::palette::{heat, hex, ink};

/// How a cell is drawn.
pub struct CellStyle {
    /// The classes of the element.
    pub class: String,
    pub fill: String,
    /// The colour of the text.
    pub ink: String,
    pub text: String,
}

impl CellStyle {
    fn new(class: &str, fill: &str, ink: &str, text: &str) -> CellStyle {
        let [fill, ink, text] = [fill, ink, text].map(str::to_owned);
        CellStyle { class: format!("cell {class}"), fill, ink, text }
    }
}

/// Odds in whole percent. Odds that are not proven are never rounded to 0 or 100.
pub fn percent(odds: BasisPoints) -> u16 {
    match odds {
        0 | PROVEN_MINE => odds / 100,
        odds => ((odds + 50) / 100).clamp(1, 99),
    }
}

/// The style of a hidden cell with these odds in percent.
pub fn hidden_style(percent: u16) -> CellStyle {
    let fill = heat(f64::from(percent) / 100.0);
    let (class, text) = match percent {
        0 => ("hidden proven", "ok"),
        100 => ("hidden proven", "\u{d7}"),
        percent => ("hidden", &*percent.to_string()),
    };
    CellStyle::new(class, &hex(fill), &hex(ink(fill)), text)
}

/// The style of an open cell, or of a hidden one whose odds are not known.
pub fn style(state: CellState) -> CellStyle {
    let open = |class: &str, text: &str| CellStyle::new(class, "#f4f2ee", "#1c1c1c", text);
    match state {
        CellState::Number(0) => open("open n0", ""),
        CellState::Number(number) => open(&format!("open n{number}"), &number.to_string()),
        CellState::Hit => CellStyle::new("hit", "#b3261e", "#ffffff", "*"),
        CellState::Illegible => open("open", "x"),
        CellState::Hidden => CellStyle::new("hidden unknown", "#c3c8d0", "#1c1c1c", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_proven_looks_proven() {
        assert_eq!([0, 1, 9_999, 10_000].map(percent), [0, 1, 99, 100]);
        assert_eq!([149, 150, 2_345].map(percent), [1, 2, 23]);
        assert_eq!([0, 23].map(|percent| hidden_style(percent).text), ["ok", "23"]);
        assert_eq!(style(CellState::Number(8)).text, "8");
        assert_eq!(style(CellState::Hit).class, "cell hit");
    }
}
