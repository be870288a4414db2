//! The guess against plain enumeration: no cell of the largest region costs less in two plies, with
//! the bonus of a zero before a first cell is open that has no mine around it.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::Position;
use sapper::board::text_format::BoardText;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::solver::ProbabilitySolver;
use sapper::search::CountedBoard;
use sapper::search::fifty_fifty;
use sapper::search::guess::{
    Candidate, GuessConfig, GuessScratch, Precision, choose, choose_by_odds, prune, second_ply,
};
use sapper::settings::budget::{Budget, Turn};
use sapper::settings::params::{
    Effort, NEGLIGIBLE_PROBABILITY, OPENING_BONUS, OPENING_BONUS_MAX_OPEN, Objective,
};

/// Every layout that fits, as a set of bits: the hidden cells in order.
fn layouts(position: &Position) -> Vec<u32> {
    let hidden = &position.hidden;
    let bit = |cell: &Cell| 1_u32 << hidden.binary_search(cell).unwrap();
    let groups: Vec<(u32, u32)> = position
        .premises
        .iter()
        .map(|premise| (premise.group.cells().iter().map(bit).sum(), premise.group.mines()))
        .collect();
    let fits = |layout: &u32| {
        layout.count_ones() == position.mines
            && groups.iter().all(|&(cells, mines)| (layout & cells).count_ones() == mines)
    };
    (0..1_u32 << hidden.len()).filter(fits).collect()
}

/// Of these layouts, the number with a mine in a cell, as the mean of the two cells that have the
/// fewest, `opened` left out. With one safe cell left it is the fewest, and with none it is 0.
fn least(layouts: &[u32], opened: usize, hidden: usize) -> f64 {
    let others = (0..hidden).filter(|&cell| cell != opened);
    let mined = |cell: usize| layouts.iter().filter(|&&layout| layout >> cell & 1 == 1).count();
    let mut mined: Vec<f64> = others.map(|cell| mined(cell) as f64).collect();
    mined.sort_by(f64::total_cmp);
    match (layouts[0] | 1 << opened).count_zeros() - (u32::BITS - hidden as u32) {
        0 => 0.0,
        1 => mined[0],
        _ => f64::midpoint(mined[0], mined[1]),
    }
}

/// The two-ply cost of the hidden cell number `cell`, less the bonus of a zero, times the number of
/// layouts.
fn cost(board: &Board, position: &Position, all: &[u32], cell: usize, objective: Objective) -> f64 {
    let hidden = &position.hidden;
    let hit = |neighbour: &Cell| board.state(*neighbour) == CellState::Hit;
    let is_beside_a_hit = board.shape().neighbours(hidden[cell]).iter().any(hit);
    let around = board.shape().neighbours(hidden[cell]);
    let around: u32 =
        (0..hidden.len()).filter(|&c| around.contains(&hidden[c])).map(|c| 1 << c).sum();
    let (mined, safe): (Vec<u32>, Vec<u32>) =
        all.iter().partition(|layout| *layout >> cell & 1 == 1);
    let mut by_number: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &layout in &safe {
        by_number.entry((layout & around).count_ones()).or_default().push(layout);
    }
    let mut cost = mined.len() as f64;
    for layouts in by_number.values() {
        cost += least(layouts, cell, hidden.len());
    }
    if objective == Objective::FewestHits && !mined.is_empty() {
        cost += least(&mined, cell, hidden.len());
    }
    let open = board.shape().len() - board.hidden_len();
    let counts =
        objective == Objective::CleanWin && open <= OPENING_BONUS_MAX_OPEN && !is_beside_a_hit;
    let zeros = by_number.get(&0).filter(|_| counts).map_or(0, Vec::len);
    cost - OPENING_BONUS * zeros as f64
}

/// The cells of each region of `undecided`: links are followed until nothing changes.
fn regions(shape: Shape, undecided: &Position) -> Vec<Vec<Cell>> {
    let cells = &undecided.hidden;
    let linked = |a: Cell, b: Cell| {
        let groups = undecided.premises.iter().map(|premise| premise.group.cells());
        shape.neighbours(a).contains(&b)
            || groups.into_iter().any(|group| group.contains(&a) && group.contains(&b))
    };
    let mut regions: Vec<Vec<Cell>> = Vec::new();
    for &cell in cells {
        let is_linked = |region: &Vec<Cell>| region.iter().any(|&other| linked(cell, other));
        let (joined, others): (Vec<_>, Vec<_>) = regions.into_iter().partition(is_linked);
        regions = others;
        regions.push(joined.into_iter().flatten().chain([cell]).collect());
    }
    regions.iter_mut().for_each(|region| region.sort_unstable());
    regions.sort_unstable();
    regions
}

