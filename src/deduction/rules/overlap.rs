//! Overlap: two groups whose counts force their shared cells are split in three.
//!
//! Let `more` be the group with more mines and `fewer` the other one. Each cell that is only in
//! `more` holds at most one mine, so that the shared cells hold at least `more.mines - |more
//! without fewer|`. If that equals `fewer.mines`, the shared cells hold exactly as many, the cells
//! only in `more` are all mines, and the cells only in `fewer` are all safe.
//!
//! With `|fewer without more|` instead, the rule would be wrong: from {1,2,3} with two mines and
//! {3,4} with one, it would make cell 3 a mine.
//!
//! Cost: a comparison of two numbers unless the rule applies, then three passes over the groups.

use crate::board::group::{Contradiction, Group};
use crate::deduction::group_store::{GroupId, GroupStore, Pair};

/// Whether the rule applies to two groups that share `shared` cells.
pub(super) fn is_applicable(a: &Group, b: &Group, shared: usize) -> bool {
    let (more, fewer) = if a.mines() >= b.mines() { (a, b) } else { (b, a) };
    let only_more = more.cells().len() - shared;
    more.mines() as usize == fewer.mines() as usize + only_more
}

/// Applies the rule to two live groups. Neither contains the other, because `subset` is tried
/// first.
///
/// # Errors
/// [`Contradiction`] if a part would have an impossible count.
#[inline]
pub(super) fn apply(groups: &mut GroupStore, pair: Pair) -> Result<(), Contradiction> {
    let (a, b) = (groups.group(pair.a), groups.group(pair.b));
    if !is_applicable(a, b, pair.shared) {
        return Ok(());
    }
    let (more, fewer) = if a.mines() >= b.mines() { (pair.a, pair.b) } else { (pair.b, pair.a) };
    split(groups, more, fewer)
}

fn split(groups: &mut GroupStore, more: GroupId, fewer: GroupId) -> Result<(), Contradiction> {
    let (more_group, fewer_group) = (groups.group(more), groups.group(fewer));
    let only_more = more_group.difference(fewer_group);
    let mines_only_more = only_more.len() as i64;
    let parts = [
        (more_group.intersection(fewer_group), i64::from(fewer_group.mines())),
        (only_more, mines_only_more),
        (fewer_group.difference(more_group), 0),
    ];
    groups.retire(more);
    groups.retire(fewer);
    for (cells, mines) in parts {
        groups.derive(cells, mines)?;
    }
    Ok(())
}
