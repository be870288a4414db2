//! A calibration as text (a table and a chart), as JSON and as CSV.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use sapper::base::text::pluralize;
use serde_json::{Value, json};

use super::tally::{Bin, Check, FALSE_ALARMS, Tally};
use crate::results::report::setting::Setting;

/// Columns of the chart, from odds 0 to odds 1.
const CHART_WIDTH: usize = 61;

pub fn text(tally: &Tally, check: Option<&Check>) -> String {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["odds", "guesses", "mines", "predicted", "observed", "95 %", "z"]);
    for (from, to, bin) in tally.bins() {
        table.add_row(row(format!("{from:.2}-{to:.2}"), bin));
    }
    table.add_row(row("all".to_owned(), &tally.total()));
    table.column_iter_mut().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let games = pluralize(tally.games, "game", "games");
    let mut text = format!("{games}, {}", pluralize(tally.guesses(), "guess", "guesses"));
    if tally.approximate > 0 {
        let _ = write!(text, "; {} with approximate odds left out", tally.approximate);
    }
    let _ = writeln!(text, "\n\n{table}\n\n{}", chart(tally));
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

fn row(name: String, bin: &Bin) -> [String; 7] {
    let (low, high) = bin.interval();
    [
        name,
        bin.guesses.to_string(),
        bin.mines.to_string(),
        format!("{:.4}", bin.predicted()),
        format!("{:.4}", bin.observed()),
        format!("{low:.4}-{high:.4}"),
        format!("{:+.2}", bin.z()),
    ]
}

/// One line per bin: the predicted and the observed share of mines, and the latter's interval.
fn chart(tally: &Tally) -> String {
    let column = |share: f64| (share * (CHART_WIDTH - 1) as f64).round() as usize;
    let mut text = format!("{:9}  0{:>30}{:>30}\n", "", "0.5", "1");
    for (from, to, bin) in tally.bins() {
        let mut line = vec![' '; CHART_WIDTH];
        let (low, high) = bin.interval();
        line[column(low)..=column(high)].fill('-');
        line[column(bin.predicted())] = '|';
        let observed = &mut line[column(bin.observed())];
        *observed = if *observed == '|' { '*' } else { 'o' };
        let line: String = line.into_iter().collect();
        let _ = writeln!(text, "{from:.2}-{to:.2}  {}", line.trim_end());
    }
    text + "| predicted, o observed (* both), - 95 % interval of the observed share\n"
}

pub fn json(tally: &Tally, check: Option<&Check>, setting: &Setting) -> Value {
    let bins: Vec<Value> = tally
        .bins()
        .map(|(from, to, bin)| {
            json!({
                "from": from,
                "to": to,
                "guesses": bin.guesses,
                "mines": bin.mines,
                "predicted": bin.predicted(),
                "observed": bin.observed(),
                "interval": bin.interval(),
                "z": bin.z(),
            })
        })
        .collect();
    json!({
        "setting": setting,
        "games": tally.games,
        "guesses": tally.guesses(),
        "approximate": tally.approximate,
        "false_proofs": tally.false_proofs,
        "bins": bins,
        "chi_square": check.map(|check| check.chi_square),
        "degrees_of_freedom": check.map(|check| check.degrees),
        "p_value": check.map(|check| check.p_value),
        "false_alarms": FALSE_ALARMS,
        "off": check.map(Check::fails),
    })
}

pub fn csv(tally: &Tally) -> String {
    let mut text = "from,to,guesses,mines,predicted,observed,low,high,z\n".to_owned();
    for (from, to, bin) in tally.bins() {
        let (low, high) = bin.interval();
        let (guesses, mines, z) = (bin.guesses, bin.mines, bin.z());
        let (predicted, observed) = (bin.predicted(), bin.observed());
        let _ = writeln!(
            text,
            "{from},{to},{guesses},{mines},{predicted:.6},{observed:.6},{low:.6},{high:.6},{z:.3}"
        );
    }
    text
}
