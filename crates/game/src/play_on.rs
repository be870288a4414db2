//! A game that an engine plays on from a position, up to an endgame that it solves.
//!
//! The cost of the rest of a solved endgame is known: it is the mean over all layouts, whichever of
//! them is played. So the game stops there, which takes less time and scatters less than to play it
//! out. Games from one position often meet the same positions, so guesses and costs are remembered.
//!
//! Invariant: what is remembered of a position follows from the position and the engine, so that no
//! result depends on the games before it.

use std::collections::HashMap;

use super::field::Field;
use super::rule::Rule;
use super::simulate::{GameInProgress, GuessObserver};
use sapper::board::Board;
use sapper::board::geometry::Cell;
use sapper::bot::engine::Engine;
use sapper::search::endgame::Solution;
use sapper::settings::budget::Turn;

/// The positions that are remembered, at most: some megabytes.
const MOST_POSITIONS: usize = 20_000;

/// What is remembered of a position in which no cell is proven safe.
#[derive(Clone, Copy)]
enum Known {
    /// The cost of its endgame, which is solved.
    Cost(f64),
    /// The cell that the engine guesses.
    Guess(Cell),
}

/// The positions that one engine met, and what it plays there.
#[derive(Default)]
pub struct KnownPositions {
    positions: HashMap<Box<[u8]>, Known>,
    key: Vec<u8>,
}

impl KnownPositions {
    /// What is known of `board`.
    fn of(&mut self, board: &Board) -> Option<Known> {
        let (shape, key) = (board.shape(), &mut self.key);
        key.clear();
        key.extend(shape.columns().to_le_bytes());
        key.extend(board.mines().to_le_bytes());
        key.extend(board.iter().map(|(_, shown)| shown.symbol() as u8));
        self.positions.get(&key[..]).copied()
    }

    /// Remembers the position that [`KnownPositions::of`] was last asked about.
    fn add(&mut self, known: Known) {
        if self.positions.len() >= MOST_POSITIONS {
            self.positions.clear();
        }
        self.positions.insert(self.key[..].into(), known);
    }
}

/// How a game went on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayedOn {
    /// The mines that were opened.
    pub hits: u32,
    /// The cost of the endgame that was solved: expected mines, or the probability to lose; 0 where
    /// the game was played to its end.
    pub rest: f64,
}

/// Opens the cells `first` on `board`, one after another as a chord does, and plays on to a solved
/// endgame, or else to the end. `field` has the hidden cells of the board. Every guess is told to
/// `observer`. Hidden neighbours of a zero are open from the beginning. `None` if the game is over
/// on `board`, or a cell is illegible.
pub fn play_from(
    board: &Board,
    field: Field,
    first: &[Cell],
    rule: Rule,
    (engine, known): (&mut Engine, &mut KnownPositions),
    observer: &mut dyn GuessObserver,
) -> Option<PlayedOn> {
    let mut game = GameInProgress::resume(board, field, rule)?;
    for &cell in first {
        if !game.over && game.board.is_hidden(cell) {
            game.open(cell, true, observer);
        }
    }
    let mut rest = 0.0;
    while !game.over {
        let position = match known.of(&game.board) {
            Some(position) => position,
            None => {
                let Some(decision) = engine.decide(&game.board, Turn::UNTIMED) else { break };
                if decision.by.is_proof() {
                    game.open(decision.cell(), false, observer);
                    for &cell in engine.safe() {
                        if !game.over && game.board.is_hidden(cell) {
                            game.open(cell, false, observer);
                        }
                    }
                    continue;
                }
                let solved = decision.solved.filter(|solution| solution.is_proven);
                let cost = |best: Solution| f64::from(best.cost) / f64::from(best.layouts);
                let guess = Known::Guess(decision.cell());
                let position = solved.map_or(guess, |best| Known::Cost(cost(best)));
                known.add(position);
                position
            }
        };
        match position {
            Known::Cost(cost) => {
                rest = cost;
                break;
            }
            Known::Guess(cell) => {
                game.open(cell, true, observer);
            }
        }
    }
    Some(PlayedOn { hits: game.referee.hits() - board.hits(), rest })
}
