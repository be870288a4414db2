//! Tells, step after step, all that follows, the simplest steps first.
//!
//! To search a proof of its own for each fact would take long. In a chain, a rule is told as soon
//! as the facts that it needs have been told.
//!
//! Invariant: when a chain ends, no rule has anything new to tell.
//!
//! Cost: close to linear in the rules and the facts, besides the nodes of the prover. Once these
//! are spent, one step tells the rest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::rules::Fact;
use crate::search::{ProofSearch, ProofStep, by_counting};
use sapper::board::geometry::{Cell, CellMap};

impl ProofSearch<'_> {
    /// Tells all else that is proven, simple steps first.
    pub fn tell_rest(&mut self) -> Vec<ProofStep> {
        let mut steps = Vec::new();
        let unknown = CellMap::new(self.told.len(), None);
        let mut left = self.all_proven().into_iter();
        let mut new = 0;
        loop {
            // What followed from the rules before these has been told.
            let chain = self.chain(new, |_| false);
            new = self.rules.len();
            steps.extend(chain.into_iter().map(|(_, step)| step));
            let is_untold = |fact: &Fact| self.told[fact.cell].is_none();
            let Some(fact) = left.find(is_untold) else { return steps };
            if self.prover.is_exhausted() {
                let rest = left.by_ref().filter(is_untold).map(|fact| fact.cell);
                let rest = [fact.cell].into_iter().chain(rest).collect();
                self.add(by_counting(rest));
                continue;
            }
            // What has been told is all that follows from it.
            let known = std::mem::take(&mut self.told);
            self.add_rules_for(fact, &known, &unknown);
            self.told = known;
        }
    }

    /// Tells what follows from what has been told, the cheapest rules first and of these the one
    /// that gives most, until `is_done` or nothing more follows. It begins with the rules from
    /// `first` on: those before it have nothing new to tell.
    fn chain(
        &mut self,
        first: usize,
        is_done: impl Fn(&ProofSearch) -> bool,
    ) -> Vec<(u32, ProofStep)> {
        let new = |search: &ProofSearch, id: u32| {
            let gives = search.rules[id as usize].gives.iter();
            gives.filter(|&&cell| search.told[cell].is_none()).count()
        };
        let is_ready = |search: &ProofSearch, id: u32| {
            search.rules[id as usize].needs.iter().all(|&cell| search.told[cell].is_some())
        };
        let key = |search: &ProofSearch, id: u32| {
            Reverse((search.rules[id as usize].cost, Reverse(new(search, id)), id))
        };
        let ids = first as u32..self.rules.len() as u32;
        let mut queue: BinaryHeap<_> =
            ids.filter(|&id| is_ready(self, id)).map(|id| key(self, id)).collect();
        let mut steps = Vec::new();
        while let Some(top) = queue.pop() {
            let Reverse((_, _, id)) = top;
            if is_done(self) {
                break;
            }
            if top != key(self, id) {
                // Some of it has been told since.
                queue.push(key(self, id));
                continue;
            }
            if new(self, id) == 0 {
                continue;
            }
            let step = self.tell_rule(id);
            for fact in &step.tells {
                for &next in &self.needed_by[fact.cell] {
                    if is_ready(self, next) {
                        queue.push(key(self, next));
                    }
                }
            }
            steps.push((id, step));
        }
        steps
    }

    /// Tells what of a chain of steps leads to `cell`.
    pub(super) fn tell_chain(&mut self, cell: Cell) -> Vec<ProofStep> {
        let before = self.told.clone();
        let chain = self.chain(0, |search| search.told[cell].is_some());
        self.told = before;
        let mut is_needed = CellMap::new(self.told.len(), false);
        is_needed[cell] = true;
        let mut rules = Vec::new();
        for (id, step) in chain.iter().rev() {
            if step.tells.iter().any(|fact| is_needed[fact.cell]) {
                step.known.iter().for_each(|fact| is_needed[fact.cell] = true);
                rules.push(*id);
            }
        }
        rules.into_iter().rev().map(|id| self.tell_rule(id)).collect()
    }
}
