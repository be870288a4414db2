//! What replaces exact numbers: the histogram of a component that is too large to count, and the
//! mine density where combining the components exceeds its limit.
//!
//! **Stand-in.** Balanced probabilities give the expected mines of the component under the mine
//! total, with a variance as if its blocks were independent. So the product of the histogram and
//! the weight outside should be a normal distribution around that mean. With one mine more in the
//! component, the weight outside changes by a factor of about (1 - density) / density, for the
//! density of the unconstrained cells; the histogram is divided by this factor.
//!
//! **Density.** With a density in place of the total, components are independent. The density is
//! the one at which the components and the unconstrained cells have all mines on average.
//!
//! Invariant: no entry of a stand-in is zero, from no mine to as many as cells, and no density is 0
//! or 1, so nothing is proven by them.

use crate::kit::elementary::{exp, ln};
use crate::probability::frontier_dp::Histogram;
use crate::probability::mine_total::products::Unconstrained;
use crate::probability::weight::{ExtendedF64, Weight};

/// Bisections for a density, each of which evaluates all histograms.
const BISECTIONS: u32 = 24;

/// What is known of the mines in a component.
pub(super) enum ComponentMines<'a, W> {
    /// Its layouts by their mines.
    Counted(Histogram<'a, W>),
    /// Their expected number by balanced probabilities.
    Expected(f64),
}

impl<W: Weight> ComponentMines<'_, W> {
    /// The mean under a density of the cells outside.
    fn mean(&self, density: f64) -> f64 {
        match self {
            ComponentMines::Expected(mines) => *mines,
            ComponentMines::Counted(Histogram { min_mines, counts }) => {
                *min_mines as f64 + mean_offset(counts, density)
            }
        }
    }
}

/// The expected mines in blocks of these sizes whose cells have these mine probabilities.
pub(super) fn expected_mines(sizes: &[u32], probabilities: &[f64]) -> f64 {
    sizes.iter().zip(probabilities).map(|(&size, &p)| f64::from(size) * p).sum()
}

/// The histogram for blocks of these sizes and probabilities, with its first entry for no mine.
/// `density` is the mine density of the unconstrained cells.
pub(super) fn stand_in<W: Weight>(sizes: &[u32], probabilities: &[f64], density: f64) -> Vec<W> {
    let mean = expected_mines(sizes, probabilities);
    let blocks = sizes.iter().zip(probabilities);
    let variance: f64 = blocks.map(|(&size, &p)| f64::from(size) * p * (1.0 - p)).sum();
    let cells: u32 = sizes.iter().sum();
    let density = density.clamp(0.001, 0.999);
    let slope = ln(density / (1.0 - density));
    let ln_weight = |mines: u32| {
        let deviation = f64::from(mines) - mean;
        -deviation * deviation / (2.0 * variance) - deviation * slope
    };
    let max = (0..=cells).map(ln_weight).fold(f64::NEG_INFINITY, f64::max);
    // At least 1, like every weight inside a component. Weights below e^-400 are raised to it: they
    // could only matter if the other cells outweighed them by as much.
    let weight = |mines| exp((ln_weight(mines) - max + 400.0).max(0.0));
    (0..=cells).map(|mines| W::from_f64(weight(mines))).collect()
}

/// The density at which these components and the unconstrained cells have all mines on average.
pub(super) fn matching_density<W: Weight>(
    components: &[ComponentMines<W>],
    unconstrained: Unconstrained,
) -> f64 {
    let mean_mines = |density: f64| {
        let in_components: f64 = components.iter().map(|mines| mines.mean(density)).sum();
        in_components + density * unconstrained.cells as f64
    };
    // The mean grows with the density.
    let (mut low, mut high) = (1e-6, 1.0 - 1e-6);
    for _ in 0..BISECTIONS {
        let middle = (low + high) / 2.0;
        if mean_mines(middle) < unconstrained.mines_remaining as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
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
