//! A recorded game as frames: the board of each turn, its odds, the move, and the reasons.
//!
//! Frame N is turn N of the log, counted from 0; the last frame of a finished game is its end.
//!
//! Invariant: the odds are exact unless a frame says otherwise. A frame whose numbers are
//! inconsistent (the init data may announce a mine count that the field does not have) has no odds,
//! and lists the reasons.
//!
//! Cost: one analysis per turn, on all threads.

use anyhow::Result;
use indicatif::{ParallelProgressIterator, ProgressBar};
use rayon::prelude::*;
use sapper::analysis::candidates::CandidateReport;
use sapper::analysis::explanation::{Told, explain_guess, explain_risk, prove};
use sapper::analysis::guesses::fifty_fifties;
use sapper::analysis::notation::{cell_text, percent};
use sapper::analysis::values::CellValue;
use sapper::analysis::{Analysis, Analyzer, Move};
use sapper::base::objective::Objective;
use sapper::base::params::Effort;
use sapper::base::text::pluralize;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Step;
use sapper::referee::record::Record;

use super::log::{self, Answer, Position};

/// The odds of a cell in hundredths of a percent: 0 and [`PROVEN_MINE`] are proven.
pub type BasisPoints = u16;

/// The odds of a cell that is proven to be a mine.
pub const PROVEN_MINE: BasisPoints = 10_000;

/// A game, frame by frame.
pub struct ReplayedGame {
    pub frames: Vec<Frame>,
    /// The cells of the mines, if they are known.
    pub mines: Option<Vec<Cell>>,
    /// Size, mines, seed, bot and score, as far as the log has them.
    pub title: String,
    /// What the engine plays for.
    pub objective: Objective,
}

impl ReplayedGame {
    /// Whether the last frame is the end of the game, which has no move.
    pub fn has_ended(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.kind == END)
    }
}

/// The kind of the frame after the last answer.
const END: &str = "end";

/// One turn.
pub struct Frame {
    /// The board before the answer.
    pub board: Board,
    /// The cells that were opened since the frame before.
    pub opened: Vec<Cell>,
    /// The odds of the hidden cells, in row-major order; `None` if the numbers are inconsistent.
    pub odds: Option<Vec<BasisPoints>>,
    /// The cell that the answer opens, if it is legal.
    pub opens: Option<Cell>,
    /// The cell that the engine opens instead, if it makes another choice.
    pub instead: Option<Cell>,
    /// The step that decides the move, or `mine` (a proven mine is opened), `illegal`, `none` or
    /// `end`.
    pub kind: &'static str,
    /// Whether the answer opened a mine.
    pub hit: bool,
    /// The turn in one line.
    pub caption: String,
    /// The reasons of the move, as paragraphs.
    pub why: Vec<String>,
    /// The open cells whose numbers the proof uses, or that contradict each other.
    pub uses: Vec<Cell>,
    /// The candidates of a guess, by increasing cost.
    pub candidates: Vec<CandidateReport>,
    /// The cells of an endgame, the best first, and its number of layouts.
    pub values: (Vec<CellValue>, u32),
    /// The score if no further mine is opened.
    pub score: f64,
    /// What the bot wrote into the log beside its answer.
    pub note: Option<String>,
}

/// Odds as basis points. Odds that are not proven are never rounded to 0 or [`PROVEN_MINE`].
pub fn basis_points(odds: f64) -> BasisPoints {
    if odds == 0.0 || odds == 1.0 {
        odds as BasisPoints * PROVEN_MINE
    } else {
        let rounded = (odds * f64::from(PROVEN_MINE)).round();
        rounded.clamp(1.0, f64::from(PROVEN_MINE - 1)) as BasisPoints
    }
}

/// Reads and analyzes all turns of a game, with an engine of this objective and effort.
///
/// # Errors
/// An output of the log that does not describe a field.
pub fn replay(
    record: &Record,
    objective: Objective,
    effort: Effort,
    bar: &ProgressBar,
) -> Result<ReplayedGame> {
    let positions = log::positions(record)?;
    bar.set_length(positions.len() as u64);
    let new_analyzer = || Analyzer::new(objective, effort);
    let frames: Vec<Frame> = (0..positions.len())
        .into_par_iter()
        .progress_with(bar.clone())
        .map_init(new_analyzer, |analyzer, turn| frame(record, &positions, turn, analyzer))
        .collect();
    let mines = positions.last().and_then(|last| log::mines(record, &last.board));
    let title = log::title(record, &frames[0].board);
    Ok(ReplayedGame { frames, mines, title, objective })
}

