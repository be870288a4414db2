//! The way back along the edges of a counted component: the weight of each block's mines, and
//! random layouts.

use crate::kit::rng::Random;
use crate::probability::frontier_dp::graph::{CountedComponent, Edge, Graph, Layer};
use crate::probability::weight::binomial::binomial;
use crate::probability::weight::{Weight, sample_index};
use crate::settings::budget::Budget;

/// Edges walked back between two checks of the clock.
const EDGES_PER_CLOCK_CHECK: usize = 2000;

/// The backward pass over one component after another, in reused memory.
#[derive(Default)]
pub(super) struct BackwardPass<W> {
    /// For each value of the component, the weight of everything after it.
    values: Vec<W>,
    weight_by_mines: Vec<W>,
}

impl<W: Weight> BackwardPass<W> {
    /// Passes every block to `visit` with its weights by mines in it, from none to all of its
    /// cells; without them from where the hard deadline has passed.
    ///
    /// `outside` has an entry for each of the histogram's: the weight of everything outside the
    /// component when the component has that many mines.
    pub(super) fn distribute(
        &mut self,
        graph: &Graph<W>,
        counted: &CountedComponent,
        outside: &[W],
        budget: &Budget,
        mut visit: impl FnMut(usize, Option<&[W]>),
    ) {
        let first = counted.first_value;
        let last = graph.state(counted.last_state);
        // The values of the last state are the last of the component.
        self.values.clear();
        self.values.resize(last.values - first, W::ZERO);
        self.values.extend_from_slice(outside);
        let (mut edges_since_check, mut is_late) = (0, false);
        for layer in graph.layers(counted).iter().rev() {
            let edges = graph.edges(layer);
            edges_since_check += edges.len();
            if edges_since_check > EDGES_PER_CLOCK_CHECK {
                edges_since_check = 0;
                is_late |= budget.check_clock().is_err();
            }
            if is_late {
                visit(layer.block as usize, None);
                continue;
            }
            self.weight_by_mines.clear();
            self.weight_by_mines.resize(layer.size as usize + 1, W::ZERO);
            for edge in edges {
                let ways = W::from_u64(binomial(layer.size, edge.mines));
                let (from, to) = (graph.state(edge.from as usize), graph.state(edge.to as usize));
                let len = from.len as usize;
                let shift = (from.first + edge.mines - to.first) as usize;
                // The values of a layer are stored before those of the next.
                let (this_layer, next_layer) = self.values.split_at_mut(to.values - first);
                let values = &mut this_layer[from.values - first..][..len];
                let next_values = &next_layer[shift..shift + len];
                let mut weight = W::ZERO;
                for ((value, next), layouts) in
                    values.iter_mut().zip(next_values).zip(graph.values(from))
                {
                    let part = *next * ways;
                    *value = *value + part;
                    weight = weight + part * *layouts;
                }
                let sum = &mut self.weight_by_mines[edge.mines as usize];
                *sum = *sum + weight;
            }
            visit(layer.block as usize, Some(&self.weight_by_mines));
        }
    }
}

/// Draws a layout of a component with `mines` mines, each with equal probability. `visit` gets each
/// block with its number of mines.
///
/// Returns `None` if no layout has as many mines; `visit` may have been called before.
pub(super) fn sample<W: Weight>(
    graph: &Graph<W>,
    counted: &CountedComponent,
    mut mines: u32,
    random: &mut Random,
    mut visit: impl FnMut(usize, u32, &mut Random),
) -> Option<()> {
    let mut state_index = counted.last_state;
    for layer in graph.layers(counted).iter().rev() {
        let state = graph.state(state_index);
        let entry = mines.checked_sub(state.first).filter(|&entry| entry < state.len)?;
        let total = graph.values(state)[entry as usize];
        let edges = graph.edges(layer);
        let layouts = |edge| layouts_along(graph, layer, edge, state_index, mines);
        let weights = edges.iter().map(layouts);
        let edge = edges[sample_index(weights, total, random)?];
        visit(layer.block as usize, edge.mines, random);
        mines -= edge.mines;
        state_index = edge.from as usize;
    }
    Some(())
}

/// The number of layouts with `mines` mines that lead along an edge to the state with index `to`;
/// zero if the edge leads to another state.
#[inline]
fn layouts_along<W: Weight>(
    graph: &Graph<W>,
    layer: &Layer,
    edge: &Edge,
    to: usize,
    mines: u32,
) -> W {
    let from = graph.state(edge.from as usize);
    let entry = mines.checked_sub(edge.mines + from.first).filter(|&entry| entry < from.len);
    match entry {
        Some(entry) if edge.to as usize == to => {
            let ways = W::from_u64(binomial(layer.size, edge.mines));
            graph.values(from)[entry as usize] * ways
        }
        _ => W::ZERO,
    }
}
