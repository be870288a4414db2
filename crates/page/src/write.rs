//! A position as a text for other programs.

use serde::Serialize;

use super::answer::PageAnswer;
use super::position::cell_of;
use super::request::{PageRequest, RequestedCell, TextForm, required};
use analysis::field::{FieldRead, NO_MINE_COUNT, read_field};
use sapper::board::{Board, CellState};

/// The text.
pub fn write(request: &PageRequest) -> Result<PageAnswer, String> {
    let FieldRead { board, mines, .. } = read_field(required(&request.field, "field")?)?;
    let mines = mines.ok_or(NO_MINE_COUNT)?;
    let text = match required(&request.form, "as")? {
        TextForm::Botzone => serde_json::to_string(&BotzoneRequest::new(&board, mines))
            .map_err(|error| error.to_string())?,
        TextForm::Mine => mine_text(&board, mines, &request.flags)?,
        TextForm::Game => return Err("a position is no game".to_owned()),
    };
    Ok(PageAnswer::Text { text })
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

/// The format has no sign for a mine that was hit; it is written as a flag.
fn mine_text(board: &Board, mines: u64, flags: &[RequestedCell]) -> Result<String, String> {
    let shape = board.shape();
    let flags = flags.iter().map(|&flag| cell_of(shape, flag));
    let flags = flags.collect::<Result<Vec<_>, String>>()?;
    let mut text = format!("{}x{}x{mines}\n", shape.columns(), shape.rows());
    for (cell, state) in board.iter() {
        text.push(match state {
            CellState::Number(_) => state.symbol(),
            CellState::Hit => 'F',
            _ if flags.contains(&cell) => 'F',
            _ => 'H',
        });
        if shape.column(cell) + 1 == shape.columns() {
            text.push('\n');
        }
    }
    Ok(text)
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
        assert_eq!(read(&written("botzone"))["field"], "3 2 3\n1.*\n..2\n");
        let request: Value = serde_json::from_str(&written("botzone")).unwrap();
        assert_eq!(request["changed"][1], json!({"row": 0, "col": 2, "val": 9}));
    }

    #[test]
    fn a_field_without_its_mine_count_is_not_written() {
        let request = json!({"field": "1 1\n.", "as": "mine"});
        let request = PageRequest::read(&request.to_string()).unwrap();
        assert_eq!(write(&request).err().as_deref(), Some(NO_MINE_COUNT));
    }
}
