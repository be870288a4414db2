//! Optimal play over all layouts against its slow twin, and against published optima of tiny
//! boards.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::Position;
use sapper::board::text_format::BoardText;
use sapper::board::{Board, CellState};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::solver::ProbabilitySolver;
use sapper::search::CountedBoard;
use sapper::search::endgame::layouts::{Layouts, MINE};
use sapper::search::endgame::{self, Solution};
use sapper::search::fifty_fifty;
use sapper::settings::budget::Budget;
use sapper::settings::params::Objective;

const OBJECTIVES: [Objective; 2] = [Objective::FewestHits, Objective::CleanWin];

/// All layouts of the hidden cells that fit, by enumeration; an entry a cell.
fn all_layouts(position: &Position) -> Vec<Vec<bool>> {
    let hidden = &position.hidden;
    let fits = |layout: u32| {
        let mined = |cell: &Cell| layout >> hidden.binary_search(cell).unwrap() & 1;
        layout.count_ones() == position.mines
            && position.premises.iter().all(|premise| {
                premise.group.cells().iter().map(mined).sum::<u32>() == premise.group.mines()
            })
    };
    let layouts = (0..1_u32 << hidden.len()).filter(|&layout| fits(layout));
    layouts.map(|layout| (0..hidden.len()).map(|cell| layout >> cell & 1 == 1).collect()).collect()
}

/// What a hidden cell shows in a layout.
fn shown(board: &Board, hidden: &[Cell], layout: &[bool], cell: usize) -> u8 {
    if layout[cell] {
        return MINE;
    }
    let mine = |&neighbour: &Cell| match hidden.binary_search(&neighbour) {
        Ok(other) => layout[other],
        Err(_) => board.state(neighbour) == CellState::Hit,
    };
    board.shape().neighbours(hidden[cell]).iter().filter(|&neighbour| mine(neighbour)).count() as u8
}

/// The plainest recursion: any hidden cell may be opened, none is known to be safe, and a game ends
/// when as many cells are hidden as mines are left.
struct Plain {
    /// For each layout, what each of the hidden cells shows.
    shown: Vec<Vec<u8>>,
    objective: Objective,
    known: HashMap<(u32, Vec<u32>), u32>,
}

impl Plain {
    fn new(board: &Board, hidden: &[Cell], layouts: &[Vec<bool>], objective: Objective) -> Plain {
        let of_layout = |layout: &Vec<bool>| {
            (0..hidden.len()).map(|cell| shown(board, hidden, layout, cell)).collect()
        };
        Plain { shown: layouts.iter().map(of_layout).collect(), objective, known: HashMap::new() }
    }

    /// The mines opened, or the layouts lost, by optimal play once the cells of `open` are open.
    fn cost(&mut self, open: u32, fitting: &[u32]) -> u32 {
        let cells = self.shown[0].len();
        let mined = |&layout: &u32| {
            let shown = &self.shown[layout as usize];
            (0..cells).filter(|&cell| open >> cell & 1 == 0 && shown[cell] == MINE).count()
        };
        let closed = cells - open.count_ones() as usize;
        if fitting.iter().all(|layout| mined(layout) == closed) {
            return 0;
        }
        if let Some(&cost) = self.known.get(&(open, fitting.to_vec())) {
            return cost;
        }
        let hidden = (0..cells).filter(|cell| open >> cell & 1 == 0);
        let cost = hidden.map(|cell| self.cost_of(cell, open, fitting)).min().unwrap();
        self.known.insert((open, fitting.to_vec()), cost);
        cost
    }

    fn cost_of(&mut self, cell: usize, open: u32, fitting: &[u32]) -> u32 {
        let mut cost = 0;
        for value in 0..=MINE {
            let shows = |layout: &&u32| self.shown[**layout as usize][cell] == value;
            let part: Vec<u32> = fitting.iter().filter(shows).copied().collect();
            if part.is_empty() {
                continue;
            }
            if value == MINE {
                cost += part.len() as u32;
                if self.objective == Objective::CleanWin {
                    continue;
                }
            }
            cost += self.cost(open | 1 << cell, &part);
        }
        cost
    }
}

