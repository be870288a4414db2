//! One turn of a game under review: the board, its odds, the move, and the reasons.
//!
//! Invariant: the odds are exact unless a frame says otherwise.

use crate::Analysis;
use crate::candidates::EvaluatedCandidate;
use crate::chance::CellChance;
use crate::mistakes::Judgement;
use crate::values::CellValue;
use game::recording::Click;
use sapper::board::Board;
use sapper::board::geometry::Cell;
use sapper::bot::engine::{Decision, Step};
use sapper::kit::text::pluralize;

/// The kind of a first click that the rules keep free.
pub(super) const FREE: &str = "rule";
/// The kind of the frame after the last answer.
pub const END: &str = "end";

/// One turn.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The turn.
    pub turn: usize,
    /// The board before the answer.
    pub board: Board,
    /// The cells that were opened since the frame before.
    pub opened: Vec<Cell>,
    /// The odds of the hidden cells, in row-major order; `None` if the numbers are inconsistent.
    pub odds: Option<Vec<f64>>,
    /// The cell that the answer opens, if it is legal.
    pub opens: Option<Cell>,
    /// The judgement of the answer, if it is legal and there are odds.
    pub judgement: Option<Judgement>,
    /// The cell that the engine opens instead, if it makes another choice.
    pub instead: Option<Cell>,
    /// The step that decides the move, or `mine` (a proven mine is opened), `illegal`, `none`,
    /// `rule` (the rules keep the first click free), `flag`, `unflag`, `unmark` or `wasted` (of a
    /// person's click that opens nothing), or [`END`].
    pub kind: &'static str,
    /// Whether the answer hit a mine, also where that was survived.
    pub hit: bool,
    /// The mines opened before the answer; 0 or 1 where a hit ends the game.
    pub hits: u32,
    /// The turn in one line.
    pub caption: String,
    /// The reasons of the move, as paragraphs.
    pub why: Vec<String>,
    /// The open cells whose numbers the proof uses, or that contradict each other.
    pub uses: Vec<Cell>,
    /// The candidates of a guess, by increasing cost.
    pub candidates: Vec<EvaluatedCandidate>,
    /// The cells of an endgame, the best first.
    pub values: Vec<CellValue>,
    /// The engine's decision, if it has one.
    pub chosen: Option<Decision>,
    /// The chance to win by the engine's move, and by the click where that is another cell. Empty
    /// until [`tell_chances`](super::turn_chance::tell_chances) has filled it.
    pub chances: Vec<CellChance>,
    /// The number of cells whose odds are approximate, because the layouts cannot be counted.
    pub approximate: usize,
    /// The score if no further mine is opened.
    pub score: f64,
    /// What the bot wrote into the log beside its answer.
    pub note: Option<String>,
    /// What a person's mouse did; `None` in a game of a bot.
    pub click: Option<Click>,
    /// The cells that a person had flagged before the click, in row-major order.
    pub flags: Vec<Cell>,
}

impl Frame {
    /// A frame without a move, an analysis or a text.
    pub(super) fn bare(turn: usize, board: Board) -> Frame {
        Frame {
            turn,
            board,
            opened: Vec::new(),
            odds: None,
            opens: None,
            judgement: None,
            instead: None,
            kind: END,
            hit: false,
            hits: 0,
            caption: String::new(),
            why: Vec::new(),
            uses: Vec::new(),
            candidates: Vec::new(),
            values: Vec::new(),
            chosen: None,
            chances: Vec::new(),
            approximate: 0,
            score: 0.0,
            note: None,
            click: None,
            flags: Vec::new(),
        }
    }

    /// The same frame with the odds and the tables of the analysis of its board.
    pub(super) fn with_analysis(self, analysis: &Analysis) -> Frame {
        let is_guess = self.kind == Step::Guess.name();
        Frame {
            odds: Some(self.board.hidden().map(|cell| analysis.odds().of(cell)).collect()),
            candidates: if is_guess { analysis.candidates().to_vec() } else { Vec::new() },
            values: analysis.values().to_vec(),
            chosen: analysis.chosen().cloned(),
            approximate: analysis.odds().approximate(),
            ..self
        }
    }

    /// The number of layouts of an endgame; 0 in other turns.
    pub fn layouts(&self) -> u32 {
        let solved = self.chosen.as_ref().and_then(|chosen| chosen.solved);
        solved.map_or(0, |solved| solved.layouts)
    }

    /// A sentence about approximate odds; `None` where all are exact.
    pub(super) fn approximate_text(analysis: &Analysis) -> Option<String> {
        let approximate = analysis.odds().approximate();
        let cells = pluralize(approximate, "cell has", "cells have");
        (approximate > 0)
            .then(|| format!("{cells} approximate odds only: the frontier is too wide to count."))
    }

    /// The odds of the move, if they are known; of a chord the probability of a mine in any of its
    /// cells.
    pub fn odds_of_move(&self) -> Option<f64> {
        let judged = self.judgement.as_ref().map(|judgement| judgement.odds);
        judged.or_else(|| self.odds_of(self.opens?))
    }

    /// The odds of a hidden cell, if they are known.
    fn odds_of(&self, cell: Cell) -> Option<f64> {
        let index = self.board.hidden().position(|hidden| hidden == cell)?;
        self.odds.as_ref().map(|odds| odds[index])
    }
}
