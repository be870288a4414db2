//! Win rates against the CPU time of a game.
//!
//! The names stand beside the chart, in the order of the points from top to bottom, each with a
//! line to its point. The points of a series have one colour, and those of a curve are joined.

use anyhow::{Result, bail, ensure};
use plotters::chart::SeriesLabelPosition::LowerRight;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::input::{Content, Figure, ResultFile};
use super::style::{
    Area, BAR, COLOURS, FONT, GREY, SMALL, chart_builder, draw_axes, draw_legend, setting_names,
};
use crate::report::run::Setting;
use crate::report::wilson;

/// The result of one player.
struct Point {
    name: String,
    /// CPU milliseconds per game.
    ms: f64,
    /// The share of games won, from 0 to 1.
    share: f64,
    /// The interval of the share.
    interval: (f64, f64),
    series: Series,
}

/// What a point belongs to.
#[derive(Clone, PartialEq)]
enum Series {
    /// The reports of this judge.
    Reports,
    /// The rows of tables that belong to no curve.
    Figures,
    /// The rows of tables that belong to a curve of this name.
    Curve(String),
}

impl Series {
    /// The name in the legend.
    fn name(&self) -> &str {
        match self {
            Series::Reports => "measured by this judge",
            Series::Figures => "figures from a table",
            Series::Curve(name) => name,
        }
    }
}

/// The points of all inputs. A report without a given name is named by the parts of its setting
/// that differ, or by its effort.
///
/// # Errors
/// The reports have different boards or rules, or an input is a calibration.
fn points(inputs: &[ResultFile], first: Option<&Setting>) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for (ResultFile { path, name, setting, content }, own) in
        inputs.iter().zip(setting_names(inputs).1)
    {
        if let (Some(setting), Some(first)) = (setting, first) {
            ensure!(
                (&setting.boards, &setting.rule) == (&first.boards, &first.rule),
                "{path} has different boards or rules than the other reports; plot it separately"
            );
        }
        match content {
            Content::Report(report) => {
                let effort = setting.as_ref().map(|setting| format!("{} effort", setting.effort));
                let own = if own.is_empty() { effort.unwrap_or_default() } else { own };
                points.push(Point {
                    name: name.clone().unwrap_or_else(|| format!("Sapper, {own}")),
                    ms: report.cpu_ms_a_game,
                    share: report.win_rate,
                    interval: report.win_interval,
                    series: Series::Reports,
                });
            }
            Content::Figures(figures) => points.extend(figures.iter().map(|figure| {
                let Figure { ref name, games, percent, ms, interval, ref curve } = *figure;
                let share = percent / 100.0;
                let interval = match interval {
                    Some(half) => (share - half / 100.0, share + half / 100.0),
                    None => wilson((share * games as f64).round() as u64, games),
                };
                let series = curve.clone().map_or(Series::Figures, Series::Curve);
                Point { name: name.clone(), ms, share, interval, series }
            })),
            Content::Calibration(_) => {
                bail!("{path} is a calibration, which has no win rate; plot it separately")
            }
        }
    }
    Ok(points)
}

