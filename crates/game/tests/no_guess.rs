//! Boards without guesses: their mines, their seeds, and that proof alone solves them.
//!
//! The slow twin is a player that tries, for every hidden cell beside a number, all layouts of the
//! numbers that are linked with it, and opens the cells that are a mine in none. It shares no code
//! with the prover. On boards of expert size [`evaluate`] takes its place: it counts all layouts
//! with whole numbers. The level of numbers has a twin of its own, which knows no more than that
//! level: it tries all ways to lay mines around one number, and around two.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use game::field::Field;
use game::level::Level;
use game::no_guess::{NoGuessError, generate};
use game::prover::{ProofLevel, Prover};
use game::referee::Referee;
use game::rule::{Rule, Start};
use sapper::board::geometry::{Cell, Shape};
use sapper::{Board, CellState, evaluate};

/// Plays a field from `first` by `safe`, which names safe cells; returns whether that opens all.
fn solves(field: &Field, first: Cell, mut safe: impl FnMut(&Board) -> Vec<Cell>) -> bool {
    let mines = field.mines().count() as u32;
    let mut board = Board::new(field.shape(), mines);
    let mut referee = Referee::new(field.clone(), mines);
    let mut to_open = vec![first];
    while !to_open.is_empty() {
        for cell in std::mem::take(&mut to_open) {
            if !referee.is_open(cell) {
                for &(cell, value) in referee.open_beforehand(cell) {
                    board.open(cell, CellState::from_value(Some(value.into())));
                }
            }
        }
        assert_eq!(board.hits(), 0, "a cell that is a mine was called safe");
        if board.hidden_len() == mines as usize {
            return true;
        }
        to_open = safe(&board);
    }
    false
}

fn safe_by_counting(board: &Board) -> Vec<Cell> {
    let evaluation = evaluate(board).unwrap();
    evaluation.safe().map(|place| board.shape().cell_at(place).unwrap()).collect()
}

/// All layouts of one component: for each number of mines in it, the cells that are a mine in some
/// layout with that many.
type MinedByCount = BTreeMap<usize, BTreeSet<Cell>>;

/// The slow twin.
fn safe_by_enumeration(board: &Board) -> Vec<Cell> {
    let shape = board.shape();
    let mut numbers: Vec<(Vec<Cell>, usize)> = Vec::new();
    for (cell, state) in board.iter() {
        let CellState::Number(number) = state else { continue };
        let hidden: Vec<Cell> =
            shape.neighbours(cell).into_iter().filter(|&cell| board.is_hidden(cell)).collect();
        if !hidden.is_empty() {
            numbers.push((hidden, number.into()));
        }
    }
    let mut components: Vec<MinedByCount> = Vec::new();
    let mut frontier = BTreeSet::new();
    while let Some((cells, mines)) = numbers.pop() {
        let mut linked = vec![(cells, mines)];
        let mut of_component: Vec<Cell> = Vec::new();
        let mut next = 0;
        while next < linked.len() {
            for cell in linked[next].0.clone() {
                if !of_component.contains(&cell) {
                    of_component.push(cell);
                }
            }
            let (more, others) = numbers
                .into_iter()
                .partition(|(cells, _)| cells.iter().any(|cell| of_component.contains(cell)));
            linked.extend::<Vec<_>>(more);
            numbers = others;
            next += 1;
        }
        frontier.extend(of_component.iter().copied());
        let mut found = MinedByCount::new();
        place(&of_component, &linked, &mut Vec::new(), 0, &mut found);
        components.push(found);
    }
    let others: Vec<Cell> = board.hidden().filter(|cell| !frontier.contains(cell)).collect();
    let total = board.mines() as usize;
    // The sums of mines that the other components allow, for each of them.
    let sums_without = |left_out: Option<usize>| {
        let mut sums = BTreeSet::from([0]);
        for (index, counts) in components.iter().enumerate() {
            if Some(index) != left_out {
                sums = sums.iter().flat_map(|sum| counts.keys().map(move |n| sum + n)).collect();
            }
        }
        sums
    };
    let fits = |mines: usize, least: usize| mines + least <= total && total - mines <= others.len();
    let mut mined = BTreeSet::new();
    for (index, counts) in components.iter().enumerate() {
        let sums = sums_without(Some(index));
        for (count, cells) in counts {
            if sums.iter().any(|sum| fits(sum + count, 0)) {
                mined.extend(cells.iter().copied());
            }
        }
    }
    if sums_without(None).into_iter().any(|sum| fits(sum, 1)) {
        mined.extend(others);
    }
    board.hidden().filter(|cell| !mined.contains(cell)).collect()
}

