//! The ways in which some groups fit together, if these are few.
//!
//! The cells that are in exactly the same groups of a set form a block. A case states only the
//! number of mines in each block.
//!
//! Invariant: the cases are all the ways in which the groups and facts can be true together, over
//! the cells that the groups see and the facts do not decide.

use std::collections::BTreeMap;

use crate::groups::{GroupIndex, GroupSource, Groups};
use crate::rules::Fact;
use sapper::board::geometry::Cell;

/// The most cases that are worth naming.
const MAX_CASES: usize = 3;
/// The most blocks of a case that can still be read.
const MAX_BLOCKS: usize = 8;

/// Blocks of alike cells, each with its mines.
pub type Case = Vec<(Vec<Cell>, u32)>;

/// The cases of some groups, given some facts, both sorted. `None` if there are more than
/// [`MAX_CASES`], or if they are too long to read.
pub fn cases(groups: &Groups, set: &[GroupIndex], known: &[Fact]) -> Option<Vec<Case>> {
    let mut blocks: BTreeMap<Vec<usize>, Vec<Cell>> = BTreeMap::new();
    let mut left: Vec<i64> = Vec::new();
    let total = set.iter().position(|&id| groups.source(id) == GroupSource::Total);
    for (index, &id) in set.iter().enumerate() {
        let group = groups.group(id);
        left.push(i64::from(group.mines()));
        for &cell in group.cells() {
            if let Ok(fact) = known.binary_search_by_key(&cell, |fact| fact.cell) {
                left[index] -= i64::from(known[fact].is_mine);
                continue;
            }
            let beside = groups.beside(cell).iter().filter_map(|id| set.binary_search(id).ok());
            let seen_by: Vec<usize> = beside.chain(total).collect();
            if seen_by[0] == index {
                blocks.entry(seen_by).or_default().push(cell);
            }
        }
        if blocks.len() > MAX_BLOCKS {
            return None;
        }
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
    /// The mines that each group still needs, and the cells that it has for them.
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
        let least = seen_by.iter().map(|&index| self.left[index] - self.room[index]).max();
        let most = seen_by.iter().map(|&index| self.left[index]).min();
        let least = least.unwrap_or(0).max(0);
        let most = most.unwrap_or(0).min(cells.len() as i64);
        for mines in (least..=most).rev() {
            seen_by.iter().for_each(|&index| self.left[index] -= mines);
            self.counts.push(mines as u32);
            self.visit();
            self.counts.pop();
            seen_by.iter().for_each(|&index| self.left[index] += mines);
            if self.found.len() > MAX_CASES {
                break;
            }
        }
        seen_by.iter().for_each(|&index| self.room[index] += cells.len() as i64);
    }
}
