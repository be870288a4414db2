//! A cell as `[row, column]`, counted from 0.

use sapper::board::geometry::{Cell, Shape};

/// A row and a column, from 0.
pub type Coordinates = [u32; 2];

/// A cell.
pub fn coordinates(shape: Shape, cell: Cell) -> Coordinates {
    [shape.row(cell), shape.column(cell)]
}

/// Some cells, in their order.
pub fn list_coordinates(shape: Shape, cells: &[Cell]) -> Vec<Coordinates> {
    cells.iter().map(|&cell| coordinates(shape, cell)).collect()
}
