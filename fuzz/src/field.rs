//! Field files: a picture, and a line of a board file.

use game::board_file::Layout;
use sapper::board::Board;
use sapper::board::text_format::BoardText;
use sapper::bot::engine::Engine;
use sapper::settings::budget::{Deadlines, NoClock, Turn};
use sapper::settings::params::Objective;

use crate::{MAX_CELLS, Skipped, engine};

/// Checks that a text is refused with a message, or is a board that is drawn as it was read and can
/// be played.
///
/// # Errors
/// [`Skipped`] where a field is too large.
pub fn check(data: &[u8]) -> Result<(), Skipped> {
    let text = String::from_utf8_lossy(data);
    if is_too_large(&text) {
        return Err(Skipped);
    }
    match text.parse::<Layout>() {
        Ok(layout) => assert_eq!(layout.field().mines().count(), layout.mines.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match text.parse::<BoardText>() {
        Ok(picture) => check_picture(&picture, engine(data, Objective::CleanWin)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

fn check_picture(picture: &BoardText, engine: Engine) {
    let board = match picture.board(picture.known_mines()) {
        Ok(board) => {
            assert_eq!(board.reasons(), []);
            board
        }
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), error.reasons.len());
            error.board
        }
    };
    // The mine count may be reduced to the number of cells.
    let drawn: BoardText = board.to_string().parse().expect("a drawn board is a picture");
    let drawn = drawn.board(0).unwrap_or_else(|error| error.board);
    assert_eq!(drawn.to_string(), board.to_string());
    decide(&board, engine);
}

fn decide(board: &Board, mut engine: Engine) {
    let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };
    let decision = engine.decide(board, turn);
    assert_eq!(decision.is_some(), board.hidden_len() > 0);
    let Some(decision) = decision else { return };
    assert!(board.is_hidden(decision.cell()));
    assert!(engine.safe().iter().all(|&cell| board.is_hidden(cell)));
    for contradiction in engine.contradictions(board, turn) {
        assert!(!contradiction.describe(board.shape()).is_empty());
    }
}

/// Whether the first line with a word states a size that is too large to be played.
fn is_too_large(text: &str) -> bool {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    let first = lines.map(str::split_whitespace).find_map(|mut words| {
        let side = words.next()?.parse::<u64>().ok();
        Some(side.zip(words.next().and_then(|word| word.parse::<u64>().ok())))
    });
    first.flatten().is_some_and(|(columns, rows)| columns.saturating_mul(rows) > MAX_CELLS)
}
