//! The search for short proofs.
//!
//! Facts and [`ProofRule`]s are a graph in which a rule can be used once all the facts that it
//! needs are proven. The search goes from the groups outwards, the cheapest proof first, as
//! Dijkstra's algorithm does, with one difference: the cost of a proof is that of its rules, each
//! counted once even where several facts need it. So every fact carries the set of rules of its
//! proof. Then the rules that are not needed are dropped.
//!
//! Finding the very shortest proof is hard (it is the shortest hyperpath with shared parts); this
//! search may miss a proof whose parts share more than the cheapest proofs of each do.
//!
//! What is told is known from then on, so that no step is told twice. Cells that the simple rules
//! do not reach get a rule of several groups together, found by the [`Prover`].
//!
//! Invariant: a step needs only facts that were told before it.
//!
//! Cost: for a proof, the rules that cost less, times the length of their proofs; for all that is
//! proven, the rules and the nodes of the [`Prover`], and in one step what these do not reach.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use smallvec::{SmallVec, smallvec};

use crate::groups::{GroupSource, Groups};
use crate::irreducible::Prover;
use crate::rules::{CellList, Fact, ProofRule, Reason, SENTENCE, Truth, simple_rules};
use sapper::board::geometry::{Cell, CellMap};
use sapper::board::group::Position;
use sapper::probability::odds::Odds;

/// The most rules in the proof of a fact. Longer ones are found only step by step.
const MAX_RULES: usize = 100;
/// Up to this many rules, the proofs of several facts are pruned as soon as they are joined: one of
/// them may prove another of the facts too, whose own proof is then not needed.
const MAX_PRUNED: usize = 8;
/// The most rules that are collected before those that occur twice are dropped.
const MAX_CONCATENATED: usize = 10 * MAX_RULES;
/// The most cells for which rules of several groups are searched, to choose the easiest among them.
const MAX_TRIED: usize = 6;

/// A fact and its proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The fact.
    pub fact: Fact,
    /// The steps that were not told before.
    pub steps: Vec<ProofStep>,
}

impl Proof {
    /// The open cells whose numbers the proof uses, sorted.
    pub fn numbers(&self) -> Vec<Cell> {
        let mut numbers: Vec<Cell> =
            self.steps.iter().flat_map(|step| &step.numbers).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// A step of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofStep {
    /// The rule and its groups.
    pub reason: Reason,
    /// The open cells whose numbers it uses, sorted.
    pub numbers: Vec<Cell>,
    /// Whether it uses the number of mines left.
    pub uses_total: bool,
    /// The facts told before that it uses, by cell.
    pub known: Vec<Fact>,
    /// The facts that it tells, by cell.
    pub tells: Vec<Fact>,
    /// The facts that also follow from it but were told before, by cell.
    pub again: Vec<Fact>,
}

/// The cheapest proof of a fact found so far.
#[derive(Clone)]
struct Found {
    cost: u32,
    /// The rules, sorted.
    rules: Vec<u32>,
}

/// A search for proofs of all that is proven on a board. What it has told is known from then on.
pub struct ProofSearch<'a> {
    groups: Groups<'a>,
    /// What counting all layouts proves.
    truth: Truth,
    pub(super) rules: Vec<ProofRule>,
    /// The rules that need each cell.
    pub(super) needed_by: CellMap<SmallVec<[u32; 4]>>,
    /// What has been told.
    pub(super) told: Truth,
    pub(super) prover: Prover,
}

impl<'a> ProofSearch<'a> {
    /// The proofs of what `odds` has as proven of `position`.
    pub fn new(position: &'a Position, odds: &Odds) -> ProofSearch<'a> {
        let groups = Groups::new(position);
        let mut truth = CellMap::new(position.universe, None);
        for (cells, is_mine) in [(odds.safe(), false), (odds.mines(), true)] {
            cells.iter().for_each(|&cell| truth[cell] = Some(is_mine));
        }
        let rules = simple_rules(&groups, &truth);
        let needed_by = CellMap::new(position.universe, SmallVec::new());
        let told = CellMap::new(position.universe, None);
        let prover = Prover::default();
        let mut search = ProofSearch { groups, truth, rules: Vec::new(), needed_by, told, prover };
        rules.into_iter().for_each(|rule| search.add(rule));
        search
    }

    /// The groups.
    pub fn groups(&self) -> &Groups<'a> {
        &self.groups
    }

