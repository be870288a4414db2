//! The memory of all solvers that a decision runs.
//!
//! The engine, the playouts and the analysis each own one [`SolverScratch`] and run the same stages
//! on it. Every stage returns a value that the next takes:
//!
//! ```text
//! Position ─► Deducer ─► Deduced ─► ProbabilitySolver ─► Counted ─► the methods of the search
//! ```
//!
//! Invariant: a result borrows the memory that it lies in, so it cannot outlive the next run.
//!
//! Cost: the buffers keep their capacity from position to position. The counting of a position of
//! the size of an earlier one allocates nothing.

use crate::board::group::Position;
use crate::deduction::groups::deducer::Deducer;
use crate::probability::solver::ProbabilitySolver;
use crate::search::guess::GuessScratch;

/// One of each solver, reused from position to position.
#[derive(Default)]
pub struct SolverScratch {
    /// The groups of the position.
    pub position: Position,
    /// The rules of deduction.
    pub deducer: Deducer,
    /// The counting of what deduction leaves.
    pub solver: ProbabilitySolver,
    /// The candidates of a guess, and the two-ply look-ahead.
    pub guess: GuessScratch,
}
