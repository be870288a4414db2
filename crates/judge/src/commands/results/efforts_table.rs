//! Measurements of the efforts on the same boards as a table: a line for the boards, a column for
//! an effort.
//!
//! Measurements that follow each other are one line as long as they have the same boards, and each
//! a higher effort than the one before it.

use comfy_table::Table;
use sapper::settings::params::Effort;

use super::game_report::{MeasurementReport, scaled, signed};
use crate::report::table::Format::Decimals;
use crate::report::table::{Column, Format, table};

/// The measurements of the same boards, in the order of [`Effort::ALL`].
#[derive(Default)]
struct Line<'r> {
    by_effort: [Option<&'r MeasurementReport>; Effort::ALL.len()],
}

/// The adjusted results of measurements with their efforts, a line for those of the same boards.
pub fn efforts_table(measurements: &[(Effort, &MeasurementReport)]) -> Table {
    let mut lines: Vec<Line> = Vec::new();
    for &(effort, one) in measurements {
        let place = Effort::ALL.iter().position(|one| *one == effort).unwrap_or_default();
        let continues = |line: &Line| {
            line.by_effort[place..].iter().all(Option::is_none)
                && line.measured().all(|other| other.boards == one.boards)
        };
        if !lines.last().is_some_and(continues) {
            lines.push(Line::default());
        }
        lines.last_mut().expect("a line was added").by_effort[place] = Some(one);
    }
    let mut columns: Vec<Column<Line>> = vec![
        ("boards", |line| line.name()),
        ("games", |line| line.each(|one| Decimals(0).text(&one.games))),
        ("fast", |line| line.adjusted(0)),
        ("standard", |line| line.adjusted(1)),
        ("full", |line| line.adjusted(2)),
        ("standard less fast", |line| line.gain(1)),
        ("full less standard", |line| line.gain(2)),
        ("CPU ms", |line| line.each(|one| Decimals(2).text(&one.cpu_ms))),
    ];
    // An effort that no line has needs no column.
    columns.retain(|(_, text)| lines.iter().any(|line| !text(line).is_empty()));
    table(&columns, &lines)
}

impl Line<'_> {
    fn measured(&self) -> impl Iterator<Item = &MeasurementReport> {
        self.by_effort.iter().copied().flatten()
    }

    /// The name of the first measurement, without its effort.
    fn name(&self) -> String {
        let name = self.measured().next().map_or("", |one| &one.name);
        let without =
            Effort::ALL.iter().find_map(|effort| name.strip_suffix(&format!("-{effort}")));
        without.unwrap_or(name).to_owned()
    }

    fn each(&self, text: fn(&MeasurementReport) -> String) -> String {
        self.measured().map(text).collect::<Vec<_>>().join(", ")
    }

    fn adjusted(&self, place: usize) -> String {
        self.by_effort[place].map_or_else(String::new, |one| {
            with_half_width(scaled(one.is_classic()), one.adjusted, one.adjusted_interval)
        })
    }

    /// What the measurement gains over the one of less effort; `-` if the list does not compare
    /// them.
    fn gain(&self, place: usize) -> String {
        let [Some(before), Some(one)] = [self.by_effort[place - 1], self.by_effort[place]] else {
            return String::new();
        };
        let less = one.less.iter().find(|less| less.than == before.name);
        less.map_or("-".to_owned(), |less| {
            with_half_width(signed(one.is_classic()), less.adjusted, less.adjusted_interval)
        })
    }
}

/// A value, and half the width of its interval where there is one.
fn with_half_width(format: Format, value: Option<f64>, interval: Option<(f64, f64)>) -> String {
    let half = match format {
        Format::Signed(decimals) => Decimals(decimals),
        other => other,
    };
    let width = interval.map(|(low, high)| format!(" +-{}", half.text(&((high - low) / 2.0))));
    format.text(&value) + &width.unwrap_or_default()
}
