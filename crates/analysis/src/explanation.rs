//! Explains a position in sentences: the easiest proof, the move, and all else that is proven.
//!
//! This module puts the results of the others in order. The proofs are those of
//! [`search`](crate::search); a move that is not proven is explained by its expected cost.

use super::Analysis;
use super::candidates::EvaluatedCandidate;
use super::guesses::{FiftyFifty, IN_FIFTY_FIFTY, equals, fifty_fifties};
use super::notation::{capitalized, cell_text, cells_text, list_cells, percent};
use super::rules::Fact;
use super::search::{Proof, ProofStep};
use sapper::Decision;
use sapper::board::CellState;
use sapper::board::geometry::Cell;
use sapper::bot::engine::Step;
use sapper::kit::text::pluralize;
use sapper::settings::params::{
    NEGLIGIBLE_PROBABILITY, OPENING_BONUS, Objective, PROBABILITY_TOLERANCE,
};

/// All that is proven about a position; no fact is told twice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// The fact that is easiest to prove; `None` where nothing is proven.
    pub easiest: Option<Proof>,
    /// The move, if it is proven and another cell was easier to prove. It has no steps if the
    /// easiest proof told it too.
    pub chosen: Option<Proof>,
    /// All other facts, a step for each reason.
    pub others: Vec<ProofStep>,
}

/// Explains all that is proven.
pub fn explain(analysis: &Analysis) -> Explanation {
    let mut search = analysis.proofs();
    let chosen = analysis.chosen().and_then(|chosen| search.proven(chosen.cell()));
    let easiest = search.tell_easiest(chosen.map(|fact| fact.cell));
    let is_other = |fact: &Fact| easiest.as_ref().is_some_and(|first| first.fact != *fact);
    let chosen = chosen.filter(is_other);
    let chosen = chosen.map(|fact| Proof { fact, steps: search.tell_cell(fact.cell) });
    Explanation { easiest, chosen, others: search.tell_rest() }
}

/// The shortest proof of a cell; `None` where it is not proven.
pub fn prove(analysis: &Analysis, cell: Cell) -> Option<Proof> {
    let mut search = analysis.proofs();
    let fact = search.proven(cell)?;
    Some(Proof { fact, steps: search.tell_cell(cell) })
}

/// The safe cell that is easiest to prove; of equal ones the move. `None` where none is safe.
pub fn easiest_safe(analysis: &Analysis) -> Option<Proof> {
    let &first = analysis.odds().safe().first()?;
    let easiest = analysis.proofs().tell_easiest(analysis.chosen().map(Decision::cell));
    // Where all proofs are too long for the search, the first cell has a chain of steps.
    easiest.or_else(|| prove(analysis, first))
}

/// The rows of a table of candidates: in percent the odds, the risk of the next move in the safest
/// and in the second-best cell, and the opening bonus if any candidate has one; and the cost, in
/// percent of a clean win or in mines. A cost is no probability: it may exceed 100 %, and 0 % is no
/// proof.
pub fn candidate_figures(
    candidates: &[EvaluatedCandidate],
    objective: Objective,
) -> Vec<Vec<String>> {
    let has_bonus = has_opening_bonus(candidates);
    let row = |candidate: &EvaluatedCandidate| {
        let EvaluatedCandidate { odds, next, .. } = *candidate;
        let bonus = has_bonus.then_some(next.opening_bonus);
        let percent = |value: f64| format!("{:.2} %", 100.0 * value);
        let odds = [Some(odds), Some(next.risk), Some(next.second_risk), bonus];
        let cost = match objective {
            Objective::CleanWin => percent(candidate.cost()),
            Objective::FewestHits => format!("{:.3} mines", candidate.cost()),
        };
        odds.into_iter().flatten().map(percent).chain([cost]).collect()
    };
    candidates.iter().map(row).collect()
}

/// Whether any of the candidates has a bonus for the probability of an opening.
pub fn has_opening_bonus(candidates: &[EvaluatedCandidate]) -> bool {
    candidates.iter().any(|candidate| candidate.next.opening_bonus > 0.0)
}

