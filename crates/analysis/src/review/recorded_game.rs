//! A game of a bot, from its log, as frames.
//!
//! Frame N is turn N of the log, counted from 0; the last frame of a finished game is its end.
//!
//! Invariant: the odds are exact unless a frame says otherwise. A frame whose numbers are
//! inconsistent (the init data may announce a mine count that the field does not have) has no odds,
//! and lists the reasons.
//!
//! Cost: one analysis per frame. Frames do not depend on each other: the caller chooses their order
//! and the threads.

use super::captions::AnsweredTurn;
use super::frame::{END, FREE, Frame};
use super::log::{self, LogError, LoggedAnswer, LoggedPosition, Positions};
use super::outcome::{GameOutcome, RecordEnd};
use super::reviewed_game::ReviewedGame;
use super::told_answer::{ToldAnswer, tell_answer};
use crate::Analyzer;
use crate::adjusted::click_odds::ClickOdds;
use crate::adjusted::luck::Luck;
use crate::mistakes::judge_click;
use crate::notation::{cell_text, percent};
use game::record::{Record, RecordError};
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Step;
use sapper::settings::params::Objective;
use serde_json::Value;

/// A recorded game whose turns have been read.
pub struct RecordedGame {
    record: Record,
    positions: Positions,
    /// The board of the first frame.
    first: Board,
    outcome: GameOutcome,
    is_first_free: bool,
}

/// The reason why a text is no recorded game.
#[derive(Debug)]
pub enum ReadGameError {
    /// It is no record and no log.
    Record(RecordError),
    /// A turn of the log cannot be read.
    Log(LogError),
}

/// The paragraph about a hit that was survived.
const SURVIVED: &str = "It was a mine, which loses the game. To measure its chances the layout was \
    drawn again, from all in which the cell is safe, and the game played on.";

impl RecordedGame {
    /// Reads the boards of all turns.
    ///
    /// # Errors
    /// An output of the log that does not describe a field.
    pub fn new(record: Record) -> Result<RecordedGame, LogError> {
        let mut positions = Positions::default();
        record.log.iter().step_by(2).try_for_each(|item| positions.push(&item["output"]))?;
        Ok(RecordedGame::of(record, positions))
    }

    /// Reads a record or a bare log. The record of the game does not have the requests after the
    /// first: what they report is in the boards.
    ///
    /// # Errors
    /// A text that is no log, or an output that does not describe a field.
    pub fn read(text: &str) -> Result<RecordedGame, ReadGameError> {
        let (mut positions, mut fault) = (Positions::default(), None);
        let record = Record::read_by_items(text, |index, item| {
            if index % 2 == 1 || fault.is_some() {
                return item;
            }
            fault = positions.push(&item["output"]).err();
            let is_request = item["output"]["command"] != "finish";
            if is_request && index > 0 { Value::Null } else { item }
        });
        let record = record.map_err(ReadGameError::Record)?;
        match fault {
            Some(fault) => Err(ReadGameError::Log(fault)),
            None => Ok(RecordedGame::of(record, positions)),
        }
    }

    fn of(record: Record, positions: Positions) -> RecordedGame {
        let outcome = GameOutcome::new(&record, &positions);
        let first = positions.at(0).board;
        RecordedGame { record, positions, first, outcome, is_first_free: false }
    }

    /// The same game, where the mines were laid after the first click: it has no odds and is not
    /// judged.
    #[must_use]
    pub fn with_first_free(self) -> RecordedGame {
        RecordedGame { is_first_free: true, ..self }
    }

    /// The record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The boards and the cells opened on them, until the first answer that opens none.
    pub fn clicks(&self) -> impl Iterator<Item = (Board, Cell)> {
        (0..self.frames()).map_while(|turn| {
            let LoggedPosition { board, .. } = self.positions.at(turn);
            match log::answer(&self.record, turn, &board) {
                LoggedAnswer::Opens(cell) => Some((board, cell)),
                LoggedAnswer::Illegal(_) | LoggedAnswer::None => None,
            }
        })
    }

    /// The clicks that count for `objective`: for a clean win those before the first mine.
    pub fn counted_clicks(&self, objective: Objective) -> impl Iterator<Item = (Board, Cell)> {
        let counts = move |board: &Board| objective == Objective::FewestHits || board.hits() == 0;
        self.clicks().take_while(move |(board, _)| counts(board))
    }

    /// Whether the hit of a turn was survived on another layout.
    fn is_survived(&self, turn: usize) -> bool {
        let is_named = self.record.survived.iter().flatten().any(|&survived| survived == turn);
        self.outcome.rule.is_classic() && is_named
    }

    /// Whether the answer of a turn hit a mine.
    fn is_hit(&self, turn: usize, cell: Cell) -> bool {
        let is_shown = self.positions.opened(turn + 1).contains(&(cell, CellState::Hit));
        is_shown || self.is_survived(turn)
    }
}

impl ReviewedGame for RecordedGame {
    fn outcome(&self) -> &GameOutcome {
        &self.outcome
    }

