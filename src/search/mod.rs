//! The choice of a cell where none is proven safe.
//!
//! Three methods choose, in this order; each starts from a [`CountedBoard`], a board with the mine
//! probabilities of all cells:
//!
//! 1. The endgame lists all layouts, where few are left, and finds optimal play over them.
//! 2. The guess minimises the risk of this move and the next: the two-ply look-ahead.
//! 3. Rollouts play the rest of the game many times, for the cells whose two-ply costs are close.
//!
//! - [`two_ply`]: what a cell can show, and the risk of the next move after it
//! - [`fifty_fifty`]: the sets that are guessed before any other cell
//! - [`regions`]: the parts of the field whose guesses can wait for the largest
//! - [`guess`]: the candidates, and the one of lowest two-ply cost; the tie-break
//! - [`rollout`]: playouts of the candidates, and the division of the budget among them
//! - [`endgame`]: optimal play over listed layouts, and a table of first moves
//!
//! Invariant: the choice is a hidden cell that may be safe, and depends on nothing but the position
//! and the node limits: random numbers are seeded by the board.
//!
//! Cost: bounded by the caller's [`crate::settings::budget::Budget`]. A method that exceeds it
//! returns the best that it has found, or nothing.

pub mod endgame;
pub mod fifty_fifty;
pub mod guess;
pub mod regions;
pub mod rollout;
pub mod two_ply;

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
