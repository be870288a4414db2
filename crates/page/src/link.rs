//! The shortest text of a game, from which a link is made.
//!
//! A bot's game is written as the board and the clicks, in the page's own form, where that is the
//! same game: the same cells opened on the same boards, the same mines and the same end. A
//! person's recording is written without the way of the mouse between the clicks.
//!
//! Invariant: the text is read as a game that shows the same boards and clicks, turn by turn.

use serde_json::{Value, json};

use super::play;
use super::replay::{GameSource, without_mark};
use super::request::PageRequest;
use analysis::json::coordinates::{Coordinates, coordinates, list_coordinates};
use analysis::review::recorded_game::RecordedGame;
use analysis::review::reviewed_game::ReviewedGame as _;
use game::formats::to_rawvf;
use game::record::Record;
use game::recording::{Action, Recording};
use sapper::board::Board;
use sapper::board::geometry::Cell;

/// Why a log has no shorter text.
const NO_BOARD_AND_CLICKS: &str = "it is more than a board and its clicks";

/// The shortest text of a game that was read from `text`, and what it leaves out, a sentence each.
///
/// # Errors
/// One line, where it is a game that a board and clicks do not tell.
pub fn shortest(source: GameSource, text: &str) -> Result<(String, Vec<String>), String> {
    match source {
        GameSource::Own(..) => Ok(without_presses(text)),
        GameSource::Recording(recording) => Ok((without_moves(*recording), Vec::new())),
        GameSource::Log(record) => board_and_clicks(*record),
    }
}

/// The page's own game without its presses, which are several times as long as its clicks.
fn without_presses(text: &str) -> (String, Vec<String>) {
    let text = without_mark(text);
    let mut game = serde_json::from_str::<Value>(text).unwrap_or_default();
    match game.as_object_mut().and_then(|game| game.remove("presses")) {
        Some(Value::Array(presses)) if !presses.is_empty() => {
            (game.to_string(), vec!["its times, flags and chords are left out".to_owned()])
        }
        _ => (text.to_owned(), Vec::new()),
    }
}

fn without_moves(mut recording: Recording) -> String {
    recording.events.retain(|event| event.action != Action::Move);
    to_rawvf(&recording)
}

fn board_and_clicks(record: Record) -> Result<(String, Vec<String>), String> {
    let setup = record.setup().map_err(|error| error.to_string())?;
    let has_words = record.bot.is_some() || record.log.iter().any(has_note);
    let game = RecordedGame::new(record).map_err(|error| error.to_string())?;
    let shape = game.board().shape();
    let clicks: Vec<Coordinates> =
        game.clicks().map(|(_, cell)| coordinates(shape, cell)).collect();
    let mines = game.mines().ok_or(NO_BOARD_AND_CLICKS)?;
    let own = |layout: &Value| {
        let mut own = json!({"do": "open", "rule": "botzone", "width": shape.columns(),
            "height": shape.rows(), "clicks": clicks});
        own.as_object_mut()?.extend(layout.as_object()?.clone());
        let text = own.to_string();
        is_same(&game, &text).then_some(text)
    };
    // The layout is that of the seed, or is given.
    let of_seed = json!({"seed": setup.seed, "minecount": setup.mines});
    let given = json!({"mines": list_coordinates(shape, &mines)});
    let text = own(&of_seed).or_else(|| own(&given)).ok_or(NO_BOARD_AND_CLICKS)?;
    let notes = has_words.then(|| "the bot's name and its notes are left out".to_owned());
    Ok((text, notes.into_iter().collect()))
}

/// Whether an item of a log has a note of the bot.
fn has_note(item: &Value) -> bool {
    item["0"]["debug"].as_str().is_some_and(|note| !note.is_empty())
}

