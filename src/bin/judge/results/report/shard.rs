//! A shard: the results of a run, or of a part of one, as a file that grows while the games are
//! played.
//!
//! A line of JSON says what is played, and every further line holds the [`Counts`] of the boards
//! from `first` to `last`:
//!
//! ```text
//! {"shard":1,"version":...,"boards":{...},"rule":...,"objective":...,"effort":...,"first":1,"last":500,"whole":[1,1000]}
//! {"first":1,"last":300,"games":300,"wins":120, ...}
//! {"first":301,"last":500,"games":200,"wins":81, ...}
//! ```
//!
//! Invariant: a line follows the one before it without a gap, and is whole when it ends with a line
//! feed. So a file that was cut off anywhere is what it was some lines ago: what follows the last
//! line feed is dropped, and the games of those lines need not be played again.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::counts::Counts;
use super::setting::Setting;

/// The form of the file.
const FORMAT: u32 = 1;
/// A line is written after so many games,
const GAMES: u64 = 1000;
/// or after this time, whichever is first: no more has to be played again.
const TIME: Duration = Duration::from_secs(10);

/// The first line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    shard: u32,
    #[serde(flatten)]
    pub setting: Setting,
    /// The numbers of the first board and of the last, which is one less where the part is empty.
    pub first: i64,
    pub last: i64,
    /// The same of the run that this is a part of.
    pub whole: (i64, i64),
}

/// Every further line.
#[derive(Serialize, Deserialize)]
struct Line {
    first: i64,
    last: i64,
    #[serde(flatten)]
    counts: Counts,
}

impl Header {
    pub fn new(setting: Setting, (first, last): (i64, i64), whole: (i64, i64)) -> Header {
        Header { shard: FORMAT, setting, first, last, whole }
    }

    fn line(&self) -> Result<String> {
        Ok(format!("{}\n", serde_json::to_string(self)?))
    }
}

/// What a file holds.
pub struct Shard {
    pub header: Header,
    pub counts: Counts,
    /// Bytes of the whole lines.
    len: u64,
}

impl Shard {
    /// Reads a shard, be it finished, cut off, or still being written.
    ///
    /// # Errors
    /// A file that cannot be read, is no shard, or is damaged before its last line.
    pub fn read(path: &Path) -> Result<Shard> {
        let name = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        Shard::parse(&bytes).with_context(|| format!("{name}"))
    }

    fn parse(bytes: &[u8]) -> Result<Shard> {
        let len = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..len]).context("no shard: not a text")?;
        let mut lines = text.lines();
        let header: Header = lines
            .next()
            .and_then(|line| serde_json::from_str(line).ok())
            .context("no shard: name files that `judge bench --out` wrote")?;
        let form = header.shard;
        ensure!(
            form == FORMAT,
            "a shard of form {form}, not {FORMAT}: use the judge that wrote it"
        );
        // An empty part ends before it begins.
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
            let right = more.games > 0 && last - first + 1 == more.games as i64;
            ensure!(follows && right && more.agree(), damaged());
            counts.merge(&more);
        }
        Ok(Shard { header, counts, len: len as u64 })
    }

    /// The numbers of the boards played, first and last; nothing before the first line of counts.
    pub fn covered(&self) -> Option<(i64, i64)> {
        let Header { first, .. } = self.header;
        (self.counts.games > 0).then(|| (first, first + self.counts.games as i64 - 1))
    }
}

/// A shard that is being written.
pub struct Writer {
    path: PathBuf,
    file: File,
    next: i64,
    open: Counts,
    since: Instant,
}

impl Writer {
    /// Begins a shard, or goes on with what `path` holds of it; returns what is counted already.
    ///
    /// # Errors
    /// A file that is there where `resume` is not asked for, that is of another run or no shard,
    /// that another process writes to, or that cannot be written.
    pub fn start(path: &Path, header: &Header, resume: bool) -> Result<(Writer, Counts)> {
        let name = path.display();
        let cannot = || format!("cannot write {name}");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).with_context(cannot)?;
        // What is there is read to its end, which a device may not have.
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        ensure!(is_file, "{name} is no regular file; --out wants one, to go on from");
        // Where the file system knows no locks there is no guard, which is no reason not to play.
        if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            bail!("{name} is being written by another process; give every run an --out of its own");
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
        if !resume && !bytes.is_empty() {
            bail!("{name} is there already: go on with --resume, or remove it to start again");
        }
        let begin = header.line()?;
        let (counts, len) = if begin.as_bytes().starts_with(&bytes) && bytes.len() < begin.len() {
            (Counts::default(), 0)
        } else {
            let shard = Shard::parse(&bytes).with_context(|| format!("{name}"))?;
            if let Some(difference) = difference(&shard.header, header) {
                bail!(
                    "{name} is of another run: {difference}; give the same arguments, or another --out"
                );
            }
            (shard.counts, shard.len)
        };
        file.set_len(len).with_context(cannot)?;
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        if len == 0 {
            file.write_all(begin.as_bytes()).with_context(cannot)?;
        }
        let next = header.first + counts.games as i64;
        let (path, open) = (path.to_owned(), Counts::default());
        Ok((Writer { path, file, next, open, since: Instant::now() }, counts))
    }

    /// Takes the next game in. Returns whether a line is due, which the caller answers with
    /// [`Writer::write`]: what else it writes of these games must be on file before.
    pub fn add(&mut self, game: &Counts) -> bool {
        self.open.merge(game);
        self.open.games >= GAMES || self.since.elapsed() >= TIME
    }

    /// Writes the line of the games since the last one.
    pub fn write(&mut self) -> Result<()> {
        let counts = std::mem::take(&mut self.open);
        if counts.games > 0 {
            let (first, last) = (self.next, self.next + counts.games as i64 - 1);
            let mut line = serde_json::to_string(&Line { first, last, counts })?;
            line.push('\n');
            let written = self.file.write_all(line.as_bytes());
            written.with_context(|| format!("cannot write {}", self.path.display()))?;
            self.next = last + 1;
        }
        self.since = Instant::now();
        Ok(())
    }
}

/// What two headers do not share, in words.
fn difference(there: &Header, asked: &Header) -> Option<String> {
    let mut text = there.setting.difference(&asked.setting).unwrap_or_default();
    if (there.first, there.last, there.whole) != (asked.first, asked.last, asked.whole) {
        let separator = if text.is_empty() { "" } else { ", " };
        let (a, b) = (there, asked);
        let _ = write!(
            text,
            "{separator}its boards are {}..{} of {}..{}, not {}..{} of {}..{}",
            a.first, a.last, a.whole.0, a.whole.1, b.first, b.last, b.whole.0, b.whole.1
        );
    }
    (!text.is_empty()).then_some(text)
}
