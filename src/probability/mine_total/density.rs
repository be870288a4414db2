//! The mine density that replaces the total where combining components exceeds its limit.

use crate::probability::component::Partition;
use crate::probability::frontier_dp::Histogram;
use crate::probability::mine_total::chain::ComponentChain;
use crate::probability::mine_total::products::Unconstrained;
use crate::probability::mine_total::stand_in::expected_mines;
use crate::probability::weight::{ExtendedF64, Weight};

/// Bisections, each of which evaluates all histograms.
const STEPS: u32 = 24;

impl<W: Weight> ComponentChain<W> {
    /// The density at which the components and the unconstrained cells hold all mines on average.
    ///
    /// For a component that was not counted, the balanced probabilities give its mines.
    pub(super) fn matching_density(
        &self,
        partition: &Partition,
        unconstrained: Unconstrained,
    ) -> f64 {
        let mean_mines = |density: f64| {
            let in_components: f64 = self
                .links
                .iter()
                .map(|link| {
                    if !link.approximate.is_empty() {
                        let sizes = partition.sizes(&partition.components()[link.component]);
                        return expected_mines(sizes, &link.approximate);
                    }
                    let Histogram { min_mines, counts } = link.histogram(&self.counter);
                    min_mines as f64 + mean_offset(counts, density)
                })
                .sum();
            in_components + density * unconstrained.cells as f64
        };
        // The mean grows with the density.
        let (mut low, mut high) = (1e-6, 1.0 - 1e-6);
        for _ in 0..STEPS {
            let middle = (low + high) / 2.0;
            if mean_mines(middle) < unconstrained.mines_remaining as f64 {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low + high) / 2.0
    }
}

/// The mean index in a histogram when each mine multiplies the weight by the odds of `density`.
fn mean_offset<W: Weight>(counts: &[W], density: f64) -> f64 {
    let odds = ExtendedF64::from_f64(density / (1.0 - density));
    let (mut total, mut mines) = (ExtendedF64::ZERO, ExtendedF64::ZERO);
    let mut power = ExtendedF64::from_u64(1);
    for (k, count) in counts.iter().enumerate() {
        let weight = count.to_extended() * power;
        total = total + weight;
        mines = mines + weight * ExtendedF64::from_u64(k as u64);
        power = power * odds;
    }
    mines.ratio_to(total)
}