/// Tries a mine and no mine in each cell from `next` on.
fn place(
    cells: &[Cell],
    numbers: &[(Vec<Cell>, usize)],
    mines: &mut Vec<Cell>,
    next: usize,
    found: &mut MinedByCount,
) {
    let is_possible = numbers.iter().all(|(around, number)| {
        let placed = around.iter().filter(|cell| mines.contains(cell)).count();
        let open = around.iter().filter(|cell| cells[next..].contains(cell)).count();
        (placed..=placed + open).contains(number)
    });
    if !is_possible {
        return;
    }
    if next == cells.len() {
        found.entry(mines.len()).or_default().extend(mines.iter().copied());
        return;
    }
    place(cells, numbers, mines, next + 1, found);
    mines.push(cells[next]);
    place(cells, numbers, mines, next + 1, found);
    mines.pop();
}

/// The slow twin of the level of numbers. It looks at one number or two at once, with what such
/// looks have told before; the mine count serves only where all mines are found.
fn safe_by_numbers(board: &Board) -> Vec<Cell> {
    let shape = board.shape();
    // The hidden cells that are decided: whether each is a mine.
    let mut decided: BTreeMap<Cell, bool> = BTreeMap::new();
    loop {
        let mut numbers: Vec<(Vec<Cell>, usize)> = Vec::new();
        for (cell, state) in board.iter() {
            let CellState::Number(number) = state else { continue };
            let around = shape.neighbours(cell);
            let mines = around.iter().filter(|cell| decided.get(cell) == Some(&true)).count();
            let is_open = |cell: &Cell| board.is_hidden(*cell) && !decided.contains_key(cell);
            let undecided: Vec<Cell> = around.into_iter().filter(is_open).collect();
            if !undecided.is_empty() {
                numbers.push((undecided, usize::from(number) - mines));
            }
        }
        let known = decided.len();
        for (index, one) in numbers.iter().enumerate() {
            decided.extend(decided_by(&[one]));
            for other in &numbers[index + 1..] {
                if other.0.iter().any(|cell| one.0.contains(cell)) {
                    decided.extend(decided_by(&[one, other]));
                }
            }
        }
        if decided.len() == known {
            break;
        }
    }
    let mines = decided.values().filter(|is_mine| **is_mine).count();
    let is_safe = |cell: &Cell| match decided.get(cell) {
        Some(is_mine) => !is_mine,
        None => mines == board.mines() as usize,
    };
    board.hidden().filter(is_safe).collect()
}

/// The cells beside these numbers that are a mine in each way to lay the mines, or in none.
fn decided_by(numbers: &[&(Vec<Cell>, usize)]) -> Vec<(Cell, bool)> {
    let cells: BTreeSet<Cell> = numbers.iter().flat_map(|(cells, _)| cells).copied().collect();
    let cells: Vec<Cell> = cells.into_iter().collect();
    let is_mine = |layout: u32, cell: &Cell| {
        let index = cells.iter().position(|other| other == cell).unwrap();
        layout >> index & 1 == 1
    };
    let fits = |layout: &u32| {
        numbers.iter().all(|(around, mines)| {
            around.iter().filter(|cell| is_mine(*layout, cell)).count() == *mines
        })
    };
    let ways: Vec<u32> = (0..1 << cells.len()).filter(fits).collect();
    let mines_in = |cell: &Cell| ways.iter().filter(|way| is_mine(**way, cell)).count();
    let of_cell = |&cell: &Cell| match mines_in(&cell) {
        0 => Some((cell, false)),
        all if all == ways.len() => Some((cell, true)),
        _ => None,
    };
    cells.iter().filter_map(of_cell).collect()
}

