//! Explains a move in sentences: the step that decided, its proof or its estimated cost.
//!
//! Everything here formats what an [`Analysis`] has found; nothing is computed but proofs from
//! fewer numbers ([`nearby_deduction`]).

use super::notation::{cell_text, percent};
use super::proof::{Chain, nearby_deduction};
use super::{Analysis, Candidate, Move};
use crate::base::objective::Objective;
use crate::base::params::PROBABILITY_TOLERANCE;
use crate::base::text::pluralize;
use crate::board::Board;
use crate::board::geometry::Cell;
use crate::bot::engine::Step;

/// The columns of a table of candidates, in percent: the odds, the risk of the next move, the value
/// of a zero where that counts for any of them, and the sum. No sum is a proof, and some exceed 100
/// %.
pub fn shares(candidates: &[Candidate]) -> Vec<Vec<String>> {
    let zero = counts_zero(candidates);
    let of = |worth: &Candidate| {
        let (odds, next) = (worth.odds, worth.next);
        let zero = zero.then_some(next.opening_bonus);
        let shares = [Some(odds), Some(next.risk), zero, Some(worth.cost())].into_iter().flatten();
        shares.map(|share| format!("{:.2} %", 100.0 * share)).collect()
    };
    candidates.iter().map(of).collect()
}

/// Whether the chance of a zero counts for any of the candidates.
pub fn counts_zero(candidates: &[Candidate]) -> bool {
    candidates.iter().any(|worth| worth.next.opening_bonus > 0.0)
}

/// Explains the move of an analysis: the step in a sentence, then the steps of a proof, a line
/// each.
pub fn explain_move(board: &Board, analysis: &Analysis, chosen: &Move) -> Vec<String> {
    let at = cell_text(board.shape(), chosen.cell);
    let odds = percent(chosen.odds);
    let layouts = || analysis.layouts().unwrap_or_else(|| "layouts".to_owned());
    match chosen.by {
        Step::Deduction => match explain_verdict(board, analysis, chosen.cell) {
            lines if lines.is_empty() => vec![by_pairs(analysis, &at)],
            lines => lines,
        },
        Step::Counting => vec![explain_count(board, analysis, chosen.cell)],
        Step::Endgame => {
            let text = format!(
                "Endgame: no cell is proven safe, and few enough layouts are left to play them all out: {}. \
                 Opening {at} ({odds} a mine) ends best",
                layouts()
            );
            vec![text + &endgame_value(analysis, chosen)]
        }
        Step::Guess => vec![guess(analysis, chosen, &at)],
        Step::Rough => vec![format!("The numbers contradict each other; {at} looks least risky.")],
    }
}

/// Explains a verdict of deduction: the claim, then the steps of its proof. Empty without a
/// verdict.
pub fn explain_verdict(board: &Board, analysis: &Analysis, cell: Cell) -> Vec<String> {
    let Some(verdict) = analysis.deducer().verdict(cell) else { return Vec::new() };
    let what = if verdict.is_mine { "a mine" } else { "safe" };
    let near = nearby_deduction(analysis.position(), cell);
    let chain = Chain::of(board, near.as_ref().unwrap_or(analysis.deducer()), [cell]);
    let claim = format!("Deduction: {} is {what}.", cell_text(board.shape(), cell));
    let steps = chain.steps().into_iter().map(|step| step.text);
    [claim].into_iter().chain(steps).collect()
}

/// Explains a safe cell that the engine found by comparing two numbers, one of which the deducer
/// had already rewritten: about one of 60,000.
fn by_pairs(analysis: &Analysis, at: &str) -> String {
    let all = all_layouts(analysis);
    format!(
        "Deduction: {at} is safe in {all} that fit the numbers and the mines left. Numbers compared two at a time \
         prove it; the groups that would tell how were rewritten before they met."
    )
}

/// The open cells whose numbers the proof of [`explain_verdict`] uses, sorted; none without a
/// proof.
pub fn numbers_used(board: &Board, analysis: &Analysis, cell: Cell) -> Vec<Cell> {
    let near = nearby_deduction(analysis.position(), cell);
    Chain::of(board, near.as_ref().unwrap_or(analysis.deducer()), [cell]).numbers()
}

/// Explains a cell that is proven by counting and by no deduction.
pub fn explain_count(board: &Board, analysis: &Analysis, cell: Cell) -> String {
    let at = cell_text(board.shape(), cell);
    let all = all_layouts(analysis);
    let what = if analysis.odds().of(cell) == 0.0 { "safe" } else { "a mine" };
    format!(
        "Counting: {at} is {what} in {all} that fit the numbers and the mines left. No chain of groups was found that \
         shows it."
    )
}

