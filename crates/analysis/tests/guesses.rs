//! Guesses by their names, the values of an endgame's cells, and contradictions, each against the
//! enumeration of all layouts.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod expert;

use std::collections::BTreeSet;

use analysis::Analyzer;
use analysis::explanation::explain_guess;
use analysis::guesses::{FiftyFifty, equals, fifty_fifties};
use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::MineCount;
use sapper::board::text_format::BoardText;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Step;
use sapper::settings::params::{Effort, Objective};

use twin::best_play::{MINE, Plain, all_shown};
use twin::{enumerate, random_board};

fn board(picture: &str) -> Board {
    picture.parse::<BoardText>().unwrap().board(0).unwrap()
}

/// A board of which at most twelve cells are hidden.
fn small_board(random: &mut fastrand::Rng) -> Board {
    loop {
        let board = random_board(random);
        if (2..=12).contains(&board.hidden_len()) {
            return board;
        }
    }
}

/// The board with a number or a hit mine that cannot be read.
fn damaged(board: &Board, random: &mut fastrand::Rng) -> Board {
    let is_open = |(_, state): &(Cell, CellState)| *state != CellState::Hidden;
    let open: Vec<(Cell, CellState)> = board.iter().filter(is_open).collect();
    let illegible = random.choice(&open).map(|(cell, _)| *cell);
    let mut damaged = Board::new(board.shape(), board.mines());
    for (cell, state) in open {
        let is_illegible = Some(cell) == illegible;
        damaged.open(cell, if is_illegible { CellState::Illegible } else { state });
    }
    damaged
}

#[test]
fn the_values_of_an_endgame_are_those_of_the_plainest_recursion() {
    let mut random = fastrand::Rng::with_seed(2);
    let (mut values, mut dead) = (0, 0);
    for objective in [Objective::FewestHits, Objective::CleanWin] {
        let mut analyzer = Analyzer::new(objective, Effort::Standard);
        for _ in 0..1500 {
            let board = small_board(&mut random);
            if board.hidden_len() > 9 {
                continue;
            }
            let analysis = analyzer.analyze(&board, None).unwrap();
            let Some(chosen) = analysis.chosen().filter(|chosen| chosen.by == Step::Endgame) else {
                assert!(analysis.values().is_empty());
                continue;
            };
            let shown = all_shown(&board, true);
            let hidden: Vec<Cell> = board.hidden().collect();
            let mut plain = Plain::new(&shown, objective);
            for value in analysis.values() {
                let index = hidden.binary_search(&value.cell).unwrap();
                assert_eq!(value.cost, Some(plain.best_after(index)), "{board}");
                let numbers: BTreeSet<u8> =
                    shown.iter().map(|shown| shown[index]).filter(|value| *value != MINE).collect();
                assert_eq!(value.is_dead, numbers.len() == 1, "{board}");
                (values, dead) = (values + 1, dead + usize::from(value.is_dead));
            }
            let best = analysis.values()[0];
            assert_eq!(best.cost, Some(chosen.solved.unwrap().cost));
            assert!(equals(&analysis, chosen).iter().all(|&cell| cell != chosen.cell()));
        }
    }
    assert!(values > 500 && dead > 50, "{values} values, {dead} dead cells");
}

/// Whether exchanging two sides maps the layouts to the layouts, and one side has all the mines.
fn is_fifty_fifty(board: &Board, shown: &[Vec<u8>], sides: &[Vec<Cell>; 2]) -> bool {
    let hidden: Vec<Cell> = board.hidden().collect();
    let index = |cell: &Cell| hidden.binary_search(cell).unwrap();
    let sides = sides.each_ref().map(|side| side.iter().map(index).collect::<Vec<usize>>());
    let is_full = |shown: &[u8], side: &[usize]| side.iter().all(|&cell| shown[cell] == MINE);
    let is_free = |shown: &[u8], side: &[usize]| side.iter().all(|&cell| shown[cell] != MINE);
    // What the other cells show, with the mines on the one side and on the other.
    let mut of_sides = [BTreeSet::new(), BTreeSet::new()];
    for shown in shown {
        let others: Vec<u8> = (0..hidden.len())
            .filter(|cell| !sides.iter().any(|side| side.contains(cell)))
            .map(|cell| shown[cell])
            .collect();
        let [a, b] = &sides;
        if is_full(shown, a) && is_free(shown, b) {
            of_sides[0].insert(others);
        } else if is_full(shown, b) && is_free(shown, a) {
            of_sides[1].insert(others);
        } else {
            return false;
        }
    }
    let counts_agree = of_sides[0].len() + of_sides[1].len() == shown.len();
    counts_agree && of_sides[0] == of_sides[1]
}

