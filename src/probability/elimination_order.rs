//! The order in which the blocks of a component are counted.
//!
//! A constraint is *open* while some of its blocks are counted and some are not. Counting keeps,
//! for each open constraint, the mines that it still requires. Its cost grows with the number of
//! different states, so few constraints should be open at a time. A component is mostly a line
//! along the edge of the opened area, and a good order follows this line.
//!
//! Each strategy starts at an end of the component and appends one block after another. The ends
//! are the block farthest from the first block, and the block farthest from that one. No strategy
//! is the best everywhere. If the estimate of the first is not small, the others are tried from
//! both ends, and the order with the least estimate is kept. Exact pathwidth was not tried: it
//! costs more than it saves on real fields.
//!
//! The estimate of an order is the sum, over its steps, of the product of the numbers of values
//! that each open constraint may require. It is an upper bound of the states.
//!
//! Invariant: every block is in exactly one step. The first step of a constraint opens it in a free
//! slot, and its last step closes it and frees the slot.
//!
//! Source: one of the strategies, `NearestToClose`, is the order of David Hill's solver.

use smallvec::SmallVec;

use crate::probability::component::Constraint;
use crate::settings::budget::{Budget, BudgetExhausted};

/// The effect of one step on one constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConstraintUpdate {
    /// The slot that holds the mines which the open constraint still requires.
    pub slot: u32,
    /// The mines of the constraint, if this step opens it.
    pub opens_with: Option<u32>,
    /// The cells of the constraint in later steps, which bound the mines that it may still require.
    pub cells_ahead: u32,
}

/// A step of the order: one block, and the constraints that contain it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elimination {
    /// The index of the block in its component.
    pub block: u32,
    /// One entry for each constraint.
    pub updates: SmallVec<[ConstraintUpdate; 8]>,
}

/// The choice of the next block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strategy {
    /// The block that leaves the fewest constraints open; on a tie the one reached first.
    FewestOpen,
    /// A block of the open constraint with the fewest blocks ahead (on a tie the one opened first),
    /// and of these the block that leaves the fewest constraints open.
    NearestToClose,
    /// The block reached first.
    BreadthFirst,
}

/// The estimate below which the first order is kept: other orders cost more than they save.
const SMALL_ESTIMATE: f64 = 2000.0;

/// The nodes of evaluating one candidate block.
const NODES_PER_CANDIDATE: u64 = 16;

/// The estimate from which an order is infeasible, however far it is above the true cost: about a
/// hundred constraints are open at once.
const INFEASIBLE_ESTIMATE: f64 = 1e40;

/// The steps of one component after another, in reused memory.
#[derive(Default)]
pub struct EliminationOrder {
    /// One step for each block.
    pub steps: Vec<Elimination>,
    /// The largest number of open constraints.
    pub slots: u32,
    /// The largest number of mines of a constraint, which a slot must be able to hold.
    pub max_mines: u32,
    /// An upper bound of the states over all steps.
    estimate: f64,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    /// The constraints of each block.
    constraints_of: Vec<SmallVec<[u32; 8]>>,
    progress: Vec<Progress>,
    reached: Vec<bool>,
    /// Whether a search has reached all blocks of a constraint.
    is_followed: Vec<bool>,
    /// The reached blocks that have no step.
    candidates: Vec<u32>,
    /// The steps of the order that is searched, and its slots.
    steps: Vec<Elimination>,
    slots: u32,
    free_slots: Vec<u32>,
}

/// The state of a constraint at one step.
#[derive(Clone, Copy)]
struct Progress {
    mines: u32,
    blocks_ahead: u32,
    cells_ahead: u32,
    cells_behind: u32,
    /// Zero until the constraint is opened, then its rank in the order of opening.
    rank: u32,
    slot: u32,
}

impl Progress {
    /// The number of values that the required mines may have.
    fn values(&self) -> f64 {
        let min = self.mines.saturating_sub(self.cells_behind);
        let max = self.mines.min(self.cells_ahead);
        f64::from(max.saturating_sub(min) + 1)
    }
}

impl EliminationOrder {
    /// Computes an order for blocks of these sizes, in cells, under these constraints.
    ///
    /// Cost: for each step, 16 nodes for each block next to the frontier; up to six times as many
    /// if the estimate is not small.
    ///
    /// # Errors
    /// [`BudgetExhausted`] if every order is infeasible, or the budget ends before one is found.
    /// The steps are then void.
    pub fn compute(
        &mut self,
        sizes: &[u32],
        constraints: &[Constraint],
        budget: &mut Budget,
    ) -> Result<(), BudgetExhausted> {
        let s = &mut self.scratch;
        s.constraints_of.clear();
        s.constraints_of.resize(sizes.len(), SmallVec::new());
        for (index, constraint) in constraints.iter().enumerate() {
            for &block in &constraint.blocks {
                s.constraints_of[block as usize].push(index as u32);
            }
        }
        let end = s.farthest_from(0, constraints);
        let other_end = s.farthest_from(end, constraints);
        self.estimate = INFEASIBLE_ESTIMATE;
        'attempts: for start in [other_end, end] {
            for strategy in [Strategy::FewestOpen, Strategy::NearestToClose, Strategy::BreadthFirst]
            {
                let result = s.search(strategy, start, sizes, constraints, self.estimate, budget);
                let Ok(estimate) = result else { break 'attempts };
                if estimate < self.estimate {
                    self.estimate = estimate;
                    self.slots = s.slots;
                    std::mem::swap(&mut self.steps, &mut s.steps);
                }
                if self.estimate < SMALL_ESTIMATE {
                    break 'attempts;
                }
            }
        }
        self.max_mines = constraints.iter().map(|constraint| constraint.mines).max().unwrap_or(0);
        if self.estimate < INFEASIBLE_ESTIMATE { Ok(()) } else { Err(BudgetExhausted) }
    }
}

