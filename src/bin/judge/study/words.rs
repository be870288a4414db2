//! A move and what speaks for it, in words. Cells are written `(row,column)`, from 0.

use sapper::board::Board;
use sapper::engine::Step;
use sapper::geometry::{Cell, Shape};
use sapper::guess::Objective;
use sapper::params::SAME_ODDS;
use sapper::words::counted;

use super::proof::{Chain, near};
use super::{Move, Study, Worth};

/// A cell as `(row,column)`.
pub fn place_told(shape: Shape, cell: Cell) -> String {
    format!("({},{})", shape.row(cell), shape.column(cell))
}

/// Some cells, one after another; of many only the first.
pub fn cells_told(shape: Shape, cells: &[Cell]) -> String {
    const SHOWN: usize = 8;
    let shown = if cells.len() > SHOWN + 1 { SHOWN } else { cells.len() };
    let mut told: Vec<String> =
        cells[..shown].iter().map(|&cell| place_told(shape, cell)).collect();
    if shown < cells.len() {
        told.push(format!("and {} more cells", cells.len() - shown));
    }
    told.join(" ")
}

/// Odds in percent; without decimals only where they are proven.
pub fn percent(odds: f64) -> String {
    if odds == 0.0 || odds == 1.0 {
        format!("{:.0} %", 100.0 * odds)
    } else {
        // Never 0.00 or 100.00: that would look like a proof.
        format!("{:.2} %", (100.0 * odds).clamp(0.01, 99.99))
    }
}

/// What tables of candidates tell of each, in percent: its odds, what the next move risks, what a zero is worth where
/// that counts for any of them, and the sum. No sum is a proof, and some are above 100 %.
pub fn shares(candidates: &[Worth]) -> Vec<Vec<String>> {
    let zero = counts_zero(candidates);
    let of = |worth: &Worth| {
        let (odds, next) = (worth.odds, worth.next);
        let zero = zero.then_some(next.zero);
        let shares = [Some(odds), Some(next.risk), zero, Some(worth.cost())].into_iter().flatten();
        shares.map(|share| format!("{:.2} %", 100.0 * share)).collect()
    };
    candidates.iter().map(of).collect()
}

/// Whether the chance of a zero counts for any of the candidates.
pub fn counts_zero(candidates: &[Worth]) -> bool {
    candidates.iter().any(|worth| worth.next.zero > 0.0)
}

/// Why the move of a study is what it is: the step in a sentence, then the chain of a proof, a line each.
pub fn why(board: &Board, study: &Study, chosen: &Move) -> Vec<String> {
    let at = place_told(board.shape(), chosen.cell);
    let odds = percent(chosen.odds);
    let layouts = || study.layouts().unwrap_or_else(|| "layouts".to_owned());
    match chosen.by {
        Step::Deduction => match proof(board, study, chosen.cell) {
            told if told.is_empty() => vec![by_pairs(study, &at)],
            told => told,
        },
        Step::Counting => vec![counting(board, study, chosen.cell)],
        Step::Endgame => {
            let text = format!(
                "Endgame: no cell is proven safe, and few enough layouts are left to play them all out: {}. \
                 Opening {at} ({odds} a mine) ends best",
                layouts()
            );
            vec![text + &worth(study, chosen)]
        }
        Step::Guess => vec![guess(study, chosen, &at)],
        Step::Rough => vec![format!("The numbers contradict each other; {at} looks least risky.")],
    }
}

/// Why `cell` is safe by deduction, or a mine: the claim, then the chain.
pub fn proof(board: &Board, study: &Study, cell: Cell) -> Vec<String> {
    let Some(verdict) = study.deducer().verdict(cell) else { return Vec::new() };
    let what = if verdict.is_mine { "a mine" } else { "safe" };
    let near = near(study.position(), cell);
    let chain = Chain::of(board, near.as_ref().unwrap_or(study.deducer()), [cell]);
    let claim = format!("Deduction: {} is {what}.", place_told(board.shape(), cell));
    let steps = chain.told().into_iter().map(|step| step.text);
    [claim].into_iter().chain(steps).collect()
}

/// Why the cell at `at` is safe, where the engine compares two numbers of which the deducer had rewritten one by then: one
/// of 60,000.
fn by_pairs(study: &Study, at: &str) -> String {
    let all = all_layouts(study);
    format!(
        "Deduction: {at} is safe in {all} that fit the numbers and the mines left. Numbers compared two at a time \
         prove it; the groups that would tell how were rewritten before they met."
    )
}

