//! Reads the files of results. The content of a file determines its kind.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use game::rule::Rule;
use sapper::kit::object::read_from_object;
use sapper::kit::text::pluralize;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::report::csv_table;
use crate::report::run::{ExploredReport, Merged, RunReport, Setting, Shard};
use crate::runner::files::read_text;

/// One file of results.
pub struct ResultFile {
    pub path: String,
    /// The name of the results in the picture, if it is given.
    pub name: Option<String>,
    /// How the results were made; `None` of figures.
    pub setting: Option<Setting>,
    pub content: Content,
}

pub enum Content {
    Report(Report),
    Calibration(Calibration),
    Figures(Vec<Figure>),
}

/// The part of `judge report --json` that is drawn.
#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct Report {
    pub games: u64,
    pub win_rate: f64,
    pub win_interval: (f64, f64),
    pub cpu_ms_a_game: f64,
    pub explored: Vec<Share>,
}
read_from_object!(Report);

/// The share of games in one range of the share of safe cells open at the end.
#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct Share {
    pub from: f64,
    pub to: f64,
    pub share: f64,
    pub interval: (f64, f64),
}
read_from_object!(Share);

/// What is drawn of a calibration.
pub struct Calibration {
    pub kind: CalibrationKind,
    /// The number of guesses or positions, with the noun.
    pub size: String,
    pub bins: Vec<Bin>,
}

/// What was predicted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CalibrationKind {
    /// The odds of a mine.
    Odds,
    /// The chance to win.
    Chance,
}

/// The part of `judge calibrate --json` that is drawn.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct OddsCalibration {
    guesses: u64,
    bins: Vec<Bin>,
}
read_from_object!(OddsCalibration);

/// The part of `judge calibrate --chance --json` that is drawn.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct ChanceCalibration {
    groups: Vec<Group>,
}
read_from_object!(ChanceCalibration);

/// The positions of a kind.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Group {
    positions_are: String,
    positions: u64,
    bins: Vec<Bin>,
}
read_from_object!(Group);

/// The guesses or positions in one range of odds or chances.
#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct Bin {
    pub to: f64,
    pub predicted: f64,
    pub observed: f64,
    pub interval: (f64, f64),
}
read_from_object!(Bin);

/// The part of `judge results show --json` that is drawn.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Measurements {
    measurements: Vec<Measured>,
}
read_from_object!(Measurements);

/// What is drawn of a measurement.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Measured {
    name: String,
    rule: Rule,
    games: u64,
    /// The share of games won, with its interval.
    won: Option<f64>,
    won_interval: Option<(f64, f64)>,
    /// The same without luck under a classic rule, else mines.
    adjusted: Option<f64>,
    adjusted_interval: Option<(f64, f64)>,
    cpu_ms: Option<f64>,
}
read_from_object!(Measured);

/// A row of a table of figures. The columns of the optional fields may be absent or empty.
#[derive(Deserialize)]
pub struct Figure {
    pub name: String,
    pub games: u64,
    /// Percent of the games won.
    pub percent: f64,
    /// CPU milliseconds per game.
    pub ms: f64,
    /// Half of the 95 % interval of `percent`, in points; by default that of so many plain games.
    pub interval: Option<f64>,
    /// The name of the curve that joins this figure with others.
    pub curve: Option<String>,
}

impl ResultFile {
    /// Reads `FILE` or `NAME=FILE`. The groups of a calibration of chances are results each.
    ///
    /// # Errors
    /// The file cannot be read, or holds nothing to draw, or a table has a `NAME`.
    pub fn read(argument: &str) -> Result<Vec<ResultFile>> {
        let (name, path) = name_and_path(argument);
        let name = name.map(str::to_owned);
        let text = read_text(Path::new(path))?;
        let (setting, content) = if text.trim_start().starts_with('{') {
            let (setting, content) = match serde_json::from_str(&text) {
                Ok(Kind { measurements: Some(_), .. }) => {
                    let content = measured(&text).with_context(|| path.to_owned())?;
                    let path = path.to_owned();
                    return Ok(vec![ResultFile { path, name, setting: None, content }]);
                }
                Ok(Kind { groups: Some(_), .. }) => {
                    let (setting, groups) = chances(&text).with_context(|| path.to_owned())?;
                    let one = |content: Calibration| ResultFile {
                        path: path.to_owned(),
                        name: name.clone(),
                        setting: Some(setting.clone()),
                        content: Content::Calibration(content),
                    };
                    return Ok(groups.into_iter().map(one).collect());
                }
                Ok(kind) => parse_json(&kind, &text).with_context(|| path.to_owned())?,
                // A shard is several lines of JSON.
                Err(_) => {
                    let (shard, fault) = Shard::read(Path::new(path))?;
                    if let Some(fault) = fault {
                        bail!("{fault}; --resume its run, which plays its boards again");
                    }
                    let report = RunReport::of(&Merged::from_shards(&[(path.into(), shard)])?);
                    (report.setting.clone(), Content::Report(Report::from(report)))
                }
            };
            if let Content::Report(report) = &content {
                ensure!(report.games > 0, "{path}: the report has no games");
            }
            (Some(setting), content)
        } else {
            ensure!(
                name.is_none(),
                "{argument}: the rows of a table have names of their own; give {path} alone"
            );
            (None, Content::Figures(parse_figures(path, &text)?))
        };
        Ok(vec![ResultFile { path: path.to_owned(), name, setting, content }])
    }
}

