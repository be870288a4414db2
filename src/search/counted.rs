//! A board whose layouts have been counted: the input of every method of the search.

use crate::board::Board;
use crate::board::group::Position;
use crate::deduction::deduced::Deduced;
use crate::probability::odds::Odds;
use crate::probability::solver::Counted;

/// A board without a safe cell, and what deduction and counting have found on it.
#[derive(Clone, Copy)]
pub struct CountedBoard<'a> {
    /// What every cell shows.
    pub board: &'a Board,
    /// The position that was read from the board, with its odds.
    pub counted: Counted<'a>,
}

impl<'a> CountedBoard<'a> {
    /// The numbers as groups.
    pub fn position(&self) -> &'a Position {
        self.counted.position()
    }

    /// What deduction found.
    pub fn deduced(&self) -> Deduced<'a> {
        self.counted.deduced()
    }

    /// The odds of every hidden cell.
    pub fn odds(&self) -> &'a Odds {
        self.counted.odds()
    }
}
