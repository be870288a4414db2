//! Irreducible proofs: sets of groups of which none can be left out.
//!
//! A [`Prover`] decides whether a layout fits some groups and facts, by the bot's own deduction and
//! exact count on these alone. A layout that fits a set of groups fits every part of it; so groups
//! are dropped one after another as long as the claim stays proven, and all that remain are needed
//! (a deletion filter). The smallest such set may be another one; finding it takes exponential
//! time.
//!
//! Half of the groups are dropped at once, then ever smaller parts, so that a small set is found in
//! few proofs. This is done twice, once beginning with the farthest groups and once with the
//! nearest, and the smaller set is taken.
//!
//! Invariant: the remaining groups prove the claim. If the budget ends, some may not be needed.
//!
//! Cost: the budget is charged for a position before the position is read, so that no work is left
//! once the budget is spent.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::groups::{GroupIndex, GroupSource, Groups};
use crate::rules::{CellList, Fact, ProofRule, Reason, SENTENCE, TOGETHER, Truth};
use sapper::board::geometry::Cell;
use sapper::board::group::{Group, MineCount, Position, Premise};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;

/// Nodes of all proofs of one position.
const NODES: u64 = 100_000_000;
/// Nodes of reading a cell of a position.
const NODES_PER_CELL: u64 = 50;

/// Decides whether groups leave a layout; reused from question to question.
pub struct Prover {
    deducer: Deducer,
    solver: ProbabilitySolver,
    budget: Budget<'static>,
}

impl Default for Prover {
    fn default() -> Prover {
        let (deducer, solver) = (Deducer::default(), ProbabilitySolver::default());
        Prover { deducer, solver, budget: Budget::of_nodes(NODES) }
    }
}

impl Prover {
    /// Whether no layout fits these groups and facts; `false` if the budget ended before.
    pub fn refutes(&mut self, groups: &Groups, set: &[GroupIndex], facts: &[Fact]) -> bool {
        self.try_refute(groups, set, facts) == Some(true)
    }

    /// Whether the budget is spent, so that nothing more can be refuted.
    pub fn is_exhausted(&self) -> bool {
        self.budget.left() == 0
    }

    /// Whether no layout fits these groups and facts; `None` if the budget is spent.
    pub fn try_refute(
        &mut self,
        groups: &Groups,
        set: &[GroupIndex],
        facts: &[Fact],
    ) -> Option<bool> {
        if self.is_exhausted() {
            return None;
        }
        let cells: usize = set.iter().map(|&id| groups.group(id).cells().len()).sum();
        self.budget.spend(NODES_PER_CELL * (cells + facts.len()) as u64).ok()?;
        let position = part_of(groups, set, facts);
        let Ok(deduced) = self.deducer.run_within(&position, Reach::FixedPoint, &mut self.budget)
        else {
            return Some(true);
        };
        if self.budget.left() == 0 {
            return None;
        }
        Some(self.solver.layout_count(deduced, &mut self.budget).is_err())
    }

