//! `judge results show`: tables of the stored figures.

use std::fmt;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::Serialize;

use super::ceiling_report::{CeilingReport, ceilings_table};
use super::folder::FolderOptions;
use super::game_report::{MeasurementReport, differences_table, results_table};
use super::measurement::{Kind, Measurement, Size};
use super::odds_report::{OddsReport, odds_table};
use super::store::{Figures, Outdated};
use crate::cli::{Outcome, print_report};
use crate::report::table::{Column, table};
use crate::runner::messages::errln;

/// Show the stored figures of the list.
///
/// Figures count that are of the play whose signature is committed. Measurements that have none, or
/// not all of the size, are named on stderr.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge results show
  judge results show safe-full opens-full --size record
  judge results show --size day --json
  judge results show --size try --figures share-1-of-2.jsonl

Exit code: 0 all boards of the size are measured, 1 some are not, 2 bad input.")]
pub struct Arguments {
    /// Names of measurements [default: all of the list]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    folder: FolderOptions,
    /// File of figures, as `judge results run --to` writes it [default: figures.jsonl]
    #[arg(long, value_name = "FILE")]
    figures: Option<PathBuf>,
    /// Size whose boards count
    #[arg(long, value_enum, default_value_t = Size::Record)]
    size: Size,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let list = arguments.folder.measurements(&arguments.names)?;
    let path = match &arguments.figures {
        Some(path) => {
            ensure!(path.is_file(), "{} does not exist", path.display());
            path.clone()
        }
        None => arguments.folder.figures()?,
    };
    let figures = Figures::read(&[&path])?;
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
#[derive(Default, Serialize)]
pub struct Report {
    /// The measurements of games, those of odds, and those of what is left for play.
    pub measurements: Vec<MeasurementReport>,
    pub odds: Vec<OddsReport>,
    pub ceilings: Vec<CeilingReport>,
}

/// How much of a measurement was made.
pub struct Progress {
    pub name: String,
    count: u64,
    of: u32,
    outdated: Option<Outdated>,
}

const PROGRESS: [Column<Progress>; 3] = [
    ("measurement", |one| one.name.clone()),
    ("boards", |one| one.count.to_string()),
    ("of", |one| one.of.to_string()),
];

/// What may be missing of a measurement: how it is told, and whether it is.
type Gap = (&'static str, fn(&Progress) -> bool);
const GAPS: [Gap; 4] = [
    ("of another play than today's", |one| one.outdated == Some(Outdated::Play)),
    ("of another line of the list", |one| one.outdated == Some(Outdated::Line)),
    ("not measured", |one| one.count == 0 && one.outdated.is_none()),
    ("incomplete", Progress::is_begun),
];

impl Progress {
    fn is_whole(&self) -> bool {
        self.count == u64::from(self.of)
    }

    /// Whether a part of the boards was measured, and not all.
    fn is_begun(&self) -> bool {
        self.count > 0 && !self.is_whole()
    }
}

/// The name, and how much was made if not all was.
impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { name, count, of, .. } = self;
        match count {
            0 => f.write_str(name),
            _ => write!(f, "{name} ({count} of {of})"),
        }
    }
}

impl Report {
    /// The figures of these measurements.
    pub fn of(list: &[Measurement], size: Size, figures: &Figures) -> Report {
        let mut report = Report::default();
        for one in list {
            match &one.kind {
                Kind::Games(games) => {
                    report.measurements.push(MeasurementReport::of(one, games, size, figures));
                }
                Kind::Odds(odds) => report.odds.push(OddsReport::of(one, odds, size, figures)),
                Kind::Ceiling(ceiling) => {
                    report.ceilings.push(CeilingReport::of(one, ceiling, size, figures));
                }
            }
        }
        report
    }

    /// How much was made of each measurement that has boards or positions in the size.
    fn progress(&self) -> Vec<Progress> {
        let games = self.measurements.iter().map(|one| Progress {
            name: one.name.clone(),
            count: one.games,
            of: one.of,
            outdated: one.outdated,
        });
        let odds = self.odds.iter().map(|one| Progress {
            name: one.name.clone(),
            count: one.positions,
            of: one.of,
            outdated: one.outdated,
        });
        let ceilings = self.ceilings.iter().map(|one| Progress {
            name: one.name.clone(),
            count: one.games,
            of: one.of,
            outdated: one.outdated,
        });
        games.chain(odds).chain(ceilings).filter(|one| one.of > 0).collect()
    }

    /// The measurements of which a part of the boards was measured, and not all.
    pub fn incomplete(&self) -> impl Iterator<Item = Progress> {
        self.progress().into_iter().filter(Progress::is_begun)
    }

    /// Whether every board and position of the size was measured.
    fn is_whole(&self) -> bool {
        self.progress().iter().all(Progress::is_whole)
    }

    fn text(&self) -> String {
        let measured: Vec<_> = self.measurements.iter().filter(|one| one.games > 0).collect();
        let odds: Vec<_> = self.odds.iter().filter(|one| one.positions > 0).collect();
        let ceilings: Vec<_> = self.ceilings.iter().filter(|one| one.games > 0).collect();
        let progress = self.progress();
        for (what, is_of) in GAPS {
            let names = progress.iter().filter(|one| is_of(one)).map(Progress::to_string);
            let names: Vec<String> = names.collect();
            if !names.is_empty() {
                errln!("{what}: {}", names.join(", "));
            }
        }
        let mut tables = Vec::new();
        if !measured.is_empty() {
            tables.push(results_table(&measured));
        }
        if measured.iter().any(|one| !one.less.is_empty()) {
            tables.push(differences_table(&measured));
        }
        if !odds.is_empty() {
            tables.push(odds_table(&odds));
        }
        if !ceilings.is_empty() {
            tables.push(ceilings_table(&ceilings));
        }
        let texts: Vec<String> = tables.iter().map(|table| format!("{table}\n")).collect();
        texts.join("\n")
    }
}
