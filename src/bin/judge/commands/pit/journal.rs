//! The journal of a pit: every game on file as it ends, so that a run that was interrupted goes on.
//!
//! A line a JSON object: first the boards, then each bot before its first game, then games as they
//! end.
//!
//! Invariant: the file is a whole number of lines, each written at once; a last line that was cut
//! off (the judge was killed, the disk was full) is taken away when the file is opened again, and
//! its game is played again. One run has the file at a time.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use super::competitor::Competitor;
use crate::cli::games::Games;

/// One game of one bot, without its moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Game {
    pub bot: String,
    pub seed: i32,
    /// `done`, or the kind of the fault.
    pub outcome: String,
    /// What exactly the fault was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The end of stderr, with a fault.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    pub score: f64,
    /// Mines opened.
    pub mines: u32,
    /// Wall time of each turn, in microseconds.
    pub wall: Vec<u64>,
    /// CPU time of each turn, in microseconds.
    pub cpu: Vec<u64>,
    /// The most memory, in bytes; 0 where none was seen.
    pub memory: u64,
    /// Processes that were left behind.
    pub left: u32,
}

impl Game {
    /// Whether it came to its end by the rules.
    pub fn is_done(&self) -> bool {
        self.outcome == "done"
    }
}

/// What a line says.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Boards { version: u32, width: u32, height: u32, mines: u32, skipfirst: bool },
    Bot { name: String, command: String, limits: String },
    Game(Game),
}

/// An open journal.
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    /// The games that were there, by bot and seed.
    games: BTreeMap<(String, i32), Game>,
}

impl Journal {
    /// Opens a journal, or begins one, for these boards and bots.
    ///
    /// # Errors
    /// When it cannot be read or written, is in use, is no journal, or is one of other boards or
    /// bots.
    pub fn open(path: &Path, games: &Games, competitors: &[Competitor]) -> Result<Journal> {
        let name = path.display();
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.with_context(|| format!("cannot open the journal {name}"))?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            bail!("another run writes the journal {name}; wait for it, or name another file");
        }
        let mut text = Vec::new();
        // Not a text at all is told below; a device has no end to read to.
        if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            file.read_to_end(&mut text).with_context(|| format!("cannot read {name}"))?;
        }
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |feed| feed + 1);
        let mut journal =
            Journal { path: path.to_owned(), file: Mutex::new(file), games: BTreeMap::new() };
        let lines = journal.read(&text[..whole])?;
        let Games { width, height, mines, skipfirst, .. } = *games;
        let boards = Line::Boards { version: 1, width, height, mines, skipfirst };
        match lines.first() {
            // Nothing, or the first line cut off. What is no journal is left as it is.
            None if serde_json::to_vec(&boards)?.starts_with(&text) => {}
            None => bail!("{name} is no journal of judge pit; name another file"),
            Some(first) if *first == boards => {}
            Some(Line::Boards { width, height, mines, skipfirst, .. }) => bail!(
                "{name} is the journal of other boards: --width {width} --height {height} --mines {mines}{}; \
                 give these, or name another file",
                if *skipfirst { " --skipfirst" } else { "" }
            ),
            Some(_) => bail!("{name} is no journal of judge pit; name another file"),
        }
        journal.cut(whole as u64)?;
        if lines.is_empty() {
            journal.write(&boards)?;
        }
        for Competitor { name: bot, line, limits, .. } in competitors {
            let mine =
                Line::Bot { name: bot.clone(), command: line.clone(), limits: limits.options() };
            let same_name = |other: &&Line| matches!(other, Line::Bot { name, .. } if name == bot);
            match lines.iter().find(same_name) {
                None => journal.write(&mine)?,
                Some(other) if *other == mine => {}
                Some(Line::Bot { command, limits, .. }) => {
                    let limits = if limits.is_empty() { " with Botzone's limits" } else { limits };
                    bail!(
                        "in {name} the bot {bot} is `{command}`{limits}; give it so, or another name: --bot NAME=CMD"
                    )
                }
                Some(_) => {}
            }
        }
        for line in lines {
            if let Line::Game(game) = line {
                journal.games.insert((game.bot.clone(), game.seed), game);
            }
        }
        Ok(journal)
    }

    fn read(&self, text: &[u8]) -> Result<Vec<Line>> {
        let name = self.path.display();
        let lines = text.split(|&byte| byte == b'\n').enumerate();
        lines
            .filter(|(_, line)| !line.trim_ascii().is_empty())
            .map(|(number, line)| {
                serde_json::from_slice(line).with_context(|| {
                    format!(
                        "{name}, line {}: no journal of judge pit; name another file",
                        number + 1
                    )
                })
            })
            .collect()
    }

    /// Cuts off what is no whole line.
    fn cut(&self, whole: u64) -> Result<()> {
        let mut file = self.file();
        // A device cannot be cut; that it cannot be written to either, the first line tells.
        if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            file.set_len(whole).with_context(|| format!("cannot write {}", self.path.display()))?;
        }
        file.seek(SeekFrom::End(0)).ok();
        Ok(())
    }

    /// The game of this bot and seed, if it was played already.
    pub fn game(&self, bot: &str, seed: i32) -> Option<&Game> {
        self.games.get(&(bot.to_owned(), seed))
    }

    /// Writes a game down.
    pub fn add(&self, game: &Game) -> Result<()> {
        self.write(&Line::Game(game.clone()))
    }

    fn write(&self, line: &Line) -> Result<()> {
        let text = serde_json::to_string(line)? + "\n";
        let mut file = self.file();
        let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn file(&self) -> std::sync::MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
