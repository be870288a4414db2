//! Approximate odds, for a component that is too wide to be counted within the budget.
//!
//! Iterative balancing: a cell starts with the odds that some of its groups, taken as independent,
//! mines it (1 less the product of 1 - mines/cells); then each group scales its cells' odds so that
//! they sum to its mines, again and again until every group's sum is within 0.01 of its mines. Where it converges,
//! this is the distribution of most entropy among those that meet the groups on average; what it
//! misses is that groups must be met exactly, by whole mines.
//!
//! How far it is from the truth is measured by `tests/odds.rs`: over random positions with a frontier,
//! see the README for the figures. It proves nothing: its odds stay off 0 and 1.
//!
//! The method is the one that Botzone's players and several public solvers use as their whole
//! estimate; here it is the last resort.

use crate::base::budget::Budget;
use crate::base::params::PROBABILITY_MARGIN;
use crate::probability::component::Constraint;

/// How near to its mines a group's sum has to come.
pub const TOLERANCE: f64 = 0.01;

/// Rounds after which groups will not converge any more: they contradict each other.
const MOST_ROUNDS: usize = 1000;

/// Rounds that are made even where the budget is spent.
const FEWEST_ROUNDS: usize = 3;

/// Approximate odds of the cells of each block, written to `odds`.
///
/// Returns whether every group's sum came within [`TOLERANCE`] of its mines. Where it did not, the groups
/// contradict each other, or 1,000 rounds or the budget ended first; the odds are then a compromise.
///
/// Cost: a walk over all groups a round, two nodes for each of their blocks; ten to fifty rounds as a
/// rule.
pub fn balance(
    sizes: &[u32],
    constraints: &[Constraint],
    budget: &mut Budget,
    odds: &mut Vec<f64>,
) -> bool {
    let cells_of = |constraint: &Constraint| -> f64 {
        constraint.blocks.iter().map(|&block| f64::from(sizes[block as usize])).sum()
    };
    odds.clear();
    odds.resize(sizes.len(), 1.0);
    for constraint in constraints {
        let safe = 1.0 - f64::from(constraint.mines) / cells_of(constraint);
        for &block in &constraint.blocks {
            odds[block as usize] *= safe;
        }
    }
    for chance in odds.iter_mut() {
        *chance = (1.0 - *chance).clamp(PROBABILITY_MARGIN, 1.0 - PROBABILITY_MARGIN);
    }
    let nodes: usize = constraints.iter().map(|constraint| 2 * constraint.blocks.len()).sum();
    for round in 0..MOST_ROUNDS {
        if budget.spend(nodes as u64).is_err() && round >= FEWEST_ROUNDS {
            return false;
        }
        let mut worst: f64 = 0.0;
        for constraint in constraints {
            let members = || constraint.blocks.iter().map(|&block| block as usize);
            let sum: f64 = members().map(|block| odds[block] * f64::from(sizes[block])).sum();
            let mines = f64::from(constraint.mines);
            worst = worst.max((sum - mines).abs());
            for block in members() {
                odds[block] =
                    (odds[block] * mines / sum).clamp(PROBABILITY_MARGIN, 1.0 - PROBABILITY_MARGIN);
            }
        }
        if worst <= TOLERANCE {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::{Deadlines, NoClock};
    use crate::base::params::BALANCE_NODES;
    use smallvec::smallvec;

    #[test]
    fn sums_come_out_as_the_groups_say() {
        let sizes = [1, 2, 1, 3];
        let constraints = [
            Constraint { blocks: smallvec![0, 1], mines: 1 },
            Constraint { blocks: smallvec![1, 2, 3], mines: 3 },
            Constraint { blocks: smallvec![2, 3], mines: 2 },
        ];
        let mut odds = Vec::new();
        assert!(balance(
            &sizes,
            &constraints,
            &mut Budget::new(BALANCE_NODES, Deadlines::DEFAULT, &NoClock),
            &mut odds
        ));
        for constraint in &constraints {
            let sum: f64 = constraint
                .blocks
                .iter()
                .map(|&block| odds[block as usize] * f64::from(sizes[block as usize]))
                .sum();
            assert!((sum - f64::from(constraint.mines)).abs() <= 2.0 * TOLERANCE);
        }
    }

    #[test]
    fn one_group_is_shared_out_evenly() {
        let mut odds = Vec::new();
        let constraint = Constraint { blocks: smallvec![0], mines: 3 };
        assert!(balance(
            &[8],
            &[constraint],
            &mut Budget::new(BALANCE_NODES, Deadlines::DEFAULT, &NoClock),
            &mut odds
        ));
        assert!((odds[0] - 0.375).abs() < 1e-9);
    }

    #[test]
    fn a_contradiction_ends_and_stays_within_bounds() {
        let constraints = [
            Constraint { blocks: smallvec![0], mines: 1 },
            Constraint { blocks: smallvec![0, 1], mines: 0 },
        ];
        let mut odds = Vec::new();
        assert!(!balance(
            &[1, 1],
            &constraints,
            &mut Budget::new(BALANCE_NODES, Deadlines::DEFAULT, &NoClock),
            &mut odds
        ));
        assert!(
            odds.iter()
                .all(|chance| (PROBABILITY_MARGIN..=1.0 - PROBABILITY_MARGIN).contains(chance))
        );
    }
}
