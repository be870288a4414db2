//! The forward pass: states, edges and histograms, layer by layer.
//!
//! The key of a state packs the required mines of all open constraints into words, one slot for
//! each. States of one layer are found by their keys in a hash table with open addressing; keys are
//! needed for two adjacent layers only.

use std::ops::Range;

use crate::probability::component::Structure;
use crate::probability::elimination_order::Step;
use crate::probability::frontier_dp::{
    ComponentCounter, CountedComponent, EDGE_NODES, Edge, KEPT_BYTES, Known, Layer, Refusal, State,
};
use crate::probability::weight::Weight;
use crate::probability::weight::binomial::binomial;
use crate::settings::budget::Budget;

/// States of the previous layer between two charges to the budget.
const STATES_PER_CHARGE: usize = 1024;

/// How keys store the slots of an elimination order.
#[derive(Clone, Copy)]
struct KeyLayout {
    bits_per_slot: u32,
    slots_per_word: u32,
}

impl KeyLayout {
    /// The layout for slots that hold up to `max_mines`.
    fn new(max_mines: u32) -> KeyLayout {
        let bits_per_slot = (u32::BITS - max_mines.leading_zeros()).max(4);
        KeyLayout { bits_per_slot, slots_per_word: u64::BITS / bits_per_slot }
    }

    /// The word of a slot, and its lowest bit.
    fn position(self, slot: u32) -> (usize, u32) {
        let word = slot / self.slots_per_word;
        (word as usize, (slot % self.slots_per_word) * self.bits_per_slot)
    }

    /// The value of the slot whose lowest bit is `shift`.
    fn value(self, word: u64, shift: u32) -> u32 {
        (word >> shift & ((1 << self.bits_per_slot) - 1)) as u32
    }
}

impl<W: Weight> ComponentCounter<W> {
    /// Counts a component. One that was counted before is found again, and charged as if it were
    /// counted anew.
    ///
    /// # Errors
    /// [`Refusal`]; then nothing of the component is kept.
    pub fn count(
        &mut self,
        component: Structure,
        budget: &mut Budget,
    ) -> Result<CountedComponent, Refusal> {
        // Where the component does not fit, counting shows how far the budget reaches.
        let known = self
            .memo
            .get(component)
            .filter(|known| known.nodes <= budget.left() && known.peak_bytes <= self.bytes_left());
        if let Some(known) = known {
            budget.spend(known.nodes).map_err(|_| Refusal::TooLarge)?;
            self.bytes += known.bytes;
            return known.counted.clone();
        }
        let (nodes, kept) = (budget.used(), self.kept_bytes());
        (self.kept_before, self.peak_bytes) = (kept, 0);
        let counted = self.count_anew(component, budget);
        let bytes = self.kept_bytes() - kept;
        self.bytes += bytes;
        if counted != Err(Refusal::TooLarge) && self.memo.bytes() < KEPT_BYTES {
            let (nodes, counted) = (budget.used() - nodes, counted.clone());
            let known = Known { counted, nodes, bytes, peak_bytes: self.peak_bytes };
            self.memo.insert(component, known);
        }
        counted
    }

    fn count_anew(
        &mut self,
        component: Structure,
        budget: &mut Budget,
    ) -> Result<CountedComponent, Refusal> {
        let Structure { sizes, constraints, .. } = component;
        let (states, edges) = (self.states.len(), self.edges.len());
        let (layers, values) = (self.layers.len(), self.forward.len());
        let mut order = std::mem::take(&mut self.order);
        if order.compute(sizes, constraints, budget).is_err() {
            self.order = order;
            return Err(Refusal::TooLarge);
        }
        let keys = KeyLayout::new(order.max_mines);
        let steps = &order.steps;
        let counted = match order.slots.div_ceil(keys.slots_per_word) {
            0..=1 => self.count_in_order::<1>(steps, sizes, keys, budget),
            2 => self.count_in_order::<2>(steps, sizes, keys, budget),
            // 256 constraints of up to 15 mines: more are infeasible by the estimate.
            3..=16 => self.count_in_order::<16>(steps, sizes, keys, budget),
            _ => Err(Refusal::TooLarge),
        };
        self.order = order;
        if counted.is_err() {
            self.states.truncate(states);
            self.edges.truncate(edges);
            self.layers.truncate(layers);
            self.forward.truncate(values);
        }
        counted
    }

    /// Counts with keys of `N` words.
    fn count_in_order<const N: usize>(
        &mut self,
        steps: &[Step],
        sizes: &[u32],
        keys: KeyLayout,
        budget: &mut Budget,
    ) -> Result<CountedComponent, Refusal> {
        let (first_layer, first_value) = (self.layers.len(), self.forward.len());
        let mut previous: Vec<[u64; N]> = vec![[0; N]];
        let mut next: Vec<[u64; N]> = Vec::new();
        self.states.push(State { values: self.forward.len(), first: 0, len: 1 });
        self.forward.push(W::from_u64(1));
        for step in steps {
            let first_state = self.states.len();
            let first_edge = self.edges.len();
            let size = sizes[step.block as usize];
            next.clear();
            self.make_states(step, size, keys, &previous, &mut next, budget)?;
            if next.is_empty() {
                return Err(Refusal::NoLayout);
            }
            let edges = first_edge..self.edges.len();
            self.move_values(first_state, edges.clone(), size, budget)?;
            self.layers.push(Layer { block: step.block, size, edges });
            std::mem::swap(&mut previous, &mut next);
        }
        // Every constraint is closed, so all ways lead to the state that requires nothing.
        debug_assert_eq!(previous.len(), 1);
        let last_state = self.states.len() - 1;
        Ok(CountedComponent { layers: first_layer..self.layers.len(), first_value, last_state })
    }

