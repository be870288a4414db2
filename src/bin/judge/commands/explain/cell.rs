//! One cell of a position: what is known of it, and for a hidden one what opening it can show.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use sapper::analysis::explanation::explain_cell;
use sapper::analysis::notation::{cell_text, cells_text, percent};
use sapper::analysis::outcomes::{CellOutcome, outcomes};
use sapper::base::objective::Objective;
use sapper::base::text::pluralize;
use sapper::board::CellState;
use sapper::board::geometry::Cell;
use serde_json::{Value, json};

use super::explained::Explained;
use super::text::indented;
use crate::results::json::cell_json;

/// Layouts of different mine counts do not add up to a number of layouts.
const UNCOUNTED: &str = "
What it may show is not told: that takes a count of layouts, and the field states no mine count. With `W H M` as its
first line it is.
";

/// For people.
pub fn text(explained: &Explained, cell: Cell) -> String {
    let (head, lines) = known(explained, cell);
    let mut text = format!("{head}\n{}", indented(&lines));
    let Explained { input, analysis, density } = explained;
    if input.board.is_hidden(cell) {
        text.push_str(&match (outcomes(&input.board, analysis.odds(), cell), density) {
            (Some(outcomes), _) => table(&outcomes, analysis.objective()),
            (None, Some(_)) => UNCOUNTED.to_owned(),
            (None, None) => {
                "\nWhat it may show is not told: the frontier is too wide to count.\n".to_owned()
            }
        });
    }
    text
}

/// For programs.
pub fn json(explained: &Explained, cell: Cell) -> Value {
    let Explained { input, analysis, .. } = explained;
    let (board, (head, lines)) = (&input.board, known(explained, cell));
    let about: Vec<String> = [head].into_iter().chain(lines).collect();
    let mut value = json!({"cell": cell_json(board.shape(), cell), "about": about});
    if board.is_hidden(cell) {
        value["odds"] = json!(analysis.odds().of(cell));
        value["outcomes"] = json!(outcomes(board, analysis.odds(), cell).map(|outcomes| {
            let value = |one: &CellOutcome| {
                let shows = match one.shown {
                    CellState::Number(number) => json!(number),
                    _ => json!("mine"),
                };
                let next = next(one, analysis.objective());
                json!({"shows": shows, "chance": one.chance, "next": next, "safe": one.safe})
            };
            outcomes.iter().map(value).collect::<Vec<_>>()
        }));
    }
    value
}

/// A headline, and what speaks for it.
fn known(explained: &Explained, cell: Cell) -> (String, Vec<String>) {
    let Explained { input, analysis, .. } = explained;
    let board = &input.board;
    let at = cell_text(board.shape(), cell);
    match board.state(cell) {
        CellState::Hidden => {
            let odds = percent(analysis.odds().of(cell));
            (format!("{at} is hidden; a mine with {odds}"), explain_cell(board, analysis, cell))
        }
        CellState::Number(number) => {
            let hidden = pluralize(board.hidden_around(cell), "hidden cell", "hidden cells");
            let mut premises = analysis.position().premises.iter();
            let group = premises.find(|premise| premise.source == cell).map(|premise| {
                let mines = pluralize(premise.group.mines(), "mine", "mines");
                format!("{mines} in {}", cells_text(board.shape(), premise.group.cells()))
            });
            let head = format!("{at} is open and shows {number}, beside {hidden}");
            (head, group.into_iter().collect())
        }
        CellState::Hit => (format!("{at} is {}", input.known_mine_name()), Vec::new()),
        CellState::Illegible => {
            (format!("{at} is open, and nobody can read what it shows"), Vec::new())
        }
    }
}

/// What the next move risks; `None` where there is none, the game being won or lost.
fn next(outcome: &CellOutcome, objective: Objective) -> Option<f64> {
    let lost = outcome.shown == CellState::Hit && objective == Objective::CleanWin;
    outcome.next.filter(|_| !lost)
}

fn table(outcomes: &[CellOutcome], objective: Objective) -> String {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["it shows", "chance", "the next move risks", "cells proven safe then"]);
    for one in outcomes {
        let shows = match one.shown {
            CellState::Number(number) => number.to_string(),
            _ => "a mine".to_owned(),
        };
        let risk = match (next(one, objective), one.shown) {
            (Some(risk), _) => percent(risk),
            (None, CellState::Hit) if objective == Objective::CleanWin => "lost".to_owned(),
            (None, _) => "nothing is left".to_owned(),
        };
        table.add_row([shows, percent(one.chance), risk, one.safe.to_string()]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = format!("\nWhat opening it may show\n{table}\n");
    let mean: f64 =
        outcomes.iter().map(|one| one.chance * next(one, objective).unwrap_or(0.0)).sum();
    let _ = writeln!(text, "Over all of these the next move risks {}.", percent(mean));
    text
}