/// A small field, opened in any order until so few cells are hidden that there is something to
/// choose and to enumerate.
fn board(random: &mut fastrand::Rng) -> Board {
    let shape = Shape::new(random.u64(2..=6), random.u64(4..=6)).unwrap();
    let density = [0.2, 0.3, 0.4, 0.5][random.usize(0..4)];
    let mined: Vec<bool> = shape.cells().map(|_| random.f64() < density).collect();
    let mut board = Board::new(shape, mined.iter().filter(|mine| **mine).count() as u32);
    let mut order: Vec<Cell> = shape.cells().collect();
    random.shuffle(&mut order);
    let hits = random.bool();
    let most_hidden = random.usize(5..14);
    for &cell in order.iter().chain(&order) {
        let is_mine = mined[cell.index()];
        if board.hidden_len() > most_hidden && (!is_mine || hits || board.hidden_len() > 14) {
            twin::open(&mut board, &mined, cell);
        }
    }
    board
}

#[test]
fn the_guess_costs_least_in_two_plies() {
    let mut random = fastrand::Rng::with_seed(61);
    let (mut scratch, mut solver) = (GuessScratch::default(), ProbabilitySolver::default());
    let mut deducer = Deducer::default();
    let (mut guesses, mut beyond_odds, mut by_objective, mut equivalent) = (0, 0, 0, 0);
    let (mut fifty_fifties, mut put_off) = (0, 0);
    let max_candidates = Effort::Standard.limits().candidates;
    for _ in 0..30_000 {
        let board = board(&mut random);
        let position = board.position();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let counted = solver.run(deduced, &mut Budget::unlimited()).unwrap();
        let (at, odds) = (CountedBoard { board: &board, counted }, counted.odds());
        let all = layouts(&position);
        let cells = position.hidden.len();
        let mined: Vec<usize> = (0..cells)
            .map(|c| all.iter().filter(|&&layout| layout >> c & 1 == 1).count())
            .collect();
        let fewest = *mined.iter().min().unwrap();
        let by_odds = choose_by_odds(&board, odds).unwrap();
        let as_good = mined.iter().filter(|&&mined| mined == fewest).count();
        assert_eq!(by_odds.candidates, as_good, "{board}");
        let index = position.hidden.binary_search(&by_odds.cell).unwrap();
        assert_eq!(mined[index], fewest, "{board}");
        // With a safe cell, with only mines, or on an untouched field there is no look-ahead.
        if fewest == 0 || fewest == all.len() || cells == board.shape().len() {
            continue;
        }
        let regions = regions(board.shape(), &deduced.undecided());
        let is_openable = |cell: &Cell| mined[position.hidden.binary_search(cell).unwrap()];
        let size = |region: &&Vec<Cell>| {
            region.iter().filter(|cell| is_openable(cell) < all.len()).count()
        };
        // Of equal maxima the last one is taken, here the first region.
        let largest = regions.iter().rev().max_by_key(size).unwrap();
        // That optimal play may guess it first is in `tests/endgame.rs`.
        let even = fifty_fifty::first_set(at);
        let mut cells_chosen = Vec::new();
        for objective in [Objective::CleanWin, Objective::FewestHits] {
            let (board, position) = (&board, &position);
            let mut budget = Budget::unlimited();
            let margin = 0.06;
            let config = GuessConfig { objective, max_candidates, margin, negligible: 0.0 };
            let chosen = choose(at, config, &mut scratch, &mut budget).unwrap();
            let index = position.hidden.binary_search(&chosen.cell).unwrap();
            if let Some(even) = even {
                assert!(even.contains(&chosen.cell), "{board}");
                let costs = even.map(|side| {
                    let side = position.hidden.binary_search(&side).unwrap();
                    assert_eq!(2 * mined[side], all.len(), "{board}");
                    cost(board, position, &all, side, objective)
                });
                let least = costs.into_iter().fold(f64::INFINITY, f64::min);
                let of_chosen = cost(board, position, &all, index, objective);
                assert!(objective == Objective::FewestHits || of_chosen - least < 1e-6, "{board}");
                fifty_fifties += 1;
                continue;
            }
            // A proven mine is never opened, and another region can wait.
            let openable = |cell: &usize| mined[*cell] < all.len();
            let is_here = |cell: &usize| largest.contains(&position.hidden[*cell]);
            let cost_of = |cell| cost(board, position, &all, cell, objective);
            let costs = (0..cells).filter(openable).filter(is_here).map(cost_of);
            let of_chosen = cost_of(index);
            let least = costs.reduce(f64::min).unwrap();
            assert!((of_chosen - least).abs() < 1e-6, "{board}{objective:?} {chosen:?}");
            let least_anywhere = (0..cells).filter(openable).map(cost_of).reduce(f64::min);
            put_off += usize::from(least_anywhere.unwrap() < least - 1e-6);
            let listed = scratch.candidates.iter();
            assert!(listed.clone().all(|candidate| largest.contains(&candidate.cell)), "{board}");
            // As it is played, without the unlikely numbers of the best cell and of the chosen one.
            let negligible = NEGLIGIBLE_PROBABILITY;
            let played = GuessConfig { negligible, ..config };
            let mut other = GuessScratch::default();
            let played = choose(at, played, &mut other, &mut budget).unwrap();
            let index_played = position.hidden.binary_search(&played.cell).unwrap();
            let of_played = cost(board, position, &all, index_played, objective);
            let allowed = 2.0 * negligible * (1.0 + OPENING_BONUS) * all.len() as f64;
            assert!(of_played - least <= allowed + 1e-6, "{board}{objective:?} {played:?}");
            // The cost is exact for all that cost little more than the best: for the cell itself,
            // or for an equivalent one.
            assert!(chosen.candidates <= cells);
            for (cell, &risk) in mined.iter().enumerate() {
                let exact = cost(board, position, &all, cell, objective) / all.len() as f64;
                let is_openable = risk < all.len() && is_here(&cell);
                let is_close = exact - of_chosen / (all.len() as f64) < margin - 1e-9;
                let is_close = is_openable && is_close;
                let risk = risk as f64 / all.len() as f64;
                let is_equal = |candidate: &&Candidate| {
                    (candidate.odds - risk).abs() < 1e-9 && (candidate.cost - exact).abs() < 1e-9
                };
                let is_this = |candidate: &&Candidate| candidate.cell == position.hidden[cell];
                let listed = scratch.candidates.iter().find(is_this);
                equivalent += usize::from(is_close && listed.is_none());
                let found = listed.or_else(|| scratch.candidates.iter().find(is_equal));
                assert!(
                    !is_close || found.is_some_and(|found| is_equal(&found)),
                    "{board}{objective:?} {cell}"
                );
            }
            assert!((chosen.odds - mined[index] as f64 / all.len() as f64).abs() < 1e-12);
            guesses += 1;
            beyond_odds += usize::from(mined[index] > fewest);
            cells_chosen.push(chosen.cell);
        }
        by_objective += usize::from(cells_chosen.first() != cells_chosen.last());
    }
    // The positions must distinguish two plies from one, and the objectives from each other.
    assert!(guesses > 5000 && beyond_odds > 100 && by_objective > 50);
    assert!(equivalent > 50, "{equivalent}");
    assert!(fifty_fifties > 50, "{fifty_fifties}");
    assert!(put_off > 20, "{put_off}");
}

