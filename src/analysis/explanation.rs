//! Explains a move in sentences: the step that decided, and its proof or its expected cost.
//!
//! This module formats the results of an [`Analysis`]. The only computation is the search for
//! shorter proofs ([`Derivation::nearest`]).

use super::notation::{cell_text, percent};
use super::proof::Derivation;
use super::{Analysis, CandidateReport, Move};
use crate::base::objective::Objective;
use crate::base::params::PROBABILITY_TOLERANCE;
use crate::base::text::pluralize;
use crate::board::geometry::Cell;
use crate::bot::engine::Step;

/// The rows of a table of candidates, in percent: the odds, the risk of the next move, the opening
/// bonus where any candidate has one, and the cost. A cost may exceed 100 %, and is not a proof.
pub fn candidate_percentages(candidates: &[CandidateReport]) -> Vec<Vec<String>> {
    let has_bonus = has_opening_bonus(candidates);
    let row = |candidate: &CandidateReport| {
        let CandidateReport { odds, next, .. } = *candidate;
        let bonus = has_bonus.then_some(next.opening_bonus);
        let columns = [Some(odds), Some(next.risk), bonus, Some(candidate.cost())];
        columns.into_iter().flatten().map(|value| format!("{:.2} %", 100.0 * value)).collect()
    };
    candidates.iter().map(row).collect()
}

/// Whether any of the candidates has a bonus for the probability of an opening.
pub fn has_opening_bonus(candidates: &[CandidateReport]) -> bool {
    candidates.iter().any(|candidate| candidate.next.opening_bonus > 0.0)
}

/// Explains the move of an analysis: the step that decided in one line, then the steps of its
/// proof, one line each.
pub fn explain_move(analysis: &Analysis, chosen: &Move) -> Vec<String> {
    let at = cell_text(analysis.board().shape(), chosen.cell);
    let odds = percent(chosen.odds);
    let layouts = || analysis.layouts().unwrap_or_else(|| "layouts".to_owned());
    match chosen.by {
        Step::Deduction => match explain_verdict(analysis, chosen.cell) {
            lines if lines.is_empty() => vec![pairwise_sentence(analysis, &at)],
            lines => lines,
        },
        Step::Counting => vec![explain_count(analysis, chosen.cell)],
        Step::Endgame => {
            let text = format!(
                "Endgame: no cell is proven safe, and {} are few enough to compute the best play. \
                 {at} is the best cell to open ({odds} a mine)",
                layouts()
            );
            vec![text + &endgame_value(analysis, chosen)]
        }
        Step::Guess => vec![guess_sentence(analysis, chosen, &at)],
        Step::Rough => vec![format!(
            "The numbers contradict each other; {at} has the lowest approximate risk."
        )],
    }
}

/// Explains a verdict of deduction: the verdict, then the steps of its proof, one line each. Empty
/// where deduction has no verdict on `cell`.
pub fn explain_verdict(analysis: &Analysis, cell: Cell) -> Vec<String> {
    let Some(verdict) = analysis.deduced().verdict(cell) else { return Vec::new() };
    let what = if verdict.is_mine { "a mine" } else { "safe" };
    let proof = Derivation::nearest(analysis.board(), analysis.deduced(), cell);
    let claim = format!("Deduction: {} is {what}.", cell_text(analysis.board().shape(), cell));
    let steps = proof.steps.into_iter().map(|step| step.text);
    [claim].into_iter().chain(steps).collect()
}

/// Explains a safe cell that only [`crate::deduction::incremental`] proves. The deducer compares
/// the same two numbers only as long as it has not reduced one of them, so that it rarely misses
/// such a cell.
fn pairwise_sentence(analysis: &Analysis, at: &str) -> String {
    let all = all_layouts(analysis);
    format!(
        "Deduction: {at} is safe in {all} that fit the numbers and the mines left. A comparison of \
         two numbers proves it, but no proof of it was recorded."
    )
}

/// The open cells whose numbers the proof of [`explain_verdict`] uses, sorted; empty without a
/// proof.
pub fn numbers_used(analysis: &Analysis, cell: Cell) -> Vec<Cell> {
    Derivation::nearest(analysis.board(), analysis.deduced(), cell).numbers
}

/// Explains a cell that counting proves and deduction does not.
pub fn explain_count(analysis: &Analysis, cell: Cell) -> String {
    let at = cell_text(analysis.board().shape(), cell);
    let all = all_layouts(analysis);
    let what = if analysis.odds().of(cell) == 0.0 { "safe" } else { "a mine" };
    format!(
        "Counting: {at} is {what} in {all} that fit the numbers and the mines left. The rules of \
         deduction do not prove it."
    )
}

