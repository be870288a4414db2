//! The boards of games in process: the lines of a file, or boards generated from seeds.
//!
//! A board of a seed is generated when it is played; of a file, the lines to play are checked
//! first, so that an error in the last line is found before the first game, and kept as text.
//!
//! Invariant: the boards of a [`Boards`] have consecutive numbers, which say what a part of a run
//! covers: the seed, or the rank among the boards of the file. The index in a CSV file is the seed,
//! or the line of the file, counted from 0.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use game::board_file::Layout;
use game::board_gen::generate;
use game::formats::{Contents, FormatError, MatchGame, decode, is_board_list};
use game::level::Level;
use game::record::Record;
use game::rule::{Rule, Start};
use game::setup::Setup;
use sapper::Cell;
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use super::contents::{of_bytes, read_unzipped};
use super::seeds::Seeds;

/// One of several equal parts of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunPart {
    /// Counted from 1.
    number: u32,
    count: u32,
}

impl RunPart {
    /// Whether an item of a list belongs to this part, if every part takes each `count`-th one.
    pub fn has(self, index: u32) -> bool {
        index % self.count == self.number - 1
    }
}

/// The part as a name, such as `1-of-8`.
impl fmt::Display for RunPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.number, self.count)
    }
}

impl FromStr for RunPart {
    type Err = String;

    fn from_str(text: &str) -> Result<RunPart, String> {
        text.split_once('/')
            .and_then(|(number, count)| {
                Some(RunPart { number: number.parse().ok()?, count: count.parse().ok()? })
            })
            .filter(|part| (1..=part.count).contains(&part.number))
            .ok_or_else(|| "give K/N, the K-th of N parts, such as 1/100".to_owned())
    }
}

/// Consecutive numbers of boards: the first and the last. In an empty range the last is one less
/// than the first.
pub type BoardRange = (i64, i64);

/// Where the boards of a run come from, as its results state it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged, remote = "Self")]
pub enum BoardSource {
    /// A file, with the checksum of its text.
    File {
        file: String,
        #[serde(default)]
        crc32: String,
    },
    /// The seeds of a level, with the row and the column of the first cell that the rule opens.
    Seeds {
        level: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<(u32, u32)>,
    },
}
read_from_object!(both BoardSource);

impl BoardSource {
    /// What the number of a board counts.
    pub fn unit(&self) -> &'static str {
        match self {
            BoardSource::File { .. } => "boards",
            BoardSource::Seeds { .. } => "seeds",
        }
    }
}

/// The boards as text, such as `30x16/99, first click 0,0`.
impl fmt::Display for BoardSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardSource::File { file, .. } => f.write_str(file),
            BoardSource::Seeds { level, first: None } => f.write_str(level),
            BoardSource::Seeds { level, first: Some((row, column)) } => {
                write!(f, "{level}, first click {row},{column}")
            }
        }
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
        name: String,
        /// The checksum of the file.
        crc32: u32,
        /// The boards as text, each with its line in the file or its rank, counted from 0.
        lines: Vec<(i64, String)>,
        /// Their size and mines; `None` if they differ.
        level: Option<Level>,
        /// The most mines of a board.
        most_mines: u32,
    },
    Seeds {
        level: Level,
        start: Start,
    },
}

impl Boards {
    /// The boards of these seeds.
    pub fn of_seeds(level: Level, start: Start, seeds: Seeds) -> Boards {
        let (first, len) = (seeds.first.into(), seeds.len() as u64);
        Boards { source: Source::Seeds { level, start }, first, len }
    }

