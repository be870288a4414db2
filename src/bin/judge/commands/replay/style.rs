//! The style of a cell in a picture.
//!
//! Colour is never the only sign: a safe cell shows `ok`, a proven mine `×`, an opened mine `*`,
//! and any other hidden cell its odds in percent, if they are known. A zero is blank.

use sapper::board::CellState;

use crate::results::palette::{heat, hex, ink};

/// An index of [`styles`]: 0 to 100 for the odds in percent, then the numbers 0 to 8, then these
/// constants.
pub type StyleIndex = usize;

const NUMBERS: StyleIndex = 101;
const HIT: StyleIndex = 110;
const ILLEGIBLE: StyleIndex = 111;
/// A hidden cell with unknown odds.
pub const UNKNOWN: StyleIndex = 112;

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
        CellStyle {
            class: format!("cell {class}"),
            fill: fill.to_owned(),
            ink: ink.to_owned(),
            text: text.to_owned(),
        }
    }
}

/// The odds of a cell in hundredths of a percent: 0 and [`PROVEN_MINE`] are proven.
pub type BasisPoints = u16;

/// The odds of a cell that is proven to be a mine.
const PROVEN_MINE: BasisPoints = 10_000;

/// Odds as basis points. Odds that are not proven are never rounded to 0 or [`PROVEN_MINE`].
pub fn basis_points(odds: f64) -> BasisPoints {
    if odds == 0.0 || odds == 1.0 {
        odds as BasisPoints * PROVEN_MINE
    } else {
        let rounded = (odds * f64::from(PROVEN_MINE)).round();
        rounded.clamp(1.0, f64::from(PROVEN_MINE - 1)) as BasisPoints
    }
}

/// The style of a hidden cell with these odds.
pub fn hidden_style(odds: BasisPoints) -> StyleIndex {
    match odds {
        0 => 0,
        PROVEN_MINE => 100,
        // Rounded half up, but never to 0 or 100, which are proven.
        odds => usize::from((odds + 50) / 100).clamp(1, 99),
    }
}

/// The style of an open cell.
pub fn open_style(state: CellState) -> StyleIndex {
    match state {
        CellState::Number(number) => NUMBERS + usize::from(number),
        CellState::Hit => HIT,
        CellState::Illegible => ILLEGIBLE,
        CellState::Hidden => UNKNOWN,
    }
}

/// All styles, in the order of their indices.
pub fn styles() -> Vec<CellStyle> {
    let mut styles: Vec<CellStyle> = (0..=100)
        .map(|percent: u32| {
            let fill = heat(f64::from(percent) / 100.0);
            let text = match percent {
                0 => "ok".to_owned(),
                100 => "\u{d7}".to_owned(),
                percent => percent.to_string(),
            };
            let class = if matches!(percent, 0 | 100) { "hidden proven" } else { "hidden" };
            CellStyle::new(class, &hex(fill), &hex(ink(fill)), &text)
        })
        .collect();
    for number in 0..=8 {
        let text = if number == 0 { String::new() } else { number.to_string() };
        styles.push(CellStyle::new(&format!("open n{number}"), "#f4f2ee", "#1c1c1c", &text));
    }
    styles.push(CellStyle::new("hit", "#b3261e", "#ffffff", "*"));
    styles.push(CellStyle::new("open", "#f4f2ee", "#1c1c1c", "x"));
    styles.push(CellStyle::new("hidden unknown", "#c3c8d0", "#1c1c1c", ""));
    styles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_proven_looks_proven() {
        let near_certain = [0.0, 1.0, 1e-9, 1.0 - 1e-9].map(basis_points);
        assert_eq!(near_certain, [0, 10_000, 1, 9_999]);
        assert_eq!([0, 1, 9_999, 10_000].map(hidden_style), [0, 1, 99, 100]);
        assert_eq!([149, 150, 2_345].map(hidden_style), [1, 2, 23]);
        let styles = styles();
        assert_eq!(styles.len(), UNKNOWN + 1);
        assert_eq!((styles[0].text.as_str(), styles[23].text.as_str()), ("ok", "23"));
        assert_eq!(styles[open_style(CellState::Number(8))].text, "8");
        assert_eq!(styles[open_style(CellState::Hit)].class, "cell hit");
    }
}
