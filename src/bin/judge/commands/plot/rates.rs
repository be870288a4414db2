//! Win rates against the CPU time of a game.

use anyhow::{Result, bail};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::input::{Content, Figure, Input, Report};
use super::labels::{NamedPoint, Rect, place_labels, text_width};
use super::style::{
    Area, COLOURS, FAINT, FONT, GREY, Pixel, SMALL, TITLE, interval, letters, setting_names,
};
use crate::results::report::setting::Setting;

/// The points of the picture and its default title.
pub struct WinRates {
    points: Vec<Point>,
    title: String,
}

/// The result of one player.
struct Point {
    name: String,
    /// CPU milliseconds per game.
    ms: f64,
    /// Percent of the games won.
    percent: f64,
    /// The interval of `percent`.
    interval: (f64, f64),
    source: Source,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A report of this judge.
    Report,
    /// A table of figures.
    Table,
}

impl WinRates {
    /// The points of all inputs.
    ///
    /// # Errors
    /// The reports have different boards or rules, or an input is a calibration.
    pub fn new(inputs: &[Input]) -> Result<WinRates> {
        let settings = comparable_settings(inputs)?;
        let title = match settings.first() {
            Some(setting) => {
                format!("Games won against time: {}, {}", setting.title(), setting.rule)
            }
            None => "Games won against time".to_owned(),
        };
        let mut setting_names = setting_names(&settings).names.into_iter();
        let mut points = Vec::new();
        for input in inputs {
            match &input.content {
                Content::Report(report) => {
                    let setting_name = setting_names.next().unwrap_or_default();
                    let name = input.name.clone();
                    let name = name.unwrap_or_else(|| default_name(report, &setting_name));
                    points.push(Point::of_report(name, report));
                }
                Content::Figures(figures) => points.extend(figures.iter().map(Point::of_figure)),
                // `comparable_settings` has refused it.
                Content::Calibration(_) => {}
            }
        }
        Ok(WinRates { points, title })
    }
}

/// The settings of the reports, if all have the same boards and rule.
fn comparable_settings(inputs: &[Input]) -> Result<Vec<&Setting>> {
    let mut reports: Vec<(&str, &Setting)> = Vec::new();
    for input in inputs {
        match &input.content {
            Content::Report(report) => reports.push((&input.path, &report.setting)),
            Content::Calibration(_) => {
                bail!("{} is a calibration, which has no win rate; plot it separately", input.path)
            }
            Content::Figures(_) => {}
        }
    }
    for pair in reports.windows(2) {
        let [(one, first), (other, second)] = pair else { continue };
        if (first.title(), &first.rule) != (second.title(), &second.rule) {
            bail!("{one} and {other} are of different boards or rules; plot them separately");
        }
    }
    Ok(reports.into_iter().map(|(_, setting)| setting).collect())
}

/// The name of a report without a given one: the parts of its setting that differ, or its effort.
fn default_name(report: &Report, setting_name: &str) -> String {
    if setting_name.is_empty() {
        format!("Sapper, {} effort", report.setting.effort)
    } else {
        format!("Sapper, {setting_name}")
    }
}

impl Point {
    fn of_report(name: String, report: &Report) -> Point {
        Point {
            name,
            ms: report.cpu_ms_a_game,
            percent: 100.0 * report.win_rate,
            interval: in_percent(report.win_interval),
            source: Source::Report,
        }
    }

    fn of_figure(figure: &Figure) -> Point {
        Point {
            name: figure.name.clone(),
            ms: figure.ms,
            percent: figure.percent,
            interval: in_percent(figure.interval()),
            source: Source::Table,
        }
    }
}

fn in_percent((low, high): (f64, f64)) -> (f64, f64) {
    (100.0 * low, 100.0 * high)
}