#[test]
fn fifty_fifties_are_those_of_enumeration() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let (mut pairs, mut larger, mut with_others, mut without_total) = (0, 0, 0, 0);
    for index in 0..5000 {
        let density = (index % 4 == 0).then_some(0.3);
        let board = small_board(&mut random);
        let analysis = analyzer.analyze(&board, density).unwrap();
        let shown = all_shown(&board, density.is_none());
        let found = fifty_fifties(&analysis);
        let hidden: Vec<Cell> = board.hidden().collect();
        for FiftyFifty { sides, beside } in &found {
            assert!(is_fifty_fifty(&board, &shown, sides), "{board}{sides:?}");
            larger += usize::from(sides[0].len() > 1);
            let is_undecided = |&index: &usize| {
                let mined = shown.iter().filter(|shown| shown[index] == MINE).count();
                mined > 0 && mined < shown.len()
            };
            let is_beside = |cell: &Cell| {
                let is_side = |cell: &Cell| sides.iter().flatten().any(|side| side == cell);
                !is_side(cell) && board.shape().neighbours(*cell).iter().any(is_side)
            };
            let undecided = (0..hidden.len()).filter(is_undecided).map(|index| hidden[index]);
            let expected: Vec<Cell> = undecided.filter(is_beside).collect();
            assert_eq!(beside, &expected, "{board}{sides:?}");
            with_others += usize::from(!beside.is_empty());
        }
        for (index, &a) in hidden.iter().enumerate() {
            for &b in &hidden[index + 1..] {
                let sides = [vec![a], vec![b]];
                let is_found = found.iter().any(|one| one.sides == sides);
                assert_eq!(is_found, is_fifty_fifty(&board, &shown, &sides), "{board}{sides:?}");
                pairs += usize::from(is_found);
                without_total += usize::from(is_found && density.is_some());
            }
        }
    }
    assert!(pairs > 100 && larger > 0, "{pairs} pairs, {larger} larger");
    assert!((10..pairs).contains(&with_others), "{with_others} with other cells beside them");
    assert!(without_total > 10, "{without_total} pairs on boards without a mine count");
}

/// Without a mine count no endgame is solved, so that small boards have guesses.
#[test]
fn a_cell_that_is_guessed_first_is_in_a_fifty_fifty_beside_other_cells() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let mut guessed_first = 0;
    for _ in 0..60_000 {
        let board = small_board(&mut random);
        let analysis = analyzer.analyze(&board, Some(0.3)).unwrap();
        if analysis.is_fifty_fifty_first() {
            let cell = analysis.chosen().unwrap().cell();
            let is_its = |one: &FiftyFifty| one.contains(cell) && !one.beside.is_empty();
            assert!(fifty_fifties(&analysis).iter().any(is_its), "{board}{cell:?}");
            guessed_first += 1;
        }
    }
    assert!(guessed_first > 10, "{guessed_first} guessed first");
}

/// A number that sees an illegible cell and one of two sides may tell them apart later.
#[test]
fn beside_an_illegible_cell_nothing_is_called_a_fifty_fifty() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let mut lost = 0;
    for _ in 0..500 {
        let board = small_board(&mut random);
        if board.hidden_len() == board.shape().len() {
            continue;
        }
        let found = fifty_fifties(&analyzer.analyze(&board, None).unwrap()).len();
        let board = damaged(&board, &mut random);
        assert!(fifty_fifties(&analyzer.analyze(&board, None).unwrap()).is_empty(), "{board}");
        lost += found;
    }
    assert!(lost > 10, "{lost} 50/50s on the boards before the damage");
}

#[test]
fn numbers_that_conflict_leave_no_layout_and_none_can_be_left_out() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let (mut with_total, mut without, mut sizes) = (0, 0, BTreeSet::new());
    for _ in 0..6000 {
        let truth = small_board(&mut random);
        let is_damaged = random.u8(0..4) == 0;
        let truth = if is_damaged { damaged(&truth, &mut random) } else { truth };
        let board = falsified(&truth, &mut random);
        let position = board.position();
        if !board.reasons().is_empty() {
            continue;
        }
        let Err(conflicts) = analyzer.analyze(&board, None) else {
            let with_total = position.mine_count == MineCount::Exact;
            assert!(enumerate(&position, None, with_total).layouts > 0);
            continue;
        };
        for conflict in conflicts {
            let layouts =
                |numbers: &[Cell], total: bool| enumerate(&position, Some(numbers), total).layouts;
            let (numbers, total) = (&conflict.numbers, conflict.uses_total);
            assert_eq!(layouts(numbers, total), 0, "{board}{conflict:?}");
            for left_out in numbers {
                let others: Vec<Cell> =
                    numbers.iter().copied().filter(|number| number != left_out).collect();
                assert!(layouts(&others, total) > 0, "{board}{conflict:?}");
            }
            assert!(!total || layouts(numbers, false) > 0, "{board}{conflict:?}");
            let name = |number: &Cell| {
                let shape = board.shape();
                format!("at ({},{})", shape.row(*number), shape.column(*number))
            };
            assert!(numbers.iter().all(|number| conflict.text.contains(&name(number))));
            sizes.insert(numbers.len());
            (with_total, without) =
                (with_total + usize::from(total), without + usize::from(!total));
        }
    }
    assert!(with_total > 50 && without > 50 && sizes.len() > 3, "{with_total} {without} {sizes:?}");
}

