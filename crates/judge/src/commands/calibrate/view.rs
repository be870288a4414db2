//! The report of a calibration: its fields are what `--json` prints, and its bins are the rows of
//! the table and of the CSV file.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use sapper::kit::text::pluralize;
use serde::Serialize;

use crate::report::guess_bins::{Check, FALSE_ALARMS, GuessBins};
use crate::report::run::Setting;
use crate::report::{BinReport, CsvWriter, Over, bin_reports, bins_table};

/// The report of a calibration.
#[derive(Serialize)]
pub struct Report {
    setting: Setting,
    games: u64,
    /// The guesses with exact odds.
    guesses: u64,
    /// The guesses with approximate odds, which are left out.
    approximate: u64,
    pub false_proofs: u64,
    bins: Vec<BinReport>,
    /// The result of the chi-square test; `None` with too few guesses.
    chi_square: Option<f64>,
    degrees_of_freedom: Option<usize>,
    p_value: Option<f64>,
    /// The p-value below which the odds are off.
    false_alarms: f64,
    off: Option<bool>,
    #[serde(skip)]
    check: Option<Check>,
    /// All guesses as one bin.
    #[serde(skip)]
    total: BinReport,
}

/// A row of the CSV file: a bin, with the two ends of its interval.
#[derive(Default, Serialize)]
struct CsvRow {
    from: f64,
    to: f64,
    guesses: u64,
    mines: u64,
    predicted: f64,
    observed: f64,
    low: f64,
    high: f64,
    z: f64,
}

impl CsvRow {
    fn of(bin: &BinReport) -> CsvRow {
        let BinReport { from, to, guesses, mines, predicted, observed, interval, z } = *bin;
        let (low, high) = interval;
        CsvRow { from, to, guesses, mines, predicted, observed, low, high, z }
    }
}

impl Report {
    /// The report of these guesses.
    pub fn of(tally: &GuessBins, setting: Setting) -> Report {
        let found = tally.check();
        let check = found.as_ref();
        Report {
            setting,
            games: tally.games,
            guesses: tally.guesses(),
            approximate: tally.approximate,
            false_proofs: tally.false_proofs,
            bins: bin_reports(tally),
            chi_square: check.map(|check| check.chi_square),
            degrees_of_freedom: check.map(|check| check.degrees),
            p_value: check.map(|check| check.p_value),
            false_alarms: FALSE_ALARMS,
            off: check.map(Check::fails),
            check: found,
            total: BinReport::of(0.0, 1.0, &tally.total()),
        }
    }

    /// Whether the odds are refuted, or a proof was false.
    pub fn fails(&self) -> bool {
        self.off == Some(true) || self.false_proofs > 0
    }

    pub fn text(&self) -> String {
        let table = bins_table(&self.bins, &self.total);
        let games = pluralize(self.games, "game", "games");
        let mut text = format!("{games}, {}", pluralize(self.guesses, "guess", "guesses"));
        if self.approximate > 0 {
            let _ = write!(text, "; {} with approximate odds left out", self.approximate);
        }
        let _ = writeln!(text, "\n\n{table}\n");
        let few = || "Too few guesses to check.".to_owned();
        let verdict = self.check.as_ref().map_or_else(few, Check::to_string);
        let _ = writeln!(text, "{verdict}");
        text
    }

    /// Creates the CSV file, before the work whose results it will have.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create_csv(path: Option<&Path>, over: Over) -> Result<CsvWriter> {
        CsvWriter::create(path, over, &CsvRow::default())
    }

    /// Writes the rows of the CSV file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_csv(&self, mut csv: CsvWriter) -> Result<()> {
        self.bins.iter().try_for_each(|bin| csv.add(CsvRow::of(bin)))?;
        csv.finish()
    }
}
