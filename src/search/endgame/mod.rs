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
//! - `keys`: hashes of sets of layouts, equal for sets that are images of each other
//! - `bounds`: what is known of the cost of a set
//! - `search`: the public face and the state of the search; `passes`, `sets`, `cells` and `parts`:
//!   the search from the root down
//! - [`opening_table`]: first moves of tiny fields, computed beforehand
//!
//! The slow twin is in `tests/endgame.rs`: the same recursion in its plainest form.
//! `examples/optimum` has another, for whole fields.
//!
//! Cost: a node is one value of one cell in one layout. The depth of the recursion is at most the
//! number of cells, which [`layouts::MAX_CELLS`] bounds.

mod bounds;
mod cells;
mod keys;
pub mod layouts;
pub mod opening_table;
mod parts;
mod passes;
mod search;
mod sets;
mod solution;
pub mod symmetry;

pub use self::search::{solve, solve_counted};
pub use self::solution::Solution;
