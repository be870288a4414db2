//! A game of another bot as a line of text: what it clicked, without what follows from the numbers.
//!
//! The words of a line are the microseconds of CPU, the number of turns, the clicks, and `!` with
//! the kind of a fault that ended the game. A click is the index of its cell, `row * width +
//! column`, and, each after a `-`, the other cells that were proven safe before it and hidden. A
//! last word that begins with `-` has those at the end. So most lines have the guesses alone:
//!
//! ```text
//! 10482 151 33 250 7
//! 9321 3 479 12-13-43 -43 !crash
//! ```
//!
//! Invariant: a line is read as the game that it was written from.

use std::fmt;
use std::time::Duration;

use game::told::{ToldClick, ToldGame};
use sapper::Cell;

/// A game of a bot.
#[derive(Clone, PartialEq, Debug)]
pub struct BotGame {
    pub cpu: Duration,
    /// The turns until the first hit that ends a game.
    pub turns: u32,
    pub told: ToldGame,
    /// The kind of the fault that ended the game.
    pub fault: Option<String>,
}

impl BotGame {
    /// The game in a line, on a field with so many cells; `None` if it is none.
    pub fn parse(line: &str, cells: usize) -> Option<BotGame> {
        let (line, fault) = match line.split_once(" !") {
            Some((line, fault)) => (line, Some(fault.to_owned())),
            None => (line, None),
        };
        let mut words = line.split(' ').peekable();
        let cpu = Duration::from_micros(words.next()?.parse().ok()?);
        let turns = words.next()?.parse().ok()?;
        let mut told = ToldGame { clicks: Vec::new(), left: Vec::new() };
        while let Some(word) = words.next() {
            let cell = |word: &str| {
                let index = word.parse().ok().filter(|&index| (index as usize) < cells)?;
                Some(Cell::from_index(index))
            };
            let (click, left) = match word.split_once('-') {
                Some((click, left)) => (click, left.split('-').map(cell).collect::<Option<_>>()?),
                None => (word, Vec::new()),
            };
            match click {
                "" if words.peek().is_none() => told.left = left,
                _ => told.clicks.push(ToldClick { cell: cell(click)?, left }),
            }
        }
        Some(BotGame { cpu, turns, told, fault })
    }
}

impl fmt::Display for BotGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.cpu.as_micros(), self.turns)?;
        let write_left = |f: &mut fmt::Formatter<'_>, left: &[Cell]| {
            left.iter().try_for_each(|cell| write!(f, "-{}", cell.index()))
        };
        for ToldClick { cell, left } in &self.told.clicks {
            write!(f, " {}", cell.index())?;
            write_left(f, left)?;
        }
        if !self.told.left.is_empty() {
            write!(f, " ")?;
            write_left(f, &self.told.left)?;
        }
        match &self.fault {
            Some(fault) => write!(f, " !{fault}"),
            None => Ok(()),
        }
    }
}

/// Any game on a field with so many cells.
#[cfg(test)]
pub fn random_game(random: &mut fastrand::Rng, cells: u32) -> BotGame {
    let cell = |random: &mut fastrand::Rng| Cell::from_index(random.u32(..cells));
    let left = |random: &mut fastrand::Rng| {
        let count = if random.bool() { 0 } else { random.usize(..4) };
        (0..count).map(|_| cell(random)).collect::<Vec<_>>()
    };
    let clicks = (0..random.usize(..20))
        .map(|_| ToldClick { cell: cell(random), left: left(random) })
        .collect();
    let told = ToldGame { clicks, left: left(random) };
    let fault = random.bool().then(|| "crash".to_owned());
    let cpu = Duration::from_micros(random.u64(..1 << 30));
    BotGame { cpu, turns: random.u32(..500), told, fault }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_the_game_that_it_was_written_from() {
        let mut source = fastrand::Rng::with_seed(3);
        for _ in 0..2000 {
            let game = random_game(&mut source, 25);
            assert_eq!(BotGame::parse(&game.to_string(), 25), Some(game));
        }
    }

    #[test]
    fn other_lines_are_refused() {
        let no_games = [
            "", "7", "7 x", "x 7", "7 1 25", "7 1 -25", "7 1 3-", "7 1 3-25", "7 1 -3 4", "7 1  3",
            "7 1 -",
        ];
        for line in no_games {
            assert_eq!(BotGame::parse(line, 25), None, "{line}");
        }
        let game = BotGame::parse("9321 3 4 12-13-3 -3 !crash", 25).unwrap();
        assert_eq!(game.to_string(), "9321 3 4 12-13-3 -3 !crash");
    }
}
