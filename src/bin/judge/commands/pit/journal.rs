//! The journal of a pit: the result of every game on file, so that an interrupted run can continue.
//!
//! The file holds one JSON object per line: first the boards, then each bot before its first game,
//! and the games in the order in which they end.
//!
//! Invariant: the file consists of complete lines, each written at once. If the last line was cut
//! off (the judge was killed, the disk was full), it is removed when the file is opened again, and
//! its game is played again. A lock keeps a second run from using the file.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use super::competitor::Competitor;
use crate::cli::games::Games;

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
#[derive(PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Boards { version: u32, width: u32, height: u32, mines: u32, skipfirst: bool },
    Bot { name: String, command: String, limits: String },
    Game(GameResult),
}

/// An open journal.
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
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
        let name = path.display();
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.with_context(|| format!("cannot open the journal {name}"))?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            bail!("another run writes the journal {name}; wait for it, or name another file");
        }
        let mut text = Vec::new();
        // A device is not read, since it may have no end.
        if is_regular(&file) {
            file.read_to_end(&mut text).with_context(|| format!("cannot read {name}"))?;
        }
        let complete = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |feed| feed + 1);
        let mut journal =
            Journal { path: path.to_owned(), file: Mutex::new(file), games: BTreeMap::new() };
        let lines = journal.parse(&text[..complete])?;
        let boards = boards_line(games);
        // Before the first write: a file that is not a journal of these boards stays as it is.
        journal.check_boards(&boards, lines.first(), &text)?;
        journal.truncate(complete as u64)?;
        if lines.is_empty() {
            journal.write(&boards)?;
        }
        for competitor in competitors {
            journal.check_bot(competitor, &lines)?;
        }
        for line in lines {
            if let Line::Game(game) = line {
                journal.games.insert((game.bot.clone(), game.seed), game);
            }
        }
        Ok(journal)
    }

    fn parse(&self, text: &[u8]) -> Result<Vec<Line>> {
        let name = self.path.display();
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

    /// Checks the first line of the file, whose contents are `text`.
    fn check_boards(&self, boards: &Line, first: Option<&Line>, text: &[u8]) -> Result<()> {
        let name = self.path.display();
        match first {
            // The file is empty, or its first line was cut off.
            None if serde_json::to_vec(boards)?.starts_with(text) => Ok(()),
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

    /// Checks that a bot has the command and the limits of its line, or writes its line.
    fn check_bot(&self, competitor: &Competitor, lines: &[Line]) -> Result<()> {
        let Competitor { name: bot, line, limits, .. } = competitor;
        let has_name = |line: &&Line| matches!(line, Line::Bot { name, .. } if name == bot);
        let expected =
            Line::Bot { name: bot.clone(), command: line.clone(), limits: limits.options() };
        match lines.iter().find(has_name) {
            None => self.write(&expected),
            Some(known) if *known == expected => Ok(()),
            Some(Line::Bot { command, limits, .. }) => {
                let journal = self.path.display();
                let limits = if limits.is_empty() { " with Botzone's limits" } else { limits };
                bail!(
                    "in {journal} the bot {bot} is `{command}`{limits}; \
                     give the same, or another name: --bot NAME=CMD"
                )
            }
            Some(_) => Ok(()),
        }
    }

    /// Cuts the file off after `len` bytes, and continues there.
    fn truncate(&self, len: u64) -> Result<()> {
        let mut file = self.file();
        // A device cannot be cut; the first write reports one that cannot be written either.
        if is_regular(&file) {
            file.set_len(len).with_context(|| format!("cannot write {}", self.path.display()))?;
        }
        file.seek(SeekFrom::End(0)).ok();
        Ok(())
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
        self.write(&Line::Game(game.clone()))
    }

    fn write(&self, line: &Line) -> Result<()> {
        let text = serde_json::to_string(line)? + "\n";
        let mut file = self.file();
        let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn file(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_regular(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file())
}

fn boards_line(games: &Games) -> Line {
    let Games { width, height, mines, skipfirst, .. } = *games;
    Line::Boards { version: 1, width, height, mines, skipfirst }
}
