//! A game on file as frames: what the bot saw each turn, what was known, what it opened and what
//! came of it.
//!
//! Frame N is turn N of the log, counted from 0 as everywhere; one frame more is the end. A frame
//! whose numbers cannot be (the init data may announce other mines than it lays) has no odds, and
//! says why.
//!
//! Invariant: the frames' boards follow from the log alone, each from the one before; odds are
//! exact but where a frame says otherwise.

use anyhow::{Context, Result};
use indicatif::{ParallelProgressIterator, ProgressBar};
use rayon::prelude::*;
use sapper::analysis::explanation::{explain_move, explain_other_move, numbers_used};
use sapper::analysis::notation::{cell_text, percent};
use sapper::analysis::{Analysis, CandidateReport, Move};
use sapper::base::objective::Objective;
use sapper::base::params::Effort;
use sapper::base::text::pluralize;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Step;
use sapper::bot::session::Session;
use sapper::referee::botzone::{answered_cell, logged_answer};
use sapper::referee::record::Record;
use sapper::referee::rules::InvalidMove;
use serde_json::{Value, json};

/// Odds in ten-thousandths: 0 and [`PROVEN_MINE`] are proven, everything else lies between.
pub type Parts = u16;

/// The odds of a cell that is proven to be a mine.
pub const PROVEN_MINE: Parts = 10_000;

/// The most characters of a bot's own words that are kept: the platform keeps as many.
const MOST_OF_A_NOTE: usize = 1024;

/// A game, frame by frame.
pub struct Game {
    pub frames: Vec<Frame>,
    /// Where the mines are, if the log tells and they fit what it shows.
    pub laid: Option<Vec<Cell>>,
    /// Which game it is, as far as the log tells: size, mines, seed, bot and score.
    pub title: String,
}

impl Game {
    /// Whether the last frame is the end of the game, and no turn.
    pub fn has_ended(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.kind == END)
    }
}

/// The kind of the frame after the last answer.
const END: &str = "end";

/// One turn.
pub struct Frame {
    /// Before the answer.
    pub board: Board,
    /// The cells that were opened since the frame before, in the log's order.
    pub opened: Vec<Cell>,
    /// The odds of the hidden cells, in row-major order; `None` where the numbers cannot be.
    pub odds: Option<Vec<Parts>>,
    /// The cell that the answer opens, where it is legal.
    pub opens: Option<Cell>,
    /// The cell that the engine opens, where it is another.
    pub instead: Option<Cell>,
    /// What the answer is: a step of the ladder, `mine` where it opens a proven mine, `illegal`,
    /// `none` or `end`.
    pub kind: &'static str,
    /// Whether a mine was opened.
    pub hit: bool,
    /// The turn in a line.
    pub caption: String,
    /// Why, a paragraph each.
    pub why: Vec<String>,
    /// The open cells whose numbers the proof stands on.
    pub uses: Vec<Cell>,
    /// What was weighed for a guess, the least cost first.
    pub candidates: Vec<CandidateReport>,
    /// The score if every mine that is still hidden stays so.
    pub score: f64,
    /// What the bot wrote into the log beside its answer.
    pub note: Option<String>,
}

/// Odds in ten-thousandths; what is not proven never looks so.
pub fn parts(odds: f64) -> Parts {
    if odds == 0.0 || odds == 1.0 {
        odds as Parts * PROVEN_MINE
    } else {
        (odds * f64::from(PROVEN_MINE)).round().clamp(1.0, f64::from(PROVEN_MINE - 1)) as Parts
    }
}

/// Reads all frames of a game, and thinks about each as an engine of this objective and effort.
pub fn frames(record: &Record, play: (Objective, Effort), bar: &ProgressBar) -> Result<Game> {
    let (objective, effort) = play;
    let seen = boards(record)?;
    bar.set_length(seen.len() as u64);
    let frames: Vec<Frame> = seen
        .par_iter()
        .enumerate()
        .progress_with(bar.clone())
        .map_init(
            || Analysis::new(objective, effort),
            |analysis, (turn, _)| frame(record, &seen, turn, analysis),
        )
        .collect();
    let laid = seen.last().and_then(|last| laid(record, &last.board));
    let title = title(record, &frames[0].board);
    Ok(Game { frames, laid, title })
}

/// The most characters of a bot's name in a title.
const MOST_OF_A_NAME: usize = 80;

fn title(record: &Record, board: &Board) -> String {
    let (shape, mines) = (board.shape(), pluralize(board.mines(), "mine", "mines"));
    let mut title = format!("{}x{}, {mines}", shape.columns(), shape.rows());
    if let Some(seed) = record.log[0]["output"]["initdata"]["seed"].as_i64() {
        title.push_str(&format!(", seed {seed}"));
    }
    if let Some(bot) = &record.bot {
        let name: String = bot.chars().take(MOST_OF_A_NAME).collect();
        title.push_str(&format!(", played by {name}"));
    }
    let last = record.log.iter().rev().find(|item| item["output"].is_object());
    match last.map(|item| &item["output"]).filter(|output| output["command"] == "finish") {
        Some(output) => {
            let score = output["content"]["0"].as_f64();
            title + &score.map_or(", no score".to_owned(), |score| format!(", score {score:.2}"))
        }
        None => title + ", not finished",
    }
}

