//! A random index, drawn in proportion to weights.

use crate::kit::rng::Random;
use crate::probability::weight::Weight;

/// Draws an index of `weights`, each with its weight's share of `total`, the sum up to rounding.
///
/// Returns `None` if `total` is zero; an index whose weight is zero is never drawn.
pub fn sample_index<W: Weight>(
    weights: impl Iterator<Item = W>,
    total: W,
    random: &mut Random,
) -> Option<usize> {
    if total.is_zero() {
        return None;
    }
    let mut remaining = random.next_f64();
    let mut sampled = None;
    for (index, weight) in weights.enumerate().filter(|(_, weight)| !weight.is_zero()) {
        sampled = Some(index);
        remaining -= weight.ratio_to(total);
        if remaining < 0.0 {
            break;
        }
    }
    // A remainder that rounding leaves goes to the last index.
    sampled
}