/// All layouts of a board without a cell that deduction finds safe.
fn listed(board: &Board) -> Option<Layouts> {
    let position = board.position();
    let mut deducer = Deducer::default();
    let deduced = deducer.run(&position, Reach::FixedPoint).ok()?;
    if !deduced.safe().is_empty() {
        return None;
    }
    let undecided = deduced.undecided();
    Some(Layouts::list(board, &undecided, usize::MAX, &mut Budget::unlimited()).unwrap())
}

fn solve(board: &Board, objective: Objective) -> Option<(Option<Solution>, usize)> {
    let layouts = listed(board)?;
    let best = endgame::solve(&layouts, objective, &mut Budget::unlimited()).unwrap();
    assert!(best.is_none_or(|best| best.is_proven), "the budget is unlimited");
    Some((best, layouts.len()))
}

/// The best found within so many nodes.
fn solve_within(nodes: u64, layouts: &Layouts, objective: Objective) -> Option<Solution> {
    let mut budget = Budget::of_nodes(nodes);
    endgame::solve(layouts, objective, &mut budget).ok()?
}

#[test]
fn optimal_play_is_that_of_the_plain_recursion() {
    let mut random = fastrand::Rng::with_seed(11);
    let (mut solved, mut hits, mut symmetric, mut unproven) = (0, 0, 0, 0);
    while solved < 600 {
        let board = twin::random_board(&mut random);
        let position = board.position();
        if position.hidden.len() > 11 {
            continue;
        }
        let layouts = all_layouts(&position);
        if layouts.len() > 60 {
            continue;
        }
        for objective in OBJECTIVES {
            let Some((best, count)) = solve(&board, objective) else { continue };
            assert_eq!(count, layouts.len(), "{board}");
            let list = listed(&board).unwrap();
            symmetric += usize::from(!list.symmetries().is_empty());
            let mut plain = Plain::new(&board, &position.hidden, &layouts, objective);
            let all: Vec<u32> = (0..layouts.len() as u32).collect();
            let cost = plain.cost(0, &all);
            assert_eq!(best.map_or(0, |best| best.cost), cost, "{objective:?}\n{board}");
            if let Some(best) = best {
                let cell = position.hidden.binary_search(&best.cell).unwrap();
                assert_eq!(plain.cost_of(cell, 0, &all), cost, "{objective:?}\n{board}");
                let mined = layouts.iter().filter(|layout| layout[cell]).count();
                assert_eq!((best.mined as usize, best.layouts as usize), (mined, layouts.len()));
                // The best found within few nodes costs no more than it says.
                for nodes in [300, 1000, 3000, 10_000] {
                    let Some(found) = solve_within(nodes, &list, objective) else { continue };
                    let cell = position.hidden.binary_search(&found.cell).unwrap();
                    let of_cell = plain.cost_of(cell, 0, &all);
                    assert!((cost..=found.cost).contains(&of_cell), "{objective:?}\n{board}");
                    assert!(!found.is_proven || found.cost == cost, "{objective:?}\n{board}");
                    unproven += usize::from(!found.is_proven);
                }
                solved += 1;
                hits += usize::from(board.hits() > 0);
            }
        }
    }
    assert!(hits > 100, "only {hits} with mines that were hit");
    assert!(symmetric > 0, "none whose cells are symmetric");
    assert!(unproven > 0, "none whose nodes ended");
}

