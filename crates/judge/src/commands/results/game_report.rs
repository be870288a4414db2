//! The figures of measurements of games as tables.

use std::collections::BTreeMap;

use fixtures::signature::committed_hash;
use game::rule::Rule;
use sapper::Step;
use sapper::settings::params::Effort;
use serde::Serialize;

use super::figure::Made;
use super::game_sums::{GameSums, PairedSums};
use super::games::{Games, Player};
use super::measurement::{Measurement, Size};
use super::player::signature_part;
use super::store::{Added, Figures, Outdated};
use crate::report::run::Counts;
use crate::report::table::Format::{Decimals, Percent, Signed};
use crate::report::table::{Column, table};
use crate::report::{Mean, wilson};

/// The figures of a measurement.
#[derive(Serialize)]
pub struct MeasurementReport {
    pub name: String,
    /// What is measured, as the list says it.
    what: String,
    rule: Rule,
    /// The objective and the boards.
    #[serde(skip)]
    pub boards: String,
    /// The effort, where the engine plays with all of its parts.
    #[serde(skip)]
    pub effort: Option<Effort>,
    /// The boards that were measured, and those of the size.
    pub games: u64,
    pub of: u32,
    /// Why figures of another play do not count, where there are none of today's.
    pub outdated: Option<Outdated>,
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
    /// The clicks of a game, and those of each step of the engine. A click may open an area.
    pub clicks: Option<f64>,
    pub clicks_by: BTreeMap<&'static str, f64>,
    /// The games that ended with a fault of the bot.
    faults: u64,
    pub less: Vec<DifferenceReport>,
    #[serde(flatten)]
    made: Made,
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
    fn of(name: &str, games: &Games, than: &str, sums: &PairedSums) -> DifferenceReport {
        let is_classic = games.rule().is_classic();
        let adjusted = sums.mean_adjusted(if is_classic { 100.0 } else { 1.0 });
        let adjusted = Some(adjusted).filter(|_| games.is_adjusted);
        let (points, mines) = (sums.points(), sums.mean_mines());
        DifferenceReport {
            name: name.to_owned(),
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

    /// The figures of a size of a measurement, which is of these games.
    pub fn of(
        measurement: &Measurement,
        of: &Games,
        size: Size,
        figures: &Figures,
    ) -> MeasurementReport {
        let is_of_today = |play: &[String]| is_of_today(of, play);
        let Added { sums, last } = figures.sum(measurement, size, is_of_today);
        let GameSums { counts, faults, less } = &sums;
        let games = counts.games;
        let mines = counts.mean_mines();
        let adjusted = Some(counts.adjusted.mean(games)).filter(|_| of.is_adjusted);
        let names = of.less.iter().map(|(name, _)| name);
        let differences = names.zip(less);
        MeasurementReport {
            name: measurement.name.clone(),
            what: measurement.to_string(),
            rule: of.rule(),
            boards: of.objective_and_boards(),
            effort: of.player.effort(),
            games,
            of: measurement.count(size),
            outdated: figures.outdated(measurement, games),
            won: (games > 0).then(|| counts.per_game(counts.wins)),
            won_interval: (games > 0).then(|| wilson(counts.wins, games)),
            mines: value(&mines),
            mines_interval: interval(&mines),
            adjusted: adjusted.as_ref().and_then(value),
            adjusted_interval: adjusted.as_ref().and_then(interval),
            cpu_ms: (games > 0).then(|| counts.per_game(counts.cpu_ns) / 1e6),
            clicks: (games > 0).then(|| counts.per_game(counts.turns)),
            clicks_by: clicks_by(counts),
            faults: *faults,
            less: differences
                .map(|(name, sums)| DifferenceReport::of(&measurement.name, of, name, sums))
                .collect(),
            made: Made::of(last),
        }
    }
}

/// The clicks of each step of the engine in a game; none of a bot.
fn clicks_by(counts: &Counts) -> BTreeMap<&'static str, f64> {
    let of_step = |step: Step| (step.name(), counts.steps[step as usize].0);
    let opened = Step::ALL.into_iter().map(of_step).filter(|(_, cells)| *cells > 0);
    opened.map(|(name, cells)| (name, counts.per_game(cells))).collect()
}

/// Whether figures of this play are of the measurement's play of today: of the engine's committed
/// signature. A bot's games are of no version of the engine.
fn is_of_today(games: &Games, play: &[String]) -> bool {
    let players: Vec<&Player> = games.players().collect();
    let is_same = |(player, play): (&&Player, &String)| match player {
        Player::Bot(_) => true,
        Player::Engine(strength) => {
            committed_hash(signature_part(strength, games.rule())).as_ref() == Some(play)
        }
    };
    players.len() == play.len() && players.iter().zip(play).all(is_same)
}
