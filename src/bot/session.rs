//! From what was read to the line that answers it.
//!
//! A [`Session`] holds the requests of one match. A whole history replaces them, a bare request is the
//! next one; every answer is computed from all of them, so the one-shot form, the kept-running
//! form and a full history at any time give the same answers.
//!
//! One file, because errors and warnings are told in the words of what was read.
//!
//! What can go wrong is told apart here: an input without a usable field is a [`ReadError`] and
//! gets no answer; a field with a history that cannot be gets an answer and warnings. After the board
//! is known nothing may prevent an answer, not even a panic: it is caught, reported as a warning, and the
//! first hidden cell stands in. What takes a search to see is told after the answer, all reasons of it at once:
//! [`Session::late_warnings`].

use std::fmt::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::base::budget::{Clock, Deadlines, Turn};
use crate::base::capped_vec::CappedVec;
use crate::base::text::pluralize;
use crate::board::Board;
use crate::board::geometry::{Shape, ShapeError};
use crate::bot::engine::{Decision, Engine, Step};
use crate::protocol::history::{Flaw, History, ResolvedField};
use crate::protocol::{Input, Integer, ResponseCell, inputs, reply_line};

/// Where a request came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requested {
    /// From a history, or it is one of several: its turn.
    Turn(usize),
    /// Bare, and the only one.
    Bare,
}

impl fmt::Display for Requested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Requested::Turn(turn) => write!(f, "requests[{turn}]"),
            Requested::Bare => write!(f, "the request"),
        }
    }
}

/// A key without which there is no field, and of which no request has a usable value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadField {
    /// `height`, `width` or `minecount`.
    pub key: &'static str,
    /// What it must be.
    pub expected: &'static str,
    /// What the first request that has the key says instead; the last request where none has it.
    pub found: (Integer, Requested),
}

impl fmt::Display for BadField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadField { key, expected, found } = self;
        match found {
            (Integer::Absent, Requested::Turn(1..)) => {
                write!(f, "there is no \"{key}\" up to {}; it must be {expected}", found.1)
            }
            (Integer::Absent, place) => {
                write!(f, "there is no \"{key}\" in {place}; it must be {expected}")
            }
            (value, place) => {
                write!(
                    f,
                    "there is no usable \"{key}\": it must be {expected}, not {value} ({place})"
                )
            }
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum ReadError {
    /// Nothing but white space.
    Empty,
    /// Not one whole JSON value, where the message has the line and the column; or nothing that can be read.
    Json(serde_json::Error),
    /// JSON without `requests` and without the keys of a request, or with an empty list.
    NoRequest,
    /// No request has a usable value of these keys; at least one.
    Fields(Vec<BadField>),
    /// The size cannot be represented or held.
    Size {
        /// Rows announced, and where.
        height: (u64, Requested),
        /// Columns announced, and where.
        width: (u64, Requested),
        /// What is wrong with them.
        error: ShapeError,
    },
    /// Every cell is open: there is nothing to answer.
    NoHiddenCell,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Empty => write!(f, "the input is empty; expected one JSON value"),
            ReadError::Json(error) if error.is_eof() => {
                write!(f, "the input ends before its JSON value does: {error}")
            }
            ReadError::Json(error) if error.is_io() => {
                write!(f, "the input cannot be read: {error}")
            }
            ReadError::Json(error) => write!(f, "the input is not JSON: {error}"),
            ReadError::NoRequest => write!(
                f,
                "the input has no request; expected {{\"requests\":[{{\"height\":H,\"width\":W,\
                 \"minecount\":M,\"changed\":[...]}}]}} or one bare request"
            ),
            ReadError::Fields(fields) => {
                for (number, field) in fields.iter().enumerate() {
                    let separator = if number == 0 { "" } else { "; " };
                    write!(f, "{separator}{field}")?;
                }
                Ok(())
            }
            ReadError::Size { height: (height, of_height), width: (width, of_width), error } => {
                let (height, width) = (Integer::from(*height), Integer::from(*width));
                write!(
                    f,
                    "\"height\" {height} ({of_height}), \"width\" {width} ({of_width}): {error}"
                )
            }
            ReadError::NoHiddenCell => write!(f, "no cell is hidden: there is nothing to open"),
        }
    }
}

impl std::error::Error for ReadError {}

/// The answer to one turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The cell to open.
    pub place: ResponseCell,
    /// What was wrong and did not prevent an answer; a line each, the first [`crate::base::capped_vec::MAX_STORED`].
    pub warnings: Vec<String>,
    /// How much more was wrong.
    pub more_warnings: usize,
    /// What was decided, unless the search failed.
    pub decision: Option<Decision>,
    /// Whether time was up by then, so that the clock may have ended the search instead of its nodes.
    pub is_late: bool,
    /// The board that the decision was made on.
    pub board: Board,
}

/// The requests of one match, and the engine that answers them.
#[derive(Default)]
pub struct Session {
    history: History,
    /// Whether the first request came bare.
    bare: bool,
    time_limit: Option<f64>,
    engine: Engine,
}

/// Answers one input by itself: the whole bot as a function of its text and of a clock.
///
/// # Errors
/// [`ReadError`] when the input cannot be read or has no usable field.
pub fn respond(text: &str, clock: &dyn Clock) -> Result<Answer, ReadError> {
    let input = inputs(text.as_bytes()).next().ok_or(ReadError::Empty)?.map_err(ReadError::Json)?;
    Session::default().answer(input, clock, |_| {})
}

impl Answer {
    /// The line to print, without its line feed.
    pub fn line(&self) -> String {
        reply_line(self.place, None)
    }

    /// How the answer came about, for the log of a match: well under 1 KB.
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
    /// A session of a new match, played by this engine.
    pub fn with(engine: Engine) -> Session {
        Session { engine, ..Session::default() }
    }

