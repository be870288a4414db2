//! The move of a position, the candidates of a guess, and the cells of an endgame.

use serde::Serialize;

use super::coordinates::{Coordinates, coordinates, list_coordinates};
use crate::Analysis;
use crate::candidates::EvaluatedCandidate;
use crate::explanation::{explain_guess, prove};
use crate::guesses::{FiftyFifty, equals};
use crate::search::Proof;
use crate::values::CellValue;
use sapper::Decision;
use sapper::board::geometry::Shape;

/// A move, without its reasons.
#[derive(Serialize)]
pub struct MoveReport {
    cell: Coordinates,
    odds: f64,
    /// The step that found it.
    step: &'static str,
}

impl MoveReport {
    /// A decision on a board of this shape.
    pub fn new(shape: Shape, chosen: &Decision) -> MoveReport {
        let cell = coordinates(shape, chosen.cell());
        MoveReport { cell, odds: chosen.odds, step: chosen.by.name() }
    }
}

/// A move with its reasons.
#[derive(Serialize)]
pub(super) struct ExplainedMoveReport {
    cell: Coordinates,
    endgame: Option<EndgameReport>,
    /// The cells that are as good.
    equal: Vec<Coordinates>,
    odds: f64,
    /// The step that found it.
    step: &'static str,
    /// The proof, or what the guess costs: a sentence each.
    why: Vec<String>,
}

/// An endgame that was solved.
#[derive(Serialize)]
struct EndgameReport {
    cells: Vec<EndgameCellReport>,
    /// The cost of the move and best play after it, summed over the layouts.
    cost: u32,
    layouts: u32,
    /// The layouts in which the move is a mine.
    mined: u32,
    /// Whether no other play costs less.
    proven: bool,
}

impl ExplainedMoveReport {
    /// The move of an analysis, whose easiest proof and 50/50s are known.
    pub(super) fn new(
        analysis: &Analysis,
        chosen: &Decision,
        easiest: Option<&Proof>,
        even: &[FiftyFifty],
    ) -> ExplainedMoveReport {
        let board = analysis.board();
        let shape = board.shape();
        let why = match easiest.filter(|proof| proof.fact.cell == chosen.cell()) {
            Some(proof) => proof.sentences(board),
            None => match prove(analysis, chosen.cell()) {
                Some(proof) => proof.sentences(board),
                None => explain_guess(analysis, chosen, even),
            },
        };
        let MoveReport { cell, odds, step } = MoveReport::new(shape, chosen);
        ExplainedMoveReport {
            cell,
            endgame: chosen.solved.map(|solved| EndgameReport {
                cells: endgame_cell_reports(shape, analysis.values()),
                cost: solved.cost,
                layouts: solved.layouts,
                mined: solved.mined,
                proven: solved.is_proven,
            }),
            equal: list_coordinates(shape, &equals(analysis, chosen)),
            odds,
            step,
            why,
        }
    }
}

/// A candidate of a guess with the parts of its cost.
#[derive(Serialize)]
pub struct CandidateReport {
    /// The number of other cells that are equivalent.
    alike: usize,
    cell: Coordinates,
    cost: f64,
    /// Whether its number, if it is safe, tells nothing.
    dead: bool,
    /// The risk of the next move in the safest cell.
    next: f64,
    odds: f64,
    /// Whether the engine puts off a guess there.
    put_off: bool,
    /// The risk of the next move in the second-best cell.
    second: f64,
    /// The bonus for the probability of an opening.
    zero: f64,
}

/// The candidates of a guess.
pub fn candidate_reports(shape: Shape, candidates: &[EvaluatedCandidate]) -> Vec<CandidateReport> {
    let report = |candidate: &EvaluatedCandidate| CandidateReport {
        alike: candidate.alike,
        cell: coordinates(shape, candidate.cell),
        cost: candidate.cost(),
        dead: candidate.is_dead,
        next: candidate.next.risk,
        odds: candidate.odds,
        put_off: candidate.is_put_off,
        second: candidate.next.second_risk,
        zero: candidate.next.opening_bonus,
    };
    candidates.iter().map(report).collect()
}

/// A cell of an endgame.
#[derive(Serialize)]
pub struct EndgameCellReport {
    cell: Coordinates,
    /// What it and best play after it cost, summed over the layouts, where that was computed.
    cost: Option<u32>,
    /// Whether its number, if it is safe, is the same in all layouts.
    dead: bool,
    /// The layouts in which it is a mine.
    mined: u32,
}

/// The cells of an endgame.
pub fn endgame_cell_reports(shape: Shape, values: &[CellValue]) -> Vec<EndgameCellReport> {
    let report = |value: &CellValue| EndgameCellReport {
        cell: coordinates(shape, value.cell),
        cost: value.cost,
        dead: value.is_dead,
        mined: value.mined,
    };
    values.iter().map(report).collect()
}
