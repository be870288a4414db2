//! Which cell to open where none is proven safe.

pub mod endgame;
pub mod guess;
pub mod rollout;
pub mod two_ply;
