//! Exact counting of one component: how many layouts it has with k mines, for every k.
//!
//! Dynamic programming along the frontier. The blocks are taken in the order of an
//! [`EliminationOrder`]. After each block, a *state* is the number of mines that every open
//! constraint still requires; ways that lead to the same state are merged. Each state has a
//! *histogram*: entry k is the number of layouts of the blocks taken so far with k mines in them.
//!
//! - `forward` computes the states, the edges between them and their histograms. The last state has
//!   the histogram of the component.
//! - `backward` starts with the weight of everything outside the component and walks the same edges
//!   back. It gives, for each block and each j, the weight of all layouts with j mines in the
//!   block.
//! - `sample` draws a layout, also along the edges back.
//! - `memo` finds a component again that was counted before.
//!
//! So one pass in each direction gives the probabilities of all cells. The slow version: list every
//! way to put 0 to size mines into each block, keep those that satisfy every constraint, weigh each
//! by the product of C(size, mines), and sum by total mines.
//!
//! Invariants: every state has a layout; within the range of k of a state, forward values are whole
//! numbers of layouts, zero where no layout has that k; the last layer has exactly one state. A
//! component that exceeds the budget or the memory is [`Refusal::TooLarge`] and leaves no trace.
//!
//! Cost: one node for each value moved along an edge, and [`EDGE_NODES`] for the edge itself.
//! States grow about as 2^(open constraints) in the worst case.
//!
//! Source: the transfer-matrix method, as in most exact solvers since David Hill's. Refinements:
//! equal states are merged in a hash table, and edges are kept for the way back.

mod backward;
mod forward;
mod memo;
mod sample;

use std::ops::Range;

use crate::probability::elimination_order::EliminationOrder;
use crate::probability::frontier_dp::memo::Memo;
use crate::probability::weight::Weight;

/// The nodes of making an edge, mostly a lookup in a hash table, in values moved (results page,
/// R2).
pub const EDGE_NODES: u64 = 32;

/// The bytes of a [`State`] on 64-bit machines, used on all so that refusals are the same.
const STATE_BYTES: usize = 16;

/// The reason why a component was not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Counting exceeds the budget or the memory. The caller must use approximate odds.
    TooLarge,
    /// No layout satisfies the constraints.
    NoLayout,
}

/// A component whose forward count is kept in a [`ComponentCounter`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedComponent {
    layers: Range<usize>,
    /// The index of its first value; those of all its states follow.
    first_value: usize,
    last_state: usize,
}

/// What counting a component gave, and what it took.
struct Known {
    /// Never [`Refusal::TooLarge`], which depends on the budget.
    counted: Result<CountedComponent, Refusal>,
    nodes: u64,
    /// The bytes that were kept, and the most that were needed.
    bytes: usize,
    peak_bytes: usize,
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
struct State {
    /// The index of its first value in `forward`.
    values: usize,
    /// Its values are for `first` mines up to `first + len - 1` in the blocks taken so far.
    first: u32,
    len: u32,
}

/// A transition between states of adjacent layers: the block of the layer gets `mines` mines.
#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    mines: u32,
}

/// One step: a block of `size` cells, and the edges across it.
struct Layer {
    block: u32,
    size: u32,
    edges: Range<usize>,
}

/// The bytes of components kept from position to position. More are met again only rarely (results
/// page, R28).
const KEPT_BYTES: usize = 4 << 20;

/// Counts the components of one position after another, and keeps all of a position.
///
/// Those of the positions before it are kept too, up to `KEPT_BYTES`, and found again (module
/// `memo`). One that is found is charged the nodes and the memory of its count, so that no result
/// depends on what is kept.
#[derive(Default)]
pub struct ComponentCounter<W> {
    states: Vec<State>,
    edges: Vec<Edge>,
    layers: Vec<Layer>,
    forward: Vec<W>,
    /// The values of the way back of one component.
    backward: Vec<W>,
    order: EliminationOrder,
    /// The hash table of the states of one layer.
    table: Vec<u32>,
    weight_by_mines: Vec<W>,
    memo: Memo<Known>,
    /// The limit of the components of a position.
    pub limit: ByteLimit,
    /// The bytes of the components of the position.
    bytes: usize,
    /// The bytes that were kept when the component began, and the most that it has needed since.
    kept_before: usize,
    peak_bytes: usize,
}

/// A limit on the bytes of all components of a position together, small buffers excluded. Buffers
/// grow by doubling, so up to twice as much may be allocated.
#[derive(Clone, Copy)]
pub struct ByteLimit(pub usize);

impl Default for ByteLimit {
    fn default() -> ByteLimit {
        ByteLimit(64 << 20)
    }
}

impl<W: Weight> ComponentCounter<W> {
    /// The bytes that the components of the position leave.
    pub fn bytes_left(&self) -> usize {
        self.limit.0.saturating_sub(self.bytes)
    }

    /// The bytes of the components of the position, with the values of the way back.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The bytes of all components that are kept.
    fn kept_bytes(&self) -> usize {
        let values = 2 * self.forward.len() * size_of::<W>();
        values + self.edges.len() * size_of::<Edge>() + self.states.len() * STATE_BYTES
    }

    /// Begins another position. The components of those before it may be forgotten.
    pub fn begin(&mut self) {
        self.bytes = 0;
        if self.kept_bytes() + self.memo.bytes() > KEPT_BYTES {
            self.states.clear();
            self.edges.clear();
            self.layers.clear();
            self.forward.clear();
            self.memo.clear();
        }
    }

    /// The number of layouts of a component by their mines.
    pub fn histogram(&self, counted: &CountedComponent) -> Histogram<'_, W> {
        let last = self.states[counted.last_state];
        let counts = &self.forward[last.values..last.values + last.len as usize];
        Histogram { min_mines: last.first as usize, counts }
    }
}
