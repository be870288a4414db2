//! A position or a game as a text for other programs.

use serde::Serialize;

use super::answer::PageAnswer;
use super::link::shortest;
use super::play::written_record;
use super::position::cell_of;
use super::presses::recording;
use super::replay::GameSource;
use super::request::{PageRequest, TextForm, required};
use analysis::field::{FieldRead, NO_MINE_COUNT, read_field};
use game::board_file::Layout;
use game::bot_clicks::bot_clicks;
use game::formats::{to_js_link, to_mbf, to_mine, to_pttacg, to_rawvf};
use game::record::Record;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};

/// What a log does not have of a game by the classic rules.
const FIRST_BEFORE_TURNS: &str = "the first click, which the rule keeps free, is no turn of the \
    log: its cells are open before the first turn";

/// The text.
pub fn write(request: &PageRequest) -> Result<PageAnswer, String> {
    let form = *required(&request.form, "as")?;
    match &request.game {
        Some(game) => write_game(game, form),
        None => write_position(request, form),
    }
}

fn write_position(request: &PageRequest, form: TextForm) -> Result<PageAnswer, String> {
    let FieldRead { board, mines, .. } = read_field(required(&request.field, "field")?)?;
    let mines = mines.ok_or(NO_MINE_COUNT)?;
    let cells = board.shape().len();
    if mines > cells as u64 && form != TextForm::Botzone {
        return Err(format!("{mines} mines are more than the {cells} cells"));
    }
    let flags = request.flags.iter().map(|&flag| cell_of(board.shape(), flag));
    let flags = flags.collect::<Result<Vec<_>, String>>()?;
    let text = match form {
        TextForm::Botzone => serde_json::to_string(&BotzoneRequest::new(&board, mines))
            .map_err(|error| error.to_string())?,
        TextForm::Mine => to_mine(&board, &flags),
        TextForm::JsLink => to_js_link(&board, &flags)?,
        TextForm::Game
        | TextForm::Link
        | TextForm::Log
        | TextForm::Rawvf
        | TextForm::Mbf
        | TextForm::Pttacg => return Err("a position is no game".to_owned()),
    };
    Ok(PageAnswer::Text { notes: Vec::new(), text })
}

fn write_game(game: &str, form: TextForm) -> Result<PageAnswer, String> {
    let source = GameSource::read(game)?;
    let mut notes = Vec::new();
    let text = match (form, &source) {
        (TextForm::Link, _) => {
            let (text, left_out) = shortest(source, game)?;
            notes = left_out;
            text
        }
        (TextForm::Log, GameSource::Own(request, record)) => {
            let written = written_record(request)?;
            if written.answers() < record.answers() {
                notes.push(FIRST_BEFORE_TURNS.to_owned());
            }
            log_text(&written)?
        }
        (TextForm::Log, GameSource::Log(record)) => log_text(record)?,
        (TextForm::Log, GameSource::Recording(_)) => {
            return Err("a log has no flags and chords, as a person's recording has".to_owned());
        }
        (TextForm::Rawvf, GameSource::Recording(recording)) => to_rawvf(recording),
        (TextForm::Rawvf, GameSource::Own(request, record)) => {
            let (recording, left_out) = recording(request, record)?;
            notes = left_out;
            to_rawvf(&recording)
        }
        (TextForm::Rawvf, GameSource::Log(record)) => {
            // The setup of a log that does not state one is not the game's.
            layout_of(source.clone())?;
            let setup = record.setup().map_err(|error| error.to_string())?;
            let clicks = bot_clicks(record, &setup).map_err(|error| error.to_string())?;
            notes = clicks.left_out;
            to_rawvf(&clicks.recording)
        }
        (TextForm::Mbf | TextForm::Pttacg, _) => {
            let layout = layout_of(source)?;
            match form {
                TextForm::Pttacg => to_pttacg(&layout),
                _ => to_mbf(&layout)?.iter().map(|byte| format!("{byte:02x}")).collect(),
            }
        }
        (TextForm::Botzone | TextForm::Mine | TextForm::JsLink | TextForm::Game, _) => {
            return Err("a game is no position".to_owned());
        }
    };
    Ok(PageAnswer::Text { notes, text })
}

fn log_text(record: &Record) -> Result<String, String> {
    serde_json::to_string(record).map_err(|error| error.to_string())
}

/// The layout of a game.
fn layout_of(source: GameSource) -> Result<Layout, String> {
    let game = source.reviewed()?;
    let mines = game.mines().ok_or("the game does not tell where its mines are")?;
    Ok(Layout::new(game.board().shape(), mines.into_iter().map(Cell::index).collect()))
}

