//! The order in which a component's blocks are counted, and what each step does to the frontier.
//!
//! Counting walks over the blocks and remembers, for every group that is *open* (some of its blocks
//! behind, some ahead), how many mines it still needs. Its cost grows with the number of different
//! memories, so the order should keep few groups open at a time: a component is mostly a line along
//! the edge of the opened area, and the order should follow that line.
//!
//! The rule: start at an end of the component (a block farthest from a block farthest from the
//! first), then always take the block next to the open groups that leaves the fewest open, and of
//! those the one whose group has been open longest. What was not tried: exact pathwidth, which costs more than it
//! saves on fields as they are played.
//!
//! Invariant of a [`Plan`]: every block is in exactly one step; a group's first step opens it in a
//! free slot, its last step closes it and frees the slot.

use smallvec::SmallVec;

use crate::component::Constraint;

/// What one step does to one group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// Where the group's missing mines are kept while it is open.
    pub slot: u32,
    /// The mines of the group, at the step that opens it.
    pub opens_with: Option<u32>,
    /// Cells of the group in later steps: it may miss at most as many mines after this one.
    pub cells_ahead: u32,
}

/// One block and the groups it is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The block, counted from the component's first.
    pub block: u32,
    /// One entry a group.
    pub touches: SmallVec<[Touch; 8]>,
}

/// The steps of one component.
#[derive(Default)]
pub struct Plan {
    /// One step a block.
    pub steps: Vec<Step>,
    /// Slots in use at the widest place.
    pub slots: u32,
    /// The largest number a slot must hold.
    pub most_missing: u32,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    groups_of: Vec<SmallVec<[u32; 8]>>,
    /// For each group: blocks ahead, cells ahead, and its slot plus one while it is open.
    ahead: Vec<(u32, u32, u32)>,
    done: Vec<bool>,
    candidates: Vec<u32>,
    free: Vec<u32>,
}

impl Plan {
    /// Plans a component of blocks of these sizes under these constraints.
    ///
    /// Cost: for each step, the groups of the blocks next to the frontier.
    pub fn make(&mut self, sizes: &[u32], constraints: &[Constraint]) {
        self.steps.clear();
        self.slots = 0;
        self.most_missing = 0;
        let s = &mut self.scratch;
        s.groups_of.clear();
        s.groups_of.resize(sizes.len(), SmallVec::new());
        s.ahead.clear();
        for (number, constraint) in constraints.iter().enumerate() {
            let cells = constraint.blocks.iter().map(|&block| sizes[block as usize]).sum();
            s.ahead.push((constraint.blocks.len() as u32, cells, 0));
            self.most_missing = self.most_missing.max(constraint.mines);
            for &block in &constraint.blocks {
                s.groups_of[block as usize].push(number as u32);
            }
        }
        s.done.clear();
        s.done.resize(sizes.len(), false);
        s.candidates.clear();
        s.free.clear();
        let first = s.farthest_from(s.farthest_from(0, constraints), constraints);
        s.candidates.push(first);
        while self.steps.len() < sizes.len() {
            let block = self.scratch.take_best();
            self.push_step(block, sizes, constraints);
        }
    }

    fn push_step(&mut self, block: u32, sizes: &[u32], constraints: &[Constraint]) {
        let s = &mut self.scratch;
        s.done[block as usize] = true;
        let mut touches = SmallVec::new();
        for index in 0..s.groups_of[block as usize].len() {
            let number = s.groups_of[block as usize][index] as usize;
            let constraint = &constraints[number];
            let (mut blocks, mut cells, mut slot) = s.ahead[number];
            let mut opens_with = None;
            if slot == 0 {
                opens_with = Some(constraint.mines);
                slot = s.free.pop().unwrap_or_else(|| {
                    self.slots += 1;
                    self.slots
                });
                for &next in &constraint.blocks {
                    if !s.done[next as usize] && !s.candidates.contains(&next) {
                        s.candidates.push(next);
                    }
                }
            }
            blocks -= 1;
            cells -= sizes[block as usize];
            touches.push(Touch { slot: slot - 1, opens_with, cells_ahead: cells });
            s.ahead[number] = (blocks, cells, slot);
        }
        // Slots are freed after the whole step, so that no group takes one that closes in it.
        for &number in &s.groups_of[block as usize] {
            let (blocks, _, slot) = s.ahead[number as usize];
            if blocks == 0 {
                s.free.push(slot);
            }
        }
        self.steps.push(Step { block, touches });
    }
}

impl Scratch {
    /// Takes the candidate that leaves the fewest groups open; the earliest candidate on a tie.
    fn take_best(&mut self) -> u32 {
        let mut best = (i32::MAX, 0);
        for (place, &block) in self.candidates.iter().enumerate() {
            let mut change = 0;
            for &number in &self.groups_of[block as usize] {
                let (blocks, _, slot) = self.ahead[number as usize];
                change += i32::from(slot == 0) - i32::from(blocks == 1);
            }
            if change < best.0 {
                best = (change, place);
            }
        }
        self.candidates.remove(best.1)
    }

    /// The last block that a breadth-first walk from `start` meets.
    fn farthest_from(&self, start: u32, constraints: &[Constraint]) -> u32 {
        let mut met = vec![false; self.groups_of.len()];
        let mut queue = vec![start];
        met[start as usize] = true;
        let mut next = 0;
        while let Some(&block) = queue.get(next) {
            next += 1;
            for &number in &self.groups_of[block as usize] {
                for &other in &constraints[number as usize].blocks {
                    if !std::mem::replace(&mut met[other as usize], true) {
                        queue.push(other);
                    }
                }
            }
        }
        queue.last().copied().unwrap_or(start)
    }
}