fn all_layouts(analysis: &Analysis) -> String {
    analysis.layouts().map_or_else(|| "all layouts".to_owned(), |all| format!("all {all}"))
}

/// The value of an endgame's move, as the end of a sentence.
fn endgame_value(analysis: &Analysis, chosen: &Move) -> String {
    let Some(solved) = chosen.solved else { return ".".to_owned() };
    let share = f64::from(solved.cost) / f64::from(solved.layouts);
    let play = if solved.is_proven { "best play" } else { "the best play found" };
    match analysis.objective() {
        Objective::FewestHits => {
            format!(": with {play} from here on {share:.3} mines are opened on average.")
        }
        Objective::CleanWin => {
            let won = solved.layouts - solved.cost;
            let layouts = pluralize(solved.layouts, "layout", "layouts");
            format!(": {play} wins in {won} of {layouts} ({}).", percent(1.0 - share))
        }
    }
}

fn guess(analysis: &Analysis, chosen: &Move, at: &str) -> String {
    let odds = percent(chosen.odds);
    let start = format!("Guess: no cell is proven safe. {at} is a mine with {odds}");
    let follows = |worth: &Candidate| format!("{start}, and {}", consequence(worth));
    match analysis.candidates().iter().find(|worth| worth.cell == chosen.cell) {
        Some(worth) if chosen.games > 0 => format!(
            "{}; of the candidates that two moves leave \
             close together, {} played on to the end in thought went best for it.",
            follows(worth),
            pluralize(chosen.games, "game", "games")
        ),
        Some(worth) => {
            let all = analysis.candidates();
            let is_least =
                all.iter().all(|other| other.cost() >= worth.cost() - PROBABILITY_TOLERANCE);
            let candidates = pluralize(all.len(), "candidate", "candidates");
            let why = if is_least {
                format!("of {candidates} none costs less by this sum")
            } else {
                "no nodes were left to look further at the others".to_owned()
            };
            format!("{}; {why}.", follows(worth))
        }
        None => format!("{start}: the least, with the fewest hidden cells around it among equals."),
    }
}

/// The risk of the move after a candidate.
fn consequence(worth: &Candidate) -> String {
    let risk = format!("the move after it risks {} at its best", percent(worth.next.risk));
    if worth.next.opening_bonus > 0.0 {
        format!("{risk}, less {} since it may be a zero", percent(worth.next.opening_bonus))
    } else {
        risk
    }
}

/// For a cell that is not proven: how many cells are proven safe, and the risk of the move after
/// it.
fn beside(analysis: &Analysis, cell: Cell) -> (Option<String>, Option<String>) {
    let safe = analysis.odds().safe().len();
    let safe =
        (safe > 0).then(|| format!("{} proven safe", pluralize(safe, "cell is", "cells are")));
    (safe, analysis.candidates().iter().find(|worth| worth.cell == cell).map(consequence))
}

/// Explains a hidden cell whose odds are printed already: its proof, or the risk of the move after
/// it.
pub fn explain_cell(board: &Board, analysis: &Analysis, cell: Cell) -> Vec<String> {
    if let Some(proven) = proven(board, analysis, cell) {
        return proven;
    }
    let (safe, after) = beside(analysis, cell);
    let sentence = |text: String| {
        let mut characters = text.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters).chain(['.']).collect()
    };
    safe.into_iter().chain(after).map(sentence).collect()
}

/// The proof of a cell, where it is proven.
fn proven(board: &Board, analysis: &Analysis, cell: Cell) -> Option<Vec<String>> {
    if analysis.deducer().verdict(cell).is_some() {
        return Some(explain_verdict(board, analysis, cell));
    }
    let odds = analysis.odds().of(cell);
    (odds == 0.0 || odds == 1.0).then(|| vec![explain_count(board, analysis, cell)])
}

/// Explains a move that was made and is not the engine's: its proof, or its risk.
pub fn explain_other_move(board: &Board, analysis: &Analysis, cell: Cell) -> Vec<String> {
    if let Some(proven) = proven(board, analysis, cell) {
        return proven;
    }
    let (at, odds) = (cell_text(board.shape(), cell), percent(analysis.odds().of(cell)));
    let (safe, after) = beside(analysis, cell);
    let safe = safe.map_or_else(String::new, |safe| format!(", while {safe}"));
    let after = after.map_or_else(String::new, |after| format!("; {after}"));
    vec![format!("{at} is a mine with {odds}{safe}{after}.")]
}
