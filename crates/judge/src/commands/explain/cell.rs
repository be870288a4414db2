//! The explanation of one cell, and for a hidden cell the possible outcomes of opening it.

use std::fmt::Write as _;

use analysis::Analysis;
use analysis::explanation::describe_cell;
use analysis::notation::percent;
use analysis::outcomes::{CellOutcome, outcomes};
use sapper::{Cell, CellState, Objective};

use super::text::indented;
use crate::cli::PositionInput;
use crate::report::drawing::known_mine_name;
use crate::report::table::{empty, right_align};

/// Without a mine count, layouts of different mine counts have different weights.
const NO_MINE_COUNT: &str = "
The outcomes of opening it are not listed: they need a count of layouts, and the field states no
mine count. Give one in its first line, `W H M`.
";

const TOO_WIDE: &str = "
The outcomes of opening it are not listed: the frontier is too wide to count.
";

/// The explanation as text.
pub fn text(input: &PositionInput, analysis: &Analysis, cell: Cell) -> String {
    let (head, lines) = describe_cell(analysis, cell, known_mine_name(input.is_text));
    let mut text = format!("{head}\n{}", indented(&lines));
    if input.board.is_hidden(cell) {
        text.push_str(&match (outcomes(analysis, cell), input.mine_count) {
            (Some(outcomes), _) => table(&outcomes, analysis.objective()),
            (None, None) => NO_MINE_COUNT.to_owned(),
            (None, Some(_)) => TOO_WIDE.to_owned(),
        });
    }
    text
}

fn table(outcomes: &[CellOutcome], objective: Objective) -> String {
    let titles = ["it shows", "probability", "risk of the next move", "proven safe then"];
    let mut table = empty(titles);
    right_align(&mut table, 0..titles.len());
    for outcome in outcomes {
        let shows = match outcome.shown {
            CellState::Number(number) => number.to_string(),
            _ => "a mine".to_owned(),
        };
        let risk = match (outcome.next_risk(objective), outcome.shown) {
            (Some(risk), _) => percent(risk),
            (None, CellState::Hit) if objective == Objective::CleanWin => "lost".to_owned(),
            (None, _) => "no cell left".to_owned(),
        };
        table.add_row([shows, percent(outcome.chance), risk, outcome.safe.to_string()]);
    }
    let mut text = format!("\nPossible outcomes of opening it\n{table}\n");
    let risk = |outcome: &CellOutcome| outcome.next_risk(objective).unwrap_or(0.0);
    let mean: f64 = outcomes.iter().map(|outcome| outcome.chance * risk(outcome)).sum();
    let _ = writeln!(text, "On average the next move risks {}.", percent(mean));
    text
}
