//! A shard: the results of a run or of a part of a run, as a file that grows during the run.
//!
//! The first line of JSON states what is played; every other line has the [`Counts`] of the next
//! boards of the part:
//!
//! ```text
//! {"version":...,"boards":{...},"rule":...,"objective":...,"effort":...,
//!  "part":[1,500],"whole":[1,1000]}
//! {"games":300,"wins":120, ...}
//! {"games":200,"wins":81, ...}
//! ```
//!
//! (The first line is broken here only.)
//!
//! Invariant: the boards are counted in their order, so a run resumes after the last complete line.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::counts::Counts;
use super::setting::Setting;
use crate::cli::boards::BoardRange;
use crate::results::json_lines::{self, JsonLines};

/// A line is written at the latest after this number of games.
const GAMES_PER_LINE: u64 = 1000;
/// A line is written at the latest after this time.
const TIME_PER_LINE: Duration = Duration::from_secs(10);

/// The first line.
#[derive(Clone, Serialize, Deserialize)]
pub struct Header {
    #[serde(flatten)]
    pub setting: Setting,
    /// The boards of this shard.
    pub part: BoardRange,
    /// The boards of the whole run.
    pub whole: BoardRange,
}

/// The results of a part of a run.
pub struct Shard {
    pub header: Header,
    pub counts: Counts,
}

impl Shard {
    /// Reads a shard, which may be truncated or still growing.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not a shard, or has a complete line that is damaged.
    pub fn read(path: &Path) -> Result<Shard> {
        let (header, lines) = json_lines::read(path)?;
        Ok(Shard { header, counts: Counts::sum(&lines) })
    }

    /// The boards played, which may be none.
    pub fn covered(&self) -> BoardRange {
        let (first, _) = self.header.part;
        (first, first + self.counts.games as i64 - 1)
    }
}

/// A shard that is being written.
pub struct Writer {
    lines: JsonLines,
    /// The counts of the games since the last line.
    unwritten: Counts,
    /// When the last line was written.
    last_write: Instant,
}

impl Writer {
    /// Creates a shard, or continues the one in `path`. Returns the counts that it has already.
    ///
    /// # Errors
    /// Fails if the file cannot be written or is locked by another process, or if it is not a shard
    /// of the same run.
    pub fn start(path: &Path, header: &Header) -> Result<(Writer, Counts)> {
        let (lines, known) = JsonLines::open(path, header)?;
        let (unwritten, last_write) = (Counts::default(), Instant::now());
        Ok((Writer { lines, unwritten, last_write }, Counts::sum(&known)))
    }

    /// Adds the next game. If a line is due, returns true, and the caller calls [`Writer::write`]
    /// after it has written everything else about these games.
    pub fn add(&mut self, game: &Counts) -> bool {
        self.unwritten.merge(game);
        self.unwritten.games >= GAMES_PER_LINE || self.last_write.elapsed() >= TIME_PER_LINE
    }

    /// Writes a line with the games since the last line.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write(&mut self) -> Result<()> {
        let counts = std::mem::take(&mut self.unwritten);
        if counts.games > 0 {
            self.lines.add(&counts)?;
        }
        self.last_write = Instant::now();
        Ok(())
    }
}
