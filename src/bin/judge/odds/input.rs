//! What `judge odds` reads: JSON from the platform, or a picture. The first character tells which.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use sapper::board::{Board, Reason};
use sapper::game::log::Record;
use sapper::picture::Picture;
use sapper::protocol::inputs;
use sapper::session::Session;
use serde_json::Value;

/// A position and the form it came in.
pub struct Input {
    pub board: Board,
    /// It came as a picture.
    pub drawn: bool,
    /// It states how many mines there are.
    pub counted: bool,
}

/// The position in a file, or `None` in an empty one. Every reason against it is an error.
pub fn read(file: &Path) -> Result<Option<Input>> {
    let text = text_of(file)?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let name = || file.display().to_string();
    match text.chars().next() {
        None => Ok(None),
        Some('{' | '[') => {
            let board = board_of(text).with_context(name)?;
            Ok(Some(Input { board, drawn: false, counted: true }))
        }
        Some(_) => drawn(text).with_context(name).map(Some),
    }
}

/// The text of a file, or of standard input for `-`.
pub fn text_of(file: &Path) -> Result<String> {
    if file.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        return Ok(text);
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

fn drawn(text: &str) -> Result<Input> {
    let picture: Picture = text.parse()?;
    match picture.board(picture.known_mines()) {
        Ok(board) => Ok(Input { board, drawn: true, counted: picture.mines.is_some() }),
        Err(error) => {
            let faults: Vec<String> = error.reasons.iter().map(fault).collect();
            bail!("{}", faults.join("\n  "))
        }
    }
}

/// What is wrong with a picture, where its symbols are right.
fn fault(reason: &Reason) -> String {
    match reason {
        Reason::Number { row, column, number, hits, hidden } => format!(
            "wrong number: row {row}, col {column}: a {number} beside {hits} known mines and \
             {hidden} hidden cells"
        ),
        Reason::Mines { mines, cells } => {
            format!("too small a field: {mines} mines do not fit into {cells} cells")
        }
        Reason::Hits { hits, mines } => {
            format!("wrong number of mines: {mines}, but {hits} are known")
        }
        other => format!("bad field: {other}"),
    }
}

/// The board of an input, or of the last request of a game.
///
/// Of several values, as a bot that is kept running reads them, each follows on the one before.
fn board_of(text: &str) -> Result<Board> {
    let mut session = Session::default();
    if let Some(game) = log(text) {
        session.take(serde_json::from_value(last_input(&game)?)?)?;
    } else {
        // Read as the bot reads it, which takes more than a plain parser does.
        for input in inputs(text.as_bytes()) {
            session.take(input.context("the input is not JSON")?)?;
        }
    }
    let (board, reasons) = session.board()?;
    ensure!(reasons.is_empty(), "impossible position:\n  {}", reasons.join("\n  "));
    Ok(board)
}

/// The game, where the text is the log of one.
fn log(text: &str) -> Option<Value> {
    let value: Value = serde_json::Deserializer::from_str(text).into_iter().next()?.ok()?;
    (value.is_array() || value.get("log").is_some()).then_some(value)
}

/// The input of a game's last turn.
fn last_input(game: &Value) -> Result<Value> {
    let record = Record::read(&game.to_string())?;
    let mut turns = (0..=record.answers()).rev();
    turns.find_map(|turn| record.input(turn)).context("the game has no request")
}
