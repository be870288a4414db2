//! Cells, candidates and odds as JSON values. A cell is `[row, column]`, counted from 0.

use sapper::analysis::candidates::CandidateReport;
use sapper::analysis::values::CellValue;
use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::probability::odds::Odds;
use serde_json::{Value, json};

/// The odds of all cells. `density` is given for a field without a mine count.
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

/// The candidates of a guess.
pub fn candidates(shape: Shape, candidates: &[CandidateReport]) -> Value {
    let value = |candidate: &CandidateReport| {
        let (odds, next, cost) = (candidate.odds, candidate.next, candidate.cost());
        let cell = cell_json(shape, candidate.cell);
        let (next, zero) = (next.risk, next.opening_bonus);
        let (alike, dead) = (candidate.alike, candidate.is_dead);
        json!({"cell": cell, "odds": odds, "next": next, "zero": zero, "cost": cost,
            "alike": alike, "dead": dead})
    };
    candidates.iter().map(value).collect()
}

/// The cells of an endgame.
pub fn values(shape: Shape, values: &[CellValue]) -> Value {
    let value = |value: &CellValue| {
        let cell = cell_json(shape, value.cell);
        json!({"cell": cell, "mined": value.mined, "cost": value.cost, "dead": value.is_dead})
    };
    values.iter().map(value).collect()
}

/// A cell.
pub fn cell_json(shape: Shape, cell: Cell) -> Value {
    json!([shape.row(cell), shape.column(cell)])
}

/// A list of cells.
pub fn cells_json(shape: Shape, cells: &[Cell]) -> Value {
    cells.iter().map(|&cell| cell_json(shape, cell)).collect()
}
