//! The rules of group deduction for one group and for two groups.
//!
//! - *Decide*: the cells of a trivial group are all safe or all mines.
//! - *Subset*: a group that contains another is replaced by the difference.
//! - *Overlap*: two groups whose counts force their shared cells are split in three.
//!
//! The module [`groups`](crate::deduction::groups) states what every rule promises.

use crate::board::contradiction::Contradiction;
use crate::board::group::{Group, GroupCells};
use crate::deduction::groups::store::{Effect, GroupId, GroupStore, Pair};

/// Decides the cells of a live trivial group. They are removed from every other group that contains
/// them, and their mines from its count.
///
/// Cost: the size of the group times the number of groups that share cells with it.
///
/// # Errors
/// [`Contradiction`] if another group is left with an impossible count, or the total is exceeded.
pub(super) fn decide(groups: &mut GroupStore, id: GroupId) -> Result<(), Contradiction> {
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

/// Tries the rules for two live groups that share cells.
pub(super) fn on_pair(groups: &mut GroupStore, pair: Pair) -> Result<(), Contradiction> {
    if subset(groups, pair)? == Effect::Unchanged {
        overlap(groups, pair)?;
    }
    Ok(())
}

/// Replaces the larger of two live groups by the difference, if it contains the other: if all cells
/// of B are in A, the other cells of A contain `A.mines - B.mines` mines. If the groups are equal,
/// the second is dropped.
///
/// Cost: two passes over the larger group.
///
/// # Errors
/// [`Contradiction`] if the difference would have an impossible count, or equal cells have
/// different counts.
#[inline]
fn subset(groups: &mut GroupStore, pair: Pair) -> Result<Effect, Contradiction> {
    let Pair { a, b, shared } = pair;
    let (a_group, b_group) = (groups.group(a), groups.group(b));
    match (shared == a_group.cells().len(), shared == b_group.cells().len()) {
        (true, true) => {
            if a_group.mines() != b_group.mines() {
                return Err(Contradiction::Numbers { cells: a_group.cells().to_vec() });
            }
            groups.retire(b);
        }
        (false, true) => subtract(groups, a, b)?,
        (true, false) => subtract(groups, b, a)?,
        (false, false) => return Ok(Effect::Unchanged),
    }
    Ok(Effect::Changed)
}

fn subtract(
    groups: &mut GroupStore,
    superset: GroupId,
    subset: GroupId,
) -> Result<(), Contradiction> {
    let (a, b) = (groups.group(superset), groups.group(subset));
    let cells = a.difference(b);
    let mines = i64::from(a.mines()) - i64::from(b.mines());
    groups.retire(superset);
    groups.derive(cells, mines)
}

/// Splits two live groups in three, if their counts force the shared cells. Neither contains the
/// other, because [`subset`] is tried first.
///
/// Let `more` be the group with more mines and `fewer` the other one. Each cell that is only in
/// `more` contains at most one mine, so the shared cells contain at least `more.mines - |more
/// without fewer|`. If that equals `fewer.mines`, the shared cells contain exactly as many, the
/// cells only in `more` are all mines, and the cells only in `fewer` are all safe.
///
/// With `|fewer without more|` instead, the rule would be wrong: from {1,2,3} with two mines and
/// {3,4} with one, it would make cell 3 a mine.
///
/// Cost: a comparison of two numbers unless the rule applies, then three passes over the groups.
///
/// # Errors
/// [`Contradiction`] if a part would have an impossible count.
#[inline]
fn overlap(groups: &mut GroupStore, pair: Pair) -> Result<(), Contradiction> {
    let (a, b) = (groups.group(pair.a), groups.group(pair.b));
    if !does_overlap_apply(a, b, pair.shared) {
        return Ok(());
    }
    let (more, fewer) = if a.mines() >= b.mines() { (pair.a, pair.b) } else { (pair.b, pair.a) };
    split(groups, more, fewer)
}

/// Whether [`overlap`] applies to two groups that share `shared` cells.
pub(super) fn does_overlap_apply(a: &Group, b: &Group, shared: usize) -> bool {
    let (more, fewer) = if a.mines() >= b.mines() { (a, b) } else { (b, a) };
    let only_more = more.cells().len() - shared;
    more.mines() as usize == fewer.mines() as usize + only_more
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
