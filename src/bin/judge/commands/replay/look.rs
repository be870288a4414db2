//! How a cell looks: one table for the page and for pictures.
//!
//! Nothing is told by colour alone: safe is `ok`, a mine that is proven is `×`, one that was opened
//! `*`, and odds are percents.

use sapper::board::CellState;

use super::frames::{PROVEN_MINE, Parts};
use crate::results::palette::{heat, hex, ink};

/// The place of a look in [`looks`]: 0 to 100 the odds in percent, then the numbers 0 to 8, then
/// these.
pub type Index = usize;

const NUMBERS: Index = 101;
const HIT: Index = 110;
const ILLEGIBLE: Index = 111;
/// Hidden, with odds that nobody knows.
pub const UNKNOWN: Index = 112;

/// What is drawn for a cell.
pub struct Look {
    /// Its classes.
    pub class: String,
    pub fill: String,
    pub ink: String,
    pub text: String,
}

/// The look of a hidden cell with these odds.
pub fn of_odds(odds: Parts) -> Index {
    match odds {
        0 => 0,
        PROVEN_MINE => 100,
        // Halves upwards, and never as far as what is proven.
        odds => usize::from((odds + 50) / 100).clamp(1, 99),
    }
}

/// The look of an open cell.
pub fn of_open(shown: CellState) -> Index {
    match shown {
        CellState::Number(number) => NUMBERS + usize::from(number),
        CellState::Hit => HIT,
        CellState::Illegible => ILLEGIBLE,
        CellState::Hidden => UNKNOWN,
    }
}

/// All looks, in the order of their places.
pub fn looks() -> Vec<Look> {
    let look = |class: &str, (fill, ink): (&str, &str), text: &str| Look {
        class: format!("cell {class}"),
        fill: fill.to_owned(),
        ink: ink.to_owned(),
        text: text.to_owned(),
    };
    let mut looks: Vec<Look> = (0..=100)
        .map(|percent: u32| {
            let fill = heat(f64::from(percent) / 100.0);
            let text = match percent {
                0 => "ok".to_owned(),
                100 => "\u{d7}".to_owned(),
                percent => percent.to_string(),
            };
            look(
                if matches!(percent, 0 | 100) { "hidden proven" } else { "hidden" },
                (&hex(fill), &hex(ink(fill))),
                &text,
            )
        })
        .collect();
    for number in 0..=8 {
        let text = if number == 0 { String::new() } else { number.to_string() };
        looks.push(look(&format!("open n{number}"), ("#f4f2ee", "#1c1c1c"), &text));
    }
    looks.push(look("hit", ("#b3261e", "#ffffff"), "*"));
    looks.push(look("open", ("#f4f2ee", "#1c1c1c"), "x"));
    looks.push(look("hidden unknown", ("#767676", "#ffffff"), "?"));
    looks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::replay::frames::parts;

    #[test]
    fn only_what_is_proven_looks_proven() {
        assert_eq!((parts(0.0), parts(1.0), parts(1e-9), parts(1.0 - 1e-9)), (0, 10_000, 1, 9_999));
        assert_eq!((of_odds(0), of_odds(1), of_odds(9_999), of_odds(10_000)), (0, 1, 99, 100));
        assert_eq!((of_odds(149), of_odds(150), of_odds(2_345)), (1, 2, 23));
        let looks = looks();
        assert_eq!(looks.len(), UNKNOWN + 1);
        assert_eq!((looks[0].text.as_str(), looks[23].text.as_str()), ("ok", "23"));
        assert_eq!(looks[of_open(CellState::Number(8))].text, "8");
        assert_eq!(looks[of_open(CellState::Hit)].class, "cell hit");
    }
}
