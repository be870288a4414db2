//! Total: the mines left, without the cells of some disjoint groups, form a group like any other.
//!
//! First the total alone is tried: with no mines left, all undecided cells are safe; with as many
//! mines left as undecided cells, all are mines. Then disjoint groups are taken out of the total,
//! and decide, subset and overlap are tried on the remainder. Only one choice of disjoint groups is
//! tried, the first fit in the order of derivation: counting uses the total anyway, so that the
//! rule has to be sound but not complete.
//!
//! The remainder is a live group only while a rule applies to it. The groups taken out stay live
//! and, with the total, imply it.
//!
//! Cost: a pass over all groups and, where the remainder could matter, over all hidden cells.

use crate::board::group::{Contradiction, Group, GroupCells, MAX_NEIGHBOURS, Position};
use crate::deduction::group_store::{Effect, GroupId, GroupStore, Pair};
use crate::deduction::rules::{on_pair, overlap};

/// The undecided cells outside some disjoint groups, which are marked.
struct Remainder {
    cells_len: i64,
    mines: i64,
}

/// Applies the rule to the position; never applies if its total is unknown.
///
/// # Errors
/// [`Contradiction`] if the remaining cells cannot hold the remaining mines.
pub(in crate::deduction) fn apply(
    groups: &mut GroupStore,
    position: &Position,
) -> Result<Effect, Contradiction> {
    if !groups.has_total {
        return Ok(Effect::Unchanged);
    }
    let (cells_len, mines) = (groups.undecided_len as i64, groups.mines_left);
    if cells_len == 0 {
        return if mines == 0 {
            Ok(Effect::Unchanged)
        } else {
            Err(Contradiction { cells: Vec::new(), mines: Some(mines) })
        };
    }
    groups.clear_marks();
    let total = Remainder { cells_len, mines };
    if total.is_trivial() {
        return total.add_to(groups, position);
    }
    let remainder = take_out_groups(groups, total);
    let Remainder { cells_len, mines, .. } = remainder;
    if mines < 0 || mines > cells_len {
        return Err(Contradiction { cells: Vec::new(), mines: Some(mines) });
    }
    if cells_len == 0 {
        return Ok(Effect::Unchanged);
    }
    if remainder.is_trivial() {
        return remainder.add_to(groups, position);
    }
    remainder.compare(groups, position)
}

/// Takes live groups out of the total, each if it shares no cell with those before it.
fn take_out_groups(groups: &mut GroupStore, total: Remainder) -> Remainder {
    let mut remainder = total;
    for id in groups.ids() {
        let group = groups.group(id);
        if groups.is_live(id) && !group.cells().iter().any(|&cell| groups.is_marked(cell)) {
            remainder.cells_len -= group.cells().len() as i64;
            remainder.mines -= i64::from(group.mines());
            groups.mark(id);
        }
    }
    remainder
}

impl Remainder {
    /// Whether the remainder decides its cells.
    fn is_trivial(&self) -> bool {
        self.mines == 0 || self.mines == self.cells_len
    }

    /// Returns the cells of the remainder.
    fn cells(groups: &GroupStore, position: &Position) -> GroupCells {
        let hidden = position.hidden.iter().copied();
        hidden.filter(|&cell| !groups.is_decided(cell) && !groups.is_marked(cell)).collect()
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
                || overlap::is_applicable(&group, groups.group(id), shared as usize)
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
