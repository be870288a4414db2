//! The whole analysis as one JSON object. Cells are `[row, column]`.
//!
//! Its shape is documented in the judge's README. A change that a reader of it would notice raises
//! [`VERSION`].

use sapper::analysis::explanation::{Explanation, Told, ToldStep, explain, explain_guess, prove};
use sapper::analysis::guesses::{FiftyFifty, equals, fifty_fifties};
use sapper::analysis::rules::Fact;
use sapper::board::geometry::{Cell, Shape};
use sapper::probability::weight::ExtendedF64;
use serde_json::{Value, json};

use super::AnalyzedPosition;
use crate::results::json::{candidates, cell_json, cells_json, odds, values};

/// The version of the shape.
const VERSION: u32 = 1;

pub fn value(position: &AnalyzedPosition) -> Value {
    let AnalyzedPosition { input, analysis, density } = position;
    let (board, deduced) = (&input.board, analysis.deduced());
    let shape = board.shape();
    let mut value = odds(board, analysis.odds(), *density);
    let groups: Vec<Value> = deduced
        .groups()
        .map(|group| json!({"cells": cells_json(shape, group.cells()), "mines": group.mines()}))
        .collect();
    let Explanation { easiest, chosen, others } = explain(analysis);
    let proof = |told: &Told| {
        json!({
            "cell": cell_json(shape, told.fact.cell),
            "mine": told.fact.is_mine,
            "steps": steps(shape, &told.steps),
        })
    };
    value["version"] = json!(VERSION);
    value["easiest"] = json!(easiest.as_ref().map(proof));
    value["move_proof"] = json!(chosen.as_ref().map(proof));
    value["also"] = steps(shape, &others);
    value["hits"] = json!(board.hits());
    value["layouts_ln"] =
        json!(analysis.odds().layouts().filter(|_| density.is_none()).map(ExtendedF64::ln));
    value["approximate"] = json!(analysis.odds().approximate());
    let side = |one: &FiftyFifty| {
        let [a, b] = one.sides.each_ref().map(|side| cells_json(shape, side));
        json!({"sides": [a, b], "beside": cells_json(shape, &one.beside)})
    };
    let even = fifty_fifties(analysis);
    value["fifty_fifties"] = even.iter().map(side).collect();
    value["move"] = analysis.chosen().map_or(Value::Null, |chosen| {
        json!({
            "cell": cell_json(shape, chosen.cell),
            "step": chosen.by.name(),
            "odds": chosen.odds,
            "why": prove(analysis, chosen.cell).map_or_else(
                || explain_guess(analysis, &chosen, &even),
                |proof| proof.sentences(),
            ),
            "equal": cells_json(shape, &equals(analysis, &chosen)),
            "endgame": chosen.solved.map(|solution| {
                json!({
                    "layouts": solution.layouts,
                    "mined": solution.mined,
                    "cost": solution.cost,
                    "proven": solution.is_proven,
                    "cells": values(shape, analysis.values()),
                })
            }),
        })
    });
    value["safe"] = cells_json(shape, analysis.odds().safe());
    value["mines"] = cells_json(shape, analysis.odds().mines());
    value["groups"] = json!(groups);
    value["candidates"] = candidates(shape, analysis.candidates());
    value
}

fn steps(shape: Shape, steps: &[ToldStep]) -> Value {
    let of = |facts: &[Fact], is_mine: bool| {
        let facts = facts.iter().filter(|fact| fact.is_mine == is_mine);
        cells_json(shape, &facts.map(|fact| fact.cell).collect::<Vec<Cell>>())
    };
    let step = |step: &ToldStep| {
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
