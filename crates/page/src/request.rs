//! A request of the page: an object whose `do` names it, with the keys that it needs.
//!
//! All requests are read by one type, because each type that is read costs the page kilobytes.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

use game::prover::ProofLevel;
use game::rule::Rule;
use sapper::kit::object::read_from_object;
use sapper::settings::params::{Effort, Objective};

/// A row and a column.
pub type RequestedCell = [i64; 2];

/// Everything that a request may state.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(remote = "Self", default)]
pub struct PageRequest {
    /// What is asked for.
    #[serde(rename = "do")]
    pub what: String,
    /// The position, in the format of [`sapper::board::text_format`].
    pub field: Option<String>,
    /// How long to think.
    #[serde(deserialize_with = "name")]
    pub effort: Effort,
    /// What to play for.
    #[serde(deserialize_with = "name")]
    pub objective: Objective,
    /// The density of mines, for a field without a mine count.
    pub density: Option<f64>,
    /// The cell that is asked about.
    pub cell: Option<RequestedCell>,
    /// The rule of the game.
    pub rule: Option<Rule>,
    /// Of a board without guesses: the proofs that solve it.
    pub proof: Option<ProofLevel>,
    /// The number of columns.
    pub width: u64,
    /// The number of rows.
    pub height: u64,
    /// The number of mines.
    pub minecount: u32,
    /// The seed of the layout, and of the playouts.
    pub seed: i32,
    /// The first cell of the game, which the classic rules keep free.
    pub first: Option<RequestedCell>,
    /// The mines of a given layout, in place of `minecount` and `seed`.
    pub mines: Option<Vec<RequestedCell>>,
    /// The cells that were opened, in order.
    pub clicks: Vec<RequestedCell>,
    /// What the mouse did, in order: the game's time in milliseconds, the button (0 left, 1 middle,
    /// 2 right), row and column. Anything else is as if it were not there.
    pub presses: Option<serde_json::Value>,
    /// The first click whose changes are listed; the last one unless stated.
    pub since: Option<usize>,
    /// The most clicks that the engine adds, or the most cells whose chance to win is told.
    pub most: Option<usize>,
    /// The playouts of each cell that tell its chance to win.
    pub playouts: usize,
    /// A pasted text.
    pub text: Option<String>,
    /// The bytes of a file.
    pub bytes: Option<Vec<u8>>,
    /// The form that is wanted.
    #[serde(rename = "as")]
    pub form: Option<TextForm>,
    /// The cells that the player flagged.
    pub flags: Vec<RequestedCell>,
    /// A recorded game.
    pub game: Option<String>,
    /// A turn of the game.
    pub turn: usize,
    /// Whether the chance to win is told at the turns of the game.
    pub told: bool,
}
read_from_object!(PageRequest);

/// The form of a text.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum TextForm {
    /// Of a position: a request of Botzone's.
    Botzone,
    /// Of a position: JSMinesweeper's `.mine`.
    Mine,
    /// Of a position: a link of JSMinesweeper's, from `?` on.
    JsLink,
    /// A game turn by turn, as it was read.
    Game,
    /// Of a game: the shortest text that is read as the same game.
    Link,
    /// Of a bot's game: Botzone's log.
    Log,
    /// Of a game: the events of a mouse.
    Rawvf,
    /// Of a game's layout: the hex digits of MBF.
    Mbf,
    /// Of a game's layout: a link of PTTACG's, from `?` on.
    Pttacg,
}

impl PageRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// One line.
    pub fn read(text: &str) -> Result<PageRequest, String> {
        serde_json::from_str(text).map_err(|error| format!("the request is wrong: {error}"))
    }
}

/// Reads a value by its name.
fn name<'de, T: FromStr<Err = String>, D: Deserializer<'de>>(text: D) -> Result<T, D::Error> {
    String::deserialize(text)?.parse().map_err(de::Error::custom)
}

/// A key that a request must have.
///
/// # Errors
/// One line, if it has not.
pub fn required<'r, T>(value: &'r Option<T>, key: &str) -> Result<&'r T, String> {
    value.as_ref().ok_or_else(|| format!("the request needs `{key}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_objectives_and_efforts_have_the_names_of_the_options() {
        let request =
            PageRequest::read(r#"{"rule":"open-first","objective":"clean-win","effort":"full"}"#)
                .unwrap();
        assert_eq!(request.rule, Some(Rule::OpenFirst));
        assert_eq!((request.objective, request.effort), (Objective::CleanWin, Effort::Full));
        for (request, names) in [
            (r#"{"rule":"classic"}"#, "give botzone, safe-first or open-first"),
            (r#"{"objective":"score"}"#, "give fewest-hits or clean-win"),
            (r#"{"effort":"heroic"}"#, "give fast, standard or full"),
        ] {
            let error = PageRequest::read(request).unwrap_err();
            assert!(error.contains(names), "{request}: {error}");
        }
    }
}