    /// Makes the states of the next layer with their ranges of k, and the edges to them.
    fn make_states<const N: usize>(
        &mut self,
        step: &Step,
        size: u32,
        keys: KeyLayout,
        previous: &[[u64; N]],
        next: &mut Vec<[u64; N]>,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let mut opened = [0_u64; N];
        // One mine of the block, subtracted from all of its constraints at once.
        let mut one_mine = [0_u64; N];
        for update in &step.updates {
            let (word, shift) = keys.position(update.slot);
            opened[word] |= u64::from(update.opens_with.unwrap_or(0)) << shift;
            one_mine[word] |= 1 << shift;
        }
        let next_base = self.states.len();
        let base = next_base - previous.len();
        let mut charged_edges = self.edges.len();
        self.reset_table(4 * previous.len());
        for (index, key) in previous.iter().enumerate() {
            let mut key = *key;
            for (word, opened) in key.iter_mut().zip(opened) {
                *word |= opened;
            }
            let (mut min, mut max) = (0, size);
            for update in &step.updates {
                let (word, shift) = keys.position(update.slot);
                let required = keys.value(key[word], shift);
                max = max.min(required);
                min = min.max(required.saturating_sub(update.cells_ahead));
            }
            let from = self.states[base + index];
            for mines in min..=max {
                let mut key = key;
                for (word, one_mine) in key.iter_mut().zip(one_mine) {
                    *word -= one_mine * u64::from(mines);
                }
                let first = from.first + mines;
                let to = self.find_or_reserve(key, next, next_base);
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
            if index % STATES_PER_CHARGE == STATES_PER_CHARGE - 1 {
                let edges = (self.edges.len() - charged_edges) as u64;
                charged_edges = self.edges.len();
                budget.spend(edges * EDGE_NODES).map_err(|_| Refusal::TooLarge)?;
                // The keys of both layers, each with its index in a table that is half full.
                self.check_memory((previous.len() + next.len()) * (size_of::<[u64; N]>() + 8))?;
            }
        }
        let edges = (self.edges.len() - charged_edges) as u64;
        budget.spend(edges * EDGE_NODES).map_err(|_| Refusal::TooLarge)
    }

    /// Computes the values of the states from `first_state` on, which `edges` lead to.
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
        let edges = &self.edges[edges];
        let nodes: u64 =
            edges.iter().map(|edge| u64::from(self.states[edge.from as usize].len)).sum();
        budget.spend(nodes).map_err(|_| Refusal::TooLarge)?;
        self.forward.resize(values, W::ZERO);
        let (previous, next) = self.forward.split_at_mut(first_value);
        for edge in edges {
            let ways = W::from_u64(binomial(size, edge.mines));
            let (from, to) = (self.states[edge.from as usize], self.states[edge.to as usize]);
            let len = from.len as usize;
            let start = to.values - first_value + (from.first + edge.mines - to.first) as usize;
            let sources = &previous[from.values..from.values + len];
            for (value, layouts) in next[start..start + len].iter_mut().zip(sources) {
                *value = *value + *layouts * ways;
            }
        }
        Ok(())
    }

    fn check_memory(&mut self, more: usize) -> Result<(), Refusal> {
        let bytes = self.kept_bytes() - self.kept_before + more;
        self.peak_bytes = self.peak_bytes.max(bytes);
        if bytes > self.bytes_left() { Err(Refusal::TooLarge) } else { Ok(()) }
    }

    fn reset_table(&mut self, capacity: usize) {
        self.table.clear();
        self.table.resize(capacity.next_power_of_two().max(16), 0);
    }

    /// The index of the state with this key in the next layer. For a new key, the index that the
    /// caller must give to a new state.
    ///
    /// The table holds indices in the layer plus one, and zero for a free bucket. It is at most
    /// half full.
    fn find_or_reserve<const N: usize>(
        &mut self,
        key: [u64; N],
        next: &[[u64; N]],
        next_base: usize,
    ) -> usize {
        if 2 * (next.len() + 1) > self.table.len() {
            self.reset_table(4 * (next.len() + 1));
            for (index, key) in next.iter().enumerate() {
                let mut bucket = self.bucket(key);
                while self.table[bucket] != 0 {
                    bucket = (bucket + 1) & (self.table.len() - 1);
                }
                self.table[bucket] = index as u32 + 1;
            }
        }
        let mut bucket = self.bucket(&key);
        loop {
            match self.table[bucket] {
                0 => {
                    self.table[bucket] = next.len() as u32 + 1;
                    return next_base + next.len();
                }
                entry if next[entry as usize - 1] == key => return next_base + entry as usize - 1,
                _ => bucket = (bucket + 1) & (self.table.len() - 1),
            }
        }
    }

    /// The bucket at which the search for a key starts.
    fn bucket<const N: usize>(&self, key: &[u64; N]) -> usize {
        // Fibonacci hashing of each word; the high bits are mixed best.
        let mix = |hash: u64, word: &u64| {
            (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        (key.iter().fold(0, mix) >> 32) as usize & (self.table.len() - 1)
    }
}