    /// The rule by which some groups together prove `claim` with the help of the facts in `known`.
    /// `None` if no proof was found.
    pub fn prove(
        &mut self,
        groups: &Groups,
        truth: &Truth,
        known: &Truth,
        claim: Fact,
    ) -> Option<ProofRule> {
        if self.is_exhausted() {
            return None;
        }
        let denial = Fact { is_mine: !claim.is_mine, ..claim };
        let facts_in = |set: &[GroupIndex]| -> Vec<Fact> {
            let cells: BTreeSet<Cell> =
                set.iter().flat_map(|&id| groups.group(id).cells()).copied().collect();
            let fact = |cell| known[cell].map(|is_mine| Fact { cell, is_mine });
            cells.into_iter().filter_map(fact).filter(|fact| fact.cell != claim.cell).collect()
        };
        let mut is_proven = |set: &[GroupIndex], facts: &[Fact]| {
            let facts: Vec<Fact> = facts.iter().copied().chain([denial]).collect();
            self.try_refute(groups, set, &facts)
        };
        let mut near = Nearest::new(groups, known, claim.cell);
        let mut total = None;
        while !is_proven(&near.found, &facts_in(&near.found))? {
            if near.grow() {
                continue;
            }
            // Without the total the numbers do not prove it, even all of them.
            total = Some(groups.total()?);
            near.found = groups.numbers().collect();
            let all: Vec<GroupIndex> = near.found.iter().copied().chain(total).collect();
            if !is_proven(&all, &facts_in(&all))? {
                return None;
            }
            break;
        }
        let mut set = Vec::new();
        for order in [near.found.clone(), near.found.iter().rev().copied().collect()] {
            let found = irreducible(order, |set| {
                let set: Vec<GroupIndex> = set.iter().copied().chain(total).collect();
                is_proven(&set, &facts_in(&set))
            });
            if set.is_empty() || found.len() < set.len() {
                set = found;
            }
        }
        let mut set: Vec<GroupIndex> = set.into_iter().chain(total).collect();
        set.sort_unstable();
        let facts = irreducible(facts_in(&set), |facts| is_proven(&set, facts));
        let needs: CellList = facts.iter().map(|fact| fact.cell).collect();
        let mut gives = CellList::new();
        for block in blocks(groups, &set) {
            let is_open = |cell: &Cell| needs.binary_search(cell).is_err();
            let mut cells = block.into_iter().filter(is_open).peekable();
            let first = cells.peek().and_then(|&cell| truth[cell].map(|is_mine| (cell, is_mine)));
            let Some((cell, is_mine)) = first else { continue };
            let fact = Fact { cell, is_mine };
            let cells: Vec<Cell> = cells.collect();
            if cells.contains(&claim.cell) || self.needs_all(groups, &set, &facts, fact) {
                gives.extend(cells);
            }
        }
        gives.sort_unstable();
        let cost = 2 * SENTENCE + TOGETHER * set.len() as u32;
        Some(ProofRule { reason: Reason::Together(set), needs, gives, cost })
    }

    /// Whether the groups prove `claim` with these facts, and none of them can be left out.
    fn needs_all(
        &mut self,
        groups: &Groups,
        set: &[GroupIndex],
        facts: &[Fact],
        claim: Fact,
    ) -> bool {
        let denial = Fact { is_mine: !claim.is_mine, ..claim };
        let facts: Vec<Fact> = facts.iter().copied().chain([denial]).collect();
        self.refutes(groups, set, &facts)
            && (0..set.len()).all(|index| {
                let others = [&set[..index], &set[index + 1..]].concat();
                self.try_refute(groups, &others, &facts) == Some(false)
            })
    }
}

/// The cells of groups, sorted, in blocks: the cells of a block are in the same groups.
fn blocks(groups: &Groups, set: &[GroupIndex]) -> Vec<Vec<Cell>> {
    let mut blocks: BTreeMap<Vec<GroupIndex>, Vec<Cell>> = BTreeMap::new();
    let cells: BTreeSet<Cell> =
        set.iter().flat_map(|&id| groups.group(id).cells()).copied().collect();
    for cell in cells {
        let is_in_set = |id: &GroupIndex| set.binary_search(id).is_ok();
        let seen_by = groups.beside(cell).iter().copied().filter(is_in_set).collect();
        blocks.entry(seen_by).or_default().push(cell);
    }
    blocks.into_values().collect()
}

/// The part of a position that some groups and facts describe. Without the total, its cells get new
/// indexes, so that its cost does not depend on the size of the field.
fn part_of(groups: &Groups, set: &[GroupIndex], facts: &[Fact]) -> Position {
    let all = groups.position();
    let groups = set.iter().filter(|&&id| groups.source(id) != GroupSource::Total);
    let mut premises: Vec<Premise> = groups.map(|&id| all.premises[id as usize].clone()).collect();
    for fact in facts {
        let group = Group::new([fact.cell].into_iter().collect(), fact.is_mine.into());
        let group = group.expect("one mine or none fits a cell").expect("a cell");
        premises.push(Premise { source: fact.cell, group });
    }
    if premises.len() < set.len() + facts.len() {
        let (hidden, mines) = (all.hidden.clone(), all.mines);
        let (universe, mine_count) = (all.universe, all.mine_count);
        return Position { universe, hidden, premises, mines, mine_count, ..Position::default() };
    }
    let cells = premises.iter().flat_map(|premise| premise.group.cells());
    let mut hidden: Vec<Cell> = cells.copied().collect();
    hidden.sort_unstable();
    hidden.dedup();
    let number = |cell: &Cell| hidden.binary_search(cell).expect("a cell of a group") as u32;
    for premise in &mut premises {
        let (cells, mines) = (premise.group.cells().iter(), premise.group.mines());
        let cells = cells.map(|cell| Cell::from_index(number(cell))).collect();
        let group = Group::new(cells, mines.into()).expect("the mines fit as before");
        premise.group = group.expect("as many cells as before");
    }
    let universe = hidden.len();
    let hidden = (0..universe as u32).map(Cell::from_index).collect();
    let mine_count = MineCount::Density(0.5);
    Position { universe, hidden, premises, mine_count, ..Position::default() }
}

