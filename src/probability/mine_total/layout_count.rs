//! The number of layouts of a position, in integers.

use crate::base::budget::Budget;
use crate::board::group::Position;
use crate::deduction::deducer::{Deducer, Reach};
use crate::probability::component::Partition;
use crate::probability::frontier_dp::Refusal;
use crate::probability::mine_total::chain::ComponentChain;
use crate::probability::mine_total::unconstrained::Unconstrained;
use crate::probability::weight::{ExactCount, Weight};

/// The number of layouts of `position`, or `None` if it, or an intermediate result, passes 2^128.
///
/// # Errors
/// [`Refusal`] when a component is too large, or when there is no layout.
pub fn count_layouts(position: &Position, budget: &mut Budget) -> Result<Option<u128>, Refusal> {
    let mut deducer = Deducer::new();
    let deduced = deducer.run(position, Reach::FixedPoint).map_err(|_| Refusal::NoLayout)?;
    let mut partition = Partition::default();
    partition.split(position.universe, deduced.groups());
    let unconstrained = Unconstrained::new(deduced, &partition);
    let mut chain = ComponentChain::<ExactCount>::default();
    chain.count_components(&partition, unconstrained, budget);
    if let Some(refusal) = chain.links.iter().find_map(|link| link.counted.as_ref().err()) {
        return Err(*refusal);
    }
    if chain.compute_products(unconstrained).is_err() {
        return Ok(None);
    }
    match chain.products.total() {
        total if total.is_zero() => Err(Refusal::NoLayout),
        total => Ok(total.0),
    }
}
