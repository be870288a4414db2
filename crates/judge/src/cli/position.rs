//! Files of positions: JSON from the platform, or a text. The first character tells which.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use analysis::DEFAULT_DENSITY;
use analysis::contradictions::ExplainedContradiction;
use analysis::field::{FieldRead, read_field};
use analysis::json::impossible::{ConflictReport, ImpossibleReport};
use analysis::review::frames::{ReadGameError, RecordedGame};
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use game::record::{Record, RecordError};
use game::rule::Rule;
use game::setup::Setup;
use sapper::Board;
use sapper::board::contradiction::Contradiction;
use sapper::board::text_format::begins_as_board;
use sapper::bot::read_error::ReadError;
use sapper::bot::session::Session;
use sapper::protocol::inputs;
use serde_json::Value;

use crate::cli::{parse_integer, print_json};
use crate::runner::files::{file_name, read_text};
use crate::runner::shell_words::quote;
use crate::runner::typed::typed_name;

/// A position and its form.
pub struct PositionInput {
    pub board: Board,
    /// Whether the position is a text, which does not tell whether its mines were opened.
    pub is_text: bool,
    /// The mine count, if the position states one.
    pub mine_count: Option<u64>,
    /// The rule of the game that the position is from; Botzone's if it is from none.
    pub rule: Rule,
    /// Why the position is impossible, as far as that is found without a search.
    pub reasons: Vec<ConflictReport>,
}

impl PositionInput {
    /// The error of this position, whose numbers also have these conflicts: all reasons, above a
    /// drawing. With `--json` they are printed as an object too.
    pub fn impossible(
        &self,
        name: &dyn std::fmt::Display,
        conflicts: &[ExplainedContradiction],
        drawing: &str,
        is_json: bool,
    ) -> anyhow::Error {
        if is_json {
            let (board, reasons) = (&self.board, self.reasons.clone());
            print_json(&ImpossibleReport::new(board, self.mine_count, reasons, conflicts));
        }
        let conflicts = conflicts.iter().map(|conflict| conflict.text.as_str());
        let reasons = self.reasons.iter().map(ConflictReport::text).chain(conflicts);
        let reasons = reasons.collect::<Vec<_>>().join("\n  ");
        anyhow!("{name}: impossible position:\n  {reasons}{drawing}")
    }
}

/// The density of mines in a field without a mine count.
#[derive(clap::Args)]
pub struct Density {
    /// Mine density of a field without a mine count, above 0 and below 1 [default: 0.2]
    #[arg(long, value_name = "D", value_parser = parse_density)]
    density: Option<f64>,
}

impl Density {
    /// The density of a position; `None` if the position states a mine count.
    ///
    /// # Errors
    /// Fails if the position in `file` states a mine count and a density is given.
    pub fn of(&self, input: &PositionInput, file: &PositionFile) -> Result<Option<f64>> {
        let is_needed = input.mine_count.is_none();
        ensure!(
            is_needed || self.density.is_none(),
            "{}: --density is for a field without a mine count; this position has one",
            file.name()
        );
        Ok(is_needed.then(|| self.density.unwrap_or(DEFAULT_DENSITY)))
    }
}

fn parse_density(text: &str) -> Result<f64, String> {
    let density = text.parse::<f64>().ok().filter(|density| *density > 0.0 && *density < 1.0);
    density.ok_or_else(|| "give a number above 0 and below 1, such as 0.2".to_owned())
}

/// The file of a position, or of a game and a turn.
#[derive(clap::Args)]
pub struct PositionFile {
    /// File to read, or - for standard input
    file: PathBuf,
    /// Turn of a game, counted from 0 [default: the last]
    #[arg(long, value_name = "N", value_parser = parse_integer::<usize>)]
    turn: Option<usize>,
}

impl PositionFile {
    /// The name of the file in messages.
    pub fn name(&self) -> String {
        file_name(&self.file)
    }

    /// Reads the position, or that of a game in its turn.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is empty, or has no position or no such turn. An
    /// impossible position is not an error; see [`PositionInput::reasons`].
    pub fn read(&self) -> Result<PositionInput> {
        let text = read_text(&self.file)?;
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let name = || self.name();
        match text.chars().next() {
            None => bail!("{} is empty: it has no position", name()),
            Some('{' | '[') => parse_json(text, self.turn).with_context(name),
            Some(_) => {
                ensure!(self.turn.is_none(), "{}: {NOT_A_GAME}", name());
                parse_text(text).with_context(name)
            }
        }
    }
}

const NOT_A_GAME: &str = "a turn can be given for a game only, and this is not a game; omit --turn";

/// Reads a recorded game or a Botzone log.
///
/// # Errors
/// Fails if the file cannot be read or holds something else; of a position, the message names the
/// command that reads it.
pub fn read_game(file: &Path) -> Result<Record> {
    read_text_by(file, Record::read)
}