impl Scratch {
    fn reset(&mut self, sizes: &[u32], constraints: &[Constraint]) {
        self.progress.clear();
        self.progress.extend(constraints.iter().map(|constraint| Progress {
            mines: constraint.mines,
            blocks_ahead: constraint.blocks.len() as u32,
            cells_ahead: constraint.blocks.iter().map(|&block| sizes[block as usize]).sum(),
            cells_behind: 0,
            rank: 0,
            slot: 0,
        }));
        self.reached.clear();
        self.reached.resize(sizes.len(), false);
    }

    /// Writes the steps of the order by one strategy, and returns the estimate. The order is
    /// incomplete if the estimate reaches `limit`.
    ///
    /// # Errors
    /// [`BudgetExhausted`] when the budget ends first.
    fn search(
        &mut self,
        strategy: Strategy,
        start: u32,
        sizes: &[u32],
        constraints: &[Constraint],
        limit: f64,
        budget: &mut Budget,
    ) -> Result<f64, BudgetExhausted> {
        self.reset(sizes, constraints);
        self.steps.clear();
        self.free_slots.clear();
        self.slots = 0;
        self.candidates.clear();
        self.candidates.push(start);
        self.reached[start as usize] = true;
        let (mut estimate, mut states, mut opened) = (0.0, 1.0, 0);
        while self.steps.len() < sizes.len() && estimate < limit {
            budget.spend(NODES_PER_CANDIDATE * self.candidates.len() as u64)?;
            let best = self.best_candidate(strategy);
            let block = self.candidates.remove(best);
            let (constraints_of, size) =
                (&self.constraints_of[block as usize], sizes[block as usize]);
            let mut updates = SmallVec::new();
            for &index in constraints_of {
                let progress = &mut self.progress[index as usize];
                let opens_with = (progress.rank == 0).then_some(progress.mines);
                if opens_with.is_some() {
                    opened += 1;
                    progress.rank = opened;
                    progress.slot = self.free_slots.pop().unwrap_or_else(|| {
                        self.slots += 1;
                        self.slots - 1
                    });
                    for &next in &constraints[index as usize].blocks {
                        if !std::mem::replace(&mut self.reached[next as usize], true) {
                            self.candidates.push(next);
                        }
                    }
                } else {
                    states /= progress.values();
                }
                progress.blocks_ahead -= 1;
                progress.cells_ahead -= size;
                progress.cells_behind += size;
                states *= progress.values();
                let Progress { slot, cells_ahead, .. } = *progress;
                updates.push(ConstraintUpdate { slot, opens_with, cells_ahead });
            }
            // Slots are freed after the whole step, so that no constraint that the step opens takes
            // the slot of one that it closes.
            let closed = constraints_of.iter().map(|&index| self.progress[index as usize]);
            let closed = closed.filter(|progress| progress.blocks_ahead == 0);
            self.free_slots.extend(closed.map(|progress| progress.slot));
            self.steps.push(Elimination { block, updates });
            estimate += states;
        }
        Ok(estimate)
    }

    /// The index in `candidates` of the best one by `strategy`.
    fn best_candidate(&self, strategy: Strategy) -> usize {
        if strategy == Strategy::BreadthFirst {
            return 0;
        }
        let goes_by_nearest = strategy == Strategy::NearestToClose;
        let key = |index: usize| self.candidate_key(self.candidates[index], goes_by_nearest);
        (0..self.candidates.len()).min_by_key(|&index| (key(index), index)).unwrap_or(0)
    }

    /// The key by which candidates are compared, the lowest first: if `goes_by_nearest`, the blocks
    /// ahead and the rank of the open constraint that is nearest to its end; then by how many
    /// constraints the number of open ones grows.
    #[inline]
    fn candidate_key(&self, block: u32, goes_by_nearest: bool) -> ((u32, u32), i32) {
        let (mut change, mut nearest) = (0, (u32::MAX, u32::MAX));
        for &index in &self.constraints_of[block as usize] {
            let progress = &self.progress[index as usize];
            change += i32::from(progress.rank == 0) - i32::from(progress.blocks_ahead == 1);
            if goes_by_nearest && progress.rank != 0 {
                nearest = nearest.min((progress.blocks_ahead, progress.rank));
            }
        }
        (nearest, change)
    }

    /// The last block that a breadth-first search from `start` reaches.
    fn farthest_from(&mut self, start: u32, constraints: &[Constraint]) -> u32 {
        self.is_followed.clear();
        self.is_followed.resize(constraints.len(), false);
        self.reached.clear();
        self.reached.resize(self.constraints_of.len(), false);
        let queue = &mut self.candidates;
        queue.clear();
        queue.push(start);
        self.reached[start as usize] = true;
        let mut next = 0;
        while let Some(&block) = queue.get(next) {
            next += 1;
            for &index in &self.constraints_of[block as usize] {
                if std::mem::replace(&mut self.is_followed[index as usize], true) {
                    continue;
                }
                for &other in &constraints[index as usize].blocks {
                    if !std::mem::replace(&mut self.reached[other as usize], true) {
                        queue.push(other);
                    }
                }
            }
        }
        queue[queue.len() - 1]
    }
}
