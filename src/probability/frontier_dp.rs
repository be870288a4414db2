//! Exact counting of one component: how many layouts it has with k mines, for every k.
//!
//! Dynamic programming along the frontier. The blocks are taken in the order of a
//! [`crate::probability::elimination_order::EliminationOrder`]; after each, a *state* is what the open groups still miss, and two ways to
//! the same state are added up. A state keeps a *histogram*: entry k is the number of layouts of the
//! blocks behind it with k mines in them. Counting forward gives the component's histogram; counting
//! backward, with the weight of everything outside the component put in at the end, gives for each
//! block how much weight lies in its holding j mines. So one pass each way serves all cells.
//!
//! The slow version: list every way to put 0..=size mines into each block, keep those that
//! satisfy every group, weigh each by the product of C(size, mines), and add up by total mines.
//!
//! Invariants: a state that no layout reaches is never made; forward values are whole numbers of
//! layouts from 1 up inside a state's range of k, or zero between where no layout has that k; the
//! last layer has at most one state. What cannot be paid for is [`Refusal::TooLarge`], and then
//! nothing of that component is kept.
//!
//! One file, because the way back walks the very edges that the way forward laid.
//!
//! Cost: one node is one value moved along one edge (a state, a number of mines, the next state); the
//! edge itself counts [`EDGE_NODES`]. States grow about as 2^(open groups) in the worst case.
//!
//! This is the transfer-matrix method as every exact solver since David Hill's uses it; merging equal
//! states in a hash table and keeping edges for the way back are the only refinements.

use std::ops::Range;

use crate::base::budget::Budget;
use crate::probability::component::Constraint;
use crate::probability::elimination_order::{EliminationOrder, Step};
use crate::probability::weight::{Weight, small_binomial};

/// What finding an edge costs, in values moved: a look into a hash table, about 30 ns.
pub const EDGE_NODES: u64 = 32;

/// Edges walked backward between two looks at the clock: about 0.1 ms.
const LOOK_EVERY_EDGES: usize = 2000;

/// Bytes of a [`State`] where an address has eight: refusals must not depend on the machine.
const STATE_BYTES: usize = 16;

/// Why a component was not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// More nodes or memory than allowed. The caller owes these cells approximate odds.
    TooLarge,
    /// No layout fits the groups. The caller owes an answer without odds.
    NoLayout,
}

/// A component that has been counted forward, inside its [`ComponentCounter`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedComponent {
    pub(crate) layers: Range<usize>,
    pub(crate) last: usize,
}

#[derive(Clone, Copy)]
pub(crate) struct State {
    /// Where its values begin, in `forward` and `backward` alike.
    pub(crate) values: usize,
    /// The mines behind it: from `first`, `len` numbers.
    pub(crate) first: u32,
    pub(crate) len: u32,
}

#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) mines: u32,
}

pub(crate) struct Layer {
    pub(crate) block: u32,
    pub(crate) size: u32,
    pub(crate) edges: Range<usize>,
}

/// Counts components one after another and keeps them all, until [`ComponentCounter::clear`].
pub struct ComponentCounter<W> {
    pub(crate) states: Vec<State>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) forward: Vec<W>,
    backward: Vec<W>,
    plan: EliminationOrder,
    table: Vec<u32>,
    by_mines: Vec<W>,
    max_bytes: usize,
}

impl<W: Weight> Default for ComponentCounter<W> {
    fn default() -> ComponentCounter<W> {
        ComponentCounter {
            states: Vec::new(),
            edges: Vec::new(),
            layers: Vec::new(),
            forward: Vec::new(),
            backward: Vec::new(),
            plan: EliminationOrder::default(),
            table: Vec::new(),
            by_mines: Vec::new(),
            max_bytes: Self::MAX_BYTES,
        }
    }
}

impl<W: Weight> ComponentCounter<W> {
    /// Bytes that all counted components may take together, besides the small change, where nobody says
    /// otherwise. Buffers grow by doubling, so that twice as much may be set aside.
    pub const MAX_BYTES: usize = 64 << 20;

