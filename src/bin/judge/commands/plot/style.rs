//! The common style of the pictures: size, colours, letters, intervals, legends and series names.

use anyhow::{Result, ensure};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::results::report::setting::Setting;

/// Width and height of a picture.
pub const SIZE: (u32, u32) = (860, 540);
pub const FONT: &str = "sans-serif";
/// Height of the letters, in pixels.
pub const SMALL: i32 = 14;
/// Height of the letters of the title, in pixels.
pub const TITLE: i32 = 18;

/// Colours that are distinguishable with a colour vision deficiency (M. Okabe and K. Ito, *Color
/// universal design*, 2008).
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

/// Small black letters, anchored in the middle of this side.
pub fn letters(side: HPos) -> TextStyle<'static> {
    let style = TextStyle::from((FONT, SMALL).into_font()).color(&BLACK);
    style.pos(Pos::new(side, VPos::Center))
}

/// The picture, in pixel coordinates.
pub type Area<'p> = DrawingArea<SVGBackend<'p>, Shift>;
/// A position in the picture: pixels from the left and from the top.
pub type Pixel = (i32, i32);

/// Draws a vertical interval with a bar at each end.
pub fn interval(area: &Area, low: Pixel, high: Pixel, colour: RGBColor) -> Result<()> {
    const HALF_BAR: i32 = 4;
    for line in [
        [low, high],
        [(low.0 - HALF_BAR, low.1), (low.0 + HALF_BAR, low.1)],
        [(high.0 - HALF_BAR, high.1), (high.0 + HALF_BAR, high.1)],
    ] {
        area.draw(&PathElement::new(line, colour.stroke_width(1)))?;
    }
    Ok(())
}

/// Draws the name of each colour, one per line, downwards from the given position.
pub fn legend(area: &Area, (x, y): Pixel, names: &[String]) -> Result<()> {
    for ((name, colour), line) in names.iter().zip(COLOURS).zip(0..) {
        let y = y + line * (SMALL + 6);
        area.draw(&Rectangle::new([(x, y - 6), (x + 12, y + 6)], colour.filled()))?;
        area.draw(&Text::new(name.clone(), (x + 20, y), letters(HPos::Left)))?;
    }
    Ok(())
}

/// One series of a picture.
pub struct SeriesInfo<'s> {
    /// The name from the command line.
    pub given_name: Option<&'s str>,
    pub setting: &'s Setting,
    /// The number of games or guesses, with the noun.
    pub size: String,
}

/// The names of the series of a picture.
pub struct SeriesNames {
    /// The parts of the settings that all series share.
    pub common: String,
    pub names: Vec<String>,
}

/// Names each series by its given name, or else by the parts of its setting that are not common,
/// followed by its size.
///
/// # Errors
/// There are more series than colours.
pub fn series_names(series: Vec<SeriesInfo>) -> Result<SeriesNames> {
    let (count, max) = (series.len(), COLOURS.len());
    ensure!(count <= max, "{count} results are too many for one picture; give at most {max}");
    let settings: Vec<&Setting> = series.iter().map(|one| one.setting).collect();
    let SeriesNames { common, names } = setting_names(&settings);
    let names = series.into_iter().zip(names).map(|(SeriesInfo { given_name, size, .. }, name)| {
        let name = given_name.map_or(name, str::to_owned);
        if name.is_empty() { size } else { format!("{name}, {size}") }
    });
    Ok(SeriesNames { common, names: names.collect() })
}

/// The parts that all settings share, and the other parts of each; empty where there are none.
pub fn setting_names(settings: &[&Setting]) -> SeriesNames {
    const OBJECTIVE: usize = 2;
    let parts: Vec<[String; 4]> = settings
        .iter()
        .map(|setting| {
            let Setting { rule, objective, effort, .. } = setting;
            [setting.title(), rule.clone(), format!("for {objective}"), format!("{effort} effort")]
        })
        .collect();
    let is_common = |index: usize| parts.iter().all(|part| part[index] == parts[0][index]);
    let join_parts = |part: &[String; 4], keep: &dyn Fn(usize) -> bool| {
        let words = part.iter().enumerate().filter(|(index, _)| keep(*index));
        words.map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(", ")
    };
    // The default objective follows from the rule, so a common objective is omitted.
    let is_printed = |index: usize| is_common(index) && index != OBJECTIVE;
    let common = parts.first().map_or_else(String::new, |part| join_parts(part, &is_printed));
    let names = parts.iter().map(|part| join_parts(part, &|index| !is_common(index)));
    SeriesNames { common, names: names.collect() }
}