/// The board of a seed, whose mines and first cell are checked.
fn board(level: &str, seed: i32, proof: ProofLevel) -> (Field, Cell) {
    let Level { shape, mines } = level.parse().unwrap();
    let mut random = fastrand::Rng::with_seed(seed as u64);
    let first = Cell::from_index(random.u32(..shape.len() as u32));
    let layout = generate(shape, mines, first, proof, seed).unwrap();
    assert_eq!(layout, generate(shape, mines, first, proof, seed).unwrap(), "{level} {seed}");
    let field = layout.field();
    assert_eq!((field.mines().count(), field.value(first)), (mines as usize, 0), "{level} {seed}");
    (field, first)
}

#[test]
fn small_boards_are_solved_by_enumeration() {
    let mut random = fastrand::Rng::with_seed(47);
    for level in ["9x9/10", "9x9/16", "8x6/12", "5x4/4", "12x3/8"] {
        for proof in ProofLevel::ALL {
            for _ in 0..20 {
                let seed = random.i32(..);
                let (field, first) = board(level, seed, proof);
                assert!(solves(&field, first, safe_by_enumeration), "{level} {seed} {proof}");
            }
        }
    }
}

#[test]
fn large_boards_are_solved_by_counting_and_at_their_level() {
    let mut random = fastrand::Rng::with_seed(48);
    for (level, boards) in [("16x16/40", 8), ("30x16/99", 8), ("30x20/130", 4), ("24x24/99", 4)] {
        for proof in ProofLevel::ALL {
            for _ in 0..boards {
                let seed = random.i32(..);
                let (field, first) = board(level, seed, proof);
                assert!(solves(&field, first, safe_by_counting), "{level} {seed} {proof}");
                let mut prover = Prover::new(proof);
                assert!(solves(&field, first, |board| prover.prove(board).to_vec()));
            }
        }
    }
}

#[test]
fn boards_of_the_level_of_numbers_need_one_number_or_two_at_once() {
    let mut random = fastrand::Rng::with_seed(49);
    for level in ["9x9/10", "9x9/16", "16x16/40", "30x16/99"] {
        for _ in 0..15 {
            let seed = random.i32(..);
            let (field, first) = board(level, seed, ProofLevel::Numbers);
            assert!(solves(&field, first, safe_by_numbers), "{level} {seed}");
        }
    }
}

/// The twin solves what the prover of its level solves, and no more: some of these boards are
/// beyond both.
#[test]
fn boards_of_harder_levels_are_solved_by_numbers_only_where_the_prover_says_so() {
    let mut random = fastrand::Rng::with_seed(50);
    for proof in [ProofLevel::Groups, ProofLevel::Counting] {
        let (mut solved, mut unsolved) = (0, 0);
        for level in ["9x9/16", "16x16/40", "30x16/99", "30x20/130"] {
            for _ in 0..15 {
                let seed = random.i32(..);
                let (field, first) = board(level, seed, proof);
                let is_solved = solves(&field, first, safe_by_numbers);
                let mut prover = Prover::new(ProofLevel::Numbers);
                let expected = prover.play(&field, first).is_solved;
                assert_eq!(is_solved, expected, "{level} {seed} {proof}");
                (solved, unsolved) =
                    (solved + usize::from(is_solved), unsolved + usize::from(!is_solved));
            }
        }
        assert!(solved > 9 && unsolved > 9, "{proof}: {solved} solved, {unsolved} not");
    }
}