/// A board as the log shows it.
struct Seen {
    board: Board,
    opened: Vec<Cell>,
    reasons: Vec<String>,
}

fn boards(record: &Record) -> Result<Vec<Seen>> {
    let mut session = Session::default();
    let mut seen: Vec<Seen> = Vec::new();
    let mut field = &record.log[0]["output"]["content"]["0"];
    for (turn, item) in record.log.iter().step_by(2).enumerate() {
        let output = &item["output"];
        let request = &output["content"]["0"];
        if request.is_object() {
            field = request;
            session.take(serde_json::from_value(request.clone())?)?;
        } else {
            // The end has a score there; what was opened last stands beside it.
            let [height, width, mines] = ["height", "width", "minecount"].map(|key| &field[key]);
            let changed = &output["display"]["status"];
            let end =
                json!({"height": height, "width": width, "minecount": mines, "changed": changed});
            session.take(serde_json::from_value(end)?)?;
        }
        let (board, reasons) = session.board().with_context(|| format!("turn {turn}"))?;
        let before = seen.last().map(|seen| &seen.board);
        let is_new = |cell: &Cell| before.is_none_or(|before| before.is_hidden(*cell));
        let shape = board.shape();
        let opened = shape.cells().filter(|&cell| !board.is_hidden(cell)).filter(is_new).collect();
        seen.push(Seen { board, opened, reasons });
    }
    Ok(seen)
}

/// The mines of the game's field, unless the log shows another.
fn laid(record: &Record, last: &Board) -> Option<Vec<Cell>> {
    let (field, _) = record.setup().ok()?.field().ok()?;
    let fits = |(cell, shown): (Cell, CellState)| match shown {
        CellState::Hidden => true,
        CellState::Number(number) => field.value(cell) == number,
        CellState::Hit => field.is_mine(cell),
        CellState::Illegible => false,
    };
    (field.shape() == last.shape() && last.iter().all(fits)).then(|| field.mines().collect())
}

/// What the answer of a turn is.
enum Answer {
    Opens(Cell),
    Illegal(InvalidMove),
    /// The log ends here, or the game does.
    None,
}

fn answer(record: &Record, turn: usize, board: &Board) -> Answer {
    let Some(item) = record.log.get(2 * turn + 1) else { return Answer::None };
    match answered_cell(logged_answer(item)) {
        Err(invalid) => Answer::Illegal(invalid),
        Ok((row, column)) => match board.shape().cell(row.into(), column.into()) {
            None => Answer::Illegal(InvalidMove::Outside { row, column }),
            Some(cell) if board.is_hidden(cell) => Answer::Opens(cell),
            Some(cell) => {
                let (row, column) = (board.shape().row(cell), board.shape().column(cell));
                Answer::Illegal(InvalidMove::Open { row, column })
            }
        },
    }
}

fn frame(record: &Record, seen: &[Seen], turn: usize, analysis: &mut Analysis) -> Frame {
    let Seen { board, opened, reasons } = &seen[turn];
    let mut reasons = reasons.clone();
    reasons.extend(analysis.analyze(board, None).err().unwrap_or_default());
    let known = reasons.is_empty();
    let answer = answer(record, turn, board);
    let opens = if let Answer::Opens(cell) = answer { Some(cell) } else { None };
    let after = seen.get(turn + 1);
    let hit = opens
        .is_some_and(|cell| after.is_some_and(|after| after.board.state(cell) == CellState::Hit));
    if let Some(cell) = opens.filter(|_| known) {
        analysis.add_candidate(board, cell);
    }
    let (kind, mut why) = match opens {
        Some(cell) if known => {
            let (step, why) = of_move(board, analysis, cell);
            // No step of the ladder is about opening one.
            (if analysis.odds().of(cell) == 1.0 { "mine" } else { step }, why)
        }
        Some(_) => (Step::Rough.name(), Vec::new()),
        None => (if after.is_some() { "illegal" } else { "none" }, Vec::new()),
    };
    why.extend(reasons.iter().map(|reason| format!("No layout fits: {reason}.")));
    if known && analysis.odds().approximate() > 0 {
        let cells = pluralize(analysis.odds().approximate(), "cell has", "cells have");
        why.push(format!("{cells} approximate odds only: the frontier is too wide to count."));
    }
    let ended = record.log[2 * turn]["output"]["command"] == "finish";
    let caption = match &answer {
        Answer::None if ended => end(record, turn, board),
        Answer::None => format!("Turn {turn}: no answer is on file"),
        Answer::Illegal(invalid) => format!("Turn {turn}: no legal answer: {invalid}"),
        Answer::Opens(cell) => {
            let odds = known.then(|| analysis.odds().of(*cell));
            let came = after.map(|after| &after.opened).map(Vec::len);
            caption((turn, *cell), board, (kind, odds), (hit, came))
        }
    };
    let uses = opens.filter(|_| known).map(|cell| numbers_used(board, analysis, cell));
    let is_guess = kind == Step::Guess.name();
    Frame {
        opened: opened.clone(),
        odds: known.then(|| board.hidden().map(|cell| parts(analysis.odds().of(cell))).collect()),
        opens,
        instead: opens.filter(|_| known).and_then(|cell| instead(analysis, cell)),
        kind: if ended { END } else { kind },
        hit,
        caption,
        why,
        uses: uses.unwrap_or_default(),
        candidates: if known && is_guess { analysis.candidates().to_vec() } else { Vec::new() },
        score: score(record, turn, board),
        note: note(record, turn),
        board: board.clone(),
    }
}