fn frame(record: &Record, positions: &[Position], turn: usize, analyzer: &mut Analyzer) -> Frame {
    let Position { board, opened, reasons } = &positions[turn];
    let mut reasons = reasons.clone();
    let analysis = analyzer.analyze(board, None);
    let conflicts = analysis.as_ref().err().cloned().unwrap_or_default();
    reasons.extend(conflicts.iter().map(|conflict| conflict.text.clone()));
    let conflicting = conflicts.iter().flat_map(|conflict| conflict.numbers.iter().copied());
    let analysis = analysis.ok();
    let mut analysis = analysis.filter(|_| reasons.is_empty());
    let answer = log::answer(record, turn, board);
    let opens = if let Answer::Opens(cell) = answer { Some(cell) } else { None };
    let next = positions.get(turn + 1);
    let hit =
        opens.is_some_and(|cell| next.is_some_and(|next| next.board.state(cell) == CellState::Hit));
    if let (Some(analysis), Some(cell)) = (&mut analysis, opens) {
        analysis.add_candidate(cell);
    }
    let analysis = analysis.as_ref();
    let analyzed = analysis.zip(opens);
    let proof = analyzed.and_then(|(analysis, cell)| prove(analysis, cell));
    let (kind, mut why) = match (analyzed, opens) {
        (Some((analysis, cell)), _) => {
            let (step, why) = explain_answer(analysis, cell, proof.as_ref());
            // No step of the engine opens a proven mine.
            (if analysis.odds().of(cell) == 1.0 { "mine" } else { step.name() }, why)
        }
        (None, Some(_)) => (Step::Rough.name(), Vec::new()),
        (None, None) => (if next.is_some() { "illegal" } else { "none" }, Vec::new()),
    };
    why.extend(reasons.iter().map(|reason| format!("No layout fits: {reason}.")));
    let approximate = analysis.map_or(0, |analysis| analysis.odds().approximate());
    if approximate > 0 {
        let cells = pluralize(approximate, "cell has", "cells have");
        why.push(format!("{cells} approximate odds only: the frontier is too wide to count."));
    }
    let final_output = log::final_output(record, turn);
    let caption = match (&answer, final_output) {
        (Answer::None, Some(_)) => end_caption(record, turn, board),
        (Answer::None, None) => format!("Turn {turn}: the log has no answer"),
        (Answer::Illegal(invalid), _) => format!("Turn {turn}: no legal answer: {invalid}"),
        (Answer::Opens(cell), _) => {
            let answered = AnsweredTurn {
                turn,
                cell: cell_text(board.shape(), *cell),
                kind,
                odds: analysis.map(|analysis| analysis.odds().of(*cell)),
                hit,
                opened: next.map_or(0, |next| next.opened.len()),
            };
            answered.caption()
        }
    };
    let is_guess = kind == Step::Guess.name();
    let hidden_odds = |analysis: &Analysis| {
        board.hidden().map(|cell| basis_points(analysis.odds().of(cell))).collect()
    };
    let candidates = |analysis: &Analysis| analysis.candidates().to_vec();
    Frame {
        opened: opened.clone(),
        odds: analysis.map(hidden_odds),
        opens,
        instead: analyzed
            .and_then(|(analysis, cell)| other_choice(analysis, cell))
            .map(|other| other.cell),
        kind: if final_output.is_some() { END } else { kind },
        hit,
        caption,
        why,
        uses: proof.map_or_else(|| conflicting.collect(), |proof| proof.numbers()),
        candidates: analysis.filter(|_| is_guess).map(candidates).unwrap_or_default(),
        values: analysis.map(endgame_values).unwrap_or_default(),
        score: log::score(record, turn, board),
        note: log::note(record, turn),
        board: board.clone(),
    }
}

fn endgame_values(analysis: &Analysis) -> (Vec<CellValue>, u32) {
    let solved = analysis.chosen().and_then(|chosen| chosen.solved);
    (analysis.values().to_vec(), solved.map_or(0, |solved| solved.layouts))
}

/// The step by which a legal answer can be found, and the reasons. `proof` has what is proven about
/// the cell.
fn explain_answer(analysis: &Analysis, cell: Cell, proof: Option<&Told>) -> (Step, Vec<String>) {
    let Some(chosen) = analysis.chosen() else { return (Step::Rough, Vec::new()) };
    let is_chosen = chosen.cell == cell;
    let step = match analysis.odds().of(cell) {
        _ if is_chosen => chosen.by,
        0.0 if analysis.deduced().verdict(cell).is_some() => Step::Deduction,
        0.0 => Step::Counting,
        _ => Step::Guess,
    };
    let mut why = match proof {
        Some(proof) => proof.sentences(),
        None if is_chosen => explain_guess(analysis, &chosen, &fifty_fifties(analysis)),
        None => vec![explain_risk(analysis, cell)],
    };
    why.extend(
        other_choice(analysis, cell).map(|other| other_choice_text(analysis.board(), &other)),
    );
    (step, why)
}

/// The engine's move if it opens another cell and not both cells are safe.
fn other_choice(analysis: &Analysis, cell: Cell) -> Option<Move> {
    let chosen = analysis.chosen().filter(|chosen| chosen.cell != cell)?;
    let both_safe = chosen.by.is_proof() && analysis.odds().of(cell) == 0.0;
    (!both_safe).then_some(chosen)
}

fn other_choice_text(board: &Board, chosen: &Move) -> String {
    let at = cell_text(board.shape(), chosen.cell);
    let odds = match chosen.odds {
        0.0 => "it is safe".to_owned(),
        odds => format!("a mine with {}", percent(odds)),
    };
    format!("Sapper opens {at} here, by {}: {odds}.", chosen.by.name())
}

/// What the caption of a turn with a legal answer says.
struct AnsweredTurn<'a> {
    turn: usize,
    /// The cell that the answer opens.
    cell: String,
    kind: &'a str,
    /// The cell's odds, if they are known.
    odds: Option<f64>,
    /// Whether the cell was a mine.
    hit: bool,
    /// The number of cells that the answer opened.
    opened: usize,
}

impl AnsweredTurn<'_> {
    fn caption(&self) -> String {
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

fn end_caption(record: &Record, turn: usize, board: &Board) -> String {
    let hits = pluralize(board.hits(), "mine", "mines");
    let output = &record.log[2 * turn]["output"];
    let score =
        output["content"]["0"].as_f64().map_or("none".to_owned(), |score| format!("{score:.2}"));
    let cause =
        if output["display"]["msg"] == "INVALIDMOVE" { "an illegal answer" } else { "the end" };
    format!("After {}: {cause}, score {score}, {hits} opened", pluralize(turn, "turn", "turns"))
}
