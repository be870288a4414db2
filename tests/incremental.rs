//! What one and two numbers prove on the board of a game that is followed: against enumeration, against the rules applied
//! to sets of cells, and against a incremental that has seen nothing before.

#![allow(clippy::unwrap_used)]

mod twin;

use std::collections::BTreeSet;

use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::deduction::incremental::IncrementalDeducer;

type Cells = BTreeSet<Cell>;

/// The two rules, applied to every number and every two of them until nothing changes. Nothing is safe where a
/// number, or two, ask for what cannot be, or a cell cannot be read.
fn proven_safe(board: &Board) -> Vec<Cell> {
    let (mut safe, mut mines) = (Cells::new(), Cells::new());
    let mut hits = Cells::new();
    let mut numbers = Vec::new();
    for (cell, shown) in board.iter() {
        let around: Cells = board.shape().neighbours(cell).into_iter().collect();
        match shown {
            CellState::Number(number) => numbers.push((around, i32::from(number))),
            CellState::Hit => drop(hits.insert(cell)),
            CellState::Illegible => return Vec::new(),
            CellState::Hidden => {}
        }
    }
    loop {
        let known = safe.len() + mines.len();
        let left: Vec<(Cells, i32)> = numbers
            .iter()
            .map(|(around, number)| {
                let is_mine = |cell: &&Cell| hits.contains(cell) || mines.contains(cell);
                let mines_remaining = number - around.iter().filter(is_mine).count() as i32;
                let undecided = around.iter().copied().filter(|&cell| board.is_hidden(cell));
                let decided = &safe | &mines;
                (undecided.filter(|cell| !decided.contains(cell)).collect(), mines_remaining)
            })
            .collect();
        if left
            .iter()
            .any(|(cells, mines_remaining)| !(0..=cells.len() as i32).contains(mines_remaining))
        {
            return Vec::new();
        }
        for (cells, mines_remaining) in &left {
            if *mines_remaining == 0 {
                safe.extend(cells);
            } else if *mines_remaining == cells.len() as i32 {
                mines.extend(cells);
            }
        }
        for (a, a_missing) in &left {
            for (b, b_missing) in &left {
                if a.is_disjoint(b) {
                    continue;
                }
                let (own, others) = (a - b, b - a);
                let more = a_missing - b_missing;
                if more > own.len() as i32 {
                    return Vec::new();
                }
                if more == own.len() as i32 {
                    mines.extend(own);
                    safe.extend(others);
                }
            }
        }
        if !safe.is_disjoint(&mines) {
            return Vec::new();
        }
        if safe.len() + mines.len() == known {
            return safe.into_iter().collect();
        }
    }
}

#[test]
fn what_is_proven_is_safe_in_every_layout_and_all_that_the_rules_prove() {
    let mut random = fastrand::Rng::with_seed(21);
    let mut incremental = IncrementalDeducer::default();
    let mut found = 0;
    for _ in 0..4000 {
        let board = twin::random_board(&mut random);
        let position = board.position();
        let safe = incremental.update(&board).to_vec();
        let truth = twin::enumerate(&position, None, false);
        for cell in &safe {
            let place = position.hidden.binary_search(cell).unwrap();
            assert_eq!(truth.mined[place], 0, "{board}");
        }
        assert_eq!(safe, proven_safe(&board), "{board}");
        found += usize::from(!safe.is_empty());
    }
    assert!(found > 1500, "only {found} boards with a safe cell");
}

/// Opens a cell as a layout has it, or, now and then, as it cannot be.
fn report(
    board: &mut Board,
    mined: &[bool],
    cell: Cell,
    false_in: u32,
    random: &mut fastrand::Rng,
) {
    if false_in == 0 || random.u32(0..false_in) > 0 {
        return twin::open(board, mined, cell);
    }
    let shown = match random.u8(0..12) {
        number @ 0..=8 => CellState::Number(number),
        9 | 10 => CellState::Hit,
        _ => CellState::Illegible,
    };
    board.open(cell, shown);
}

#[test]
fn a_game_that_is_followed_tells_what_its_board_tells() {
    let mut random = fastrand::Rng::with_seed(22);
    let mut incremental = IncrementalDeducer::default();
    let (mut found, mut silent, mut turns) = (0, 0, 0);
    for game in 0..4000 {
        let shape = Shape::new(random.u64(1..=9), random.u64(1..=9)).unwrap();
        let density = [0.1, 0.2, 0.3, 0.6][random.usize(0..4)];
        let mined: Vec<bool> = shape.cells().map(|_| random.f64() < density).collect();
        let mut board = Board::new(shape, mined.iter().filter(|mine| **mine).count() as u32);
        let false_in = [0, 0, 40, 8][game % 4];
        let mut order: Vec<Cell> = shape.cells().collect();
        random.shuffle(&mut order);
        // What is proven is opened first as often as not, so that games are played in every order.
        while board.hidden_len() > 0 {
            for _ in 0..random.usize(1..=4) {
                let safe = incremental.update(&board).to_vec();
                assert_eq!(safe, IncrementalDeducer::default().update(&board), "{board}");
                assert_eq!(safe, proven_safe(&board), "{board}");
                assert!(safe.iter().all(|&cell| false_in > 0 || !mined[cell.index()]), "{board}");
                found += usize::from(!safe.is_empty());
                silent += usize::from(false_in > 0 && safe.is_empty() && board.hidden_len() > 0);
                turns += 1;
                let next = safe.first().copied().filter(|_| random.bool());
                let Some(cell) = next.or_else(|| order.pop()) else { continue };
                report(&mut board, &mined, cell, false_in, &mut random);
            }
        }
    }
    assert!(found > 20_000 && silent > 10_000, "{found} and {silent} of {turns}");
}

#[test]
fn a_board_that_is_no_later_one_is_read_anew() {
    let shape = Shape::new(2, 3).unwrap();
    let corner = shape.cells().next().unwrap();
    let with = |mines, number| {
        let mut board = Board::new(shape, mines);
        board.open(corner, CellState::Number(number));
        board
    };
    let mut incremental = IncrementalDeducer::default();
    let around: Vec<Cell> = shape.neighbours(corner).to_vec();
    assert_eq!(incremental.update(&with(1, 0)), around);
    // The same cell shows something else, or nothing; then a field with the cells the other way round.
    assert_eq!(incremental.update(&with(1, 1)), []);
    assert_eq!(incremental.update(&with(1, 0)), around);
    assert_eq!(incremental.update(&Board::new(shape, 1)), []);
    // What opened last is told of no more once an earlier cell shows something else.
    let row = Shape::new(1, 6).unwrap();
    let ends = |left: Option<u8>, right| {
        let mut board = Board::new(row, 2);
        left.map(|number| board.open(row.cell(0, 0).unwrap(), CellState::Number(number)));
        board.open(row.cell(0, 5).unwrap(), CellState::Number(right));
        board
    };
    assert_eq!(incremental.update(&ends(None, 1)), []);
    let inner = [1, 4].map(|column| row.cell(0, column).unwrap());
    assert_eq!(incremental.update(&ends(Some(0), 0)), inner);
    let turned = Shape::new(3, 2).unwrap();
    let mut board = Board::new(turned, 1);
    board.open(corner, CellState::Number(0));
    assert_eq!(incremental.update(&with(1, 0)), around);
    assert_eq!(incremental.update(&board), turned.neighbours(corner).as_slice());
}