    /// Answers the next input of this match. `promise` gets the line of a legal answer before the
    /// search begins.
    ///
    /// # Errors
    /// [`ReadError`] when there is no usable field, or nothing left to open.
    pub fn answer(
        &mut self,
        input: Input,
        clock: &dyn Clock,
        promise: impl FnOnce(&str),
    ) -> Result<Answer, ReadError> {
        self.take(input)?;
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
            // Told whatever else is.
            warnings
                .items
                .push("the search failed; the first hidden cell is opened instead".to_owned());
            None
        });
        // Checked once more, at the last place where it can be mended.
        let chosen = decision.as_ref().map(Decision::cell).filter(|&cell| board.is_hidden(cell));
        let place = place(chosen.unwrap_or(fallback));
        let CappedVec { items: warnings, omitted: more_warnings, .. } = warnings;
        Ok(Answer { place, warnings, more_warnings, decision, is_late, board })
    }

    /// Takes in the next input of this match, without answering it.
    ///
    /// # Errors
    /// [`ReadError::NoRequest`] when it is neither a history nor a request.
    pub fn take(&mut self, input: Input) -> Result<(), ReadError> {
        // A bare request states no limit; the last one stated holds.
        self.time_limit = input.time_limit.0.or(self.time_limit);
        match input.requests {
            Some(history) => {
                self.history = history;
                self.bare = false;
            }
            None if input.bare.has_any_key => {
                self.bare |= self.history.turns == 0;
                self.history.push(input.bare);
            }
            None => return Err(ReadError::NoRequest),
        }
        Ok(())
    }

    /// Why no layout fits the board of an answer, where none does: every reason, a line each.
    ///
    /// A safe cell is answered as soon as it is found, before the rest of the board was looked at, and the search
    /// ends at the first contradiction. This looks at everything; it is for after the answer.
    pub fn late_warnings(&mut self, answer: &Answer, clock: &dyn Clock) -> Vec<String> {
        let Some(decision) = &answer.decision else { return Vec::new() };
        if !matches!(decision.by, Step::Deduction | Step::Rough) {
            // The whole board was counted, and has layouts.
            return Vec::new();
        }
        let turn = Turn { deadlines: Deadlines::under_limit(self.time_limit), clock };
        let (board, engine) = (&answer.board, &mut self.engine);
        // The answer is out: nothing that goes wrong here may be told by more than silence.
        let looked = catch_unwind(AssertUnwindSafe(|| engine.contradictions(board, turn)));
        let shape = board.shape();
        let found = looked.unwrap_or_default();
        let mut reasons: Vec<String> =
            found.iter().map(|inconsistency| inconsistency.message(shape)).collect();
        if reasons.is_empty() {
            // The search may do more than this look, and then knows one reason.
            reasons.extend(decision.contradiction.as_ref().map(|found| found.describe(shape)));
        }
        reasons.iter().map(|reason| format!("no layout fits: {reason}")).collect()
    }

    /// The board after all requests so far, and what is wrong with them, a line each; after
    /// [`crate::base::capped_vec::MAX_STORED`] one line says how much more is.
    ///
    /// # Errors
    /// [`ReadError`] when there is no usable field.
    pub fn board(&self) -> Result<(Board, Vec<String>), ReadError> {
        let (board, CappedVec { items: mut words, omitted: more, .. }) = self.replay()?;
        if more > 0 {
            words.push(format!("{more} more"));
        }
        Ok((board, words))
    }

    fn replay(&self) -> Result<(Board, CappedVec<String>), ReadError> {
        if self.history.turns == 0 {
            return Err(ReadError::NoRequest);
        }
        let mut warnings = CappedVec::default();
        let History { height, width, minecount, .. } = &self.history;
        let positive = "an integer from 1";
        let height = self.value("height", height, positive, &mut warnings);
        let width = self.value("width", width, positive, &mut warnings);
        let mines = self.value("minecount", minecount, "an integer from 0", &mut warnings);
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
                    "requests[{turn}]: no request: it has none of \"height\", \"width\", \"minecount\" and \
                     \"changed\""
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
        let changed = self.history.changed_cells();
        let board = Board::replay(shape, mines, changed).unwrap_or_else(|error| {
            error.reasons.iter().for_each(|reason| warnings.push_with(|| reason.to_string()));
            warnings.omitted += error.omitted;
            error.board
        });
        warnings.omitted += self.history.omitted_faults();
        Ok((board, warnings))
    }

    /// The value of a key that is used and where it stands, with a warning for each unusable one, and where a
    /// later request says otherwise.
    fn value(
        &self,
        key: &'static str,
        stated: &ResolvedField,
        expected: &'static str,
        warnings: &mut CappedVec<String>,
    ) -> Result<(u64, Requested), BadField> {
        for &(turn, found) in &stated.conflicts.items {
            warnings.push_with(|| match stated.usable(found).zip(stated.used) {
                Some((_, (used, _))) => {
                    let used = Integer::from(used);
                    format!(
                        "requests[{turn}]: \"{key}\" {found} contradicts {used} before; {used} is used"
                    )
                }
                None => format!("requests[{turn}]: \"{key}\" must be {expected}, not {found}"),
            });
        }
        match stated.used {
            Some((value, turn)) => Ok((value, self.requested(turn))),
            None => {
                let none = (self.history.turns - 1, Integer::Absent);
                let (turn, value) = *stated.conflicts.items.first().unwrap_or(&none);
                Err(BadField { key, expected, found: (value, self.requested(turn)) })
            }
        }
    }

    fn requested(&self, turn: usize) -> Requested {
        if self.bare && self.history.turns == 1 { Requested::Bare } else { Requested::Turn(turn) }
    }
}