    /// A counter of which all components may take `max_bytes` together.
    pub fn within(max_bytes: usize) -> ComponentCounter<W> {
        ComponentCounter { max_bytes, ..ComponentCounter::default() }
    }

    /// Bytes that all counted components may take together.
    pub fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// Forgets every component and keeps the memory.
    pub fn clear(&mut self) {
        self.states.clear();
        self.edges.clear();
        self.layers.clear();
        self.forward.clear();
        self.backward.clear();
    }

    /// Counts a component forward.
    ///
    /// # Errors
    /// [`Refusal`]; then nothing of the component is kept.
    pub fn count(
        &mut self,
        sizes: &[u32],
        constraints: &[Constraint],
        budget: &mut Budget,
    ) -> Result<CountedComponent, Refusal> {
        let marks = (self.states.len(), self.edges.len(), self.layers.len(), self.forward.len());
        let mut plan = std::mem::take(&mut self.plan);
        if !plan.make(sizes, constraints, budget) {
            self.plan = plan;
            return Err(Refusal::TooLarge);
        }
        let slot_bits = (u32::BITS - plan.most_missing.leading_zeros()).max(4);
        let words = plan.slots.div_ceil(u64::BITS / slot_bits);
        let steps = &plan.steps;
        let counted = match words {
            0..=1 => self.walk::<1>(steps, sizes, slot_bits, budget),
            2 => self.walk::<2>(steps, sizes, slot_bits, budget),
            // 256 open groups: a plan with more is hopeless by its estimate already.
            3..=16 => self.walk::<16>(steps, sizes, slot_bits, budget),
            _ => Err(Refusal::TooLarge),
        };
        self.plan = plan;
        if counted.is_err() {
            self.states.truncate(marks.0);
            self.edges.truncate(marks.1);
            self.layers.truncate(marks.2);
            self.forward.truncate(marks.3);
        }
        counted
    }

    /// The component's histogram: its fewest mines, and the layouts with that many, one more, ...
    pub fn histogram(&self, counted: &CountedComponent) -> (u32, &[W]) {
        let last = self.states[counted.last];
        (last.first, &self.forward[last.values..last.values + last.len as usize])
    }

    /// Counts backward. `outside` has an entry for each of the histogram's: the weight of
    /// everything else when the component holds that many mines.
    ///
    /// `visit` gets every block with its weights by mines in it, from none to all of its cells.
    /// Returns how many of [`ComponentCounter::blocks`], from the first, were not reached before the clock of
    /// `budget` ran out: none as a rule. The nodes were paid for by counting.
    pub fn distribute(
        &mut self,
        counted: &CountedComponent,
        outside: &[W],
        budget: &Budget,
        mut visit: impl FnMut(usize, &[W]),
    ) -> usize {
        self.backward.resize(self.forward.len(), W::ZERO);
        let last = self.states[counted.last];
        let end = last.values + last.len as usize;
        self.backward[last.values..end].copy_from_slice(outside);
        let mut since_look = 0;
        for (index, layer) in self.layers[counted.layers.clone()].iter().enumerate().rev() {
            since_look += layer.edges.len();
            if since_look > LOOK_EVERY_EDGES {
                since_look = 0;
                if budget.check_clock().is_err() {
                    return index + 1;
                }
            }
            self.by_mines.clear();
            self.by_mines.resize(layer.size as usize + 1, W::ZERO);
            for edge in &self.edges[layer.edges.clone()] {
                let ways = W::whole(small_binomial(layer.size, edge.mines));
                let (from, to) = (self.states[edge.from as usize], self.states[edge.to as usize]);
                let shift = (from.first + edge.mines - to.first) as usize;
                // The next layer's values lie behind this one's.
                let (behind, ahead) = self.backward.split_at_mut(to.values);
                let len = from.len as usize;
                let here = &mut behind[from.values..from.values + len];
                let there = &ahead[shift..shift + len];
                let layouts = &self.forward[from.values..from.values + len];
                let mut weight = W::ZERO;
                for ((value, next), layouts) in here.iter_mut().zip(there).zip(layouts) {
                    let part = next.times(ways);
                    *value = value.plus(part);
                    weight = weight.plus(part.times(*layouts));
                }
                let sum = &mut self.by_mines[edge.mines as usize];
                *sum = sum.plus(weight);
            }
            visit(layer.block as usize, &self.by_mines);
        }
        0
    }

