//! The number of layouts of a position, as a whole number.
//!
//! Counting in floats is exact up to 2^53, which the count of one component hardly ever passes. The
//! components are combined in integers of 128 bits.

use sapper::board::group::Position;
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::component::Partition;
use sapper::probability::frontier_dp::{ComponentCounter, Histogram, Refusal};
use sapper::settings::budget::Budget;

/// From here on an `f64` may be a rounded number.
const INEXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;

/// The number of layouts of `position`, or `None` if a component has 2^53 layouts or more, or an
/// intermediate result passes 2^128.
///
/// # Errors
/// [`Refusal`] when a component is too large, or when there is no layout.
pub fn count_layouts(position: &Position, budget: &mut Budget) -> Result<Option<u128>, Refusal> {
    let mut deducer = Deducer::default();
    let deduced = deducer.run(position, Reach::FixedPoint).map_err(|_| Refusal::NoLayout)?;
    let mut partition = Partition::default();
    partition.split(position.universe, deduced.groups());
    let mut counter = ComponentCounter::<f64>::default();
    // The layouts of the components so far, by their mines.
    let mut by_mines = Some(vec![1_u128]);
    for component in partition.components() {
        counter.begin();
        let counted = counter.count(partition.structure(component), budget)?;
        by_mines = by_mines.and_then(|before| combine(&before, counter.histogram(&counted)));
    }
    let unconstrained = deduced.undecided_len() - partition.cells_len();
    let mines = deduced.mines_left() as usize;
    let total = by_mines.and_then(|by_mines| {
        by_mines.iter().take(mines + 1).enumerate().try_fold(
            0_u128,
            |sum, (in_components, ways)| {
                if *ways == 0 {
                    return Some(sum);
                }
                let others = binomial(unconstrained, mines - in_components)?;
                sum.checked_add(ways.checked_mul(others)?)
            },
        )
    });
    if total == Some(0) { Err(Refusal::NoLayout) } else { Ok(total) }
}

/// The product of two histograms; `None` if an entry is not exact.
fn combine(before: &[u128], histogram: Histogram<f64>) -> Option<Vec<u128>> {
    let Histogram { min_mines, counts } = histogram;
    let mut after = vec![0_u128; before.len() + min_mines + counts.len() - 1];
    for (k, ways) in before.iter().enumerate() {
        for (offset, &count) in counts.iter().enumerate() {
            if count >= INEXACT {
                return None;
            }
            let sum = &mut after[k + min_mines + offset];
            *sum = sum.checked_add(ways.checked_mul(count as u128)?)?;
        }
    }
    Some(after)
}

/// C(n, k); `None` if an intermediate result passes 2^128.
fn binomial(n: usize, k: usize) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    (0..k.min(n - k))
        .try_fold(1_u128, |ways, i| Some(ways.checked_mul((n - i) as u128)? / (i as u128 + 1)))
}
