//! Why no layout fits a position.

use serde::Serialize;

use super::VERSION;
use super::coordinates::{Coordinates, list_coordinates};
use crate::contradictions::ExplainedContradiction;
use sapper::board::Board;
use sapper::board::contradiction::Contradiction;
use sapper::board::geometry::Shape;

/// A position that no layout fits.
#[derive(Serialize)]
pub struct ImpossibleReport {
    /// As that of [`PositionReport`](super::position::PositionReport).
    version: u32,
    height: u32,
    width: u32,
    minecount: u32,
    /// The number of mines known or opened.
    hits: u32,
    /// The number of hidden cells.
    hidden: usize,
    conflicts: Vec<ConflictReport>,
}

/// A reason why no layout fits.
#[derive(Serialize)]
pub struct ConflictReport {
    text: String,
    /// The open cells whose numbers contradict each other.
    numbers: Vec<Coordinates>,
    /// Whether the number of mines is a part of the contradiction.
    total: bool,
}

impl ImpossibleReport {
    /// A board, with what single numbers and the mine count show, then the conflicts of several
    /// numbers.
    pub fn new(
        board: &Board,
        reasons: Vec<ConflictReport>,
        conflicts: &[ExplainedContradiction],
    ) -> ImpossibleReport {
        let shape = board.shape();
        let conflicts =
            conflicts.iter().map(|conflict| ConflictReport::of_several(shape, conflict));
        ImpossibleReport {
            version: VERSION,
            height: shape.rows(),
            width: shape.columns(),
            minecount: board.mines(),
            hits: board.hits(),
            hidden: board.hidden_len(),
            conflicts: reasons.into_iter().chain(conflicts).collect(),
        }
    }
}

impl ConflictReport {
    /// What a single number or the mine count shows.
    pub fn of_one(reason: &Contradiction) -> ConflictReport {
        let (numbers, total) = match *reason {
            Contradiction::Number { place, .. } => (vec![[place.row, place.column]], false),
            _ => (Vec::new(), true),
        };
        ConflictReport { text: reason.to_string(), numbers, total }
    }

    /// A reason of which only the text is known.
    pub fn of_text(text: &str) -> ConflictReport {
        ConflictReport { text: text.to_owned(), numbers: Vec::new(), total: false }
    }

    fn of_several(shape: Shape, conflict: &ExplainedContradiction) -> ConflictReport {
        ConflictReport {
            text: conflict.text.clone(),
            numbers: list_coordinates(shape, &conflict.numbers),
            total: conflict.uses_total,
        }
    }
}