/// Explains the move of an analysis: its proof, or what the guess costs, one sentence a line.
pub fn explain_move(analysis: &Analysis, chosen: &Decision) -> Vec<String> {
    if let Some(proof) = prove(analysis, chosen.cell()) {
        return proof.sentences(analysis.board());
    }
    explain_guess(analysis, chosen, &fifty_fifties(analysis))
}

/// Explains a move that is not proven: its cost, the cells that are as good, and its 50/50, if one
/// of `even` (see [`fifty_fifties`]) has it.
pub fn explain_guess(analysis: &Analysis, chosen: &Decision, even: &[FiftyFifty]) -> Vec<String> {
    let shape = analysis.board().shape();
    let mut lines = vec![cost_sentence(analysis, chosen)];
    let equals = equals(analysis, chosen);
    if !equals.is_empty() {
        lines.push(format!("As good: {}.", list_cells(shape, &equals)));
    }
    let put_off = cheaper_put_off(analysis, chosen);
    if !put_off.is_empty() {
        lines.push(format!(
            "{} would cost less, but can wait: only the mine total links {} with the other cells, \
             and may tell more once these are open.",
            list_cells(shape, &put_off),
            if put_off.len() == 1 { "it" } else { "them" },
        ));
    }
    lines.extend(fifty_fifty_sentences(analysis, chosen.cell(), even));
    lines
}

/// The cells that are put off although they cost less than a guess.
fn cheaper_put_off(analysis: &Analysis, chosen: &Decision) -> Vec<Cell> {
    let candidates = analysis.candidates();
    let own = candidates.iter().find(|candidate| candidate.cell == chosen.cell());
    let Some(own) = own.filter(|_| !analysis.is_fifty_fifty_first()) else { return Vec::new() };
    let is_cheaper = |other: &&EvaluatedCandidate| {
        other.is_put_off && other.cost() < own.cost() - PROBABILITY_TOLERANCE
    };
    let mut cells: Vec<Cell> =
        candidates.iter().filter(is_cheaper).map(|other| other.cell).collect();
    cells.sort_unstable();
    cells
}

/// The sentences about the 50/50 of a cell, where it is in one.
fn fifty_fifty_sentences(analysis: &Analysis, cell: Cell, even: &[FiftyFifty]) -> Vec<String> {
    let shape = analysis.board().shape();
    let found = even.iter().find(|one| one.contains(cell));
    found.map(|one| one.sentences(shape, analysis.objective())).unwrap_or_default()
}

fn cost_sentence(analysis: &Analysis, chosen: &Decision) -> String {
    let at = cell_text(analysis.board().shape(), chosen.cell());
    let odds = percent(chosen.odds);
    match chosen.by {
        Step::Endgame => {
            let layouts = analysis.layouts().unwrap_or_else(|| "few layouts".to_owned());
            let text = format!(
                "No cell is proven safe, and only {layouts} remain, few enough to compute the best \
                 play. {at} is the best cell to open, a mine with {odds}"
            );
            text + &endgame_value(analysis, chosen)
        }
        Step::Rough => {
            format!("The numbers contradict each other; {at} has the lowest approximate risk.")
        }
        _ => guess_sentence(analysis, chosen, &at),
    }
}

