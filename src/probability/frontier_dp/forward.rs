//! The forward pass: the states, edges and values of a component, layer by layer.

use crate::probability::component::Structure;
use crate::probability::elimination_order::{Elimination, EliminationOrder};
use crate::probability::frontier_dp::graph::{CountedComponent, End, Graph};
use crate::probability::frontier_dp::state_table::{KeyLayout, StateTable};
use crate::probability::weight::Weight;
use crate::settings::budget::Budget;

/// The nodes of making an edge, mostly a lookup in a hash table, in values moved (results page,
/// R2).
pub const EDGE_NODES: u64 = 32;

/// States of the previous layer between two charges to the budget.
const STATES_PER_CHARGE: usize = 1024;

/// The reason why a component was not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Counting exceeds the budget or the memory. The caller must use approximate odds.
    TooLarge,
    /// No layout satisfies the constraints.
    NoLayout,
}

/// The memory that counting one component takes.
pub(super) struct MemoryUse {
    /// The bytes of the graph when the component began.
    before: usize,
    /// The bytes that the component may take.
    limit: usize,
    /// The most bytes that the component has needed.
    peak: usize,
}

impl MemoryUse {
    /// For a component that may take `limit` bytes beside the present graph.
    pub(super) fn begin<W: Weight>(graph: &Graph<W>, limit: usize) -> MemoryUse {
        MemoryUse { before: graph.bytes(), limit, peak: 0 }
    }

    /// The most bytes that the component has needed.
    pub(super) fn peak(&self) -> usize {
        self.peak
    }

    /// Records that the component needs the graph and `more` bytes.
    fn require<W: Weight>(&mut self, graph: &Graph<W>, more: usize) -> Result<(), Refusal> {
        let bytes = graph.bytes() - self.before + more;
        self.peak = self.peak.max(bytes);
        if bytes > self.limit { Err(Refusal::TooLarge) } else { Ok(()) }
    }
}

/// What a layer is made of, besides the keys of the layer before it.
#[derive(Clone, Copy)]
struct NextLayer<'a> {
    step: &'a Elimination,
    /// The number of cells of the block.
    size: u32,
    keys: KeyLayout,
    /// The end of the graph before the layer.
    begin: End,
}

/// Counts one component after another, in reused memory.
#[derive(Default)]
pub(super) struct ForwardPass {
    order: EliminationOrder,
    /// The states of the layer that is made.
    table: StateTable,
}

impl ForwardPass {
    /// Counts a component and appends it to `graph`.
    ///
    /// # Errors
    /// [`Refusal`]; then `graph` is left as it was.
    pub(super) fn count<W: Weight>(
        &mut self,
        component: Structure,
        graph: &mut Graph<W>,
        memory: &mut MemoryUse,
        budget: &mut Budget,
    ) -> Result<CountedComponent, Refusal> {
        let Structure { sizes, constraints, .. } = component;
        self.order.compute(sizes, constraints, budget).map_err(|_| Refusal::TooLarge)?;
        let (keys, end) = (KeyLayout::new(self.order.max_mines), graph.end());
        let counted = match keys.words(self.order.slots) {
            0..=1 => self.count_in_order::<1, W>(sizes, keys, graph, memory, budget),
            2 => self.count_in_order::<2, W>(sizes, keys, graph, memory, budget),
            // 256 constraints of up to 15 mines: more are infeasible by the estimate.
            3..=16 => self.count_in_order::<16, W>(sizes, keys, graph, memory, budget),
            _ => Err(Refusal::TooLarge),
        };
        if counted.is_err() {
            graph.truncate(end);
        }
        counted
    }

    /// Counts with keys of `N` words.
    fn count_in_order<const N: usize, W: Weight>(
        &mut self,
        sizes: &[u32],
        keys: KeyLayout,
        graph: &mut Graph<W>,
        memory: &mut MemoryUse,
        budget: &mut Budget,
    ) -> Result<CountedComponent, Refusal> {
        let ForwardPass { order, table } = self;
        let begin = graph.end();
        let mut previous: Vec<[u64; N]> = vec![[0; N]];
        let mut next: Vec<[u64; N]> = Vec::new();
        graph.begin_component();
        for step in &order.steps {
            let size = sizes[step.block as usize];
            let layer = NextLayer { step, size, keys, begin: graph.end() };
            next.clear();
            make_states(layer, table, &previous, &mut next, graph, memory, budget)?;
            if next.is_empty() {
                return Err(Refusal::NoLayout);
            }
            let new_values = graph.place_values(layer.begin);
            memory.require(graph, 2 * new_values * size_of::<W>())?;
            budget.spend(graph.moved_values(layer.begin)).map_err(|_| Refusal::TooLarge)?;
            graph.complete_layer(layer.begin, step.block, size, new_values);
            std::mem::swap(&mut previous, &mut next);
        }
        // Every constraint is closed, so all ways lead to the state that requires nothing.
        debug_assert_eq!(previous.len(), 1);
        Ok(graph.end_component(begin))
    }
}

/// Makes the states of the next layer with their ranges, and the edges to them. `previous` are the
/// keys of the last layer; those of the new states are appended to `next`.
fn make_states<const N: usize, W: Weight>(
    layer: NextLayer,
    table: &mut StateTable,
    previous: &[[u64; N]],
    next: &mut Vec<[u64; N]>,
    graph: &mut Graph<W>,
    memory: &mut MemoryUse,
    budget: &mut Budget,
) -> Result<(), Refusal> {
    let NextLayer { step, size, keys, begin } = layer;
    let mut opened = [0_u64; N];
    // One mine of the block, subtracted from all of its constraints at once.
    let mut one_mine = [0_u64; N];
    for update in &step.updates {
        let (word, shift) = keys.position(update.slot);
        opened[word] |= u64::from(update.opens_with.unwrap_or(0)) << shift;
        one_mine[word] |= 1 << shift;
    }
    let first_from = begin.states - previous.len();
    let mut charged_edges = begin.edges;
    table.reset(4 * previous.len());
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
        for mines in min..=max {
            let mut key = key;
            for (word, one_mine) in key.iter_mut().zip(one_mine) {
                *word -= one_mine * u64::from(mines);
            }
            let to = table.find_or_reserve(key, next);
            if to == next.len() {
                next.push(key);
            }
            graph.add_edge(first_from + index, begin.states + to, mines);
        }
        if index % STATES_PER_CHARGE == STATES_PER_CHARGE - 1 {
            charge_edges(graph, &mut charged_edges, budget)?;
            // The keys of both layers, each with its index in a table that is half full.
            memory.require(graph, (previous.len() + next.len()) * (size_of::<[u64; N]>() + 8))?;
        }
    }
    charge_edges(graph, &mut charged_edges, budget)
}

/// Charges the edges that were made since the last charge.
fn charge_edges<W: Weight>(
    graph: &Graph<W>,
    charged: &mut usize,
    budget: &mut Budget,
) -> Result<(), Refusal> {
    let made = graph.end().edges;
    let edges = (made - std::mem::replace(charged, made)) as u64;
    budget.spend(edges * EDGE_NODES).map_err(|_| Refusal::TooLarge)
}