/// Reads a recorded game with its boards, in little more memory than its text takes.
///
/// # Errors
/// As [`read_game`], and for an output of the log that does not describe a field.
pub fn read_recorded_game(file: &Path) -> Result<RecordedGame> {
    let game = read_text_by(file, |text| match RecordedGame::read(text) {
        Ok(game) => Ok(Ok(game)),
        Err(ReadGameError::Log(error)) => Ok(Err(error)),
        Err(ReadGameError::Record(error)) => Err(error),
    })?;
    game.with_context(|| file_name(file))
}

/// Reads the text of a recorded game by `read`.
fn read_text_by<G>(file: &Path, read: impl FnOnce(&str) -> Result<G, RecordError>) -> Result<G> {
    let text = read_text(file)?;
    let text = text.trim_start_matches('\u{feff}');
    let name = file_name(file);
    read(text).map_err(|error| {
        if is_position(text) {
            let quoted = quote(&file.display().to_string());
            anyhow!(
                "{name}: not a recorded game, but a position: try `{} explain {quoted}`",
                typed_name()
            )
        } else if text.trim().is_empty() {
            anyhow!("{name}: not a recorded game: it is empty")
        } else {
            anyhow!("{name}: {error}; give what `judge play --log` wrote, or a Botzone log")
        }
    })
}

/// The setup that a record states.
///
/// # Errors
/// Fails if there is none, or if a log without the whole file of `judge play` states another field
/// than its requests show.
pub fn stated_setup(record: &Record) -> Result<Setup> {
    let output = &record.log[0]["output"];
    ensure!(
        record.initdata_given.is_some() || output["initdata"].is_object(),
        "the log has no init data, as of an aborted match, so there is no field to judge by; \
         `judge replay` shows the game"
    );
    let setup = record.setup()?;
    let (columns, rows) = (setup.shape.columns(), setup.shape.rows());
    let size = |key: &str| output["content"]["0"][key].as_u64().unwrap_or_default();
    let (width, height) = (size("width"), size("height"));
    // A record that states its init data may differ from them.
    ensure!(
        record.initdata_given.is_some() || (width, height) == (u64::from(columns), u64::from(rows)),
        "the requests are of a field of {width}x{height}, but by Botzone's limits of size the init \
         data make one of {columns}x{rows}; give the whole file of `judge play --log`, not only \
         its log"
    );
    Ok(setup)
}

/// Whether a text is, or begins as, a position: a field, a request or a history.
fn is_position(text: &str) -> bool {
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return value.get("requests").is_some() || value.get("height").is_some();
    }
    begins_as_board(text)
}

fn parse_text(text: &str) -> Result<PositionInput> {
    let FieldRead { board, reasons, mines } = read_field(text).map_err(Error::msg)?;
    let reasons = reasons.iter().map(ConflictReport::of_one).collect();
    Ok(PositionInput { board, is_text: true, mine_count: mines, rule: Rule::Botzone, reasons })
}

/// The position of an input, or of a game in turn `turn`.
///
/// The input may be several values, as a bot that keeps running reads them.
fn parse_json(text: &str, turn: Option<usize>) -> Result<PositionInput> {
    let (mut session, mut rule) = (Session::default(), Rule::Botzone);
    if let Some(game) = parse_game(text) {
        let record = Record::read(&game.to_string()).map_err(|error| {
            anyhow!(
                "{error}; expected a request, a history, a recorded game, a Botzone log, or a \
                 field drawn as text"
            )
        })?;
        session.push(serde_json::from_value(turn_input(&record, turn)?)?);
        rule = record.rule();
    } else {
        ensure!(turn.is_none(), NOT_A_GAME);
        for input in inputs(text.as_bytes()) {
            session.push(input.map_err(ReadError::Json)?);
        }
    }
    let (board, warnings) = session.board()?;
    let mine_count = session.mine_count();
    let cells = board.shape().len();
    let too_many = mine_count.filter(|mines| *mines > cells as u64);
    let too_many = too_many.map(|mines| Contradiction::TooManyMines { mines, cells });
    let contradictions = board.reasons().into_iter().chain(too_many);
    let known: HashMap<String, Contradiction> =
        contradictions.map(|reason| (reason.to_string(), reason)).collect();
    // Others are faults of the input, such as a cell that is not on the field.
    let report = |warning: &String| match known.get(warning) {
        Some(reason) => ConflictReport::of_one(reason),
        None => ConflictReport::of_text(warning),
    };
    let reasons = warnings.iter().map(report).collect();
    Ok(PositionInput { board, is_text: false, mine_count, rule, reasons })
}

/// Returns the game if the text is a recorded game or a log.
fn parse_game(text: &str) -> Option<Value> {
    let value: Value = serde_json::Deserializer::from_str(text).into_iter().next()?.ok()?;
    (value.is_array() || value.get("log").is_some()).then_some(value)
}

/// The input of turn `turn` of a game; by default of the last one.
fn turn_input(record: &Record, turn: Option<usize>) -> Result<Value> {
    let turns = 0..=record.answers();
    let last = turns.rev().find(|&turn| record.input(turn).is_some());
    let last = last.context("the game has no request")?;
    let turn = turn.unwrap_or(last);
    record
        .input(turn)
        .with_context(|| format!("there is no turn {turn}: the turns are 0 to {last}"))
}
