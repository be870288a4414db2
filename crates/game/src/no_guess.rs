//! Boards that need no guess: solvable from the first click by proof alone, at a chosen level.
//!
//! 1. A layout is drawn as [`board_gen`](super::board_gen) draws one with an opening at the first
//!    cell; the later draws of a seed continue its stream of random numbers.
//! 2. The prover plays it. Where it is stuck, mines are moved between the hidden cells beside one
//!    number and cells elsewhere, those preferred that no number sees; where mines wall off what is
//!    left, one of them changes its place. A random move is kept if the prover then opens at least
//!    as many cells from the first click on, and the first click as many as before.
//! 3. After `MOVES_PER_CELL` moves for each cell without a solution a new layout is drawn, until
//!    `MOST_WORK` is done.
//!
//! The first opening of a draw never changes, so that first clicks open as much as on uniform
//! layouts, apart from the draws that are given up.
//!
//! Invariant: a layout has the exact number of mines, and [`Prover::play`] solves it at its level.
//! The same arguments give the same layout on every machine: nothing reads a clock.
//!
//! Cost: each move is a game of the prover. On expert boards (30x16 with 99 mines) 300 seeds took
//! 0.4 ms by the median and at most 0.2 s, whatever the level; where no board is possible, seconds.
//!
//! Source: the idea of moving mines where a solver is stuck is that of Simon Tatham's `mines.c`.

use std::fmt;

use rand_xoshiro::rand_core::Rng;

use super::board_file::Layout;
use super::board_gen::{below, draw, generator};
use super::field::{Field, FieldError};
use super::prover::{ProofLevel, Prover, Reached};
use super::rule::{Rule, Start};
use sapper::board::geometry::{Cell, CellMap, Shape};
use sapper::board::{Board, CellState};

/// The moves that are tried on a layout, for each of its cells.
const MOVES_PER_CELL: usize = 4;
/// The moves that are tried for a seed, times the cells of the board.
const MOST_WORK: usize = 8_000_000;

/// Why there is no board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoGuessError {
    /// The mines do not fit.
    Field(FieldError),
    /// None was found.
    NotFound,
}

impl fmt::Display for NoGuessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGuessError::Field(error) => error.fmt(f),
            NoGuessError::NotFound => {
                write!(f, "no board without guesses was found; choose fewer mines or another seed")
            }
        }
    }
}

impl std::error::Error for NoGuessError {}

/// Generates the layout of a seed that needs no guess after `first`, which shows 0.
///
/// # Errors
/// [`NoGuessError`] where the mines do not fit, or no layout was found.
pub fn generate(
    shape: Shape,
    mines: u32,
    first: Cell,
    level: ProofLevel,
    seed: i32,
) -> Result<Layout, NoGuessError> {
    let start = Start::new(Rule::OpenFirst, first);
    let mut random = generator(seed);
    let mut prover = Prover::new(level);
    let mut work = 0;
    while work < MOST_WORK {
        work += MOVES_PER_CELL * shape.len() * shape.len();
        let drawn = draw(shape, mines, start, &mut random).map_err(NoGuessError::Field)?;
        if let Some(mines) = mend(shape, drawn, first, &mut prover, &mut random) {
            return Ok(Layout { shape, first, mines });
        }
    }
    Err(NoGuessError::NotFound)
}

/// The mines of a field in any order.
fn field_of(shape: Shape, mines: &[usize]) -> Option<Field> {
    Field::from_mines(shape, mines.iter().copied()).ok()
}

/// Moves mines until the prover solves the layout; `None` where it does not.
fn mend(
    shape: Shape,
    mut mines: Vec<usize>,
    first: Cell,
    prover: &mut Prover,
    random: &mut impl Rng,
) -> Option<Vec<usize>> {
    let mut field = field_of(shape, &mines)?;
    let mut reached = prover.play(&field, first);
    let mut stuck = Stuck::new(&reached, prover.mines());
    for _ in 0..(MOVES_PER_CELL * shape.len()).min(MOST_WORK / shape.len()) {
        if reached.is_solved {
            return Some(mines);
        }
        let Some(moved) = stuck.moved(&field, &mines, random) else { continue };
        let moved_field = field_of(shape, &moved)?;
        let now = prover.play(&moved_field, first);
        let is_kept = now.board.hits() == 0
            && now.board.hidden_len() <= reached.board.hidden_len()
            && now.first_opening == reached.first_opening;
        if is_kept {
            stuck = Stuck::new(&now, prover.mines());
            (mines, field, reached) = (moved, moved_field, now);
        }
    }
    None
}

