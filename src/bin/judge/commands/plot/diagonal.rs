//! The calibration diagonal: the predicted odds of guesses against the observed share of mines.
//! Correct odds lie on the diagonal.

use anyhow::Result;
use plotters::prelude::*;
use sapper::base::text::pluralize;

use super::input::{Calibration, Series};
use super::style::{
    Area, COLOURS, FAINT, FONT, GREY, SMALL, SeriesInfo, SeriesNames, TITLE, interval, legend,
    series_names,
};

pub fn draw(area: &Area, series: &[Series<Calibration>], title: Option<&str>) -> Result<()> {
    let info = series.iter().map(|&Series { name, data }| SeriesInfo {
        given_name: name,
        setting: &data.setting,
        size: pluralize(data.guesses, "guess", "guesses"),
    });
    let SeriesNames { common, names } = series_names(info.collect())?;
    let default_title = format!("Predicted odds against observed mines: {common}");
    let bins = || series.iter().flat_map(|one| &one.data.bins);
    let x_end = bins().map(|bin| bin.to).fold(0.05, f64::max);
    // The interval of a bin with few guesses is long.
    let y_end = bins().map(|bin| bin.interval.1 + 0.03).fold(x_end, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(title.unwrap_or(&default_title), (FONT, TITLE))
        .margin(14)
        .x_label_area_size(50)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..x_end, 0.0..y_end)?;
    chart
        .configure_mesh()
        .bold_line_style(FAINT)
        .light_line_style(WHITE)
        .label_style((FONT, SMALL))
        .x_desc("predicted odds of a mine")
        .y_desc("observed share of mines, with 95 % intervals")
        .x_label_formatter(&|odds| format!("{odds:.2}"))
        .y_label_formatter(&|odds| format!("{odds:.2}"))
        .draw()?;
    let pixel = |x: f64, y: f64| chart.backend_coord(&(x, y));
    let diagonal = [pixel(0.0, 0.0), pixel(x_end.min(y_end), x_end.min(y_end))];
    area.draw(&PathElement::new(diagonal, GREY.stroke_width(1)))?;
    for (one, colour) in series.iter().zip(COLOURS) {
        for bin in &one.data.bins {
            let at = |observed: f64| pixel(bin.predicted, observed);
            interval(area, at(bin.interval.0), at(bin.interval.1), colour)?;
            area.draw(&Circle::new(at(bin.observed), 4, colour.filled()))?;
        }
    }
    let (left, top) = pixel(0.0, y_end);
    legend(area, (left + 20, top + 20), &names)
}
