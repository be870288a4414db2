//! A turn of a recorded game in one line.

use crate::analysis::notation::percent;
use crate::base::text::pluralize;
use crate::board::Board;
use crate::referee::record::Record;

/// What the caption of a turn with a legal answer says.
pub(super) struct AnsweredTurn<'a> {
    /// The turn.
    pub(super) turn: usize,
    /// The cell that the answer opens.
    pub(super) cell: String,
    /// The step by which it is found.
    pub(super) kind: &'a str,
    /// The cell's odds, if they are known.
    pub(super) odds: Option<f64>,
    /// Whether the cell was a mine.
    pub(super) hit: bool,
    /// The number of cells that the answer opened.
    pub(super) opened: usize,
}

impl AnsweredTurn<'_> {
    /// The caption.
    pub(super) fn caption(&self) -> String {
        let AnsweredTurn { turn, cell, kind, .. } = self;
        let odds = match self.odds {
            None => String::new(),
            Some(1.0) => return format!("Turn {turn}: {cell} opened, a proven mine"),
            Some(0.0) => ", safe".to_owned(),
            Some(odds) => format!(", {} a mine", percent(odds)),
        };
        let result = match self.opened {
            _ if self.hit => " - A MINE".to_owned(),
            cells if cells > 1 => format!(" - opens {cells} cells"),
            _ => String::new(),
        };
        format!("Turn {turn}: {cell} by {kind}{odds}{result}")
    }
}

/// The caption of the end of the game, which comes after `turn` turns.
pub(super) fn end_caption(record: &Record, turn: usize, board: &Board) -> String {
    let hits = pluralize(board.hits(), "mine", "mines");
    let output = &record.log[2 * turn]["output"];
    let score =
        output["content"]["0"].as_f64().map_or("none".to_owned(), |score| format!("{score:.2}"));
    let cause =
        if output["display"]["msg"] == "INVALIDMOVE" { "an illegal answer" } else { "the end" };
    format!("After {}: {cause}, score {score}, {hits} opened", pluralize(turn, "turn", "turns"))
}
