//! The move, the candidates, the deductions and the groups in words.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use sapper::analysis::explanation::{candidate_percentages, explain_move, has_opening_bonus};
use sapper::analysis::notation::{cell_text, cells_text};
use sapper::analysis::proof::Derivation;
use sapper::base::text::pluralize;
use sapper::board::geometry::Cell;
use sapper::probability::component::Partition;

use super::explained::Explained;

/// Candidates told; the rest is counted.
const SHOWN: usize = 12;

/// Everything that is known of the position.
pub fn text(explained: &Explained) -> String {
    let Explained { input, analysis, .. } = explained;
    let board = &input.board;
    let mut text = match analysis.chosen() {
        None => "Every cell is open: there is nothing to decide.\n".to_owned(),
        Some(chosen) => {
            let at = cell_text(board.shape(), chosen.cell);
            let mut text = format!("Move: open {at}, by {}\n", chosen.by.name());
            text.push_str(&indented(&explain_move(board, analysis, &chosen)));
            text
        }
    };
    text.push_str(&candidates(explained));
    text.push_str(&deductions(explained));
    text.push_str(&by_counting(explained));
    text.push_str(&groups(explained));
    if analysis.odds().approximate() > 0 {
        let cells = pluralize(analysis.odds().approximate(), "cell has", "cells have");
        let _ =
            writeln!(text, "\n{cells} approximate odds only: the frontier is too wide to count.");
    }
    text
}

/// The lines, each two blanks in.
pub fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

fn candidates(explained: &Explained) -> String {
    let candidates = explained.analysis.candidates();
    if candidates.is_empty() {
        return String::new();
    }
    let shape = explained.input.board.shape();
    let mut table = Table::new();
    let zero = has_opening_bonus(candidates).then_some("less for a zero");
    let header = ["cell", "mine", "next move"].into_iter().chain(zero).chain(["together"]);
    table.load_preset(ASCII_MARKDOWN).set_header(header);
    for (worth, shares) in candidates.iter().zip(candidate_percentages(candidates)).take(SHOWN) {
        table.add_row([cell_text(shape, worth.cell)].into_iter().chain(shares));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let rest = candidates.len().saturating_sub(SHOWN);
    let rest = if rest > 0 { format!("and {rest} more\n") } else { String::new() };
    format!("\nCandidates, the least risk of two moves first\n{table}\n{rest}")
}

fn deductions(explained: &Explained) -> String {
    let Explained { input, analysis, .. } = explained;
    let deducer = analysis.deducer();
    let decided = deducer.safe().iter().chain(deducer.mines()).copied();
    let steps = Derivation::of(&input.board, deducer, decided).steps();
    let safe = pluralize(deducer.safe().len(), "cell", "cells");
    let mines = pluralize(deducer.mines().len(), "mine", "mines");
    let mut text = format!("\nDeductions prove {safe} safe and {mines}\n");
    let lines: Vec<String> = steps.into_iter().map(|step| step.text).collect();
    text.push_str(&indented(&lines));
    text
}

/// The cells that counting proves beyond deduction.
fn by_counting(explained: &Explained) -> String {
    let Explained { input, analysis, .. } = explained;
    let mut text = String::new();
    for (cells, what) in
        [(analysis.odds().safe(), "safe"), (analysis.odds().mines(), "to be mines")]
    {
        let counted: Vec<Cell> = cells
            .iter()
            .copied()
            .filter(|&cell| analysis.deducer().verdict(cell).is_none())
            .collect();
        if !counted.is_empty() {
            let cells = cells_text(input.board.shape(), &counted);
            let _ = writeln!(text, "Counting all layouts proves {what} besides: {cells}");
        }
    }
    text
}

fn groups(explained: &Explained) -> String {
    let Explained { input, analysis, .. } = explained;
    let (shape, deducer) = (input.board.shape(), analysis.deducer());
    let mut partition = Partition::default();
    partition.split(shape.len(), deducer.groups());
    if partition.components().is_empty() {
        return String::new();
    }
    let count = deducer.groups().count();
    let mut text = format!(
        "\n{} of undecided cells in {}\n",
        pluralize(count, "group", "groups"),
        pluralize(partition.components().len(), "component", "components")
    );
    for (number, component) in (1..).zip(partition.components()) {
        let members = partition.cells(component);
        let _ =
            writeln!(text, "  component {number}, {}", pluralize(members.len(), "cell", "cells"));
        for group in deducer.groups().filter(|group| members.contains(&group.cells()[0])) {
            let mines = pluralize(group.mines(), "mine", "mines");
            let _ = writeln!(text, "    {mines} in {}", cells_text(shape, group.cells()));
        }
    }
    text
}
