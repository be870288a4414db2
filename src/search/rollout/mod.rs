//! Rollouts: what a guess costs when the rest of the game is played after it.
//!
//! The two-ply look-ahead sees what is lost soon, not what a guess saves later: a cell that must be
//! guessed some time and is an opening is worth more than its odds. So the candidates whose
//! two-ply costs are close are played to the end of the game, over layouts drawn uniformly from all
//! that fit ([`crate::probability::sampler`]); every candidate meets the same layouts.
//!
//! **Variance.** A playout adds up the odds of its guesses, not the mines that it happens to hit.
//! The mean is the same, and the variance is a fraction (results page, R15):
//!
//! - *fewest hits*: the sum of the odds of its guesses. Play continues after a hit.
//! - *clean win*: one minus the product of the probabilities to survive its guesses. Where a guess
//!   hits a mine, the layout is resampled with the cell safe, so that every playout continues. The
//!   new layout is close to the old one (results page, R35).
//!
//! **Policy.** Stronger playouts choose better. Ending a playout with the solved endgame, guessing
//! by two plies where a position is met again, and more candidates each gain (results page, R14).
//!
//! - [`halving`]: sequential halving, which divides the budget among the candidates
//! - [`arm`]: a candidate with its playouts, the posterior of its cost, and elimination
//! - [`playout`]: one playout, with a cache of the positions met
//! - [`policy`]: what a playout does where its rules prove nothing
//! - [`game`]: the simulated game, opened by the rules of one and two numbers
//!
//! Invariant: the choice is one of the candidates and the same for the same board.
//!
//! Source: Karnin, Koren and Somekh, *Almost Optimal Exploration in Multi-Armed Bandits*, 2013.

pub mod arm;
pub mod game;
pub mod halving;
pub mod playout;
pub mod policy;