/// A board with one number changed, or another mine count.
fn falsified(truth: &Board, random: &mut fastrand::Rng) -> Board {
    let shape: Shape = truth.shape();
    let changes_total = random.u8(0..3) == 0;
    let most = shape.len() as u32;
    let mines = if changes_total { random.u32(0..=most) } else { truth.mines() };
    let mut board = Board::new(shape, mines);
    let numbers: Vec<(Cell, u8)> = truth
        .iter()
        .filter_map(|(cell, state)| match state {
            CellState::Number(number) if truth.hidden_around(cell) > 0 => Some((cell, number)),
            _ => None,
        })
        .collect();
    let changed = if changes_total { None } else { random.choice(&numbers).map(|(cell, _)| *cell) };
    for (cell, state) in truth.iter() {
        let state = match state {
            CellState::Number(number) if Some(cell) == changed => {
                let more = random.bool() || number == 0;
                CellState::Number(if more { (number + 1).min(8) } else { number - 1 })
            }
            state => state,
        };
        board.open(cell, state);
    }
    board
}

#[test]
fn a_fifty_fifty_says_its_twin_and_whether_waiting_helps() {
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let board = board("8 5 4\n0000001.\n0000013.\n000001..\n01110122\n01.10000\n");
    let analysis = analyzer.analyze(&board, None).unwrap();
    let [one] = &fifty_fifties(&analysis)[..] else { panic!("one 50/50") };
    let lines = one.sentences(board.shape(), Objective::FewestHits);
    assert!(
        lines[0].starts_with("(0,7) and (1,7) are a 50/50: one of them is a mine"),
        "{lines:?}"
    );
    assert!(lines[1].contains("Waiting does not change its cost"), "{lines:?}");
}

#[test]
fn a_guess_at_a_fifty_fifty_says_that_it_comes_first() {
    let field = "11 11 30\n*3101......\n*.213......\n3.21.......\n111136.....\n00113..3...\n\
                 001.3.32...\n11223111...\n.12.2012...\n234.312....\n...........\n1222.......\n";
    let board = board(field);
    for effort in [Effort::Fast, Effort::Full] {
        let mut analyzer = Analyzer::new(Objective::FewestHits, effort);
        let analysis = analyzer.analyze(&board, None).unwrap();
        let chosen = analysis.chosen().unwrap();
        assert_eq!(Some(chosen.cell()), board.shape().cell(0, 5));
        let lines = explain_guess(&analysis, chosen, &fifty_fifties(&analysis));
        assert!(
            lines[0].ends_with("in a 50/50 that is guessed before any other cell."),
            "{lines:?}"
        );
        assert!(analysis.candidates().iter().any(|candidate| candidate.cell == chosen.cell()));
    }
}

/// The mines beside the top left corner follow from how many are left, once the rest is open.
#[test]
fn a_guess_says_which_cheaper_cells_can_wait() {
    let board = board(expert::GUESS);
    let mut analyzer = Analyzer::new(Objective::CleanWin, Effort::Fast);
    let analysis = analyzer.analyze(&board, None).unwrap();
    let chosen = analysis.chosen().unwrap();
    assert_eq!(Some(chosen.cell()), board.shape().cell(3, 21));
    let lines = explain_guess(&analysis, chosen, &fifty_fifties(&analysis));
    assert!(lines[0].ends_with("none has a lower cost."), "{lines:?}");
    assert!(
        lines[1].starts_with("(0,0), (0,3) and (0,6) would cost less, but can wait: "),
        "{lines:?}"
    );
    let put_off: Vec<Cell> = analysis
        .candidates()
        .iter()
        .filter(|candidate| candidate.is_put_off)
        .map(|candidate| candidate.cell)
        .collect();
    assert_eq!(put_off.len(), 3, "{put_off:?}");
    assert!(equals(&analysis, chosen).iter().all(|cell| !put_off.contains(cell)));
}
