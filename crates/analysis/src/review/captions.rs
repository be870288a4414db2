//! A turn of a recorded game in one line.

use crate::notation::percent;

/// The turn, with the time of a person's click in milliseconds: `Turn 3 (1.250 s)`.
pub(super) fn turn_text(turn: usize, time: Option<u32>) -> String {
    match time {
        Some(time) => format!("Turn {turn} ({}.{:03} s)", time / 1000, time % 1000),
        None => format!("Turn {turn}"),
    }
}

/// What the caption of a turn with a legal answer says.
pub(super) struct AnsweredTurn<'a> {
    /// The turn.
    pub(super) turn: usize,
    /// The time of a person's click, in milliseconds.
    pub(super) time: Option<u32>,
    /// The cell that the answer opens.
    pub(super) cell: String,
    /// The step by which it is found.
    pub(super) kind: &'a str,
    /// The cell's odds, if they are known.
    pub(super) odds: Option<f64>,
    /// Whether the cell was a mine.
    pub(super) hit: bool,
    /// Whether that hit was survived on another layout.
    pub(super) survived: bool,
    /// The number of cells that the answer opened.
    pub(super) opened: usize,
}

impl AnsweredTurn<'_> {
    /// The caption.
    pub(super) fn caption(&self) -> String {
        let AnsweredTurn { turn, time, cell, kind, .. } = self;
        let turn = turn_text(*turn, *time);
        let odds = match self.odds {
            None => String::new(),
            Some(1.0) => return format!("{turn}: {cell} opened, a proven mine"),
            Some(0.0) => ", safe".to_owned(),
            Some(odds) => format!(", {} a mine", percent(odds)),
        };
        let result = match self.opened {
            _ if self.survived => " - A MINE, survived on another layout".to_owned(),
            _ if self.hit => " - A MINE".to_owned(),
            cells if cells > 1 => format!(" - opens {cells} cells"),
            _ => String::new(),
        };
        format!("{turn}: {cell} by {kind}{odds}{result}")
    }
}
