//! A measurement, and the parts in which it is made.
//!
//! Invariant: no size has less than a smaller one, and begins with what the smaller one has.

use std::fmt;

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::ceiling::Ceiling;
use super::games::Games;
use super::odds::Odds;
use crate::runner::boards::BoardRange;

/// How much of the list is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Size {
    /// A minute for all measurements
    Try,
    /// At most 5 hours of CPU for all measurements
    Day,
    /// As many boards as the list names, however long that takes
    Record,
}

impl Size {
    /// All sizes, the smallest first.
    pub const ALL: [Size; 3] = [Size::Try, Size::Day, Size::Record];
}

/// A measurement.
#[derive(Clone)]
pub struct Measurement {
    pub name: String,
    pub kind: Kind,
    /// The boards or positions of each size.
    pub sizes: [u32; 3],
}

/// What is measured.
#[derive(Clone)]
pub enum Kind {
    Games(Games),
    Odds(Odds),
    Ceiling(Ceiling),
}

impl Kind {
    /// The parts of what each size adds.
    fn parts(&self) -> [u32; 3] {
        match self {
            // So many that a part takes about a minute.
            Kind::Games(_) | Kind::Ceiling(_) => [1, 20, 100],
            // A program that starts anew is slower at first.
            Kind::Odds(_) => [1; 3],
        }
    }

    /// The first seed, or the number of the first position.
    fn first(&self) -> i64 {
        match self {
            Kind::Games(games) | Kind::Ceiling(Ceiling { games, .. }) => games.first.into(),
            Kind::Odds(_) => 1,
        }
    }
}

impl Measurement {
    /// The games, if games are measured.
    pub fn games(&self) -> Option<&Games> {
        match &self.kind {
            Kind::Games(games) => Some(games),
            Kind::Odds(_) | Kind::Ceiling(_) => None,
        }
    }

    /// The name of the bot that plays, or of the program that computes the odds.
    pub fn bot(&self) -> Option<&str> {
        match &self.kind {
            Kind::Games(games) => games.player.bot(),
            Kind::Odds(odds) => odds.program.as_deref(),
            Kind::Ceiling(_) => None,
        }
    }

    /// The number of boards or positions of a size.
    pub fn count(&self, size: Size) -> u32 {
        self.sizes[size as usize]
    }

    /// The parts of a size, and before them those of the smaller ones: the first and the last seed
    /// or position of each.
    pub fn parts(&self, size: Size) -> Vec<BoardRange> {
        let (mut parts, mut from) = (Vec::new(), 0);
        for size in Size::ALL.into_iter().take(size as usize + 1) {
            let (to, count) = (self.count(size), self.kind.parts()[size as usize]);
            // Without overflow, and without a part that has no board.
            let end = |part: u32| {
                from + (u64::from(to - from) * u64::from(part) / u64::from(count)) as u32
            };
            let ends = (0..count).map(|part| (end(part), end(part + 1)));
            let ends = ends.filter(|(start, end)| start < end);
            let number = |board: u32| self.kind.first() + i64::from(board);
            parts.extend(ends.map(|(start, end)| (number(start), number(end) - 1)));
            from = to;
        }
        parts
    }

    /// The same measurement on the seeds that follow `by` seeds later. Positions have no seeds.
    ///
    /// # Errors
    /// Fails if a seed has more than 32 bits.
    pub fn shifted(mut self, by: u32) -> Result<Measurement> {
        let games = match &mut self.kind {
            Kind::Games(games) | Kind::Ceiling(Ceiling { games, .. }) => games,
            Kind::Odds(_) => return Ok(self),
        };
        let largest = self.sizes[2].max(1) - 1;
        let first = games.first.checked_add_unsigned(by);
        let first = first.filter(|first| first.checked_add_unsigned(largest).is_some());
        let name = &self.name;
        games.first = first.with_context(|| format!("{name}: its seeds have more than 32 bits"))?;
        Ok(self)
    }
}

/// What is measured: two measurements with the same text have the same results.
impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Games(games) => games.fmt(f),
            Kind::Odds(odds) => odds.fmt(f),
            Kind::Ceiling(ceiling) => ceiling.fmt(f),
        }
    }
}
