//! A game of the page as a recording of the mouse, with its times, flags and chords.
//!
//! A game has the cells that were opened, and, unless an earlier version of the page wrote it,
//! every press: [`PageRequest::presses`]. A game without presses is written as a bot's: a click a
//! second.
//!
//! Invariant: the recording has the layout, the rule and the end of the game, and opens the cells
//! that the game opened until its first hit; a chord that hits opens more.

use game::bot_clicks::{BotClicks, bot_clicks};
use game::record::Record;
use game::recording::{Action, Button, ClickedGame, Mode, MouseEvent, Recording};
use sapper::board::geometry::{Cell, Shape};

use super::play;
use super::request::PageRequest;

/// The recording of a game of the page, whose record is given, and what it leaves out, one sentence
/// each.
///
/// # Errors
/// One line, where the record cannot be played again.
pub fn recording(
    request: &PageRequest,
    record: &Record,
) -> Result<(Recording, Vec<String>), String> {
    let setup = record.setup().map_err(|error| error.to_string())?;
    let BotClicks { mut recording, mut left_out } =
        bot_clicks(record, &setup).map_err(|error| error.to_string())?;
    "Sapper".clone_into(&mut recording.program);
    // The first click on a given layout is not protected.
    if play::is_first_free(request) {
        recording.mode = Mode::Classic;
    }
    let presses: Option<Vec<[i64; 4]>> =
        request.presses.as_ref().and_then(|presses| serde_json::from_value(presses.clone()).ok());
    let pressed = presses.map(|presses| {
        let events = events(&presses, recording.layout.shape);
        Recording { events, ..recording.clone() }
    });
    match pressed {
        Some(mut pressed) if is_same(&pressed.clicks(), &recording.clicks()) => {
            cut_after_end(&mut pressed);
            return Ok((pressed, left_out));
        }
        Some(_) => left_out.push(OTHER_CELLS.to_owned()),
        None => left_out.push(UNKNOWN.to_owned()),
    }
    Ok((recording, left_out))
}

/// Why a game is a click a second.
const UNKNOWN: &str = "the times, flags and chords are not known: a click a second";
const OTHER_CELLS: &str = "the times, flags and chords are left out, because by the rules of \
    recordings they would open other cells: a click a second";

/// The events of presses; a press of no button or outside of the field is none.
fn events(presses: &[[i64; 4]], shape: Shape) -> Vec<MouseEvent> {
    let event = |&[time, button, row, column]: &[i64; 4]| {
        let button = match button {
            0 => Button::Left,
            1 => Button::Middle,
            2 => Button::Right,
            _ => return None,
        };
        let cell = Some(shape.cell(row, column)?);
        let time = u32::try_from(time).ok()?;
        let actions = [Action::Press(button), Action::Release(button)];
        Some(actions.map(|action| MouseEvent { time, action, cell }))
    };
    presses.iter().filter_map(event).flatten().collect()
}

/// Leaves out what was pressed after the end of a game, before the page had shown the end.
fn cut_after_end(recording: &mut Recording) {
    let is_over = |count: usize| {
        let events = recording.events[..count].to_vec();
        let game = Recording { events, ..recording.clone() }.clicks();
        game.won || game.lost
    };
    let mut count = recording.events.len();
    if is_over(count) {
        while is_over(count - 1) {
            count -= 1;
        }
        recording.events.truncate(count);
    }
}

