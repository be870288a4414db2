//! Field files: a picture, and a line of a file of boards.

use sapper::board::Board;
use sapper::base::budget::{Deadlines, NoClock, Turn};
use sapper::bot::engine::Engine;
use sapper::referee::board_file::Layout;
use sapper::base::objective::Objective;
use sapper::board::text_format::Picture;

use crate::{MOST_CELLS, Passed, engine};

/// A text is refused in words, or is a board that is drawn as it was read and can be played on.
///
/// # Errors
/// [`Passed`], where a field is too large to be tried.
pub fn check(data: &[u8]) -> Result<(), Passed> {
    let text = String::from_utf8_lossy(data);
    if too_large(&text) {
        return Err(Passed);
    }
    match text.parse::<Layout>() {
        Ok(layout) => assert_eq!(layout.field().mines().count(), layout.mines.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match text.parse::<Picture>() {
        Ok(picture) => check_picture(&picture, engine(data, Objective::CleanWin)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

fn check_picture(picture: &Picture, engine: Engine) {
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
    // All numbers of a picture are legible, so that it can be drawn again; its count may be cut to its cells.
    let again: Picture = board.to_string().parse().expect("a board drawn is a picture");
    let again = again.board(0).unwrap_or_else(|error| error.board);
    assert_eq!(again.to_string(), board.to_string());
    decide(&board, engine);
}

fn decide(board: &Board, mut engine: Engine) {
    let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };
    let decision = engine.decide(board, turn);
    assert_eq!(decision.is_some(), board.hidden_len() > 0);
    let Some(decision) = decision else { return };
    assert!(board.is_hidden(decision.cell()));
    assert!(engine.safe().iter().all(|&cell| board.is_hidden(cell)));
    for inconsistency in engine.contradictions(board, turn) {
        assert!(!inconsistency.message(board.shape()).is_empty());
    }
}

/// Whether the first line with a word announces more cells than are tried.
fn too_large(text: &str) -> bool {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    let first = lines.map(str::split_whitespace).find_map(|mut words| {
        let side = words.next()?.parse::<u64>().ok();
        Some(side.zip(words.next().and_then(|word| word.parse::<u64>().ok())))
    });
    first.flatten().is_some_and(|(columns, rows)| columns.saturating_mul(rows) > MOST_CELLS)
}
