//! The results of a bot on boards, as a table states them.
//!
//! Invariant: each board has one result, whose values are valid, and a game with a fault has none
//! by which it could be better than another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Deserializer};

use crate::report::csv_table;
use crate::runner::files::read_bytes;

/// The results of a bot, by the index of the board.
pub type BoardResults = BTreeMap<i64, BoardResult>;

/// Reads a value of a column that the table has.
fn in_column<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<f64>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// A bot's result on one board.
#[derive(Deserialize)]
pub struct BoardResult {
    pub index: i64,
    /// 0 or 1.
    pub won: u8,
    /// Mines opened, if stated.
    pub hits: Option<u32>,
    /// The probability to win, without the luck of the guesses.
    pub adjusted_won: Option<f64>,
    /// Mines opened, without the luck of the guesses.
    pub adjusted_hits: Option<f64>,
    /// What its decisions cost against a policy. `None` without the column, and a blank in it is
    /// `Some(None)`.
    #[serde(default, deserialize_with = "in_column")]
    pub cost: Option<Option<f64>>,
    /// `done`, `unfinished`, or the name of a fault.
    outcome: Option<String>,
    /// The options of the board: the same seed makes another board by others.
    pub options: Option<String>,
    /// The options of `judge coach` that the cost depends on: others make another scale.
    pub policy: Option<String>,
    /// The bot that played, in a table of several.
    bot: Option<String>,
}

impl BoardResult {
    /// The name of the fault that ended the game, if there was one.
    pub fn fault(&self) -> Option<&str> {
        self.outcome.as_deref().filter(|outcome| !["", "done", "unfinished"].contains(outcome))
    }

    /// The same without what the table states of a game with a fault: such a game is lost, and has
    /// no mines and no cost to compare.
    fn without_fault(self) -> BoardResult {
        if self.fault().is_none() {
            return self;
        }
        let adjusted_won = self.adjusted_won.map(|_| 0.0);
        let cost = self.cost.map(|_| None);
        BoardResult { won: 0, hits: None, adjusted_won, adjusted_hits: None, cost, ..self }
    }

    /// Checks the values that are not whole numbers.
    fn check(&self) -> Result<()> {
        let BoardResult { adjusted_won, adjusted_hits, cost, .. } = *self;
        let cost = cost.flatten();
        if let Some(won) = adjusted_won {
            ensure!((0.0..=1.0).contains(&won), "adjusted_won is {won}; expected 0 to 1");
        }
        for (name, value) in [("adjusted_hits", adjusted_hits), ("cost", cost)] {
            if let Some(value) = value {
                ensure!(value.is_finite(), "{name} is {value}; expected a finite number");
            }
        }
        Ok(())
    }
}

/// Reads the results of a table, or of one bot in it, by their index.
///
/// # Errors
/// Fails if the file cannot be read, is no table, or has no row of the bot.
pub fn read(path: &Path, bot: Option<&str>) -> Result<BoardResults> {
    let name = path.display().to_string();
    let text = read_bytes(path)?;
    let (mut results, mut bots) = (BoardResults::new(), BTreeSet::new());
    csv_table::for_each_row(&name, &text, "index,won,hits", |result: BoardResult| {
        let BoardResult { index, won, .. } = result;
        bots.extend(result.bot.clone());
        if bot.is_some() && bot != result.bot.as_deref() {
            return Ok(());
        }
        ensure!(won <= 1, "won is {won}; expected 0 or 1");
        result.check()?;
        let is_first = results.insert(index, result.without_fault()).is_none();
        let hint = match bots.len() {
            0 | 1 => "",
            _ => ", or name a bot of the table with --a or --b",
        };
        ensure!(is_first, "board {index} is in another row already; give each board once{hint}");
        Ok(())
    })?;
    if let Some(bot) = bot
        && !bots.contains(bot)
    {
        match Vec::from_iter(bots).join(", ").as_str() {
            "" => bail!("{name} names no bot in a column `bot`; omit --a or --b for it"),
            bots => bail!("{name} has no row of the bot {bot}; it has rows of: {bots}"),
        }
    }
    Ok(results)
}
