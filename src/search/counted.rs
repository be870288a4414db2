//! A position whose layouts have been counted.

use crate::board::Board;
use crate::board::group::Position;
use crate::deduction::deducer::Deducer;
use crate::probability::solver::{Odds, ProbabilitySolver};

/// A board without a safe cell, with all that deduction and counting have found on it.
///
/// `position` was read from `board`; `deducer` has taken it to the fixed point, and then `solver`
/// has computed its odds. The methods of the search borrow this view, so that none of the four can
/// change while they run.
#[derive(Clone, Copy)]
pub struct CountedPosition<'a> {
    /// What every cell shows.
    pub board: &'a Board,
    /// The numbers as groups.
    pub position: &'a Position,
    /// Deduction at its fixed point.
    pub deducer: &'a Deducer,
    /// The solver that counted the layouts.
    pub solver: &'a ProbabilitySolver,
}

impl<'a> CountedPosition<'a> {
    /// The odds of every hidden cell.
    pub fn odds(&self) -> &'a Odds {
        self.solver.odds()
    }
}