/// The parts of `NAME=FILE`, or of `FILE`, whose name may contain a `=`.
pub fn name_and_path(argument: &str) -> (Option<&str>, &str) {
    match argument.split_once('=') {
        Some((name, path)) if !Path::new(argument).exists() => (Some(name), path),
        _ => (None, argument),
    }
}

/// The keys by which the kind of a file is known.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Kind {
    explored: Option<IgnoredAny>,
    bins: Option<IgnoredAny>,
    groups: Option<IgnoredAny>,
    measurements: Option<IgnoredAny>,
}
read_from_object!(Kind);

/// The part of every report that states how its results were made.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Made {
    setting: Setting,
}
read_from_object!(Made);

fn parse_json(kind: &Kind, text: &str) -> Result<(Setting, Content)> {
    let content = match kind {
        Kind { explored: Some(_), .. } => {
            Content::Report(serde_json::from_str(text).context("not a report")?)
        }
        Kind { bins: Some(_), .. } => {
            let OddsCalibration { guesses, bins } =
                serde_json::from_str(text).context("not a calibration")?;
            let size = pluralize(guesses, "guess", "guesses");
            Content::Calibration(Calibration { kind: CalibrationKind::Odds, size, bins })
        }
        _ => bail!(
            "nothing to draw: give the --json output of `judge bench`, `judge report`, `judge \
             results show` or `judge calibrate`, or a CSV with the columns name,games,percent,ms"
        ),
    };
    let Made { setting } = serde_json::from_str(text).context("without a setting")?;
    Ok((setting, content))
}

/// The groups of `judge calibrate --chance --json` that have positions.
fn chances(text: &str) -> Result<(Setting, Vec<Calibration>)> {
    let ChanceCalibration { groups } = serde_json::from_str(text).context("not a calibration")?;
    let Made { setting } = serde_json::from_str(text).context("without a setting")?;
    let groups = groups.into_iter().filter(|group| !group.bins.is_empty());
    let drawn = groups.map(|Group { positions_are, positions, bins }| {
        let size = format!("{positions_are}: {positions}");
        Calibration { kind: CalibrationKind::Chance, size, bins }
    });
    let drawn: Vec<Calibration> = drawn.collect();
    ensure!(!drawn.is_empty(), "nothing to draw: the calibration has no positions");
    Ok((setting, drawn))
}

/// The measurements of `judge results show --json` that have boards, as figures: without luck, if
/// they are adjusted and a hit ends the game.
pub fn measured(text: &str) -> Result<Content> {
    let Measurements { measurements } = serde_json::from_str(text).context("not measurements")?;
    let figure = |one: Measured| {
        let adjusted = one.adjusted.zip(one.adjusted_interval);
        let adjusted = adjusted.filter(|_| one.rule.is_classic());
        let (share, (low, high)) = adjusted.or(one.won.zip(one.won_interval))?;
        let percent = 100.0 * share;
        // A clock may be too coarse for a few games, and no time is no place on the axis.
        let ms = one.cpu_ms.filter(|ms| *ms > 0.0)?;
        let interval = Some(50.0 * (high - low));
        Some(Figure { name: one.name, games: one.games, percent, ms, interval, curve: None })
    };
    let figures: Vec<Figure> = measurements.into_iter().filter_map(figure).collect();
    ensure!(!figures.is_empty(), "nothing to draw: no measurement has boards and a CPU time");
    Ok(Content::Figures(figures))
}

impl From<RunReport> for Report {
    fn from(report: RunReport) -> Report {
        let RunReport { games, win_rate, win_interval, cpu_ms_a_game, explored, .. } = report;
        let share = |bin: ExploredReport| {
            let ExploredReport { from, to, share, interval, .. } = bin;
            Share { from, to, share, interval }
        };
        let explored = explored.into_iter().map(share).collect();
        Report { games, win_rate, win_interval, cpu_ms_a_game, explored }
    }
}

fn parse_figures(path: &str, text: &str) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    csv_table::for_each_row(path, text.as_bytes(), "name,games,percent,ms", |row: Figure| {
        let Figure { games, percent, ms, interval, .. } = row;
        ensure!(games > 0, "games must be a whole number from 1");
        ensure!(
            (0.0..=100.0).contains(&percent),
            "percent is {percent}; it must be between 0 and 100"
        );
        ensure!(ms > 0.0 && ms.is_finite(), "ms is {ms}; it must be above 0");
        let interval = interval.unwrap_or(0.0);
        ensure!(
            (0.0..=100.0).contains(&interval),
            "interval is {interval}; it must be between 0 and 100"
        );
        figures.push(row);
        Ok(())
    })?;
    ensure!(!figures.is_empty(), "{path}: nothing to draw: it has no row of name,games,percent,ms");
    Ok(figures)
}
