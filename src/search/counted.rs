//! A board whose layouts have been counted: the input of every method of the search.

use crate::board::Board;
use crate::probability::solver::Counted;

/// A board without a safe cell, and what deduction and counting have found on it.
#[derive(Clone, Copy)]
pub struct CountedBoard<'a> {
    /// What every cell shows.
    pub board: &'a Board,
    /// The position that was read from the board, with its odds.
    pub counted: Counted<'a>,
}
