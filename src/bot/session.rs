//! From an input to its answer.
//!
//! A [`Session`] holds the requests of one match. A whole history replaces them, a bare request is
//! the next one. Every answer is computed from all of them, so the one-shot form, the kept-running
//! form and a full history at any time have the same answers.
//!
//! An input without a usable field is a [`ReadError`] and has no answer. A field with an impossible
//! history has an answer and warnings. Once the board is known nothing prevents an answer: a panic
//! in the search is caught, reported as a warning, and the first hidden cell is opened instead.
//!
//! Invariant: the answer depends on the requests alone, unless the clock ends the search.
//!
//! Cost: replaying the history, and then the engine's. Contradictions that take a search to find
//! are left to [`Session::late_warnings`], after the answer.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::board::Board;
use crate::board::geometry::{Place, Shape};
use crate::bot::engine::{Decision, Engine, Step};
use crate::bot::read_error::ReadError;
use crate::kit::text::pluralize;
use crate::protocol::history::{History, Request};
use crate::protocol::replay::{Replay, replay};
use crate::protocol::{Input, inputs, reply_line};
use crate::settings::budget::{Clock, Deadlines, Turn};

/// The number of faults that are put into words, which is more than are ever printed.
const MAX_FAULTS: usize = 4000;

/// The answer to one turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The cell to open.
    pub place: Place,
    /// What was wrong with the requests, a line each; of very many lines the last only counts the
    /// others.
    pub warnings: Vec<String>,
    /// The engine's decision, unless the search failed.
    pub decision: Option<Decision>,
    /// Whether the soft deadline had passed, so that the clock may have ended the search before its
    /// node limits did.
    pub is_late: bool,
    /// The board of the decision.
    pub board: Board,
}

/// The requests of one match, and the engine that answers them.
#[derive(Default)]
pub struct Session {
    history: History,
    /// The last limit stated, in seconds a turn.
    time_limit: Option<f64>,
    engine: Engine,
}

/// Answers the first input of `text` in a session of its own: the whole bot as a function of a text
/// and a clock.
///
/// ```
/// use sapper::settings::budget::WallClock;
///
/// let request = r#"{"height":1,"width":3,"minecount":1,"changed":[{"row":0,"col":0,"val":0}]}"#;
/// let answer = sapper::respond(request, &WallClock::start())?;
/// assert_eq!(answer.line(), r#"{"response":{"row":0,"col":1}}"#);
/// # Ok::<(), sapper::bot::read_error::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`] where the input cannot be read, has no usable field, or leaves no cell to open.
pub fn respond(text: &str, clock: &dyn Clock) -> Result<Answer, ReadError> {
    let input = inputs(text.as_bytes()).next().ok_or(ReadError::Empty)?.map_err(ReadError::Json)?;
    Session::default().answer(input, clock, |_| {})
}

impl Answer {
    /// The line to print, without its line feed.
    pub fn line(&self) -> String {
        reply_line(self.place, None)
    }

    /// How the cell was chosen, for the log of a match; well under 1 KB.
    pub fn debug(&self, version: &str) -> String {
        let mut text = format!("sapper {version}");
        if let Some(decision) = &self.decision {
            let step = decision.by.name();
            let millionths = (decision.odds * 1e6).round() as u64;
            let (whole, part) = (millionths / 1_000_000, millionths % 1_000_000);
            let _ = write!(text, "; by {step}; odds {whole}.{part:06}");
            let _ = write!(text, "; candidates {}", decision.candidates);
            if decision.playouts > 0 {
                let playouts = pluralize(decision.playouts, "playout", "playouts");
                let _ = write!(text, "; {playouts}");
            }
            if decision.approximate > 0 {
                let cells = pluralize(decision.approximate, "cell", "cells");
                let _ = write!(text, "; {cells} approximate");
            }
        }
        if self.is_late {
            text.push_str("; time was up");
        }
        if !self.warnings.is_empty() {
            let _ = write!(text, "; {}", pluralize(self.warnings.len(), "warning", "warnings"));
        }
        text
    }
}

impl Session {
    /// A session of a new match with this engine.
    pub fn with(engine: Engine) -> Session {
        Session { engine, ..Session::default() }
    }

