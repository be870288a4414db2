//! The figures of measurements of what is left for play, as a table.

use fixtures::signature::committed_hash;
use game::rule::Rule;
use sapper::Objective;
use serde::Serialize;

use super::ceiling::Ceiling;
use super::figure::Made;
use super::measurement::{Measurement, Size};
use super::store::{Added, Figures, Outdated};
use crate::report::ceiling::{CeilingSums, PhaseRow};
use crate::report::table::Format::Decimals;
use crate::report::table::{Column, table};

/// The figures of a measurement of what is left.
#[derive(Serialize)]
pub struct CeilingReport {
    pub name: String,
    /// What is measured, as the list says it.
    what: String,
    rule: Rule,
    #[serde(skip)]
    objective: Objective,
    /// The games that were measured, and those of the size.
    pub games: u64,
    pub of: u32,
    /// Why figures of another play do not count, where there are none of today's.
    pub outdated: Option<Outdated>,
    /// What guesses gain by phase of the game, and last that of the whole game.
    pub phases: Vec<PhaseRow>,
    cpu_s: Option<f64>,
    #[serde(flatten)]
    made: Made,
}

const CEILINGS: [Column<CeilingReport>; 9] = [
    ("measurement", |one| one.name.clone()),
    ("games", |one| Decimals(0).text(&one.games)),
    ("unit", |one| {
        if one.objective == Objective::CleanWin { "points" } else { "mines" }.to_owned()
    }),
    ("gain", |one| one.phases[WHOLE_GAME].gain_text()),
    ("95 %", |one| one.phases[WHOLE_GAME].interval_text()),
    ("first third open", |one| one.phases[0].gain_text()),
    ("second", |one| one.phases[1].gain_text()),
    ("last", |one| one.phases[2].gain_text()),
    ("CPU s", |one| Decimals(1).text(&one.cpu_s)),
];

/// The place of the whole game among the phases.
const WHOLE_GAME: usize = 3;

/// What is left for play as a table.
pub fn ceilings_table(measurements: &[&CeilingReport]) -> comfy_table::Table {
    table(&CEILINGS, measurements.iter().copied())
}

impl CeilingReport {
    /// The figures of a size of a measurement, which is of this ceiling.
    pub fn of(
        measurement: &Measurement,
        of: &Ceiling,
        size: Size,
        figures: &Figures,
    ) -> CeilingReport {
        let committed: Vec<_> = of.signature_parts().map(committed_hash).into();
        let is_of_today = |play: &[String]| {
            play.len() == committed.len()
                && play.iter().zip(&committed).all(|(play, hash)| Some(play) == hash.as_ref())
        };
        let Added { sums, last } = figures.sum::<CeilingSums>(measurement, size, is_of_today);
        let objective = of.step.objective;
        CeilingReport {
            name: measurement.name.clone(),
            what: measurement.to_string(),
            rule: of.games.rule(),
            objective,
            games: sums.games,
            of: measurement.count(size),
            outdated: figures.outdated(measurement, sums.games),
            phases: sums.rows(objective),
            cpu_s: sums.cpu_s(),
            made: Made::of(last),
        }
    }

    /// The gain of a game with its interval, as a text.
    pub fn gain_text(&self) -> String {
        let whole = &self.phases[WHOLE_GAME];
        format!("{} ({})", whole.gain_text(), whole.interval_text())
    }
}