    fn frames(&self) -> usize {
        self.positions.turns()
    }

    fn moves(&self) -> usize {
        self.record.answers()
    }

    fn board(&self) -> &Board {
        &self.first
    }

    fn mines(&self) -> Option<Vec<Cell>> {
        log::mines(&self.record, &self.positions.at(self.frames() - 1).board)
    }

    fn title(&self) -> String {
        format!("{}, {}", log::title(&self.record, self.board()), self.outcome.text())
    }

    fn adjusted_won(&self) -> Option<f64> {
        if self.record.survived.is_none() || !self.outcome.rule.is_classic() {
            return None;
        }
        match self.outcome.end {
            RecordEnd::Unfinished => None,
            RecordEnd::Fault => Some(0.0),
            RecordEnd::Done => {
                let (mut odds, mut luck) = (ClickOdds::default(), Luck::default());
                odds.begin(self.board().shape().len());
                for (turn, (board, cell)) in self.clicks().enumerate() {
                    luck.add(odds.odds(&board, cell), self.is_hit(turn, cell));
                }
                Some(luck.survival)
            }
        }
    }

    fn frame(&self, turn: usize, analyzer: &mut Analyzer) -> Frame {
        let LoggedPosition { board, mut reasons } = self.positions.at(turn);
        let board = &board;
        let analysis = analyzer.analyze(board, None);
        let conflicts = analysis.as_ref().err().cloned().unwrap_or_default();
        reasons.extend(conflicts.iter().map(|conflict| conflict.text.clone()));
        let conflicting = conflicts.iter().flat_map(|conflict| conflict.numbers.iter().copied());
        let is_free = self.is_first_free && turn == 0;
        let mut analysis = analysis.ok().filter(|_| reasons.is_empty() && !is_free);
        let answer = log::answer(&self.record, turn, board);
        let opens = if let LoggedAnswer::Opens(cell) = answer { Some(cell) } else { None };
        let has_next = turn + 1 < self.frames();
        let hit = opens.is_some_and(|cell| self.is_hit(turn, cell));
        let survived = opens.is_some() && self.is_survived(turn);
        let judgement = analysis.as_mut().zip(opens);
        let judgement = judgement.and_then(|(analysis, cell)| judge_click(analysis, cell));
        let analysis = analysis.as_ref();
        let told = match (analysis, opens) {
            (Some(analysis), Some(cell)) => tell_answer(analysis, cell, judgement.as_ref()),
            (None, Some(_)) if is_free => ToldAnswer::of_kind(FREE),
            (None, Some(_)) => ToldAnswer::of_kind(Step::Rough.name()),
            (_, None) => ToldAnswer::of_kind(if has_next { "illegal" } else { "none" }),
        };
        let mut why = told.why;
        if is_free && opens.is_some() {
            why.push("The mines are laid after the first click: it is no risk.".to_owned());
        }
        why.extend(reasons.iter().map(|reason| format!("No layout fits: {reason}.")));
        why.extend(analysis.and_then(Frame::approximate_text));
        let is_end = log::final_output(&self.record, turn).is_some()
            || (!has_next && self.outcome.end == RecordEnd::Done);
        if survived {
            why.push(SURVIVED.to_owned());
        }
        if let Some(won) = is_end.then(|| self.adjusted_won()).flatten() {
            let won = percent(won);
            why.push(format!("Without the luck of its guesses the game counts as {won} won."));
        }
        let caption = match &answer {
            LoggedAnswer::None if is_end => self.outcome.caption(turn),
            LoggedAnswer::None => format!("Turn {turn}: the log has no answer"),
            LoggedAnswer::Illegal(invalid) => format!("Turn {turn}: no legal answer: {invalid}"),
            LoggedAnswer::Opens(cell) => {
                let answered = AnsweredTurn {
                    turn,
                    time: None,
                    cell: cell_text(board.shape(), *cell),
                    kind: told.kind,
                    odds: analysis.map(|analysis| analysis.odds().of(*cell)),
                    hit,
                    survived,
                    opened: self.positions.opened(turn + 1).len(),
                };
                answered.caption()
            }
        };
        let frame = Frame {
            opened: self.positions.opened(turn).iter().map(|(cell, _)| *cell).collect(),
            opens,
            judgement,
            instead: told.instead,
            kind: if is_end { END } else { told.kind },
            hit,
            hits: match self.outcome.rule.is_classic() {
                true => u32::from(self.outcome.is_lost_before(turn)),
                false => board.hits(),
            },
            caption,
            why,
            uses: if analysis.is_some() { told.uses } else { conflicting.collect() },
            score: match self.outcome.is_lost_before(turn) {
                true => 0.0,
                false => log::score(&self.record, turn, board),
            },
            note: log::note(&self.record, turn),
            ..Frame::bare(turn, board.clone())
        };
        match analysis {
            Some(analysis) => frame.with_analysis(analysis),
            None => frame,
        }
    }
}
