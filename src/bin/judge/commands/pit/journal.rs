//! The journal of a pit: the result of every game on file, so that an interrupted run can continue.
//!
//! The file holds one JSON object per line: first the boards, then each bot before its first game,
//! and the games in the order in which they end.
//!
//! A game whose line was cut off is played again; see [`crate::results::json_lines`].

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::competitor::Competitor;
use crate::cli::games::Games;
use crate::results::json_lines::JsonLines;

/// The result of one game of one bot, without its moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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

/// One line of the file.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Boards { version: u32, width: u32, height: u32, mines: u32, skipfirst: bool },
    Bot { name: String, command: String, limits: String },
    Game(GameResult),
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
    /// journal of other boards or bots. The file is then unchanged.
    pub fn open(path: &Path, games: &Games, competitors: &[Competitor]) -> Result<Journal> {
        let Games { width, height, mines, skipfirst, .. } = *games;
        let boards = Line::Boards { version: 1, width, height, mines, skipfirst };
        let bots = competitors.iter().map(bot_line);
        let (mut file, lines) = JsonLines::open(path, &boards, |text| {
            let lines = parse(path, text)?;
            check_boards(path, &boards, lines.first())?;
            bots.clone().try_for_each(|bot| check_bot(path, &bot, &lines))?;
            Ok(lines)
        })?;
        for bot in bots.filter(|bot| !lines.contains(bot)) {
            file.add(&bot)?;
        }
        let games = lines.into_iter().filter_map(|line| match line {
            Line::Game(game) => Some(((game.bot.clone(), game.seed), game)),
            _ => None,
        });
        Ok(Journal { lines: Mutex::new(file), games: games.collect() })
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

fn bot_line(competitor: &Competitor) -> Line {
    let Competitor { name, line, limits, .. } = competitor;
    Line::Bot { name: name.clone(), command: line.clone(), limits: limits.options() }
}

fn parse(path: &Path, text: &[u8]) -> Result<Vec<Line>> {
    let name = path.display();
    let lines = text.split(|&byte| byte == b'\n').zip(1..);
    lines
        .filter(|(line, _)| !line.trim_ascii().is_empty())
        .map(|(line, number)| {
            serde_json::from_slice(line).with_context(|| {
                format!("{name}, line {number}: not a journal of judge pit; name another file")
            })
        })
        .collect()
}

/// Checks the first line of the file.
fn check_boards(path: &Path, boards: &Line, first: Option<&Line>) -> Result<()> {
    let name = path.display();
    match first {
        Some(first) if first == boards => Ok(()),
        Some(Line::Boards { width, height, mines, skipfirst, .. }) => {
            let skipfirst = if *skipfirst { " --skipfirst" } else { "" };
            bail!(
                "{name} is the journal of other boards: \
                 --width {width} --height {height} --mines {mines}{skipfirst}; \
                 give these options, or name another file"
            )
        }
        _ => bail!("{name} is not a journal of judge pit; name another file"),
    }
}

/// Checks that a bot has the command and the limits of its line, if there is one.
fn check_bot(path: &Path, expected: &Line, lines: &[Line]) -> Result<()> {
    let Line::Bot { name: bot, .. } = expected else { return Ok(()) };
    for line in lines {
        if let Line::Bot { name, command, limits } = line
            && name == bot
            && line != expected
        {
            let journal = path.display();
            let limits = if limits.is_empty() { " with Botzone's limits" } else { limits };
            bail!(
                "in {journal} the bot {bot} is `{command}`{limits}; \
                 give the same, or another name: --bot NAME=CMD"
            )
        }
    }
    Ok(())
}
