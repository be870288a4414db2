//! The report of a comparison as text and as one JSON object.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use sapper::kit::text::pluralize;
use serde_json::{Value, json};

use super::Arguments;
use super::comparison::Comparison;
use crate::report::paired::table;
use crate::report::table::counts_text;
use crate::report::{Paired, fewer_boards, fewer_boards_text};
use crate::runner::files::file_name;

/// Everything that the report shows.
pub struct View<'a> {
    pub arguments: &'a Arguments,
    pub comparison: &'a Comparison,
}

impl View<'_> {
    pub fn json(&self) -> Value {
        let Arguments { a, b, bot_a, bot_b, .. } = self.arguments;
        let Comparison { wins, adjusted_wins, mines, adjusted_mines, costs, .. } = self.comparison;
        let Comparison { boards, only, won, faults, .. } = self.comparison;
        let known = |measure: &Paired| (measure.difference.count() > 0).then(|| measure.json());
        let adjusted = |plain: &Paired, adjusted: &Paired| {
            let mut json = known(adjusted)?;
            json["fewer_boards"] = json!(fewer_boards(&plain.difference, &adjusted.difference));
            Some(json)
        };
        json!({
            "a": file_name(a),
            "b": file_name(b),
            "bot_a": bot_a,
            "bot_b": bot_b,
            "boards": boards,
            "only_in_a": only[0],
            "only_in_b": only[1],
            "without_hits": self.comparison.without_hits,
            "without_cost": self.comparison.without_cost,
            "wins_a": won[0],
            "wins_b": won[1],
            "faults_a": faults[0],
            "faults_b": faults[1],
            "wins_percent": wins.json(),
            "adjusted_wins_percent": adjusted(wins, adjusted_wins),
            "mines": known(mines),
            "adjusted_mines": adjusted(mines, adjusted_mines),
            "cost": known(costs),
        })
    }

    pub fn text(&self) -> String {
        let Arguments { a, b, bot_a, bot_b, .. } = self.arguments;
        let Comparison { wins, adjusted_wins, mines, adjusted_mines, .. } = self.comparison;
        let Comparison { boards, only, won, faults, .. } = self.comparison;
        let bots = [(a, bot_a), (b, bot_b)].into_iter().zip(won.iter().zip(faults));
        let mut text = String::new();
        for (side, ((file, bot), (won, faults))) in ["A", "B"].into_iter().zip(bots) {
            writeln!(text, "{side}: {}", bot_text(file, bot.as_deref(), *won, faults)).ok();
        }
        write!(text, "{} paired", pluralize(*boards, "board", "boards")).ok();
        for (count, description) in [
            (only[0], "only in A skipped"),
            (only[1], "only in B skipped"),
            (self.comparison.without_hits, "with blank hits skipped for the mines"),
            (self.comparison.without_cost, "with a blank cost skipped for the cost"),
        ] {
            if count > 0 {
                write!(text, "; {count} {description}").ok();
            }
        }
        let measures = || self.comparison.measures();
        let table = table(measures().map(|measure| (measure.name, measure)));
        write!(text, "\n\n{table}\n").ok();
        for (name, plain, adjusted) in
            [("wins", wins, adjusted_wins), ("mines", mines, adjusted_mines)]
        {
            let factor = fewer_boards_text(name, &plain.difference, &adjusted.difference);
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

/// A bot, with its wins and faults.
fn bot_text(file: &Path, bot: Option<&str>, won: usize, faults: &BTreeMap<String, u64>) -> String {
    let (file, wins) = (file.display(), pluralize(won, "win", "wins"));
    let name = bot.map_or(file.to_string(), |bot| format!("{bot} in {file}"));
    let faults = match faults.values().sum::<u64>() {
        0 => String::new(),
        count => format!(", {} ({})", pluralize(count, "fault", "faults"), counts_text(faults)),
    };
    format!("{name}, {wins}{faults}")
}