fn all_layouts(analysis: &Analysis) -> String {
    analysis.layouts().map_or_else(|| "all layouts".to_owned(), |all| format!("all {all}"))
}

/// The expected result of an endgame's move, as the end of a sentence.
fn endgame_value(analysis: &Analysis, chosen: &Move) -> String {
    let Some(solved) = chosen.solved else { return ".".to_owned() };
    let mean_cost = f64::from(solved.cost) / f64::from(solved.layouts);
    let play = if solved.is_proven { "best play" } else { "the best play found" };
    match analysis.objective() {
        Objective::FewestHits => {
            format!(": with {play} from here on {mean_cost:.3} mines are opened on average.")
        }
        Objective::CleanWin => {
            let won = solved.layouts - solved.cost;
            let layouts = pluralize(solved.layouts, "layout", "layouts");
            format!(": {play} wins in {won} of {layouts} ({}).", percent(1.0 - mean_cost))
        }
    }
}

fn guess_sentence(analysis: &Analysis, chosen: &Move, at: &str) -> String {
    let odds = percent(chosen.odds);
    let risk = format!("Guess: no cell is proven safe. {at} is a mine with {odds}");
    let candidates = analysis.candidates();
    let Some(candidate) = candidates.iter().find(|candidate| candidate.cell == chosen.cell) else {
        return format!(
            "{risk}: the minimum, and of the cells with these odds it has the fewest hidden \
             neighbours."
        );
    };
    let next_risk = next_move_clause(candidate);
    let reason = if chosen.playouts > 0 {
        format!(
            "of the candidates with similar costs it has the best result by its look-ahead and {}",
            pluralize(chosen.playouts, "playout", "playouts")
        )
    } else if candidates
        .iter()
        .all(|other| other.cost() >= candidate.cost() - PROBABILITY_TOLERANCE)
    {
        let candidates = pluralize(candidates.len(), "candidate", "candidates");
        format!("of {candidates} none has a lower sum")
    } else {
        "the node limit ended the evaluation of the other candidates".to_owned()
    };
    format!("{risk}, and {next_risk}; {reason}.")
}

/// The risk of the move after a candidate.
fn next_move_clause(candidate: &CandidateReport) -> String {
    let risk = format!("the move after it risks {} at best", percent(candidate.next.risk));
    if candidate.next.opening_bonus > 0.0 {
        format!("{risk}, less {} since it may be a zero", percent(candidate.next.opening_bonus))
    } else {
        risk
    }
}

/// For a cell that is not proven: the number of cells that are proven safe, and the risk of the
/// move after `cell`.
fn context_clauses(analysis: &Analysis, cell: Cell) -> (Option<String>, Option<String>) {
    let safe = analysis.odds().safe().len();
    let safe =
        (safe > 0).then(|| format!("{} proven safe", pluralize(safe, "cell is", "cells are")));
    let mut candidates = analysis.candidates().iter();
    let candidate = candidates.find(|candidate| candidate.cell == cell);
    (safe, candidate.map(next_move_clause))
}

/// Explains a hidden cell, without its odds: its proof, or the risk of the move after it.
pub fn explain_cell(analysis: &Analysis, cell: Cell) -> Vec<String> {
    if let Some(proof) = explain_proof(analysis, cell) {
        return proof;
    }
    let (safe, next_move) = context_clauses(analysis, cell);
    let sentence = |text: String| {
        let mut characters = text.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters).chain(['.']).collect()
    };
    safe.into_iter().chain(next_move).map(sentence).collect()
}

/// The proof of a cell, where it is proven.
fn explain_proof(analysis: &Analysis, cell: Cell) -> Option<Vec<String>> {
    if analysis.deduced().verdict(cell).is_some() {
        return Some(explain_verdict(analysis, cell));
    }
    let odds = analysis.odds().of(cell);
    (odds == 0.0 || odds == 1.0).then(|| vec![explain_count(analysis, cell)])
}

/// Explains a move that is not the engine's: its proof, or its risk.
pub fn explain_other_move(analysis: &Analysis, cell: Cell) -> Vec<String> {
    if let Some(proof) = explain_proof(analysis, cell) {
        return proof;
    }
    let (at, odds) = (cell_text(analysis.board().shape(), cell), percent(analysis.odds().of(cell)));
    let (safe, next_move) = context_clauses(analysis, cell);
    let safe = safe.map_or_else(String::new, |safe| format!(", while {safe}"));
    let next_move = next_move.map_or_else(String::new, |clause| format!("; {clause}"));
    vec![format!("{at} is a mine with {odds}{safe}{next_move}.")]
}
