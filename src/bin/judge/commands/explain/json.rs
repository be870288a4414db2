//! The whole analysis as one JSON object. Cells are `[row, column]`.

use sapper::analysis::explanation::explain_move;
use sapper::analysis::proof::Derivation;
use sapper::probability::weight::ExtendedF64;
use serde_json::{Value, json};

use super::AnalyzedPosition;
use crate::results::json::{candidates, cell_json, cells_json, odds};

pub fn value(position: &AnalyzedPosition) -> Value {
    let AnalyzedPosition { input, analysis, density } = position;
    let (board, deduced) = (&input.board, analysis.deduced());
    let shape = board.shape();
    let mut value = odds(board, analysis.odds(), *density);
    let decided = deduced.safe().iter().chain(deduced.mines()).copied();
    let deductions: Vec<Value> = Derivation::of(board, deduced, decided)
        .steps
        .into_iter()
        .map(|step| {
            json!({
                "step": step.number,
                "rule": step.rule,
                "from": step.from,
                "cells": cells_json(shape, &step.cells),
                "mines": step.mines,
                "text": step.text,
            })
        })
        .collect();
    let groups: Vec<Value> = deduced
        .groups()
        .map(|group| json!({"cells": cells_json(shape, group.cells()), "mines": group.mines()}))
        .collect();
    value["hits"] = json!(board.hits());
    value["layouts_ln"] =
        json!(analysis.odds().layouts().filter(|_| density.is_none()).map(ExtendedF64::ln));
    value["approximate"] = json!(analysis.odds().approximate());
    value["move"] = analysis.chosen().map_or(Value::Null, |chosen| {
        json!({
            "cell": cell_json(shape, chosen.cell),
            "step": chosen.by.name(),
            "odds": chosen.odds,
            "why": explain_move(analysis, &chosen),
            "endgame": chosen.solved.map(|solution| {
                json!({
                    "layouts": solution.layouts,
                    "mined": solution.mined,
                    "cost": solution.cost,
                    "proven": solution.is_proven,
                })
            }),
        })
    });
    value["safe"] = cells_json(shape, analysis.odds().safe());
    value["mines"] = cells_json(shape, analysis.odds().mines());
    value["deductions"] = json!(deductions);
    value["groups"] = json!(groups);
    value["candidates"] = candidates(shape, analysis.candidates());
    value
}