/// What is known of a cell where the prover is stuck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Open,
    /// Hidden, and proven to be a mine.
    Mine,
    /// Hidden beside a number, and not decided.
    Frontier,
    /// Hidden, with no number beside it.
    Unseen,
}

/// A board on which nothing more is proven.
struct Stuck {
    board: Board,
    known: CellMap<Known>,
    /// The open numbers beside an undecided cell, or where there are none, the proven mines beside
    /// one.
    places: Vec<Cell>,
}

impl Stuck {
    fn new(reached: &Reached, mines: &[Cell]) -> Stuck {
        let board = reached.board.clone();
        let shape = board.shape();
        let mut known = CellMap::new(shape.len(), Known::Open);
        for cell in board.hidden() {
            let is_seen = |&cell: &Cell| !board.is_hidden(cell);
            let is_frontier = shape.neighbours(cell).iter().any(is_seen);
            known[cell] = if is_frontier { Known::Frontier } else { Known::Unseen };
        }
        for &mine in mines {
            known[mine] = Known::Mine;
        }
        let beside = |place: Known, undecided: Known| -> Vec<Cell> {
            let is_place = |cell: &Cell| {
                known[*cell] == place
                    && shape.neighbours(*cell).iter().any(|&other| known[other] == undecided)
            };
            shape.cells().filter(is_place).collect()
        };
        let mut places = beside(Known::Open, Known::Frontier);
        if places.is_empty() {
            places = beside(Known::Mine, Known::Unseen);
        }
        Stuck { board, known, places }
    }

    /// A layout with some mines at other places; `None` where the move that was drawn is none.
    fn moved(&self, field: &Field, mines: &[usize], random: &mut impl Rng) -> Option<Vec<usize>> {
        if self.places.is_empty() {
            return None;
        }
        let place = self.places[below(random, self.places.len() as u64) as usize];
        let (from, fills) = match self.board.state(place) {
            CellState::Hidden => (vec![place], false),
            _ => {
                let fills = below(random, 2) == 0;
                let is_changed = |cell: &Cell| {
                    self.known[*cell] == Known::Frontier && field.is_mine(*cell) != fills
                };
                let around = field.shape().neighbours(place);
                let mut from: Vec<Cell> = around.into_iter().filter(is_changed).collect();
                if from.len() > 1 && below(random, 2) == 0 {
                    let one = from[below(random, from.len() as u64) as usize];
                    from = vec![one];
                }
                (from, fills)
            }
        };
        let to = self.partners(field, place, fills, from.len(), random)?;
        let (gone, added) = if fills { (&to, &from) } else { (&from, &to) };
        let gone: Vec<usize> = gone.iter().map(|cell| cell.index()).collect();
        let stay = mines.iter().copied().filter(|mine| !gone.contains(mine));
        Some(stay.chain(added.iter().map(|cell| cell.index())).collect())
    }

    /// `count` cells to exchange with cells around `place`: mines if those are filled, else safe
    /// cells. Unseen cells come first, then the frontier, then what is known.
    fn partners(
        &self,
        field: &Field,
        place: Cell,
        fills: bool,
        count: usize,
        random: &mut impl Rng,
    ) -> Option<Vec<Cell>> {
        if count == 0 {
            return None;
        }
        let shape = field.shape();
        let around = shape.neighbours(place);
        let mut found = Vec::new();
        for kind in [Known::Unseen, Known::Frontier, Known::Mine, Known::Open] {
            let is_partner = |cell: &Cell| {
                self.known[*cell] == kind
                    && field.is_mine(*cell) == fills
                    && *cell != place
                    && !around.contains(cell)
            };
            let mut cells: Vec<Cell> = shape.cells().filter(is_partner).collect();
            while found.len() < count && !cells.is_empty() {
                found.push(cells.swap_remove(below(random, cells.len() as u64) as usize));
            }
        }
        (found.len() == count).then_some(found)
    }
}
