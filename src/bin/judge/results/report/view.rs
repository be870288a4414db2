//! A report as text with a bar chart, and as JSON.

use std::fmt::Write;
use std::ops::RangeInclusive;

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use sapper::base::text::pluralize;
use sapper::bot::engine::Step;
use serde_json::{Value, json};

use super::counts::{BINS, Counts};
use super::merged::Merged;
use crate::cli::boards::BoardRange;
use crate::results::statistics::wilson;

/// The width of the longest bar of the chart in columns.
const BAR_WIDTH: usize = 50;
/// The bounds of the mines of a game.
const MINES: RangeInclusive<f64> = 0.0..=f64::INFINITY;
/// The greatest number of ranges of missing boards that are listed.
const MAX_RANGES: usize = 5;

/// The report as text.
pub fn text(merged: &Merged) -> String {
    let counts = &merged.counts;
    let missing = merged.missing();
    let mut text = match (counts.games, missing.is_empty()) {
        (0, true) => "No game: this part of the run has no board.\n".to_owned(),
        (0, false) => {
            "No game: every part is empty or has just started; add the others.\n".to_owned()
        }
        _ => {
            let (summary, steps) = (summary(counts), steps(counts));
            let (errors, chart) = (errors(counts), chart(counts));
            format!("{summary}\n\n{steps}\n\n{errors}\n\n{chart}\n")
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

fn summary(counts: &Counts) -> Table {
    let (rate, (low, high)) = counts.win_rate();
    let mines = counts.mean_mines();
    let mines_interval = mines.interval(MINES);
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "games",
        "won %",
        "95 %",
        "mines",
        "95 %",
        "guesses",
        "CPU ms",
        "slowest turn ms",
        "on board",
    ]);
    table.add_row([
        counts.games.to_string(),
        format!("{:.2}", 100.0 * rate),
        format!("{:.2}-{:.2}", 100.0 * low, 100.0 * high),
        format!("{:.4}", mines.value()),
        // One game has no interval.
        mines_interval.map_or("-".to_owned(), |(low, high)| format!("{low:.4}-{high:.4}")),
        format!("{:.3}", counts.per_game(counts.guesses)),
        format!("{:.3}", counts.cpu_ms()),
        format!("{:.2}", counts.slowest_ms()),
        counts.slowest_board.to_string(),
    ]);
    table
}

fn steps(counts: &Counts) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["step", "clicks a game", "mines a game"]);
    for step in Step::ALL {
        let (cells, mines) = counts.steps[step as usize];
        let columns =
            [format!("{:.2}", counts.per_game(cells)), format!("{:.4}", counts.per_game(mines))];
        table.add_row([step.name().to_owned()].into_iter().chain(columns));
    }
    table
}

/// The error rate of each step: the share of mines among the cells that it opened.
fn errors(counts: &Counts) -> Table {
    let row = |name: &str, of: fn(u64, u64) -> String| {
        let columns = counts.steps.map(|(cells, mines)| of(cells, mines));
        [name.to_owned()].into_iter().chain(columns)
    };
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["wrong"].into_iter().chain(Step::ALL.map(Step::name)));
    table.add_row(row("clicks", |cells, _| cells.to_string()));
    table.add_row(row("mines", |_, mines| mines.to_string()));
    table.add_row(row("mines %", |cells, mines| match cells {
        0 => "-".to_owned(),
        _ => format!("{:.2}", 100.0 * mines as f64 / cells as f64),
    }));
    table.add_row(row("95 %", |cells, mines| match (cells, wilson(mines, cells)) {
        (0, _) => "-".to_owned(),
        (_, (low, high)) => format!("{:.2}-{:.2}", 100.0 * low, 100.0 * high),
    }));
    table.column_iter_mut().skip(1).for_each(|column| {
        column.set_cell_alignment(CellAlignment::Right);
    });
    table
}

/// A bar chart of the games by the share of the safe cells that were open at the end.
fn chart(counts: &Counts) -> String {
    let most = counts.explored.into_iter().max().unwrap_or(0).max(1);
    let mut text = "share of games by how much of the safe cells was open at the end\n".to_owned();
    for (bin, &games) in counts.explored.iter().enumerate() {
        let tenth = 100 / BINS;
        let (from, to) = (bin * tenth, (bin + 1) * tenth);
        let (low, high) = wilson(games, counts.games);
        // Rounded up, so that a single game has a bar.
        let bar = "#".repeat((games * BAR_WIDTH as u64).div_ceil(most) as usize);
        let _ = writeln!(
            text,
            "{from:>3}-{to:>3} %  {bar:BAR_WIDTH$} {:>6.2} % ({:.2}-{:.2})",
            100.0 * counts.per_game(games),
            100.0 * low,
            100.0 * high
        );
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
        "covered": merged.covered,
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