/// Optimal play may guess a 50/50 that tells something before any other cell.
#[test]
fn a_fifty_fifty_is_first_in_optimal_play() {
    // Linked pairs, whose sides differ in what they show.
    let linked = [
        "5 3 9\n*33*2\n.*...\n**.*.",
        "5 4 5\n11111\n..2..\n....2\n12.2.",
        "5 4 7\n2....\n..3..\n.2122\n.101.",
        "5 5 8\n2....\n.....\n123.2\n11111\n.1000",
        "5 4 7\n12..1\n...4.\n.....\n1223.",
    ];
    let linked = linked.map(|picture| picture.parse::<BoardText>().unwrap().board(0).unwrap());
    let mut random = fastrand::Rng::with_seed(13);
    let boards =
        linked.into_iter().chain(std::iter::repeat_with(|| twin::random_board(&mut random)));
    let (mut solver, mut found, mut large, mut sides_differ) =
        (ProbabilitySolver::default(), 0, 0, 0);
    for board in boards {
        let position = board.position();
        let mut deducer = Deducer::default();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let counted = solver.run(deduced, &mut Budget::unlimited()).unwrap();
        if position.hidden.len() > 14 || !counted.odds().safe().is_empty() {
            continue;
        }
        let Some(sides) = fifty_fifty::first_set(CountedBoard { board: &board, counted }) else {
            continue;
        };
        let layouts = all_layouts(&position);
        if layouts.len() > 100 {
            continue;
        }
        let sides = sides.map(|cell| position.hidden.binary_search(&cell).unwrap());
        let all: Vec<u32> = (0..layouts.len() as u32).collect();
        for objective in OBJECTIVES {
            let mut plain = Plain::new(&board, &position.hidden, &layouts, objective);
            let costs = sides.map(|cell| plain.cost_of(cell, 0, &all));
            let least = plain.cost(0, &all);
            assert_eq!(costs.into_iter().min(), Some(least), "{objective:?}\n{board}");
            assert!(objective == Objective::CleanWin || costs == [least; 2], "{board}");
            sides_differ += usize::from(costs[0] != costs[1]);
        }
        found += 1;
        large += usize::from(layouts.len() > 8);
        if found == 100 {
            break;
        }
    }
    assert!(large > 10 && sides_differ >= 4, "{large} {sides_differ}");
}

/// Whole fields, where symmetries matter most, and every number of mines.
#[test]
fn untouched_fields_cost_what_the_plain_recursion_says() {
    for (rows, columns) in [(2, 2), (3, 2), (3, 3), (2, 5), (1, 8)] {
        let shape = Shape::new(rows, columns).unwrap();
        for mines in 1..shape.len() as u32 {
            let board = Board::new(shape, mines);
            let position = board.position();
            let layouts = all_layouts(&position);
            for objective in OBJECTIVES {
                let mut plain = Plain::new(&board, &position.hidden, &layouts, objective);
                let all: Vec<u32> = (0..layouts.len() as u32).collect();
                let best = solve(&board, objective).unwrap().0.unwrap();
                assert_eq!(best.cost, plain.cost(0, &all), "{objective:?}\n{board}");
            }
        }
    }
}

/// More nodes are never worse, and enough find the optimum.
#[test]
fn where_nodes_end_the_best_until_then_is_returned() {
    let layouts = listed(&Board::new(Shape::new(4, 4).unwrap(), 4)).unwrap();
    let found = [1e5, 8e5, 1.6e6, 2.2e6, 3e6, 5e6, 1e7, 1e8]
        .map(|nodes| solve_within(nodes as u64, &layouts, Objective::FewestHits));
    assert_eq!(found[0], None, "the first pass takes more");
    let found: Vec<Solution> = found.into_iter().flatten().collect();
    assert!(found.len() > 2, "{found:?}");
    assert!(found.is_sorted_by_key(|best| std::cmp::Reverse(best.cost)), "{found:?}");
    let (last, others) = found.split_last().unwrap();
    assert_eq!((last.cost, last.layouts, last.is_proven), (1045, 1820, true));
    assert!(others.iter().any(|best| !best.is_proven && best.cost > last.cost), "{found:?}");
}

/// The optimum of a whole game on an untouched field.
fn optimum(columns: u64, rows: u64, mines: u32) -> f64 {
    let board = Board::new(Shape::new(rows, columns).unwrap(), mines);
    let (best, layouts) = solve(&board, Objective::FewestHits).unwrap();
    f64::from(best.unwrap().cost) / layouts as f64
}

#[test]
fn whole_games_on_tiny_boards_cost_the_optimum() {
    for (columns, rows, mines, expected) in [
        (4, 4, 2, 0.15833),
        (4, 4, 4, 0.57418),
        (5, 4, 3, 0.26491),
        (5, 5, 2, 0.11667),
        (5, 5, 3, 0.23348),
        (12, 1, 4, 1.21212),
    ] {
        let found = optimum(columns, rows, mines);
        assert!((found - expected).abs() < 5e-6, "{columns}x{rows}/{mines}: {found}");
    }
}