/// The open cells whose numbers that proof stands on, sorted; none where there is no proof.
pub fn numbers(board: &Board, study: &Study, cell: Cell) -> Vec<Cell> {
    let near = near(study.position(), cell);
    Chain::of(board, near.as_ref().unwrap_or(study.deducer()), [cell]).numbers()
}

/// Why `cell`, which no deduction settles, is safe or a mine all the same.
pub fn counting(board: &Board, study: &Study, cell: Cell) -> String {
    let at = place_told(board.shape(), cell);
    let all = all_layouts(study);
    let what = if study.odds().of(cell) == 0.0 { "safe" } else { "a mine" };
    format!(
        "Counting: {at} is {what} in {all} that fit the numbers and the mines left. No chain of groups was found that \
         shows it."
    )
}

fn all_layouts(study: &Study) -> String {
    study.layouts().map_or_else(|| "all layouts".to_owned(), |all| format!("all {all}"))
}

/// What an endgame's move is worth.
fn worth(study: &Study, chosen: &Move) -> String {
    let Some(solved) = chosen.solved else { return ".".to_owned() };
    let share = f64::from(solved.cost) / f64::from(solved.layouts);
    let play = if solved.is_proven { "best play" } else { "the best play found" };
    match study.objective() {
        Objective::FewestHits => {
            format!(": with {play} from here on {share:.3} mines are opened on average.")
        }
        Objective::CleanWin => {
            let won = solved.layouts - solved.cost;
            let layouts = counted(solved.layouts, "layout", "layouts");
            format!(": {play} wins in {won} of {layouts} ({}).", percent(1.0 - share))
        }
    }
}

fn guess(study: &Study, chosen: &Move, at: &str) -> String {
    let odds = percent(chosen.odds);
    let start = format!("Guess: no cell is proven safe. {at} is a mine with {odds}");
    let follows = |worth: &Worth| format!("{start}, and {}", after(worth));
    match study.candidates().iter().find(|worth| worth.cell == chosen.cell) {
        Some(worth) if chosen.games > 0 => format!(
            "{}; of the candidates that two moves leave \
             close together, {} played on to the end in thought went best for it.",
            follows(worth),
            counted(chosen.games, "game", "games")
        ),
        Some(worth) => {
            let all = study.candidates();
            let is_least = all.iter().all(|other| other.cost() >= worth.cost() - SAME_ODDS);
            let candidates = counted(all.len(), "candidate", "candidates");
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

/// What a candidate leads to.
fn after(worth: &Worth) -> String {
    let risk = format!("the move after it risks {} at its best", percent(worth.next.risk));
    if worth.next.zero > 0.0 {
        format!("{risk}, less {} since it may be a zero", percent(worth.next.zero))
    } else {
        risk
    }
}

/// What there is to say beside the odds of a cell that is not proven: the cells that are, and what it leads to.
fn beside(study: &Study, cell: Cell) -> (Option<String>, Option<String>) {
    let safe = study.odds().safe().len();
    let safe = (safe > 0).then(|| format!("{} proven safe", counted(safe, "cell is", "cells are")));
    (safe, study.candidates().iter().find(|worth| worth.cell == cell).map(after))
}

/// What speaks for the odds of a hidden cell, which are told already: its proof, or what there is beside them.
pub fn of_cell(board: &Board, study: &Study, cell: Cell) -> Vec<String> {
    if let Some(proven) = proven(board, study, cell) {
        return proven;
    }
    let (safe, after) = beside(study, cell);
    let sentence = |text: String| {
        let mut characters = text.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters).chain(['.']).collect()
    };
    safe.into_iter().chain(after).map(sentence).collect()
}

/// Why a cell is safe or a mine, where it is either.
fn proven(board: &Board, study: &Study, cell: Cell) -> Option<Vec<String>> {
    if study.deducer().verdict(cell).is_some() {
        return Some(proof(board, study, cell));
    }
    let odds = study.odds().of(cell);
    (odds == 0.0 || odds == 1.0).then(|| vec![counting(board, study, cell)])
}

/// What is told of a move that was made, and not by the engine: whether it was proven, or a risk.
pub fn of_another(board: &Board, study: &Study, cell: Cell) -> Vec<String> {
    if let Some(proven) = proven(board, study, cell) {
        return proven;
    }
    let (at, odds) = (place_told(board.shape(), cell), percent(study.odds().of(cell)));
    let (safe, after) = beside(study, cell);
    let safe = safe.map_or_else(String::new, |safe| format!(", while {safe}"));
    let after = after.map_or_else(String::new, |after| format!("; {after}"));
    vec![format!("{at} is a mine with {odds}{safe}{after}.")]
}
