//! Group deduction to a fixed point: what follows from the groups of a position without counting
//! layouts.
//!
//! Every number is a group, `n` mines among these hidden cells, and so is the total of mines. The
//! rules are applied, the cheapest first, until none applies: trivial groups are decided, then each
//! group is compared with those that share cells with it, and then the total is used.
//!
//! Invariant: the verdicts and the live groups together have the same layouts as the position
//! (module `store`), even if a budget ends the run early.
//!
//! The rules are not complete. Most conclusions that need three groups at once are left to counting
//! ([`crate::probability::solver`]), and so are, rarely, conclusions from two numbers if one of
//! them is replaced before they are compared. The rules run before counting because they decide
//! many turns at a fraction of its cost and leave smaller groups to count.
//!
//! Cost: close to linear in the number of groups on boards from play.
//!
//! Source: the rules decide and subset are those of Simon Tatham's `mines.c`; the split in three is
//! known among the players of Botzone.

use crate::board::contradiction::Contradiction;
use crate::board::group::{Position, Shown};
use crate::deduction::groups::deduced::Deduced;
use crate::deduction::groups::rules::{decide, on_pair};
use crate::deduction::groups::store::{Effect, GroupId, GroupStore, Pair};
use crate::deduction::groups::total;
use crate::settings::budget::Budget;

/// The cost in nodes of trying a rule on a group (results page, R7).
const NODES_PER_RULE: u64 = 100;

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Stop once a safe cell is known and no trivial group is left.
    FirstSafe,
    /// Apply every rule until none applies.
    FixedPoint,
}

/// Applies the rules to one position after another, reusing its memory.
#[derive(Default)]
pub struct Deducer {
    groups: GroupStore,
}

impl Deducer {
    /// Applies the rules to `position`.
    ///
    /// Cost: close to linear in the number of groups on boards from play. Memory is allocated only
    /// while the buffers grow, and for groups derived from the total.
    ///
    /// # Errors
    /// [`Contradiction`] if a rule shows that no layout fits.
    pub fn run<'a>(
        &'a mut self,
        position: &'a Position,
        reach: Reach,
    ) -> Result<Deduced<'a>, Contradiction> {
        self.run_within(position, reach, &mut Budget::unlimited())
    }

    /// Applies the rules to `position` within a budget, which pays for each group that a rule is
    /// tried on.
    ///
    /// If the budget is exhausted, the verdicts are valid and the remaining groups can be counted;
    /// they are only larger than at the fixed point.
    ///
    /// # Errors
    /// [`Contradiction`] if a rule shows that no layout fits.
    pub fn run_within<'a>(
        &'a mut self,
        position: &'a Position,
        reach: Reach,
        budget: &mut Budget,
    ) -> Result<Deduced<'a>, Contradiction> {
        self.groups.reset(position);
        self.apply_rules(position, reach, budget)
    }

    /// Sets the position that [`Deducer::run_with`] changes: what a run has left, to whose groups
    /// no rule applies, and without known mines.
    pub fn set_base<'a>(&'a mut self, position: &'a Position) -> Deduced<'a> {
        debug_assert!(position.known_mines.is_empty());
        self.groups.reset(position);
        self.groups.set_base();
        Deduced { position, groups: &self.groups }
    }

    /// Applies the rules to the base, `position`, with what one cell shows, until a safe cell is
    /// known: as [`Deducer::run_within`] applies them to the position with that cell, and charged
    /// alike. Only groups that the cell has changed are compared.
    ///
    /// # Errors
    /// [`Contradiction`] if a group is left with an impossible count, or a rule shows that no
    /// layout fits.
    pub fn run_with<'a>(
        &'a mut self,
        position: &'a Position,
        shown: Shown,
        budget: &mut Budget,
    ) -> Result<Deduced<'a>, Contradiction> {
        self.groups.restart(shown)?;
        self.apply_rules(position, Reach::FirstSafe, budget)
    }

    fn apply_rules<'a>(
        &'a mut self,
        position: &'a Position,
        reach: Reach,
        budget: &mut Budget,
    ) -> Result<Deduced<'a>, Contradiction> {
        let groups = &mut self.groups;
        loop {
            while let Some(id) = groups.trivial.pop() {
                if groups.is_live(id) {
                    decide(groups, id)?;
                }
                if budget.spend(NODES_PER_RULE).is_err() {
                    break;
                }
            }
            if reach == Reach::FirstSafe && !groups.safe.is_empty() {
                break;
            }
            if budget.spend(NODES_PER_RULE).is_err() {
                break;
            }
            if let Some(id) = groups.pending.pop() {
                compare(groups, id)?;
            } else if total::apply(groups, position)? == Effect::Unchanged {
                break;
            }
        }
        groups.safe.sort_unstable();
        groups.mines.sort_unstable();
        Ok(Deduced { position, groups })
    }
}

/// Tries the rules for pairs on a group and each group that shares cells with it, until the group
/// is retired. To groups of which none has changed since the base, no rule applies.
fn compare(groups: &mut GroupStore, id: GroupId) -> Result<(), Contradiction> {
    if !groups.is_live(id) || groups.is_unchanged(id) {
        return Ok(());
    }
    for &(other, shared) in &groups.overlaps(id) {
        if !groups.is_live(id) {
            break;
        }
        if other != id {
            on_pair(groups, Pair { a: id, b: other, shared: shared as usize })?;
        }
    }
    Ok(())
}
