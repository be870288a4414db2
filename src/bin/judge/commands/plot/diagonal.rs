//! Predicted odds against the share of mines that was seen: right odds lie on the diagonal.

use anyhow::Result;
use plotters::prelude::*;
use sapper::base::text::pluralize;

use super::input::{Calibration, Series};
use super::style::{Area, COLOURS, FAINT, FONT, GREY, SMALL, TITLE, interval, legend, names_of};

pub fn draw(area: &Area, series: &Series<Calibration>, title: Option<&str>) -> Result<()> {
    let settings = series.iter().map(|(name, calibration)| (*name, &calibration.setting));
    let (common, mut names) = names_of(settings)?;
    for (name, (_, calibration)) in names.iter_mut().zip(series) {
        let comma = if name.is_empty() { "" } else { ", " };
        name.push_str(&format!("{comma}{}", pluralize(calibration.guesses, "guess", "guesses")));
    }
    let own = format!("Odds against what lay there: {common}");
    let bins = || series.iter().flat_map(|(_, calibration)| &calibration.bins);
    let x = bins().map(|bin| bin.to).fold(0.05, f64::max);
    // An interval of few guesses may reach far above.
    let y = bins().map(|bin| bin.interval.1 + 0.03).fold(x, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(title.unwrap_or(&own), (FONT, TITLE))
        .margin(14)
        .x_label_area_size(50)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..x, 0.0..y)?;
    chart
        .configure_mesh()
        .bold_line_style(FAINT)
        .light_line_style(WHITE)
        .label_style((FONT, SMALL))
        .x_desc("odds of a mine, as predicted")
        .y_desc("share of mines seen, with 95 % intervals")
        .x_label_formatter(&|odds| format!("{odds:.2}"))
        .y_label_formatter(&|odds| format!("{odds:.2}"))
        .draw()?;
    let place = |x: f64, y: f64| chart.backend_coord(&(x, y));
    let diagonal = [place(0.0, 0.0), place(x.min(y), x.min(y))];
    area.draw(&PathElement::new(diagonal, GREY.stroke_width(1)))?;
    for ((_, calibration), colour) in series.iter().zip(COLOURS) {
        for bin in &calibration.bins {
            let at = |observed: f64| place(bin.predicted, observed);
            interval(area, at(bin.interval.0), at(bin.interval.1), colour)?;
            area.draw(&Circle::new(at(bin.observed), 4, colour.filled()))?;
        }
    }
    let (left, top) = place(0.0, y);
    legend(area, (left + 20, top + 20), &names)
}