/// Whether a game ends as another one, and opens its cells. A chord that hits opens more than the
/// page, which opens one cell after another.
fn is_same(game: &ClickedGame, other: &ClickedGame) -> bool {
    let opened = |game: &ClickedGame| {
        let opened = game.clicks.iter().flat_map(|click| &click.opened);
        let mut cells: Vec<Cell> = opened.map(|&(cell, _)| cell).collect();
        cells.sort_unstable();
        cells
    };
    let (cells, others) = (opened(game), opened(other));
    (game.won, game.lost) == (other.won, other.lost)
        && others.iter().all(|cell| cells.binary_search(cell).is_ok())
        && (game.lost || cells.len() == others.len())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use game::recording::ClickKind;

    fn recorded_of(game: &Value) -> (Recording, Vec<String>) {
        let request = PageRequest::read(&game.to_string()).unwrap();
        recording(&request, &play::record(&request).unwrap()).unwrap()
    }

    /// A row: a mine, 1, 1, a mine, 1, 0.
    fn recorded(change: &Value) -> (Recording, Vec<String>) {
        let mut game = json!({"rule": "safe-first", "width": 6, "height": 1,
            "mines": [[0, 0], [0, 3]], "clicks": [[0, 5], [0, 1], [0, 2]]});
        game.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        recorded_of(&game)
    }

    #[test]
    fn presses_are_the_events_with_their_times() {
        let presses = json!([
            [0, 0, 0, 5],
            [810, 2, 0, 3],
            [1500, 0, 0, 1],
            [2345, 1, 0, 2],
            [2400, 2, 0, 0],
            [3000, 0, 0, 2]
        ]);
        let (recording, left_out) = recorded(&json!({ "presses": presses }));
        // The layout is given.
        assert_eq!((recording.mode, &recording.program[..]), (Mode::Unprotected, "Sapper"));
        assert_eq!(left_out, [""; 0]);
        let game = recording.clicks();
        let clicks: Vec<(u32, ClickKind)> =
            game.clicks.iter().map(|click| (click.time, click.kind)).collect();
        let expected = [
            (0, ClickKind::Open),
            (810, ClickKind::Flag),
            (1500, ClickKind::Open),
            (2345, ClickKind::Wasted(Button::Middle)),
            (2400, ClickKind::Flag),
            (3000, ClickKind::Open),
        ];
        assert_eq!(clicks, expected);
        assert!(game.won && !game.lost);
    }

    #[test]
    fn presses_that_are_not_the_game_are_left_out() {
        let known = recorded(&json!({}));
        assert_eq!(known.1, [UNKNOWN]);
        for presses in [json!("x"), json!([[1]]), json!([[0, 0, 0, 0.5]]), json!([null])] {
            assert_eq!(recorded(&json!({ "presses": presses })), known);
        }
        for presses in [
            json!([]),
            // A cell less, a mine, and cells, buttons and times that are none.
            json!([[0, 0, 0, 5], [10, 0, 0, 1]]),
            json!([[0, 0, 0, 5], [10, 0, 0, 1], [20, 0, 0, 0]]),
            json!([[0, 0, 0, 5], [10, 7, 0, 1], [20, 0, 1, 2], [-1, 0, 0, 2]]),
        ] {
            let other = recorded(&json!({ "presses": presses }));
            assert_eq!((other.0, other.1), (known.0.clone(), vec![OTHER_CELLS.to_owned()]));
        }
        // A cell more, which the game did not open.
        let more = json!({"clicks": [[0, 5]], "presses": [[0, 0, 0, 5], [10, 0, 0, 1]]});
        assert_eq!(recorded(&more).1, [OTHER_CELLS]);
    }

    #[test]
    fn a_board_that_is_laid_after_the_first_click_is_classic() {
        let game = json!({"rule": "safe-first", "width": 9, "height": 9, "minecount": 10, "seed": 3,
            "clicks": [[4, 4]], "presses": [[0, 0, 4, 4]]});
        let (recording, left_out) = recorded_of(&game);
        assert_eq!((recording.mode, left_out.len()), (Mode::Classic, 0));
    }

    #[test]
    fn a_chord_that_hits_opens_more_than_the_clicks_until_the_hit() {
        // The flag is wrong: the chord on the 1 opens the mine beside it.
        let game = json!({"clicks": [[0, 4], [0, 3]],
            "presses": [[0, 0, 0, 4], [10, 2, 0, 5], [20, 1, 0, 4]]});
        let (recording, left_out) = recorded(&game);
        assert_eq!(left_out, [""; 0]);
        let game = recording.clicks();
        assert!(game.lost && game.clicks[2].kind == ClickKind::Chord);
    }

    #[test]
    fn what_is_pressed_after_the_end_is_left_out() {
        let presses = [[0, 0, 0, 5], [10, 0, 0, 1], [20, 0, 0, 2]];
        let recorded_with = |more: &[[i64; 4]]| {
            let presses = [&presses[..], more].concat();
            recorded(&json!({ "presses": presses }))
        };
        let known = recorded_with(&[]);
        assert!(known.1.is_empty() && known.0.clicks().won);
        for late in [[[21, 0, 0, 2], [500, 2, 0, 3]], [[20, 2, 0, 3], [20, 0, 0, 4]]] {
            assert_eq!(recorded_with(&late), known);
        }
    }

    #[test]
    fn a_hit_that_costs_a_point_ends_the_recording() {
        let (recording, left_out) = recorded(&json!({"rule": "botzone",
            "clicks": [[0, 5], [0, 0], [0, 1]],
            "presses": [[0, 0, 0, 5], [10, 0, 0, 0], [20, 0, 0, 1]]}));
        assert_eq!(recording.mode, Mode::Unprotected);
        assert!(left_out[0].starts_with("a hit ends a recording") && left_out.len() == 1);
    }
}
