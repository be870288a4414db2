//! From groups to the exact mine probability of every hidden cell.
//!
//! All layouts that satisfy the numbers and the mine total are equally likely, so the probability
//! of a mine in a cell is the share of the layouts that have one there. Their number is far beyond
//! enumeration. Counting uses three facts: cells in the same groups are interchangeable, groups
//! that share no cells interact through the mine total only, and a component is counted along its
//! frontier, where only the required mines of open constraints matter.
//!
//! ```text
//!         Deduced ──► Partition     blocks of equivalent cells, independent components
//!                           │
//!                     frontier_dp     forward: layouts of a component by mines in it
//!                           │  ▲
//!                           ▼  │      prefix and suffix over the chain of components:
//!                      mine_total     the weight outside of each, by mines in it
//!                           │  │
//!                           │  └──►   backward through frontier_dp: each block by mines in it
//!                           ▼
//!                        solver       Counted: odds of all cells, layouts ──► sampler, search
//! ```
//!
//! Invariants: **a weight is zero if and only if no layout has it**, so odds are exactly 0 or 1 if
//! and only if all layouts agree. **Everything is counted forward and backward**, once each, which
//! serves all cells together. What is too large is refused, marked approximate, and proves nothing.
//!
//! - [`component`]: blocks and components
//! - [`elimination_order`]: the order of the blocks, which keeps the frontier narrow
//! - [`frontier_dp`]: the counts of one component
//! - [`mine_total`]: all components under the mine total
//! - [`mine_probability`]: a probability from weights, with its proof
//! - [`solver`]: computes the [`odds`] of all cells, and repeats in a wider type what an `f64`
//!   cannot hold
//! - [`sampler`]: random layouts
//! - [`balance`]: approximate probabilities of a component that is too large
//! - [`contradictions`]: every reason why a position has no layout
//! - [`weight`]: the number types, with the binomial coefficients
//!
//! Cost: exponential in the open constraints of the widest component, bounded by nodes and memory;
//! quadratic in the number of components whose mines vary.
//!
//! Sources: the transfer-matrix method, as in David Hill's solver; iterative proportional fitting
//! for `balance`.

pub mod balance;
pub mod component;
pub mod contradictions;
pub mod elimination_order;
pub mod frontier_dp;
pub mod mine_probability;
pub mod mine_total;
pub mod odds;
pub mod sampler;
pub mod solver;
pub mod weight;