    /// Answers the next input of this match. `promise` is called with the line of a legal answer
    /// before the search begins.
    ///
    /// # Errors
    /// [`ReadError`] where there is no usable field, or no cell is hidden.
    pub fn answer(
        &mut self,
        input: Input,
        clock: &dyn Clock,
        promise: impl FnOnce(&str),
    ) -> Result<Answer, ReadError> {
        self.push(input);
        let deadlines = Deadlines::under_limit(self.time_limit);
        let (board, mut warnings) = self.board()?;
        let fallback = board.hidden().next().ok_or(ReadError::NoHiddenCell)?;
        let shape = board.shape();
        promise(&reply_line(shape.at(fallback), None));
        let engine = &mut self.engine;
        let turn = Turn { deadlines, clock };
        let decision = catch_unwind(AssertUnwindSafe(|| engine.decide(&board, turn)));
        let is_late = !turn.may_start();
        if decision.is_err() {
            engine.reset();
            // The first one, because the last of many may not be printed.
            let failed = "the search failed; the first hidden cell is opened instead";
            warnings.insert(0, failed.to_owned());
        }
        let decision = decision.unwrap_or_default();
        // Checked again here, where an illegal cell can still be replaced.
        let chosen = decision.as_ref().map(Decision::cell).filter(|&cell| board.is_hidden(cell));
        let place = shape.at(chosen.unwrap_or(fallback));
        Ok(Answer { place, warnings, decision, is_late, board })
    }

    /// Adds the next input of this match, without answering it.
    pub fn push(&mut self, input: Input) {
        let Input { requests, time_limit, height, width, minecount, changed } = input;
        // A bare request states no limit: the last limit stated stays in force.
        self.time_limit = time_limit.or(self.time_limit);
        match requests {
            Some(history) => self.history = history,
            None => self.history.push(Request { height, width, minecount, changed }),
        }
    }

    /// Every reason why no layout fits the board of an answer, a line each; none where one fits.
    ///
    /// The search ends at the first safe cell or the first contradiction. This examines the whole
    /// board, after the answer was given.
    pub fn late_warnings(&mut self, answer: &Answer, clock: &dyn Clock) -> Vec<String> {
        let Some(decision) = &answer.decision else { return Vec::new() };
        if !matches!(decision.by, Step::Deduction | Step::Rough) {
            // The whole board was counted and has layouts.
            return Vec::new();
        }
        let turn = Turn { deadlines: Deadlines::under_limit(self.time_limit), clock };
        let (board, engine) = (&answer.board, &mut self.engine);
        // The answer is out, so a panic here only loses the warnings.
        let result = catch_unwind(AssertUnwindSafe(|| engine.contradictions(board, turn)));
        let shape = board.shape();
        let found = result.unwrap_or_default();
        let mut reasons: Vec<String> =
            found.iter().map(|contradiction| contradiction.describe(shape)).collect();
        if reasons.is_empty() {
            // The search has a larger budget than this check and may know one reason.
            reasons.extend(decision.contradiction.as_ref().map(|found| found.describe(shape)));
        }
        reasons.iter().map(|reason| format!("no layout fits: {reason}")).collect()
    }

    /// The mine count that the requests so far state, also if it is more than the cells.
    pub fn mine_count(&self) -> Option<u64> {
        self.history.field[2]
    }

    /// The board after all requests so far, and what is wrong with them, a line each. After
    /// 4,000 wrong cells and numbers one line says how many more there are.
    ///
    /// # Errors
    /// [`ReadError`] where there is no usable field.
    pub fn board(&self) -> Result<(Board, Vec<String>), ReadError> {
        self.board_after(u32::MAX)
    }

    /// The board after the first `turns` requests; see [`Session::board`]. The size is that of all
    /// requests.
    ///
    /// # Errors
    /// [`ReadError`] where there is no usable field.
    pub fn board_after(&self, turns: u32) -> Result<(Board, Vec<String>), ReadError> {
        let [Some(height), Some(width), Some(mines)] = self.history.field else {
            return Err(ReadError::NoField { missing: self.history.missing_keys() });
        };
        let size_error = |error| ReadError::Size { height, width, error };
        let shape = Shape::new(height, width).map_err(size_error)?;
        let mut warnings = self.history.warnings(turns);
        let Replay { board, faults } = replay(shape, mines, self.history.reported(turns));
        warnings.extend(faults.iter().take(MAX_FAULTS).map(ToString::to_string));
        let more = faults.len().saturating_sub(MAX_FAULTS);
        if more > 0 {
            warnings.push(format!("and {more} more faults"));
        }
        Ok((board, warnings))
    }
}
