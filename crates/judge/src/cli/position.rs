//! Files of positions and of recorded games, whichever program wrote them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use analysis::DEFAULT_DENSITY;
use analysis::contradictions::ExplainedContradiction;
use analysis::field::{FieldRead, read_field};
use analysis::json::impossible::{ConflictReport, ImpossibleReport};
use analysis::review::person_game::PersonGame;
use analysis::review::reviewed_game::ReviewedGame;
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use game::formats::{Contents, DrawnPosition, FormatError, MatchPack};
use game::record::Record;
use game::rule::Rule;
use game::setup::Setup;
use sapper::board::contradiction::Contradiction;
use sapper::bot::read_error::ReadError;
use sapper::bot::session::Session;
use sapper::protocol::inputs;
use sapper::{Board, Cell};
use serde_json::Value;

use crate::cli::unknown_keys::unknown_keys;
use crate::cli::{GameText, GameTexts, MatchOption, parse_integer, print_json};
use crate::runner::contents::read_contents;
use crate::runner::files::file_name;
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
    /// The cells that the player has flagged.
    pub flags: Vec<Cell>,
    /// What was assumed of the input, one sentence each.
    pub assumed: Vec<String>,
}

impl PositionInput {
    /// What was assumed, and which flags stand on cells that are proven safe: a sentence each.
    pub fn notes(&self, safe: &[Cell]) -> Vec<String> {
        let shape = self.board.shape();
        let wrong = self.flags.iter().filter(|cell| safe.contains(cell)).map(|&cell| {
            format!("the flag on {} is wrong: the cell is proven safe", shape.at(cell))
        });
        self.assumed.iter().cloned().chain(wrong).collect()
    }

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
    #[command(flatten)]
    game: MatchOption,
}

impl PositionFile {
    /// The name of the file in messages.
    pub fn name(&self) -> String {
        file_name(&self.file)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// Reads what the file holds.
    ///
    /// # Errors
    /// Fails if it cannot be read, is empty, or is of no known format.
    pub fn contents(&self) -> Result<Contents> {
        match read_contents(&self.file)? {
            Ok(contents) => Ok(contents),
            Err(FormatError::Empty) => bail!("{} is empty", self.name()),
            Err(error) => bail!("{}: {error}", self.name()),
        }
    }

    /// The chosen game of the pack that the file holds.
    ///
    /// # Errors
    /// Fails if there is no such match, or if there are several and none is chosen.
    pub fn game(&self, pack: MatchPack) -> Result<GameText> {
        self.game.choose(&self.file, pack)
    }

    /// The games of the pack that the file holds, or only the chosen one.
    ///
    /// # Errors
    /// Fails if there is no such match.
    pub fn games(&self, pack: MatchPack) -> Result<GameTexts> {
        self.game.all(&self.file, pack)
    }

    /// Fails if a turn was chosen, for something that is no position.
    ///
    /// # Errors
    /// Says so.
    pub fn refuse_turn(&self, what: &str) -> Result<()> {
        ensure!(
            self.turn.is_none(),
            "{}: --turn chooses a position, and {what} is none; omit --turn",
            self.name()
        );
        Ok(())
    }

    /// Fails if a match was chosen of a file that holds no games.
    ///
    /// # Errors
    /// Says so.
    pub fn refuse_match(&self) -> Result<()> {
        self.game.refuse(&self.name())
    }

    /// Reads the position, or that of a game in its turn.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is empty, or has no position or no such turn. An
    /// impossible position is not an error; see [`PositionInput::reasons`].
    pub fn read(&self) -> Result<PositionInput> {
        match read_contents(&self.file)? {
            Err(FormatError::Empty) => bail!("{} is empty: it has no position", self.name()),
            Err(error) => bail!("{}: {error}", self.name()),
            Ok(contents) => self.position_of(contents),
        }
    }

    /// The position that the file holds, or that of its game in the turn.
    ///
    /// # Errors
    /// Fails if there is no position, or no such turn.
    pub fn position_of(&self, contents: Contents) -> Result<PositionInput> {
        let name = || self.name();
        match contents {
            Contents::Games(_) => {}
            Contents::Recording(_) => self.game.refuse_of_one(&name())?,
            _ => {
                ensure!(self.turn.is_none(), "{}: {}", name(), NOT_A_GAME);
                self.game.refuse(&name())?;
            }
        }
        match contents {
            Contents::Position(position) => of_drawing(position).with_context(name),
            Contents::Requests(text) => of_requests(&text).with_context(name),
            Contents::Games(pack) => {
                let game = self.game(pack)?;
                let position = match game.recording() {
                    Some(recording) => of_person(&PersonGame::new(recording.clone()), self.turn),
                    None => of_game(&game.record()?, self.turn),
                };
                position.with_context(|| game.name.clone())
            }
            Contents::Recording(recording) => {
                of_person(&PersonGame::new(*recording), self.turn).with_context(name)
            }
            Contents::Layouts(_) => bail!(
                "{}: mine layouts, which show no position; try `{} bench --boards {}`",
                name(),
                typed_name(),
                quote(&self.file.display().to_string())
            ),
        }
    }
}

const NOT_A_GAME: &str = "a turn can be given for a game only, and this is not a game; omit --turn";

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

fn of_drawing(position: DrawnPosition) -> Result<PositionInput> {
    let DrawnPosition { text, flags, assumed } = position;
    let FieldRead { board, reasons, mines } = read_field(&text).map_err(Error::msg)?;
    let reasons = reasons.iter().map(ConflictReport::of_one).collect();
    let (is_text, rule) = (true, Rule::Botzone);
    Ok(PositionInput { board, is_text, mine_count: mines, rule, reasons, flags, assumed })
}

/// The position after all requests. There may be several values, as a bot that keeps running reads
/// them.
fn of_requests(text: &str) -> Result<PositionInput> {
    let mut session = Session::default();
    for input in inputs(text.as_bytes()) {
        session.push(input.map_err(ReadError::Json)?);
    }
    let unknown = unknown_keys(text);
    let position = of_session(&session, Rule::Botzone);
    let mut position = position.map_err(|error| match &unknown {
        Some(unknown) => anyhow!("{error:#}; {unknown}"),
        None => error,
    })?;
    position.assumed.extend(unknown);
    Ok(position)
}

/// The position of a game in turn `turn`; by default in the last one.
fn of_game(record: &Record, turn: Option<usize>) -> Result<PositionInput> {
    let mut session = Session::default();
    session.push(serde_json::from_value(turn_input(record, turn)?)?);
    of_session(&session, record.rule())
}

/// The position before click `turn` of a person's game; by default before the last one.
fn of_person(game: &PersonGame, turn: Option<usize>) -> Result<PositionInput> {
    let last = game.moves();
    let turn = turn.unwrap_or(last.saturating_sub(1));
    ensure!(turn <= last, "there is no turn {turn}: the turns are 0 to {last}");
    let (board, flags) = game.before(turn);
    Ok(PositionInput {
        mine_count: Some(board.mines().into()),
        board,
        is_text: false,
        rule: game.outcome().rule,
        reasons: Vec::new(),
        flags,
        assumed: game.caution().into_iter().collect(),
    })
}

fn of_session(session: &Session, rule: Rule) -> Result<PositionInput> {
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
    let (flags, assumed) = (Vec::new(), Vec::new());
    Ok(PositionInput { board, is_text: false, mine_count, rule, reasons, flags, assumed })
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
