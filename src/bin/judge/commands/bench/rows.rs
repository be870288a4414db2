//! The CSV of a bench: `index,won,hits,turns,guesses,ms`, a row a board, in the order of the
//! boards.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use sapper::base::text::pluralize;
use sapper::referee::simulate::GameResult;

const TITLE: &str = "index,won,hits,turns,guesses,ms";

/// A game that was played.
pub struct Row {
    pub index: i64,
    pub trial: GameResult,
    /// Time of the processor.
    pub cpu: Duration,
}

/// The file as it grows.
pub struct Rows {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Rows {
    /// Begins the file, or goes on after `done` rows that it holds.
    ///
    /// # Errors
    /// A file that cannot be written, or that does not hold so many rows.
    pub fn start(path: &Path, done: u64) -> Result<Rows> {
        let name = path.display();
        let cannot = || match done {
            0 => format!("cannot write {name}"),
            _ => format!(
                "cannot go on with {name}; leave --csv out, or start again with another --out"
            ),
        };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(done == 0).truncate(done == 0).open(path);
        let mut file = file.with_context(cannot)?;
        if done > 0 {
            let end = end_of(BufReader::new(&file), done).with_context(cannot)?;
            file.set_len(end).with_context(cannot)?;
            file.seek(SeekFrom::Start(end)).with_context(cannot)?;
        }
        let mut rows = Rows { path: path.to_owned(), file: BufWriter::new(file) };
        if done == 0 {
            writeln!(rows.file, "{TITLE}").with_context(cannot)?;
        }
        Ok(rows)
    }

    /// Writes a game's row.
    pub fn add(&mut self, row: &Row) -> Result<()> {
        let Row { index, trial, cpu } = row;
        let GameResult { hits, turns, guesses, .. } = trial;
        let (won, ms) = (u8::from(trial.won), cpu.as_secs_f64() * 1e3);
        let written = writeln!(self.file, "{index},{won},{hits},{turns},{guesses},{ms:.3}");
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Sees to it that all rows are on file.
    pub fn flush(&mut self) -> Result<()> {
        self.file.flush().with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// The byte after the first `rows` rows.
fn end_of(mut file: impl BufRead, rows: u64) -> Result<u64> {
    let (mut end, mut line) = (0, Vec::new());
    for number in 0..=rows {
        line.clear();
        end += file.read_until(b'\n', &mut line)? as u64;
        if number == 0 && line != format!("{TITLE}\n").as_bytes() {
            bail!("its first line is not {TITLE}");
        }
        if !line.ends_with(b"\n") {
            let games = pluralize(rows, "game", "games");
            bail!("it has fewer rows than the {games} that --out holds");
        }
    }
    Ok(end)
}
