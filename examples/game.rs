//! A whole game: the engine sees the board, and only this program knows the mines.
//!
//! ```text
//! cargo run --example game
//! ```

use sapper::{Board, CellState, Effort, Engine, Objective, Shape, Turn};

/// The mines of a field, as rows of `*` and `.`.
const FIELD: [&str; 6] = ["..*.....", "....*...", ".......*", "*.......", "..*....*", ".....*.."];

fn main() {
    let shape = Shape::new(FIELD.len() as u64, FIELD[0].len() as u64).expect("a small field");
    let is_mine: Vec<bool> = FIELD.concat().chars().map(|symbol| symbol == '*').collect();
    let mines = is_mine.iter().filter(|&&is_mine| is_mine).count();
    let mut board = Board::new(shape, mines as u32);
    let mut engine = Engine::new(Objective::FewestHits, Effort::Full);
    // Until only mines are hidden.
    while board.hidden_len() > (board.mines() - board.hits()) as usize {
        let decision = engine.decide(&board, Turn::UNTIMED).expect("a hidden cell");
        let cell = decision.cell();
        let shown = if is_mine[cell.index()] {
            CellState::Hit
        } else {
            let around = shape.neighbours(cell);
            CellState::Number(around.iter().filter(|cell| is_mine[cell.index()]).count() as u8)
        };
        let (row, column) = (shape.row(cell), shape.column(cell));
        println!("({row},{column}) by {}: {shown:?}", decision.by.name());
        board.open(cell, shown);
    }
    println!("{} mines opened", board.hits());
}