pub fn draw(area: &Area, rates: &WinRates, title: Option<&str>) -> Result<()> {
    let points = &rates.points;
    let (fastest, slowest) = span(points.iter().map(|point| (point.ms, point.ms)));
    let (low, high) = span(points.iter().map(|point| point.interval));
    let margin = ((high - low) / 10.0).max(0.5);
    let y = (low - margin).max(0.0)..(high + margin).min(100.0);
    // Room for the names on both sides.
    let x = fastest / 3.0..slowest * 4.0;
    let mut chart = ChartBuilder::on(area)
        .caption(title.unwrap_or(&rates.title), (FONT, TITLE))
        .margin(14)
        .x_label_area_size(50)
        .y_label_area_size(64)
        .build_cartesian_2d(x.clone().log_scale(), y.clone())?;
    chart
        .configure_mesh()
        .bold_line_style(FAINT)
        .light_line_style(WHITE)
        .label_style((FONT, SMALL))
        .x_desc("CPU milliseconds per game")
        .y_desc("games won, %, with 95 % intervals")
        .x_label_formatter(&|ms| decade_label(*ms))
        .draw()?;

    let (mut marks, mut named) = (Vec::new(), Vec::new());
    for point in points {
        let pixel = |percent: f64| -> Pixel { chart.backend_coord(&(point.ms, percent)) };
        let at = pixel(point.percent);
        let (low, high) = (pixel(point.interval.0), pixel(point.interval.1));
        interval(area, low, high, point.source.colour())?;
        draw_mark(area, at, point.source)?;
        let (top, bottom) = (high.1.min(at.1 - 6), low.1.max(at.1 + 6));
        marks.push(Rect { left: at.0 - 6, top: top - 1, right: at.0 + 6, bottom: bottom + 1 });
        named.push(NamedPoint { at, top, bottom, name: &point.name });
    }
    let (left, top) = chart.backend_coord(&(x.start, y.end));
    let (right, bottom) = chart.backend_coord(&(x.end, y.start));
    let bounds = Rect { left, top, right, bottom };
    marks.extend(draw_key(area, points, bounds)?);
    let labels = place_labels(&named, &marks, bounds);
    for (label, NamedPoint { name, .. }) in labels.into_iter().zip(&named) {
        if let Some(line) = label.line {
            area.draw(&PathElement::new(line, GREY.stroke_width(1)))?;
        }
        let (side, at) = label.anchor(name);
        area.draw(&Text::new((*name).to_owned(), at, letters(side)))?;
    }
    Ok(())
}

/// The least lower end and the greatest upper end.
fn span(intervals: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    intervals.fold((f64::INFINITY, 0.0_f64), |(low, high), interval| {
        (low.min(interval.0), high.max(interval.1))
    })
}

impl Source {
    fn colour(self) -> RGBColor {
        match self {
            Source::Report => COLOURS[0],
            Source::Table => COLOURS[1],
        }
    }
}

/// A circle for this judge's own results, a triangle for others.
fn draw_mark(area: &Area, at: Pixel, source: Source) -> Result<()> {
    let style = source.colour().filled();
    match source {
        Source::Report => area.draw(&Circle::new(at, 5, style))?,
        Source::Table => area.draw(&TriangleMarker::new(at, 6, style))?,
    }
    Ok(())
}

/// Explains the marks in the lower right corner. Returns the rectangles that it covers.
fn draw_key(area: &Area, points: &[Point], bounds: Rect) -> Result<Vec<Rect>> {
    const REPORT: &str = "measured by this judge";
    const TABLE: &str = "figures from a table";
    let (x, top) = (bounds.right - 20 - text_width(REPORT), bounds.bottom - 36);
    let entries = [(REPORT, Source::Report), (TABLE, Source::Table)].into_iter();
    let entries = entries.filter(|(_, source)| points.iter().any(|point| point.source == *source));
    let mut covered = Vec::new();
    for ((text, source), line) in entries.zip(0..) {
        let y = top + 20 * line;
        draw_mark(area, (x, y), source)?;
        area.draw(&Text::new(text, (x + 14, y), letters(HPos::Left)))?;
        let (top, bottom) = (y - SMALL / 2, y + SMALL / 2);
        covered.push(Rect { left: x - 6, top, right: bounds.right, bottom });
    }
    Ok(covered)
}

/// The label of a tick of the time axis: only 1, 2 and 5 of each decade have one, because the
/// labels of all ticks would overlap.
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
    fn the_time_axis_has_few_short_labels() {
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
