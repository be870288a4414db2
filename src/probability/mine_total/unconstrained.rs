//! The undecided cells outside all components.

use crate::board::group::Outside;
use crate::deduction::groups::deduced::Deduced;
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
    /// The cells outside of `partition`, the components of the groups of `deduced`.
    pub fn new(deduced: Deduced, partition: &Partition) -> Unconstrained {
        Unconstrained {
            cells: deduced.undecided_len() - partition.cells_len(),
            mines_remaining: deduced.mines_left() as usize,
            outside: deduced.position().outside,
        }
    }
}