    /// What is proven about a hidden cell.
    pub fn proven(&self, cell: Cell) -> Option<Fact> {
        self.truth[cell].map(|is_mine| Fact { cell, is_mine })
    }

    /// All proven facts, by cell.
    pub fn all_proven(&self) -> Vec<Fact> {
        let hidden = self.groups.position().hidden.iter();
        hidden.filter_map(|&cell| self.proven(cell)).collect()
    }

    /// Tells the fact that is easiest to prove: a safe cell, or a mine if no cell is safe. Of
    /// equally easy facts it tells the one about `preferred`. `None` if nothing is left to tell, or
    /// if all proofs are too long for the search.
    pub fn tell_easiest(&mut self, preferred: Option<Cell>) -> Option<Proof> {
        let untold = |fact: &Fact| self.told[fact.cell].is_none();
        let facts: Vec<Fact> = self.all_proven().into_iter().filter(untold).collect();
        let wants_mine = facts.iter().all(|fact| fact.is_mine);
        let mut wanted: Vec<Cell> = facts.iter().map(|fact| fact.cell).collect();
        wanted.retain(|&cell| self.truth[cell] == Some(wants_mine));
        wanted.sort_by_key(|&cell| Some(cell) != preferred);
        let reached = self.reached();
        if wanted.iter().all(|&cell| reached[cell].is_none()) {
            wanted.iter().take(MAX_TRIED).for_each(|&cell| self.reach(cell));
        }
        let is_wanted = |cell: Cell| self.truth[cell] == Some(wants_mine);
        let (cell, proof) = self.cheapest(is_wanted, preferred)?;
        let fact = Fact { cell, is_mine: wants_mine };
        Some(Proof { fact, steps: self.tell(proof, cell) })
    }

    /// Tells why `cell` is safe or a mine, in the steps that were not told yet.
    pub fn tell_cell(&mut self, cell: Cell) -> Vec<ProofStep> {
        if self.truth[cell].is_none() || self.told[cell].is_some() {
            return Vec::new();
        }
        self.reach(cell);
        match self.cheapest(|other| other == cell, Some(cell)) {
            Some((_, proof)) => self.tell(proof, cell),
            // The proof is too long for the search.
            None => self.tell_chain(cell),
        }
    }

    pub(super) fn add(&mut self, rule: ProofRule) {
        let id = self.rules.len() as u32;
        rule.needs.iter().for_each(|&cell| self.needed_by[cell].push(id));
        self.rules.push(rule);
    }

    /// Makes sure that rules lead to `cell`.
    fn reach(&mut self, cell: Cell) {
        let known = self.reached();
        let Some(fact) = self.proven(cell).filter(|_| known[cell].is_none()) else { return };
        let unknown = CellMap::new(known.len(), None);
        self.add_rules_for(fact, &known, &unknown);
    }

    /// Adds rules that prove `fact`, with what is `known` and without.
    pub(super) fn add_rules_for(&mut self, fact: Fact, known: &Truth, unknown: &Truth) {
        let with_facts = self.prover.prove(&self.groups, &self.truth, known, fact);
        let uses_facts = with_facts.as_ref().is_none_or(|rule| !rule.needs.is_empty());
        if uses_facts {
            let by_groups = self.prover.prove(&self.groups, &self.truth, unknown, fact);
            if with_facts.is_none() && by_groups.is_none() {
                self.add(by_counting(smallvec![fact.cell]));
            }
            by_groups.into_iter().for_each(|rule| self.add(rule));
        }
        with_facts.into_iter().for_each(|rule| self.add(rule));
    }

