//! Decide: the cells of a trivial group are all safe or all mines.
//!
//! The decided cells are removed from every other group that contains them, and their mines from
//! its count.
//!
//! Cost: the size of the group times the number of groups that share cells with it.

use crate::board::group::{Contradiction, GroupCells};
use crate::deduction::group_store::{GroupId, GroupStore};

/// Applies the rule to a live trivial group.
///
/// # Errors
/// [`Contradiction`] if another group is left with an impossible count, or the total is exceeded.
pub(in crate::deduction) fn apply(
    groups: &mut GroupStore,
    id: GroupId,
) -> Result<(), Contradiction> {
    let is_mine = groups.group(id).is_full();
    groups.decide(id)?;
    for &(other, shared) in &groups.overlaps(id) {
        let from = groups.group(other);
        let undecided =
            from.cells().iter().copied().filter(|&cell| groups.verdicts[cell].is_none());
        let cells: GroupCells = undecided.collect();
        let mines = i64::from(from.mines()) - if is_mine { i64::from(shared) } else { 0 };
        groups.retire(other);
        groups.derive(cells, mines)?;
    }
    Ok(())
}
