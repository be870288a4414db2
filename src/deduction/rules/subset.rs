//! Subset: a group that contains another is replaced by the difference.
//!
//! If all cells of B are in A, the other cells of A hold `A.mines - B.mines` mines. Of two equal
//! groups, one is dropped.
//!
//! Cost: two passes over the larger group.

use crate::board::group::Contradiction;
use crate::deduction::group_store::{Effect, GroupId, GroupStore, Pair};

/// Applies the rule to two live groups.
///
/// # Errors
/// [`Contradiction`] if the difference would have an impossible count, or equal cells have
/// different counts.
#[inline]
pub(super) fn apply(groups: &mut GroupStore, pair: Pair) -> Result<Effect, Contradiction> {
    let Pair { a, b, shared } = pair;
    let (a_group, b_group) = (groups.group(a), groups.group(b));
    match (shared == a_group.cells().len(), shared == b_group.cells().len()) {
        (true, true) => {
            if a_group.mines() != b_group.mines() {
                return Err(Contradiction { cells: a_group.cells().to_vec(), mines: None });
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
