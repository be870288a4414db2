//! The odds as a list of cells.

use std::collections::BTreeMap;
use std::fmt::Write;

use sapper::Board;
use sapper::probability::odds::Odds;

use crate::cli::RowColumn;

/// The odds of cells, in row-major order.
pub type OddsList = BTreeMap<RowColumn, f64>;

/// The odds of every hidden cell.
pub fn list(board: &Board, odds: &Odds) -> OddsList {
    let shape = board.shape();
    let at = |cell| RowColumn { row: shape.row(cell).into(), column: shape.column(cell).into() };
    board.hidden().map(|cell| (at(cell), odds.of(cell))).collect()
}

/// A list as lines `row col odds`. Six decimals hide the digits that depend on the order of
/// summation. Proven odds have no decimals, to distinguish them from odds that round to 0.000000.
pub fn lines(odds: &OddsList) -> String {
    let mut text = String::new();
    for (RowColumn { row, column }, odds) in odds {
        let decimals = if *odds == 0.0 || *odds == 1.0 { 0 } else { 6 };
        let _ = writeln!(text, "{row} {column} {odds:.decimals$}");
    }
    text
}