/// Whether the page's own game in this text is the same game.
fn is_same(game: &RecordedGame, text: &str) -> bool {
    let record = PageRequest::read(text).and_then(|request| play::record(&request));
    let Some(own) = record.ok().and_then(|record| RecordedGame::new(record).ok()) else {
        return false;
    };
    let clicks = |game: &RecordedGame| -> Vec<(Board, Cell)> { game.clicks().collect() };
    let ours = clicks(&own);
    let (outcome, told) = (own.outcome(), game.outcome());
    // Each answer opens a cell: none is illegal or absent.
    ours.len() == game.moves()
        && ours == clicks(game)
        && (own.frames(), own.mines()) == (game.frames(), game.mines())
        && (outcome.rule, outcome.end, outcome.hits) == (told.rule, told.end, told.hits)
        && outcome.score == told.score
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(text: &str) -> String {
        GameSource::read(text).unwrap().reviewed().unwrap().title()
    }

    fn of_text(text: &str) -> Result<(String, Vec<String>), String> {
        shortest(GameSource::read(text)?, text)
    }

    #[test]
    fn a_log_is_its_seed_and_clicks() {
        let (text, notes) = of_text(fixtures::sample::SMALL_GAME).unwrap();
        assert!(text.len() < 400 && !text.contains("mines"), "{text}");
        assert!(notes.is_empty() || notes[0].contains("left out"), "{notes:?}");
        let own: Value = serde_json::from_str(&text).unwrap();
        let log = Record::read(fixtures::sample::SMALL_GAME).unwrap();
        let first = &log.log[1]["0"]["response"];
        assert_eq!(own["clicks"][0], json!([first["row"], first["col"]]));
        // It is the shortest text of itself.
        assert_eq!(of_text(&text).unwrap().0, text);
    }

    #[test]
    fn a_game_of_the_page_loses_its_presses() {
        let game = |presses: &str| {
            format!(r#"{{"clicks":[[0,3]],"do":"open","height":1,"mines":[[0,0]],{presses}"#)
                + r#""rule":"botzone","width":4}"#
        };
        let (text, notes) = of_text(&game(r#""presses":[[0,0,0,3]],"#)).unwrap();
        assert_eq!((text, notes.len()), (game(""), 1));
        assert_eq!(of_text(&game("")).unwrap(), (game(""), Vec::new()));
        let marked = format!("\u{feff}{}", game(r#""presses":[[0,0,0,3]],"#));
        assert_eq!(of_text(&marked).unwrap().0, game(""));
    }

    #[test]
    fn a_log_on_a_given_layout_has_its_mines() {
        let own = r#"{"do":"open","rule":"botzone","width":4,"height":1,"mines":[[0,0]],
            "clicks":[[0,1],[0,0],[0,3]]}"#;
        let request = PageRequest::read(own).unwrap();
        let log = serde_json::to_string(&play::record(&request).unwrap()).unwrap();
        let (text, _) = of_text(&log).unwrap();
        assert!(text.contains(r#""mines":[[0,0]]"#), "{text}");
        assert_eq!(title(&text), title(&log));
    }

    #[test]
    fn what_a_board_and_clicks_do_not_tell_has_no_shorter_text() {
        let history = r#"{"requests":[{"height":1,"width":2,"minecount":1,"changed":null}],
            "responses":[{"row":0,"col":0}]}"#;
        // An answer outside of the field ends the game.
        let mut outside = Record::read(fixtures::sample::SMALL_GAME).unwrap();
        outside.log[1]["0"]["response"]["row"] = json!(99);
        let outside = serde_json::to_string(&outside).unwrap();
        for text in [history, &outside, "hello", ""] {
            let error = of_text(text).unwrap_err();
            assert!(!error.is_empty() && error.lines().count() == 1, "{text}: {error}");
        }
    }

    #[test]
    fn a_recording_keeps_its_clicks_and_loses_the_way_between_them() {
        let (text, _) = of_text(fixtures::sample::PERSON).unwrap();
        assert!(!text.contains(" mv "), "{text}");
        assert_eq!(title(&text), title(fixtures::sample::PERSON));
    }
}
