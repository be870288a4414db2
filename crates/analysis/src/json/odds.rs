//! The odds of all cells, and what follows from them without a proof.

use serde::Serialize;

use super::VERSION;
use super::coordinates::{Coordinates, list_coordinates};
use super::decision::MoveReport;
use crate::Analysis;
use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::probability::odds::Odds;
use sapper::probability::weight::ExtendedF64;

/// The odds of the cells of each row; `None` for an open cell.
pub type OddsTable = Vec<Vec<Option<f64>>>;

/// The odds of a board.
pub fn odds_table(board: &Board, odds: &Odds) -> OddsTable {
    cell_table(board.shape(), |cell| board.is_hidden(cell).then(|| odds.of(cell)))
}

/// What `of` says of each cell.
pub fn cell_table(shape: Shape, of: impl Fn(Cell) -> Option<f64>) -> OddsTable {
    let mut cells = shape.cells().map(of);
    let row = |_| cells.by_ref().take(shape.columns() as usize).collect();
    (0..shape.rows()).map(row).collect()
}

/// The odds alone, as `judge odds --json` prints them.
#[derive(Serialize)]
pub struct OddsReport {
    /// The density of mines, for a field without a mine count.
    #[serde(skip_serializing_if = "Option::is_none")]
    density: Option<f64>,
    height: u32,
    /// `None` for a field without a mine count.
    minecount: Option<u32>,
    /// What was assumed of the input, and which flags are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    odds: OddsTable,
    width: u32,
}

impl OddsReport {
    /// The odds of a board. `density` is given for a field without a mine count.
    pub fn new(board: &Board, odds: &Odds, density: Option<f64>) -> OddsReport {
        let shape = board.shape();
        OddsReport {
            density,
            height: shape.rows(),
            minecount: density.is_none().then(|| board.mines()),
            notes: Vec::new(),
            odds: odds_table(board, odds),
            width: shape.columns(),
        }
    }
}

/// The odds, what they prove, and the move, without the reasons.
#[derive(Serialize)]
pub struct SummaryReport {
    /// The number of cells whose odds are approximate.
    pub(super) approximate: usize,
    /// The density of mines, for a field without a mine count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) density: Option<f64>,
    pub(super) height: u32,
    /// The number of hidden cells.
    pub(super) hidden: usize,
    /// The number of mines known or opened.
    pub(super) hits: u32,
    /// The number of layouts in words, where it is known.
    pub(super) layouts: Option<String>,
    /// Its natural logarithm.
    pub(super) layouts_ln: Option<f64>,
    /// `None` for a field without a mine count.
    pub(super) minecount: Option<u32>,
    /// The cells that are proven to be mines.
    pub(super) mines: Vec<Coordinates>,
    pub(super) r#move: Option<MoveReport>,
    pub(super) odds: OddsTable,
    /// The cells that are proven safe.
    pub(super) safe: Vec<Coordinates>,
    pub(super) version: u32,
    pub(super) width: u32,
}

impl SummaryReport {
    /// The summary of an analysis. `density` is given for a field without a mine count.
    pub fn new(analysis: &Analysis, density: Option<f64>) -> SummaryReport {
        let (board, odds) = (analysis.board(), analysis.odds());
        let shape = board.shape();
        let is_counted = density.is_none();
        let layouts = odds.layouts().filter(|_| is_counted);
        SummaryReport {
            approximate: odds.approximate(),
            density,
            height: shape.rows(),
            hidden: board.hidden_len(),
            hits: board.hits(),
            layouts: analysis.layouts().filter(|_| is_counted),
            layouts_ln: layouts.map(ExtendedF64::ln),
            minecount: is_counted.then(|| board.mines()),
            mines: list_coordinates(shape, odds.mines()),
            r#move: analysis.chosen().map(|chosen| MoveReport::new(shape, chosen)),
            odds: odds_table(board, odds),
            safe: list_coordinates(shape, odds.safe()),
            version: VERSION,
            width: shape.columns(),
        }
    }
}