    /// The boards of a file, from line `from` on; where a line is no board, from board `from` on.
    /// `games` is the number of lines; by default all that follow. Every one of these is checked.
    /// Also returns whether all their first cells are safe, as those of a file for classic rules.
    ///
    /// # Errors
    /// Fails if a board breaks the rule, if there is none, or if the file cannot be read.
    pub fn from_file(
        path: &Path,
        rule: Rule,
        from: u64,
        games: Option<u64>,
    ) -> Result<(Boards, bool)> {
        let mut may_be_classic = true;
        let name = path.display();
        let limit = games.unwrap_or(u64::MAX);
        let FileBoards { text, unit, crc32 } = FileBoards::read(path)?;
        let (mut lines, mut first) = (Vec::new(), 0);
        let (mut levels, mut most_mines) = (BTreeSet::new(), 0);
        for (line, index) in text.lines().zip(0..) {
            let is_board = !line.trim().is_empty();
            if index < from {
                first += i64::from(is_board);
            } else if index - from < limit && is_board {
                let at = || format!("{name}, {unit} {}", index + 1);
                let layout: Layout = line.parse().with_context(at)?;
                check_first_cell(&layout, rule).with_context(at)?;
                let Level { shape, mines } = level_of(&layout);
                most_mines = most_mines.max(mines);
                levels.insert((shape.rows(), shape.columns(), mines));
                may_be_classic &= check_first_cell(&layout, Rule::SafeFirst).is_ok();
                lines.push((index as i64, line.to_owned()));
            }
        }
        if lines.is_empty() {
            match from {
                0 => bail!("{name} has no board"),
                _ => bail!("{name} has no board from line {from} on, counted from 0; see --from"),
            }
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let len = lines.len() as u64;
        let first_level = lines[0].1.parse().map(|layout| level_of(&layout)).ok();
        let level = first_level.filter(|_| levels.len() == 1);
        let source = Source::File { name, crc32, lines, level, most_mines };
        Ok((Boards { source, first, len }, may_be_classic))
    }

    /// The number of boards.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The numbers of the boards.
    pub fn range(&self) -> BoardRange {
        (self.first, self.first + self.len as i64 - 1)
    }

    /// The size and the mines of every board; `None` if the boards of a file differ.
    pub fn level(&self) -> Option<Level> {
        match self.source {
            Source::File { level, .. } => level,
            Source::Seeds { level, .. } => Some(level),
        }
    }

    /// The most mines of a board.
    pub fn most_mines(&self) -> u32 {
        match self.source {
            Source::File { most_mines, .. } => most_mines,
            Source::Seeds { level, .. } => level.mines,
        }
    }

    /// The source of the boards.
    pub fn source(&self) -> BoardSource {
        match &self.source {
            Source::File { name, crc32, .. } => {
                BoardSource::File { file: name.clone(), crc32: format!("{crc32:08x}") }
            }
            Source::Seeds { level, start } => {
                let at = |cell| (level.shape.row(cell), level.shape.column(cell));
                BoardSource::Seeds { level: level.to_string(), first: start.first().map(at) }
            }
        }
    }

    /// The mark of the file in the options of a board: a line is another board in another file.
    pub fn file_mark(&self) -> String {
        match &self.source {
            Source::File { crc32, .. } => format!(", file {crc32:08x}"),
            Source::Seeds { .. } => String::new(),
        }
    }

    /// The boards of a part. If there are more parts than boards, some parts are empty.
    pub fn part(self, part: RunPart) -> Boards {
        let RunPart { number, count } = part;
        // No overflow: there are at most 2^32 seeds, and no file has more lines.
        let len = self.len;
        let end = |number: u32| len * u64::from(number) / u64::from(count);
        self.slice(end(number - 1), end(number))
    }

    /// The boards from a position up to another, counted from 0.
    pub fn slice(mut self, from: u64, to: u64) -> Boards {
        if let Source::File { lines, .. } = &mut self.source {
            *lines = lines.drain(from as usize..to as usize).collect();
        }
        Boards { first: self.first + from as i64, len: to - from, ..self }
    }

    /// The board at a position, counted from 0: its index in a CSV file, and its layout.
    ///
    /// # Errors
    /// Never fails for a position below [`Boards::len`]: the boards have been checked.
    pub fn board(&self, position: usize) -> Result<(i64, Layout)> {
        Ok(match &self.source {
            Source::File { lines, .. } => {
                let (line, text) = &lines[position];
                (*line, text.parse()?)
            }
            Source::Seeds { level: Level { shape, mines }, start } => {
                let seed = self.first + position as i64;
                (seed, generate(*shape, *mines, *start, seed as i32)?)
            }
        })
    }

    /// The game by `rule` on the board at a position, counted from 0. The seed of a board of a file
    /// is its index in a CSV file.
    ///
    /// # Errors
    /// As [`Boards::board`].
    pub fn setup(&self, position: usize, rule: Rule) -> Result<Setup> {
        if let Source::Seeds { level: Level { shape, mines }, start } = self.source {
            let seed = self.first + position as i64;
            return Ok(Setup { start, ..Setup::new(shape, mines, seed as i32) });
        }
        let (index, layout) = self.board(position)?;
        let Level { shape, mines } = level_of(&layout);
        let (field, start) = (Some(layout.field().to_string()), Start::new(rule, layout.first));
        Ok(Setup { field, start, ..Setup::new(shape, mines, index as i32) })
    }
}

/// The size and the mines of a board.
fn level_of(layout: &Layout) -> Level {
    Level { shape: layout.shape, mines: layout.mines.len() as u32 }
}

/// The boards of a file as lines of this project's board files.
struct FileBoards {
    text: String,
    /// What a line is in the file: a line of it, or one of its boards or matches.
    unit: &'static str,
    /// The checksum of a board file's lines, or of another file's bytes.
    crc32: u32,
}

impl FileBoards {
    fn read(path: &Path) -> Result<FileBoards> {
        let bytes = read_unzipped(path)?;
        let mut crc = flate2::Crc::new();
        if let Some(text) = decode(&bytes).filter(|text| is_board_list(text)) {
            for line in text.lines() {
                crc.update(line.as_bytes());
                crc.update(b"\n");
            }
            return Ok(FileBoards { text: text.into_owned(), unit: "line", crc32: crc.sum() });
        }
        crc.update(&bytes);
        let (mut text, name) = (String::new(), path.display());
        let unit = match of_bytes(path, bytes)? {
            Ok(Contents::Layouts(layouts)) => {
                text.extend(layouts.iter().map(|layout| format!("{layout}\n")));
                "board"
            }
            Ok(Contents::Games(pack)) => {
                if let Some(what) = pack.left_out.first() {
                    bail!("{name}: {what}");
                }
                for (number, game) in (1..).zip(&pack.matches) {
                    let layout = layout_of_game(&game.game);
                    let layout = layout.with_context(|| format!("{name}, match {number}"))?;
                    text += &format!("{layout}\n");
                }
                "match"
            }
            Ok(Contents::Recording(recording)) => {
                text = format!("{}\n", recording.layout);
                "board"
            }
            Ok(Contents::Position(_) | Contents::Requests(_)) => bail!(
                "{name}: a position, which does not say where the mines are; expected mine layouts"
            ),
            Err(FormatError::Empty) => bail!("{name} has no board"),
            Err(error) => bail!("{name}: {error}; expected mine layouts"),
        };
        Ok(FileBoards { text, unit, crc32: crc.sum() })
    }
}

fn layout_of_game(game: &MatchGame) -> Result<Layout> {
    let record = match game {
        MatchGame::Log(text) => Record::read(text)?,
        MatchGame::Recording(recording) => return Ok(recording.layout.clone()),
    };
    let is_stated = record.initdata_given.is_some()
        || record.log.first().is_some_and(|first| first["output"]["initdata"].is_object());
    ensure!(is_stated, "the log has no init data, so that its mines are not known");
    Ok(record.setup()?.layout()?)
}

/// Checks that the board keeps the rule's promise about the first cell.
fn check_first_cell(layout: &Layout, rule: Rule) -> Result<()> {
    let Layout { shape, first, ref mines } = *layout;
    let start = Start::new(rule, first);
    let is_broken = mines.iter().any(|&mine| start.protects(Cell::from_index(mine as u32), shape));
    ensure!(
        !is_broken,
        match rule {
            Rule::OpenFirst => "mines touch the first cell; under open-first none may",
            _ => "the first cell is a mine; under safe-first it must not be",
        }
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_stated_by_an_object() {
        let read =
            |text: &str| serde_json::from_str::<BoardSource>(text).map_err(|e| e.to_string());
        let [level, file] = ["5x5/3", "a.txt"].map(str::to_owned);
        for (text, source) in [
            (r#"{"level":"5x5/3"}"#, BoardSource::Seeds { level, first: None }),
            (r#"{"file":"a.txt","crc32":"1"}"#, BoardSource::File { file, crc32: "1".to_owned() }),
        ] {
            assert_eq!(read(text), Ok(source.clone()));
            assert_eq!(read(&serde_json::to_string(&source).unwrap()), Ok(source));
        }
        for text in [r#"["a.txt","1"]"#, r#"["5x5/3",[1,1]]"#] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with("expected an object, found an array"), "{error}");
        }
    }
}
