//! An analysis as types that are written as JSON: each field is a key.
//!
//! `judge explain --json` and the page show a [`position::PositionReport`], and the judge's guide
//! documents its keys. A change that a reader of it would notice raises [`VERSION`]; new keys do
//! not.
//!
//! - [`coordinates`]: how a cell is written
//! - [`odds`]: the odds of all cells, and what follows from them without a proof
//! - [`decision`]: the move, the candidates of a guess, the cells of an endgame
//! - [`proof`]: proofs and their steps
//! - [`cell`]: one cell, its proof and its outcomes
//! - [`chance`]: the chance to win, by cells
//! - [`position`]: all of it
//! - [`impossible`]: why no layout fits
//!
//! Invariant: the keys of an object are in alphabetical order, so that a key is found at a glance;
//! only the cell that was asked about comes last.

pub mod cell;
pub mod chance;
pub mod coordinates;
pub mod decision;
pub mod exact_number;
pub mod impossible;
pub mod odds;
pub mod position;
pub mod proof;

/// The version of the shape of these types.
pub const VERSION: u32 = 1;
