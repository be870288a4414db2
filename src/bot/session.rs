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

use crate::base::budget::{Clock, Deadlines, Turn};
use crate::base::capped_vec::CappedVec;
use crate::base::text::pluralize;
use crate::board::Board;
use crate::board::geometry::Shape;
use crate::bot::engine::{Decision, Engine, Step};
use crate::bot::read_error::{BadField, ReadError, RequestSource};
use crate::protocol::history::{Flaw, History, ResolvedField};
use crate::protocol::{Input, Integer, ResponseCell, inputs, reply_line};

/// The answer to one turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The cell to open.
    pub place: ResponseCell,
    /// What was wrong with the requests, a line each; at most [`crate::base::capped_vec::MAX_STORED`].
    pub warnings: Vec<String>,
    /// How many warnings were omitted.
    pub more_warnings: usize,
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
    /// Whether the first request came without a history.
    is_bare: bool,
    /// The last limit stated, in seconds a turn.
    time_limit: Option<f64>,
    engine: Engine,
}

/// Answers the first input of `text` in a session of its own: the whole bot as a function of a text
/// and a clock.
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
            if decision.games > 0 {
                let _ = write!(
                    text,
                    "; {}",
                    pluralize(decision.games, "game played on", "games played on")
                );
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
            let warnings = self.warnings.len() + self.more_warnings;
            let _ = write!(text, "; {}", pluralize(warnings, "warning", "warnings"));
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
        self.push(input)?;
        let deadlines = Deadlines::under_limit(self.time_limit);
        let (board, mut warnings) = self.replay()?;
        let fallback = board.hidden().next().ok_or(ReadError::NoHiddenCell)?;
        let shape = board.shape();
        let place = |cell| ResponseCell { row: shape.row(cell), col: shape.column(cell) };
        promise(&reply_line(place(fallback), None));
        let engine = &mut self.engine;
        let turn = Turn { deadlines, clock };
        let decision = catch_unwind(AssertUnwindSafe(|| engine.decide(&board, turn)));
        let is_late = !turn.may_start();
        let decision = decision.unwrap_or_else(|_| {
            *engine = Engine::default();
            // Past the limit of the list, so that it is not omitted.
            warnings
                .items
                .push("the search failed; the first hidden cell is opened instead".to_owned());
            None
        });
        // Checked again here, where an illegal cell can still be replaced.
        let chosen = decision.as_ref().map(Decision::cell).filter(|&cell| board.is_hidden(cell));
        let place = place(chosen.unwrap_or(fallback));
        let CappedVec { items: warnings, omitted: more_warnings, .. } = warnings;
        Ok(Answer { place, warnings, more_warnings, decision, is_late, board })
    }

    /// Adds the next input of this match, without answering it.
    ///
    /// # Errors
    /// [`ReadError::NoRequest`] where it is neither a history nor a request.
    pub fn push(&mut self, input: Input) -> Result<(), ReadError> {
        // A bare request states no limit: the last one stated holds.
        self.time_limit = input.time_limit.0.or(self.time_limit);
        match input.requests {
            Some(history) => {
                self.history = history;
                self.is_bare = false;
            }
            None if input.bare.has_any_key => {
                self.is_bare |= self.history.turns == 0;
                self.history.push(input.bare);
            }
            None => return Err(ReadError::NoRequest),
        }
        Ok(())
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
            found.iter().map(|inconsistency| inconsistency.message(shape)).collect();
        if reasons.is_empty() {
            // The search has a larger budget than this check and may know one reason.
            reasons.extend(decision.contradiction.as_ref().map(|found| found.describe(shape)));
        }
        reasons.iter().map(|reason| format!("no layout fits: {reason}")).collect()
    }

    /// The board after all requests so far, and what is wrong with them, a line each. After
    /// [`crate::base::capped_vec::MAX_STORED`] lines one more says how many were omitted.
    ///
    /// # Errors
    /// [`ReadError`] where there is no usable field.
    pub fn board(&self) -> Result<(Board, Vec<String>), ReadError> {
        let (board, CappedVec { items: mut warnings, omitted: more, .. }) = self.replay()?;
        if more > 0 {
            warnings.push(format!("{more} more"));
        }
        Ok((board, warnings))
    }

    fn replay(&self) -> Result<(Board, CappedVec<String>), ReadError> {
        if self.history.turns == 0 {
            return Err(ReadError::NoRequest);
        }
        let mut warnings = CappedVec::default();
        let History { height, width, minecount, .. } = &self.history;
        let positive = "a positive integer";
        let height = self.value("height", height, positive, &mut warnings);
        let width = self.value("width", width, positive, &mut warnings);
        let mines = self.value("minecount", minecount, "a non-negative integer", &mut warnings);
        let (height, width, (mines, _)) = match (height, width, mines) {
            (Ok(height), Ok(width), Ok(mines)) => (height, width, mines),
            (height, width, mines) => {
                let bad = [height.err(), width.err(), mines.err()];
                return Err(ReadError::Fields(bad.into_iter().flatten().collect()));
            }
        };
        let shape = Shape::new(height.0, width.0).map_err(|error| ReadError::Size {
            height,
            width,
            error,
        })?;
        for turn in &self.history.unreadable.items {
            warnings.push_with(|| {
                format!(
                    "requests[{turn}]: no request: it has none of \"height\", \"width\", \
                     \"minecount\" and \"changed\""
                )
            });
        }
        for (turn, flaw) in &self.history.flaws.items {
            warnings.push_with(|| match *flaw {
                Flaw::NotAList => format!("requests[{turn}]: \"changed\" is no list of cells"),
                Flaw::UnreadableEntries(entries) => {
                    let (one, many) = ("entry that is no cell", "entries that are no cells");
                    let entries = pluralize(entries, one, many);
                    format!("requests[{turn}]: \"changed\" has {entries}")
                }
            });
        }
        let reports = self.history.changed_cells();
        let board = Board::replay(shape, mines, reports).unwrap_or_else(|error| {
            error.reasons.iter().for_each(|reason| warnings.push_with(|| reason.to_string()));
            warnings.omitted += error.omitted;
            error.board
        });
        warnings.omitted += self.history.omitted_faults();
        Ok((board, warnings))
    }

    /// The value of a key that is used, and its source. Adds a warning for each unusable value, and
    /// for each later one that differs.
    fn value(
        &self,
        key: &'static str,
        stated: &ResolvedField,
        expected: &'static str,
        warnings: &mut CappedVec<String>,
    ) -> Result<(u64, RequestSource), BadField> {
        for &(turn, found) in &stated.conflicts.items {
            warnings.push_with(|| match stated.usable(found).zip(stated.used) {
                Some((_, (used, _))) => {
                    let used = Integer::from(used);
                    format!(
                        "requests[{turn}]: \"{key}\" {found} contradicts {used} before; \
                         {used} is used"
                    )
                }
                None => format!("requests[{turn}]: \"{key}\" must be {expected}, not {found}"),
            });
        }
        match stated.used {
            Some((value, turn)) => Ok((value, self.source(turn))),
            None => {
                let none = (self.history.turns - 1, Integer::Absent);
                let (turn, value) = *stated.conflicts.items.first().unwrap_or(&none);
                Err(BadField { key, expected, found: (value, self.source(turn)) })
            }
        }
    }

    fn source(&self, turn: usize) -> RequestSource {
        let is_bare = self.is_bare && self.history.turns == 1;
        if is_bare { RequestSource::Bare } else { RequestSource::Turn(turn) }
    }
}
