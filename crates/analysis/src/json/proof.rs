//! Proofs and their steps, with their sentences.

use serde::Serialize;

use super::coordinates::{Coordinates, coordinates, list_coordinates};
use crate::rules::Fact;
use crate::search::{Proof, ProofStep};
use crate::sentences::sentences;
use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};

/// A fact and its proof.
#[derive(Serialize)]
pub(super) struct ProofReport {
    cell: Coordinates,
    /// Whether the cell is a mine; it is safe otherwise.
    mine: bool,
    /// The steps that were not told before.
    steps: Vec<StepReport>,
}

impl ProofReport {
    /// A proof on this board.
    pub(super) fn new(board: &Board, Proof { fact, steps }: Proof) -> ProofReport {
        ProofReport {
            cell: coordinates(board.shape(), fact.cell),
            mine: fact.is_mine,
            steps: step_reports(board, steps),
        }
    }
}

/// A step of a proof.
#[derive(Serialize)]
pub(super) struct StepReport {
    /// The facts told before that it uses.
    known: FactsReport,
    /// The cells that it proves to be mines.
    mines: Vec<Coordinates>,
    /// The open cells whose numbers it uses.
    numbers: Vec<Coordinates>,
    /// The name of the rule.
    rule: &'static str,
    /// The cells that it proves to be safe.
    safe: Vec<Coordinates>,
    /// The step as a sentence, or two.
    text: String,
    /// Whether it uses the number of mines left.
    total: bool,
}

/// Facts about cells.
#[derive(Serialize)]
struct FactsReport {
    mines: Vec<Coordinates>,
    safe: Vec<Coordinates>,
}

impl FactsReport {
    fn new(shape: Shape, facts: &[Fact]) -> FactsReport {
        let cells = |is_mine: bool| {
            let facts = facts.iter().filter(|fact| fact.is_mine == is_mine);
            list_coordinates(shape, &facts.map(|fact| fact.cell).collect::<Vec<Cell>>())
        };
        FactsReport { mines: cells(true), safe: cells(false) }
    }
}

/// Steps on this board, worded one after another.
pub(super) fn step_reports(board: &Board, steps: Vec<ProofStep>) -> Vec<StepReport> {
    let shape = board.shape();
    let texts = sentences(board, &steps);
    let report = |(step, text): (ProofStep, String)| {
        let FactsReport { mines, safe } = FactsReport::new(shape, &step.tells);
        StepReport {
            known: FactsReport::new(shape, &step.known),
            mines,
            numbers: list_coordinates(shape, &step.numbers),
            rule: step.reason.name(),
            safe,
            text,
            total: step.uses_total,
        }
    };
    steps.into_iter().zip(texts).map(report).collect()
}
