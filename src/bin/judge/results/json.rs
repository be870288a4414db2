//! Cells, candidates and odds as JSON values. A cell is `[row, column]`, from 0.

use sapper::analysis::CandidateReport;
use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::probability::solver::Odds;
use serde_json::{Value, json};

/// The odds of a whole field; `density` where it states no mine count.
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

/// What a guess was chosen from.
pub fn candidates(shape: Shape, candidates: &[CandidateReport]) -> Value {
    let value = |worth: &CandidateReport| {
        let (odds, next, cost) = (worth.odds, worth.next, worth.cost());
        let cell = place(shape, worth.cell);
        json!({"cell": cell, "odds": odds, "next": next.risk, "zero": next.opening_bonus, "cost": cost})
    };
    candidates.iter().map(value).collect()
}

/// A cell.
pub fn place(shape: Shape, cell: Cell) -> Value {
    json!([shape.row(cell), shape.column(cell)])
}

/// Some cells.
pub fn cells(shape: Shape, cells: &[Cell]) -> Value {
    cells.iter().map(|&cell| place(shape, cell)).collect()
}
