//! An arm of the sequential halving: a candidate, its playouts, and the posterior of its cost.
//!
//! The two-ply costs are the prior. The difference of two candidates is normal around their two-ply
//! difference, with the standard deviation
//! [`RolloutLimits::prior_std`](crate::settings::params::RolloutLimits::prior_std); the mean
//! difference of their playouts moves it as far as the number of playouts allows.
//!
//! Invariant: entry *i* of the costs of every arm belongs to the same layout, so differences are
//! paired.

use crate::kit::elementary::power;
use crate::search::guess::Candidate;
use crate::settings::params::Objective;

/// The typical variance of the cost difference of two candidates in one playout. It is added to the
/// observed variance with the weight of [`PRIOR_GAMES`] playouts.
const PRIOR_VARIANCE: f64 = 0.04;
const PRIOR_GAMES: f64 = 16.0;

/// A candidate is eliminated if it is behind the best by this many standard deviations.
const ELIMINATION_SIGMAS: f64 = 3.0;

/// A candidate and its playouts.
pub struct Arm {
    /// The candidate.
    pub candidate: Candidate,
    /// The cost of each playout.
    pub costs: Vec<f64>,
    /// The posterior of the cost difference to the reference arm: its mean and its standard
    /// deviation.
    posterior_gap: f64,
    posterior_std: f64,
}

impl Arm {
    /// An arm without playouts.
    pub fn new(candidate: Candidate) -> Arm {
        Arm { candidate, costs: Vec::new(), posterior_gap: 0.0, posterior_std: 0.0 }
    }
}

/// Sorts the arms by the posterior of their costs, the best first, and returns how many of them
/// stay: the better half, without those eliminated.
pub fn halve(arms: &mut [Arm], objective: Objective, prior_std: f64) -> usize {
    let len = arms.len();
    let Some(reference) = arms.first() else { return 0 };
    let (candidate, reference) = (reference.candidate, reference.costs.clone());
    if reference.is_empty() {
        return len.div_ceil(2);
    }
    // A two-ply loss matters only in the games that are not lost later anyway.
    let scale = match objective {
        Objective::FewestHits => 1.0,
        Objective::CleanWin => 1.0 - reference.iter().sum::<f64>() / reference.len() as f64,
    };
    for arm in arms.iter_mut().filter(|arm| arm.candidate.cell != candidate.cell) {
        let expected = scale * (arm.candidate.cost - candidate.cost);
        let (observed, variance) = paired_difference(&arm.costs, &reference);
        let trust = prior_std * prior_std / (prior_std * prior_std + variance);
        (arm.posterior_gap, arm.posterior_std) = if trust > 0.0 {
            (expected + trust * (observed - expected), (trust * variance).sqrt())
        } else {
            (expected, prior_std)
        };
    }
    (arms[0].posterior_gap, arms[0].posterior_std) = (0.0, 0.0);
    arms.sort_by(|a, b| a.posterior_gap.total_cmp(&b.posterior_gap));
    let (best, others) = (&arms[0], &arms[1..len.div_ceil(2)]);
    // No `hypot`: its result differs between machines.
    let squared_std =
        |arm: &Arm| arm.posterior_std * arm.posterior_std + best.posterior_std * best.posterior_std;
    let is_active = |arm: &Arm| {
        arm.posterior_gap <= best.posterior_gap + ELIMINATION_SIGMAS * squared_std(arm).sqrt()
    };
    others.iter().rposition(is_active).map_or(1, |last| last + 2)
}

/// The mean of the differences of two lists and the variance of that mean; infinite for empty
/// lists.
///
/// A few playouts may agree by chance, so the variance is estimated as if [`PRIOR_GAMES`] more with
/// [`PRIOR_VARIANCE`] had been observed.
fn paired_difference(a: &[f64], b: &[f64]) -> (f64, f64) {
    let differences = || a.iter().zip(b).map(|(a, b)| a - b);
    let count = differences().count() as f64;
    if count < 1.0 {
        return (0.0, f64::INFINITY);
    }
    let mean = differences().sum::<f64>() / count;
    let squares = differences().map(|difference| power(difference - mean, 2)).sum::<f64>();
    (mean, (squares + PRIOR_GAMES * PRIOR_VARIANCE) / (count - 1.0 + PRIOR_GAMES) / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::Cell;

    fn arm(index: u32, two_ply_cost: f64, costs: Vec<f64>) -> Arm {
        let cell = Cell::from_index(index);
        let candidate = Candidate { cell, odds: 0.1, cost: two_ply_cost };
        Arm { costs, ..Arm::new(candidate) }
    }

    #[test]
    fn the_variance_of_few_equal_playouts_is_not_zero() {
        assert_eq!(paired_difference(&[], &[]), (0.0, f64::INFINITY));
        let (mean, variance) = paired_difference(&[0.3], &[0.1]);
        assert!((mean - 0.2).abs() < 1e-12 && (variance - 0.04).abs() < 1e-12);
        // Four equal ones beside sixteen of the prior variance; then four different ones.
        let (mean, variance) = paired_difference(&[0.5; 4], &[0.25; 4]);
        assert!((mean - 0.25).abs() < 1e-12 && (variance - 0.64 / 19.0 / 4.0).abs() < 1e-12);
        let (mean, variance) = paired_difference(&[0.0, 0.0, 1.0, 1.0], &[0.0; 4]);
        assert!((mean - 0.5).abs() < 1e-12 && (variance - 1.64 / 19.0 / 4.0).abs() < 1e-12);
    }

    #[test]
    fn playouts_move_the_prior_as_far_as_their_number_allows() {
        // The second arm costs 0.05 more by two plies, and 0.4 less in every playout.
        let best_of = |objective, games: usize, (first, second): (f64, f64)| {
            let mut arms = [arm(0, 0.2, vec![first; games]), arm(1, 0.25, vec![second; games])];
            halve(&mut arms, objective, 0.03);
            arms[0].candidate.cell.index()
        };
        use Objective::{CleanWin, FewestHits};
        for (objective, games, best) in [
            (FewestHits, 1, 0),
            (FewestHits, 1000, 1),
            (CleanWin, 1, 0),
            (CleanWin, 1000, 1),
            // Half of the games are lost anyway, so that the prior difference is halved.
            (FewestHits, 3, 0),
            (CleanWin, 3, 1),
        ] {
            assert_eq!(best_of(objective, games, (0.5, 0.1)), best, "{objective:?} {games}");
            // Playouts that agree with the prior change nothing.
            assert_eq!(best_of(objective, games, (0.1, 0.5)), 0, "{objective:?} {games}");
        }
    }

    #[test]
    fn arms_that_are_certainly_worse_are_eliminated() {
        let left = |costs: &[f64]| {
            let arms = (0..).zip(costs).map(|(index, &cost)| arm(index, 0.1, vec![cost; 1000]));
            halve(&mut arms.collect::<Vec<_>>(), Objective::FewestHits, 0.03)
        };
        // The better half, of an odd number the larger one.
        assert_eq!(left(&[0.5; 8]), 4);
        assert_eq!(left(&[0.5; 5]), 3);
        assert_eq!(left(&[0.5; 2]), 1);
        // A thousand playouts of the prior variance: one standard deviation is under 0.001.
        assert_eq!(left(&[0.5, 0.4, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5]), 2);
        assert_eq!(left(&[0.4, 0.5, 0.5, 0.5, 0.5, 0.5]), 1);
        assert_eq!(left(&[0.4, 0.401, 0.5, 0.5, 0.5, 0.5]), 2);
    }
}
