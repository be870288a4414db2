//! The evaluation of a board against enumeration of all layouts: odds, proven cells, and whether a
//! layout fits, also on boards that cannot be true. The move is the engine's.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use sapper::board::contradiction::Contradiction;
use sapper::{Board, CellState, Effort, Engine, Error, Objective, Place, Shape, Turn, evaluate};

/// A board like `board` with other mines, or with what one or two of its cells show replaced.
fn falsified(board: &Board, random: &mut fastrand::Rng) -> Board {
    let shape = board.shape();
    let mines = match random.u32(0..8) {
        0 => random.u32(0..=shape.len() as u32 + 3),
        1 => 100,
        2 => board.mines() + 1,
        3 => board.mines().saturating_sub(1),
        _ => board.mines(),
    };
    let mut states: Vec<CellState> = board.iter().map(|(_, state)| state).collect();
    for _ in 0..random.usize(0..=2) {
        let state = match random.u32(0..8) {
            0 => CellState::Hit,
            1 => CellState::Number(random.u8(..)),
            2 => CellState::Number(12),
            _ => CellState::Number(random.u8(0..=8)),
        };
        states[random.usize(0..shape.len())] = state;
    }
    let mut falsified = Board::new(shape, mines);
    for (cell, state) in shape.cells().zip(states) {
        falsified.open(cell, state);
    }
    falsified
}

/// Compares with enumeration: what is proven and whether a layout fits exactly, other odds to
/// 1e-12. Returns whether a layout fits.
fn check(board: &Board) -> bool {
    let truth = twin::enumerate_board(board);
    let evaluation = match evaluate(board) {
        Ok(evaluation) => evaluation,
        Err(Error::NoLayout(no_layout)) => {
            assert_eq!(truth.layouts, 0, "{board}{no_layout}");
            assert!(!no_layout.reasons.is_empty());
            return false;
        }
        Err(error) => panic!("{board}{error}"),
    };
    assert!(truth.layouts > 0, "{board}");
    assert!(evaluation.is_exact(), "{board}");
    let (mut safe, mut mines) = (Vec::new(), Vec::new());
    let mut odds = evaluation.odds();
    for (cell, &mined) in board.hidden().zip(&truth.mined) {
        let (place, found) = odds.next().unwrap();
        assert_eq!(place, board.shape().at(cell));
        assert_eq!(evaluation.odds_at(place.row, place.column), Some(found));
        let exact = mined as f64 / truth.layouts as f64;
        assert!((found - exact).abs() <= 1e-12, "{board}{place}: {found}, expected {exact}");
        assert_eq!(found == 0.0, mined == 0, "{board}{place}");
        assert_eq!(found == 1.0, mined == truth.layouts, "{board}{place}");
        if mined == 0 {
            safe.push(place);
        } else if mined == truth.layouts {
            mines.push(place);
        }
    }
    assert_eq!(odds.next(), None, "{board}");
    assert_eq!(evaluation.safe().collect::<Vec<Place>>(), safe, "{board}");
    assert_eq!(evaluation.mines().collect::<Vec<Place>>(), mines, "{board}");
    true
}

#[test]
fn evaluations_are_those_of_enumeration() {
    let mut random = fastrand::Rng::with_seed(41);
    let (mut possible, mut impossible, mut with_wrong_cells, mut with_wrong_sets) = (0, 0, 0, 0);
    for _ in 0..3000 {
        let board = twin::random_board(&mut random);
        assert!(check(&board), "{board}");
        let falsified = falsified(&board, &mut random);
        if check(&falsified) {
            possible += 1;
            continue;
        }
        impossible += 1;
        // The board itself knows what a single number and the mine count show.
        with_wrong_cells += usize::from(!falsified.reasons().is_empty());
        with_wrong_sets += usize::from(falsified.reasons().is_empty());
    }
    // The boards must be of all kinds.
    assert!(possible > 300 && impossible > 300, "{possible}, {impossible}");
    assert!(
        with_wrong_cells > 100 && with_wrong_sets > 100,
        "{with_wrong_cells} {with_wrong_sets}"
    );
}

/// Buffers are used again on a thread, after a wide board and after boards that cannot be true too.
#[test]
fn an_evaluation_does_not_depend_on_those_before_it() {
    let mut random = fastrand::Rng::with_seed(12);
    let evaluated = |board: &Board| {
        let evaluation = evaluate(board).map_err(|error| error.to_string())?;
        Ok::<_, String>(evaluation.odds().map(|(_, odds)| odds.to_bits()).collect::<Vec<_>>())
    };
    let (mut counted, mut impossible) = (0, 0);
    for index in 0..300 {
        let (rows, columns) = if index == 2 { (16, 60) } else { (random.u64(1..9), 9) };
        let shape = Shape::new(rows, columns).unwrap();
        let is_mine: Vec<bool> = shape.cells().map(|_| random.usize(0..4) == 0).collect();
        let mut board =
            Board::new(shape, is_mine.iter().filter(|is_mine| **is_mine).count() as u32);
        for cell in shape.cells().filter(|cell| !is_mine[cell.index()]) {
            let around = shape.neighbours(cell).into_iter();
            let mines = around.filter(|cell| is_mine[cell.index()]).count() as u8;
            let is_open = if index == 2 { shape.at(cell).row % 2 == 1 } else { random.bool() };
            let error = u8::from(index != 2 && random.usize(0..60) == 0);
            board.open(
                cell,
                if is_open { CellState::Number(mines + error) } else { CellState::Hidden },
            );
        }
        let found = evaluated(&board);
        let fresh = std::thread::scope(|scope| scope.spawn(|| evaluated(&board)).join());
        assert_eq!(found, fresh.unwrap(), "{board}");
        *if found.is_ok() { &mut counted } else { &mut impossible } += 1;
    }
    assert!(counted > 100 && impossible > 30, "{counted}, {impossible}");
}

