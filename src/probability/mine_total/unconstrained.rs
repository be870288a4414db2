//! The undecided cells outside all components.

use crate::board::group::{Outside, Position};
use crate::deduction::deducer::Deducer;
use crate::probability::component::Partition;

/// The undecided cells that no group contains, and the mines that they share with the components.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unconstrained {
    /// The number of these cells.
    pub cells: usize,
    /// The mines in these cells and in the components together.
    pub mines_remaining: usize,
    /// What determines the mines in these cells.
    pub outside: Outside,
}

impl Unconstrained {
    /// What is left of `position` outside of `partition`, the components of the deducer's groups.
    pub fn new(position: &Position, deducer: &Deducer, partition: &Partition) -> Unconstrained {
        let decided = deducer.safe().len() + deducer.mines().len();
        Unconstrained {
            cells: position.hidden.len() - partition.cells_len() - decided,
            mines_remaining: deducer.mines_left() as usize,
            outside: position.outside,
        }
    }
}
