//! The slow twin of the solver: enumeration of all layouts, with integers.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

pub mod best_play;
pub mod playouts;

use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::Position;
use sapper::board::{Board, CellState};

/// The largest number of hidden cells; every subset of them is tried.
pub const MOST_HIDDEN: usize = 16;

/// The result of an enumeration.
pub struct Enumerated {
    /// The number of consistent layouts.
    pub layouts: u64,
    /// For each hidden cell, in order, the number of layouts with a mine there.
    pub mined: Vec<u64>,
}

/// Tries every subset of the hidden cells. Where `numbers` is given, only the constraints of these
/// cells count; the mine count only where `with_total` is set.
pub fn enumerate(position: &Position, numbers: Option<&[Cell]>, with_total: bool) -> Enumerated {
    let hidden = &position.hidden;
    assert!(hidden.len() <= 24);
    let bit = |cell: &Cell| 1_u32 << hidden.iter().position(|other| other == cell).unwrap();
    let groups: Vec<(u32, u32)> = position
        .premises
        .iter()
        .filter(|premise| numbers.is_none_or(|numbers| numbers.contains(&premise.source)))
        .map(|premise| (premise.group.cells().iter().map(bit).sum(), premise.group.mines()))
        .collect();
    let mut result = Enumerated { layouts: 0, mined: vec![0; hidden.len()] };
    for layout in 0..1_u32 << hidden.len() {
        let is_consistent = (!with_total || layout.count_ones() == position.mines)
            && groups.iter().all(|&(cells, mines)| (layout & cells).count_ones() == mines);
        if is_consistent {
            result.layouts += 1;
            for (cell, mined) in result.mined.iter_mut().enumerate() {
                *mined += u64::from(layout >> cell & 1);
            }
        }
    }
    result
}

/// Tries every subset of the hidden cells of a board without illegible cells, and compares it with
/// the numbers and the mine count of the grid alone, however wrong they are.
pub fn enumerate_board(board: &Board) -> Enumerated {
    let hidden: Vec<Cell> = board.hidden().collect();
    assert!(hidden.len() <= 24);
    // The hidden cells around each number, and the number of mines that it leaves for them.
    let mut numbers: Vec<(u32, i64)> = Vec::new();
    for (cell, state) in board.iter() {
        let CellState::Number(number) = state else { continue };
        let around = board.shape().neighbours(cell);
        let bits = (0..hidden.len()).filter(|&bit| around.contains(&hidden[bit]));
        let hits = around.iter().filter(|&&cell| board.state(cell) == CellState::Hit).count();
        numbers.push((bits.map(|bit| 1 << bit).sum(), i64::from(number) - hits as i64));
    }
    let mines_left = i64::from(board.mines()) - i64::from(board.hits());
    let mut result = Enumerated { layouts: 0, mined: vec![0; hidden.len()] };
    for layout in 0..1_u32 << hidden.len() {
        let mines_in = |cells: u32| i64::from((layout & cells).count_ones());
        let is_consistent = mines_in(u32::MAX) == mines_left
            && numbers.iter().all(|&(cells, mines)| mines_in(cells) == mines);
        if is_consistent {
            result.layouts += 1;
            for (cell, mined) in result.mined.iter_mut().enumerate() {
                *mined += u64::from(layout >> cell & 1);
            }
        }
    }
    result
}

/// A position that some sequence of moves reaches, with at most [`MOST_HIDDEN`] hidden cells.
pub fn random_board(random: &mut fastrand::Rng) -> Board {
    let rows = random.u64(1..=8);
    let columns = random.u64(1..=8);
    let shape = Shape::new(rows, columns).unwrap();
    let density = [0.08, 0.15, 0.2, 0.3, 0.5, 0.8][random.usize(0..6)];
    let mined: Vec<bool> = shape.cells().map(|_| random.f64() < density).collect();
    let hit_chance = [0.0, 0.2, 0.6][random.usize(0..3)];
    let mut board = Board::new(shape, mined.iter().filter(|mine| **mine).count() as u32);
    let most_hidden = random.usize(1..=MOST_HIDDEN.min(shape.len()));
    let mut order: Vec<Cell> = shape.cells().collect();
    // Open cells are scattered, or form a region that grows from the first row.
    if random.bool() {
        random.shuffle(&mut order);
    }
    for &cell in &order {
        if board.hidden_len() > most_hidden && (!mined[cell.index()] || random.f64() < hit_chance) {
            open(&mut board, &mined, cell);
        }
    }
    // Opens mines too while too many cells are hidden.
    for &cell in &order {
        if board.hidden_len() > MOST_HIDDEN {
            open(&mut board, &mined, cell);
        }
    }
    board
}

/// Whether a safe cell is hidden, by the mine count.
pub fn has_safe_left(board: &Board) -> bool {
    board.hidden_len() > (board.mines() - board.hits()) as usize
}

/// Opens one cell of a known layout.
pub fn open(board: &mut Board, mined: &[bool], cell: Cell) {
    let around = board.shape().neighbours(cell);
    let number = around.iter().filter(|neighbour| mined[neighbour.index()]).count();
    let state = if mined[cell.index()] { CellState::Hit } else { CellState::Number(number as u8) };
    board.open(cell, state);
}
