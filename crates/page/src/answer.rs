//! The answers of the page.
//!
//! Invariant: each request has one form of answer, besides an error and, where it asks about a
//! position, the reasons why no layout fits.

use serde::Serialize;

use analysis::json::cell::CellReport;
use analysis::json::chance::ChanceReport;
use analysis::json::coordinates::Coordinates;
use analysis::json::decision::MoveReport;
use analysis::json::impossible::ImpossibleReport;
use analysis::json::odds::{OddsTable, SummaryReport};
use analysis::json::position::PositionReport;
use viewer::data::{AccountReport, JudgementReport, ViewerFrame, ViewerGame};

/// An answer; the fields of its kind are its keys.
#[derive(Serialize)]
#[serde(untagged)]
pub enum PageAnswer {
    /// What is wrong with the request.
    Error {
        /// One line.
        error: String,
    },
    /// The position that is asked about is impossible.
    Impossible(ImpossibleReport),
    /// To `odds`.
    Summary(Box<SummaryReport>),
    /// To `analyse`.
    Position(Box<PositionReport>),
    /// To `decide`.
    Decision {
        /// The engine's move; `None` if no cell is hidden.
        r#move: Option<MoveReport>,
    },
    /// To `cell`.
    Cell(Box<CellReport>),
    /// To `chance`.
    Chance(ChanceAnswer),
    /// To `ahead`.
    Ahead(Box<AheadAnswer>),
    /// To `judge`.
    Judgement(Box<JudgementReport>),
    /// To `cost`.
    Cost(CostAnswer),
    /// To `lay`, and to `read` of a layout.
    Layout(LayoutAnswer),
    /// To `open` and `play`.
    Game(Box<GameAnswer>),
    /// To `read` of a position.
    ReadPosition(ReadPositionAnswer),
    /// To `read` of a game.
    ReadGame(Box<ReadGameAnswer>),
    /// To `read` of several games.
    Pack(PackAnswer),
    /// To `write`.
    Text {
        /// What the form leaves out, a sentence each.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
        /// The text.
        text: String,
    },
    /// To `frame`.
    Frame(Box<ViewerFrame>),
    /// To `account`.
    Account {
        /// The account of all clicks.
        account: AccountReport,
    },
}

/// The chance to win of the move and of other cells.
#[derive(Serialize)]
pub struct ChanceAnswer {
    /// As in the judge's JSON; `None` if it is not known, or not yet.
    pub chance: Option<ChanceReport>,
    /// Whether more playouts can be made, and tell more.
    pub goes_on: bool,
}

/// What opening each hidden cell promises.
#[derive(Serialize)]
pub struct AheadAnswer {
    /// The chance that a safe cell follows, of the cells of each row; `None` for an open cell and a
    /// proven mine.
    pub next_safe: OddsTable,
    /// The cells whose number, if they are safe, is known beforehand.
    pub tells_nothing: Vec<Coordinates>,
    /// The chance of a zero, likewise.
    pub zero: OddsTable,
}

/// What a click costs above the policy's.
#[derive(Serialize)]
pub struct CostAnswer {
    /// `None` if it cannot be judged.
    pub cost: Option<f64>,
    /// Its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
}

/// A layout of mines.
#[derive(Serialize)]
pub struct LayoutAnswer {
    /// The least number of clicks that opens all safe cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bbbv: Option<u32>,
    /// The number of rows.
    pub height: u32,
    /// What was read; absent from a layout that was laid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The number of mines.
    pub minecount: usize,
    /// The cells of the mines.
    pub mines: Vec<Coordinates>,
    /// The number of columns.
    pub width: u32,
}

/// A game after some clicks.
#[derive(Serialize)]
pub struct GameAnswer {
    /// The least number of clicks that opens all safe cells, if the layout is known.
    pub bbbv: Option<u32>,
    /// The cells that the last clicks opened: row, column, and value, 9 for a mine.
    pub changed: Vec<[u32; 3]>,
    /// The board as text.
    pub field: String,
    /// The number of mines opened.
    pub hits: u32,
    /// The cells of the mines, if the game is over.
    pub mines: Option<Vec<Coordinates>>,
    /// Whether the game is over.
    pub over: bool,
    /// The engine's moves, to `play`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<MoveReport>,
    /// The score by the rules of Botzone.
    pub score: f64,
    /// The part of the 3BV that was opened.
    pub solved_bbbv: u32,
    /// Whether the game is over, and no mine was opened.
    pub won: bool,
}

/// A position that was read.
#[derive(Serialize)]
pub struct ReadPositionAnswer {
    /// The position as text.
    pub field: String,
    /// The cells that the player flagged, if the form has flags.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<Vec<Coordinates>>,
    /// What was read.
    pub kind: &'static str,
    /// Why the reports contradict each other, if the position is from requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<String>>,
}

impl ReadPositionAnswer {
    /// A position that is only a field.
    pub fn new(field: String) -> ReadPositionAnswer {
        ReadPositionAnswer { field, flags: None, kind: "position", notes: None }
    }
}

/// Several games that were read.
#[derive(Serialize)]
pub struct PackAnswer {
    /// What was read.
    pub kind: &'static str,
    /// The games.
    pub matches: Vec<MatchAnswer>,
    /// What was left out, and why: a line each.
    pub notes: Vec<String>,
}

/// One of several games.
#[derive(Serialize)]
pub struct MatchAnswer {
    /// Its number and what else names it.
    pub name: String,
    /// The game, which `read` takes.
    pub text: String,
}

/// A recorded game that was read.
#[derive(Serialize)]
pub struct ReadGameAnswer {
    /// What the viewer needs to know of the game.
    #[serde(flatten)]
    pub game: ViewerGame,
    /// What was read.
    pub kind: &'static str,
    /// The objective of the game's rule.
    pub objective: String,
    /// The game as later requests have it; absent where that is what was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The number of answers, or of a person's clicks.
    pub turns: usize,
}

#[cfg(test)]
impl PageAnswer {
    /// The answer as JSON.
    pub fn to_value(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap()
    }
}
