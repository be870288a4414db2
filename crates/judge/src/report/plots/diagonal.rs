//! The calibration diagonal: the predicted odds of guesses against the observed share of mines, or
//! the predicted chances to win against the observed share of games won. Correct predictions lie on
//! the diagonal.

use anyhow::{Result, bail};
use plotters::chart::SeriesLabelPosition::UpperLeft;
use plotters::prelude::*;

use super::input::{Calibration, CalibrationKind};
use super::style::{
    Area, BAR, COLOURS, GREY, Series, chart_builder, colour_sign, draw_axes, draw_legend,
};

pub fn draw(
    area: &Area,
    Series { common, all }: &Series<Calibration>,
    title: Option<&str>,
) -> Result<()> {
    let kind = all.first().map_or(CalibrationKind::Odds, |(calibration, _)| calibration.kind);
    if all.iter().any(|(calibration, _)| calibration.kind != kind) {
        bail!("odds of mines and chances to win are two pictures; draw their files one by one");
    }
    let (title_words, axes) = match kind {
        CalibrationKind::Odds => (
            "Predicted odds against observed mines",
            ["predicted odds of a mine", "observed share of mines, with 95 % intervals"],
        ),
        CalibrationKind::Chance => (
            "Predicted chances against games won",
            ["predicted chance to win", "observed share of games won, with 95 % intervals"],
        ),
    };
    let default_title = format!("{title_words}: {common}");
    let bins = || all.iter().flat_map(|(calibration, _)| &calibration.bins);
    let x_end = bins().map(|bin| bin.to).fold(0.05, f64::max);
    // The interval of a bin with few guesses is long.
    let y_end = bins().map(|bin| bin.interval.1 + 0.03).fold(x_end, f64::max);
    let mut chart = chart_builder(area, title.unwrap_or(&default_title))
        .build_cartesian_2d(0.0..x_end, 0.0..y_end)?;
    let label = |predicted: &f64| format!("{predicted:.2}");
    draw_axes(&mut chart, axes, label, label)?;
    let end = x_end.min(y_end);
    chart.draw_series(LineSeries::new([(0.0, 0.0), (end, end)], GREY))?;
    for ((calibration, name), colour) in all.iter().zip(COLOURS) {
        let bins = calibration.bins.iter().map(|bin| {
            let (low, high) = bin.interval;
            ErrorBar::new_vertical(bin.predicted, low, bin.observed, high, colour.filled(), BAR)
        });
        chart.draw_series(bins)?.label(name).legend(move |at| colour_sign(colour, at));
    }
    draw_legend(&mut chart, UpperLeft)
}
