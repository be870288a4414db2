//! A tiny field with all its layouts, and the values that opening its cells shows.
//!
//! A layout is a bit set of cells, and a board is a [`PackedBoard`] of four bits per cell. The
//! rules of the game are implemented a second time here, independently of the engine.

use std::collections::BTreeMap;

use anyhow::{Result, bail, ensure};
use game::field::too_many_mines;
use game::level::Level;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};

use game::rule::Rule;

/// The maximum number of cells: a [`PackedBoard`] has 4 bits for each.
const MAX_CELLS: usize = 32;
/// The maximum number of layouts, which limits the time.
const MAX_LAYOUTS: u64 = 2_000_000;

/// The value of an opened mine.
pub const MINE: u8 = 9;
/// The value of a hidden cell.
const HIDDEN: u8 = 15;

/// The mines of a layout, one bit per cell.
pub type LayoutBits = u32;

/// The value of each cell, as 4 bits: 0-8, [`MINE`] or [`HIDDEN`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackedBoard(u128);

impl PackedBoard {
    /// Every cell is hidden.
    pub const UNTOUCHED: PackedBoard = PackedBoard(u128::MAX);

    /// The value of the cell.
    fn value(self, cell: usize) -> u8 {
        (self.0 >> (4 * cell)) as u8 & 15
    }

    /// The board with this value of the cell.
    pub fn with(self, cell: usize, value: u8) -> PackedBoard {
        PackedBoard(self.0 & !(15 << (4 * cell)) | u128::from(value) << (4 * cell))
    }
}

/// A board with the layouts that are possible under it.
#[derive(Clone)]
pub struct TinyPosition {
    pub board: PackedBoard,
    pub layouts: Vec<LayoutBits>,
}

/// A field of at most 32 cells.
pub struct TinyField {
    level: Level,
    /// The neighbours of each cell, as a bit set.
    neighbours: Vec<u32>,
}

impl TinyField {
    /// A field of this size and number of mines.
    ///
    /// # Errors
    /// Too many cells, layouts or mines.
    pub fn new(level: Level) -> Result<TinyField> {
        let Level { shape, mines } = level;
        let cells = shape.len() as u64;
        if cells > MAX_CELLS as u64 {
            bail!(
                "{level} has {cells} cells; the optimum is computed for at most {MAX_CELLS} cells"
            );
        }
        if u64::from(mines) > cells {
            bail!("{level}: {}", too_many_mines(mines.into(), cells));
        }
        // Every partial product is a binomial coefficient, so the divisions are exact.
        let layouts = (0..u64::from(mines)).fold(1, |all, mine| all * (cells - mine) / (mine + 1));
        if layouts > MAX_LAYOUTS {
            bail!(
                "{level} has {layouts} layouts; the optimum is computed for at most {MAX_LAYOUTS}"
            );
        }
        let bits = |cell: Cell| {
            shape.neighbours(cell).iter().fold(0, |bits, near| bits | 1 << near.index())
        };
        Ok(TinyField { level, neighbours: shape.cells().map(bits).collect() })
    }

    /// The size and the number of mines.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// The number of cells with this value.
    pub fn count(&self, board: PackedBoard, value: u8) -> usize {
        (0..self.cells()).filter(|&cell| board.value(cell) == value).count()
    }

    /// The value of the cell under a layout, once it is open.
    pub fn value(&self, cell: usize, layout: LayoutBits) -> u8 {
        if layout >> cell & 1 == 1 {
            MINE
        } else {
            (self.neighbours[cell] & layout).count_ones() as u8
        }
    }

    /// Whether every cell is a mine.
    pub fn is_full(&self) -> bool {
        self.level.mines as usize == self.cells()
    }

    /// The cells that may be mines under `rule`, if the first cell is the corner.
    fn possible_mines(&self, rule: Rule) -> Vec<usize> {
        let safe = match rule {
            Rule::Botzone => 0,
            Rule::SafeFirst => 1,
            Rule::OpenFirst => 1 | self.neighbours[0],
        };
        (0..self.cells()).filter(|cell| safe >> cell & 1 == 0).collect()
    }

    /// Checks that `rule` leaves a layout.
    ///
    /// # Errors
    /// There are more mines than cells that may be mines.
    pub fn check(&self, rule: Rule) -> Result<()> {
        let (level, cells) = (self.level, self.possible_mines(rule).len());
        let too_many = too_many_mines(level.mines.into(), cells as u64);
        ensure!(
            level.mines as usize <= cells,
            "{level}: too many mines for a corner that {rule} keeps free: {too_many}; \
             give fewer mines or another --rule"
        );
        Ok(())
    }

    /// The position before the first turn: all layouts that `rule` allows, and no open cell.
    pub fn untouched(&self, rule: Rule) -> TinyPosition {
        let mut layouts = Vec::new();
        let (cells, mines) = (self.possible_mines(rule), self.level.mines as usize);
        add_layouts(&cells, mines, 0, &mut layouts);
        TinyPosition { board: PackedBoard::UNTOUCHED, layouts }
    }

    /// Opens `cells` under every layout of `position`, as the game does: a zero opens its
    /// neighbours. Returns the positions that result, ordered by their boards.
    pub fn open(&self, position: &TinyPosition, cells: &[usize]) -> Vec<TinyPosition> {
        let mut layouts_by_board: BTreeMap<PackedBoard, Vec<LayoutBits>> = BTreeMap::new();
        for &layout in &position.layouts {
            let (mut board, mut queue) = (position.board, cells.to_vec());
            while let Some(cell) = queue.pop() {
                if board.value(cell) != HIDDEN {
                    continue;
                }
                let value = self.value(cell, layout);
                board = board.with(cell, value);
                if value == 0 {
                    let neighbours = self.neighbours[cell];
                    queue.extend((0..self.cells()).filter(|near| neighbours >> near & 1 == 1));
                }
            }
            layouts_by_board.entry(board).or_default().push(layout);
        }
        let positions = layouts_by_board.into_iter();
        positions.map(|(board, layouts)| TinyPosition { board, layouts }).collect()
    }

    /// The board as the engine takes it.
    pub fn board(&self, packed: PackedBoard) -> Board {
        let mut board = Board::new(self.level.shape, self.level.mines);
        for cell in self.level.shape.cells() {
            let value = packed.value(cell.index());
            if value != HIDDEN {
                board.open(cell, CellState::from_value(Some(value.into())));
            }
        }
        board
    }
}

/// Adds every layout with the mines of `chosen` and `mines` more among `cells`.
fn add_layouts(cells: &[usize], mines: usize, chosen: LayoutBits, layouts: &mut Vec<LayoutBits>) {
    if mines == 0 {
        layouts.push(chosen);
    } else if let [first, others @ ..] = cells
        && cells.len() >= mines
    {
        add_layouts(others, mines - 1, chosen | 1 << first, layouts);
        add_layouts(others, mines, chosen, layouts);
    }
}
