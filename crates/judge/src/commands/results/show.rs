//! `judge results show`: tables of the stored figures.

use anyhow::Result;
use fixtures::signature::committed_hash;
use game::rule::Rule;
use serde::Serialize;

use super::figure::{PairedSums, Sums};
use super::folder::FolderOptions;
use super::list::{Measurement, Player, Size};
use super::machine::Machine;
use super::player::signature_part;
use super::store::{Added, Figures};
use crate::cli::{Outcome, print_report};
use crate::report::table::Format::{Decimals, Percent, Signed};
use crate::report::table::{Column, table};
use crate::report::{Mean, wilson};
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

/// Whether figures of this play are of the measurement's play of today: of the engine's committed
/// signature. A bot's games are of no version of the engine.
pub fn is_of_today(measurement: &Measurement, play: &[String]) -> bool {
    let others = measurement.less.iter().map(|(_, player)| player);
    let players: Vec<&Player> = [&measurement.player].into_iter().chain(others).collect();
    let is_same = |(player, play): (&&Player, &String)| match player {
        Player::Bot(_) => true,
        Player::Engine(strength) => {
            committed_hash(signature_part(strength, measurement.rule())).as_ref() == Some(play)
        }
    };
    players.len() == play.len() && players.iter().zip(play).all(is_same)
}

/// Prints how many boards of a size are measured, and returns whether all are. `--json` has the
/// figures too, as those of `judge results show`.
pub fn print_progress(list: &[Measurement], size: Size, figures: &Figures, is_json: bool) -> bool {
    let report = Report::of(list, size, figures);
    print_report(is_json, || &report, || format!("{}\n", table(&PROGRESS, &report.measurements)));
    report.is_whole()
}

/// What is told of the figures: `--json` prints the fields.
#[derive(Serialize)]
pub struct Report {
    pub measurements: Vec<MeasurementReport>,
}

/// The figures of a measurement.
#[derive(Serialize)]
pub struct MeasurementReport {
    pub name: String,
    /// What is measured, as the list says it.
    what: String,
    rule: Rule,
    /// The boards that were measured, and those of the size.
    pub games: u64,
    of: u32,
    /// Whether there are figures of another play, and none of today's.
    is_of_other_play: bool,
    /// The share of games won, with its interval.
    pub won: Option<f64>,
    pub won_interval: Option<(f64, f64)>,
    /// Mines opened a game.
    pub mines: Option<f64>,
    pub mines_interval: Option<(f64, f64)>,
    /// Without the luck of the guesses: games won by a classic rule, else mines.
    pub adjusted: Option<f64>,
    pub adjusted_interval: Option<(f64, f64)>,
    pub cpu_ms: Option<f64>,
    /// The games that ended with a fault of the bot.
    faults: u64,
    pub less: Vec<DifferenceReport>,
    /// How the last part was made.
    version: Option<String>,
    command: Option<String>,
    machine: Option<Machine>,
}

/// The difference of two measurements on the same boards.
#[derive(Serialize)]
pub struct DifferenceReport {
    #[serde(skip)]
    name: String,
    pub than: String,
    boards: u64,
    /// Games won, in points.
    pub points: Option<f64>,
    pub points_interval: Option<(f64, f64)>,
    pub mines: Option<f64>,
    pub mines_interval: Option<(f64, f64)>,
    /// Without the luck: points by a classic rule, else mines.
    pub adjusted: Option<f64>,
    pub adjusted_interval: Option<(f64, f64)>,
    #[serde(skip)]
    is_classic: bool,
}

const PROGRESS: [Column<MeasurementReport>; 3] = [
    ("measurement", |one| one.name.clone()),
    ("boards", |one| Decimals(0).text(&one.games)),
    ("of", |one| Decimals(0).text(&one.of)),
];

const MEASUREMENTS: [Column<MeasurementReport>; 10] = [
    ("measurement", |one| one.name.clone()),
    ("boards", |one| Decimals(0).text(&one.games)),
    ("won %", |one| Percent(2).text(&one.won)),
    ("95 %", |one| Percent(2).text(&one.won_interval)),
    ("mines", |one| Decimals(4).text(&one.mines)),
    ("95 %", |one| Decimals(4).text(&one.mines_interval)),
    ("adjusted", |one| scaled(one.is_classic()).text(&one.adjusted)),
    ("95 %", |one| scaled(one.is_classic()).text(&one.adjusted_interval)),
    ("CPU ms", |one| Decimals(3).text(&one.cpu_ms)),
    ("faults", |one| Decimals(0).text(&one.faults)),
];

const DIFFERENCES: [Column<DifferenceReport>; 9] = [
    ("measurement", |one| one.name.clone()),
    ("less", |one| one.than.clone()),
    ("boards", |one| Decimals(0).text(&one.boards)),
    ("points", |one| Signed(2).text(&one.points)),
    ("95 %", |one| Signed(2).text(&one.points_interval)),
    ("mines", |one| Signed(4).text(&one.mines)),
    ("95 %", |one| Signed(4).text(&one.mines_interval)),
    ("adjusted", |one| signed(one.is_classic).text(&one.adjusted)),
    ("95 %", |one| signed(one.is_classic).text(&one.adjusted_interval)),
];

