//! The chance to win of a position and of the cells that may be opened next.

use serde::Serialize;

use super::coordinates::{Coordinates, coordinates};
use crate::chance::{Chance, Chances};
use sapper::board::geometry::Shape;
use sapper::settings::params::{Effort, Objective};

/// The chances of a position, or the mines that are to be expected.
#[derive(Serialize)]
pub struct ChanceReport {
    cells: Vec<CellChanceReport>,
    /// Whether the chances are those of best play, and not of playouts.
    exact: bool,
    /// The playouts of each cell.
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
    /// The chances so far; `None` if there are none.
    pub fn new(
        chances: &Chances,
        shape: Shape,
        objective: Objective,
        policy: Effort,
    ) -> Option<ChanceReport> {
        let report = |one: &crate::chance::CellChance| CellChanceReport {
            above_move: one.above_move.mean,
            above_move_within: one.above_move.half_width(),
            better: one.is_better(objective),
            cell: coordinates(shape, one.cell),
            chance: one.chance.mean,
            within: one.chance.half_width(),
        };
        let cells = chances.cells();
        let Chance { playouts, .. } = cells.first()?.chance;
        Some(ChanceReport {
            cells: cells.iter().map(report).collect(),
            exact: playouts == 0,
            playouts,
            policy: policy.name(),
            unit: match objective {
                Objective::CleanWin => "probability to win",
                Objective::FewestHits => "mines",
            },
        })
    }
}
