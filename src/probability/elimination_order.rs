//! The order in which a component's blocks are counted, and what each step does to the frontier.
//!
//! Counting walks over the blocks and remembers, for every group that is *open* (some of its blocks
//! behind, some ahead), how many mines it still needs. Its cost grows with the number of different
//! memories, so the order should keep few groups open at a time: a component is mostly a line along
//! the edge of the opened area, and the order should follow that line.
//!
//! Each rule starts at an end of the component (a block farthest from a block farthest from the
//! first) and takes one block after another. No rule is best everywhere, so where the first one's
//! estimate is not small the others are tried, from both ends, and the cheapest order is kept. What
//! was not tried: exact pathwidth, which costs more than it saves on fields as they are played.
//!
//! The estimate of an order is the sum, over its steps, of the products of how many values each open
//! group may still miss: an upper bound of the states.
//!
//! Invariant of a [`EliminationOrder`]: every block is in exactly one step; a group's first step opens it in a
//! free slot, its last step closes it and frees the slot.

use smallvec::SmallVec;

use crate::base::budget::{Budget, BudgetExhausted};
use crate::probability::component::Constraint;

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

/// How the next block is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// The block that leaves the fewest groups open; the first met on a tie.
    FewestOpen,
    /// A block of the open group with the fewest blocks ahead (the one opened first on a tie), of
    /// these the one that leaves the fewest open. David Hill's order.
    NearestToClose,
    /// The first met: breadth first.
    FirstMet,
}

/// Below this many states the first order is good enough: planning would cost more than it saves.
const SMALL: f64 = 2000.0;

/// What looking at one candidate costs, in nodes of counting.
const CANDIDATE_NODES: u64 = 16;

/// Above this many states an order is hopeless, however far the estimate is above the truth: some
/// hundred groups are open at once. Planning stops there.
const HOPELESS: f64 = 1e40;

/// The steps of one component.
#[derive(Default)]
pub struct EliminationOrder {
    /// One step a block.
    pub steps: Vec<Step>,
    /// Slots in use at the widest place.
    pub slots: u32,
    /// The largest number a slot must hold.
    pub most_missing: u32,
    /// Upper bound of the states, over all steps.
    pub estimate: f64,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    groups_of: Vec<SmallVec<[u32; 8]>>,
    groups: Vec<Progress>,
    done: Vec<bool>,
    met: Vec<bool>,
    candidates: Vec<u32>,
    order: Vec<u32>,
    best: Vec<u32>,
    free: Vec<u32>,
}

/// How far a group has come.
#[derive(Clone, Copy)]
struct Progress {
    mines: u32,
    blocks_ahead: u32,
    cells_ahead: u32,
    cells_behind: u32,
    /// When it was opened, or its slot plus one; zero before.
    mark: u32,
}

impl Progress {
    /// How many different numbers of mines it may still miss.
    fn values(&self) -> f64 {
        let fewest = self.mines.saturating_sub(self.cells_behind);
        let most = self.mines.min(self.cells_ahead);
        f64::from(most.saturating_sub(fewest) + 1)
    }
}

impl EliminationOrder {
    /// Plans a component of blocks of these sizes under these constraints.
    ///
    /// Returns false where every order is hopeless, or the budget ended before one was found; there is no
    /// plan then.
    ///
    /// Cost: for each step, the groups of the blocks next to the frontier, 16 nodes a block; up
    /// to six times so for a component that is not small.
    pub fn make(&mut self, sizes: &[u32], constraints: &[Constraint], budget: &mut Budget) -> bool {
        let s = &mut self.scratch;
        s.groups_of.clear();
        s.groups_of.resize(sizes.len(), SmallVec::new());
        for (number, constraint) in constraints.iter().enumerate() {
            for &block in &constraint.blocks {
                s.groups_of[block as usize].push(number as u32);
            }
        }
        let end = s.farthest_from(0, constraints);
        let other_end = s.farthest_from(end, constraints);
        self.estimate = HOPELESS;
        let tries = [
            (Rule::FewestOpen, other_end),
            (Rule::NearestToClose, other_end),
            (Rule::FirstMet, other_end),
            (Rule::FewestOpen, end),
            (Rule::NearestToClose, end),
            (Rule::FirstMet, end),
        ];
        for (rule, start) in tries {
            let walked = s.walk(rule, start, (sizes, constraints), self.estimate, budget);
            let Ok(estimate) = walked else { break };
            if estimate < self.estimate {
                self.estimate = estimate;
                std::mem::swap(&mut s.order, &mut s.best);
            }
            if self.estimate < SMALL {
                break;
            }
        }
        if self.estimate < HOPELESS {
            self.lay_out(sizes, constraints);
        }
        self.estimate < HOPELESS
    }

