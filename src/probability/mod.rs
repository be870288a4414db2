//! The exact chance of a mine in every hidden cell.

pub mod balance;
pub mod component;
pub mod elimination_order;
pub mod frontier_dp;
pub mod inconsistency;
pub mod mine_probability;
pub mod mine_total;
pub mod sampler;
pub mod solver;
pub mod weight;