/// The layouts of a region and of all other cells combine freely under the mines in the region, and
/// its cells show the same whatever lies elsewhere.
#[test]
fn regions_are_linked_by_the_mine_total_alone() {
    let mut random = fastrand::Rng::with_seed(34);
    let (mut deducer, mut solver) = (Deducer::default(), ProbabilitySolver::default());
    let mut scratch = GuessScratch::default();
    let (mut several, mut linked_by_groups) = (0, 0);
    for _ in 0..100_000 {
        let board = board(&mut random);
        let (shape, position) = (board.shape(), board.position());
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        if !deduced.safe().is_empty() {
            continue;
        }
        let counted = solver.run(deduced, &mut Budget::unlimited()).unwrap();
        let undecided = deduced.undecided();
        let regions = regions(shape, &undecided);
        let at = CountedBoard { board: &board, counted };
        if regions.is_empty() || !counted.odds().safe().is_empty() {
            continue;
        }
        let two_ply = scratch.lookahead.begin(at).unwrap();
        let is_largest = |region: &&Vec<Cell>| region.iter().all(|&cell| !two_ply.is_put_off(cell));
        assert_eq!(regions.iter().filter(is_largest).count(), 1, "{board}");
        let not_put_off = undecided.hidden.iter().filter(|&&cell| !two_ply.is_put_off(cell));
        assert!(not_put_off.eq(regions.iter().find(is_largest).unwrap()), "{board}");
        if regions.len() < 2 {
            continue;
        }
        several += 1;
        let all = layouts(&position);
        for region in &regions {
            let bit = |cell: &Cell| 1_u32 << position.hidden.binary_search(cell).unwrap();
            let mask: u32 = region.iter().map(bit).sum();
            let mut by_mines: BTreeMap<u32, [BTreeSet<u32>; 2]> = BTreeMap::new();
            let mut shown: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for &layout in &all {
                let [here, elsewhere] = by_mines.entry((layout & mask).count_ones()).or_default();
                here.insert(layout & mask);
                elsewhere.insert(layout & !mask);
                let around = |cell: &Cell| {
                    let around = shape.neighbours(*cell).into_iter();
                    let hidden = around.filter(|other| board.is_hidden(*other));
                    let mask: u32 = hidden.map(|other| bit(&other)).sum();
                    (layout & mask).count_ones()
                };
                let numbers: Vec<u32> = region.iter().map(around).collect();
                let before = shown.entry(layout & mask).or_insert_with(|| numbers.clone());
                assert_eq!(*before, numbers, "{board}");
            }
            let products = by_mines.values().map(|[here, elsewhere]| here.len() * elsewhere.len());
            assert_eq!(products.sum::<usize>(), all.len(), "{board}");
            let is_beside = |pair: &[Cell]| shape.neighbours(pair[0]).contains(&pair[1]);
            linked_by_groups += usize::from(region.len() == 2 && !is_beside(region));
        }
    }
    assert!(several > 500 && linked_by_groups > 10, "{several}, {linked_by_groups}");
}

