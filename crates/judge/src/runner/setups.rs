//! The games of a run: one on each of the boards, by one rule.

use std::path::{Path, PathBuf};

use anyhow::Result;
use game::level::Level;
use game::rule::{Rule, Start};
use game::setup::Setup;

use super::boards::{BoardRange, Boards};
use super::seeds::Seeds;

/// The games of a run.
pub struct GameSetups {
    boards: Boards,
    origin: Origin,
    skip_first: bool,
}

/// Where the boards of a run come from, with the rule of its games.
pub enum Origin {
    /// The seeds of a level, with the rule and its first cell.
    Seeds { level: Level, start: Start },
    /// A file, as the user named it.
    File { path: PathBuf, rule: Rule },
}

impl GameSetups {
    /// The games of these seeds. If `skip_first`, a cell is opened before the first turn.
    pub fn of_seeds(level: Level, start: Start, seeds: Seeds, skip_first: bool) -> GameSetups {
        let boards = Boards::of_seeds(level, start, seeds);
        GameSetups { boards, origin: Origin::Seeds { level, start }, skip_first }
    }

    /// The games by `rule` on the boards of a file, which were checked for this rule.
    pub fn of_file(boards: Boards, rule: Rule, skip_first: bool, path: &Path) -> GameSetups {
        GameSetups { boards, origin: Origin::File { path: path.to_owned(), rule }, skip_first }
    }

    /// Where the boards come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.boards.len() as usize
    }

    /// The setup of the game at a position, counted from 0.
    ///
    /// # Errors
    /// Never fails for a position below [`GameSetups::len`]: the boards have been checked.
    pub fn setup(&self, position: usize) -> Result<Setup> {
        let setup = self.boards.setup(position, self.rule())?;
        Ok(Setup { skip_first: self.skip_first, ..setup })
    }

    /// The rule of the games.
    pub fn rule(&self) -> Rule {
        match &self.origin {
            Origin::Seeds { start, .. } => start.rule(),
            Origin::File { rule, .. } => *rule,
        }
    }

    /// Whether a cell is opened before the first turn, as `skipfirst` does.
    pub fn skips_first(&self) -> bool {
        self.skip_first
    }

    /// The size and the mines of every board; `None` if the boards of a file differ.
    pub fn level(&self) -> Option<Level> {
        self.boards.level()
    }

    /// The mark of the file in the options of a board, as [`Boards::file_mark`].
    pub fn file_mark(&self) -> String {
        self.boards.file_mark()
    }

    /// What the number of a board is called.
    pub fn unit(&self) -> &'static str {
        match self.origin {
            Origin::Seeds { .. } => "seed",
            Origin::File { .. } => "board",
        }
    }

    /// What gives the run more boards.
    pub fn option(&self) -> &'static str {
        match self.origin {
            Origin::Seeds { .. } => "--seeds",
            Origin::File { .. } => "boards",
        }
    }

    /// The numbers of the boards: seeds, or ranks among the boards of the file.
    pub fn range(&self) -> BoardRange {
        self.boards.range()
    }

    /// The most mines that cost the whole score of a game if they are opened.
    pub fn most_mines_at_stake(&self) -> u32 {
        if self.rule().is_classic() { 1 } else { self.boards.most_mines() }
    }
}

/// The mines that cost the whole score of a game if they are opened.
pub fn mines_at_stake(setup: &Setup) -> u32 {
    if setup.start.rule().is_classic() { 1 } else { setup.mines }
}
