//! What the log of a recorded game says, turn by turn.
//!
//! Item 2 N of a log is the judge's output of turn N, item 2 N + 1 the bot's answer to it. The last
//! output of a finished game has a score in place of a request.

use std::fmt;

use serde_json::{Value, json};

use game::botzone::{legal_cell, logged_answer};
use game::record::Record;
use game::referee::InvalidMove;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::{Board, CellState};
use sapper::bot::session::Session;
use sapper::kit::text::pluralize;
use sapper::protocol::Input;
use sapper::protocol::history::ChangedCell;

/// The most characters kept of a bot's note; the platform keeps as many.
const MAX_NOTE_CHARS: usize = 1024;
/// The most characters kept of a player's name in a title.
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
    /// Why the reports contradict each other; empty if they do not.
    pub reasons: Vec<String>,
}

/// The boards of all turns, each of which is built when it is asked for.
///
/// Memory: 16 bytes for each reported cell, and 8 for each opened one, whatever the board's size.
#[derive(Default)]
pub struct Positions {
    session: Session,
    /// The height, the width and the mines of the last request.
    field: [Value; 3],
    shape: Option<Shape>,
    is_open: Vec<bool>,
    /// The cells that each turn opened, in row-major order, and what they show.
    opened: Vec<Vec<(Cell, CellState)>>,
}

impl Positions {
    /// Adds the judge's output of the next turn.
    ///
    /// # Errors
    /// An output that does not describe a field.
    pub fn push(&mut self, output: &Value) -> Result<(), LogError> {
        let turn = self.opened.len();
        let error = |reason: &dyn fmt::Display| LogError { turn, reason: reason.to_string() };
        let mut request = output["content"]["0"].clone();
        if request.is_object() {
            self.field = ["height", "width", "minecount"].map(|key| request[key].clone());
        } else {
            // The last output has a score here. The cells opened last are in the display.
            let [height, width, mines] = &self.field;
            let changed = &output["display"]["status"];
            request =
                json!({"height": height, "width": width, "minecount": mines, "changed": changed});
        }
        let input: Input = serde_json::from_value(request).map_err(|reason| error(&reason))?;
        let changed = input.changed.clone();
        self.session.push(Input { requests: None, ..input });
        let shape = match self.shape {
            Some(shape) => shape,
            None => self.session.board().map_err(|reason| error(&reason))?.0.shape(),
        };
        self.shape = Some(shape);
        self.is_open.resize(shape.len(), false);
        let mut opened = Vec::new();
        for ChangedCell { row, column, value, .. } in changed {
            let Some(cell) = shape.cell(row.into(), column.into()) else { continue };
            // If a cell is reported twice, the first value counts.
            if !std::mem::replace(&mut self.is_open[cell.index()], true) {
                opened.push((cell, CellState::from_value(Some(value.into()))));
            }
        }
        opened.sort_unstable_by_key(|(cell, _)| cell.index());
        opened.shrink_to_fit();
        self.opened.push(opened);
        Ok(())
    }

    /// The number of turns.
    pub fn turns(&self) -> usize {
        self.opened.len()
    }

    /// The board of a turn.
    pub fn at(&self, turn: usize) -> LoggedPosition {
        let turns = u32::try_from(turn).unwrap_or(u32::MAX).saturating_add(1);
        let board = self.session.board_after(turns);
        let (board, reasons) = board.expect("the first request has a field");
        LoggedPosition { board, reasons }
    }

    /// The cells that were opened since the turn before, and what they show; none of a turn that
    /// the log does not have.
    pub fn opened(&self, turn: usize) -> &[(Cell, CellState)] {
        self.opened.get(turn).map_or(&[], Vec::as_slice)
    }
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
        title.push_str(&format!(", played by {}", shortened_name(bot)));
    }
    title
}

/// The name of a player, of at most as many characters as a title has room for.
pub fn shortened_name(name: &str) -> String {
    name.chars().take(MAX_NAME_CHARS).collect()
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
