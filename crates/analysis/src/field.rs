//! Reads a position as text, also one that no layout fits.

use sapper::board::Board;
use sapper::board::contradiction::Contradiction;
use sapper::board::text_format::BoardText;

/// The message if a field that must state its mine count has none.
pub const NO_MINE_COUNT: &str = "no mine count: the first line must be `W H M`";

/// A field that was read.
pub struct FieldRead {
    /// The board.
    pub board: Board,
    /// Why it is impossible, as far as single numbers and the mine count show it.
    pub reasons: Vec<Contradiction>,
    /// The mine count, if the field states one.
    pub mines: Option<u64>,
}

/// Reads a field.
///
/// # Errors
/// The first fault of the text, in one line.
pub fn read_field(text: &str) -> Result<FieldRead, String> {
    let picture: BoardText = text.parse().map_err(|error| format!("{error}"))?;
    let (board, reasons) = match picture.board(picture.known_mines()) {
        Ok(board) => (board, Vec::new()),
        Err(error) => (error.board, error.reasons),
    };
    Ok(FieldRead { board, reasons, mines: picture.mines })
}
