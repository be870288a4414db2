//! A report as text with a bar chart, and as JSON.

use std::fmt::Write;
use std::ops::RangeInclusive;

use sapper::base::text::pluralize;
use sapper::bot::engine::Step;
use serde_json::{Value, json};

use super::counts::BINS;
use super::merged::Merged;
use crate::cli::boards::BoardRange;
use crate::results::statistics::wilson;
use crate::results::table::{
    Column,
    Format::{Decimals, Percent},
    table,
};

/// The columns of the table of one line.
const SUMMARY: [Column; 9] = [
    ("games", "/games", Decimals(0)),
    ("won %", "/win_rate", Percent(2)),
    ("95 %", "/win_interval", Percent(2)),
    ("mines", "/mines_a_game", Decimals(4)),
    ("95 %", "/mines_interval", Decimals(4)),
    ("guesses", "/guesses_a_game", Decimals(3)),
    ("CPU ms", "/cpu_ms_a_game", Decimals(3)),
    ("slowest turn ms", "/slowest_turn_ms", Decimals(2)),
    ("on board", "/slowest_turn_board", Decimals(0)),
];
/// The columns of the table of steps.
const STEPS: [Column; 7] = [
    ("step", "/step", Decimals(0)),
    ("clicks a game", "/clicks_a_game", Decimals(2)),
    ("mines a game", "/mines_a_game", Decimals(4)),
    ("clicks", "/clicks", Decimals(0)),
    ("mines", "/mines", Decimals(0)),
    ("wrong %", "/wrong", Percent(2)),
    ("95 %", "/interval", Percent(2)),
];

/// The width of the longest bar of the chart in columns.
const BAR_WIDTH: usize = 50;
/// The bounds of the mines of a game.
const MINES: RangeInclusive<f64> = 0.0..=f64::INFINITY;
/// The greatest number of ranges of missing boards that are listed.
const MAX_RANGES: usize = 5;

/// The report as text.
pub fn text(merged: &Merged) -> String {
    let missing = merged.missing();
    let mut text = match (merged.counts.games, missing.is_empty()) {
        (0, true) => "No game: this part of the run has no board.\n".to_owned(),
        (0, false) => {
            "No game: every part is empty or has just started; add the others.\n".to_owned()
        }
        _ => {
            let report = json(merged);
            let rows = |key: &str| report[key].as_array().into_iter().flatten();
            let steps = table(&STEPS, rows("steps"));
            let summary = table(&SUMMARY, [&report]);
            format!("{summary}\n\n{steps}\n\n{}\n", chart(rows("explored")))
        }
    };
    if !missing.is_empty() {
        let boards: i64 = missing.iter().map(|range| range.last - range.first + 1).sum();
        let _ = write!(
            text,
            "\nNOT FINISHED: {} missing:",
            pluralize(boards, "board is", "boards are")
        );
        for BoardRange { first, last } in missing.iter().take(MAX_RANGES) {
            let _ = write!(text, " {first}..{last}");
        }
        let more = missing.len().saturating_sub(MAX_RANGES);
        let _ = if more > 0 {
            writeln!(text, " and {} more", pluralize(more as u64, "range", "ranges"))
        } else {
            writeln!(text)
        };
    }
    text
}

/// A bar chart of the games by the share of the safe cells that were open at the end.
fn chart<'b>(bins: impl Iterator<Item = &'b Value> + Clone) -> String {
    let games = |bin: &Value| bin["games"].as_u64().unwrap_or(0);
    let most = bins.clone().map(games).max().unwrap_or(0).max(1);
    let mut text = "share of games by how much of the safe cells was open at the end\n".to_owned();
    for bin in bins {
        // Rounded up, so that a single game has a bar.
        let bar = "#".repeat((games(bin) * BAR_WIDTH as u64).div_ceil(most) as usize);
        let [from, to] = ["from", "to"].map(|edge| Percent(0).text(&bin[edge]));
        let [share, interval] = ["share", "interval"].map(|key| Percent(2).text(&bin[key]));
        let _ = writeln!(text, "{from:>3}-{to:>3} %  {bar:BAR_WIDTH$} {share:>6} % ({interval})");
    }
    text.trim_end().to_owned()
}

/// The report as JSON.
pub fn json(merged: &Merged) -> Value {
    let counts = &merged.counts;
    let (rate, interval) = counts.win_rate();
    let mines = counts.mean_mines();
    let explored: Vec<Value> = counts
        .explored
        .iter()
        .enumerate()
        .map(|(bin, &games)| {
            let edge = |bin: usize| bin as f64 / BINS as f64;
            json!({
                "from": edge(bin),
                "to": edge(bin + 1),
                "games": games,
                "share": counts.per_game(games),
                "interval": wilson(games, counts.games),
            })
        })
        .collect();
    let steps: Vec<Value> = Step::ALL
        .into_iter()
        .map(|step| {
            let (cells, mines) = counts.steps[step as usize];
            json!({
                "step": step.name(),
                "clicks": cells,
                "clicks_a_game": counts.per_game(cells),
                "mines": mines,
                "mines_a_game": counts.per_game(mines),
                "wrong": (cells > 0).then(|| mines as f64 / cells as f64),
                "interval": (cells > 0).then(|| wilson(mines, cells)),
            })
        })
        .collect();
    json!({
        "setting": merged.setting,
        "covered": merged.covered(),
        "missing": merged.missing(),
        "games": counts.games,
        "wins": counts.wins,
        "win_rate": rate,
        "win_interval": interval,
        "mines": counts.mines,
        "mines_a_game": mines.value(),
        "mines_interval": mines.interval(MINES),
        "turns": counts.turns,
        "guesses": counts.guesses,
        "guesses_a_game": counts.per_game(counts.guesses),
        "cpu_ms_a_game": counts.cpu_ms(),
        "slowest_turn_ms": counts.slowest_ms(),
        "slowest_turn_board": counts.slowest_board,
        "explored": explored,
        "steps": steps,
        "false_proofs": counts.false_proofs(),
    })
}