/// The expected result of an endgame's move, as the end of a sentence.
fn endgame_value(analysis: &Analysis, chosen: &Decision) -> String {
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

/// How much more than the best candidate the chosen one may cost because the engine neglects
/// unlikely numbers, of either candidate.
const MAX_NEGLECT: f64 = 2.0 * NEGLIGIBLE_PROBABILITY * (1.0 + OPENING_BONUS);

fn guess_sentence(analysis: &Analysis, chosen: &Decision, at: &str) -> String {
    let odds = percent(chosen.odds);
    let risk = format!("No cell is proven safe, so this is a guess: {at} is a mine with {odds}");
    if analysis.is_fifty_fifty_first() {
        return format!("{risk}, {IN_FIFTY_FIFTY} that is guessed before any other cell.");
    }
    let candidates = || analysis.candidates().iter().filter(|candidate| !candidate.is_put_off);
    let Some(candidate) = candidates().find(|candidate| candidate.cell == chosen.cell()) else {
        return format!(
            "{risk}: the minimum, and of the cells with these odds it has the fewest hidden \
             neighbours."
        );
    };
    let next_risk = next_move_clause(candidate);
    let costs = candidates().map(EvaluatedCandidate::cost);
    let excess = candidate.cost() - costs.fold(f64::INFINITY, f64::min);
    let reason = if chosen.playouts > 0 {
        format!(
            "of the candidates with similar costs it has the best result by its look-ahead and {}",
            pluralize(chosen.playouts, "playout", "playouts")
        )
    } else if excess <= PROBABILITY_TOLERANCE {
        let candidates = pluralize(candidates().count(), "candidate", "candidates");
        format!("of {candidates} none has a lower cost")
    } else if excess <= MAX_NEGLECT {
        "its cost is close to the lowest: the engine neglects unlikely numbers and ends at a node \
         limit"
            .to_owned()
    } else {
        "the node limit ended the evaluation of the other candidates".to_owned()
    };
    format!("{risk}, and {next_risk}; {reason}.")
}

/// The risk of the move after a candidate.
fn next_move_clause(candidate: &EvaluatedCandidate) -> String {
    let (first, second) = (percent(candidate.next.risk), percent(candidate.next.second_risk));
    let risk =
        format!("the move after it risks {first} at best and {second} in the second-best cell");
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
    if let Some(proof) = prove(analysis, cell) {
        return proof.sentences(analysis.board());
    }
    let (safe, next_move) = context_clauses(analysis, cell);
    let clauses = safe.into_iter().chain(next_move).map(|text| capitalized(&text) + ".");
    clauses.chain(fifty_fifty_sentences(analysis, cell, &fifty_fifties(analysis))).collect()
}

/// What there is to say about any cell: a headline, and the lines of its proof or its risk.
/// `known_mine` is what a mine that the board shows is called.
pub fn describe_cell(analysis: &Analysis, cell: Cell, known_mine: &str) -> (String, Vec<String>) {
    let board = analysis.board();
    let shape = board.shape();
    let at = cell_text(shape, cell);
    match board.state(cell) {
        CellState::Hidden => {
            let risk = match analysis.odds().of(cell) {
                0.0 => "proven safe".to_owned(),
                1.0 => "proven a mine".to_owned(),
                odds => format!("a mine with {}", percent(odds)),
            };
            (format!("{at} is hidden; {risk}"), explain_cell(analysis, cell))
        }
        CellState::Number(number) => {
            let hidden = pluralize(board.hidden_around(cell), "hidden cell", "hidden cells");
            let mut premises = analysis.deduced().position().premises.iter();
            let group_text = premises.find(|premise| premise.source == cell).map(|premise| {
                let mines = pluralize(premise.group.mines(), "mine", "mines");
                format!("{mines} in {}", cells_text(shape, premise.group.cells()))
            });
            let head = format!("{at} is open and shows {number}, beside {hidden}");
            (head, group_text.into_iter().collect())
        }
        CellState::Hit => (format!("{at} is {known_mine}"), Vec::new()),
        CellState::Illegible => {
            (format!("{at} is open, but its number cannot be read"), Vec::new())
        }
    }
}

/// Explains a move that is neither proven nor the engine's: its risk.
pub fn explain_risk(analysis: &Analysis, cell: Cell) -> String {
    let (at, odds) = (cell_text(analysis.board().shape(), cell), percent(analysis.odds().of(cell)));
    let (safe, next_move) = context_clauses(analysis, cell);
    let safe = safe.map_or_else(String::new, |safe| format!(", while {safe}"));
    let next_move = next_move.map_or_else(String::new, |clause| format!("; {clause}"));
    format!("{at} is a mine with {odds}{safe}{next_move}.")
}
