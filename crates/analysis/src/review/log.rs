//! What the log of a recorded game says, turn by turn.
//!
//! Item 2 N of a log is the judge's output of turn N, item 2 N + 1 the bot's answer to it. The last
//! output of a finished game has a score in place of a request.

use std::fmt;

use serde_json::{Value, json};

use game::botzone::{legal_cell, logged_answer};
use game::record::Record;
use game::referee::InvalidMove;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::bot::session::Session;
use sapper::kit::text::pluralize;

/// The most characters kept of a bot's note; the platform keeps as many.
const MAX_NOTE_CHARS: usize = 1024;
/// The most characters kept of a bot's name in a title.
const MAX_NAME_CHARS: usize = 80;

/// The reason why a turn of a log cannot be read.
#[derive(Debug)]
pub struct LogError {
    turn: usize,
    reason: String,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}: {}", self.turn, self.reason)
    }
}

impl std::error::Error for LogError {}

/// The board of a turn, before the answer.
pub struct LoggedPosition {
    /// The board.
    pub board: Board,
    /// The cells that were opened since the turn before, in row-major order.
    pub opened: Vec<Cell>,
    /// Why the reports contradict each other; empty if they do not.
    pub reasons: Vec<String>,
}

/// Reads the boards of all turns. Each follows from the log alone.
///
/// # Errors
/// An output that does not describe a field.
pub fn positions(record: &Record) -> Result<Vec<LoggedPosition>, LogError> {
    let mut session = Session::default();
    let mut positions: Vec<LoggedPosition> = Vec::new();
    let mut field = &record.log[0]["output"]["content"]["0"];
    for (turn, item) in record.log.iter().step_by(2).enumerate() {
        let error = |reason: &dyn fmt::Display| LogError { turn, reason: reason.to_string() };
        let output = &item["output"];
        let mut request = output["content"]["0"].clone();
        if request.is_object() {
            field = &output["content"]["0"];
        } else {
            // The last output has a score here. The cells opened last are in the display.
            let [height, width, mines] = ["height", "width", "minecount"].map(|key| &field[key]);
            let changed = &output["display"]["status"];
            request =
                json!({"height": height, "width": width, "minecount": mines, "changed": changed});
        }
        session.push(serde_json::from_value(request).map_err(|reason| error(&reason))?);
        let (board, reasons) = session.board().map_err(|reason| error(&reason))?;
        let before = positions.last().map(|position| &position.board);
        let is_new = |cell: &Cell| before.is_none_or(|before| before.is_hidden(*cell));
        let shape = board.shape();
        let opened = shape.cells().filter(|&cell| !board.is_hidden(cell)).filter(is_new).collect();
        positions.push(LoggedPosition { board, opened, reasons });
    }
    Ok(positions)
}

/// The answer of a turn.
pub enum LoggedAnswer {
    /// A legal answer.
    Opens(Cell),
    /// An answer that opens no hidden cell.
    Illegal(InvalidMove),
    /// The log has no answer: it is the last turn.
    None,
}

/// The answer of a turn whose board is `board`.
pub fn answer(record: &Record, turn: usize, board: &Board) -> LoggedAnswer {
    let Some(item) = record.log.get(2 * turn + 1) else { return LoggedAnswer::None };
    legal_cell(logged_answer(item), board).map_or_else(LoggedAnswer::Illegal, LoggedAnswer::Opens)
}

/// The judge's output of a turn, if it ends the game.
pub fn final_output(record: &Record, turn: usize) -> Option<&Value> {
    let output = &record.log[2 * turn]["output"];
    (output["command"] == "finish").then_some(output)
}

/// The size of the field, mines, seed and bot of the game, as far as the log has them.
pub fn title(record: &Record, board: &Board) -> String {
    let (shape, mines) = (board.shape(), pluralize(board.mines(), "mine", "mines"));
    let mut title = format!("{}x{}, {mines}", shape.columns(), shape.rows());
    if let Some(seed) = record.log[0]["output"]["initdata"]["seed"].as_i64() {
        title.push_str(&format!(", seed {seed}"));
    }
    if let Some(bot) = &record.bot {
        let name: String = bot.chars().take(MAX_NAME_CHARS).collect();
        title.push_str(&format!(", played by {name}"));
    }
    title
}

/// The cells of the mines, if the log has the field and the last board agrees with it.
pub fn mines(record: &Record, last: &Board) -> Option<Vec<Cell>> {
    let (field, _) = record.setup().ok()?.field().ok()?;
    let agrees = |(cell, state): (Cell, CellState)| match state {
        CellState::Hidden => true,
        CellState::Number(number) => field.value(cell) == number,
        CellState::Hit => field.is_mine(cell),
        CellState::Illegible => false,
    };
    (field.shape() == last.shape() && last.iter().all(agrees)).then(|| field.mines().collect())
}

/// The score of a turn: the recorded one at the end of the game, else the score if no further mine
/// is opened.
pub fn score(record: &Record, turn: usize, board: &Board) -> f64 {
    let recorded = final_output(record, turn).and_then(|output| output["content"]["0"].as_f64());
    recorded.unwrap_or_else(|| {
        let mines = f64::from(board.mines().max(1));
        100.0 * (mines - f64::from(board.hits())).max(0.0) / mines
    })
}

/// The note of an answer: its `debug`, after its verdict where that is not OK.
pub fn note(record: &Record, turn: usize) -> Option<String> {
    let item = &record.log.get(2 * turn + 1)?["0"];
    let verdict = item["verdict"].as_str().filter(|verdict| *verdict != "OK");
    let debug = match &item["debug"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => serde_json::to_string(other).ok(),
    };
    let parts: Vec<String> =
        verdict.map(|verdict| format!("verdict {verdict}")).into_iter().chain(debug).collect();
    let note: String = parts.join("; ").chars().take(MAX_NOTE_CHARS).collect();
    (!note.is_empty()).then_some(note)
}