/// The neglected numbers together have at most the probability that is allowed, so that no sum is
/// further off.
#[test]
fn neglected_numbers_change_a_cost_by_no_more_than_their_probability() {
    let mut random = fastrand::Rng::with_seed(12);
    let (mut deducer, mut solver) = (Deducer::default(), ProbabilitySolver::default());
    let mut scratch = GuessScratch::default();
    let (mut cells, mut neglected) = (0, 0);
    for _ in 0..3000 {
        let board = board(&mut random);
        let position = board.position();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let counted = solver.run(deduced, &mut Budget::unlimited()).unwrap();
        let at = CountedBoard { board: &board, counted };
        if !deduced.safe().is_empty() || !counted.odds().safe().is_empty() {
            continue;
        }
        let Some(mut two_ply) = scratch.lookahead.begin(at) else { continue };
        for cell in two_ply.undecided().to_vec() {
            for objective in [Objective::CleanWin, Objective::FewestHits] {
                let mut after = |negligible| {
                    let mut budget = Budget::unlimited();
                    let precision = Precision { limit: f64::INFINITY, negligible };
                    let after = second_ply(&mut two_ply, cell, objective, precision, &mut budget);
                    (after.unwrap().cost(), budget.used())
                };
                let (exact, all_nodes) = after(0.0);
                for negligible in [1e-9, 0.01, 0.1, 0.3] {
                    let (cost, nodes) = after(negligible);
                    let difference = (cost - exact).abs();
                    let limit = negligible * (1.0 + OPENING_BONUS) + 1e-9;
                    assert!(difference <= limit, "{board}{cost} {exact}");
                    assert!(nodes <= all_nodes);
                    neglected += usize::from(nodes < all_nodes && difference > 1e-6);
                }
                cells += 1;
            }
        }
    }
    assert!(cells > 5000 && neglected > 2000, "{cells}, {neglected} with neglected numbers");
}

/// Two plies by the safest cell alone would take a cell beside the 1.
#[test]
fn before_a_region_is_open_the_next_corner_is_tried() {
    let corner: BoardText =
        format!("16 16 40\n1{}\n{}", ".".repeat(15), format!("{}\n", ".".repeat(16)).repeat(15))
            .parse()
            .unwrap();
    let board = corner.board(40).unwrap();
    let turn = Turn::UNTIMED;
    let chosen = |objective| {
        let cell = Engine::new(objective, Effort::Standard).decide(&board, turn).unwrap().cell();
        (board.shape().row(cell), board.shape().column(cell))
    };
    assert_eq!(chosen(Objective::CleanWin), (0, 15));
    assert_eq!(chosen(Objective::FewestHits), (0, 15));
}

#[test]
fn close_candidates_are_kept_and_one_for_all_that_are_equal() {
    let candidate = |index, odds, cost| Candidate { cell: Cell::from_index(index), odds, cost };
    let list = vec![
        candidate(0, 0.2, 0.35),
        candidate(1, 0.2, 0.30),
        candidate(2, 0.2, 0.30 + 1e-12),
        candidate(3, 0.3, 0.30),
        candidate(4, 0.2, 0.41),
    ];
    let kept = |margin, max| {
        let mut list = list.clone();
        prune(&mut list, margin, max);
        list.iter().map(|candidate| candidate.cell.index()).collect::<Vec<_>>()
    };
    let (all, close) = (kept(1.0, 9), kept(0.1, 9));
    assert_eq!(all, [1, 3, 0, 4]);
    assert_eq!(close, all[..3]);
    assert_eq!(kept(1.0, 2), all[..2]);
}
