//! What the pictures share: size, colours, letters, intervals.

use anyhow::{Result, ensure};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::results::report::setting::Setting;

/// Width and height of a picture.
pub const SIZE: (u32, u32) = (860, 540);
pub const FONT: &str = "sans-serif";
/// Height of the letters.
pub const SMALL: i32 = 14;
pub const TITLE: i32 = 18;

/// Colours that stay apart for colour-blind eyes (M. Okabe and K. Ito, *Color universal design*,
/// 2008).
pub const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
pub const GREY: RGBColor = RGBColor(120, 120, 120);
pub const FAINT: RGBColor = RGBColor(226, 226, 226);

/// Small black letters, placed by their middle height and this side.
pub fn letters(side: HPos) -> TextStyle<'static> {
    let style = TextStyle::from((FONT, SMALL).into_font()).color(&BLACK);
    style.pos(Pos::new(side, VPos::Center))
}

/// The picture, by pixels.
pub type Area<'p> = DrawingArea<SVGBackend<'p>, Shift>;
/// A place in the picture: pixels from the left, pixels from the top.
pub type Pixel = (i32, i32);

/// An interval, drawn upright with a bar at each end.
pub fn interval(area: &Area, low: Pixel, high: Pixel, colour: RGBColor) -> Result<()> {
    const HALF: i32 = 4;
    for line in [
        [low, high],
        [(low.0 - HALF, low.1), (low.0 + HALF, low.1)],
        [(high.0 - HALF, high.1), (high.0 + HALF, high.1)],
    ] {
        area.draw(&PathElement::new(line, colour.stroke_width(1)))?;
    }
    Ok(())
}

/// What each colour stands for, from this place downwards.
pub fn legend(area: &Area, (x, y): Pixel, names: &[String]) -> Result<()> {
    for ((name, colour), line) in names.iter().zip(COLOURS).zip(0..) {
        let y = y + line * (SMALL + 6);
        area.draw(&Rectangle::new([(x, y - 6), (x + 12, y + 6)], colour.filled()))?;
        area.draw(&Text::new(name.clone(), (x + 20, y), letters(HPos::Left)))?;
    }
    Ok(())
}

/// What all settings have in common, and for each what it does not share.
pub fn names(settings: &[&Setting]) -> (String, Vec<String>) {
    let parts: Vec<[String; 4]> = settings
        .iter()
        .map(|setting| {
            let Setting { rule, objective, effort, .. } = setting;
            [setting.title(), rule.clone(), format!("for {objective}"), format!("{effort} effort")]
        })
        .collect();
    let shared = |index: usize| parts.iter().all(|part| part[index] == parts[0][index]);
    let joined = |part: &[String; 4], keep: &dyn Fn(usize) -> bool| {
        let words = part.iter().enumerate().filter(|(index, _)| keep(*index));
        words.map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(", ")
    };
    // What is played for follows from the rule, unless it is what differs.
    let is_printed = |index: usize| shared(index) && index != 2;
    let common = parts.first().map_or_else(String::new, |part| joined(part, &is_printed));
    (common, parts.iter().map(|part| joined(part, &|index| !shared(index))).collect())
}

/// The names that series go by: those they were given, else what sets them apart.
pub fn names_of<'s>(
    series: impl Iterator<Item = (Option<&'s str>, &'s Setting)>,
) -> Result<(String, Vec<String>)> {
    let (given, settings): (Vec<Option<&str>>, Vec<&Setting>) = series.unzip();
    let (count, most) = (settings.len(), COLOURS.len());
    ensure!(count <= most, "{count} results are too many for one picture; give at most {most}");
    let (common, apart) = names(&settings);
    let names =
        given.into_iter().zip(apart).map(|(given, apart)| given.map_or(apart, str::to_owned));
    Ok((common, names.collect()))
}