#[test]
fn the_move_is_the_engines_own() {
    let mut random = fastrand::Rng::with_seed(42);
    let mut guesses = 0;
    for round in 0..600 {
        let board = twin::random_board(&mut random);
        let objective = [Objective::FewestHits, Objective::CleanWin][round % 2];
        let effort = [Effort::Fast, Effort::Standard, Effort::Full][round / 2 % 3];
        let evaluation = evaluate(&board).unwrap();
        let best = evaluation.best_move(objective, effort);
        if !twin::has_safe_left(&board) {
            assert_eq!(best, None, "{board}");
            continue;
        }
        let best = best.unwrap();
        assert_eq!(
            Engine::new(objective, effort).decide(&board, Turn::UNTIMED),
            Some(best.clone())
        );
        assert_eq!(best.place(), board.shape().at(best.cell()));
        let Place { row, column } = best.place();
        let odds = evaluation.odds_at(row, column).unwrap();
        assert!((best.odds - odds).abs() < 1e-12, "{board}{best:?}");
        assert_eq!(best.by.is_proof(), evaluation.safe().len() > 0, "{board}");
        assert!(!best.by.is_proof() || evaluation.safe().any(|place| place == best.place()));
        guesses += usize::from(!best.by.is_proof());
    }
    assert!(guesses > 50, "{guesses}");
}

#[test]
fn a_text_is_the_board_that_it_shows() {
    let mut random = fastrand::Rng::with_seed(43);
    for _ in 0..500 {
        let board = twin::random_board(&mut random);
        assert_eq!(board.to_string().parse(), Ok(board));
    }
}

/// Every entrance reports each fault, with its place.
#[test]
fn each_fault_has_its_error() {
    for (text, message) in [
        ("", "no width or height"),
        ("3 1\n1..", "no mine count: the first line must be `W H M`"),
        ("2 1 5\n..", "no layout fits: minecount 5 is more than the 2 cells"),
        ("2 1 1\n0.5", "wrong width: row 0 (line 2 of the text): 3 symbols"),
        ("2 1 1\n.9", "wrong number: row 0 (line 2 of the text), col 1"),
        (
            "3 1 1\n.3.",
            "no layout fits: (0,1) shows 3, but at most 2 of its neighbours can be mines",
        ),
        ("99999999999 1 1\n.", "wrong width or height"),
        ("1 1 99999999999\n.", "minecount 99999999999 is more than the 1 cell"),
    ] {
        let error = text.parse::<Board>().unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    for (text, message) in [
        ("8 1 2\n1.00.11.", "the numbers around 1 cell contradict each other, near (0,1)"),
        ("4 1 1\n1..1", "no layout fits: 1 mine is left, but the numbers need at least 2"),
    ] {
        let error = evaluate(&text.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let shape = Shape::new(2, 3).unwrap();
    let mut board = Board::new(shape, 2);
    board.open_at(0, 0, CellState::Number(1)).unwrap();
    // The same again does no harm.
    board.open_at(0, 0, CellState::Number(1)).unwrap();
    board.open_at(1, 0, CellState::Hidden).unwrap();
    let before = board.clone();
    for (row, column, state, message) in [
        (2, 0, CellState::Number(1), "(2,0): there is no such cell on 2 rows and 3 columns"),
        (0, u32::MAX, CellState::Hit, "(0,4294967295): there is no such cell"),
        (1, 1, CellState::Number(12), "(1,1): 12 is too large; a cell has at most 8 neighbours"),
        (1, 1, CellState::Illegible, "(1,1): the value is neither a number from 0 to 8 nor a mine"),
        (0, 0, CellState::Number(2), "(0,0): the cell is open already and shows `1`"),
        (0, 0, CellState::Hidden, "(0,0): the cell is open already and shows `1`"),
    ] {
        let error = board.open_at(row, column, state).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(board, before);
    }
    // What was opened without checks is refused by the evaluation.
    let cell = shape.cell(1, 2).unwrap();
    let message = |state| {
        let mut board = before.clone();
        board.open(cell, state);
        evaluate(&board).unwrap_err().to_string()
    };
    assert!(
        message(CellState::Number(12))
            .contains("(1,2) shows 12, but at most 3 of its neighbours can be mines")
    );
    assert!(message(CellState::Illegible).contains("(1,2): the value is neither"));
    assert!(message(CellState::Number(3)).starts_with("no layout fits: "));
    let error = evaluate(&Board::new(shape, 100)).unwrap_err();
    let Error::NoLayout(no_layout) = &error else { panic!("{error}") };
    assert_eq!(no_layout.reasons, [Contradiction::TooManyMines { mines: 100, cells: 6 }]);
}