pub fn draw(area: &Area, inputs: &[ResultFile], title: Option<&str>) -> Result<()> {
    let first = inputs.iter().find_map(|input| input.setting.as_ref());
    let points = points(inputs, first)?;
    let boards = first.map(|setting| format!(": {}, {}", setting.boards, setting.rule));
    let default_title = format!("Games won against time{}", boards.unwrap_or_default());
    let (fastest, slowest) = span(points.iter().map(|point| (point.ms, point.ms)));
    let (low, high) = span(points.iter().map(|point| point.interval));
    let margin = ((high - low) / 10.0).max(0.005);
    let y = 100.0 * (low - margin).max(0.0)..100.0 * (high + margin).min(1.0);
    let letters = TextStyle::from((FONT, SMALL)).pos(Pos::new(HPos::Left, VPos::Center));
    let longest = points.iter().map(|point| point.name.chars().count()).max().unwrap_or(0) as i32;
    let mut chart = chart_builder(area, title.unwrap_or(&default_title))
        .margin_right(longest * SMALL / 2 + 2 * LINE)
        .build_cartesian_2d((fastest / 1.5..slowest * 1.5).log_scale(), y.clone())?;
    let axes = ["CPU milliseconds per game", "games won, %, with 95 % intervals"];
    draw_axes(&mut chart, axes, |ms| decade_label(*ms), |percent| format!("{percent:.1}"))?;
    let mut all_series: Vec<&Series> = Vec::new();
    for Point { series, .. } in &points {
        if !all_series.contains(&series) {
            all_series.push(series);
        }
    }
    for (series, colour) in all_series.into_iter().zip(COLOURS.into_iter().cycle()) {
        // Only figures without a curve have empty circles.
        let style = match series {
            Series::Figures => colour.stroke_width(1),
            Series::Reports | Series::Curve(_) => colour.filled(),
        };
        let members = || points.iter().filter(|point| point.series == *series);
        if matches!(series, Series::Curve(_)) {
            let mut places: Vec<(f64, f64)> =
                members().map(|point| (point.ms, 100.0 * point.share)).collect();
            places.sort_by(|a, b| a.0.total_cmp(&b.0));
            chart.draw_series(LineSeries::new(places, colour))?;
        }
        let bars = members().map(|point| {
            let (low, high) = point.interval;
            let [low, middle, high] = [low, point.share, high].map(|share| 100.0 * share);
            ErrorBar::new_vertical(point.ms, low, middle, high, style, BAR)
        });
        let sign = move |(x, y)| Circle::new((x + 14, y), BAR / 2, style);
        chart.draw_series(bars)?.label(series.name()).legend(sign);
    }
    draw_legend(&mut chart, LowerRight)?;

    let (right, bottom) = chart.backend_coord(&(slowest * 1.5, y.start));
    let mut named: Vec<((i32, i32), &str)> = points
        .iter()
        .map(|point| (chart.backend_coord(&(point.ms, 100.0 * point.share)), point.name.as_str()))
        .collect();
    named.sort_by_key(|((_, y), _)| *y);
    let heights = name_heights(named.iter().map(|((_, y), _)| *y), bottom);
    for (((x, y), name), height) in named.into_iter().zip(heights) {
        let end = (right + LINE, height);
        area.draw(&PathElement::new([(x + BAR as i32, y), end], GREY.mix(0.5)))?;
        area.draw(&Text::new(name, (end.0 + 4, height), letters.clone()))?;
    }
    Ok(())
}

/// The distance of two names, in pixels.
const LINE: i32 = SMALL + 4;

/// The heights of names in pixels from the top: those of their points, where names do not overlap
/// and none is below `bottom`. `points` are in order from the top.
fn name_heights(points: impl Iterator<Item = i32>, bottom: i32) -> Vec<i32> {
    let mut heights: Vec<i32> = points.collect();
    for index in 1..heights.len() {
        heights[index] = heights[index].max(heights[index - 1] + LINE);
    }
    for (height, names_below) in heights.iter_mut().rev().zip(0..) {
        *height = (*height).min(bottom - names_below * LINE);
    }
    heights
}

/// The least lower end and the greatest upper end.
fn span(intervals: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    intervals.fold((f64::INFINITY, 0.0_f64), |(low, high), interval| {
        (low.min(interval.0), high.max(interval.1))
    })
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
    fn names_do_not_overlap() {
        assert_eq!(name_heights([50, 51, 200, 395].into_iter(), 400), [50, 68, 200, 395]);
        assert_eq!(name_heights([380, 390, 399].into_iter(), 400), [364, 382, 400]);
        assert!(name_heights(std::iter::empty(), 400).is_empty());
    }

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
