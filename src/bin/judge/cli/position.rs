//! Positions as files: JSON from the platform, or a picture. The first character decides which.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use sapper::base::text::{pluralize, too_many_mines, with_article};
use sapper::board::Board;
use sapper::board::replay::Reason;
use sapper::board::text_format::Picture;
use sapper::bot::session::Session;
use sapper::protocol::inputs;
use sapper::referee::record::Record;
use serde_json::Value;

/// A position and the form it came in.
pub struct Input {
    pub board: Board,
    /// It came as a picture.
    pub drawn: bool,
    /// It states how many mines there are.
    pub counted: bool,
    /// Why the board cannot be, a line each, as far as it shows without a search.
    pub reasons: Vec<String>,
}

impl Input {
    /// What a mine is that the board shows: a drawing does not say that somebody opened it.
    pub fn hit(&self) -> &'static str {
        if self.drawn { "a known mine" } else { "a mine that was opened" }
    }
}

/// The position in a file, or `None` in an empty one. Every reason against it is an error.
pub fn read(file: &Path) -> Result<Option<Input>> {
    let input = read_turn(file, None)?;
    if let Some(Input { reasons, drawn, .. }) = &input
        && !reasons.is_empty()
    {
        let start = if *drawn { "" } else { "impossible position:\n  " };
        bail!("{}: {start}{}", file.display(), reasons.join("\n  "));
    }
    Ok(input)
}

/// The same with the reasons beside the position, and of a game the turn asked for, counted from 0.
pub fn read_turn(file: &Path, turn: Option<usize>) -> Result<Option<Input>> {
    let text = text_of(file)?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let name = || file.display().to_string();
    match text.chars().next() {
        None => Ok(None),
        Some('{' | '[') => {
            let (board, reasons) = board_of(text, turn).with_context(name)?;
            Ok(Some(Input { board, drawn: false, counted: true, reasons }))
        }
        Some(_) => {
            ensure!(turn.is_none(), "{}: {NO_GAME}", name());
            drawn(text).with_context(name).map(Some)
        }
    }
}

const NO_GAME: &str = "a turn can be asked for of a game only, and this is none";

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
    let (board, reasons) = match picture.board(picture.known_mines()) {
        Ok(board) => (board, Vec::new()),
        Err(error) => (error.board, error.reasons.iter().map(fault).collect()),
    };
    Ok(Input { board, drawn: true, counted: picture.mines.is_some(), reasons })
}

/// What is wrong with a picture, where its symbols are right.
fn fault(reason: &Reason) -> String {
    match reason {
        Reason::ImpossibleNumber { row, column, number, hits, hidden } => format!(
            "wrong number: row {row}, col {column}: {} beside {} and {}",
            with_article(*number),
            pluralize(*hits, "known mine", "known mines"),
            pluralize(*hidden, "hidden cell", "hidden cells")
        ),
        Reason::TooManyMines { mines, cells } => {
            format!("too small a field: {}", too_many_mines(*mines, *cells as u64))
        }
        Reason::TooManyHits { hits, mines } => {
            format!(
                "wrong number of mines: {mines}, but {} known",
                pluralize(*hits, "mine is", "mines are")
            )
        }
        other => format!("bad field: {other}"),
    }
}

/// The board of an input, or of one request of a game: the last where no turn is asked for. With
/// why it cannot be.
///
/// Of several values, as a bot that is kept running reads them, each follows on the one before.
fn board_of(text: &str, turn: Option<usize>) -> Result<(Board, Vec<String>)> {
    let mut session = Session::default();
    if let Some(game) = log(text) {
        session.push(serde_json::from_value(input_of(&game, turn)?)?)?;
    } else {
        ensure!(turn.is_none(), NO_GAME);
        // Read as the bot reads it, which takes more than a plain parser does.
        for input in inputs(text.as_bytes()) {
            session.push(input.context("the input is not JSON")?)?;
        }
    }
    Ok(session.board()?)
}

/// The game, where the text is the log of one.
fn log(text: &str) -> Option<Value> {
    let value: Value = serde_json::Deserializer::from_str(text).into_iter().next()?.ok()?;
    (value.is_array() || value.get("log").is_some()).then_some(value)
}

/// The input of a game's turn, of its last one where none is asked for.
fn input_of(game: &Value, turn: Option<usize>) -> Result<Value> {
    let record = Record::read(&game.to_string())?;
    let turns = 0..=record.answers();
    let last = turns.rev().find(|&turn| record.input(turn).is_some());
    let last = last.context("the game has no request")?;
    let turn = turn.unwrap_or(last);
    record
        .input(turn)
        .with_context(|| format!("there is no turn {turn}: the turns are 0 to {last}"))
}