    /// Turns the best order into steps with slots.
    fn lay_out(&mut self, sizes: &[u32], constraints: &[Constraint]) {
        let s = &mut self.scratch;
        s.reset(sizes, constraints);
        s.free.clear();
        self.steps.clear();
        self.slots = 0;
        self.most_missing = constraints.iter().map(|group| group.mines).max().unwrap_or(0);
        for &block in &s.best {
            let mut touches = SmallVec::new();
            for &number in &s.groups_of[block as usize] {
                let group = &mut s.groups[number as usize];
                let opens_with = (group.mark == 0).then_some(group.mines);
                if opens_with.is_some() {
                    group.mark = s.free.pop().unwrap_or_else(|| {
                        self.slots += 1;
                        self.slots
                    });
                }
                group.blocks_ahead -= 1;
                group.cells_ahead -= sizes[block as usize];
                let (slot, cells_ahead) = (group.mark - 1, group.cells_ahead);
                touches.push(Touch { slot, opens_with, cells_ahead });
            }
            // Slots are freed after the whole step, so that no group takes one that closes in it.
            for &number in &s.groups_of[block as usize] {
                let group = &s.groups[number as usize];
                if group.blocks_ahead == 0 {
                    s.free.push(group.mark);
                }
            }
            self.steps.push(Step { block, touches });
        }
    }
}

impl Scratch {
    fn reset(&mut self, sizes: &[u32], constraints: &[Constraint]) {
        self.groups.clear();
        self.groups.extend(constraints.iter().map(|group| Progress {
            mines: group.mines,
            blocks_ahead: group.blocks.len() as u32,
            cells_ahead: group.blocks.iter().map(|&block| sizes[block as usize]).sum(),
            cells_behind: 0,
            mark: 0,
        }));
        for flags in [&mut self.done, &mut self.met] {
            flags.clear();
            flags.resize(sizes.len(), false);
        }
    }

    /// Orders the blocks into `order` and returns the estimate; stops early where it passes
    /// `limit`.
    ///
    /// # Errors
    /// [`BudgetExhausted`] when the budget ends first.
    fn walk(
        &mut self,
        rule: Rule,
        start: u32,
        (sizes, constraints): (&[u32], &[Constraint]),
        limit: f64,
        budget: &mut Budget,
    ) -> Result<f64, BudgetExhausted> {
        self.reset(sizes, constraints);
        self.order.clear();
        self.candidates.clear();
        self.candidates.push(start);
        self.met[start as usize] = true;
        let (mut estimate, mut states, mut opened) = (0.0, 1.0, 0);
        while self.order.len() < sizes.len() && estimate < limit {
            budget.spend(CANDIDATE_NODES * self.candidates.len() as u64)?;
            let place = self.best_candidate(rule);
            let block = self.candidates.remove(place) as usize;
            self.order.push(block as u32);
            self.done[block] = true;
            for &number in &self.groups_of[block] {
                let group = &mut self.groups[number as usize];
                if group.mark == 0 {
                    opened += 1;
                    group.mark = opened;
                    for &next in &constraints[number as usize].blocks {
                        if !std::mem::replace(&mut self.met[next as usize], true) {
                            self.candidates.push(next);
                        }
                    }
                } else {
                    states /= group.values();
                }
                group.blocks_ahead -= 1;
                group.cells_ahead -= sizes[block];
                group.cells_behind += sizes[block];
                states *= group.values();
            }
            estimate += states;
        }
        Ok(estimate)
    }

    /// The place of the best candidate under `rule`.
    fn best_candidate(&self, rule: Rule) -> usize {
        if rule == Rule::FirstMet {
            return 0;
        }
        let key = |block: u32| {
            let (mut change, mut nearest) = (0, (u32::MAX, u32::MAX));
            for &number in &self.groups_of[block as usize] {
                let group = &self.groups[number as usize];
                change += i32::from(group.mark == 0) - i32::from(group.blocks_ahead == 1);
                if group.mark != 0 {
                    nearest = nearest.min((group.blocks_ahead, group.mark));
                }
            }
            if rule == Rule::FewestOpen { ((0, 0), change) } else { (nearest, change) }
        };
        let places = 0..self.candidates.len();
        places.min_by_key(|&place| (key(self.candidates[place]), place)).unwrap_or(0)
    }

    /// The last block that a breadth-first walk from `start` meets.
    fn farthest_from(&mut self, start: u32, constraints: &[Constraint]) -> u32 {
        self.met.clear();
        self.met.resize(self.groups_of.len(), false);
        self.order.clear();
        self.order.push(start);
        self.met[start as usize] = true;
        let mut next = 0;
        while let Some(&block) = self.order.get(next) {
            next += 1;
            for &number in &self.groups_of[block as usize] {
                for &other in &constraints[number as usize].blocks {
                    if !std::mem::replace(&mut self.met[other as usize], true) {
                        self.order.push(other);
                    }
                }
            }
        }
        self.order[self.order.len() - 1]
    }
}
