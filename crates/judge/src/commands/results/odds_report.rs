//! The figures of measurements of odds as a table.

use serde::Serialize;

use super::figure::Made;
use super::measurement::{Measurement, Size};
use super::odds::Odds;
use super::odds_sums::OddsSums;
use super::store::{Added, Figures, Outdated};
use crate::report::table::Format::Decimals;
use crate::report::table::{Column, table};

/// The figures of a measurement of odds.
#[derive(Serialize)]
pub struct OddsReport {
    pub name: String,
    /// What is measured, as the list says it.
    what: String,
    /// The positions that were measured, and those of the size.
    pub positions: u64,
    pub of: u32,
    /// Why figures of other odds of the engine do not count, where there are none of today's.
    pub outdated: Option<Outdated>,
    /// The positions whose odds were computed exactly, and those of them that agree with the
    /// engine.
    pub solved: u64,
    pub agreeing: u64,
    /// The times of the solved positions, in microseconds.
    pub median_us: Option<f64>,
    pub p99_us: Option<f64>,
    #[serde(flatten)]
    made: Made,
}

const ODDS: [Column<OddsReport>; 6] = [
    ("measurement", |one| one.name.clone()),
    ("positions", |one| Decimals(0).text(&one.positions)),
    ("exact", |one| Decimals(0).text(&one.solved)),
    ("agreeing", |one| Decimals(0).text(&one.agreeing)),
    ("median us", |one| Decimals(0).text(&one.median_us)),
    ("99 % us", |one| Decimals(0).text(&one.p99_us)),
];

/// The odds of measurements as a table.
pub fn odds_table(measurements: &[&OddsReport]) -> comfy_table::Table {
    table(&ODDS, measurements.iter().copied())
}

/// Whether figures of this play are of the odds that the engine has today: its own figures, and
/// those of a program that was compared with them.
fn is_of_today(odds: &Odds, play: &[String]) -> bool {
    let len = if odds.program.is_some() { 2 } else { 1 };
    play.len() == len && play.last().is_some_and(|play| play == odds.set.committed)
}

impl OddsReport {
    /// The figures of a size of a measurement, which is of these odds.
    pub fn of(measurement: &Measurement, of: &Odds, size: Size, figures: &Figures) -> OddsReport {
        let is_of_today = |play: &[String]| is_of_today(of, play);
        let Added { sums, last } = figures.sum(measurement, size, is_of_today);
        let OddsSums { positions, solved, agreeing, .. } = sums;
        OddsReport {
            name: measurement.name.clone(),
            what: measurement.to_string(),
            positions,
            of: measurement.count(size),
            outdated: figures.outdated(measurement, positions),
            solved,
            agreeing,
            median_us: sums.quantile_us(0.5),
            p99_us: sums.quantile_us(0.99),
            made: Made::of(last),
        }
    }
}
