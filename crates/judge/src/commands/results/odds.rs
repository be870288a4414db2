//! A measurement of exact odds: the positions, and what computes their odds.
//!
//! Each position is solved [`PASSES`] times, and the best time counts, which other programs on the
//! machine disturb least.

use std::fmt;

use fixtures::odds_positions::PositionSet;

/// How often each position is solved.
pub const PASSES: usize = 3;

/// What is measured of odds.
#[derive(Clone)]
pub struct Odds {
    pub set: &'static PositionSet,
    /// The name of the program that computes them in place of the engine.
    pub program: Option<String>,
}

/// What is measured: two measurements with the same text are of the same positions.
impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(program) = &self.program {
            write!(f, "bot {program}, ")?;
        }
        write!(f, "odds of {} ({})", self.set.name, self.set.checksum())
    }
}
