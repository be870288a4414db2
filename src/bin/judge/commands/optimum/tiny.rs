//! A tiny field and all its layouts, and what opening cells shows.
//!
//! A layout is a set of cells as bits, and a board is a [`Picture`]: four bits a cell. Nothing here
//! is the engine's.

use std::collections::BTreeMap;

use anyhow::{Result, bail, ensure};
use sapper::base::text::too_many_mines;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};

use crate::cli::level::{Level, RuleName};
use crate::cli::parse::option_name;

/// The most cells of a field, by what a picture holds.
pub const MOST_CELLS: usize = 32;
/// The most layouts: what is kept for each is little, what is done for each is not.
pub const MOST_LAYOUTS: u64 = 2_000_000;

/// What a mine shows.
pub const MINE: u8 = 9;
/// What a hidden cell shows.
pub const HIDDEN: u8 = 15;

/// The cells that are mines, as bits.
pub type Layout = u32;

/// What each cell shows: 0-8, [`MINE`] or [`HIDDEN`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Picture(u128);

impl Picture {
    /// Nothing is open.
    pub const UNTOUCHED: Picture = Picture(u128::MAX);

    /// What the cell shows.
    pub fn shows(self, cell: usize) -> u8 {
        (self.0 >> (4 * cell)) as u8 & 15
    }

    /// With the cell showing `value`.
    pub fn with(self, cell: usize, value: u8) -> Picture {
        Picture(self.0 & !(15 << (4 * cell)) | u128::from(value) << (4 * cell))
    }
}

/// The field.
pub struct Tiny {
    level: Level,
    /// The cells around each cell, as bits.
    around: Vec<u32>,
}

impl Tiny {
    /// A field of this size.
    ///
    /// # Errors
    /// More than [`MOST_CELLS`], [`MOST_LAYOUTS`], or mines than cells.
    pub fn new(level: Level) -> Result<Tiny> {
        let Level { shape, mines } = level;
        let cells = shape.len() as u64;
        if cells > MOST_CELLS as u64 {
            bail!("{level}: of fields with more than {MOST_CELLS} cells no optimum is computed");
        }
        if u64::from(mines) > cells {
            bail!("{level}: {}", too_many_mines(mines.into(), cells));
        }
        // Each factor keeps the product whole: it is a binomial coefficient itself.
        let layouts = (0..u64::from(mines)).fold(1, |all, mine| all * (cells - mine) / (mine + 1));
        if layouts > MOST_LAYOUTS {
            bail!(
                "{level} has {layouts} layouts; the optimum of {MOST_LAYOUTS} at most is computed"
            );
        }
        let bits = |cell: Cell| {
            shape.neighbours(cell).iter().fold(0, |bits, near| bits | 1 << near.index())
        };
        Ok(Tiny { level, around: shape.cells().map(bits).collect() })
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.around.len()
    }

    /// How many cells show `value`.
    pub fn count(&self, picture: Picture, value: u8) -> usize {
        (0..self.cells()).filter(|&cell| picture.shows(cell) == value).count()
    }

    /// What the cell shows under a layout, if it is opened.
    pub fn value(&self, cell: usize, layout: Layout) -> u8 {
        if layout >> cell & 1 == 1 { MINE } else { (self.around[cell] & layout).count_ones() as u8 }
    }

    /// Whether every cell is a mine.
    pub fn is_full(&self) -> bool {
        self.level.mines as usize == self.cells()
    }

    /// The cells that may be mines by what `rule` promises of the first cell, the corner.
    fn may_be_mines(&self, rule: RuleName) -> Vec<usize> {
        let free = match rule {
            RuleName::Botzone => 0,
            RuleName::SafeFirst => 1,
            RuleName::OpenFirst => 1 | self.around[0],
        };
        (0..self.cells()).filter(|cell| free >> cell & 1 == 0).collect()
    }

    /// Looks whether there is a layout.
    ///
    /// # Errors
    /// More mines than cells that may be mines.
    pub fn check(&self, rule: RuleName) -> Result<()> {
        let (level, cells) = (self.level, self.may_be_mines(rule).len());
        let too_many = too_many_mines(level.mines.into(), cells as u64);
        ensure!(
            level.mines as usize <= cells,
            "{level}: too many mines for a corner that {} keeps free: {too_many}; give fewer mines or another --rule",
            option_name(&rule)
        );
        Ok(())
    }

    /// The layouts that keep what `rule` promises.
    pub fn layouts(&self, rule: RuleName) -> Vec<Layout> {
        let mut found = Vec::new();
        choose(&self.may_be_mines(rule), self.level.mines as usize, 0, &mut found);
        found
    }

    /// Opens `cells` under every layout, as the game does: a zero opens what is around it. The
    /// layouts by what is seen then.
    pub fn open(
        &self,
        picture: Picture,
        cells: &[usize],
        layouts: &[Layout],
    ) -> BTreeMap<Picture, Vec<Layout>> {
        let mut seen: BTreeMap<Picture, Vec<Layout>> = BTreeMap::new();
        for &layout in layouts {
            let (mut picture, mut waiting) = (picture, cells.to_vec());
            while let Some(cell) = waiting.pop() {
                if picture.shows(cell) != HIDDEN {
                    continue;
                }
                let value = self.value(cell, layout);
                picture = picture.with(cell, value);
                if value == 0 {
                    waiting.extend(
                        (0..self.cells()).filter(|near| self.around[cell] >> near & 1 == 1),
                    );
                }
            }
            seen.entry(picture).or_default().push(layout);
        }
        seen
    }

    /// The picture as the engine's board.
    pub fn board(&self, picture: Picture) -> Board {
        let mut board = Board::new(self.level.shape, self.level.mines);
        for cell in self.level.shape.cells() {
            let value = picture.shows(cell.index());
            if value != HIDDEN {
                board.open(cell, CellState::from_value(Some(value.into())));
            }
        }
        board
    }
}

/// Adds `laid` with every choice of so many more of `cells`.
fn choose(cells: &[usize], more: usize, laid: Layout, found: &mut Vec<Layout>) {
    if more == 0 {
        found.push(laid);
    } else if let [first, others @ ..] = cells
        && cells.len() >= more
    {
        choose(others, more - 1, laid | 1 << first, found);
        choose(others, more, laid, found);
    }
}
