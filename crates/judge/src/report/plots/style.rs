//! The common style of the pictures: size, colours, letters, axes, legends and series names.

use anyhow::{Context, Result, ensure};
use plotters::chart::SeriesLabelPosition;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;

use super::input::{Content, ResultFile};
use crate::report::run::Setting;

/// Width and height of a picture.
pub const SIZE: (u32, u32) = (860, 540);
pub const FONT: &str = "sans-serif";
/// Height of the letters, in pixels.
pub const SMALL: i32 = 14;
/// Height of the letters of the title, in pixels.
const TITLE: i32 = 18;
/// Width of the bars at the ends of an interval, in pixels. The mark in its middle is as wide.
pub const BAR: u32 = 8;

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
const FAINT: RGBColor = RGBColor(226, 226, 226);

/// The picture, in pixel coordinates.
pub type Area<'p> = DrawingArea<SVGBackend<'p>, Shift>;
/// A chart with an axis of each kind.
pub type Chart<'p, X, Y> = ChartContext<'p, SVGBackend<'p>, Cartesian2d<X, Y>>;

/// A chart with a title and room for the labels of its axes.
pub fn chart_builder<'a, 'p>(
    area: &'a Area<'p>,
    title: &str,
) -> ChartBuilder<'a, 'p, SVGBackend<'p>> {
    let mut builder = ChartBuilder::on(area);
    builder.caption(title, (FONT, TITLE)).margin(14);
    builder.x_label_area_size(50).y_label_area_size(64);
    builder
}

/// Draws the axes, with these names and labels.
pub fn draw_axes<X, Y>(
    chart: &mut Chart<X, Y>,
    [x_name, y_name]: [&str; 2],
    x_label: fn(&f64) -> String,
    y_label: fn(&f64) -> String,
) -> Result<()>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut mesh = chart.configure_mesh();
    mesh.bold_line_style(FAINT).light_line_style(WHITE).label_style((FONT, SMALL));
    mesh.x_desc(x_name).x_label_formatter(&x_label);
    mesh.y_desc(y_name).y_label_formatter(&y_label);
    Ok(mesh.draw()?)
}

/// Draws the legend of the series in a corner.
pub fn draw_legend<X: Ranged, Y: Ranged>(
    chart: &mut Chart<X, Y>,
    corner: SeriesLabelPosition,
) -> Result<()> {
    let mut legend = chart.configure_series_labels();
    Ok(legend.position(corner).label_font((FONT, SMALL)).draw()?)
}

/// The sign of a colour in a legend.
pub fn colour_sign(colour: RGBColor, (x, y): (i32, i32)) -> Rectangle<(i32, i32)> {
    Rectangle::new([(x + 8, y - 6), (x + 20, y + 6)], colour.filled())
}

/// The series of a picture.
pub struct Series<'i, T> {
    /// The parts of the settings that all series share.
    pub common: String,
    /// The results, each with its name.
    pub all: Vec<(&'i T, String)>,
}

/// The results of all inputs. Each is named by its given name, or else by the parts of its setting
/// that are not common, followed by its size: the number of games or guesses, with the noun.
///
/// # Errors
/// There are more inputs than colours, or one has no results for this kind of picture.
pub fn series<'i, T>(
    inputs: &'i [ResultFile],
    kind: &str,
    results: fn(&Content) -> Option<(&T, String)>,
) -> Result<Series<'i, T>> {
    let (count, max) = (inputs.len(), COLOURS.len());
    ensure!(count <= max, "{count} results are too many for one picture; give at most {max}");
    let (common, names) = setting_names(inputs);
    let named = inputs.iter().zip(names).map(|(ResultFile { path, name, content, .. }, own)| {
        let (results, size) = results(content).with_context(|| {
            format!(
                "{path} has nothing for a picture of kind {kind}; omit it or give another --kind"
            )
        })?;
        let name = name.clone().unwrap_or(own);
        Ok((results, if name.is_empty() { size } else { format!("{name}, {size}") }))
    });
    Ok(Series { common, all: named.collect::<Result<_>>()? })
}

/// The parts that the settings of all inputs share, and the other parts of each input; empty where
/// there are none.
pub fn setting_names(inputs: &[ResultFile]) -> (String, Vec<String>) {
    const OBJECTIVE: usize = 2;
    let parts = inputs.iter().map(|input| {
        let setting = input.setting.as_ref()?;
        let Setting { rule, objective, effort, .. } = setting;
        let (objective, effort) = (format!("for {objective}"), format!("{effort} effort"));
        Some([setting.boards.to_string(), rule.to_string(), objective, effort])
    });
    let parts: Vec<Option<[String; 4]>> = parts.collect();
    let Some(first) = parts.iter().flatten().next() else {
        return (String::new(), vec![String::new(); inputs.len()]);
    };
    let is_common = |index: usize| parts.iter().flatten().all(|part| part[index] == first[index]);
    let join_parts = |part: &[String; 4], keep: &dyn Fn(usize) -> bool| {
        let words = part.iter().enumerate().filter(|(index, _)| keep(*index));
        words.map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(", ")
    };
    // The default objective follows from the rule, so a common objective is omitted.
    let common = join_parts(first, &|index| is_common(index) && index != OBJECTIVE);
    let names = parts.iter().map(|part| {
        part.as_ref().map_or_else(String::new, |part| join_parts(part, &|index| !is_common(index)))
    });
    (common, names.collect())
}