/// What a legal move is, and why.
fn of_move(board: &Board, analysis: &Analysis, cell: Cell) -> (&'static str, Vec<String>) {
    let Some(chosen) = analysis.chosen() else { return (Step::Rough.name(), Vec::new()) };
    if chosen.cell == cell {
        return (chosen.by.name(), explain_move(board, analysis, &chosen));
    }
    let step = match analysis.odds().of(cell) {
        0.0 if analysis.deducer().verdict(cell).is_some() => Step::Deduction,
        0.0 => Step::Counting,
        _ => Step::Guess,
    };
    let mut why = explain_other_move(board, analysis, cell);
    if instead(analysis, cell).is_some() {
        why.push(other_choice(board, &chosen));
    }
    (step.name(), why)
}

/// What the engine opens instead of `cell`; of two safe cells neither is the better one.
fn instead(analysis: &Analysis, cell: Cell) -> Option<Cell> {
    let chosen = analysis.chosen().filter(|chosen| chosen.cell != cell)?;
    let both_safe = chosen.by.is_proof() && analysis.odds().of(cell) == 0.0;
    (!both_safe).then_some(chosen.cell)
}

fn other_choice(board: &Board, chosen: &Move) -> String {
    let at = cell_text(board.shape(), chosen.cell);
    let odds = match chosen.odds {
        0.0 => "it is safe".to_owned(),
        odds => format!("a mine with {}", percent(odds)),
    };
    format!("Sapper opens {at} here, by {}: {odds}.", chosen.by.name())
}

fn caption(
    (turn, cell): (usize, Cell),
    board: &Board,
    (kind, odds): (&str, Option<f64>),
    (hit, came): (bool, Option<usize>),
) -> String {
    let at = cell_text(board.shape(), cell);
    let odds = match odds {
        None => String::new(),
        Some(1.0) => return format!("Turn {turn}: {at} opened, a proven mine"),
        Some(0.0) => ", safe".to_owned(),
        Some(odds) => format!(", {} a mine", percent(odds)),
    };
    let came = match came {
        _ if hit => " - A MINE".to_owned(),
        Some(cells) if cells > 1 => format!(" - opens {cells} cells"),
        _ => String::new(),
    };
    format!("Turn {turn}: {at} by {kind}{odds}{came}")
}

fn end(record: &Record, turn: usize, board: &Board) -> String {
    let hits = pluralize(board.hits(), "mine", "mines");
    let over = &record.log[2 * turn]["output"];
    let score =
        over["content"]["0"].as_f64().map_or("none".to_owned(), |score| format!("{score:.2}"));
    let how = if over["display"]["msg"] == "INVALIDMOVE" { "an illegal answer" } else { "the end" };
    format!("After {}: {how}, score {score}, {hits} opened", pluralize(turn, "turn", "turns"))
}

fn score(record: &Record, turn: usize, board: &Board) -> f64 {
    let output = &record.log[2 * turn]["output"];
    let on_file =
        (output["command"] == "finish").then(|| output["content"]["0"].as_f64()).flatten();
    on_file.unwrap_or_else(|| {
        let mines = f64::from(board.mines().max(1));
        100.0 * (mines - f64::from(board.hits())).max(0.0) / mines
    })
}

/// The bot's `debug`, and its verdict where that is not OK.
fn note(record: &Record, turn: usize) -> Option<String> {
    let item = &record.log.get(2 * turn + 1)?["0"];
    let verdict = item["verdict"].as_str().filter(|verdict| *verdict != "OK");
    let debug = match &item["debug"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let parts: Vec<String> =
        verdict.map(|verdict| format!("verdict {verdict}")).into_iter().chain(debug).collect();
    let note: String = parts.join("; ").chars().take(MOST_OF_A_NOTE).collect();
    (!note.is_empty()).then_some(note)
}
