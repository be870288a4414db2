//! The boards of games in process: the lines of a file, or boards generated from seeds.
//!
//! The memory does not depend on the number of boards: a board of a seed is generated when it is
//! played, and a file is read twice, first to check every requested line, so that an error in the
//! last line is found before the first game, and then line by line as the boards are played.
//!
//! Invariant: the boards of a [`Boards`] have consecutive numbers, which say what a shard covers:
//! the seed, or the rank among the boards of the file. The index in a CSV file is the seed, or the
//! line of the file, counted from 0.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use sapper::board::geometry::Cell;
use sapper::referee::board_file::Layout;
use sapper::referee::board_gen::{Start, generate};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cli::level::{Level, RuleName};
use crate::cli::parse::RowColumn;
use crate::cli::seeds::Seeds;

/// One of several equal parts of a run.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Counted from 1.
    number: u64,
    count: u64,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        text.split_once('/')
            .and_then(|(number, count)| {
                Some(Part { number: number.parse().ok()?, count: count.parse().ok()? })
            })
            .filter(|part| (1..=part.count).contains(&part.number) && part.count <= MAX_PARTS)
            .ok_or_else(|| "give K/N, the K-th of N parts, such as 1/100".to_owned())
    }
}

/// The greatest number of parts.
const MAX_PARTS: u64 = u32::MAX as u64;

/// Consecutive numbers of boards, both ends included. In an empty range `last` is one less than
/// `first`. In JSON it is `[first, last]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(from = "(i64, i64)", into = "(i64, i64)")]
pub struct BoardRange {
    pub first: i64,
    pub last: i64,
}

impl From<(i64, i64)> for BoardRange {
    fn from((first, last): (i64, i64)) -> BoardRange {
        BoardRange { first, last }
    }
}

impl From<BoardRange> for (i64, i64) {
    fn from(range: BoardRange) -> (i64, i64) {
        (range.first, range.last)
    }
}

/// Boards to play.
pub struct Boards {
    source: Source,
    /// The number of the first board.
    first: i64,
    len: u64,
}

enum Source {
    File {
        path: PathBuf,
        /// The boards of the file before the first one.
        skip: u64,
        /// The checksum of the text.
        crc32: u32,
    },
    Seeds {
        level: Level,
        start: Start,
    },
}

/// A board that is not yet parsed or generated.
pub enum BoardSpec {
    Line {
        /// The line of the file, counted from 0.
        index: i64,
        text: String,
    },
    Seed(i32),
}

impl Boards {
    /// The boards of a plain or gzipped file, from line `from` on. `lines` is the number of lines;
    /// by default all that follow. Every one of these lines is checked.
    ///
    /// # Errors
    /// Fails if the file cannot be read, if a line is not a board or breaks `rule`, or if there is
    /// no board.
    pub fn from_file(path: &Path, rule: RuleName, from: u64, lines: Option<u64>) -> Result<Boards> {
        let name = path.display();
        let limit = lines.unwrap_or(u64::MAX);
        let (mut skip, mut len, mut crc) = (0, 0, flate2::Crc::new());
        // All lines count for the checksum.
        for line in read_lines(path)? {
            let (index, line) = line.with_context(|| format!("cannot read {name}"))?;
            crc.update(line.as_bytes());
            crc.update(b"\n");
            let is_board = !line.trim().is_empty();
            if index < from {
                skip += u64::from(is_board);
            } else if index - from < limit && is_board {
                let at = || format!("{name}, line {}", index + 1);
                check_first_cell(&line.parse().with_context(at)?, rule).with_context(at)?;
                len += 1;
            }
        }
        if len == 0 {
            bail!("{name} has no board from index {from} on (or --games is 0)");
        }
        let source = Source::File { path: path.to_owned(), skip, crc32: crc.sum() };
        Ok(Boards { source, first: skip as i64, len })
    }

    /// The boards of these seeds. By default the first cell is a corner.
    ///
    /// # Errors
    /// Fails if the first cell is outside the level, if it is given under a rule by which the bot
    /// chooses it, or if there are too many mines.
    pub fn from_seeds(
        level: Level,
        rule: RuleName,
        first: Option<RowColumn>,
        seeds: Seeds,
    ) -> Result<Boards> {
        let Level { shape, mines } = level;
        let RowColumn { row, column } = first.unwrap_or(RowColumn { row: 0, column: 0 });
        let Some(cell) = shape.cell(row, column) else {
            let (columns, rows) = (shape.columns(), shape.rows());
            bail!("--first {row},{column} is outside {columns}x{rows}");
        };
        let start = match rule {
            RuleName::Botzone if first.is_some() => {
                bail!("under botzone the bot chooses its first cell: omit --first")
            }
            RuleName::Botzone => Start::Chosen,
            RuleName::SafeFirst => Start::Safe(cell),
            RuleName::OpenFirst => Start::Open(cell),
        };
        // Whether the mines fit does not depend on the seed.
        generate(shape, mines, start, seeds.first)
            .context("too many mines for this level, rule and first cell")?;
        let (first, len) = (seeds.first.into(), seeds.len() as u64);
        Ok(Boards { source: Source::Seeds { level, start }, first, len })
    }

