//! The cases that some clues leave, where they are few.
//!
//! Cells that the same clues of a set see are alike, so that a case says only how many mines each
//! such block has.
//!
//! Invariant: the cases are all the ways in which the clues and facts can be true together, over
//! the cells that the clues see and the facts do not decide.

use std::collections::BTreeMap;

use crate::analysis::clues::{Clue, ClueId, Clues};
use crate::analysis::rules::Fact;
use crate::board::geometry::Cell;

/// The most cases that are worth naming.
pub const MAX_CASES: usize = 3;
/// The most blocks of a case that can still be read.
const MAX_BLOCKS: usize = 8;

/// Blocks of alike cells, each with its mines.
pub type Case = Vec<(Vec<Cell>, u32)>;

/// The cases of some clues, given some facts; `None` where there are more than [`MAX_CASES`], or
/// where they are too long to read.
pub fn cases(clues: &Clues, set: &[ClueId], known: &[Fact]) -> Option<Vec<Case>> {
    let mut blocks: BTreeMap<Vec<usize>, Vec<Cell>> = BTreeMap::new();
    let mut left: Vec<i64> = Vec::new();
    for (index, &id) in set.iter().enumerate() {
        let group = clues.group(id);
        left.push(i64::from(group.mines()));
        for &cell in group.cells() {
            if let Some(fact) = known.iter().find(|fact| fact.cell == cell) {
                left[index] -= i64::from(fact.is_mine);
                continue;
            }
            let sees =
                |id: ClueId| clues.clue(id) == Clue::Total || clues.beside(cell).contains(&id);
            let seen_by: Vec<usize> = (0..set.len()).filter(|&index| sees(set[index])).collect();
            if seen_by[0] == index {
                blocks.entry(seen_by).or_default().push(cell);
            }
        }
    }
    if blocks.len() > MAX_BLOCKS {
        return None;
    }
    let blocks: Vec<(Vec<usize>, Vec<Cell>)> = blocks.into_iter().collect();
    let mut room = vec![0; set.len()];
    for (seen_by, cells) in &blocks {
        seen_by.iter().for_each(|&index| room[index] += cells.len() as i64);
    }
    let mut search = Search { blocks: &blocks, left, room, counts: Vec::new(), found: Vec::new() };
    search.visit();
    let found = search.found;
    let case = |counts: &Vec<u32>| -> Case {
        blocks.iter().zip(counts).map(|((_, cells), &mines)| (cells.clone(), mines)).collect()
    };
    (found.len() <= MAX_CASES).then(|| found.iter().map(case).collect())
}

struct Search<'b> {
    blocks: &'b [(Vec<usize>, Vec<Cell>)],
    /// The mines that each clue still needs, and the cells that it has for them.
    left: Vec<i64>,
    room: Vec<i64>,
    counts: Vec<u32>,
    found: Vec<Vec<u32>>,
}

impl Search<'_> {
    /// Tries all numbers of mines in the blocks that have none yet.
    fn visit(&mut self) {
        if self.found.len() > MAX_CASES {
            return;
        }
        let blocks = self.blocks;
        let Some((seen_by, cells)) = blocks.get(self.counts.len()) else {
            self.found.push(self.counts.clone());
            return;
        };
        seen_by.iter().for_each(|&index| self.room[index] -= cells.len() as i64);
        for mines in (0..=cells.len() as u32).rev() {
            seen_by.iter().for_each(|&index| self.left[index] -= i64::from(mines));
            let fits = |index: &usize| (0..=self.room[*index]).contains(&self.left[*index]);
            if seen_by.iter().all(fits) {
                self.counts.push(mines);
                self.visit();
                self.counts.pop();
            }
            seen_by.iter().for_each(|&index| self.left[index] += i64::from(mines));
        }
        seen_by.iter().for_each(|&index| self.room[index] += cells.len() as i64);
    }
}
