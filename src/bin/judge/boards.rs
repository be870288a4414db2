//! The boards that games in process are played on: the lines of a file, or laid from seeds.
//!
//! Boards of seeds are laid when they are asked for, so that a long run takes no more memory than a short one.

use std::borrow::Cow;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use sapper::game::boards::Layout;
use sapper::game::lay::{Start, lay};
use sapper::game::trial::Rule;
use sapper::geometry::Shape;
use sapper::guess::Objective;

/// By which rules, and what is promised about the first cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RuleName {
    /// The bot opens the first cell, which may be a mine; a hit does not end the game
    Botzone,
    /// The first cell is opened for the bot and is safe (XP); a hit ends the game
    SafeFirst,
    /// The first cell is opened for the bot and has no mine around it (Win7); a hit ends the game
    OpenFirst,
}

impl RuleName {
    /// The rules of play.
    pub fn rule(self) -> Rule {
        match self {
            RuleName::Botzone => Rule::Botzone,
            RuleName::SafeFirst | RuleName::OpenFirst => Rule::Classic,
        }
    }

    /// What is played for under these rules.
    pub fn objective(self) -> Objective {
        match self.rule() {
            Rule::Botzone => Objective::FewestHits,
            Rule::Classic => Objective::CleanWin,
        }
    }
}

/// A size and a number of mines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    pub shape: Shape,
    pub mines: u32,
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let size = match text {
            "beginner" => "9x9/10",
            "intermediate" => "16x16/40",
            "expert" => "30x16/99",
            "botzone" => "30x20/80",
            size => size,
        };
        let numbers = || {
            let (sides, mines) = size.split_once('/')?;
            let (columns, rows) = sides.split_once('x')?;
            Some((columns.parse().ok()?, rows.parse().ok()?, mines.parse().ok()?))
        };
        let (columns, rows, mines) = numbers().ok_or_else(|| {
            "give beginner, intermediate, expert, botzone or WIDTHxHEIGHT/MINES, such as 30x16/99"
                .to_owned()
        })?;
        let shape = Shape::new(rows, columns).map_err(|error| error.to_string())?;
        Ok(Level { shape, mines })
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

/// Boards to play, each with its index: the line counted from 0, or the seed.
pub enum Boards {
    File(Vec<(i64, Layout)>),
    Laid { level: Level, start: Start, first_seed: i32, count: usize },
}

impl Boards {
    /// The boards of a file from line `from` on, plain or gzipped.
    pub fn read(path: &Path, rule: RuleName, from: usize, games: Option<usize>) -> Result<Boards> {
        let layouts = read(path, from, games)?;
        check_first_cells(&layouts, rule).with_context(|| path.display().to_string())?;
        Ok(Boards::File(layouts))
    }

    /// The boards of the seeds from `first_seed` to `last_seed`; without `first` the first cell is the corner.
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
        lay(shape, mines, start, first_seed)
            .context("too many mines for this level, rule and first cell")?;
        let count = (i64::from(last_seed) - i64::from(first_seed) + 1) as usize;
        Ok(Boards::Laid { level, start, first_seed, count })
    }

    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Boards::File(layouts) => layouts.len(),
            Boards::Laid { count, .. } => *count,
        }
    }

    /// A board by its place among them, with its index.
    pub fn get(&self, place: usize) -> (i64, Cow<'_, Layout>) {
        match self {
            Boards::File(layouts) => (layouts[place].0, Cow::Borrowed(&layouts[place].1)),
            Boards::Laid { level, start, first_seed, .. } => {
                let seed = i64::from(*first_seed) + place as i64;
                let layout = lay(level.shape, level.mines, *start, seed as i32)
                    .expect("the mines fit, as one seed has shown");
                (seed, Cow::Owned(layout))
            }
        }
    }
}

/// The boards from line `from` on, with their line numbers counted from 0.
fn read(path: &Path, from: usize, games: Option<usize>) -> Result<Vec<(i64, Layout)>> {
    let name = path.display();
    let file = std::fs::File::open(path).with_context(|| format!("cannot read {name}"))?;
    let mut file = BufReader::new(file);
    let start = file.fill_buf().with_context(|| format!("cannot read {name}"))?;
    let reader: Box<dyn BufRead> = if start.starts_with(b"\x1f\x8b") {
        Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    };
    let mut layouts = Vec::new();
    for (index, line) in reader.lines().enumerate().skip(from).take(games.unwrap_or(usize::MAX)) {
        let line = line.with_context(|| format!("cannot read {name}"))?;
        // Some editors put a byte order mark before a text.
        let line = if index == 0 { line.trim_start_matches('\u{feff}') } else { &line };
        if line.trim().is_empty() {
            continue;
        }
        let layout = line.parse().with_context(|| format!("{name}, line {}", index + 1))?;
        layouts.push((index as i64, layout));
    }
    if layouts.is_empty() {
        bail!("{name} has no board from index {from} on (or --games is 0)");
    }
    Ok(layouts)
}

/// A rule is a promise about the first cell; a file that breaks it is not of that rule.
fn check_first_cells(layouts: &[(i64, Layout)], rule: RuleName) -> Result<()> {
    for (index, layout) in layouts {
        let (line, value) = (index + 1, layout.field().value(layout.first));
        match rule {
            RuleName::SafeFirst if value == 9 => {
                bail!("line {line}: the first cell is a mine; under safe-first it must not be")
            }
            RuleName::OpenFirst if value != 0 => {
                bail!("line {line}: mines touch the first cell; under open-first none may")
            }
            _ => {}
        }
    }
    Ok(())
}
