//! The explanation of one cell, and for a hidden cell the possible outcomes of opening it.

use std::fmt::Write as _;

use comfy_table::CellAlignment;
use sapper::analysis::explanation::explain_cell;
use sapper::analysis::notation::{cell_text, cells_text, percent};
use sapper::analysis::outcomes::{CellOutcome, outcomes};
use sapper::base::objective::Objective;
use sapper::base::text::pluralize;
use sapper::board::CellState;
use sapper::board::geometry::Cell;
use serde_json::{Value, json};

use super::AnalyzedPosition;
use super::text::indented;
use crate::results::json::cell_json;
use crate::results::table::empty;

/// Without a mine count, layouts of different mine counts have different weights.
const NO_MINE_COUNT: &str = "
The outcomes of opening it are not listed: they need a count of layouts, and the field states no
mine count. Give one in its first line, `W H M`.
";

const TOO_WIDE: &str = "
The outcomes of opening it are not listed: the frontier is too wide to count.
";

/// The explanation as text.
pub fn text(position: &AnalyzedPosition, cell: Cell) -> String {
    let (head, lines) = describe(position, cell);
    let mut text = format!("{head}\n{}", indented(&lines));
    let AnalyzedPosition { input, analysis, density } = position;
    if input.board.is_hidden(cell) {
        text.push_str(&match (outcomes(analysis, cell), density) {
            (Some(outcomes), _) => table(&outcomes, analysis.objective()),
            (None, Some(_)) => NO_MINE_COUNT.to_owned(),
            (None, None) => TOO_WIDE.to_owned(),
        });
    }
    text
}

/// The explanation as JSON.
pub fn json(position: &AnalyzedPosition, cell: Cell) -> Value {
    let AnalyzedPosition { input, analysis, .. } = position;
    let (board, (head, lines)) = (&input.board, describe(position, cell));
    let about: Vec<String> = [head].into_iter().chain(lines).collect();
    let mut value = json!({"cell": cell_json(board.shape(), cell), "about": about});
    if board.is_hidden(cell) {
        value["odds"] = json!(analysis.odds().of(cell));
        value["outcomes"] = json!(outcomes(analysis, cell).map(|outcomes| {
            let value = |outcome: &CellOutcome| {
                let shows = match outcome.shown {
                    CellState::Number(number) => json!(number),
                    _ => json!("mine"),
                };
                let next = next_risk(outcome, analysis.objective());
                let CellOutcome { chance, safe, .. } = outcome;
                json!({"shows": shows, "chance": chance, "next": next, "safe": safe})
            };
            outcomes.iter().map(value).collect::<Vec<_>>()
        }));
    }
    value
}

/// A headline, and the lines of the proof or the estimate.
fn describe(position: &AnalyzedPosition, cell: Cell) -> (String, Vec<String>) {
    let AnalyzedPosition { input, analysis, .. } = position;
    let board = &input.board;
    let at = cell_text(board.shape(), cell);
    match board.state(cell) {
        CellState::Hidden => {
            let odds = percent(analysis.odds().of(cell));
            (format!("{at} is hidden; a mine with {odds}"), explain_cell(analysis, cell))
        }
        CellState::Number(number) => {
            let hidden = pluralize(board.hidden_around(cell), "hidden cell", "hidden cells");
            let mut premises = analysis.deduced().position().premises.iter();
            let group_text = premises.find(|premise| premise.source == cell).map(|premise| {
                let mines = pluralize(premise.group.mines(), "mine", "mines");
                format!("{mines} in {}", cells_text(board.shape(), premise.group.cells()))
            });
            let head = format!("{at} is open and shows {number}, beside {hidden}");
            (head, group_text.into_iter().collect())
        }
        CellState::Hit if input.is_picture => (format!("{at} is a known mine"), Vec::new()),
        CellState::Hit => (format!("{at} is a mine that was opened"), Vec::new()),
        CellState::Illegible => {
            (format!("{at} is open, but its number cannot be read"), Vec::new())
        }
    }
}

/// The least risk of the next move; `None` if the game is over.
fn next_risk(outcome: &CellOutcome, objective: Objective) -> Option<f64> {
    let lost = outcome.shown == CellState::Hit && objective == Objective::CleanWin;
    outcome.next.filter(|_| !lost)
}

fn table(outcomes: &[CellOutcome], objective: Objective) -> String {
    let titles = ["it shows", "probability", "risk of the next move", "proven safe then"];
    let mut table = empty(titles);
    for outcome in outcomes {
        let shows = match outcome.shown {
            CellState::Number(number) => number.to_string(),
            _ => "a mine".to_owned(),
        };
        let risk = match (next_risk(outcome, objective), outcome.shown) {
            (Some(risk), _) => percent(risk),
            (None, CellState::Hit) if objective == Objective::CleanWin => "lost".to_owned(),
            (None, _) => "no cell left".to_owned(),
        };
        table.add_row([shows, percent(outcome.chance), risk, outcome.safe.to_string()]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = format!("\nPossible outcomes of opening it\n{table}\n");
    let risk = |outcome: &CellOutcome| next_risk(outcome, objective).unwrap_or(0.0);
    let mean: f64 = outcomes.iter().map(|outcome| outcome.chance * risk(outcome)).sum();
    let _ = writeln!(text, "On average the next move risks {}.", percent(mean));
    text
}
