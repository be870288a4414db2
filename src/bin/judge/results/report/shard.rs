//! A shard: the results of a run or of a part of a run, as a file that grows during the run.
//!
//! The first line of JSON states what is played; every other line has the [`Counts`] of the boards
//! from `first` to `last`:
//!
//! ```text
//! {"shard":1,"version":...,"boards":{...},"rule":...,"objective":...,"effort":...,
//!  "first":1,"last":500,"whole":[1,1000]}
//! {"first":1,"last":300,"games":300,"wins":120, ...}
//! {"first":301,"last":500,"games":200,"wins":81, ...}
//! ```
//!
//! (The first line is broken here only.)
//!
//! Invariant: each line starts with the board after the last one of the line before, so a run
//! resumes after the last complete line.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::counts::Counts;
use super::setting::Setting;
use crate::cli::boards::BoardRange;
use crate::results::json_lines::{JsonLines, complete_lines};

/// The version of the file format.
const FORMAT: u32 = 1;
/// A line is written at the latest after this number of games.
const GAMES_PER_LINE: u64 = 1000;
/// A line is written at the latest after this time.
const TIME_PER_LINE: Duration = Duration::from_secs(10);

/// The first line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    shard: u32,
    #[serde(flatten)]
    pub setting: Setting,
    /// The boards of this shard.
    pub first: i64,
    pub last: i64,
    /// The boards of the whole run.
    pub whole: BoardRange,
}

/// Every other line.
#[derive(Serialize, Deserialize)]
struct Line {
    first: i64,
    last: i64,
    #[serde(flatten)]
    counts: Counts,
}

impl Header {
    /// The header for the boards `part` of the run with the boards `whole`.
    pub fn new(setting: Setting, part: BoardRange, whole: BoardRange) -> Header {
        Header { shard: FORMAT, setting, first: part.first, last: part.last, whole }
    }
}

/// The contents of a file.
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
        let name = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        Shard::parse(&bytes).with_context(|| format!("{name}"))
    }

    fn parse(bytes: &[u8]) -> Result<Shard> {
        let text = std::str::from_utf8(complete_lines(bytes));
        let text = text.context("not a shard: not UTF-8 text")?;
        let mut lines = text.lines();
        let header: Header = lines
            .next()
            .and_then(|line| serde_json::from_str(line).ok())
            .context("not a shard: name files that `judge bench --out` wrote")?;
        let format = header.shard;
        ensure!(
            format == FORMAT,
            "a shard of format {format}, not {FORMAT}: use the judge that wrote it"
        );
        // In an empty part, `last` is one less than `first`.
        ensure!(header.first <= header.last.saturating_add(1), "line 1 is damaged");
        let mut counts = Counts::default();
        for (line, number) in lines.zip(2..) {
            let damaged = || {
                format!(
                    "line {number} is damaged; remove it and all after it, then --resume the run"
                )
            };
            let Line { first, last, counts: more } =
                serde_json::from_str(line).with_context(damaged)?;
            let follows = first == header.first + counts.games as i64 && last <= header.last;
            let has_all = more.games > 0 && last - first + 1 == more.games as i64;
            ensure!(follows && has_all && more.are_consistent(), damaged());
            counts.merge(&more);
        }
        Ok(Shard { header, counts })
    }

    /// The boards played; `None` if there are none yet.
    pub fn covered(&self) -> Option<BoardRange> {
        let Header { first, .. } = self.header;
        let last = first + self.counts.games as i64 - 1;
        (self.counts.games > 0).then_some(BoardRange { first, last })
    }
}

/// A shard that is being written.
pub struct Writer {
    lines: JsonLines,
    /// The number of the first board that is not in the file.
    next: i64,
    /// The counts of the games since the last line.
    unwritten: Counts,
    /// When the last line was written.
    last_write: Instant,
}

impl Writer {
    /// Creates a shard, or continues the one in `path`. Returns the counts that it has already.
    ///
    /// # Errors
    /// Fails if the file cannot be written or is locked by another process, if it is not empty and
    /// `resume` is false, or if it is not a shard of the same run.
    pub fn start(path: &Path, header: &Header, resume: bool) -> Result<(Writer, Counts)> {
        let name = path.display();
        let (lines, counts) = JsonLines::open(path, header, |bytes| {
            ensure!(resume, "{name} exists: continue it with --resume, or remove it");
            let shard = Shard::parse(bytes).with_context(|| format!("{name}"))?;
            if let Some(difference) = difference(&shard.header, header) {
                bail!(
                    "{name} is of another run: {difference}; give the same arguments, or another \
                     --out"
                );
            }
            Ok(shard.counts)
        })?;
        let next = header.first + counts.games as i64;
        let unwritten = Counts::default();
        Ok((Writer { lines, next, unwritten, last_write: Instant::now() }, counts))
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
            let (first, last) = (self.next, self.next + counts.games as i64 - 1);
            self.lines.add(&Line { first, last, counts })?;
            self.next = last + 1;
        }
        self.last_write = Instant::now();
        Ok(())
    }
}

/// The parts in which the header of a file differs from the expected one, as text.
fn difference(found: &Header, expected: &Header) -> Option<String> {
    let boards = |header: &Header| {
        let Header { first, last, whole, .. } = header;
        format!("{first}..{last} of {}..{}", whole.first, whole.last)
    };
    let mut text = found.setting.difference(&expected.setting).unwrap_or_default();
    let (found, expected) = (boards(found), boards(expected));
    if found != expected {
        let separator = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{separator}its boards are {found}, not {expected}");
    }
    (!text.is_empty()).then_some(text)
}
