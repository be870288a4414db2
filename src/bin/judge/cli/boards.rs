//! The boards that games in process are played on: the lines of a file, or made from seeds.
//!
//! A run of a million boards takes no more memory than one of a hundred: boards of seeds are made
//! when they are played, and a file is read twice, first to check every line that is asked for,
//! then a line when it is played. It is read twice so that a fault in the last line shows before
//! the first game.
//!
//! Invariant: board `k` of [`Boards`] has the first one's number plus k: its seed, or its place
//! among the file's boards. The number says which boards a shard covers; the index that is written
//! to a CSV is the seed, or the line from 0.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use sapper::board::geometry::Cell;
use sapper::referee::board_file::Layout;
use sapper::referee::board_gen::{Start, generate};
use serde_json::{Value, json};

use crate::cli::level::{Level, RuleName};

/// One of so many equal parts of a run, counted from 1.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    number: u64,
    of: u64,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        text.split_once('/')
            .and_then(|(number, of)| {
                Some(Part { number: number.parse().ok()?, of: of.parse().ok()? })
            })
            .filter(|part| (1..=part.of).contains(&part.number) && part.of <= u32::MAX.into())
            .ok_or_else(|| "give K/N, the K-th of N parts, such as 1/100".to_owned())
    }
}

/// A first cell: row and column.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    row: u32,
    column: u32,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        text.split_once(',')
            .and_then(|(row, column)| {
                Some(Place { row: row.trim().parse().ok()?, column: column.trim().parse().ok()? })
            })
            .ok_or_else(|| "give ROW,COLUMN from 0, such as 3,3".to_owned())
    }
}

/// Boards to play.
pub struct Boards {
    source: Source,
    first: i64,
    len: u64,
}

enum Source {
    /// `skip` boards come before the first, `sum` is the CRC-32 of the text.
    File {
        path: PathBuf,
        skip: u64,
        sum: u32,
    },
    Laid {
        level: Level,
        start: Start,
    },
}

/// A board as it waits to be played.
pub enum Board {
    /// The line's number from 0, and the line.
    Line(i64, String),
    /// The seed.
    Seed(i32),
}

impl Boards {
    /// The boards of a file from line `from` on, plain or gzipped, every line checked.
    ///
    /// # Errors
    /// A file that cannot be read, a line that is no board or not one of `rule`, or no board at
    /// all.
    pub fn read(path: &Path, rule: RuleName, from: u64, games: Option<u64>) -> Result<Boards> {
        let name = path.display();
        let most = games.unwrap_or(u64::MAX);
        let (mut skip, mut len, mut sum) = (0, 0, flate2::Crc::new());
        // Of what is not asked for only the sum is taken.
        for line in lines(path)? {
            let (index, line) = line.with_context(|| format!("cannot read {name}"))?;
            sum.update(line.as_bytes());
            sum.update(b"\n");
            let board = !line.trim().is_empty();
            if index < from {
                skip += u64::from(board);
            } else if index - from < most && board {
                let at = || format!("{name}, line {}", index + 1);
                check_first_cell(&line.parse().with_context(at)?, rule).with_context(at)?;
                len += 1;
            }
        }
        if len == 0 {
            bail!("{name} has no board from index {from} on (or --games is 0)");
        }
        let source = Source::File { path: path.to_owned(), skip, sum: sum.sum() };
        Ok(Boards { source, first: skip as i64, len })
    }

    /// The boards of the seeds from `first_seed` to `last_seed`; without `first` the first cell is
    /// the corner.
    ///
    /// # Errors
    /// A first cell outside the level or not to be chosen, or too many mines.
    pub fn lay(
        level: Level,
        rule: RuleName,
        first: Option<Place>,
        (first_seed, last_seed): (i32, i32),
    ) -> Result<Boards> {
        let Level { shape, mines } = level;
        let place = first.unwrap_or(Place { row: 0, column: 0 });
        let Some(cell) = shape.cell(place.row.into(), place.column.into()) else {
            let (columns, rows) = (shape.columns(), shape.rows());
            bail!("--first {},{} is outside {columns}x{rows}", place.row, place.column);
        };
        let start = match rule {
            RuleName::Botzone if first.is_some() => {
                bail!("under botzone the bot chooses its first cell: leave --first out")
            }
            RuleName::Botzone => Start::Chosen,
            RuleName::SafeFirst => Start::Safe(cell),
            RuleName::OpenFirst => Start::Open(cell),
        };
        // One seed is as good as another for this.
        generate(shape, mines, start, first_seed)
            .context("too many mines for this level, rule and first cell")?;
        let len = (i64::from(last_seed) - i64::from(first_seed) + 1) as u64;
        Ok(Boards { source: Source::Laid { level, start }, first: first_seed.into(), len })
    }

