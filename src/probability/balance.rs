//! Approximate mine probabilities of a component that is too large to count.
//!
//! Iterative balancing. A cell starts with the probability of a mine if its constraints were
//! independent: 1 less the product of 1 - mines/cells. Then each constraint scales the
//! probabilities of its cells so that they sum to its mines, until every sum is within
//! [`TOLERANCE`].
//!
//! If it converges, the result is the distribution of maximum entropy among those that satisfy the
//! constraints on average. It ignores that each layout satisfies them exactly, with whole mines.
//!
//! Invariant: the probabilities stay off 0 and 1 by [`PROBABILITY_MARGIN`], so they prove nothing.
//! `tests/odds.rs` bounds their distance from the exact ones.
//!
//! Source: iterative proportional fitting. Botzone's players and several public solvers use it as
//! their only estimate; here it is the last resort.

use crate::probability::component::Constraint;
use crate::settings::budget::Budget;
use crate::settings::params::PROBABILITY_MARGIN;

/// The largest difference between the sum of a constraint and its mines after convergence.
pub const TOLERANCE: f64 = 0.01;

/// The rounds after which the constraints are taken to contradict each other.
const MAX_ROUNDS: usize = 1000;

/// The rounds that are computed even if the budget is exhausted.
const MIN_ROUNDS: usize = 3;

/// Writes approximate mine probabilities of a cell of each block to `probabilities`.
///
/// Ends where the constraints contradict each other, or the budget, before the sums match; the
/// probabilities are then a compromise.
///
/// Cost: two nodes for each block of each constraint in a round; a few dozen rounds are typical.
pub fn balance(
    sizes: &[u32],
    constraints: &[Constraint],
    budget: &mut Budget,
    probabilities: &mut Vec<f64>,
) {
    probabilities.clear();
    probabilities.resize(sizes.len(), 1.0);
    for constraint in constraints {
        let cells: u32 = constraint.blocks.iter().map(|&block| sizes[block as usize]).sum();
        let safe = 1.0 - f64::from(constraint.mines) / f64::from(cells);
        for &block in &constraint.blocks {
            probabilities[block as usize] *= safe;
        }
    }
    for probability in probabilities.iter_mut() {
        *probability = (1.0 - *probability).clamp(PROBABILITY_MARGIN, 1.0 - PROBABILITY_MARGIN);
    }
    let nodes: usize = constraints.iter().map(|constraint| 2 * constraint.blocks.len()).sum();
    for round in 0..MAX_ROUNDS {
        if budget.spend(nodes as u64).is_err() && round >= MIN_ROUNDS {
            return;
        }
        let mut max_difference: f64 = 0.0;
        for constraint in constraints {
            let blocks = || constraint.blocks.iter().map(|&block| block as usize);
            let sum: f64 =
                blocks().map(|block| probabilities[block] * f64::from(sizes[block])).sum();
            let mines = f64::from(constraint.mines);
            max_difference = max_difference.max((sum - mines).abs());
            for block in blocks() {
                let scaled = probabilities[block] * mines / sum;
                probabilities[block] = scaled.clamp(PROBABILITY_MARGIN, 1.0 - PROBABILITY_MARGIN);
            }
        }
        if max_difference <= TOLERANCE {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::params::BALANCE_NODES;
    use smallvec::smallvec;

    /// A contradiction is given up after [`MAX_ROUNDS`], and with a spent budget much earlier.
    #[test]
    fn a_contradiction_and_the_budget_end_the_rounds() {
        let constraints = [
            Constraint { blocks: smallvec![0], mines: 1 },
            Constraint { blocks: smallvec![0, 1], mines: 0 },
        ];
        let (nodes, mut probabilities) = (6, Vec::new());
        let mut spent = |limit: u64| {
            let mut budget = Budget::of_nodes(limit);
            balance(&[1, 1], &constraints, &mut budget, &mut probabilities);
            limit - budget.left()
        };
        let all = nodes * MAX_ROUNDS as u64;
        assert_eq!((spent(10 * all), spent(all / 10)), (all, all / 10));
    }

    fn balanced(sizes: &[u32], constraints: &[Constraint]) -> Vec<f64> {
        let mut budget = Budget::of_nodes(BALANCE_NODES);
        let mut probabilities = Vec::new();
        balance(sizes, constraints, &mut budget, &mut probabilities);
        probabilities
    }

    #[test]
    fn sums_match_the_mines_of_the_constraints() {
        let sizes = [1, 2, 1, 3];
        let constraints = [
            Constraint { blocks: smallvec![0, 1], mines: 1 },
            Constraint { blocks: smallvec![1, 2, 3], mines: 3 },
            Constraint { blocks: smallvec![2, 3], mines: 2 },
        ];
        let probabilities = balanced(&sizes, &constraints);
        for constraint in &constraints {
            let sum: f64 = constraint
                .blocks
                .iter()
                .map(|&block| probabilities[block as usize] * f64::from(sizes[block as usize]))
                .sum();
            assert!((sum - f64::from(constraint.mines)).abs() <= 2.0 * TOLERANCE);
        }
    }

    #[test]
    fn the_cells_of_one_constraint_are_equal() {
        let constraint = Constraint { blocks: smallvec![0], mines: 3 };
        let probabilities = balanced(&[8], &[constraint]);
        assert!((probabilities[0] - 0.375).abs() < 1e-9);
    }

    #[test]
    fn a_contradiction_stops_within_the_margins() {
        let constraints = [
            Constraint { blocks: smallvec![0], mines: 1 },
            Constraint { blocks: smallvec![0, 1], mines: 0 },
        ];
        let probabilities = balanced(&[1, 1], &constraints);
        assert!(
            probabilities
                .iter()
                .all(|p| (PROBABILITY_MARGIN..=1.0 - PROBABILITY_MARGIN).contains(p))
        );
    }
}
