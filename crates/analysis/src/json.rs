//! An analysis as JSON. A cell is `[row, column]`, counted from 0.
//!
//! `judge explain --json` prints [`explanation`], and the page shows it. The judge's guide
//! documents its keys. A change that a reader of it would notice raises [`VERSION`]; new keys do
//! not.

use serde_json::{Value, json};

use super::Analysis;
use super::candidates::CandidateReport;
use super::contradictions::ExplainedContradiction;
use super::explanation::{
    Explanation, Proof, ProofStep, describe_cell, explain, explain_guess, prove,
};
use super::guesses::{FiftyFifty, equals, fifty_fifties};
use super::outcomes::{CellOutcome, outcomes};
use super::rules::Fact;
use super::values::CellValue;
use sapper::Decision;
use sapper::board::contradiction::Contradiction;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::probability::odds::Odds;
use sapper::probability::weight::ExtendedF64;

/// The version of the shape of [`explanation`].
pub const VERSION: u32 = 1;

/// The whole analysis. `density` is given for a field without a mine count.
pub fn explanation(analysis: &Analysis, density: Option<f64>) -> Value {
    let (board, deduced) = (analysis.board(), analysis.deduced());
    let shape = board.shape();
    let mut value = summary(analysis, density);
    let groups: Vec<Value> = deduced
        .groups()
        .map(|group| json!({"cells": cells_json(shape, group.cells()), "mines": group.mines()}))
        .collect();
    let Explanation { easiest, chosen, others } = explain(analysis);
    value["easiest"] = json!(easiest.as_ref().map(|told| proof(shape, told)));
    value["move_proof"] = json!(chosen.as_ref().map(|told| proof(shape, told)));
    value["also"] = steps(shape, &others);
    let even = fifty_fifties(analysis);
    let side = |one: &FiftyFifty| {
        let [a, b] = one.sides.each_ref().map(|side| cells_json(shape, side));
        json!({"sides": [a, b], "beside": cells_json(shape, &one.beside)})
    };
    value["fifty_fifties"] = even.iter().map(side).collect();
    if let Some(chosen) = analysis.chosen() {
        let is_of_move = |told: &Proof| told.fact.cell == chosen.cell();
        let proof = easiest.filter(is_of_move).or_else(|| prove(analysis, chosen.cell()));
        let why =
            proof.map_or_else(|| explain_guess(analysis, chosen, &even), |proof| proof.sentences());
        value["move"]["why"] = json!(why);
        value["move"]["equal"] = cells_json(shape, &equals(analysis, chosen));
        value["move"]["endgame"] = json!(chosen.solved.map(|solution| {
            json!({
                "layouts": solution.layouts,
                "mined": solution.mined,
                "cost": solution.cost,
                "proven": solution.is_proven,
                "cells": values(shape, analysis.values()),
            })
        }));
    }
    value["groups"] = json!(groups);
    value["candidates"] = candidates(shape, analysis.candidates());
    value
}

/// The part of [`explanation`] that needs no proofs: the odds, what is proven, and the move.
pub fn summary(analysis: &Analysis, density: Option<f64>) -> Value {
    let board = analysis.board();
    let shape = board.shape();
    let mut value = odds(board, analysis.odds(), density);
    let counted = analysis.odds().layouts().filter(|_| density.is_none());
    value["version"] = json!(VERSION);
    value["hits"] = json!(board.hits());
    value["hidden"] = json!(board.hidden_len());
    value["layouts"] = json!(analysis.layouts().filter(|_| density.is_none()));
    value["layouts_ln"] = json!(counted.map(ExtendedF64::ln));
    value["approximate"] = json!(analysis.odds().approximate());
    value["safe"] = cells_json(shape, analysis.odds().safe());
    value["mines"] = cells_json(shape, analysis.odds().mines());
    value["move"] = json!(analysis.chosen().map(|chosen| move_json(shape, chosen)));
    value
}

/// A move, without its reasons.
pub fn move_json(shape: Shape, chosen: &Decision) -> Value {
    let cell = cell_json(shape, chosen.cell());
    json!({"cell": cell, "step": chosen.by.name(), "odds": chosen.odds})
}

/// One cell: its proof or its risk in sentences, and for a hidden cell what opening it may show.
/// `known_mine` is what a mine that the board shows is called.
pub fn cell_explanation(analysis: &Analysis, cell: Cell, known_mine: &str) -> Value {
    let board = analysis.board();
    let shape = board.shape();
    let (head, lines) = describe_cell(analysis, cell, known_mine);
    let about: Vec<String> = [head].into_iter().chain(lines).collect();
    let mut value = json!({"cell": cell_json(shape, cell), "about": about});
    if board.is_hidden(cell) {
        value["odds"] = json!(analysis.odds().of(cell));
        value["proof"] = json!(prove(analysis, cell).map(|told| proof(shape, &told)));
        value["outcomes"] = json!(outcomes(analysis, cell).map(|outcomes| {
            outcomes.iter().map(|found| outcome(analysis, found)).collect::<Vec<_>>()
        }));
    }
    value
}

