//! What a game is played for.

/// What is played for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// The least expected number of mines opened; play continues after a hit. Botzone's score.
    #[default]
    FewestHits,
    /// The best chance to open no mine at all. The classic rules.
    CleanWin,
}