/// The request that shows all open cells at once.
#[derive(Serialize)]
struct BotzoneRequest {
    changed: Vec<OpenCell>,
    height: u32,
    minecount: u64,
    width: u32,
}

/// An open cell and its value; 9 is a mine.
#[derive(Serialize)]
struct OpenCell {
    col: u32,
    row: u32,
    val: Option<u32>,
}

impl BotzoneRequest {
    fn new(board: &Board, mines: u64) -> BotzoneRequest {
        let shape = board.shape();
        let open = board.iter().filter(|(_, state)| *state != CellState::Hidden);
        let changed = open.map(|(cell, state)| OpenCell {
            col: shape.column(cell),
            row: shape.row(cell),
            val: state.value().map(u32::from),
        });
        BotzoneRequest {
            changed: changed.collect(),
            height: shape.rows(),
            minecount: mines,
            width: shape.columns(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::read;

    fn written(form: &str) -> String {
        let request = json!({"field": "3 2 3\n1.*\n..2", "as": form, "flags": [[0, 1]]});
        let request = PageRequest::read(&request.to_string()).unwrap();
        write(&request).unwrap().to_value()["text"].as_str().unwrap().to_owned()
    }

    fn read(text: &str) -> Value {
        let request = PageRequest { text: Some(text.to_owned()), ..PageRequest::default() };
        read::read(&request).unwrap().to_value()
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(written("mine"), "3x2x3\n1FF\nHH2\n");
        // The format does not tell a hit mine from a flag.
        assert_eq!(read(&written("mine"))["field"], "3 2 3\n1..\n..2\n");
        assert_eq!(read(&written("mine"))["flags"], json!([[0, 1], [0, 2]]));
        let link = written("js-link");
        assert!(link.starts_with("?board=3x2x3"), "{link}");
        assert_eq!(read(&link)["field"], "3 2 3\n1..\n..2\n");
        assert_eq!(read(&written("botzone"))["field"], "3 2 3\n1.*\n..2\n");
        let request: Value = serde_json::from_str(&written("botzone")).unwrap();
        assert_eq!(request["changed"][1], json!({"row": 0, "col": 2, "val": 9}));
    }

    fn of_game(game: &str, form: &str) -> Result<Value, String> {
        let request = json!({"game": game, "as": form}).to_string();
        write(&PageRequest::read(&request).unwrap()).map(|answer| answer.to_value())
    }

    #[test]
    fn a_game_is_written_as_a_log_a_recording_and_a_layout() {
        let own = r#"{"do":"open","rule":"botzone","width":4,"height":1,"mines":[[0,0]],
            "clicks":[[0,1],[0,0],[0,3]]}"#;
        let log = of_game(own, "log").unwrap();
        assert_eq!(read(log["text"].as_str().unwrap())["kind"], "game");
        let rawvf = of_game(own, "rawvf").unwrap();
        let notes = rawvf["notes"].to_string();
        assert!(notes.starts_with("[\"a hit ends a recording"), "{rawvf}");
        let recording = rawvf["text"].as_str().unwrap();
        assert_eq!(of_game(recording, "rawvf").unwrap()["text"], rawvf["text"]);
        assert!(of_game(recording, "log").unwrap_err().contains("no flags and chords"));
        for game in [own, recording, fixtures::sample::SMALL_GAME] {
            for form in ["mbf", "pttacg"] {
                let text = of_game(game, form).unwrap()["text"].as_str().unwrap().to_owned();
                let layout = read(&text);
                assert_eq!(layout["kind"], "layout", "{text}");
                let request = json!({"text": game, "as": "game"}).to_string();
                let request = PageRequest::read(&request).unwrap();
                let laid = read::read(&request).unwrap().to_value()["laid"].take();
                assert_eq!(layout["mines"], laid);
            }
        }
        // A history of requests does not tell the mines.
        let history = r#"{"requests":[{"height":1,"width":2,"minecount":1,"changed":null}],
            "responses":[{"row":0,"col":0}]}"#;
        assert!(of_game(history, "mbf").unwrap_err().contains("where its mines are"));
        assert!(of_game(history, "rawvf").is_err() && of_game(own, "mine").is_err());
    }

    #[test]
    fn a_field_without_its_mine_count_is_not_written() {
        let request = json!({"field": "1 1\n.", "as": "mine"});
        let request = PageRequest::read(&request.to_string()).unwrap();
        assert_eq!(write(&request).err().as_deref(), Some(NO_MINE_COUNT));
    }
}