fn outcome(analysis: &Analysis, outcome: &CellOutcome) -> Value {
    let shape = analysis.board().shape();
    let shows = match outcome.shown {
        CellState::Number(number) => json!(number),
        _ => json!("mine"),
    };
    json!({
        "shows": shows,
        "chance": outcome.chance,
        "next": outcome.next_risk(analysis.objective()),
        "safe": outcome.safe,
        "then_safe": cells_json(shape, &outcome.new_safe),
        "then_mines": cells_json(shape, &outcome.new_mines),
    })
}

/// A proof.
pub fn proof(shape: Shape, told: &Proof) -> Value {
    json!({
        "cell": cell_json(shape, told.fact.cell),
        "mine": told.fact.is_mine,
        "steps": steps(shape, &told.steps),
    })
}

fn steps(shape: Shape, steps: &[ProofStep]) -> Value {
    let of = |facts: &[Fact], is_mine: bool| {
        let facts = facts.iter().filter(|fact| fact.is_mine == is_mine);
        cells_json(shape, &facts.map(|fact| fact.cell).collect::<Vec<Cell>>())
    };
    let step = |step: &ProofStep| {
        json!({
            "text": step.text,
            "rule": step.rule,
            "numbers": cells_json(shape, &step.numbers),
            "total": step.uses_total,
            "known": {"safe": of(&step.known, false), "mines": of(&step.known, true)},
            "safe": of(&step.tells, false),
            "mines": of(&step.tells, true),
        })
    };
    steps.iter().map(step).collect()
}

/// Why no layout fits a board: what single numbers and the mine count show, then the conflicts of
/// several numbers.
pub fn impossible(
    board: &Board,
    reasons: &[Contradiction],
    conflicts: &[ExplainedContradiction],
) -> Value {
    let shape = board.shape();
    let reasons = reasons.iter().map(|reason| {
        let (numbers, total) = match *reason {
            Contradiction::Number { place, .. } => (json!([[place.row, place.column]]), false),
            _ => (json!([]), true),
        };
        json!({"text": reason.to_string(), "numbers": numbers, "total": total})
    });
    let conflicts = conflicts.iter().map(|conflict| {
        json!({
            "text": conflict.text,
            "numbers": cells_json(shape, &conflict.numbers),
            "total": conflict.uses_total,
        })
    });
    json!({
        "version": VERSION,
        "height": shape.rows(),
        "width": shape.columns(),
        "minecount": board.mines(),
        "hits": board.hits(),
        "hidden": board.hidden_len(),
        "conflicts": reasons.chain(conflicts).collect::<Vec<Value>>(),
    })
}

/// The odds of all cells. `density` is given for a field without a mine count.
pub fn odds(board: &Board, odds: &Odds, density: Option<f64>) -> Value {
    let shape = board.shape();
    let row = |row: u32| -> Vec<Value> {
        let cells = shape.cells().filter(|&cell| shape.row(cell) == row);
        cells
            .map(|cell| if board.is_hidden(cell) { json!(odds.of(cell)) } else { Value::Null })
            .collect()
    };
    let mut value = json!({
        "height": shape.rows(),
        "width": shape.columns(),
        "minecount": board.mines(),
        "odds": (0..shape.rows()).map(row).collect::<Vec<_>>(),
    });
    if let Some(density) = density {
        value["minecount"] = Value::Null;
        value["density"] = json!(density);
    }
    value
}

/// The candidates of a guess.
pub fn candidates(shape: Shape, candidates: &[CandidateReport]) -> Value {
    let value = |candidate: &CandidateReport| {
        let CandidateReport { cell, odds, next, alike, is_dead, is_put_off } = *candidate;
        json!({"cell": cell_json(shape, cell), "odds": odds, "next": next.risk,
            "second": next.second_risk, "zero": next.opening_bonus, "cost": candidate.cost(),
            "alike": alike, "dead": is_dead, "put_off": is_put_off})
    };
    candidates.iter().map(value).collect()
}

/// The cells of an endgame.
pub fn values(shape: Shape, values: &[CellValue]) -> Value {
    let value = |value: &CellValue| {
        let cell = cell_json(shape, value.cell);
        json!({"cell": cell, "mined": value.mined, "cost": value.cost, "dead": value.is_dead})
    };
    values.iter().map(value).collect()
}

/// A cell.
pub fn cell_json(shape: Shape, cell: Cell) -> Value {
    json!([shape.row(cell), shape.column(cell)])
}

/// A list of cells.
pub fn cells_json(shape: Shape, cells: &[Cell]) -> Value {
    cells.iter().map(|&cell| cell_json(shape, cell)).collect()
}
