//! Optimal play at its plainest: every cell tried in every position.
//!
//! A position is the set of layouts that are left. A cell that all of them show alike tells
//! nothing: it is free to open, or a mine that nobody opens. Of the others, one that is safe in all
//! of them costs nothing and cannot do harm, since whoever knows more can play as if he knew less.
//! Where there is none, each is tried: the layouts that have a mine there pay one, and what it
//! shows leaves a smaller set.
//!
//! What is constant in a set says which set it is, so it is the memory's key: no hash is trusted.
//! There are no bounds but one: a cell is left out where the mines under it, and what is paid
//! already for some of what it shows, reach what another cell costs in all.

use std::collections::HashMap;

use sapper::base::objective::Objective;

use super::tiny::{Layout, MINE, Picture, Tiny};

/// What an open cell may show: a number or a mine.
const VALUES: usize = MINE as usize + 1;

/// The optimum of one field.
pub struct Plain<'t> {
    tiny: &'t Tiny,
    objective: Objective,
    known: HashMap<Picture, u64>,
}

impl Plain<'_> {
    /// For one objective.
    pub fn new(tiny: &Tiny, objective: Objective) -> Plain<'_> {
        Plain { tiny, objective, known: HashMap::new() }
    }

    /// The mines opened, or the layouts lost, by optimal play when these layouts are left, summed
    /// over them.
    pub fn cost(&mut self, layouts: &[Layout]) -> u64 {
        if layouts.len() < 2 {
            return 0;
        }
        let (constant, telling) = self.look(layouts);
        if let Some(&cost) = self.known.get(&constant) {
            return cost;
        }
        let free = telling.iter().find(|(mined, _)| *mined == 0);
        let cost = if let Some(&(_, cell)) = free {
            self.cost_of(cell, layouts, u64::MAX)
        } else {
            let mut best = u64::MAX;
            for &(_, cell) in &telling {
                best = best.min(self.cost_of(cell, layouts, best));
            }
            best
        };
        self.known.insert(constant, cost);
        cost
    }

    /// What all layouts agree on, and the cells on which they do not, with the layouts that have a
    /// mine there, the fewest first.
    fn look(&self, layouts: &[Layout]) -> (Picture, Vec<(u64, usize)>) {
        let (mut constant, mut telling) = (Picture::UNTOUCHED, Vec::new());
        for cell in 0..self.tiny.cells() {
            let mut counts = [0_u64; VALUES];
            for &layout in layouts {
                counts[self.tiny.value(cell, layout) as usize] += 1;
            }
            match counts.iter().position(|&count| count == layouts.len() as u64) {
                Some(value) => constant = constant.with(cell, value as u8),
                None => telling.push((counts[MINE as usize], cell)),
            }
        }
        telling.sort_unstable();
        (constant, telling)
    }

    /// What it costs to open `cell` and go on; something from `limit` up where that is reached.
    fn cost_of(&mut self, cell: usize, layouts: &[Layout], limit: u64) -> u64 {
        let mut parts: [Vec<Layout>; VALUES] = Default::default();
        for &layout in layouts {
            parts[self.tiny.value(cell, layout) as usize].push(layout);
        }
        let mut cost = parts[MINE as usize].len() as u64;
        if self.objective == Objective::CleanWin {
            parts[MINE as usize].clear();
        }
        for part in &parts {
            if cost >= limit {
                break;
            }
            cost += self.cost(part);
        }
        cost
    }
}
