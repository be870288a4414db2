//! The file of stored figures: a line of JSON for each part, with a checksum.
//!
//! The file grows while the measurements run, and is committed. Invariant: no two lines have the
//! same key ([`Figure::key`]), and a line is as it was written.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail, ensure};
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use super::figure::{Figure, FigureKey, PartSums};
use super::measurement::{Measurement, Size};
use crate::report::{Comparable, Entries, JsonLines, Line, entries, read_json_lines};
use crate::runner::boards::BoardRange;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Self")]
struct Header {
    /// The version of the lines.
    results: u32,
}
read_from_object!(both Header);

const HEADER: Header = Header { results: 1 };

impl Comparable for Header {
    const WRITER: &'static str = "`judge results run`";

    fn entries(&self) -> Entries {
        entries("file", [("format", self.results.to_string())])
    }
}

/// Figures.
#[derive(Default)]
pub struct Figures {
    all: BTreeMap<FigureKey, Figure>,
}

/// Why the figures of a measurement do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outdated {
    /// They are of another play than today's.
    Play,
    /// They are of what the list said before.
    Line,
}

/// What the parts of a measurement add up to.
pub struct Added<'f, S> {
    pub sums: S,
    /// The last figure that was added, which tells how it was made.
    pub last: Option<&'f Figure>,
}

impl Figures {
    /// Reads files of figures; one that does not exist has none.
    ///
    /// # Errors
    /// Fails if a file cannot be read or was altered, or if two files have other sums for the same
    /// part.
    pub fn read(paths: &[&Path]) -> Result<Figures> {
        let mut figures = Figures::default();
        for path in paths {
            figures.add_file(path)?;
        }
        Ok(figures)
    }

    fn add_file(&mut self, path: &Path) -> Result<()> {
        if !path.exists() {
            return Ok(());
        }
        let (header, lines): (Header, Vec<Line<Figure>>) = read_json_lines(path, Header::WRITER)?;
        ensure!(
            header.results == HEADER.results,
            "{} is of another version of the judge",
            path.display()
        );
        self.add_lines(lines, &path.display().to_string())
    }

    fn add_lines(&mut self, lines: Vec<Line<Figure>>, name: &str) -> Result<()> {
        for Line { place, value } in lines {
            match value {
                Ok(figure) => self
                    .add(&figure)
                    .map_err(|error| anyhow::anyhow!(place.fault(name, &error.to_string())))?,
                Err(why) => bail!(
                    "{}; remove the line, and its boards are played again",
                    place.fault(name, &why)
                ),
            };
        }
        Ok(())
    }

    /// Adds a figure, and returns whether it was not there.
    ///
    /// # Errors
    /// Fails if there is one of this part with other sums.
    pub fn add(&mut self, figure: &Figure) -> Result<bool> {
        let key = figure.key();
        if let Some(known) = self.all.get(&key) {
            let (name, (first, last)) = (&figure.name, figure.part);
            ensure!(
                known.sums.untimed() == figure.sums.untimed(),
                "{name}, seeds {first} to {last}: other sums than another line of the same play has"
            );
            return Ok(false);
        }
        self.all.insert(key, figure.clone());
        Ok(true)
    }

    /// All figures.
    pub fn iter(&self) -> impl Iterator<Item = &Figure> {
        self.all.values()
    }

    /// The figures of a part of a measurement, by whatever play.
    pub fn of_part(
        &self,
        measurement: &Measurement,
        part: BoardRange,
    ) -> impl Iterator<Item = &Figure> {
        let (name, what) = (measurement.name.clone(), measurement.to_string());
        let found = self.all.range((name.clone(), what.clone(), part, Vec::new())..);
        let is_of_part = move |figure: &&Figure| {
            figure.name == name && figure.what == what && figure.part == part
        };
        found.map(|(_, figure)| figure).take_while(is_of_part)
    }

    /// What the parts of a measurement add up to, of those by a play that is asked for.
    pub fn sum<S: PartSums>(
        &self,
        measurement: &Measurement,
        size: Size,
        is_asked: impl Fn(&[String]) -> bool,
    ) -> Added<'_, S> {
        let mut added = Added { sums: S::default(), last: None };
        for part in measurement.parts(size) {
            let mut figures = self.of_part(measurement, part);
            if let Some(figure) = figures.find(|figure| is_asked(&figure.play))
                && let Some(sums) = S::of(&figure.sums)
            {
                added.sums.merge(sums);
                added.last = Some(figure);
            }
        }
        added
    }

    /// Why figures of a measurement do not count, of which so many boards or positions do: `None`
    /// where some do, or there are no figures.
    pub fn outdated(&self, measurement: &Measurement, counted: u64) -> Option<Outdated> {
        if counted > 0 {
            return None;
        }
        let mut of_name = self.iter().filter(|figure| figure.name == measurement.name).peekable();
        of_name.peek()?;
        let what = measurement.to_string();
        let is_of_line = of_name.any(|figure| figure.what == what);
        Some(if is_of_line { Outdated::Play } else { Outdated::Line })
    }
}

/// A file of figures that is written.
pub struct Store {
    lines: JsonLines,
    pub figures: Figures,
}

impl Store {
    /// Opens a file of figures, or creates it; `beside` are others whose figures are known too.
    ///
    /// # Errors
    /// As [`Figures::read`], and fails if the file cannot be written or is written by another run.
    pub fn open(path: &Path, beside: &[&Path]) -> Result<Store> {
        let (lines, known) = JsonLines::open(path, false, &HEADER)?;
        let mut figures = Figures::read(beside)?;
        figures.add_lines(known, &path.display().to_string())?;
        Ok(Store { lines, figures })
    }

    /// Appends a figure, unless it is there.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or as [`Figures::add`].
    pub fn add(&mut self, figure: &Figure) -> Result<bool> {
        let is_new = self.figures.add(figure)?;
        if is_new {
            self.lines.add(figure)?;
        }
        Ok(is_new)
    }
}
