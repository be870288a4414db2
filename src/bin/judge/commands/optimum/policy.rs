//! What the engine's play costs over all layouts of a field, exactly.
//!
//! The engine answers a board alike whenever it is asked, so its games are a tree: every board that
//! it can meet, with the layouts that lead there. Each board is asked about once; nothing is drawn
//! at random.

use rayon::prelude::*;
use sapper::base::budget::{Deadlines, NoClock, Turn};
use sapper::base::objective::Objective;
use sapper::base::params::SearchLimits;
use sapper::bot::engine::Engine;

use super::tiny::{Layout, MINE, Picture, Tiny};

/// How the engine plays.
#[derive(Clone, Copy)]
pub struct Player {
    pub objective: Objective,
    pub limits: SearchLimits,
}

impl Player {
    /// The mines opened, or the layouts lost, from `picture` on, summed over its layouts. `done` is
    /// called with the number of layouts whose games have ended.
    pub fn cost(
        self,
        tiny: &Tiny,
        (picture, layouts): (Picture, &[Layout]),
        done: &(impl Fn(u64) + Sync),
    ) -> u64 {
        let mut walk = Walk { tiny, player: self, engine: self.engine(), cost: 0, done };
        // The first two moves one after another; what follows them is work for all threads.
        let mut waiting = vec![(picture, layouts.to_vec())];
        for _ in 0..2 {
            let step = |(picture, layouts): (Picture, Vec<Layout>)| walk.step(picture, &layouts);
            waiting = waiting.into_iter().flat_map(step).collect();
        }
        let fresh = || Walk { tiny, player: self, engine: self.engine(), cost: 0, done };
        let rest = waiting.par_iter().map_init(fresh, |walk, (picture, layouts)| {
            walk.play_on(*picture, layouts);
            std::mem::take(&mut walk.cost)
        });
        let rest: u64 = rest.sum();
        walk.cost + rest
    }

    fn engine(self) -> Engine {
        Engine::within(self.objective, self.limits)
    }
}

struct Walk<'t, D> {
    tiny: &'t Tiny,
    player: Player,
    engine: Engine,
    cost: u64,
    done: &'t D,
}

impl<D: Fn(u64)> Walk<'_, D> {
    fn play_on(&mut self, picture: Picture, layouts: &[Layout]) {
        for (picture, layouts) in self.step(picture, layouts) {
            self.play_on(picture, &layouts);
        }
    }

    /// The boards after the engine's next move, without those on which the game is over; every mine
    /// is counted.
    fn step(&mut self, picture: Picture, layouts: &[Layout]) -> Vec<(Picture, Vec<Layout>)> {
        let board = self.tiny.board(picture);
        let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };
        // By Botzone's rules there is a first answer even where every cell is a mine; under the
        // others a cell is open.
        let go_on = board.has_safe_left() || picture == Picture::UNTOUCHED;
        let Some(decision) = go_on.then(|| self.engine.decide(&board, turn)).flatten() else {
            (self.done)(layouts.len() as u64);
            return Vec::new();
        };
        let mut cells = vec![decision.cell().index()];
        cells.extend(self.engine.safe().iter().map(|cell| cell.index()));
        let mut after = self.tiny.open(picture, &cells, layouts);
        let hits = board.hits() as usize;
        let is_hit = |picture: &Picture| self.tiny.count(*picture, MINE) > hits;
        for (picture, layouts) in &after {
            self.cost += ((self.tiny.count(*picture, MINE) - hits) * layouts.len()) as u64;
        }
        if self.player.objective == Objective::CleanWin {
            after.retain(|picture, layouts| {
                let lost = is_hit(picture);
                if lost {
                    (self.done)(layouts.len() as u64);
                }
                !lost
            });
        }
        after.into_iter().collect()
    }
}
