//! The histogram of a component that is too large to count.
//!
//! Balanced probabilities give the expected mines of the component under the mine total, with a
//! variance as if its blocks were independent. So the product of the histogram and the weight
//! outside should be a normal distribution around that mean. With one mine more in the component,
//! the weight outside changes by a factor of about (1 - density) / density, for the density of the
//! unconstrained cells; the histogram is divided by this factor.
//!
//! Invariant: no entry is zero, from no mine to as many as cells, so nothing is proven by it.

use crate::kit::elementary::{exp, ln};
use crate::probability::weight::Weight;

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
