//! Mine probabilities as colours, the same in the terminal, on the page and in pictures.
//!
//! The scale is Cividis (J. Nuñez, C. Anderton and R. Renslow, PLOS ONE 2018), which looks nearly
//! the same with and without a colour vision deficiency. Its lightness increases throughout: a
//! lighter cell is a greater risk.

use colorous::{CIVIDIS, Color};

/// The colour of a cell with these odds, from 0 to 1.
///
/// The square root stretches the lower end of the scale, which has the odds that a player compares.
pub fn heat(odds: f64) -> Color {
    CIVIDIS.eval_continuous(odds.clamp(0.0, 1.0).sqrt())
}

/// Black or white, whichever has the greater contrast to the background by WCAG 2.
pub fn ink(background: Color) -> Color {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let luminance = 0.2126 * linear(background.r)
        + 0.7152 * linear(background.g)
        + 0.0722 * linear(background.b);
    // At this luminance both contrasts are equal: (L + 0.05) / 0.05 = 1.05 / (L + 0.05).
    let part = if luminance > 0.179 { 0 } else { 255 };
    Color { r: part, g: part, b: part }
}

/// A colour in HTML's notation.
pub fn hex(color: Color) -> String {
    format!("#{color:x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greater_odds_are_lighter_and_legible() {
        let light = |color: Color| {
            0.2126 * f64::from(color.r) + 0.7152 * f64::from(color.g) + 0.0722 * f64::from(color.b)
        };
        let steps: Vec<Color> = (0..=100).map(|percent| heat(f64::from(percent) / 100.0)).collect();
        assert!(steps.windows(2).all(|pair| light(pair[0]) < light(pair[1]) + 1.0));
        assert!(light(steps[100]) - light(steps[0]) > 120.0);
        // WCAG requires 4.5 to 1 for text; on middle greys, no ink has more than 4.58 to 1.
        let contrast = |on: Color| (light(ink(on)) - light(on)).abs();
        assert!(steps.iter().all(|&on| contrast(on) > 100.0));
    }

    #[test]
    fn colours_are_written_with_six_digits() {
        assert_eq!(hex(Color { r: 1, g: 255, b: 0 }), "#01ff00");
    }
}