    /// The number of boards.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The numbers of the boards.
    pub fn range(&self) -> BoardRange {
        BoardRange { first: self.first, last: self.first + self.len as i64 - 1 }
    }

    /// The source of the boards: the level and its first cell, or the file with its checksum.
    pub fn source(&self) -> Value {
        match &self.source {
            Source::File { path, crc32, .. } => {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                json!({"file": name, "crc32": format!("{crc32:08x}")})
            }
            Source::Seeds { level, start } => match start {
                Start::Chosen => json!({"level": level.to_string()}),
                Start::Safe(first) | Start::Open(first) => {
                    let first = (level.shape.row(*first), level.shape.column(*first));
                    json!({"level": level.to_string(), "first": first})
                }
            },
        }
    }

    /// The boards of a part. If there are more parts than boards, some parts are empty.
    pub fn part(self, part: Part) -> Boards {
        let Part { number, count } = part;
        // No overflow: there are at most 2^32 seeds, and no file has more lines.
        let len = self.len;
        let end = |number: u64| len * number / count;
        self.slice(end(number - 1), end(number))
    }

    /// All boards but the first `count`.
    pub fn skip(self, count: u64) -> Boards {
        let len = self.len;
        self.slice(count, len)
    }

    fn slice(mut self, from: u64, to: u64) -> Boards {
        if let Source::File { skip, .. } = &mut self.source {
            *skip += from;
        }
        Boards { first: self.first + from as i64, len: to - from, ..self }
    }

    /// The boards in the order of their numbers.
    ///
    /// # Errors
    /// Fails if the file cannot be opened.
    pub fn iter(&self) -> Result<Box<dyn Iterator<Item = Result<BoardSpec>> + Send>> {
        Ok(match &self.source {
            Source::Seeds { .. } => {
                let seeds = self.first..self.first + self.len as i64;
                Box::new(seeds.map(|seed| Ok(BoardSpec::Seed(seed as i32))))
            }
            Source::File { path, skip, .. } => {
                let name = path.display().to_string();
                let is_board = |(_, line): &(u64, String)| !line.trim().is_empty();
                let boards = read_lines(path)?
                    .filter(move |line| line.as_ref().map_or(true, is_board))
                    .skip(*skip as usize)
                    .take(self.len as usize);
                Box::new(boards.map(move |line| {
                    let (index, text) = line.with_context(|| format!("cannot read {name}"))?;
                    Ok(BoardSpec::Line { index: index as i64, text })
                }))
            }
        })
    }

    /// The index of a board and its layout.
    ///
    /// # Errors
    /// Fails if the file was changed since it was checked.
    pub fn layout(&self, board: &BoardSpec) -> Result<(i64, Layout)> {
        match (board, &self.source) {
            (BoardSpec::Line { index, text }, _) => {
                let layout = text.parse().with_context(|| format!("line {}", index + 1))?;
                Ok((*index, layout))
            }
            (BoardSpec::Seed(seed), Source::Seeds { level, start }) => {
                let layout = generate(level.shape, level.mines, *start, *seed)?;
                Ok(((*seed).into(), layout))
            }
            (BoardSpec::Seed(seed), Source::File { path, .. }) => {
                bail!("seed {seed} is not a line of {}", path.display())
            }
        }
    }
}

/// The lines of a plain or gzipped file, each with its index from 0.
fn read_lines(path: &Path) -> Result<impl Iterator<Item = std::io::Result<(u64, String)>> + use<>> {
    let cannot = || format!("cannot read {}", path.display());
    let file = std::fs::File::open(path).with_context(cannot)?;
    let mut file = BufReader::new(file);
    let start = file.fill_buf().with_context(cannot)?;
    let reader: Box<dyn BufRead + Send> = if start.starts_with(b"\x1f\x8b") {
        Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    };
    Ok(reader.lines().zip(0..).map(|(line, index)| {
        let line = line?;
        // Some editors write a byte order mark.
        Ok((index, if index == 0 { line.trim_start_matches('\u{feff}').to_owned() } else { line }))
    }))
}

/// Checks that the board keeps the rule's promise about the first cell.
fn check_first_cell(layout: &Layout, rule: RuleName) -> Result<()> {
    let Layout { shape, first, ref mines } = *layout;
    let mined = |cell: Cell| mines.contains(&cell.index());
    match rule {
        RuleName::SafeFirst if mined(first) => {
            bail!("the first cell is a mine; under safe-first it must not be")
        }
        RuleName::OpenFirst if mined(first) || shape.neighbours(first).into_iter().any(mined) => {
            bail!("mines touch the first cell; under open-first none may")
        }
        _ => Ok(()),
    }
}
