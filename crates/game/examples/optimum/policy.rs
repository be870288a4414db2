//! The exact cost of the engine's play, summed over all layouts of a field.
//!
//! The engine is deterministic: it gives the same answer to the same board. Its games therefore
//! form a tree of positions, each with the layouts that lead to it. Every position is decided once;
//! nothing is sampled.

use rayon::prelude::*;
use sapper::bot::engine::Engine;
use sapper::settings::budget::Turn;
use sapper::settings::params::{Objective, SearchLimits};

use super::tiny_field::{MINE, PackedBoard, TinyField, TinyPosition};

/// The moves after each of which the positions are divided among threads.
const PARALLEL_MOVES: usize = 2;

/// How the engine plays on a field.
#[derive(Clone, Copy)]
pub struct Policy<'f> {
    pub field: &'f TinyField,
    pub objective: Objective,
    pub limits: SearchLimits,
}

impl Policy<'_> {
    /// The cost of play from `start` on, summed over its layouts: mines opened, or layouts lost.
    pub fn cost(self, start: &TinyPosition) -> u64 {
        self.cost_after(0, &mut self.engine(), start)
    }

    fn engine(self) -> Engine {
        Engine::within(self.objective, self.limits)
    }

    /// The cost of play from a position on that is reached after `moves` moves.
    fn cost_after(self, moves: usize, engine: &mut Engine, position: &TinyPosition) -> u64 {
        let (cost, positions) = self.step(engine, position);
        let rest: u64 = if moves < PARALLEL_MOVES {
            let cost_after =
                |engine: &mut Engine, position| self.cost_after(moves + 1, engine, position);
            positions.par_iter().map_init(|| self.engine(), cost_after).sum()
        } else {
            positions.iter().map(|position| self.cost_after(moves + 1, engine, position)).sum()
        };
        cost + rest
    }

    /// Plays the engine's next move under every layout. Returns its cost, summed over the layouts,
    /// and the positions after it in which the game continues.
    fn step(self, engine: &mut Engine, position: &TinyPosition) -> (u64, Vec<TinyPosition>) {
        let board = self.field.board(position.board);
        // Botzone's judge asks for a first answer even if every cell is a mine. Under the other
        // rules a cell is open from the start.
        let has_safe_left = board.hidden_len() > (board.mines() - board.hits()) as usize;
        let continues = has_safe_left || position.board == PackedBoard::UNTOUCHED;
        let decision = continues.then(|| engine.decide(&board, Turn::UNTIMED)).flatten();
        let Some(decision) = decision else { return (0, Vec::new()) };
        let mut cells = vec![decision.cell().index()];
        cells.extend(engine.safe().iter().map(|cell| cell.index()));
        let mut positions = self.field.open(position, &cells);
        let hits_before = board.hits() as usize;
        let new_hits = |board: PackedBoard| self.field.count(board, MINE) - hits_before;
        let mut cost = 0;
        for TinyPosition { board, layouts } in &positions {
            cost += (new_hits(*board) * layouts.len()) as u64;
        }
        if self.objective == Objective::CleanWin {
            positions.retain(|position| new_hits(position.board) == 0);
        }
        (cost, positions)
    }
}
