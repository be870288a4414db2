//! Why a fact must be true: suppose the contrary, and follow one group after another until one
//! cannot be fulfilled.
//!
//! Each group is looked at by itself, over and over: it is complete, or needs all its cells, or has
//! too many mines or too few cells. What the contradiction does not need is left out. Not every
//! false supposition can be refuted in this way.
//!
//! Invariant: a step follows from its group, the supposition, what was known, and the steps before.

use std::collections::BTreeMap;

use crate::groups::{GroupIndex, Groups};
use crate::rules::Fact;
use sapper::board::geometry::Cell;

/// The way from a false supposition to a contradiction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// What is supposed.
    pub supposed: Fact,
    /// The groups that are followed, each with what it forces: mines, or safe cells.
    pub steps: Vec<(GroupIndex, Vec<Fact>)>,
    /// The group that cannot be fulfilled.
    pub end: GroupIndex,
    /// Whether it has too many mines; otherwise it has too few cells for them.
    pub has_too_many: bool,
}

/// Refutes `supposed` by some groups and facts.
pub fn refutation(
    groups: &Groups,
    set: &[GroupIndex],
    known: &[Fact],
    supposed: Fact,
) -> Option<Refutation> {
    // What is known of each cell, and the index of the step that told it; `None` if it was given.
    let mut told: BTreeMap<Cell, (bool, Option<usize>)> = BTreeMap::new();
    told.extend(known.iter().chain([&supposed]).map(|fact| (fact.cell, (fact.is_mine, None))));
    let mut steps: Vec<(GroupIndex, Vec<Fact>)> = Vec::new();
    loop {
        let before = steps.len();
        for &id in set {
            let group = groups.group(id);
            let unknown = group.cells().iter().copied().filter(|cell| !told.contains_key(cell));
            let unknown: Vec<Cell> = unknown.collect();
            let is_mine = |cell: &&Cell| told.get(*cell).is_some_and(|(is_mine, _)| *is_mine);
            let mines = group.cells().iter().filter(is_mine).count();
            let left = group.mines() as i64 - mines as i64;
            if left < 0 || left > unknown.len() as i64 {
                let steps = needed(groups, &told, steps, id, left < 0);
                return Some(Refutation { supposed, steps, end: id, has_too_many: left < 0 });
            }
            if unknown.is_empty() || (left > 0 && left < unknown.len() as i64) {
                continue;
            }
            let forced = |&cell: &Cell| Fact { cell, is_mine: left > 0 };
            let facts: Vec<Fact> = unknown.iter().map(forced).collect();
            told.extend(facts.iter().map(|fact| (fact.cell, (fact.is_mine, Some(steps.len())))));
            steps.push((id, facts));
        }
        if steps.len() == before {
            return None;
        }
    }
}

/// The steps that lead to a group with too many mines, or too few cells.
fn needed(
    groups: &Groups,
    told: &BTreeMap<Cell, (bool, Option<usize>)>,
    steps: Vec<(GroupIndex, Vec<Fact>)>,
    end: GroupIndex,
    has_too_many: bool,
) -> Vec<(GroupIndex, Vec<Fact>)> {
    // A group has too many mines because of mines, and too few cells because of safe cells.
    let sources = |id: GroupIndex, mines: bool| {
        let cells = groups.group(id).cells().iter();
        let told = cells.filter_map(|cell| told.get(cell)).filter(move |told| told.0 == mines);
        told.filter_map(|(_, step)| *step)
    };
    let mut is_needed = vec![false; steps.len()];
    sources(end, has_too_many).for_each(|step| is_needed[step] = true);
    for (index, (id, facts)) in steps.iter().enumerate().rev() {
        if is_needed[index] {
            let before = sources(*id, !facts[0].is_mine).filter(|&step| step < index);
            before.for_each(|step| is_needed[step] = true);
        }
    }
    let kept = steps.into_iter().zip(is_needed).filter(|(_, is_needed)| *is_needed);
    kept.map(|(step, _)| step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sapper::board::group::{Group, MineCount, Position, Premise};

    /// Each step is forced by its group and what is known before, and the last group is impossible.
    #[test]
    fn every_step_is_forced() {
        let mut random = fastrand::Rng::with_seed(6);
        let mut found = 0;
        for _ in 0..3000 {
            let cells: Vec<Cell> = (0..9).map(Cell::from_index).collect();
            let premises = (0..4).map(|index| {
                let group = cells.iter().copied().filter(|_| random.bool()).collect::<Vec<_>>();
                let mines = random.i64(0..=group.len() as i64);
                let group = Group::new(group.into_iter().collect(), mines).unwrap();
                group.map(|group| Premise { source: Cell::from_index(10 + index), group })
            });
            let premises: Vec<Premise> = premises.flatten().collect();
            let mine_count = MineCount::Density(0.5);
            let position = Position {
                universe: 14,
                hidden: cells.clone(),
                premises,
                mine_count,
                ..Position::default()
            };
            let groups = Groups::new(&position);
            let set: Vec<GroupIndex> = groups.numbers().collect();
            let supposed = Fact { cell: cells[0], is_mine: random.bool() };
            let Some(refutation) = refutation(&groups, &set, &[], supposed) else { continue };
            let mut known = vec![supposed];
            let count = |known: &[Fact], id: GroupIndex| {
                let of = |is_mine| {
                    let facts = known.iter().filter(|fact| fact.is_mine == is_mine);
                    facts.filter(|fact| groups.group(id).contains(fact.cell)).count()
                };
                (of(true), of(false))
            };
            for (id, facts) in refutation.steps {
                let (group, (mines, safe)) = (groups.group(id), count(&known, id));
                let forced = if facts[0].is_mine {
                    group.mines() as usize == group.cells().len() - safe
                } else {
                    group.mines() as usize == mines
                };
                assert!(forced && facts.iter().all(|fact| group.contains(fact.cell)));
                known.extend(facts);
            }
            let (group, (mines, safe)) =
                (groups.group(refutation.end), count(&known, refutation.end));
            let left = group.cells().len() - safe;
            assert!(match refutation.has_too_many {
                true => mines > group.mines() as usize,
                false => left < group.mines() as usize,
            });
            found += 1;
        }
        assert!(found > 300, "{found}");
    }
}
