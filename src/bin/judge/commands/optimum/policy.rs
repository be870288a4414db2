//! The exact cost of the engine's play, summed over all layouts of a field.
//!
//! The engine is deterministic: it gives the same answer to the same board. Its games therefore
//! form a tree of positions, each with the layouts that lead to it. Every position is decided once;
//! nothing is sampled.

use rayon::prelude::*;
use sapper::base::budget::Turn;
use sapper::base::objective::Objective;
use sapper::base::params::SearchLimits;
use sapper::bot::engine::Engine;

use super::tiny_field::{MINE, PackedBoard, TinyField, TinyPosition};

/// The moves that are played one after another before the positions are divided among threads.
const SEQUENTIAL_MOVES: usize = 2;

/// How the engine plays.
#[derive(Clone, Copy)]
pub struct Policy {
    pub objective: Objective,
    pub limits: SearchLimits,
}

impl Policy {
    /// The cost of play from `start` on, summed over its layouts: mines opened, or layouts lost.
    /// `on_finished` is called with the number of layouts whose games have ended.
    pub fn cost(
        self,
        field: &TinyField,
        start: &TinyPosition,
        on_finished: &(impl Fn(u64) + Sync),
    ) -> u64 {
        let new_walk = || TreeWalk { field, engine: self.engine(), policy: self, on_finished };
        let (mut walk, mut cost) = (new_walk(), 0);
        let mut positions = vec![start.clone()];
        for _ in 0..SEQUENTIAL_MOVES {
            let mut next = Vec::new();
            for position in &positions {
                let step = walk.step(position);
                cost += step.cost;
                next.extend(step.positions);
            }
            positions = next;
        }
        let costs = positions.par_iter().map_init(new_walk, TreeWalk::cost);
        cost + costs.sum::<u64>()
    }

    fn engine(self) -> Engine {
        Engine::within(self.objective, self.limits)
    }
}

struct TreeWalk<'t, F> {
    field: &'t TinyField,
    policy: Policy,
    engine: Engine,
    on_finished: &'t F,
}

/// The result of one move.
struct Step {
    /// The cost of the move, summed over the layouts.
    cost: u64,
    /// The positions after it in which the game continues.
    positions: Vec<TinyPosition>,
}

impl<F: Fn(u64)> TreeWalk<'_, F> {
    /// The cost of play from `position` on, summed over its layouts.
    fn cost(&mut self, position: &TinyPosition) -> u64 {
        let Step { cost, positions } = self.step(position);
        cost + positions.iter().map(|position| self.cost(position)).sum::<u64>()
    }

    /// Plays the engine's next move under every layout.
    fn step(&mut self, position: &TinyPosition) -> Step {
        let board = self.field.board(position.board);
        let turn = Turn::UNTIMED;
        // Botzone's judge asks for a first answer even if every cell is a mine. Under the other
        // rules a cell is open from the start.
        let continues = board.has_safe_left() || position.board == PackedBoard::UNTOUCHED;
        let Some(decision) = continues.then(|| self.engine.decide(&board, turn)).flatten() else {
            (self.on_finished)(position.layouts.len() as u64);
            return Step { cost: 0, positions: Vec::new() };
        };
        let mut cells = vec![decision.cell().index()];
        cells.extend(self.engine.safe().iter().map(|cell| cell.index()));
        let mut positions = self.field.open(position, &cells);
        let hits_before = board.hits() as usize;
        let new_hits = |board: PackedBoard| self.field.count(board, MINE) - hits_before;
        let mut cost = 0;
        for TinyPosition { board, layouts } in &positions {
            cost += (new_hits(*board) * layouts.len()) as u64;
        }
        if self.policy.objective == Objective::CleanWin {
            positions.retain(|TinyPosition { board, layouts }| {
                let is_lost = new_hits(*board) > 0;
                if is_lost {
                    (self.on_finished)(layouts.len() as u64);
                }
                !is_lost
            });
        }
        Step { cost, positions }
    }
}
