//! The choice of a cell where none is proven safe.
//!
//! Three methods choose, in this order; each starts from the mine probabilities of all cells:
//!
//! 1. The endgame lists all layouts, where few are left, and finds optimal play over them.
//! 2. The guess minimises the risk of this move and the next: the two-ply look-ahead.
//! 3. Rollouts play the rest of the game many times, for the cells whose two-ply costs are close.
//!
//! - [`counted`]: a position with its probabilities, the input of all methods
//! - [`tie_break`]: the order among cells of equal probability
//! - [`two_ply`]: what a cell can show, and the risk of the next move after it
//! - [`fifty_fifty`]: the sets that are guessed before any other cell
//! - [`regions`]: the parts of the field whose guesses can wait for the largest
//! - [`guess`]: the candidates, and the one of lowest two-ply cost
//! - [`rollout`]: playouts of the candidates, and the division of the budget among them
//! - [`endgame`]: optimal play over listed layouts, and a table of first moves
//! - [`scratch`]: the memory of all solvers, shared by the engine, the playouts and the analysis
//!
//! Invariant: the choice is a hidden cell that may be safe, and depends on nothing but the position
//! and the node limits: random numbers are seeded by the board.
//!
//! Cost: bounded by the caller's [`crate::settings::budget::Budget`]. A method that exceeds it
//! returns the best that it has found, or nothing.

pub mod counted;
pub mod endgame;
pub mod fifty_fifty;
pub mod guess;
pub mod regions;
pub mod rollout;
pub mod scratch;
pub mod tie_break;
pub mod two_ply;
