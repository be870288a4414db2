//! Exact counting of one component: how many layouts it has with k mines, for every k.
//!
//! Dynamic programming along the frontier. The blocks are taken in the order of an
//! [`EliminationOrder`](crate::probability::elimination_order::EliminationOrder). After each block,
//! a *state* is the number of mines that every open constraint still requires; ways that lead to
//! the same state are merged. Each state has a *histogram*: entry k is the number of layouts of the
//! blocks taken so far with k mines in them.
//!
//! - `graph` holds the states, the edges between them and their histograms. The last state has the
//!   histogram of the component.
//! - `forward` makes the graph of a component; `state_table` finds equal states.
//! - `backward` starts with the weight of everything outside the component and walks the same edges
//!   back. It gives, for each block and each j, the weight of all layouts with j mines in the
//!   block. Random layouts are drawn along the edges back, too.
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
mod graph;
mod memo;
mod state_table;

use crate::kit::rng::Random;
use crate::probability::component::Structure;
use crate::probability::frontier_dp::backward::BackwardPass;
use crate::probability::frontier_dp::forward::{ForwardPass, MemoryUse};
use crate::probability::frontier_dp::graph::Graph;
use crate::probability::frontier_dp::memo::Memo;
use crate::probability::weight::Weight;
use crate::settings::budget::Budget;

pub use crate::probability::frontier_dp::forward::{EDGE_NODES, Refusal};
pub use crate::probability::frontier_dp::graph::{CountedComponent, Histogram};

/// The bytes of components kept from position to position. More are met again only rarely (results
/// page, R28).
const KEPT_BYTES: usize = 4 << 20;

/// A limit on the bytes of all components of a position together, small buffers excluded. Buffers
/// grow by doubling, so up to twice as much may be allocated.
#[derive(Clone, Copy)]
pub struct ByteLimit(pub usize);

impl Default for ByteLimit {
    fn default() -> ByteLimit {
        ByteLimit(64 << 20)
    }
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

/// Counts the components of one position after another, and keeps all of a position.
///
/// Those of the positions before it are kept too, up to `KEPT_BYTES`, and found again (module
/// `memo`). A component that is found is charged the nodes and the memory of its count, so that no
/// result depends on what is kept.
#[derive(Default)]
pub struct ComponentCounter<W> {
    graph: Graph<W>,
    forward: ForwardPass,
    backward: BackwardPass<W>,
    memo: Memo<Known>,
    /// The limit of the components of a position.
    limit: ByteLimit,
    /// The bytes of the components of the position.
    bytes: usize,
}

impl<W: Weight> ComponentCounter<W> {
    /// The limit of the components of a position.
    pub fn limit(&self) -> ByteLimit {
        self.limit
    }

    /// Sets the limit of the components of a position.
    pub fn set_limit(&mut self, limit: ByteLimit) {
        self.limit = limit;
    }

    /// The bytes that the components of the position leave.
    pub fn bytes_left(&self) -> usize {
        self.limit.0.saturating_sub(self.bytes)
    }

    /// The bytes of the components of the position, with the values of the way back.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Begins another position. The components of those before it may be forgotten.
    pub fn begin(&mut self) {
        self.bytes = 0;
        if self.graph.bytes() + self.memo.bytes() > KEPT_BYTES {
            self.graph.clear();
            self.memo.clear();
        }
    }

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
        let bytes_left = self.bytes_left();
        let fits = |known: &&Known| known.nodes <= budget.left() && known.peak_bytes <= bytes_left;
        if let Some(known) = self.memo.get(component).filter(fits) {
            budget.spend(known.nodes).map_err(|_| Refusal::TooLarge)?;
            self.bytes += known.bytes;
            return known.counted.clone();
        }
        let ComponentCounter { graph, forward, .. } = self;
        let (nodes_before, bytes_before) = (budget.used(), graph.bytes());
        let mut memory = MemoryUse::begin(graph, bytes_left);
        let counted = forward.count(component, graph, &mut memory, budget);
        let bytes = graph.bytes() - bytes_before;
        self.bytes += bytes;
        if counted != Err(Refusal::TooLarge) && self.memo.bytes() < KEPT_BYTES {
            let (nodes, counted) = (budget.used() - nodes_before, counted.clone());
            let known = Known { counted, nodes, bytes, peak_bytes: memory.peak() };
            self.memo.insert(component, known);
        }
        counted
    }

    /// The number of layouts of a component by their mines.
    pub fn histogram(&self, counted: &CountedComponent) -> Histogram<'_, W> {
        self.graph.histogram(counted)
    }

    /// Passes every block to `visit` with its weights by mines in it, from none to all of its
    /// cells; without them from where the hard deadline has passed.
    ///
    /// `outside` has an entry for each of the histogram's: the weight of everything outside the
    /// component when the component has that many mines. Only the clock of `budget` is used: the
    /// forward pass has paid the nodes.
    pub fn distribute(
        &mut self,
        counted: &CountedComponent,
        outside: &[W],
        budget: &Budget,
        visit: impl FnMut(usize, Option<&[W]>),
    ) {
        self.backward.distribute(&self.graph, counted, outside, budget, visit);
    }

    /// Draws a layout with `mines` mines, each with equal probability. `visit` gets each block with
    /// its number of mines.
    ///
    /// Returns `None` if no layout has as many mines; `visit` may have been called before.
    pub fn sample(
        &self,
        counted: &CountedComponent,
        mines: u32,
        random: &mut Random,
        visit: impl FnMut(usize, u32, &mut Random),
    ) -> Option<()> {
        backward::sample(&self.graph, counted, mines, random, visit)
    }
}