    /// The blocks of a component, in the order in which it was counted forward.
    pub fn blocks(&self, counted: &CountedComponent) -> impl Iterator<Item = usize> {
        self.layers[counted.layers.clone()].iter().map(|layer| layer.block as usize)
    }

    fn walk<const N: usize>(
        &mut self,
        steps: &[Step],
        sizes: &[u32],
        slot_bits: u32,
        budget: &mut Budget,
    ) -> Result<CountedComponent, Refusal> {
        let first_layer = self.layers.len();
        let mut here: Vec<[u64; N]> = vec![[0; N]];
        let mut next: Vec<[u64; N]> = Vec::new();
        self.states.push(State { values: self.forward.len(), first: 0, len: 1 });
        self.forward.push(W::whole(1));
        let per_word = u64::BITS / slot_bits;
        for step in steps {
            let base = self.states.len() - here.len();
            let first_edge = self.edges.len();
            let size = sizes[step.block as usize];
            next.clear();
            self.make_states(step, size, (slot_bits, per_word), &here, &mut next, budget)?;
            if next.is_empty() {
                return Err(Refusal::NoLayout);
            }
            self.move_values(base + here.len(), first_edge..self.edges.len(), size, budget)?;
            let edges = first_edge..self.edges.len();
            self.layers.push(Layer { block: step.block, size, edges });
            std::mem::swap(&mut here, &mut next);
        }
        // Every group is closed, so one state is left: nothing is missing.
        debug_assert_eq!(here.len(), 1);
        Ok(CountedComponent { layers: first_layer..self.layers.len(), last: self.states.len() - 1 })
    }

    /// Makes the next layer's states and the edges to them, with the range of k of each.
    fn make_states<const N: usize>(
        &mut self,
        step: &Step,
        size: u32,
        (slot_bits, per_word): (u32, u32),
        here: &[[u64; N]],
        next: &mut Vec<[u64; N]>,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let place = |slot: u32| ((slot / per_word) as usize, (slot % per_word) * slot_bits);
        let mask = (1_u64 << slot_bits) - 1;
        let mut opened = [0_u64; N];
        let mut one_each = [0_u64; N];
        for touch in &step.touches {
            let (word, shift) = place(touch.slot);
            opened[word] |= u64::from(touch.opens_with.unwrap_or(0)) << shift;
            one_each[word] |= 1 << shift;
        }
        let base = self.states.len() - here.len();
        let next_base = self.states.len();
        let mut spent_for = self.edges.len();
        self.reset_table(4 * here.len());
        for (index, key) in here.iter().enumerate() {
            let mut key = *key;
            for (word, opened) in key.iter_mut().zip(opened) {
                *word |= opened;
            }
            let (mut fewest, mut most) = (0, size);
            for touch in &step.touches {
                let (word, shift) = place(touch.slot);
                let missing = (key[word] >> shift & mask) as u32;
                most = most.min(missing);
                fewest = fewest.max(missing.saturating_sub(touch.cells_ahead));
            }
            let from = self.states[base + index];
            for mines in fewest..=most {
                let mut key = key;
                for (word, one_each) in key.iter_mut().zip(one_each) {
                    *word -= one_each * u64::from(mines);
                }
                let first = from.first + mines;
                let to = self.find_or_add(key, next, next_base);
                if to == self.states.len() {
                    next.push(key);
                    self.states.push(State { values: 0, first, len: from.len });
                } else {
                    let state = &mut self.states[to];
                    let end = (state.first + state.len).max(first + from.len);
                    state.first = state.first.min(first);
                    state.len = end - state.first;
                }
                let from = (base + index) as u32;
                self.edges.push(Edge { from, to: to as u32, mines });
            }
            if index % 1024 == 1023 {
                let edges = (self.edges.len() - spent_for) as u64;
                spent_for = self.edges.len();
                budget.spend(edges * EDGE_NODES).map_err(|_| Refusal::TooLarge)?;
                // Both layers' keys, each with its place in a half full table.
                self.check_memory((here.len() + next.len()) * (size_of::<[u64; N]>() + 8))?;
            }
        }
        let edges = (self.edges.len() - spent_for) as u64;
        budget.spend(edges * EDGE_NODES).map_err(|_| Refusal::TooLarge)
    }