/// The format of an adjusted result: games won in percent, or mines.
pub fn scaled(is_classic: bool) -> crate::report::table::Format {
    if is_classic { Percent(2) } else { Decimals(4) }
}

/// The format of a difference of adjusted results: points, or mines.
pub fn signed(is_classic: bool) -> crate::report::table::Format {
    if is_classic { Signed(2) } else { Signed(4) }
}

fn value(mean: &Mean) -> Option<f64> {
    (mean.count() > 0).then(|| mean.value())
}

fn interval(mean: &Mean) -> Option<(f64, f64)> {
    mean.interval(f64::NEG_INFINITY..=f64::INFINITY)
}

impl DifferenceReport {
    fn of(measurement: &Measurement, than: &str, sums: &PairedSums) -> DifferenceReport {
        let is_classic = measurement.rule().is_classic();
        let adjusted = sums.mean_adjusted(if is_classic { 100.0 } else { 1.0 });
        let adjusted = Some(adjusted).filter(|_| measurement.is_adjusted);
        let (points, mines) = (sums.points(), sums.mean_mines());
        DifferenceReport {
            name: measurement.name.clone(),
            than: than.to_owned(),
            boards: sums.boards,
            points: value(&points),
            points_interval: interval(&points),
            mines: value(&mines),
            mines_interval: interval(&mines),
            adjusted: adjusted.as_ref().and_then(value),
            adjusted_interval: adjusted.as_ref().and_then(interval),
            is_classic,
        }
    }
}

/// The results of measurements as a table.
pub fn results_table(measurements: &[&MeasurementReport]) -> comfy_table::Table {
    table(&MEASUREMENTS, measurements.iter().copied())
}

/// The differences of measurements as a table.
pub fn differences_table(measurements: &[&MeasurementReport]) -> comfy_table::Table {
    table(&DIFFERENCES, measurements.iter().flat_map(|one| &one.less))
}

impl MeasurementReport {
    /// Whether the rule is a classic one.
    pub fn is_classic(&self) -> bool {
        self.rule.is_classic()
    }

    fn of(measurement: &Measurement, size: Size, figures: &Figures) -> MeasurementReport {
        let is_of_today = |play: &[String]| is_of_today(measurement, play);
        let Added { sums, last } = figures.sum(measurement, size, is_of_today);
        let Sums { counts, faults, less } = &sums;
        let games = counts.games;
        let mines = counts.mean_mines();
        let adjusted = Some(counts.adjusted.mean(games)).filter(|_| measurement.is_adjusted);
        let names = measurement.less.iter().map(|(name, _)| name);
        let differences = names.zip(less);
        MeasurementReport {
            name: measurement.name.clone(),
            what: measurement.to_string(),
            rule: measurement.rule(),
            games,
            of: measurement.boards(size),
            is_of_other_play: games == 0 && figures.has(&measurement.name),
            won: (games > 0).then(|| counts.per_game(counts.wins)),
            won_interval: (games > 0).then(|| wilson(counts.wins, games)),
            mines: value(&mines),
            mines_interval: interval(&mines),
            adjusted: adjusted.as_ref().and_then(value),
            adjusted_interval: adjusted.as_ref().and_then(interval),
            cpu_ms: (games > 0).then(|| counts.per_game(counts.cpu_ns) / 1e6),
            faults: *faults,
            less: differences
                .map(|(name, sums)| DifferenceReport::of(measurement, name, sums))
                .collect(),
            version: last.map(|figure| figure.version.clone()),
            command: last.map(|figure| figure.command.clone()),
            machine: last.map(|figure| figure.machine.clone()),
        }
    }
}

impl Report {
    /// The figures of these measurements.
    pub fn of(list: &[Measurement], size: Size, figures: &Figures) -> Report {
        let of_one = |measurement| MeasurementReport::of(measurement, size, figures);
        Report { measurements: list.iter().map(of_one).collect() }
    }

    /// Whether every board of the size was measured.
    fn is_whole(&self) -> bool {
        self.measurements.iter().all(|one| one.games == u64::from(one.of))
    }

    fn text(&self) -> String {
        let measured: Vec<_> = self.measurements.iter().filter(|one| one.games > 0).collect();
        let others: Vec<&str> = self
            .measurements
            .iter()
            .filter(|one| one.is_of_other_play)
            .map(|one| one.name.as_str())
            .collect();
        if !others.is_empty() {
            errln!(
                "of another play than today's, or of another line of the list: {}",
                others.join(", ")
            );
        }
        let mut text = results_table(&measured).to_string() + "\n";
        if measured.iter().any(|one| !one.less.is_empty()) {
            text += &format!("\n{}\n", differences_table(&measured));
        }
        text
    }
}
