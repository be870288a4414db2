//! A report as text and as JSON.

use std::fmt::Write;

use sapper::Step;
use sapper::kit::text::pluralize;
use serde_json::{Value, json};

use super::counts::BINS;
use crate::report::run::{Merged, Setting};
use crate::report::table::Format::{Decimals, Percent};
use crate::report::table::{Column, table};
use crate::report::{AdjustedReport, wilson};
use crate::runner::boards::BoardRange;

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
    ("its board", "/slowest_turn_board", Decimals(0)),
];
/// The columns of the table of steps.
const STEPS: [Column; 7] = [
    ("step", "/step", Decimals(0)),
    ("clicks a game", "/clicks_a_game", Decimals(2)),
    ("mines a game", "/mines_a_game", Decimals(4)),
    ("clicks", "/clicks", Decimals(0)),
    ("mines", "/mines", Decimals(0)),
    ("mines %", "/wrong", Percent(2)),
    ("95 %", "/interval", Percent(2)),
];

/// The columns of the table of the games by the share of safe cells that were open at the end.
const EXPLORED: [Column; 5] = [
    ("explored from %", "/from", Percent(0)),
    ("to %", "/to", Percent(0)),
    ("games", "/games", Decimals(0)),
    ("games %", "/share", Percent(2)),
    ("95 %", "/interval", Percent(2)),
];

/// The greatest number of ranges of boards that are listed.
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
            let (steps, explored) =
                (table(&STEPS, rows("steps")), table(&EXPLORED, rows("explored")));
            let summary = table(&SUMMARY, [&report]);
            let adjusted =
                adjusted(merged).map_or(String::new(), |adjusted| adjusted.text() + "\n\n");
            format!("{}\n\n{summary}\n\n{adjusted}{steps}\n\n{explored}\n", played(merged))
        }
    };
    if !missing.is_empty() {
        let boards: i64 = missing.iter().map(|(first, last)| last - first + 1).sum();
        let boards = pluralize(boards, "board is", "boards are");
        let _ = writeln!(text, "\nNot finished: {boards} missing: {}", ranges(&missing));
    }
    text
}

/// The plain and the adjusted results: the mines opened under the rule botzone, else the games won.
/// `None` if they were not asked for.
fn adjusted(merged: &Merged) -> Option<AdjustedReport> {
    let Merged { counts, setting, .. } = merged;
    let mines = counts.mean_mines();
    let (adjusted, luck) = (counts.adjusted.mean(counts.games), counts.adjusted.luck());
    let report =
        AdjustedReport::new(setting.rule, counts.wins, (mines, f64::INFINITY), adjusted, luck);
    report.filter(|_| setting.adjusted)
}

/// What was played: the boards, the rule and how the engine plays.
fn played(merged: &Merged) -> String {
    let Setting { boards, rule, objective, effort, .. } = &merged.setting;
    let numbers = ranges(&merged.covered());
    let title = merged.setting.title();
    let unit = if boards["file"].is_string() { "boards" } else { "seeds" };
    format!("{title}, {unit} {numbers}; rule {rule}, objective {objective}, effort {effort}")
}

/// Ranges of boards as text: the first, and how many others there are.
fn ranges(ranges: &[BoardRange]) -> String {
    let listed = ranges.iter().take(MAX_RANGES).map(|(first, last)| format!("{first}..{last}"));
    let mut text = listed.collect::<Vec<_>>().join(" ");
    let more = ranges.len().saturating_sub(MAX_RANGES);
    if more > 0 {
        let _ = write!(text, " and {} more", pluralize(more as u64, "range", "ranges"));
    }
    text
}

/// The report as JSON.
pub fn json(merged: &Merged) -> Value {
    let counts = &merged.counts;
    let mines = counts.mean_mines();
    let edge = |bin: usize| bin as f64 / BINS as f64;
    let explored = |(bin, &games): (usize, &u64)| {
        json!({
            "from": edge(bin),
            "to": edge(bin + 1),
            "games": games,
            "share": counts.per_game(games),
            "interval": wilson(games, counts.games),
        })
    };
    let step = |step: Step| {
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
    };
    json!({
        "setting": merged.setting,
        "covered": merged.covered(),
        "missing": merged.missing(),
        "games": counts.games,
        "wins": counts.wins,
        "win_rate": counts.per_game(counts.wins),
        "win_interval": wilson(counts.wins, counts.games),
        "mines": counts.mines,
        "mines_a_game": mines.value(),
        "mines_interval": mines.interval(0.0..=f64::INFINITY),
        "turns": counts.turns,
        "guesses": counts.guesses,
        "guesses_a_game": counts.per_game(counts.guesses),
        "cpu_ms_a_game": counts.per_game(counts.cpu_ns) / 1e6,
        "slowest_turn_ms": counts.slowest_turn_ns as f64 / 1e6,
        "slowest_turn_board": counts.slowest_board,
        "explored": counts.explored.iter().enumerate().map(explored).collect::<Value>(),
        "steps": Step::ALL.into_iter().map(step).collect::<Value>(),
        "false_proofs": counts.false_proofs(),
        "adjusted": adjusted(merged).map(|adjusted| adjusted.json()),
    })
}