    /// Gives the states from `first_state` on their values, and adds up what the edges bring.
    fn move_values(
        &mut self,
        first_state: usize,
        edges: Range<usize>,
        size: u32,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let first_value = self.forward.len();
        let mut values = first_value;
        for state in &mut self.states[first_state..] {
            state.values = values;
            values += state.len as usize;
        }
        self.check_memory(2 * (values - first_value) * size_of::<W>())?;
        let nodes: u64 = self.edges[edges.clone()]
            .iter()
            .map(|e| u64::from(self.states[e.from as usize].len))
            .sum();
        budget.spend(nodes).map_err(|_| Refusal::TooLarge)?;
        self.forward.resize(values, W::ZERO);
        let (behind, ahead) = self.forward.split_at_mut(first_value);
        for edge in &self.edges[edges] {
            let ways = W::whole(small_binomial(size, edge.mines));
            let (from, to) = (self.states[edge.from as usize], self.states[edge.to as usize]);
            let start = to.values - first_value + (from.first + edge.mines - to.first) as usize;
            let there = &mut ahead[start..start + from.len as usize];
            let here = &behind[from.values..from.values + from.len as usize];
            for (value, layouts) in there.iter_mut().zip(here) {
                *value = value.plus(layouts.times(ways));
            }
        }
        Ok(())
    }

    /// Bytes that the components counted so far take, the way back included.
    pub fn bytes(&self) -> usize {
        let values = 2 * self.forward.len() * size_of::<W>();
        values + self.edges.len() * size_of::<Edge>() + self.states.len() * STATE_BYTES
    }

    fn check_memory(&self, more: usize) -> Result<(), Refusal> {
        if self.bytes() + more > self.max_bytes { Err(Refusal::TooLarge) } else { Ok(()) }
    }

    fn reset_table(&mut self, expected: usize) {
        self.table.clear();
        self.table.resize(expected.next_power_of_two().max(16), 0);
    }

    /// The state with this key in the next layer, or the number of the state to be added for it.
    ///
    /// Open addressing over state numbers plus one; zero is free. The table is kept at most half
    /// full.
    fn find_or_add<const N: usize>(
        &mut self,
        key: [u64; N],
        next: &[[u64; N]],
        next_base: usize,
    ) -> usize {
        if 2 * (next.len() + 1) > self.table.len() {
            self.reset_table(4 * (next.len() + 1));
            for (index, key) in next.iter().enumerate() {
                let mut place = self.place(key);
                while self.table[place] != 0 {
                    place = (place + 1) & (self.table.len() - 1);
                }
                self.table[place] = index as u32 + 1;
            }
        }
        let mut place = self.place(&key);
        loop {
            match self.table[place] {
                0 => {
                    self.table[place] = next.len() as u32 + 1;
                    return next_base + next.len();
                }
                index if next[index as usize - 1] == key => return next_base + index as usize - 1,
                _ => place = (place + 1) & (self.table.len() - 1),
            }
        }
    }

    fn place<const N: usize>(&self, key: &[u64; N]) -> usize {
        // Fibonacci hashing, word by word; the high bits are the good ones.
        let mix = |hash: u64, word: &u64| {
            (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        (key.iter().fold(0, mix) >> 32) as usize & (self.table.len() - 1)
    }
}
