//! One cell: its proof or its risk in sentences, and what opening it may show.

use serde::Serialize;

use super::coordinates::{Coordinates, coordinates, list_coordinates};
use super::proof::ProofReport;
use crate::Analysis;
use crate::explanation::{describe_cell, prove};
use crate::outcomes::{CellOutcome, outcomes};
use sapper::board::CellState;
use sapper::board::geometry::Cell;

/// What there is to say about a cell.
#[derive(Serialize)]
pub struct CellReport {
    /// A headline, then the proof or the risk: a sentence each.
    about: Vec<String>,
    cell: Coordinates,
    #[serde(flatten)]
    hidden: Option<HiddenCellReport>,
}

/// What is known only of a hidden cell.
#[derive(Serialize)]
struct HiddenCellReport {
    odds: f64,
    /// `None` where the layouts cannot be counted.
    outcomes: Option<Vec<OutcomeReport>>,
    /// `None` for a cell that is not proven.
    proof: Option<ProofReport>,
}

/// An outcome of opening a cell.
#[derive(Serialize)]
struct OutcomeReport {
    /// Its probability.
    chance: f64,
    /// The least risk of the next move; `None` if the game is over.
    next: Option<f64>,
    /// The number of cells that are proven safe afterwards.
    safe: usize,
    /// What the cell shows.
    shows: ShownReport,
    /// The cells that are proven mines afterwards and were not before.
    then_mines: Vec<Coordinates>,
    /// The cells that are proven safe afterwards and were not before.
    then_safe: Vec<Coordinates>,
}

/// What a cell shows: a number, or `mine`.
#[derive(Serialize)]
#[serde(untagged)]
enum ShownReport {
    Number(u32),
    Mine(&'static str),
}

impl CellReport {
    /// A cell of an analysis. `known_mine` is what a mine that the board shows is called.
    pub fn new(analysis: &Analysis, cell: Cell, known_mine: &str) -> CellReport {
        let board = analysis.board();
        let (head, lines) = describe_cell(analysis, cell, known_mine);
        let outcome = |outcome: &CellOutcome| OutcomeReport::new(analysis, outcome);
        let hidden = board.is_hidden(cell).then(|| HiddenCellReport {
            odds: analysis.odds().of(cell),
            outcomes: outcomes(analysis, cell)
                .map(|outcomes| outcomes.iter().map(outcome).collect()),
            proof: prove(analysis, cell).map(|proof| ProofReport::new(board, proof)),
        });
        CellReport {
            about: [head].into_iter().chain(lines).collect(),
            cell: coordinates(board.shape(), cell),
            hidden,
        }
    }
}

impl OutcomeReport {
    fn new(analysis: &Analysis, outcome: &CellOutcome) -> OutcomeReport {
        let shape = analysis.board().shape();
        OutcomeReport {
            chance: outcome.chance,
            next: outcome.next_risk(analysis.objective()),
            safe: outcome.safe,
            shows: match outcome.shown {
                CellState::Number(number) => ShownReport::Number(number.into()),
                _ => ShownReport::Mine("mine"),
            },
            then_mines: list_coordinates(shape, &outcome.new_mines),
            then_safe: list_coordinates(shape, &outcome.new_safe),
        }
    }
}