/// The numbers by their distance from a cell, over hidden cells that are not known.
struct Nearest<'a> {
    groups: &'a Groups<'a>,
    known: &'a Truth,
    is_found: HashSet<GroupIndex>,
    is_passed: HashSet<Cell>,
    /// The numbers found, the nearest first.
    found: Vec<GroupIndex>,
    /// The index of the first number of the last distance.
    last: usize,
}

impl<'a> Nearest<'a> {
    /// The numbers beside `cell`.
    fn new(groups: &'a Groups<'a>, known: &'a Truth, cell: Cell) -> Nearest<'a> {
        let (is_found, is_passed) = (HashSet::new(), HashSet::new());
        let mut near = Nearest { groups, known, is_found, is_passed, found: Vec::new(), last: 0 };
        near.pass(cell);
        near
    }

    fn pass(&mut self, cell: Cell) {
        if self.is_passed.insert(cell) {
            let is_new = |id: &GroupIndex| self.is_found.insert(*id);
            self.found.extend(self.groups.beside(cell).iter().copied().filter(is_new));
        }
    }

    /// Adds the numbers that share an unknown cell with those of the last distance; `false` if
    /// there are none.
    fn grow(&mut self) -> bool {
        let before = self.found.len();
        for index in self.last..before {
            for &cell in self.groups.group(self.found[index]).cells() {
                if self.known[cell].is_none() {
                    self.pass(cell);
                }
            }
        }
        self.last = before;
        self.found.len() > before
    }
}

/// Drops items, the last ones first, as long as `is_enough` is true of the rest. If more items than
/// enough are always enough, each item that remains is needed. Ends as soon as `is_enough` answers
/// `None`.
pub fn irreducible<T: Clone>(
    items: Vec<T>,
    mut is_enough: impl FnMut(&[T]) -> Option<bool>,
) -> Vec<T> {
    let mut kept = items;
    let mut part = kept.len().div_ceil(2);
    while part > 0 {
        let mut end = kept.len();
        while end > 0 {
            let start = end.saturating_sub(part);
            let without: Vec<T> = [&kept[..start], &kept[end..]].concat();
            match is_enough(&without) {
                None => return kept,
                Some(true) => kept = without,
                Some(false) => {}
            }
            end = start;
        }
        part = if part == 1 { 0 } else { part.div_ceil(2) };
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_remains_is_enough_and_all_of_it_is_needed() {
        let mut random = fastrand::Rng::with_seed(1);
        for len in 0..40_u32 {
            let needed: Vec<u32> = (0..len).filter(|_| random.u8(0..5) == 0).collect();
            let enough = |items: &[u32]| Some(needed.iter().all(|item| items.contains(item)));
            assert_eq!(irreducible((0..len).collect(), enough), needed);
        }
        // Of two sets that are enough, the one of the first items remains.
        let enough = |items: &[u32]| Some(items.contains(&1) || items.contains(&5));
        assert_eq!(irreducible((0..8).collect(), enough), [1]);
    }

    #[test]
    fn the_first_unknown_answer_ends_the_search() {
        let mut asked = 0;
        let found = irreducible((0..1000).collect::<Vec<u32>>(), |_| {
            asked += 1;
            (asked < 2).then_some(true)
        });
        assert_eq!((asked, found.len()), (2, 500));
    }
}
