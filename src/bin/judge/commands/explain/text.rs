//! The explanation as text: the easiest proof, the move, the candidates, and what else is proven.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use sapper::analysis::Move;
use sapper::analysis::explanation::{
    Explanation, candidate_percentages, explain, explain_guess, has_opening_bonus, sentences,
};
use sapper::analysis::guesses::{FiftyFifty, fifty_fifties};
use sapper::analysis::notation::{cell_text, percent};
use sapper::analysis::values::value_name;
use sapper::base::text::pluralize;
use sapper::board::geometry::Cell;

use super::AnalyzedPosition;

/// The number of candidates in the table.
const MAX_CANDIDATES: usize = 12;
/// The most 50/50s that are told besides that of the move.
const MAX_FIFTY_FIFTIES: usize = 20;

/// Explains the whole position: what is easiest to prove, the move, and all else that is proven.
pub fn text(position: &AnalyzedPosition) -> String {
    let AnalyzedPosition { input, analysis, .. } = position;
    let shape = input.board.shape();
    let Some(chosen) = analysis.chosen() else {
        return "Every cell is open: there is nothing to decide.\n".to_owned();
    };
    let Explanation { easiest, chosen: of_chosen, others } = explain(analysis);
    let at = cell_text(shape, chosen.cell);
    let even = if chosen.odds > 0.0 { fifty_fifties(analysis) } else { Vec::new() };
    let mut text = String::new();
    let is_chosen = easiest.as_ref().is_some_and(|easiest| easiest.fact.cell == chosen.cell);
    let easier = easiest.as_ref().filter(|easiest| !is_chosen && !easiest.fact.is_mine);
    if let Some(easiest) = easier {
        let _ = writeln!(text, "Easiest: {} is safe", cell_text(shape, easiest.fact.cell));
        text.push_str(&indented(&easiest.sentences()));
        text.push('\n');
    }
    let _ = writeln!(text, "Move: open {at}, by {}", chosen.by.name());
    text.push_str(&indented(&match (&easiest, &of_chosen) {
        (Some(easiest), _) if is_chosen => easiest.sentences(),
        (_, Some(of_chosen)) if of_chosen.steps.is_empty() => {
            vec![format!("The proof above has it: {at} is safe.")]
        }
        (_, Some(of_chosen)) => of_chosen.sentences(),
        _ => explain_guess(analysis, &chosen, &even),
    }));
    if chosen.odds > 0.0 {
        text.push_str(&guess(position, &chosen, &even));
    }
    let mines_first = easiest.filter(|easiest| easiest.fact.is_mine && !is_chosen);
    let mut also = mines_first.map(|easiest| easiest.sentences()).unwrap_or_default();
    also.extend(sentences(&others));
    if !also.is_empty() {
        let _ = writeln!(text, "\nAlso proven\n{}", indented(&also).trim_end());
    }
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

/// The tables of a guess or an endgame, its equals, and the 50/50s.
fn guess(position: &AnalyzedPosition, chosen: &Move, even: &[FiftyFifty]) -> String {
    let analysis = position.analysis;
    let shape = analysis.board().shape();
    let mut text = String::new();
    let note = |cell: Cell, is_dead: bool, alike: usize| {
        let others = pluralize(alike, "other", "others");
        let twin = even.iter().find(|one| one.contains(cell));
        let notes = [
            twin.map(|one| one.name_for(shape, cell)),
            (is_dead && twin.is_none()).then(|| "dead: its number tells nothing".to_owned()),
            (alike > 0).then(|| format!("like {others}")),
        ];
        notes.into_iter().flatten().collect::<Vec<_>>().join("; ")
    };
    let candidates = analysis.candidates();
    if !candidates.is_empty() {
        let zero = has_opening_bonus(candidates).then_some("bonus of a zero");
        let header = ["cell", "mine", "next move"].into_iter().chain(zero).chain(["sum", ""]);
        let rows = candidates.iter().zip(candidate_percentages(candidates)).map(|(one, row)| {
            let at = [cell_text(shape, one.cell)].into_iter();
            at.chain(row).chain([note(one.cell, one.is_dead, one.alike)]).collect()
        });
        text.push_str("\nCandidates, the least risk of this move and the next first\n");
        text.push_str(&table(header.collect(), rows.collect()));
    }
    if let (values, Some(solved)) = (analysis.values(), chosen.solved)
        && !values.is_empty()
    {
        let objective = analysis.objective();
        let rows = values.iter().map(|value| {
            let odds = f64::from(value.mined) / f64::from(solved.layouts);
            let (at, odds) = (cell_text(shape, value.cell), percent(odds));
            vec![
                at,
                odds,
                value.text(solved.layouts, objective),
                note(value.cell, value.is_dead, 0),
            ]
        });
        let layouts = pluralize(solved.layouts, "layout", "layouts");
        let _ = writeln!(text, "\nEvery cell with best play after it, over all {layouts}");
        text.push_str(&table(vec!["cell", "mine", value_name(objective), ""], rows.collect()));
    }
    let others: Vec<&FiftyFifty> = even.iter().filter(|one| !one.contains(chosen.cell)).collect();
    if !others.is_empty() {
        text.push_str("\nGuesses that remain\n");
        for one in others.iter().take(MAX_FIFTY_FIFTIES) {
            text.push_str(&indented(&one.sentences(shape, analysis.objective())));
        }
        let more = others.len().saturating_sub(MAX_FIFTY_FIFTIES);
        if more > 0 {
            let _ = writeln!(text, "  And {more} more.");
        }
    }
    text
}

/// A table of which the first rows are shown. A last column without entries is left out.
fn table(header: Vec<&str>, rows: Vec<Vec<String>>) -> String {
    let has_notes = rows.iter().any(|row| row.last().is_some_and(|note| !note.is_empty()));
    let columns = header.len() - usize::from(!has_notes);
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN).set_header(header.into_iter().take(columns));
    let rest = rows.len().saturating_sub(MAX_CANDIDATES);
    for row in rows.into_iter().take(MAX_CANDIDATES) {
        table.add_row(row.into_iter().take(columns));
    }
    let numbers = columns - 1 - usize::from(has_notes);
    for column in table.column_iter_mut().skip(1).take(numbers) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let rest = if rest > 0 { format!("and {rest} more\n") } else { String::new() };
    format!("{table}\n{rest}")
}
