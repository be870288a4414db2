//! The exploration of boards: games by the share of safe cells that were open at the end, as ten
//! bars, or ten groups of bars for several results.

use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use sapper::base::text::pluralize;

use super::input::{Report, Series};
use super::style::{
    Area, COLOURS, FAINT, FONT, SMALL, SeriesInfo, SeriesNames, TITLE, interval, legend, letters,
    series_names,
};

pub fn draw(area: &Area, series: &[Series<Report>], title: Option<&str>) -> Result<()> {
    let info = series.iter().map(|&Series { name, data }| SeriesInfo {
        given_name: name,
        setting: &data.setting,
        size: pluralize(data.games, "game", "games"),
    });
    let SeriesNames { common, names } = series_names(info.collect())?;
    let default_title = format!("How far boards were explored: {common}");
    let bins = series.iter().flat_map(|one| &one.data.explored);
    let max_share = bins.map(|bin| bin.interval.1).fold(0.0, f64::max);
    let y_end = (100.0 * max_share * 1.12).min(112.0);
    let mut chart = ChartBuilder::on(area)
        .caption(title.unwrap_or(&default_title), (FONT, TITLE))
        .margin(14)
        .x_label_area_size(50)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..100.0, 0.0..y_end)?;
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
    for ((one, colour), index) in series.iter().zip(COLOURS).zip(0..) {
        for bin in &one.data.explored {
            // A tenth of the bin's width stays free on either side.
            let width = 0.8 * (bin.to - bin.from) / count;
            let left = bin.from + 0.1 * (bin.to - bin.from) + f64::from(index) * width;
            let at = |x: f64, share: f64| chart.backend_coord(&(100.0 * x, 100.0 * share));
            let (bottom, top) = (at(left, 0.0), at(left + width, bin.share));
            area.draw(&Rectangle::new([bottom, top], colour.mix(0.6).filled()))?;
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
    let (left, top) = chart.backend_coord(&(0.0, y_end));
    legend(area, (left + 20, top + 20), &names)
}
