//! A calibration as a table, as JSON and as CSV.

use std::fmt::Write;
use std::path::Path;

use analysis::adjusted::luck::Luck;
use anyhow::Result;
use sapper::kit::text::pluralize;
use serde_json::{Value, json};

use super::tally::{Check, FALSE_ALARMS, Tally};
use crate::report::run::Setting;
use crate::report::table::Format::{Decimals, Signed};
use crate::report::table::{Column, table};
use crate::report::{CsvWriter, wilson};

/// The columns of the table.
const TABLE_COLUMNS: [Column; 8] = [
    ("from", "/from", Decimals(2)),
    ("to", "/to", Decimals(2)),
    ("guesses", "/guesses", Decimals(0)),
    ("mines", "/mines", Decimals(0)),
    ("predicted", "/predicted", Decimals(4)),
    ("observed", "/observed", Decimals(4)),
    ("95 %", "/interval", Decimals(4)),
    ("z", "/z", Signed(2)),
];
/// The columns of the CSV file: those of the table, with the interval in two.
const CSV_COLUMNS: &str = "from,to,guesses,mines,predicted,observed,low,high,z";

pub fn text(tally: &Tally, check: Option<&Check>) -> String {
    let mut rows = bins(tally);
    let mut total = bin_json(0.0, 1.0, &tally.total());
    (total["from"], total["to"]) = (json!("all"), Value::Null);
    rows.push(total);
    let table = table(&TABLE_COLUMNS, &rows);
    let games = pluralize(tally.games, "game", "games");
    let mut text = format!("{games}, {}", pluralize(tally.guesses(), "guess", "guesses"));
    if tally.approximate > 0 {
        let _ = write!(text, "; {} with approximate odds left out", tally.approximate);
    }
    let _ = writeln!(text, "\n\n{table}\n");
    let _ = match check {
        None => writeln!(text, "Too few guesses to check."),
        Some(check) => {
            let Check { chi_square, degrees, p_value } = check;
            let degrees = pluralize(*degrees as u64, "degree", "degrees");
            let verdict = if check.fails() { "OFF" } else { "ON" };
            writeln!(
                text,
                "{verdict} the diagonal: chi-square {chi_square:.2}, {degrees} of freedom, \
                 p {p_value:.4} (off below {FALSE_ALARMS})"
            )
        }
    };
    text
}

fn bin_json(from: f64, to: f64, bin: &Luck) -> Value {
    let Luck { guesses, hits, expected, .. } = *bin;
    json!({
        "from": from,
        "to": to,
        "guesses": guesses,
        "mines": hits,
        "predicted": expected / guesses as f64,
        "observed": hits as f64 / guesses as f64,
        "interval": wilson(hits, guesses),
        "z": bin.deviation(),
    })
}

fn bins(tally: &Tally) -> Vec<Value> {
    tally.bins().map(|(from, to, bin)| bin_json(from, to, bin)).collect()
}

pub fn json(tally: &Tally, check: Option<&Check>, setting: &Setting) -> Value {
    json!({
        "setting": setting,
        "games": tally.games,
        "guesses": tally.guesses(),
        "approximate": tally.approximate,
        "false_proofs": tally.false_proofs,
        "bins": bins(tally),
        "chi_square": check.map(|check| check.chi_square),
        "degrees_of_freedom": check.map(|check| check.degrees),
        "p_value": check.map(|check| check.p_value),
        "false_alarms": FALSE_ALARMS,
        "off": check.map(Check::fails),
    })
}

/// Writes the CSV file.
///
/// # Errors
/// The file cannot be written.
pub fn write_csv(path: Option<&Path>, tally: &Tally) -> Result<()> {
    let mut csv = CsvWriter::create(path, CSV_COLUMNS)?;
    bins(tally).iter().try_for_each(|bin| csv.add(TABLE_COLUMNS.map(|(_, at, _)| bin.pointer(at))))
}
