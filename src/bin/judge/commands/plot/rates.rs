//! Games won against the time of a game: what strength costs.

use anyhow::{Result, bail};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::input::{Content, Input};
use super::labels::{Named, places, width};
use super::style::{
    Area, COLOURS, FAINT, FONT, GREY, Pixel, SMALL, TITLE, interval, letters, names,
};
use crate::results::report::setting::Setting;

/// One player's result.
pub struct Point {
    name: String,
    /// Milliseconds of a processor a game.
    ms: f64,
    /// Percent of the games won, and its interval.
    percent: f64,
    interval: (f64, f64),
    /// Measured by this judge, or a figure of a table.
    ours: bool,
}

/// The points of a picture, with the title that the reports among the inputs give it.
///
/// # Errors
/// Reports of unlike boards or rules, or a calibration.
pub fn points(inputs: &[Input]) -> Result<(Vec<Point>, String)> {
    let mut points = Vec::new();
    let mut settings: Vec<(&str, &Setting)> = Vec::new();
    for input in inputs {
        match &input.content {
            Content::Report(report) => settings.push((&input.path, &report.setting)),
            Content::Calibration(_) => {
                bail!("{} is a calibration, which has no win rate; plot it apart", input.path)
            }
            Content::Figures(_) => {}
        }
    }
    if let Some((one, first)) = settings.first() {
        for (other, setting) in &settings {
            if (setting.title(), &setting.rule) != (first.title(), &first.rule) {
                bail!("{one} and {other} are of different boards or rules; plot them apart");
            }
        }
    }
    let settings: Vec<&Setting> = settings.into_iter().map(|(_, setting)| setting).collect();
    let (_, apart) = names(&settings);
    let title = settings
        .first()
        .map_or_else(String::new, |setting| format!(": {}, {}", setting.title(), setting.rule));
    let mut apart = apart.into_iter();
    for input in inputs {
        match &input.content {
            Content::Report(report) => {
                let apart = apart.next().unwrap_or_default();
                let apart = if apart.is_empty() {
                    format!("{} effort", report.setting.effort)
                } else {
                    apart
                };
                let name = input.name.clone().unwrap_or_else(|| format!("Sapper, {apart}"));
                let (percent, ms) = (100.0 * report.win_rate, report.cpu_ms_a_game);
                points.push(Point { name, ms, percent, interval: report.win_interval, ours: true });
            }
            Content::Figures(figures) => points.extend(figures.iter().map(|figure| {
                let (name, interval) = (figure.name.clone(), figure.interval());
                Point { name, ms: figure.ms, percent: figure.percent, interval, ours: false }
            })),
            Content::Calibration(_) => {}
        }
    }
    for point in &mut points {
        point.interval = (100.0 * point.interval.0, 100.0 * point.interval.1);
    }
    Ok((points, format!("Games won against time{title}")))
}

pub fn draw(area: &Area, (points, own): &(Vec<Point>, String), title: Option<&str>) -> Result<()> {
    let ends = |of: &dyn Fn(&Point) -> (f64, f64)| {
        let ends = points.iter().map(of);
        ends.fold((f64::INFINITY, 0.0_f64), |all, end| (all.0.min(end.0), all.1.max(end.1)))
    };
    let (fast, slow) = ends(&|point| (point.ms, point.ms));
    let (low, high) = ends(&|point| point.interval);
    let room = ((high - low) / 10.0).max(0.5);
    let y = (low - room).max(0.0)..(high + room).min(100.0);
    let mut chart = ChartBuilder::on(area)
        .caption(title.unwrap_or(own), (FONT, TITLE))
        .margin(14)
        .x_label_area_size(50)
        .y_label_area_size(64)
        .build_cartesian_2d((fast / 3.0..slow * 4.0).log_scale(), y.clone())?;
    chart
        .configure_mesh()
        .bold_line_style(FAINT)
        .light_line_style(WHITE)
        .label_style((FONT, SMALL))
        .x_desc("milliseconds of a processor a game")
        .y_desc("games won, %, with 95 % intervals")
        .x_label_formatter(&|ms| decade_label(*ms))
        .draw()?;

    let (mut marks, mut named) = (Vec::new(), Vec::new());
    for point in points {
        let at = |percent: f64| -> Pixel { chart.backend_coord(&(point.ms, percent)) };
        let (place, low, high) = (at(point.percent), at(point.interval.0), at(point.interval.1));
        let colour = COLOURS[usize::from(!point.ours)];
        interval(area, low, high, colour)?;
        if point.ours {
            area.draw(&Circle::new(place, 5, colour.filled()))?;
        } else {
            area.draw(&TriangleMarker::new(place, 6, colour.filled()))?;
        }
        let (top, bottom) = (high.1.min(place.1 - 6), low.1.max(place.1 + 6));
        marks.push((place.0 - 6, top - 1, place.0 + 6, bottom + 1));
        named.push(Named { at: place, top, bottom, name: &point.name });
    }
    let (left, top) = chart.backend_coord(&(fast / 3.0, y.end));
    let (right, bottom) = chart.backend_coord(&(slow * 4.0, y.start));
    let key = [("measured by this judge", true), ("figures from a table", false)];
    let key = key.into_iter().filter(|(_, ours)| points.iter().any(|point| point.ours == *ours));
    for ((text, ours), line) in key.zip(0..) {
        let (x, y) = (right - 20 - width("measured by this judge"), bottom - 36 + 20 * line);
        let colour = COLOURS[usize::from(!ours)];
        if ours {
            area.draw(&Circle::new((x, y), 5, colour.filled()))?;
        } else {
            area.draw(&TriangleMarker::new((x, y), 6, colour.filled()))?;
        }
        area.draw(&Text::new(text, (x + 14, y), letters(HPos::Left)))?;
        marks.push((x - 6, y - SMALL / 2, right, y + SMALL / 2));
    }
    let labels = places(&named, &marks, (left, top, right, bottom));
    for (label, Named { name, .. }) in labels.into_iter().zip(&named) {
        if let Some(line) = label.line {
            area.draw(&PathElement::new(line, GREY.stroke_width(1)))?;
        }
        let (side, at) = label.anchor(name);
        area.draw(&Text::new((*name).to_owned(), at, letters(side)))?;
    }
    Ok(())
}

/// A label of the axis of times: of each decade 1, 2 and 5, since between few milliseconds there
/// are ticks for all.
fn decade_label(ms: f64) -> String {
    let decade = ms.log10().floor();
    let digit = (ms / 10_f64.powf(decade)).round();
    let decimals = (-decade).max(0.0) as usize;
    if [1.0, 2.0, 5.0, 10.0].contains(&digit) { format!("{ms:.decimals$}") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_of_times_has_short_labels() {
        for (ms, label) in [
            (0.1, "0.1"),
            (0.2, "0.2"),
            (0.300_000_000_000_000_04, ""),
            (0.5, "0.5"),
            (0.700_000_000_000_000_1, ""),
            (1.0, "1"),
            (10.0, "10"),
            (200.0, "200"),
        ] {
            assert_eq!(decade_label(ms), label);
        }
    }
}
