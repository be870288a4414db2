//! A random layout of a counted component, drawn along the edges back.

use crate::kit::rng::Random;
use crate::probability::frontier_dp::{ComponentCounter, CountedComponent};
use crate::probability::weight::binomial::binomial;
use crate::probability::weight::{Weight, sample_index};

impl<W: Weight> ComponentCounter<W> {
    /// Draws a layout with `mines` mines, each with equal probability. `visit` gets each block with
    /// its number of mines.
    ///
    /// Returns `None` if no layout has as many mines; `visit` may have been called before.
    pub fn sample(
        &self,
        counted: &CountedComponent,
        mut mines: u32,
        random: &mut Random,
        mut visit: impl FnMut(usize, u32, &mut Random),
    ) -> Option<()> {
        let mut state_index = counted.last_state;
        for layer in self.layers[counted.layers.clone()].iter().rev() {
            let state = self.states[state_index];
            let entry = mines.checked_sub(state.first).filter(|&entry| entry < state.len)?;
            let total = self.forward[state.values + entry as usize];
            let edges = &self.edges[layer.edges.clone()];
            let weights = edges.iter().map(|edge| {
                let from = self.states[edge.from as usize];
                let entry = mines.checked_sub(edge.mines + from.first);
                match entry.filter(|&entry| edge.to as usize == state_index && entry < from.len) {
                    Some(entry) => {
                        let ways = W::from_u64(binomial(layer.size, edge.mines));
                        self.forward[from.values + entry as usize] * ways
                    }
                    None => W::ZERO,
                }
            });
            let edge = edges[sample_index(weights, total, random)?];
            visit(layer.block as usize, edge.mines, random);
            mines -= edge.mines;
            state_index = edge.from as usize;
        }
        Some(())
    }
}
