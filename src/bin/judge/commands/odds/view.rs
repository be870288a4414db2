//! The odds as a list of cells and as a picture.

use std::collections::BTreeMap;
use std::fmt::Write;

use sapper::base::text::pluralize;
use sapper::board::{Board, CellState};
use sapper::probability::odds::Odds;

use crate::cli::parse::RowColumn;

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

/// The board as a picture, with its legend.
pub fn picture(board: &Board, odds: &Odds) -> String {
    let shape = board.shape();
    let mut text = format!(
        "{}x{}, {}; hidden cells in percent, [0] proven safe, [*] proven a mine;\n\
         open cells in parentheses: (1) has 1 mine around it, ( ) none, (*) is a mine itself;\n\
         rows and columns from 0\n\n",
        shape.columns(),
        shape.rows(),
        pluralize(board.mines(), "mine", "mines")
    );
    let column_numbers = (0..shape.columns()).map(|column| format!("{column:>5}"));
    let _ = writeln!(text, "{:>4} {}", "", column_numbers.collect::<String>());
    for cell in shape.cells() {
        if shape.column(cell) == 0 {
            let _ = write!(text, "{:>4} ", shape.row(cell));
        }
        let symbol = match board.state(cell) {
            CellState::Hidden if odds.of(cell) == 0.0 => "[0]".to_owned(),
            CellState::Hidden if odds.of(cell) == 1.0 => "[*]".to_owned(),
            CellState::Hidden => format!("{:.1}", 100.0 * odds.of(cell)),
            CellState::Number(0) => "( )".to_owned(),
            CellState::Number(number) => format!("({number})"),
            CellState::Hit => "(*)".to_owned(),
            CellState::Illegible => "(?)".to_owned(),
        };
        let _ = write!(text, "{symbol:>5}");
        if shape.column(cell) + 1 == shape.columns() {
            text.push('\n');
        }
    }
    text.push('\n');
    text
}
