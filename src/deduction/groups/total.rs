//! The rule of the mine total: the undecided cells outside some disjoint groups, with the mines
//! that these groups leave, are a group like any other.
//!
//! First the total alone is tried: with no mines left, all undecided cells are safe; with as many
//! mines left as undecided cells, all are mines. Then disjoint groups are subtracted from the
//! total, and decide, subset and overlap are tried on the remainder. Only one choice of disjoint
//! groups is tried, the first fit in the order of derivation: counting uses the total anyway, so
//! the rule must be sound, but need not be complete.
//!
//! The remainder is a live group only while a rule applies to it. The groups taken out stay live
//! and, with the total, imply it.
//!
//! Cost: a pass over all groups and, where the remainder could matter, over all hidden cells.

use crate::board::contradiction::Contradiction;
use crate::board::geometry::Cell;
use crate::board::group::{Group, GroupCells, MAX_NEIGHBOURS, Position};
use crate::deduction::groups::rules::{does_overlap_apply, on_pair};
use crate::deduction::groups::store::{Effect, GroupId, GroupStore, Pair};

/// The undecided cells outside some disjoint groups, which are those of
/// [`GroupStore::is_taken_out`].
struct Remainder {
    cells_len: i64,
    mines: i64,
}

/// Applies the rule to the position; never applies if its total is unknown.
///
/// # Errors
/// [`Contradiction`] if the number of remaining mines is negative or exceeds the remaining cells.
pub(super) fn apply(groups: &mut GroupStore, position: &Position) -> Result<Effect, Contradiction> {
    if !groups.has_total {
        return Ok(Effect::Unchanged);
    }
    let mut remainder =
        Remainder { cells_len: groups.undecided_len as i64, mines: groups.mines_left };
    groups.is_taken_out.clear();
    groups.is_taken_out.resize(groups.len(), false);
    if !remainder.is_trivial() {
        remainder.take_out_groups(groups);
    }
    if remainder.mines < 0 || remainder.mines > remainder.cells_len {
        return Err(Contradiction::Group { cells: Vec::new(), mines: remainder.mines });
    }
    if remainder.is_trivial() {
        return remainder.add_to(groups, position);
    }
    remainder.compare(groups, position)
}

impl Remainder {
    /// Whether the remainder decides its cells.
    fn is_trivial(&self) -> bool {
        self.mines == 0 || self.mines == self.cells_len
    }

    /// Takes live groups out, each if it shares no cell with those before it.
    fn take_out_groups(&mut self, groups: &mut GroupStore) {
        let mut is_taken_out = std::mem::take(&mut groups.is_taken_out);
        for (id, group) in groups.live_groups() {
            let is_free = |&cell: &Cell| is_outside(groups, &is_taken_out, cell);
            if group.cells().iter().all(is_free) {
                self.cells_len -= group.cells().len() as i64;
                self.mines -= i64::from(group.mines());
                is_taken_out[id as usize] = true;
            }
        }
        groups.is_taken_out = is_taken_out;
    }

    /// Returns the cells of the remainder.
    fn cells(groups: &GroupStore, position: &Position) -> GroupCells {
        let is_undecided = |cell: &Cell| groups.verdicts[*cell].is_none();
        let is_outside = |cell: &Cell| is_outside(groups, &groups.is_taken_out, *cell);
        position.hidden.iter().copied().filter(is_undecided).filter(is_outside).collect()
    }

    /// Adds the remainder as a live group.
    fn add_to(self, groups: &mut GroupStore, position: &Position) -> Result<Effect, Contradiction> {
        let cells = Remainder::cells(groups, position);
        let Some(group) = Group::new(cells, self.mines)? else { return Ok(Effect::Unchanged) };
        groups.add(group);
        Ok(Effect::Changed)
    }

    /// Applies subset or overlap to the remainder and the first group to which one of them applies.
    fn compare(
        self,
        groups: &mut GroupStore,
        position: &Position,
    ) -> Result<Effect, Contradiction> {
        // No live group is contained in the remainder, because it would have been taken out.
        // Therefore a rule applies only if the remainder is contained in a group, or if it overlaps
        // one and has no more mines, or no more safe cells, than a group has cells.
        let most = MAX_NEIGHBOURS as i64;
        if self.mines > most && self.cells_len - self.mines > most {
            return Ok(Effect::Unchanged);
        }
        let cells = Remainder::cells(groups, position);
        let Some(group) = Group::new(cells, self.mines)? else { return Ok(Effect::Unchanged) };
        let overlaps = groups.overlaps_of_cells(group.cells());
        let is_applicable = |&(id, shared): &(GroupId, u32)| {
            shared as usize == group.cells().len()
                || does_overlap_apply(&group, groups.group(id), shared as usize)
        };
        let Some((b, shared)) = overlaps.iter().copied().find(is_applicable) else {
            return Ok(Effect::Unchanged);
        };
        let a = groups.add(group);
        let pair = Pair { a, b, shared: shared as usize };
        on_pair(groups, pair)?;
        if groups.is_live(a) {
            groups.retire(a);
        }
        Ok(Effect::Changed)
    }
}

/// Whether an undecided cell is in none of these groups.
fn is_outside(groups: &GroupStore, is_taken_out: &[bool], cell: Cell) -> bool {
    groups.groups_of[cell].iter().all(|id| !is_taken_out[id.index()])
}
