//! The explanation as text: the move, the candidates, the deductions and the groups.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use sapper::analysis::explanation::{candidate_percentages, explain_move, has_opening_bonus};
use sapper::analysis::notation::{cell_text, cells_text};
use sapper::analysis::proof::Derivation;
use sapper::base::text::pluralize;
use sapper::board::geometry::Cell;
use sapper::probability::component::Partition;

use super::AnalyzedPosition;

/// The number of candidates in the table.
const MAX_CANDIDATES: usize = 12;

/// Explains the whole position.
pub fn text(position: &AnalyzedPosition) -> String {
    let AnalyzedPosition { input, analysis, .. } = position;
    let board = &input.board;
    let mut text = match analysis.chosen() {
        None => "Every cell is open: there is nothing to decide.\n".to_owned(),
        Some(chosen) => {
            let at = cell_text(board.shape(), chosen.cell);
            let mut text = format!("Move: open {at}, by {}\n", chosen.by.name());
            text.push_str(&indented(&explain_move(analysis, &chosen)));
            text
        }
    };
    text.push_str(&candidates(position));
    text.push_str(&deductions(position));
    text.push_str(&by_counting(position));
    text.push_str(&groups(position));
    if analysis.odds().approximate() > 0 {
        let cells = pluralize(analysis.odds().approximate(), "cell has", "cells have");
        let _ =
            writeln!(text, "\n{cells} approximate odds only: the frontier is too wide to count.");
    }
    text
}

/// Joins lines, each indented by two spaces.
pub fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

fn candidates(position: &AnalyzedPosition) -> String {
    let candidates = position.analysis.candidates();
    if candidates.is_empty() {
        return String::new();
    }
    let shape = position.input.board.shape();
    let mut table = Table::new();
    let zero = has_opening_bonus(candidates).then_some("bonus of a zero");
    let header = ["cell", "mine", "next move"].into_iter().chain(zero).chain(["sum"]);
    table.load_preset(ASCII_MARKDOWN).set_header(header);
    for (candidate, candidate_percentages) in
        candidates.iter().zip(candidate_percentages(candidates)).take(MAX_CANDIDATES)
    {
        table.add_row([cell_text(shape, candidate.cell)].into_iter().chain(candidate_percentages));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let rest = candidates.len().saturating_sub(MAX_CANDIDATES);
    let rest = if rest > 0 { format!("and {rest} more\n") } else { String::new() };
    format!("\nCandidates, the least risk of this move and the next first\n{table}\n{rest}")
}

fn deductions(position: &AnalyzedPosition) -> String {
    let AnalyzedPosition { input, analysis, .. } = position;
    let deduced = analysis.deduced();
    let decided = deduced.safe().iter().chain(deduced.mines()).copied();
    let Derivation { steps, .. } = Derivation::of(&input.board, deduced, decided);
    let safe = pluralize(deduced.safe().len(), "cell", "cells");
    let mines = pluralize(deduced.mines().len(), "mine", "mines");
    let mut text = format!("\nDeductions prove {safe} safe and {mines}\n");
    let lines: Vec<String> = steps.into_iter().map(|step| step.text).collect();
    text.push_str(&indented(&lines));
    text
}

/// The cells that counting proves and deduction does not.
fn by_counting(position: &AnalyzedPosition) -> String {
    let AnalyzedPosition { input, analysis, .. } = position;
    let mut text = String::new();
    for (cells, kind) in
        [(analysis.odds().safe(), "safe cells"), (analysis.odds().mines(), "mines")]
    {
        let counted: Vec<Cell> = cells
            .iter()
            .copied()
            .filter(|&cell| analysis.deduced().verdict(cell).is_none())
            .collect();
        if !counted.is_empty() {
            let cells = cells_text(input.board.shape(), &counted);
            let _ = writeln!(text, "Counting all layouts proves more {kind}: {cells}");
        }
    }
    text
}

fn groups(position: &AnalyzedPosition) -> String {
    let AnalyzedPosition { input, analysis, .. } = position;
    let (shape, deduced) = (input.board.shape(), analysis.deduced());
    let mut partition = Partition::default();
    partition.split(shape.len(), deduced.groups());
    if partition.components().is_empty() {
        return String::new();
    }
    let count = deduced.groups().count();
    let mut text = format!(
        "\n{} of undecided cells in {}\n",
        pluralize(count, "group", "groups"),
        pluralize(partition.components().len(), "component", "components")
    );
    for (number, component) in (1..).zip(partition.components()) {
        let members = partition.cells(component);
        let _ =
            writeln!(text, "  component {number}, {}", pluralize(members.len(), "cell", "cells"));
        for group in deduced.groups().filter(|group| members.contains(&group.cells()[0])) {
            let mines = pluralize(group.mines(), "mine", "mines");
            let _ = writeln!(text, "    {mines} in {}", cells_text(shape, group.cells()));
        }
    }
    text
}