    /// What the rules prove from what has been told.
    fn reached(&self) -> Truth {
        let mut reached = self.told.clone();
        let mut missing: Vec<usize> = self
            .rules
            .iter()
            .map(|rule| rule.needs.iter().filter(|&&cell| reached[cell].is_none()).count())
            .collect();
        let is_ready = |(_, missing): &(u32, &usize)| **missing == 0;
        let mut ready: Vec<u32> = (0..).zip(&missing).filter(is_ready).map(|(id, _)| id).collect();
        while let Some(id) = ready.pop() {
            for &cell in &self.rules[id as usize].gives {
                if reached[cell].is_some() {
                    continue;
                }
                reached[cell] = self.truth[cell];
                for &rule in &self.needed_by[cell] {
                    missing[rule as usize] -= 1;
                    if missing[rule as usize] == 0 {
                        ready.push(rule);
                    }
                }
            }
        }
        reached
    }

    /// The cheapest proof of a cell that is wanted and not told, as rules.
    fn cheapest(
        &self,
        is_wanted: impl Fn(Cell) -> bool,
        preferred: Option<Cell>,
    ) -> Option<(Cell, Vec<u32>)> {
        let mut found: CellMap<Option<Found>> = CellMap::new(self.told.len(), None);
        let mut queue: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        for (id, rule) in (0..).zip(&self.rules) {
            if rule.needs.iter().all(|&cell| self.told[cell].is_some()) {
                queue.push(Reverse((rule.cost, id)));
            }
        }
        // The cells that each rule still needs: a rule with many is looked at once it has all.
        let is_untold = |cell: &&Cell| self.told[**cell].is_none();
        let missing = |rule: &ProofRule| rule.needs.iter().filter(is_untold).count();
        let mut missing: Vec<usize> = self.rules.iter().map(missing).collect();
        let mut best: Option<(u32, Cell)> = None;
        while let Some(Reverse((cost, id))) = queue.pop() {
            if best.is_some_and(|(least, cell)| cost > least || Some(cell) == preferred) {
                break;
            }
            let rule = &self.rules[id as usize];
            let Some(proof) = self.proof_by(id, &found) else { continue };
            for &cell in &rule.gives {
                let is_better = found[cell].as_ref().is_none_or(|found| proof.cost < found.cost);
                if self.told[cell].is_some() || !is_better {
                    continue;
                }
                if is_wanted(cell) && (best.is_none() || Some(cell) == preferred) {
                    best = Some((proof.cost, cell));
                }
                let new = Found { cost: proof.cost, rules: proof.rules.clone() };
                let is_first = found[cell].replace(new).is_none();
                for &next in &self.needed_by[cell] {
                    missing[next as usize] -= usize::from(is_first);
                    if missing[next as usize] > 0 {
                        continue;
                    }
                    let next_proof = self.proof_by(next, &found);
                    queue.extend(next_proof.map(|proof| Reverse((proof.cost, next))));
                }
            }
        }
        let (_, cell) = best?;
        let rules = found[cell].take().map(|found| found.rules)?;
        Some((cell, rules))
    }

    /// The proof of what the rule `id` gives: the rule, and those of all the facts that it needs.
    fn proof_by(&self, id: u32, found: &CellMap<Option<Found>>) -> Option<Found> {
        let rule = &self.rules[id as usize];
        let untold = rule.needs.iter().copied().filter(|&cell| self.told[cell].is_none());
        let needs: SmallVec<[Cell; 8]> = untold.collect();
        let mut rules = Vec::new();
        for &cell in &needs {
            rules.extend_from_slice(&found[cell].as_ref()?.rules);
            if rules.len() > MAX_CONCATENATED {
                rules.sort_unstable();
                rules.dedup();
                if rules.len() > MAX_RULES {
                    return None;
                }
            }
        }
        rules.sort_unstable();
        rules.dedup();
        if needs.len() > 1 && rules.len() <= MAX_PRUNED {
            rules = self.pruned(rules, &needs);
        }
        rules.push(id);
        rules.sort_unstable();
        let cost = rules.iter().map(|&id| self.rules[id as usize].cost).sum();
        (rules.len() <= MAX_RULES).then_some(Found { cost, rules })
    }

