//! Games by how much of the safe cells was open at the end: ten bars, or ten groups of bars.

use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use sapper::base::text::pluralize;

use super::input::{Report, Series};
use super::style::{Area, COLOURS, FAINT, FONT, SMALL, TITLE, interval, legend, letters, names_of};

pub fn draw(area: &Area, series: &Series<Report>, title: Option<&str>) -> Result<()> {
    let settings = series.iter().map(|(name, report)| (*name, &report.setting));
    let (common, mut names) = names_of(settings)?;
    for (name, (_, report)) in names.iter_mut().zip(series) {
        let comma = if name.is_empty() { "" } else { ", " };
        name.push_str(&format!("{comma}{}", pluralize(report.games, "game", "games")));
    }
    let own = format!("How far boards were explored: {common}");
    let shares = || series.iter().flat_map(|(_, report)| &report.explored);
    let high = shares().map(|bin| bin.interval.1).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(title.unwrap_or(&own), (FONT, TITLE))
        .margin(14)
        .x_label_area_size(50)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..100.0, 0.0..(100.0 * high * 1.12).min(112.0))?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(FAINT)
        .light_line_style(WHITE)
        .label_style((FONT, SMALL))
        .x_labels(11)
        .x_desc("safe cells open at the end, %")
        .y_desc("games, %, with 95 % intervals")
        .x_label_formatter(&|percent| format!("{percent:.0}"))
        .y_label_formatter(&|percent| format!("{percent:.0}"))
        .draw()?;
    let count = series.len() as f64;
    for (((_, report), colour), index) in series.iter().zip(COLOURS).zip(0..) {
        for bin in &report.explored {
            // A tenth of the bin's width stays free on either side.
            let width = 0.8 * (bin.to - bin.from) / count;
            let left = bin.from + 0.1 * (bin.to - bin.from) + f64::from(index) * width;
            let at = |x: f64, share: f64| chart.backend_coord(&(100.0 * x, 100.0 * share));
            let (foot, head) = (at(left, 0.0), at(left + width, bin.share));
            area.draw(&Rectangle::new([foot, head], colour.mix(0.6).filled()))?;
            let middle = left + width / 2.0;
            let high = at(middle, bin.interval.1);
            interval(area, at(middle, bin.interval.0), high, BLACK)?;
            if series.len() == 1 {
                let text = format!("{:.1}", 100.0 * bin.share);
                let above = (high.0, high.1 - SMALL);
                area.draw(&Text::new(text, above, letters(HPos::Center)))?;
            }
        }
    }
    let (left, top) = chart.backend_coord(&(0.0, (100.0 * high * 1.12).min(112.0)));
    legend(area, (left + 20, top + 20), &names)
}
