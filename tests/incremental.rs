//! The incremental deducer against enumeration, against a slow twin that applies the two rules to
//! sets of cells, and against a deducer that has seen no earlier board.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::deduction::propagation::incremental::IncrementalDeducer;
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;

type Cells = BTreeSet<Cell>;

/// The slow twin: the two rules, applied to every number and every two of them until nothing
/// changes. No cell is safe if one or two numbers cannot be satisfied, or a cell is illegible.
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
        let decided_len = safe.len() + mines.len();
        let groups: Vec<(Cells, i32)> = numbers
            .iter()
            .map(|(around, number)| {
                let is_mine = |cell: &&Cell| hits.contains(cell) || mines.contains(cell);
                let mines_remaining = number - around.iter().filter(is_mine).count() as i32;
                let undecided = around.iter().copied().filter(|&cell| board.is_hidden(cell));
                let decided = &safe | &mines;
                (undecided.filter(|cell| !decided.contains(cell)).collect(), mines_remaining)
            })
            .collect();
        if groups
            .iter()
            .any(|(cells, mines_remaining)| !(0..=cells.len() as i32).contains(mines_remaining))
        {
            return Vec::new();
        }
        for (cells, mines_remaining) in &groups {
            if *mines_remaining == 0 {
                safe.extend(cells);
            } else if *mines_remaining == cells.len() as i32 {
                mines.extend(cells);
            }
        }
        for (a, a_mines) in &groups {
            for (b, b_mines) in &groups {
                if a.is_disjoint(b) {
                    continue;
                }
                let (only_a, only_b) = (a - b, b - a);
                let excess = a_mines - b_mines;
                if excess > only_a.len() as i32 {
                    return Vec::new();
                }
                if excess == only_a.len() as i32 {
                    mines.extend(only_a);
                    safe.extend(only_b);
                }
            }
        }
        if !safe.is_disjoint(&mines) {
            return Vec::new();
        }
        if safe.len() + mines.len() == decided_len {
            return safe.into_iter().collect();
        }
    }
}

#[test]
fn reported_cells_are_safe_in_every_layout_and_are_all_that_the_rules_prove() {
    let mut random = fastrand::Rng::with_seed(21);
    let mut incremental = IncrementalDeducer::default();
    let mut found = 0;
    for _ in 0..4000 {
        let board = twin::random_board(&mut random);
        let position = board.position();
        let safe = incremental.update(&board).to_vec();
        let truth = twin::enumerate(&position, None, false);
        for cell in &safe {
            let index = position.hidden.binary_search(cell).unwrap();
            assert_eq!(truth.mined[index], 0, "{board}");
        }
        assert_eq!(safe, proven_safe(&board), "{board}");
        found += usize::from(!safe.is_empty());
    }
    assert!(found > 1500, "only {found} boards with a safe cell");
}

#[test]
fn the_position_with_known_mines_has_the_layouts_of_the_board() {
    let mut random = fastrand::Rng::with_seed(23);
    let mut incremental = IncrementalDeducer::default();
    let (mut deducer, mut solver) = (Deducer::default(), ProbabilitySolver::default());
    let (mut compared, mut known) = (0, 0);
    for _ in 0..8000 {
        let board = twin::random_board(&mut random);
        let safe = incremental.update(&board).to_vec();
        let Some(position) = incremental.position(&board) else { continue };
        assert!(safe.is_empty(), "{board}");
        let of_board = board.position();
        let truth = twin::enumerate(&of_board, None, true);
        let all = truth.layouts;
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let counted = solver.run(deduced, &mut Budget::unlimited()).unwrap();
        assert_eq!(position.hidden, of_board.hidden, "{board}");
        for (cell, &mined) in position.hidden.iter().zip(&truth.mined) {
            let odds = counted.odds().of(*cell);
            assert!((odds - mined as f64 / all as f64).abs() < 1e-12, "{board}");
            assert_eq!((odds == 0.0, odds == 1.0), (mined == 0, mined == all), "{board}");
        }
        let is_known = |cell: &Cell| position.known_mines.contains(cell);
        let groups = position.premises.iter().flat_map(|premise| premise.group.cells());
        assert!(!groups.into_iter().any(is_known), "{board}");
        compared += 1;
        known += usize::from(!position.known_mines.is_empty());
    }
    assert!(compared > 2000 && known > 1000, "{compared}, {known} with known mines");
}

/// Opens a cell as the layout has it, or with a random value once in `false_in` times.
fn open(board: &mut Board, mined: &[bool], cell: Cell, false_in: u32, random: &mut fastrand::Rng) {
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
fn the_result_does_not_depend_on_earlier_boards() {
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
        // A safe cell is opened next in half of the cases, so that cells open in many orders.
        while board.hidden_len() > 0 {
            for _ in 0..random.usize(1..=4) {
                let safe = incremental.update(&board).to_vec();
                let mut fresh = IncrementalDeducer::default();
                assert_eq!(safe, fresh.update(&board), "{board}");
                assert_eq!(safe, proven_safe(&board), "{board}");
                assert_eq!(incremental.position(&board), fresh.position(&board), "{board}");
                assert!(safe.iter().all(|&cell| false_in > 0 || !mined[cell.index()]), "{board}");
                found += usize::from(!safe.is_empty());
                silent += usize::from(false_in > 0 && safe.is_empty() && board.hidden_len() > 0);
                turns += 1;
                let next = safe.first().copied().filter(|_| random.bool());
                let Some(cell) = next.or_else(|| order.pop()) else { continue };
                open(&mut board, &mined, cell, false_in, &mut random);
            }
        }
    }
    assert!(found > 20_000 && silent > 10_000, "{found} and {silent} of {turns}");
}

#[test]
fn a_board_of_another_game_is_read_from_the_start() {
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
    // The same cell shows another number, or is hidden again.
    assert_eq!(incremental.update(&with(1, 1)), []);
    assert_eq!(incremental.update(&with(1, 0)), around);
    assert_eq!(incremental.update(&Board::new(shape, 1)), []);
    // The conclusions from the last number are dropped when an earlier cell changes.
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
    // A board of another shape.
    let turned = Shape::new(3, 2).unwrap();
    let mut board = Board::new(turned, 1);
    board.open(corner, CellState::Number(0));
    assert_eq!(incremental.update(&with(1, 0)), around);
    assert_eq!(incremental.update(&board), turned.neighbours(corner).as_slice());
}