    /// Tells the proof of `cell` by `rules`, without those that it does not need.
    fn tell(&mut self, rules: Vec<u32>, cell: Cell) -> Vec<ProofStep> {
        let kept = self.pruned(rules, &[cell]);
        let derivers = self.derivers(&kept);
        let mut order = Vec::new();
        self.put_in_order(cell, &derivers, &mut order);
        order.into_iter().map(|id| self.tell_rule(id)).collect()
    }

    /// The rules without those that `goals` do not need, the hardest left out first.
    fn pruned(&self, rules: Vec<u32>, goals: &[Cell]) -> Vec<u32> {
        let mut kept = rules;
        kept.sort_by_key(|&id| (self.rules[id as usize].cost, id));
        for index in (0..kept.len()).rev() {
            let without = [&kept[..index], &kept[index + 1..]].concat();
            let derived = self.derivers(&without);
            if goals.iter().all(|goal| derived.iter().any(|(cell, _)| cell == goal)) {
                kept = without;
            }
        }
        kept
    }

    /// The cells that `rules` derive, each with the rule that does so first.
    fn derivers(&self, rules: &[u32]) -> Vec<(Cell, u32)> {
        let mut derived: Vec<(Cell, u32)> = Vec::new();
        let mut left = rules.to_vec();
        loop {
            let knows = |cell: &Cell| {
                self.told[*cell].is_some() || derived.iter().any(|(given, _)| given == cell)
            };
            let ready = left.iter().position(|&id| self.rules[id as usize].needs.iter().all(knows));
            let Some(index) = ready else { return derived };
            let id = left.remove(index);
            let gives = self.rules[id as usize].gives.iter().copied();
            let new: Vec<Cell> = gives.filter(|cell| !knows(cell)).collect();
            derived.extend(new.into_iter().map(|cell| (cell, id)));
        }
    }

    /// Appends the rules that prove `cell`, each after those whose facts it needs.
    fn put_in_order(&self, cell: Cell, derivers: &[(Cell, u32)], order: &mut Vec<u32>) {
        let Some(&(_, id)) = derivers.iter().find(|(given, _)| *given == cell) else { return };
        if order.contains(&id) {
            return;
        }
        for &need in &self.rules[id as usize].needs {
            self.put_in_order(need, derivers, order);
        }
        order.push(id);
    }

    pub(super) fn tell_rule(&mut self, id: u32) -> ProofStep {
        let rule = &self.rules[id as usize];
        let fact = |&cell: &Cell| Fact { cell, is_mine: self.truth[cell] == Some(true) };
        let is_told = |cell: &&Cell| self.told[**cell].is_some();
        let groups = rule.reason.groups();
        let sources = || groups.iter().map(|&id| self.groups.source(id));
        let mut numbers: Vec<Cell> = sources().filter_map(GroupSource::number).collect();
        numbers.sort_unstable();
        let step = ProofStep {
            reason: rule.reason.clone(),
            numbers,
            uses_total: sources().any(|source| source == GroupSource::Total),
            known: rule.needs.iter().map(fact).collect(),
            tells: rule.gives.iter().filter(|cell| !is_told(cell)).map(fact).collect(),
            again: rule.gives.iter().filter(is_told).map(fact).collect(),
        };
        step.tells.iter().for_each(|fact| self.told[fact.cell] = Some(fact.is_mine));
        step
    }
}

/// The rule of what only the count of all layouts proves, whose budget is larger than that of the
/// proofs.
pub(super) fn by_counting(gives: CellList) -> ProofRule {
    let reason = Reason::Together(Vec::new());
    ProofRule { reason, needs: CellList::new(), gives, cost: 10 * SENTENCE }
}
