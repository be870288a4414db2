//! The steps that lead to a verdict: the part of the record of a deduction that it depends on.

use std::collections::BTreeMap;

use crate::board::geometry::Cell;
use crate::deduction::deduced::Deduced;
use crate::deduction::origin::{Derived, GroupId, Origin, SplitPart};

/// The groups from which the verdicts on `cells` follow, each after those that it was derived from.
/// Cells without a verdict are ignored.
pub fn proof_steps(
    deduced: Deduced,
    cells: impl IntoIterator<Item = Cell>,
) -> BTreeMap<GroupId, Derived> {
    let decided_by = |cell| deduced.verdict(cell).map(|verdict| verdict.decided_by);
    let mut open: Vec<GroupId> = cells.into_iter().filter_map(decided_by).collect();
    let mut steps = BTreeMap::new();
    while let Some(id) = open.pop() {
        if steps.contains_key(&id) {
            continue;
        }
        let Derived { group, origin } = deduced.derived(id);
        steps.insert(id, deduced.derived(id).clone());
        open.extend(origin.groups());
        // These two also use the verdicts before them.
        let decided: Vec<Cell> = match origin {
            Origin::Reduced { from } => deduced.derived(*from).group.difference(group).to_vec(),
            Origin::Total { .. } => [deduced.safe(), deduced.mines()].concat(),
            _ => continue,
        };
        open.extend(decided.into_iter().filter_map(decided_by).filter(|decided| *decided < id));
    }
    steps
}

/// The name of the conclusion, as tables and JSON show it.
pub fn rule_name(origin: &Origin) -> &'static str {
    match origin {
        Origin::Number(_) => "number",
        Origin::Reduced { .. } => "reduced",
        Origin::Difference { .. } => "difference",
        Origin::Split { part: SplitPart::Shared, .. } => "shared",
        Origin::Split { part: SplitPart::RestOfMore, .. } => "full rest",
        Origin::Split { part: SplitPart::RestOfFewer, .. } => "empty rest",
        Origin::Total { .. } => "total",
    }
}
