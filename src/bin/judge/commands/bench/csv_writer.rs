//! The CSV file of `judge bench --csv`: one line per board, in the order of the boards.
//!
//! Invariant: after [`CsvWriter::resume_at`], the file holds exactly the first lines of the run.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use sapper::base::text::pluralize;
use sapper::referee::simulate::Trial;

const HEADER: &str = "index,won,hits,turns,guesses,ms";

/// A finished game.
pub struct PlayedGame {
    /// The board: its seed, or its line of the file from 0.
    pub index: i64,
    pub trial: Trial,
    /// CPU time of the game.
    pub cpu: Duration,
}

/// Writes the CSV file while the games are played.
pub struct CsvWriter {
    path: PathBuf,
    file: BufWriter<File>,
}

impl CsvWriter {
    /// Starts the file. After a resumed run with `done` games, keeps that many lines of it instead.
    ///
    /// # Errors
    /// The file cannot be written, or does not hold `done` games.
    pub fn resume_at(path: &Path, done: u64) -> Result<CsvWriter> {
        let name = path.display();
        let cannot_start = || match done {
            0 => format!("cannot write {name}"),
            _ => format!("cannot resume {name}; omit --csv, or start again with another --out"),
        };
        let is_new = done == 0;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(is_new).truncate(is_new).open(path);
        let mut file = file.with_context(cannot_start)?;
        if !is_new {
            let end = end_of_games(BufReader::new(&file), done).with_context(cannot_start)?;
            file.set_len(end).with_context(cannot_start)?;
            file.seek(SeekFrom::Start(end)).with_context(cannot_start)?;
        }
        let mut writer = CsvWriter { path: path.to_owned(), file: BufWriter::new(file) };
        if is_new {
            writeln!(writer.file, "{HEADER}").with_context(cannot_start)?;
        }
        Ok(writer)
    }

    /// Adds the line of a game. It may stay in memory until [`CsvWriter::flush`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: &PlayedGame) -> Result<()> {
        let PlayedGame { index, trial, cpu } = game;
        let Trial { hits, turns, guesses, .. } = trial;
        let (won, ms) = (u8::from(trial.won), cpu.as_secs_f64() * 1e3);
        let written = writeln!(self.file, "{index},{won},{hits},{turns},{guesses},{ms:.3}");
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Writes all added lines to the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        self.file.flush().with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// The offset of the byte after the header and the lines of `games` games.
fn end_of_games(mut file: impl BufRead, games: u64) -> Result<u64> {
    let (mut end, mut line) = (0, Vec::new());
    for number in 0..=games {
        line.clear();
        end += file.read_until(b'\n', &mut line)? as u64;
        if number == 0 && line != format!("{HEADER}\n").as_bytes() {
            bail!("its first line is not {HEADER}");
        }
        if !line.ends_with(b"\n") {
            let games = pluralize(games, "game", "games");
            bail!("it has fewer rows than the {games} that --out holds");
        }
    }
    Ok(end)
}
