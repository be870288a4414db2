//! The quantity that play optimizes.

/// The quantity that play optimizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// Minimize the expected number of mines opened; play continues after a hit. Botzone's score.
    #[default]
    FewestHits,
    /// Maximize the probability of opening no mine at all. The classic rules.
    CleanWin,
}
