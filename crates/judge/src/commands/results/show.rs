//! `judge results show`: tables of the stored figures.

use anyhow::Result;
use serde::Serialize;

use super::folder::FolderOptions;
use super::game_report::{MeasurementReport, differences_table, results_table};
use super::measurement::{Kind, Measurement, Size};
use super::odds_report::{OddsReport, odds_table};
use super::store::Figures;
use crate::cli::{Outcome, print_report};
use crate::report::table::{Column, table};
use crate::runner::messages::errln;

/// Show the stored figures of the list.
///
/// Figures count that are of the play whose signature is committed; the others are named.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge results show
  judge results show safe-full opens-full --size record
  judge results show --size day --json

Exit code: 0 all boards of the size are measured, 1 some are not, 2 bad input.")]
pub struct Arguments {
    /// Names of measurements [default: all of the list]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    folder: FolderOptions,
    /// Size whose boards count
    #[arg(long, value_enum, default_value_t = Size::Record)]
    size: Size,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let list = arguments.folder.measurements(&arguments.names)?;
    let figures = Figures::read(&[&arguments.folder.figures()?])?;
    let report = Report::of(&list, arguments.size, &figures);
    print_report(arguments.json, || &report, || report.text());
    Ok(Outcome::from(report.is_whole()))
}

/// Prints how many boards of a size are measured, and returns whether all are. `--json` has the
/// figures too, as those of `judge results show`.
pub fn print_progress(list: &[Measurement], size: Size, figures: &Figures, is_json: bool) -> bool {
    let report = Report::of(list, size, figures);
    print_report(is_json, || &report, || format!("{}\n", table(&PROGRESS, &report.progress())));
    report.is_whole()
}

/// What is told of the figures: `--json` prints the fields.
#[derive(Serialize)]
pub struct Report {
    /// The measurements of games, and those of odds.
    pub measurements: Vec<MeasurementReport>,
    pub odds: Vec<OddsReport>,
}

/// How much of a measurement was made.
struct Progress {
    name: String,
    count: u64,
    of: u32,
    is_of_other_play: bool,
}

const PROGRESS: [Column<Progress>; 3] = [
    ("measurement", |one| one.name.clone()),
    ("boards", |one| one.count.to_string()),
    ("of", |one| one.of.to_string()),
];

impl Report {
    /// The figures of these measurements.
    pub fn of(list: &[Measurement], size: Size, figures: &Figures) -> Report {
        let mut report = Report { measurements: Vec::new(), odds: Vec::new() };
        for one in list {
            match &one.kind {
                Kind::Games(games) => {
                    report.measurements.push(MeasurementReport::of(one, games, size, figures));
                }
                Kind::Odds(odds) => report.odds.push(OddsReport::of(one, odds, size, figures)),
            }
        }
        report
    }

    /// How much of each measurement was made.
    fn progress(&self) -> Vec<Progress> {
        let games = self.measurements.iter().map(|one| Progress {
            name: one.name.clone(),
            count: one.games,
            of: one.of,
            is_of_other_play: one.is_of_other_play,
        });
        let odds = self.odds.iter().map(|one| Progress {
            name: one.name.clone(),
            count: one.positions,
            of: one.of,
            is_of_other_play: one.is_of_other_play,
        });
        games.chain(odds).collect()
    }

    /// Whether every board and position of the size was measured.
    fn is_whole(&self) -> bool {
        self.progress().iter().all(|one| one.count == u64::from(one.of))
    }

    fn text(&self) -> String {
        let measured: Vec<_> = self.measurements.iter().filter(|one| one.games > 0).collect();
        let odds: Vec<_> = self.odds.iter().filter(|one| one.positions > 0).collect();
        let progress = self.progress();
        let others = progress.iter().filter(|one| one.is_of_other_play);
        let others: Vec<&str> = others.map(|one| one.name.as_str()).collect();
        if !others.is_empty() {
            errln!(
                "of another play than today's, or of another line of the list: {}",
                others.join(", ")
            );
        }
        let mut tables = Vec::new();
        if !measured.is_empty() || odds.is_empty() {
            tables.push(results_table(&measured));
        }
        if measured.iter().any(|one| !one.less.is_empty()) {
            tables.push(differences_table(&measured));
        }
        if !odds.is_empty() {
            tables.push(odds_table(&odds));
        }
        let texts: Vec<String> = tables.iter().map(|table| format!("{table}\n")).collect();
        texts.join("\n")
    }
}
