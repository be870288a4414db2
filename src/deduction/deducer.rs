//! Group deduction to a fixed point: what follows from the groups of a position without counting
//! layouts.
//!
//! Every number is a group, `n` mines among these hidden cells, and so is the total of mines. The
//! four rules of the module `rules` are applied, the cheapest first, until none applies: trivial
//! groups are decided, then each group is compared with those that share cells with it, and then
//! the total is used.
//!
//! Invariant: the verdicts and the live groups together have the same layouts as the position
//! (module `group_store`), also where a budget ends the run early.
//!
//! The rules are not complete. Conclusions that need three groups at once are left to counting
//! ([`crate::probability::solver`]), and so are, rarely, conclusions from two numbers of which one
//! was rewritten before they were compared. The rules run before counting because they decide many
//! turns at a fraction of its cost, leave smaller groups to count, and yield proofs that can be
//! explained to a person.
//!
//! Cost: close to linear in the number of groups on boards from play.
//!
//! Source: the rules decide and subset are those of Simon Tatham's `mines.c`; the split in three is
//! known among the players of Botzone.

use crate::base::budget::Budget;
use crate::board::geometry::Cell;
use crate::board::group::{Contradiction, Group, Position, Premise};
use crate::deduction::group_store::{Effect, GroupStore, Pair};
use crate::deduction::proof::{GroupId, Proof, Verdict};
use crate::deduction::rules;

/// The cost in nodes of trying a rule on a group (results page, R7).
pub const NODES_PER_RULE: u64 = 100;

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Stop once a safe cell is known and no trivial group is left.
    FirstSafe,
    /// Apply every rule until none applies.
    FixedPoint,
}

/// Applies the rules to one position after another, reusing its memory.
///
/// The accessors return the results of the last run. After a run that ended in an error, they must
/// not be used.
#[derive(Default)]
pub struct Deducer {
    groups: GroupStore,
}

impl Deducer {
    /// Creates a deducer without results.
    pub fn new() -> Deducer {
        Deducer::default()
    }

    /// Applies the rules to `position`.
    ///
    /// Cost: close to linear in the number of groups on boards from play. Memory is allocated only
    /// while the buffers grow, and for groups derived from the total.
    ///
    /// # Errors
    /// [`Contradiction`] if a rule shows that no layout fits.
    pub fn run(&mut self, position: &Position, reach: Reach) -> Result<(), Contradiction> {
        self.run_within(position, reach, &mut Budget::unlimited())
    }

    /// Applies the rules to `position` within a budget, which pays [`NODES_PER_RULE`] for each
    /// group that a rule is tried on.
    ///
    /// If the budget is exhausted, the verdicts are valid and the remaining groups can be counted;
    /// they are only larger than at the fixed point.
    ///
    /// # Errors
    /// [`Contradiction`] if a rule shows that no layout fits.
    pub fn run_within(
        &mut self,
        position: &Position,
        reach: Reach,
        budget: &mut Budget,
    ) -> Result<(), Contradiction> {
        let groups = &mut self.groups;
        groups.reset(position);
        loop {
            while let Some(id) = groups.next_trivial() {
                if groups.is_live(id) {
                    rules::on_trivial_group(groups, id)?;
                }
                if budget.spend(NODES_PER_RULE).is_err() {
                    break;
                }
            }
            if reach == Reach::FirstSafe && !groups.safe().is_empty() {
                break;
            }
            if budget.spend(NODES_PER_RULE).is_err() {
                break;
            }
            if let Some(id) = groups.next_pending() {
                compare(groups, id)?;
            } else if rules::on_position(groups, position)? == Effect::Unchanged {
                break;
            }
        }
        groups.sort_decided();
        Ok(())
    }

    /// Returns the cells proven safe, sorted.
    pub fn safe(&self) -> &[Cell] {
        self.groups.safe()
    }

    /// Returns the cells proven to be mines, sorted.
    pub fn mines(&self) -> &[Cell] {
        self.groups.mines()
    }

    /// Returns the verdict on a hidden cell, if there is one.
    pub fn verdict(&self, cell: Cell) -> Option<Verdict> {
        self.groups.verdicts()[cell]
    }

    /// Returns the groups that are left to count. They contain no decided cell.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.live_groups()
    }

    /// Writes the undecided cells and the groups that are left to `undecided`, as a position of its
    /// own. Its layouts, completed by the verdicts, are those of `position`.
    pub fn undecided_into(&self, position: &Position, undecided: &mut Position) {
        undecided.universe = position.universe;
        undecided.mines = self.mines_left();
        undecided.outside = position.outside;
        undecided.hidden.clear();
        let cells = position.hidden.iter().filter(|&&cell| self.verdict(cell).is_none());
        undecided.hidden.extend(cells);
        undecided.premises.clear();
        let premise = |group: &Group| Premise { source: group.cells()[0], group: group.clone() };
        undecided.premises.extend(self.groups().map(premise));
    }

    /// Returns the mines among the undecided cells: an estimate if the position has no total.
    pub fn mines_left(&self) -> u32 {
        self.groups.mines_left().max(0) as u32
    }

    /// Returns the steps that prove the verdict on `cell`, or `None` if it has no verdict.
    pub fn proof(&self, cell: Cell) -> Option<Proof> {
        let last = self.verdict(cell)?.decided_by;
        Some(Proof::of(last, self.groups.derived(), self.groups.verdicts()))
    }
}

/// Tries the rules for pairs on a group and each group that shares cells with it, until the group
/// is retired.
fn compare(groups: &mut GroupStore, id: GroupId) -> Result<(), Contradiction> {
    if !groups.is_live(id) {
        return Ok(());
    }
    for &(other, shared) in &groups.overlaps(id) {
        if !groups.is_live(id) {
            break;
        }
        if other != id {
            rules::on_pair(groups, Pair { a: id, b: other, shared: shared as usize })?;
        }
    }
    Ok(())
}
