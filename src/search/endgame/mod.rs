//! Optimal play over all layouts that are left.
//!
//! Where the layouts are few enough to be listed, play is optimised over them: opening a cell
//! splits the layouts by what it shows, and the cost of a set of layouts follows from the costs of
//! its parts. What was opened before matters only by the set that it left. Costs are counted in
//! layouts:
//!
//! ```text
//! cost(S) = 0                                              where S has one layout
//!         = sum over v of cost(S where c shows v)          where some cell c is safe in all of S
//!                                                          and shows different numbers
//!         = min over c of mines(c in S) + sum over v of cost(S where c shows v)
//! ```
//!
//! Under *fewest hits* v includes the mine, and the cost is the number of mines opened, summed over
//! the layouts. Under *clean win* a layout with a mine there is lost and costs nothing more: the
//! cost is the number of layouts lost. Both are integers, so no floats are compared.
//!
//! - [`layouts`]: the list of layouts, and what each cell shows in each
//! - [`symmetry`]: the mirrors and turns of the undecided cells
//! - `passes`: the best cell, by passes over the whole list; `search`: the search below the root
//! - `universe`: layouts as bits, 64 at a time; `scan`: the cells of a set, and how they split it
//! - `set_table`: keys of sets, equal for sets that are images of each other, and bounds on their
//!   costs
//! - [`opening_table`]: first moves of tiny fields, computed beforehand
//!
//! The slow twin is in `tests/endgame.rs`: the same recursion in its plainest form.
//! `examples/optimum` has another, for whole fields.
//!
//! Cost: a node is one value of one cell in a word of up to 64 layouts. The depth of the recursion
//! is at most the number of cells, which [`layouts::MAX_CELLS`] bounds.

pub mod layouts;
pub mod opening_table;
mod passes;
mod scan;
mod search;
mod set_table;
pub mod symmetry;
mod universe;

pub use self::passes::{Solution, solve, solve_counted};
