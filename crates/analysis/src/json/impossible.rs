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
    conflicts: Vec<ConflictReport>,
    height: u32,
    /// The number of hidden cells.
    hidden: usize,
    /// The number of mines known or opened.
    hits: u32,
    /// As it was stated; `None` for a field without a mine count.
    minecount: Option<u64>,
    /// As that of [`PositionReport`](super::position::PositionReport).
    version: u32,
    width: u32,
}

/// A reason why no layout fits.
#[derive(Clone, Serialize)]
pub struct ConflictReport {
    /// The open cells whose numbers contradict each other.
    numbers: Vec<Coordinates>,
    text: String,
    /// Whether the number of mines is a part of the contradiction.
    total: bool,
}

impl ImpossibleReport {
    /// A board with its stated mine count, what single numbers and the mine count show, then the
    /// conflicts of several numbers.
    pub fn new(
        board: &Board,
        minecount: Option<u64>,
        reasons: Vec<ConflictReport>,
        conflicts: &[ExplainedContradiction],
    ) -> ImpossibleReport {
        let shape = board.shape();
        let conflicts =
            conflicts.iter().map(|conflict| ConflictReport::of_several(shape, conflict));
        ImpossibleReport {
            conflicts: reasons.into_iter().chain(conflicts).collect(),
            height: shape.rows(),
            hidden: board.hidden_len(),
            hits: board.hits(),
            minecount,
            version: VERSION,
            width: shape.columns(),
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
        ConflictReport { numbers, text: reason.to_string(), total }
    }

    /// A reason of which only the text is known.
    pub fn of_text(text: &str) -> ConflictReport {
        ConflictReport { numbers: Vec::new(), text: text.to_owned(), total: false }
    }

    /// The reason in words.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn of_several(shape: Shape, conflict: &ExplainedContradiction) -> ConflictReport {
        ConflictReport {
            numbers: list_coordinates(shape, &conflict.numbers),
            text: conflict.text.clone(),
            total: conflict.uses_total,
        }
    }
}
