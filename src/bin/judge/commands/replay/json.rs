//! A replayed game as one JSON object. Cells are `[row, column]`, odds are between 0 and 1.

use sapper::analysis::json::{candidates, cell_json, cells_json, values};
use sapper::board::Board;
use sapper::board::geometry::Cell;
use serde_json::{Value, json};

use super::frames::{Frame, PROVEN_MINE, ReplayedGame};

/// The game in the file `name`.
pub fn game(game: &ReplayedGame, name: &str) -> Value {
    let board = &game.frames[0].board;
    let shape = board.shape();
    let turns = game.frames.iter().enumerate();
    json!({
        "name": name,
        "title": game.title,
        "height": shape.rows(),
        "width": shape.columns(),
        "minecount": board.mines(),
        "laid": game.mines.as_ref().map(|mines| cells_json(shape, mines)),
        "turns": turns.map(|(turn, frame)| turn_json(turn, frame)).collect::<Value>(),
    })
}

fn turn_json(turn: usize, frame: &Frame) -> Value {
    let board = &frame.board;
    let shape = board.shape();
    let opened: Value = frame
        .opened
        .iter()
        .map(|&cell| json!([cell_json(shape, cell), board.state(cell).value()]))
        .collect();
    json!({
        "turn": turn,
        "opened": opened,
        "move": frame.opens.map(|cell| cell_json(shape, cell)),
        "kind": frame.kind,
        "odds": frame.opens.and_then(|cell| odds(frame, board, cell)),
        "hit": frame.hit,
        "instead": frame.instead.map(|cell| cell_json(shape, cell)),
        "caption": frame.caption,
        "why": frame.why,
        "candidates": candidates(shape, &frame.candidates),
        "values": values(shape, &frame.values.0),
        "layouts": Some(frame.values.1).filter(|layouts| *layouts > 0),
        "score": frame.score,
        "hits": board.hits(),
        "hidden": board.hidden_len(),
        "note": frame.note,
    })
}

/// The odds of a hidden cell, if they are known.
fn odds(frame: &Frame, board: &Board, cell: Cell) -> Option<f64> {
    let index = board.hidden().position(|hidden| hidden == cell)?;
    Some(f64::from(frame.odds.as_ref()?[index]) / f64::from(PROVEN_MINE))
}
