//! The slow twin of a solved endgame: best play by the plainest recursion, over every layout.

use std::collections::HashMap;

use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::settings::params::Objective;

/// What a mine shows.
pub const MINE: u8 = 9;

/// What each hidden cell shows in each layout that fits; without the total, in layouts of any
/// number of mines.
pub fn all_shown(board: &Board, with_total: bool) -> Vec<Vec<u8>> {
    let position = board.position();
    let hidden = &position.hidden;
    let mined = |layout: u32, cell: Cell| match hidden.binary_search(&cell) {
        Ok(index) => layout >> index & 1 == 1,
        Err(_) => board.state(cell) == CellState::Hit,
    };
    let fits = |layout: &u32| {
        (!with_total || layout.count_ones() == position.mines)
            && position.premises.iter().all(|premise| {
                let mines = premise.group.cells().iter().filter(|cell| mined(*layout, **cell));
                mines.count() as u32 == premise.group.mines()
            })
    };
    let shown = |layout: u32| {
        let shows = |cell: &Cell| {
            let around = board.shape().neighbours(*cell);
            let mines = around.iter().filter(|other| mined(layout, **other)).count() as u8;
            if mined(layout, *cell) { MINE } else { mines }
        };
        hidden.iter().map(shows).collect()
    };
    (0..1_u32 << hidden.len()).filter(fits).map(shown).collect()
}

/// Best play by the plainest recursion: any hidden cell may be opened.
pub struct Plain<'a> {
    /// What each hidden cell shows in each layout.
    shown: &'a [Vec<u8>],
    objective: Objective,
    known: HashMap<(u32, Vec<usize>), u32>,
}

impl<'a> Plain<'a> {
    /// Of the layouts of [`all_shown`], of which there is at least one.
    pub fn new(shown: &'a [Vec<u8>], objective: Objective) -> Plain<'a> {
        Plain { shown, objective, known: HashMap::new() }
    }

    /// What best play costs, summed over all layouts: mines opened, or games lost.
    pub fn best(&mut self) -> u32 {
        self.cost(0, &self.all())
    }

    /// What opening the hidden cell of this index costs, with best play after it.
    pub fn best_after(&mut self, cell: usize) -> u32 {
        self.cost_of(cell, 0, &self.all())
    }

    fn all(&self) -> Vec<usize> {
        (0..self.shown.len()).collect()
    }

    fn cost(&mut self, open: u32, layouts: &[usize]) -> u32 {
        let cells = self.shown[0].len();
        let closed: Vec<usize> = (0..cells).filter(|cell| open >> cell & 1 == 0).collect();
        let is_over = |&layout: &usize| closed.iter().all(|&cell| self.shown[layout][cell] == MINE);
        if layouts.iter().all(is_over) {
            return 0;
        }
        let key = (open, layouts.to_vec());
        if let Some(&cost) = self.known.get(&key) {
            return cost;
        }
        let cost = closed.iter().map(|&cell| self.cost_of(cell, open, layouts)).min().unwrap();
        self.known.insert(key, cost);
        cost
    }

    fn cost_of(&mut self, cell: usize, open: u32, layouts: &[usize]) -> u32 {
        let mut cost = 0;
        for value in 0..=MINE {
            let shows = |layout: &&usize| self.shown[**layout][cell] == value;
            let part: Vec<usize> = layouts.iter().filter(shows).copied().collect();
            if value == MINE {
                cost += part.len() as u32;
                if self.objective == Objective::CleanWin {
                    continue;
                }
            }
            if !part.is_empty() {
                cost += self.cost(open | 1 << cell, &part);
            }
        }
        cost
    }
}
