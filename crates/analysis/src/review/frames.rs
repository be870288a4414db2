//! A recorded game as frames: the board of each turn, its odds, the move, and the reasons.
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
use super::log::{self, LogError, LoggedAnswer, LoggedPosition, Positions};
use super::outcome::{GameOutcome, RecordEnd};
use crate::adjusted::click_odds::ClickOdds;
use crate::adjusted::luck::Luck;
use crate::candidates::EvaluatedCandidate;
use crate::explanation::{explain_guess, explain_risk, prove};
use crate::guesses::fifty_fifties;
use crate::mistakes::{Judgement, Verdict, judge_click};
use crate::notation::{cell_text, percent};
use crate::search::Proof;
use crate::values::CellValue;
use crate::{Analysis, Analyzer};
use game::record::{Record, RecordError};
use sapper::Decision;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Step;
use sapper::kit::text::pluralize;
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

/// The kind of a first click that the rules keep free.
const FREE: &str = "rule";
/// The kind of the frame after the last answer.
pub const END: &str = "end";

/// The paragraph about a hit that was survived.
const SURVIVED: &str = "It was a mine, which loses the game. To measure its chances the layout was \
    drawn again, from all in which the cell is safe, and the game played on.";

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
    /// `rule` (the rules keep the first click free) or [`END`].
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
    /// The number of layouts of an endgame; 0 in other turns.
    pub layouts: u32,
    /// The score if no further mine is opened.
    pub score: f64,
    /// What the bot wrote into the log beside its answer.
    pub note: Option<String>,
}

impl Frame {
    /// The odds of a hidden cell, if they are known.
    pub fn odds_of(&self, cell: Cell) -> Option<f64> {
        let index = self.board.hidden().position(|hidden| hidden == cell)?;
        self.odds.as_ref().map(|odds| odds[index])
    }
}

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

    /// How the game ended.
    pub fn outcome(&self) -> &GameOutcome {
        &self.outcome
    }

    /// The number of frames, at least one.
    pub fn frames(&self) -> usize {
        self.positions.turns()
    }

    /// The board of the first frame.
    pub fn board(&self) -> &Board {
        &self.first
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

    /// The cells of the mines, if they are known.
    pub fn mines(&self) -> Option<Vec<Cell>> {
        log::mines(&self.record, &self.positions.at(self.frames() - 1).board)
    }

    /// Size, mines, seed, bot, outcome and score, as far as the log has them.
    pub fn title(&self) -> String {
        format!("{}, {}", log::title(&self.record, self.board()), self.outcome.text())
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

    /// What a finished game counts in the adjusted results, where hits are survived: the
    /// probability to survive all its guesses, and 0 after a fault.
    pub fn adjusted_won(&self) -> Option<f64> {
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

    /// Analyzes a turn, which must be below the number of frames.
    pub fn frame(&self, turn: usize, analyzer: &mut Analyzer) -> Frame {
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
        let approximate = analysis.map_or(0, |analysis| analysis.odds().approximate());
        if approximate > 0 {
            let cells = pluralize(approximate, "cell has", "cells have");
            why.push(format!("{cells} approximate odds only: the frontier is too wide to count."));
        }
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
        let chosen = analysis.and_then(Analysis::chosen);
        let is_guess = told.kind == Step::Guess.name();
        let hidden_odds =
            |analysis: &Analysis| board.hidden().map(|cell| analysis.odds().of(cell)).collect();
        let candidates = |analysis: &Analysis| analysis.candidates().to_vec();
        Frame {
            turn,
            opened: self.positions.opened(turn).iter().map(|(cell, _)| *cell).collect(),
            odds: analysis.map(hidden_odds),
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
            candidates: analysis.filter(|_| is_guess).map(candidates).unwrap_or_default(),
            values: analysis.map(|analysis| analysis.values().to_vec()).unwrap_or_default(),
            layouts: chosen.and_then(|chosen| chosen.solved).map_or(0, |solved| solved.layouts),
            score: match self.outcome.is_lost_before(turn) {
                true => 0.0,
                false => log::score(&self.record, turn, board),
            },
            note: log::note(&self.record, turn),
            board: board.clone(),
        }
    }
}

/// An answer explained.
struct ToldAnswer {
    kind: &'static str,
    why: Vec<String>,
    uses: Vec<Cell>,
    instead: Option<Cell>,
}

impl ToldAnswer {
    fn of_kind(kind: &'static str) -> ToldAnswer {
        ToldAnswer { kind, why: Vec::new(), uses: Vec::new(), instead: None }
    }
}

/// Tells the step by which a legal answer can be found, and the reasons.
fn tell_answer(analysis: &Analysis, cell: Cell, judgement: Option<&Judgement>) -> ToldAnswer {
    let Some(chosen) = analysis.chosen() else { return ToldAnswer::of_kind(Step::Rough.name()) };
    let is_chosen = chosen.cell() == cell;
    let kind = match analysis.odds().of(cell) {
        // No step of the engine opens a proven mine.
        1.0 => "mine",
        _ if is_chosen => chosen.by.name(),
        0.0 if analysis.deduced().verdict(cell).is_some() => Step::Deduction.name(),
        0.0 => Step::Counting.name(),
        _ => Step::Guess.name(),
    };
    let other = other_choice(analysis, cell);
    let board = analysis.board();
    let other_text = other.map(|other| other_choice_text(board, other));
    let shape = board.shape();
    let sentence = judgement.map(|click| click.sentence(shape, analysis.objective()));
    let proof_of_other =
        |proof: &Proof| [sentence.iter().cloned().collect(), proof.sentences(board)].concat();
    let (why, uses) = match judgement.map(|click| &click.verdict) {
        Some(Verdict::NeedlessRisk { safe }) => (proof_of_other(safe), safe.numbers()),
        Some(Verdict::ProvenMine { proof }) => {
            let why = proof.sentences(board).into_iter().chain(other_text);
            (why.collect(), proof.numbers())
        }
        Some(Verdict::Safe) => {
            let proof = prove(analysis, cell);
            proof.map(|proof| (proof.sentences(board), proof.numbers())).unwrap_or_default()
        }
        _ if is_chosen => (explain_guess(analysis, chosen, &fifty_fifties(analysis)), Vec::new()),
        Some(_) if judgement.is_some_and(Judgement::is_mistake) => {
            (sentence.into_iter().collect(), Vec::new())
        }
        _ => {
            let why = [explain_risk(analysis, cell)].into_iter().chain(other_text);
            (why.collect(), Vec::new())
        }
    };
    ToldAnswer { kind, why, uses, instead: other.map(Decision::cell) }
}

/// The engine's move if it opens another cell and not both cells are safe.
fn other_choice<'a>(analysis: &'a Analysis, cell: Cell) -> Option<&'a Decision> {
    let chosen = analysis.chosen().filter(|chosen| chosen.cell() != cell)?;
    let both_safe = chosen.by.is_proof() && analysis.odds().of(cell) == 0.0;
    (!both_safe).then_some(chosen)
}

fn other_choice_text(board: &Board, chosen: &Decision) -> String {
    let at = cell_text(board.shape(), chosen.cell());
    let odds = match chosen.odds {
        0.0 => "it is safe".to_owned(),
        odds => format!("a mine with {}", percent(odds)),
    };
    format!("Sapper opens {at} here, by {}: {odds}.", chosen.by.name())
}