/// The player above can fail: uniform boards need guesses.
#[test]
fn uniform_boards_are_mostly_not_solved() {
    let Level { shape, mines } = "30x16/99".parse().unwrap();
    let first = shape.cell(7, 15).unwrap();
    let start = Start::new(Rule::OpenFirst, first);
    let is_solved = |seed: &i32| {
        let layout = game::board_gen::generate(shape, mines, start, *seed).unwrap();
        solves(&layout.field(), first, safe_by_counting)
    };
    let solved = (0..40).filter(is_solved).count();
    assert!(solved < 12, "{solved} of 40");
}

/// By the median, a first click opens no more than on uniform boards.
#[test]
fn first_openings_are_as_large_as_on_uniform_boards() {
    let Level { shape, mines } = "30x16/99".parse().unwrap();
    for first in [[0, 0], [7, 15], [3, 3]] {
        let first = shape.cell(first[0], first[1]).unwrap();
        let opening =
            |field: &Field| Referee::new(field.clone(), mines).open(first).unwrap().changed.len();
        for proof in ProofLevel::ALL {
            let (mut found, mut uniform) = (Vec::new(), Vec::new());
            for seed in 0..60 {
                let start = Start::new(Rule::OpenFirst, first);
                let layout = game::board_gen::generate(shape, mines, start, seed).unwrap();
                uniform.push(opening(&layout.field()));
                let layout = generate(shape, mines, first, proof, seed).unwrap();
                found.push(opening(&layout.field()));
            }
            found.sort_unstable();
            uniform.sort_unstable();
            assert!(found[30] <= uniform[30], "{proof}: {} > {}", found[30], uniform[30]);
        }
    }
}

#[test]
fn the_levels_and_the_seeds_differ() {
    let Level { shape, mines } = "30x16/99".parse().unwrap();
    let first = shape.cell(7, 15).unwrap();
    let of = |proof, seed| generate(shape, mines, first, proof, seed).unwrap().mines;
    let differ = |seed: &i32| of(ProofLevel::Numbers, *seed) != of(ProofLevel::Counting, *seed);
    assert!((0..20).filter(differ).count() > 0);
    assert_ne!(of(ProofLevel::Groups, 1), of(ProofLevel::Groups, 2));
}

/// Other versions and machines have the same boards, which links name by their seed. Only a new
/// deduction rule may change them.
#[test]
fn the_boards_of_links_stay_the_same() {
    let Level { shape, mines } = "30x16/99".parse().unwrap();
    let first = shape.cell(7, 15).unwrap();
    let sums = ProofLevel::ALL.map(|proof| {
        let layouts = (1..=5).map(|seed| generate(shape, mines, first, proof, seed).unwrap());
        layouts
            .flat_map(|layout| layout.mines)
            .fold(0_u64, |sum, mine| sum.wrapping_mul(1_000_003).wrapping_add(mine as u64))
    });
    assert_eq!(sums, [1942050025113866616, 8986100640241085895, 16432454715477289377]);
}

#[test]
fn what_cannot_be_is_one_line() {
    let shape = Shape::new(3, 3).unwrap();
    let middle = shape.cell(1, 1).unwrap();
    let error = |mines, first| generate(shape, mines, first, ProofLevel::Counting, 1).unwrap_err();
    assert_eq!(error(1, middle).to_string(), "1 mine does not fit into 0 cells");
    let row = Shape::new(1, 4).unwrap();
    let end = Cell::from_index(0);
    assert!(generate(row, 1, end, ProofLevel::Numbers, 1).is_ok());
    // In no layout do proofs lead from the first opening to the end.
    let narrow = Shape::new(2, 5).unwrap();
    let error = generate(narrow, 3, end, ProofLevel::Counting, 1).unwrap_err();
    assert_eq!(error, NoGuessError::NotFound);
    assert!(error.to_string().contains("choose fewer mines"));
}
