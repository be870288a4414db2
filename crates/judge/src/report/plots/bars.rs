//! The exploration of boards: games by the share of safe cells that were open at the end, as ten
//! bars, or ten groups of bars for several results.

use anyhow::Result;
use plotters::chart::SeriesLabelPosition::UpperLeft;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::input::Report;
use super::style::{
    Area, BAR, COLOURS, FONT, SMALL, Series, chart_builder, colour_sign, draw_axes, draw_legend,
};

pub fn draw(
    area: &Area,
    Series { common, all }: &Series<Report>,
    title: Option<&str>,
) -> Result<()> {
    let default_title = format!("How far boards were explored: {common}");
    let bins = all.iter().flat_map(|(report, _)| &report.explored);
    let max_share = bins.map(|bin| bin.interval.1).fold(0.0, f64::max);
    let y_end = (100.0 * max_share * 1.12).min(112.0);
    let mut chart = chart_builder(area, title.unwrap_or(&default_title))
        .build_cartesian_2d(0.0..100.0, 0.0..y_end)?;
    let axes = ["safe cells open at the end, %", "games, %, with 95 % intervals"];
    let label = |percent: &f64| format!("{percent:.0}");
    draw_axes(&mut chart, axes, label, label)?;
    for (((report, name), colour), index) in all.iter().zip(COLOURS).zip(0..) {
        // A tenth of the bin's width stays free on either side.
        let bars = report.explored.iter().map(|bin| {
            let bin_width = 100.0 * (bin.to - bin.from);
            let width = 0.8 * bin_width / all.len() as f64;
            (bin, 100.0 * bin.from + 0.1 * bin_width + f64::from(index) * width, width)
        });
        let rectangles = bars.clone().map(|(bin, left, width)| {
            let corners = [(left, 0.0), (left + width, 100.0 * bin.share)];
            Rectangle::new(corners, colour.mix(0.6).filled())
        });
        let sign = move |at| colour_sign(colour, at);
        chart.draw_series(rectangles)?.label(name).legend(sign);
        chart.draw_series(bars.clone().map(|(bin, left, width)| {
            let [low, middle, high] =
                [bin.interval.0, bin.share, bin.interval.1].map(|share| 100.0 * share);
            ErrorBar::new_vertical(left + width / 2.0, low, middle, high, BLACK.filled(), BAR)
        }))?;
        if all.len() == 1 {
            let above = Pos::new(HPos::Center, VPos::Bottom);
            let letters = TextStyle::from((FONT, SMALL)).pos(above);
            chart.draw_series(bars.map(|(bin, left, width)| {
                let at = (left + width / 2.0, 100.0 * bin.interval.1);
                EmptyElement::at(at)
                    + Text::new(format!("{:.1}", 100.0 * bin.share), (0, -3), letters.clone())
            }))?;
        }
    }
    draw_legend(&mut chart, UpperLeft)
}