    /// How many.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The number of the first, and of the last; without any board the last is one less than the
    /// first.
    pub fn numbers(&self) -> (i64, i64) {
        (self.first, self.first + self.len as i64 - 1)
    }

    /// What the boards are of, apart from which: the level and its first cell, or the file by its
    /// sum.
    pub fn source(&self) -> Value {
        match &self.source {
            Source::File { path, sum, .. } => {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                json!({"file": name, "crc32": format!("{sum:08x}")})
            }
            Source::Laid { level, start } => match start {
                Start::Chosen => json!({"level": level.to_string()}),
                Start::Safe(first) | Start::Open(first) => {
                    let first = (level.shape.row(*first), level.shape.column(*first));
                    json!({"level": level.to_string(), "first": first})
                }
            },
        }
    }

    /// Only the boards of this part; of more parts than boards some have none.
    pub fn part(self, part: Part) -> Boards {
        let Part { number, of } = part;
        // Both are at most 2^32 where there are seeds, and a file is shorter than that many lines.
        let len = self.len;
        let end = |number: u64| len * number / of;
        self.between(end(number - 1), end(number))
    }

    /// Without the first `count` boards.
    pub fn after(self, count: u64) -> Boards {
        let len = self.len;
        self.between(count, len)
    }

    fn between(mut self, from: u64, to: u64) -> Boards {
        if let Source::File { skip, .. } = &mut self.source {
            *skip += from;
        }
        Boards { first: self.first + from as i64, len: to - from, ..self }
    }

    /// The boards in their order.
    pub fn iter(&self) -> Result<Box<dyn Iterator<Item = Result<Board>>>> {
        Ok(match &self.source {
            Source::Laid { .. } => {
                let seeds = self.first..self.first + self.len as i64;
                Box::new(seeds.map(|seed| Ok(Board::Seed(seed as i32))))
            }
            Source::File { path, skip, .. } => {
                let name = path.display().to_string();
                let board = |(_, line): &(u64, String)| !line.trim().is_empty();
                let boards = lines(path)?
                    .filter(move |line| line.as_ref().map_or(true, board))
                    .skip(*skip as usize)
                    .take(self.len as usize);
                Box::new(boards.map(move |line| {
                    let (index, line) = line.with_context(|| format!("cannot read {name}"))?;
                    Ok(Board::Line(index as i64, line))
                }))
            }
        })
    }

    /// A board with its index.
    ///
    /// # Errors
    /// A line that has become no board since the file was checked.
    pub fn layout(&self, board: &Board) -> Result<(i64, Layout)> {
        match (board, &self.source) {
            (Board::Line(index, line), _) => {
                let layout = line.parse().with_context(|| format!("line {}", index + 1))?;
                Ok((*index, layout))
            }
            (Board::Seed(seed), Source::Laid { level, start }) => {
                let layout = generate(level.shape, level.mines, *start, *seed)?;
                Ok(((*seed).into(), layout))
            }
            (Board::Seed(seed), Source::File { path, .. }) => {
                bail!("seed {seed} is no line of {}", path.display())
            }
        }
    }
}

/// The lines of a file, plain or gzipped, with their numbers from 0.
fn lines(path: &Path) -> Result<impl Iterator<Item = std::io::Result<(u64, String)>> + use<>> {
    let cannot = || format!("cannot read {}", path.display());
    let file = std::fs::File::open(path).with_context(cannot)?;
    let mut file = BufReader::new(file);
    let start = file.fill_buf().with_context(cannot)?;
    let reader: Box<dyn BufRead> = if start.starts_with(b"\x1f\x8b") {
        Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    };
    Ok(reader.lines().zip(0..).map(|(line, index)| {
        let line = line?;
        // Some editors put a byte order mark before a text.
        Ok((index, if index == 0 { line.trim_start_matches('\u{feff}').to_owned() } else { line }))
    }))
}

/// A rule is a promise about the first cell; a board that breaks it is not of that rule.
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
