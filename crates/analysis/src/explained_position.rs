//! One call from a position as text to its odds, the move, and the reasons in sentences.
//!
//! [`sapper::evaluate`] gives the odds, the proven cells and the move of a board without the
//! reasons.

use std::fmt;

use crate::Analyzer;
use crate::explanation::explain_move;
use crate::field::{FieldRead, NO_MINE_COUNT, read_field};
use sapper::board::Board;
use sapper::bot::engine::Decision;
use sapper::bot::read_error::ReadError;
use sapper::bot::session::Session;
use sapper::protocol::inputs;
use sapper::settings::params::{Effort, Objective};

/// The odds of a position, and the bot's move with its reasons.
#[derive(Clone, PartialEq, Debug)]
pub struct ExplainedPosition {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// The hidden cells in row-major order.
    pub hidden: Vec<HiddenCell>,
    /// The move; `None` if every cell is open.
    pub best: Option<ExplainedDecision>,
}

/// A hidden cell and its odds. Rows and columns count from 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HiddenCell {
    /// The row.
    pub row: u32,
    /// The column.
    pub column: u32,
    /// The probability that the cell is a mine: exactly 0 or 1 if and only if that is proven.
    pub odds: f64,
}

/// The bot's decision, with the reasons in sentences.
#[derive(Clone, PartialEq, Debug)]
pub struct ExplainedDecision {
    /// The cell to open, and how it was chosen.
    pub decision: Decision,
    /// The proof, or what the guess costs: one sentence a line.
    pub reasons: Vec<String>,
}

impl ExplainedPosition {
    /// The probability that a cell is a mine; `None` for an open cell or one off the field.
    pub fn odds(&self, row: u32, column: u32) -> Option<f64> {
        let at = |cell: &HiddenCell| (cell.row, cell.column);
        let index = self.hidden.binary_search_by_key(&(row, column), at).ok()?;
        Some(self.hidden[index].odds)
    }
}

/// The reasons why a text is no position, or why no layout of mines fits it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionError {
    /// One reason a line, never empty.
    pub reasons: Vec<String>,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("\n"))
    }
}

impl std::error::Error for PositionError {}

/// Explains a position for the fewest mines opened, with full effort: what the bot plays.
///
/// The text is a field in the format of [`sapper::board::text_format`], or JSON from Botzone: a
/// history or a request. A field is a line `W H M` (width, height, and all mines), then a line for
/// each row: `0`-`8` a number, `.` (or `?`) a hidden cell, `*` (or `!`) a known mine.
///
/// Cost: at most half a second of CPU time for the move, and much less for most positions; on a
/// large field up to a few seconds for its proof. An [`Analyzer`] keeps its memory from position to
/// position.
///
/// # Errors
/// [`PositionError`] if the text cannot be read, a field has no mine count, or no layout fits.
///
/// # Examples
/// ```
/// use analysis::explained_position::explain_position;
///
/// // One mine, in the middle column.
/// let position = explain_position("3 2 1\n1..\n1..")?;
/// assert_eq!(position.odds(0, 1), Some(0.5));
/// assert_eq!(position.odds(0, 2), Some(0.0));
/// let best = position.best.expect("a hidden cell");
/// assert_eq!(best.decision.place().to_string(), "(0,2)");
/// assert_eq!(best.decision.by, sapper::Step::Deduction);
/// println!("{}", best.reasons.join("\n"));
///
/// let error = explain_position("2 1 1\n0.").unwrap_err();
/// println!("{error}");
/// # Ok::<(), analysis::explained_position::PositionError>(())
/// ```
pub fn explain_position(text: &str) -> Result<ExplainedPosition, PositionError> {
    explain_position_for(text, Objective::FewestHits, Effort::Full)
}

/// Explains a position for another objective or with less effort; otherwise as
/// [`explain_position`].
///
/// # Errors
/// As [`explain_position`].
pub fn explain_position_for(
    text: &str,
    objective: Objective,
    effort: Effort,
) -> Result<ExplainedPosition, PositionError> {
    let board = read(text).map_err(|reasons| PositionError { reasons })?;
    let shape = board.shape();
    let mut analyzer = Analyzer::new(objective, effort);
    let analysis = analyzer.analyze(&board, None).map_err(|conflicts| PositionError {
        reasons: conflicts.into_iter().map(|conflict| conflict.text).collect(),
    })?;
    let hidden = board.hidden().map(|cell| HiddenCell {
        row: shape.row(cell),
        column: shape.column(cell),
        odds: analysis.odds().of(cell),
    });
    let best = analysis.chosen().map(|chosen| ExplainedDecision {
        decision: chosen.clone(),
        reasons: explain_move(&analysis, chosen),
    });
    Ok(ExplainedPosition {
        rows: shape.rows(),
        columns: shape.columns(),
        hidden: hidden.collect(),
        best,
    })
}

/// The board of a text, or the reasons why there is none.
fn read(text: &str) -> Result<Board, Vec<String>> {
    if text.trim_start().starts_with(['{', '[']) {
        let mut session = Session::default();
        for input in inputs(text.as_bytes()) {
            session.push(input.map_err(|error| vec![ReadError::Json(error).to_string()])?);
        }
        let (board, reasons) = session.board().map_err(|error| vec![error.to_string()])?;
        return if reasons.is_empty() { Ok(board) } else { Err(reasons) };
    }
    let FieldRead { board, reasons, mines } = read_field(text).map_err(|fault| vec![fault])?;
    if mines.is_none() {
        return Err(vec![NO_MINE_COUNT.to_owned()]);
    }
    if reasons.is_empty() {
        Ok(board)
    } else {
        Err(reasons.iter().map(ToString::to_string).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_and_the_request_for_it_have_the_same_explanation() {
        let field = explain_position("3 2 1\n1..\n1..").unwrap();
        let request = r#"{"height":2,"width":3,"minecount":1,"changed":
            [{"row":0,"col":0,"val":1},{"row":1,"col":0,"val":1}]}"#;
        assert_eq!(explain_position(request).unwrap(), field);
        assert_eq!((field.rows, field.columns, field.hidden.len()), (2, 3, 4));
        assert_eq!((field.odds(0, 0), field.odds(2, 0)), (None, None));
        assert_eq!(explain_position("1 1 0\n0").unwrap().best, None);
    }

    #[test]
    fn every_reason_is_an_error() {
        for (text, reason) in [
            ("", "no width or height"),
            ("3 1\n1..", "no mine count"),
            ("{", "JSON"),
            ("2 1 5\n..", "minecount 5 is more than"),
            ("8 1 2\n1.00.11.", "contradict each other"),
        ] {
            let error = explain_position(text).unwrap_err();
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
