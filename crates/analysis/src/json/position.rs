//! The whole analysis of a position.

use serde::Serialize;

use super::cell::CellReport;
use super::chance::ChanceReport;
use super::coordinates::{Coordinates, list_coordinates};
use super::decision::{CandidateReport, ExplainedMoveReport, candidate_reports};
use super::odds::{OddsTable, SummaryReport};
use super::proof::{ProofReport, StepReport, step_reports};
use crate::Analysis;
use crate::explanation::{Explanation, explain};
use crate::guesses::{FiftyFifty, fifty_fifties};
use sapper::board::geometry::Shape;

/// The whole analysis of a position.
#[derive(Serialize)]
pub struct PositionReport {
    /// The steps that prove all other facts.
    also: Vec<StepReport>,
    approximate: usize,
    candidates: Vec<CandidateReport>,
    /// The chance to win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<ChanceReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    density: Option<f64>,
    /// The fact that is easiest to prove.
    easiest: Option<ProofReport>,
    fifty_fifties: Vec<FiftyFiftyReport>,
    /// What deduction leaves of the numbers.
    groups: Vec<GroupReport>,
    height: u32,
    hidden: usize,
    hits: u32,
    layouts: Option<String>,
    layouts_ln: Option<f64>,
    minecount: Option<u32>,
    mines: Vec<Coordinates>,
    r#move: Option<ExplainedMoveReport>,
    /// The proof of the move, where another fact was easier to prove.
    move_proof: Option<ProofReport>,
    /// What was assumed of the input, and which flags are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    odds: OddsTable,
    safe: Vec<Coordinates>,
    version: u32,
    width: u32,
    /// The cell that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<CellReport>,
}

/// A number of mines in some cells.
#[derive(Serialize)]
struct GroupReport {
    cells: Vec<Coordinates>,
    mines: u32,
}

/// A 50/50.
#[derive(Serialize)]
struct FiftyFiftyReport {
    /// Other undecided cells beside it.
    beside: Vec<Coordinates>,
    sides: [Vec<Coordinates>; 2],
}

impl FiftyFiftyReport {
    fn new(shape: Shape, FiftyFifty { sides, beside }: &FiftyFifty) -> FiftyFiftyReport {
        FiftyFiftyReport {
            beside: list_coordinates(shape, beside),
            sides: sides.each_ref().map(|side| list_coordinates(shape, side)),
        }
    }
}

impl PositionReport {
    /// The whole analysis. `density` is given for a field without a mine count.
    pub fn new(analysis: &Analysis, density: Option<f64>) -> PositionReport {
        let board = analysis.board();
        let shape = board.shape();
        let summary = SummaryReport::new(analysis, density);
        let Explanation { easiest, chosen, others } = explain(analysis);
        let even = fifty_fifties(analysis);
        let chosen_move = analysis
            .chosen()
            .map(|chosen| ExplainedMoveReport::new(analysis, chosen, easiest.as_ref(), &even));
        let groups = analysis.deduced().groups().map(|group| GroupReport {
            cells: list_coordinates(shape, group.cells()),
            mines: group.mines(),
        });
        let proof = |proof| ProofReport::new(board, proof);
        PositionReport {
            also: step_reports(board, others),
            approximate: summary.approximate,
            candidates: candidate_reports(shape, analysis.candidates()),
            chance: None,
            density: summary.density,
            easiest: easiest.map(proof),
            fifty_fifties: even.iter().map(|one| FiftyFiftyReport::new(shape, one)).collect(),
            groups: groups.collect(),
            height: summary.height,
            hidden: summary.hidden,
            hits: summary.hits,
            layouts: summary.layouts,
            layouts_ln: summary.layouts_ln,
            minecount: summary.minecount,
            mines: summary.mines,
            r#move: chosen_move,
            move_proof: chosen.map(proof),
            notes: Vec::new(),
            odds: summary.odds,
            safe: summary.safe,
            version: summary.version,
            width: summary.width,
            asked: None,
        }
    }
}
