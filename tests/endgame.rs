//! Optimal play over all layouts against its slow twin, and against published optima of tiny boards.

#![allow(clippy::unwrap_used)]

mod twin;

use std::collections::HashMap;

use sapper::board::{Board, Shown};
use sapper::budget::Budget;
use sapper::deduce::{Deducer, Reach};
use sapper::endgame::{Best, Endgame};
use sapper::geometry::{Cell, Shape};
use sapper::group::Position;
use sapper::guess::Objective;
use sapper::layouts::{Layouts, MINE};

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

/// The plainest optimal play: any hidden cell may be opened, nothing is known to be free, and a game ends
/// when as many cells are hidden as mines are left.
struct Plain<'p> {
    board: &'p Board,
    hidden: &'p [Cell],
    layouts: &'p [Vec<bool>],
    objective: Objective,
    known: HashMap<(u32, Vec<u32>), u32>,
}

impl Plain<'_> {
    fn shown(&self, cell: usize, layout: &[bool]) -> u8 {
        if layout[cell] {
            return MINE;
        }
        let mine = |&neighbour: &Cell| match self.hidden.binary_search(&neighbour) {
            Ok(other) => layout[other],
            Err(_) => self.board.shown(neighbour) == Shown::Hit,
        };
        let neighbours = self.board.shape().neighbours(self.hidden[cell]);
        neighbours.iter().filter(|&neighbour| mine(neighbour)).count() as u8
    }

    /// The mines opened, or the layouts lost, by optimal play once the cells of `open` are open.
    fn cost(&mut self, open: u32, fitting: &[u32]) -> u32 {
        let mined = |&layout: &u32| {
            (0..self.hidden.len())
                .filter(|cell| open >> cell & 1 == 0 && self.layouts[layout as usize][*cell])
                .count()
        };
        let closed = self.hidden.len() - open.count_ones() as usize;
        if fitting.iter().all(|layout| mined(layout) == closed) {
            return 0;
        }
        if let Some(&cost) = self.known.get(&(open, fitting.to_vec())) {
            return cost;
        }
        let cells = (0..self.hidden.len()).filter(|cell| open >> cell & 1 == 0);
        let cost = cells.map(|cell| self.cost_of(cell, open, fitting)).min().unwrap();
        self.known.insert((open, fitting.to_vec()), cost);
        cost
    }

    fn cost_of(&mut self, cell: usize, open: u32, fitting: &[u32]) -> u32 {
        let mut cost = 0;
        for value in 0..=MINE {
            let shows = |layout: &&u32| self.shown(cell, &self.layouts[**layout as usize]) == value;
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

fn solve(board: &Board, objective: Objective) -> Option<(Option<Best>, usize)> {
    let position = board.position();
    let mut deducer = Deducer::new();
    deducer.run(&position, Reach::FixedPoint).ok()?;
    if !deducer.safe().is_empty() {
        return None;
    }
    let mut undecided = Position::default();
    deducer.undecided_into(&position, &mut undecided);
    let mut layouts = Layouts::default();
    let mut budget = Budget::unlimited();
    layouts.list(board, &undecided, usize::MAX, &mut budget).unwrap();
    let best = Endgame::default().solve(&layouts, objective, &mut budget).unwrap();
    Some((best, layouts.len()))
}

#[test]
fn optimal_play_is_that_of_the_plain_recursion() {
    let mut random = fastrand::Rng::with_seed(11);
    let (mut solved, mut hits) = (0, 0);
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
            let (hidden, known) = (&position.hidden[..], HashMap::new());
            let (board, layouts) = (&board, &layouts[..]);
            let mut plain = Plain { board, hidden, layouts, objective, known };
            let all: Vec<u32> = (0..layouts.len() as u32).collect();
            let cost = plain.cost(0, &all);
            assert_eq!(best.map_or(0, |best| best.cost), cost, "{objective:?}\n{board}");
            if let Some(best) = best {
                let cell = position.hidden.binary_search(&best.cell).unwrap();
                assert_eq!(plain.cost_of(cell, 0, &all), cost, "{objective:?}\n{board}");
                let mined = layouts.iter().filter(|layout| layout[cell]).count();
                assert_eq!((best.mined as usize, best.layouts as usize), (mined, layouts.len()));
                solved += 1;
                hits += usize::from(board.hits() > 0);
            }
        }
    }
    assert!(hits > 100, "only {hits} with mines that were hit");
}

/// The optimum of a whole game on an untouched field.
fn optimum(columns: u64, rows: u64, mines: u32) -> f64 {
    let board = Board::new(Shape::new(rows, columns).unwrap(), mines);
    let (best, layouts) = solve(&board, Objective::FewestHits).unwrap();
    f64::from(best.unwrap().cost) / layouts as f64
}

#[test]
fn whole_games_on_tiny_boards_cost_the_optimum() {
    for (columns, rows, mines, expected) in
        [(4, 4, 2, 0.15833), (5, 4, 3, 0.26491), (5, 5, 2, 0.11667), (12, 1, 4, 1.21212)]
    {
        let found = optimum(columns, rows, mines);
        assert!((found - expected).abs() < 5e-6, "{columns}x{rows}/{mines}: {found}");
    }
}
