//! The report of a comparison: its fields are what `--json` prints.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use sapper::kit::text::pluralize;
use serde::Serialize;

use super::arguments::Arguments;
use super::comparison::Comparison;
use crate::report::paired::{MeasureReport, table};
use crate::report::table::counts_text;
use crate::report::{Paired, fewer_boards, fewer_boards_text};
use crate::runner::files::file_name;

/// The report of a comparison.
#[derive(Serialize)]
pub struct Report<'a> {
    /// The files.
    a: String,
    b: String,
    /// The bots in these files, if they were named.
    bot_a: Option<&'a str>,
    bot_b: Option<&'a str>,
    /// The boards in both files.
    boards: usize,
    only_in_a: usize,
    only_in_b: usize,
    without_hits: usize,
    without_cost: usize,
    wins_a: usize,
    wins_b: usize,
    /// The number of faults of each kind.
    faults_a: &'a BTreeMap<String, u64>,
    faults_b: &'a BTreeMap<String, u64>,
    /// The measures; `None` where no board has them.
    wins_percent: MeasureReport,
    adjusted_wins_percent: Option<AdjustedMeasure>,
    mines: Option<MeasureReport>,
    adjusted_mines: Option<AdjustedMeasure>,
    cost: Option<MeasureReport>,
    #[serde(skip)]
    comparison: &'a Comparison,
    /// The names of the bots in the text.
    #[serde(skip)]
    titles: [String; 2],
}

/// A measure without the luck of the guesses.
#[derive(Serialize)]
struct AdjustedMeasure {
    #[serde(flatten)]
    measure: MeasureReport,
    /// The factor by which it needs fewer boards.
    fewer_boards: Option<f64>,
}

impl AdjustedMeasure {
    fn of(plain: &Paired, adjusted: &Paired) -> Option<AdjustedMeasure> {
        let fewer_boards = fewer_boards(&plain.difference, &adjusted.difference);
        Some(AdjustedMeasure { measure: adjusted.known_report()?, fewer_boards })
    }
}

impl Report<'_> {
    /// The report of this comparison, which these arguments name.
    pub fn of<'a>(arguments: &'a Arguments, comparison: &'a Comparison) -> Report<'a> {
        let Arguments { a, b, bot_a, bot_b, .. } = arguments;
        let Comparison { boards, only, won, faults, without_hits, without_cost, .. } = comparison;
        let Comparison { wins, adjusted_wins, mines, adjusted_mines, costs, .. } = comparison;
        let (bot_a, bot_b) = (bot_a.as_deref(), bot_b.as_deref());
        Report {
            a: file_name(a),
            b: file_name(b),
            bot_a,
            bot_b,
            boards: *boards,
            only_in_a: only[0],
            only_in_b: only[1],
            without_hits: *without_hits,
            without_cost: *without_cost,
            wins_a: won[0],
            wins_b: won[1],
            faults_a: &faults[0],
            faults_b: &faults[1],
            wins_percent: wins.report(),
            adjusted_wins_percent: AdjustedMeasure::of(wins, adjusted_wins),
            mines: mines.known_report(),
            adjusted_mines: AdjustedMeasure::of(mines, adjusted_mines),
            cost: costs.known_report(),
            comparison,
            titles: [title(a, bot_a), title(b, bot_b)],
        }
    }

    pub fn text(&self) -> String {
        let [title_a, title_b] = &self.titles;
        let mut text = String::new();
        for (side, title, won, faults) in
            [("A", title_a, self.wins_a, self.faults_a), ("B", title_b, self.wins_b, self.faults_b)]
        {
            writeln!(text, "{side}: {title}, {}", results_text(won, faults)).ok();
        }
        write!(text, "{} paired", pluralize(self.boards, "board", "boards")).ok();
        for (count, description) in [
            (self.only_in_a, "only in A skipped"),
            (self.only_in_b, "only in B skipped"),
            (self.without_hits, "with blank hits skipped for the mines"),
            (self.without_cost, "with a blank cost skipped for the cost"),
        ] {
            if count > 0 {
                write!(text, "; {count} {description}").ok();
            }
        }
        let measures = || self.comparison.measures();
        let table = table(measures().map(|measure| (measure.name, measure)));
        write!(text, "\n\n{table}\n").ok();
        for (name, adjusted) in
            [("wins", &self.adjusted_wins_percent), ("mines", &self.adjusted_mines)]
        {
            let factor = adjusted.as_ref().and_then(|adjusted| adjusted.fewer_boards);
            let factor = factor.map(|factor| fewer_boards_text(name, factor));
            text.extend(factor.map(|factor| format!("\n{factor}\n")));
        }
        text.push('\n');
        if self.comparison.is_same() {
            text.push_str("A and B have the same results on every board.\n");
        } else {
            for measure in measures() {
                writeln!(text, "{}: {}.", measure.name, measure.verdict_text()).ok();
            }
        }
        text
    }
}

/// The name of a bot in the text.
fn title(file: &Path, bot: Option<&str>) -> String {
    let file = file.display();
    bot.map_or(file.to_string(), |bot| format!("{bot} in {file}"))
}

/// The wins and faults of a bot.
fn results_text(won: usize, faults: &BTreeMap<String, u64>) -> String {
    let wins = pluralize(won, "win", "wins");
    match faults.values().sum::<u64>() {
        0 => wins,
        count => {
            let count = pluralize(count, "fault", "faults");
            format!("{wins}, {count} ({})", counts_text(faults))
        }
    }
}
