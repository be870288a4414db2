//! The journal of a pit: the result of every game on file, so that an interrupted run can continue.
//!
//! The file holds one JSON object per line: first the boards, then each bot before its first game,
//! and the games in the order in which they end.
//!
//! A game whose line was cut off is played again; see [`crate::results::json_lines`].

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::competitor::Competitor;
use crate::cli::games::Games;
use crate::results::json_lines::{JsonLines, difference};

/// The result of one game of one bot, without its moves.
#[derive(Clone, Serialize, Deserialize)]
pub struct GameResult {
    /// The bot's name.
    pub bot: String,
    pub seed: i32,
    /// `done`, or the kind of the fault.
    pub outcome: String,
    /// The details of the fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The end of the bot's standard error, after a fault.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    pub score: f64,
    /// The mines opened.
    pub mines: u32,
    /// The wall time of each turn, in microseconds.
    #[serde(rename = "wall")]
    pub wall_micros: Vec<u64>,
    /// The CPU time of each turn, in microseconds.
    #[serde(rename = "cpu")]
    pub cpu_micros: Vec<u64>,
    /// The largest memory sampled, in bytes; 0 if none was sampled.
    #[serde(rename = "memory")]
    pub peak_bytes: u64,
    /// The processes that the bot left running at the end of its turns.
    #[serde(rename = "left")]
    pub left_behind: u32,
    /// Whether the result came from the journal.
    #[serde(skip)]
    pub is_resumed: bool,
}

impl GameResult {
    /// Whether the game ended without a fault.
    pub fn is_done(&self) -> bool {
        self.outcome == "done"
    }

    /// Whether the game ended without a fault and without an opened mine.
    pub fn is_clean(&self) -> bool {
        self.is_done() && self.mines == 0
    }

    /// 100 for a clean game, else 0: differences of means are percentage points.
    pub fn clean_percent(&self) -> f64 {
        if self.is_clean() { 100.0 } else { 0.0 }
    }
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Setting {
    Boards { version: u32, width: u32, height: u32, mines: u32, skipfirst: bool },
}

/// Every other line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Bot(Bot),
    Game(GameResult),
}

/// A bot, as it was started and limited.
#[derive(Serialize, Deserialize)]
struct Bot {
    name: String,
    command: String,
    limits: String,
}

/// An open journal.
pub struct Journal {
    lines: Mutex<JsonLines>,
    /// The games that the file held when it was opened, by bot and seed.
    games: BTreeMap<(String, i32), GameResult>,
}

impl Journal {
    /// Opens the journal of these boards and bots, or creates it.
    ///
    /// # Errors
    /// The file cannot be read or written, is in use by another run, is not a journal, or is the
    /// journal of other boards or bots. Its lines are then unchanged.
    pub fn open(path: &Path, games: &Games, competitors: &[Competitor]) -> Result<Journal> {
        let Games { width, height, mines, skipfirst, .. } = *games;
        let setting = Setting::Boards { version: 1, width, height, mines, skipfirst };
        let (mut lines, known) = JsonLines::open(path, &setting)?;
        let (mut bots, mut games) = (BTreeMap::new(), BTreeMap::new());
        for line in known {
            match line {
                Line::Bot(bot) => {
                    bots.insert(bot.name.clone(), bot);
                }
                Line::Game(game) => {
                    let game = GameResult { is_resumed: true, ..game };
                    games.insert((game.bot.clone(), game.seed), game);
                }
            }
        }
        let mut new_bots = Vec::new();
        for Competitor { name, line, limits, .. } in competitors {
            let bot = Bot { name: name.clone(), command: line.clone(), limits: limits.options() };
            let Some(known) = bots.get(name) else {
                new_bots.push(Line::Bot(bot));
                continue;
            };
            if let Some(difference) = difference(known, &bot)? {
                let path = path.display();
                bail!(
                    "{path} has another bot {name}: {difference}; give the same, or another name: \
                     --bot NAME=CMD"
                );
            }
        }
        new_bots.iter().try_for_each(|bot| lines.add(bot))?;
        Ok(Journal { lines: Mutex::new(lines), games })
    }

    /// The result of this bot and seed, if the file held it.
    pub fn game(&self, bot: &str, seed: i32) -> Option<&GameResult> {
        self.games.get(&(bot.to_owned(), seed))
    }

    /// Appends a result.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&self, game: &GameResult) -> Result<()> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.add(&Line::Game(game.clone()))
    }
}
