//! A request of the page: an object whose `do` names it, with the keys that it needs.
//!
//! All requests are read by one type, because each type that is read costs the page kilobytes.

use serde::Deserialize;

use sapper::base::objective::Objective;
use sapper::base::params::Effort;

/// A row and a column.
pub type RowColumn = [i64; 2];

/// Everything that a request may state.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(default)]
pub struct Request {
    /// What is asked for.
    #[serde(rename = "do")]
    pub what: String,
    /// The position, in the format of [`sapper::board::text_format`].
    pub field: Option<String>,
    /// How long to think.
    pub effort: EffortName,
    /// What to play for.
    pub objective: ObjectiveName,
    /// The density of mines, for a field without a mine count.
    pub density: Option<f64>,
    /// The cell that is asked about.
    pub cell: Option<RowColumn>,
    /// How the mines are laid, and what a hit does.
    pub rule: Option<RuleName>,
    /// The number of columns.
    pub width: u64,
    /// The number of rows.
    pub height: u64,
    /// The number of mines.
    pub minecount: u32,
    /// The seed of the layout, and of the playouts.
    pub seed: i32,
    /// The first cell of the game, which the classic rules keep free.
    pub first: Option<RowColumn>,
    /// The mines of a given layout, in place of `minecount` and `seed`.
    pub mines: Option<Vec<RowColumn>>,
    /// The cells that were opened, in order.
    pub clicks: Vec<RowColumn>,
    /// The first click whose changes are listed; the last one unless stated.
    pub since: Option<usize>,
    /// A pasted text.
    pub text: Option<String>,
    /// The bytes of a file.
    pub bytes: Option<Vec<u8>>,
    /// The form that is wanted.
    #[serde(rename = "as")]
    pub form: Option<Form>,
    /// The cells that the player flagged.
    pub flags: Vec<RowColumn>,
    /// A recorded game.
    pub game: Option<String>,
    /// A turn of the game.
    pub turn: usize,
}

/// An effort by its name.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum EffortName {
    /// [`Effort::Fast`].
    Fast,
    /// [`Effort::Standard`].
    #[default]
    Standard,
    /// [`Effort::Full`].
    Full,
}

/// An objective by its name.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum ObjectiveName {
    /// [`Objective::FewestHits`].
    #[default]
    Mines,
    /// [`Objective::CleanWin`].
    Win,
}

/// How the mines are laid, and what a hit does.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum RuleName {
    /// The first click may be a mine; hits cost.
    Botzone,
    /// The first click is safe; a hit ends the game.
    SafeFirst,
    /// The first click is a zero; a hit ends the game.
    OpensFirst,
}

/// The form of a text.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A request of Botzone's.
    Botzone,
    /// JSMinesweeper's `.mine`.
    Mine,
    /// A game turn by turn.
    Game,
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// One line.
    pub fn read(text: &str) -> Result<Request, String> {
        serde_json::from_str(text).map_err(|error| format!("the request is wrong: {error}"))
    }
}

impl EffortName {
    /// The effort of this name.
    pub fn effort(self) -> Effort {
        match self {
            EffortName::Fast => Effort::Fast,
            EffortName::Standard => Effort::Standard,
            EffortName::Full => Effort::Full,
        }
    }
}

impl ObjectiveName {
    /// The objective of this name.
    pub fn objective(self) -> Objective {
        match self {
            ObjectiveName::Mines => Objective::FewestHits,
            ObjectiveName::Win => Objective::CleanWin,
        }
    }
}

/// A key that a request must have.
///
/// # Errors
/// One line, if it has not.
pub fn required<'r, T>(value: &'r Option<T>, key: &str) -> Result<&'r T, String> {
    value.as_ref().ok_or_else(|| format!("the request needs `{key}`"))
}
