//! The chance to win of a position and of the cells that may be opened next.

use serde::Serialize;

use super::coordinates::{Coordinates, coordinates};
use crate::chance::CellChance;
use sapper::board::geometry::Shape;
use sapper::settings::params::{Effort, Objective};

/// The chances of a position, or the mines that are to be expected.
#[derive(Serialize)]
pub struct ChanceReport {
    cells: Vec<CellChanceReport>,
    /// Whether the chance of the move is that of best play, and not of playouts.
    exact: bool,
    /// The playouts of each cell; 0 where all chances are exact.
    playouts: usize,
    /// The effort of the engine that plays on.
    policy: &'static str,
    /// What a chance is: `probability to win`, or `mines`.
    unit: &'static str,
}

/// The chance by one cell.
#[derive(Serialize)]
struct CellChanceReport {
    /// The chance above that of the move, and half the width of its 95 % interval.
    above_move: f64,
    above_move_within: f64,
    /// Whether the cell is better than the move by more than chance explains.
    better: bool,
    cell: Coordinates,
    chance: f64,
    /// Half the width of the 95 % interval; 0 if it is exact.
    within: f64,
}

impl ChanceReport {
    /// These chances, that of the move first, where the engine of this effort plays on; `None` if
    /// there are none.
    pub fn new(
        cells: &[CellChance],
        shape: Shape,
        objective: Objective,
        policy: Effort,
    ) -> Option<ChanceReport> {
        let report = |one: &CellChance| CellChanceReport {
            above_move: one.above_move.mean,
            above_move_within: one.above_move.half_width(),
            better: one.is_better(objective),
            cell: coordinates(shape, one.cell),
            chance: one.chance.mean,
            within: one.chance.half_width(),
        };
        let is_exact = cells.first()?.chance.playouts == 0;
        Some(ChanceReport {
            cells: cells.iter().map(report).collect(),
            exact: is_exact,
            playouts: cells.iter().map(|one| one.chance.playouts).max().unwrap_or(0),
            policy: policy.name(),
            unit: unit(objective),
        })
    }
}

/// What a chance is.
pub fn unit(objective: Objective) -> &'static str {
    match objective {
        Objective::CleanWin => "probability to win",
        Objective::FewestHits => "mines",
    }
}
