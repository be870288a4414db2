//! The backward pass: the weight of each block's mines, given the weight outside the component.

use crate::probability::frontier_dp::{ComponentCounter, CountedComponent};
use crate::probability::weight::Weight;
use crate::probability::weight::binomial::binomial;
use crate::settings::budget::Budget;

/// Edges walked back between two checks of the clock.
const EDGES_PER_CLOCK_CHECK: usize = 2000;

impl<W: Weight> ComponentCounter<W> {
    /// Passes every block to `visit` with its weights by mines in it, from none to all of its
    /// cells; without them from where the hard deadline has passed.
    ///
    /// `outside` has an entry for each of the histogram's: the weight of everything outside the
    /// component when the component holds that many mines. Only the clock of `budget` is used: the
    /// forward pass has paid the nodes.
    pub fn distribute(
        &mut self,
        counted: &CountedComponent,
        outside: &[W],
        budget: &Budget,
        mut visit: impl FnMut(usize, Option<&[W]>),
    ) {
        let first = counted.first_value;
        let last = self.states[counted.last_state];
        // The values of the last state are the last of the component.
        self.backward.clear();
        self.backward.resize(last.values - first, W::ZERO);
        self.backward.extend_from_slice(outside);
        let (mut edges_since_check, mut is_late) = (0, false);
        for layer in self.layers[counted.layers.clone()].iter().rev() {
            edges_since_check += layer.edges.len();
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
            for edge in &self.edges[layer.edges.clone()] {
                let ways = W::from_u64(binomial(layer.size, edge.mines));
                let (from, to) = (self.states[edge.from as usize], self.states[edge.to as usize]);
                let len = from.len as usize;
                let shift = (from.first + edge.mines - to.first) as usize;
                // The values of a layer are stored before those of the next.
                let (this_layer, next_layer) = self.backward.split_at_mut(to.values - first);
                let values = &mut this_layer[from.values - first..][..len];
                let next_values = &next_layer[shift..shift + len];
                let layouts = &self.forward[from.values..from.values + len];
                let mut weight = W::ZERO;
                for ((value, next), layouts) in values.iter_mut().zip(next_values).zip(layouts) {
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
