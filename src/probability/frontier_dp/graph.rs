//! The graph of a count: layers of states, the edges between them, and the values of the states.
//!
//! Several components are kept one after another; each is a [`CountedComponent`]. The values are
//! those of the forward pass: the layouts of the blocks taken so far, by the mines in them.
//!
//! Invariants: the states of a layer follow each other, and so do their values, which are stored
//! before those of the next layer. The range of a state covers every edge to it.

use std::ops::Range;

use crate::probability::weight::Weight;
use crate::probability::weight::binomial::binomial;

/// The bytes of a [`State`] on 64-bit machines. Every machine uses them, so that all machines
/// refuse the same components.
const STATE_BYTES: usize = 16;

/// A component whose forward count is kept in a
/// [`ComponentCounter`](crate::probability::frontier_dp::ComponentCounter).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedComponent {
    pub(super) layers: Range<usize>,
    /// The index of its first value; those of all its states follow.
    pub(super) first_value: usize,
    pub(super) last_state: usize,
}

/// The layouts of a component by their mines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Histogram<'a, W> {
    /// The mines of the first entry.
    pub min_mines: usize,
    /// The number of layouts with `min_mines` mines, one more, and so on. Not all are zero.
    pub counts: &'a [W],
}

/// One assignment of required mines to the open constraints.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// The index of its first value.
    pub(super) values: usize,
    /// Its values are for `first` mines up to `first + len - 1` in the blocks taken so far.
    pub(super) first: u32,
    pub(super) len: u32,
}

/// A transition between states of adjacent layers: the block of the layer gets `mines` mines.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) mines: u32,
}

/// One step: a block of `size` cells, and the edges across it.
pub(super) struct Layer {
    pub(super) block: u32,
    pub(super) size: u32,
    edges: Range<usize>,
}

/// The end of the graph at some time: where the next component, or the next layer, begins.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) states: usize,
    pub(super) edges: usize,
    pub(super) layers: usize,
    pub(super) values: usize,
}

/// The counted components of one position after another.
#[derive(Default)]
pub(super) struct Graph<W> {
    states: Vec<State>,
    edges: Vec<Edge>,
    layers: Vec<Layer>,
    values: Vec<W>,
}

impl<W: Weight> Graph<W> {
    /// The bytes of the graph, with as many values again for the way back.
    pub(super) fn bytes(&self) -> usize {
        let values = 2 * self.values.len() * size_of::<W>();
        values + self.edges.len() * size_of::<Edge>() + self.states.len() * STATE_BYTES
    }

    /// Where the next component or layer begins.
    pub(super) fn end(&self) -> End {
        End {
            states: self.states.len(),
            edges: self.edges.len(),
            layers: self.layers.len(),
            values: self.values.len(),
        }
    }

    /// Forgets everything from `end` on.
    pub(super) fn truncate(&mut self, end: End) {
        self.states.truncate(end.states);
        self.edges.truncate(end.edges);
        self.layers.truncate(end.layers);
        self.values.truncate(end.values);
    }

    /// Forgets every component.
    pub(super) fn clear(&mut self) {
        self.truncate(End { states: 0, edges: 0, layers: 0, values: 0 });
    }

    /// Begins a component: one state, with the one way to have taken no block.
    pub(super) fn begin_component(&mut self) {
        self.states.push(State { values: self.values.len(), first: 0, len: 1 });
        self.values.push(W::from_u64(1));
    }

    /// Adds an edge that puts `mines` mines into the block of the next layer. It leads to the state
    /// with index `to`, which is made if it is the next one.
    pub(super) fn add_edge(&mut self, from: usize, to: usize, mines: u32) {
        let State { first, len, .. } = self.states[from];
        let first = first + mines;
        if to == self.states.len() {
            self.states.push(State { values: 0, first, len });
        } else {
            let state = &mut self.states[to];
            let end = (state.first + state.len).max(first + len);
            state.first = state.first.min(first);
            state.len = end - state.first;
        }
        self.edges.push(Edge { from: from as u32, to: to as u32, mines });
    }

    /// Gives the values of the states made since `begin` their places. Returns how many values that
    /// are.
    pub(super) fn place_values(&mut self, begin: End) -> usize {
        let mut values = begin.values;
        for state in &mut self.states[begin.states..] {
            state.values = values;
            values += state.len as usize;
        }
        values - begin.values
    }

    /// The number of values that move along the edges made since `begin`.
    pub(super) fn moved_values(&self, begin: End) -> u64 {
        let edges = self.edges[begin.edges..].iter();
        edges.map(|edge| u64::from(self.states[edge.from as usize].len)).sum()
    }

    /// Completes a layer of `new_values` values that began at `begin`: the block, of `size` cells,
    /// and the values of its states.
    pub(super) fn complete_layer(&mut self, begin: End, block: u32, size: u32, new_values: usize) {
        self.values.resize(begin.values + new_values, W::ZERO);
        let (previous, next) = self.values.split_at_mut(begin.values);
        for edge in &self.edges[begin.edges..] {
            let ways = W::from_u64(binomial(size, edge.mines));
            let (from, to) = (self.states[edge.from as usize], self.states[edge.to as usize]);
            let len = from.len as usize;
            let start = to.values - begin.values + (from.first + edge.mines - to.first) as usize;
            let sources = &previous[from.values..from.values + len];
            for (value, layouts) in next[start..start + len].iter_mut().zip(sources) {
                *value = *value + *layouts * ways;
            }
        }
        self.layers.push(Layer { block, size, edges: begin.edges..self.edges.len() });
    }

    /// The component that began at `begin` and has just got its last layer.
    pub(super) fn end_component(&self, begin: End) -> CountedComponent {
        CountedComponent {
            layers: begin.layers..self.layers.len(),
            first_value: begin.values,
            last_state: self.states.len() - 1,
        }
    }

    /// The layers of a component, in the order of the forward pass.
    pub(super) fn layers(&self, counted: &CountedComponent) -> &[Layer] {
        &self.layers[counted.layers.clone()]
    }

    /// The edges across a layer.
    pub(super) fn edges(&self, layer: &Layer) -> &[Edge] {
        &self.edges[layer.edges.clone()]
    }

    /// A state.
    pub(super) fn state(&self, index: usize) -> State {
        self.states[index]
    }

    /// The values of a state.
    pub(super) fn values(&self, state: State) -> &[W] {
        &self.values[state.values..state.values + state.len as usize]
    }

    /// The number of layouts of a component by their mines.
    pub(super) fn histogram(&self, counted: &CountedComponent) -> Histogram<'_, W> {
        let last = self.states[counted.last_state];
        Histogram { min_mines: last.first as usize, counts: self.values(last) }
    }
}
