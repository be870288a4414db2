//! The rules of one game, on cells and without JSON.
//!
//! Opening a number opens one cell. Opening a zero also opens its neighbours, depth first in
//! row-major order, and again around every zero among them. Opening a mine opens that mine only,
//! and the game goes on. The game ends as soon as the hidden cells are as many as the mines that
//! were never opened; in a consistent field every safe cell is then open.
//!
//! Invariant: `hidden` is the number of cells that are not open; `mines_left` is the announced mine
//! count minus the mines opened, whatever the field holds. A field given by the user may hold more
//! or fewer mines than announced. `hidden` may then skip `mines_left`, and the game never ends by
//! itself; the official judge behaves in the same way.
//!
//! The official judge floods by recursion. Here a stack on the heap replaces it, so that a field of
//! any size can be flooded. All neighbours are pushed in reverse, and a cell is checked only when
//! it is popped, which gives the order of the recursion.

use std::fmt;

use super::field::Field;
use sapper::board::geometry::{Cell, CellMap};
use sapper::board::{Board, CellState};

/// Opens these cells with their values on a board on which they are hidden.
pub fn show(board: &mut Board, changed: &[(Cell, u8)]) {
    for &(cell, value) in changed {
        board.open(cell, CellState::from_value(Some(value.into())));
    }
}

/// One game in progress.
#[derive(Clone, Debug)]
pub struct Referee {
    field: Field,
    mines: u32,
    open: CellMap<bool>,
    hidden: i64,
    mines_left: i64,
    ended: bool,
    changed: Vec<(Cell, u8)>,
    stack: Vec<Cell>,
}

/// The effect of one legal answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opened<'a> {
    /// The cells it opened, with their values (9 for a mine), in the judge's order; never empty.
    pub changed: &'a [(Cell, u8)],
    /// Whether it opened a mine.
    pub hit: bool,
    /// Whether the game is over.
    pub ended: bool,
}

/// The reason why an answer ends the game with a score of 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidMove {
    /// There is no answer: null, or a value that is neither an object nor a string with an object.
    NoAnswer,
    /// The row or the column is absent or not an integer.
    NoInteger,
    /// The cell is outside the field.
    Outside {
        /// The row answered.
        row: i32,
        /// The column answered.
        column: i32,
    },
    /// The cell is open already.
    Open {
        /// The row answered.
        row: u32,
        /// The column answered.
        column: u32,
    },
    /// The game is over.
    Over,
}

impl fmt::Display for InvalidMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidMove::NoAnswer => write!(f, "there is no answer"),
            InvalidMove::NoInteger => write!(f, "row or col is not an integer"),
            InvalidMove::Outside { row, column } => {
                write!(f, "({row},{column}) is outside the field")
            }
            InvalidMove::Open { row, column } => {
                write!(f, "({row},{column}) is open already")
            }
            InvalidMove::Over => write!(f, "the game is over"),
        }
    }
}

impl std::error::Error for InvalidMove {}

impl Referee {
    /// A game on `field` with no open cell; `mines` is the announced mine count.
    pub fn new(field: Field, mines: u32) -> Referee {
        let cells = field.shape().len();
        Referee {
            field,
            mines,
            open: CellMap::new(cells, false),
            hidden: cells as i64,
            mines_left: mines.into(),
            ended: false,
            changed: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// One turn: opens `cell`, which must be a cell of the field's shape.
    ///
    /// # Errors
    /// [`InvalidMove`] when the cell is open already or the game is over. The error ends the game.
    pub fn open(&mut self, cell: Cell) -> Result<Opened<'_>, InvalidMove> {
        if self.ended {
            return Err(InvalidMove::Over);
        }
        if self.open[cell] {
            self.ended = true;
            let shape = self.field.shape();
            return Err(InvalidMove::Open { row: shape.row(cell), column: shape.column(cell) });
        }
        self.flood(cell);
        let hit = self.field.is_mine(cell);
        self.mines_left -= i64::from(hit);
        self.ended = self.is_cleared();
        Ok(Opened { changed: &self.changed, hit, ended: self.ended })
    }

    /// Opens `cell` before the first turn: this is not a turn, and a mine is not counted as hit.
    ///
    /// Returns the cells that were opened; none where the cell was open already.
    pub fn open_beforehand(&mut self, cell: Cell) -> &[(Cell, u8)] {
        self.flood(cell);
        &self.changed
    }

    /// Replaces the layout by another that has the same values in all open cells.
    pub fn redraw(&mut self, field: Field) {
        debug_assert!(
            self.open
                .iter()
                .all(|(cell, open)| { !open || field.value(cell) == self.field.value(cell) })
        );
        self.field = field;
    }

    /// Ends the game after an answer that does not name a cell.
    pub fn forfeit(&mut self) {
        self.ended = true;
    }

    /// The cells that the last turn opened, with their values: the clicked cell first.
    pub fn changed(&self) -> &[(Cell, u8)] {
        &self.changed
    }

    /// The opening rule; leaves the opened cells in `changed`.
    fn flood(&mut self, clicked: Cell) {
        self.changed.clear();
        self.stack.push(clicked);
        while let Some(cell) = self.stack.pop() {
            if std::mem::replace(&mut self.open[cell], true) {
                continue;
            }
            let value = self.field.value(cell);
            self.changed.push((cell, value));
            if value == 0 {
                let hidden = |neighbour: &Cell| !self.open[*neighbour];
                self.stack
                    .extend(self.field.shape().neighbours(cell).into_iter().rev().filter(hidden));
            }
        }
        self.hidden -= self.changed.len() as i64;
    }

    /// The ending rule.
    fn is_cleared(&self) -> bool {
        self.mines_left == self.hidden
    }

    /// The scoring rule: the share of the announced mines that were never opened, in percent; 100
    /// for a field without mines.
    pub fn score(&self) -> f64 {
        if self.mines == 0 { 100.0 } else { self.mines_left as f64 * 100.0 / f64::from(self.mines) }
    }

    /// Mines opened in turns so far.
    pub fn hits(&self) -> u32 {
        (i64::from(self.mines) - self.mines_left) as u32
    }

    /// Whether the game is over.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Whether `cell` is open.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.open[cell]
    }

    /// Number of hidden cells.
    pub fn hidden_len(&self) -> usize {
        self.hidden as usize
    }

    /// The announced mine count.
    pub fn mines(&self) -> u32 {
        self.mines
    }

    /// The field, which is never shown to a bot.
    pub fn field(&self) -> &Field {
        &self.field
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glibc::Rand;
    use sapper::board::geometry::Shape;

    fn game(columns: u64, rows: u64, mines: &[usize]) -> Referee {
        let shape = Shape::new(rows, columns).unwrap();
        let field = Field::from_mines(shape, mines.iter().copied()).unwrap();
        Referee::new(field, mines.len() as u32)
    }

    fn cell(index: u32) -> Cell {
        Cell::from_index(index)
    }

    /// The judge's recursion, which checks `open` just before each visit.
    fn flood_recursively(
        field: &Field,
        open: &mut CellMap<bool>,
        cell: Cell,
        order: &mut Vec<Cell>,
    ) {
        open[cell] = true;
        order.push(cell);
        if field.value(cell) == 0 {
            for neighbour in field.shape().neighbours(cell) {
                if !open[neighbour] {
                    flood_recursively(field, open, neighbour, order);
                }
            }
        }
    }

    #[test]
    fn floods_have_the_order_of_the_recursion() {
        for seed in 0..200 {
            let shape = Shape::new(9 + seed as u64 % 7, 13).unwrap();
            let field = Field::generate(shape, seed as u32 % 40, &mut Rand::new(seed)).unwrap();
            let mut referee = Referee::new(field.clone(), u32::MAX);
            let mut open = CellMap::new(shape.len(), false);
            for clicked in shape.cells().step_by(3) {
                if open[clicked] {
                    continue;
                }
                let mut order = Vec::new();
                flood_recursively(&field, &mut open, clicked, &mut order);
                let opened = referee.open(clicked).unwrap();
                let found: Vec<Cell> = opened.changed.iter().map(|(cell, _)| *cell).collect();
                assert_eq!(found, order);
                assert!(opened.changed.iter().all(|&(cell, value)| field.value(cell) == value));
            }
        }
    }

    #[test]
    fn the_largest_field_floods_without_a_deep_stack() {
        let mut referee = game(512, 512, &[0]);
        let opened = referee.open(cell(512 * 512 - 1)).unwrap();
        assert_eq!((opened.changed.len(), opened.ended), (512 * 512 - 1, true));
        assert_eq!(referee.score(), 100.0);
    }

    #[test]
    fn a_mine_is_opened_and_the_game_goes_on() {
        // 9 1 0
        // 1 1 0
        let mut referee = game(3, 2, &[0]);
        let opened = referee.open(cell(0)).unwrap();
        assert_eq!(opened, Opened { changed: &[(cell(0), 9)], hit: true, ended: false });
        assert_eq!((referee.hits(), referee.score()), (1, 0.0));
        assert!(!referee.open(cell(3)).unwrap().ended);
        let last = referee.open(cell(2)).unwrap();
        let order: Vec<usize> = last.changed.iter().map(|(cell, _)| cell.index()).collect();
        assert_eq!((order, last.hit, last.ended), (vec![2, 1, 4, 5], false, true));
        assert_eq!(referee.open(cell(0)), Err(InvalidMove::Over));
    }

    #[test]
    fn an_open_cell_ends_the_game() {
        for reopened in [0, 2, 5] {
            let mut referee = game(3, 2, &[0]);
            referee.open(cell(0)).unwrap();
            referee.open_beforehand(cell(2));
            let (row, column) = (reopened / 3, reopened % 3);
            assert_eq!(referee.open(cell(reopened)), Err(InvalidMove::Open { row, column }));
            assert_eq!(referee.open(cell(3)), Err(InvalidMove::Over));
        }
    }

    #[test]
    fn a_field_of_mines_ends_with_the_first_answer() {
        let mut referee = game(2, 1, &[0, 1]);
        assert!(referee.open(cell(0)).unwrap().ended);
        assert_eq!(referee.score(), 50.0);
    }

    #[test]
    fn a_field_with_too_few_mines_never_ends() {
        // Announced 2, but the flood goes past "2 cells hidden" to none at all.
        let field = Field::from_text(Shape::new(1, 4).unwrap(), "0000").unwrap();
        let mut referee = Referee::new(field, 2);
        assert!(!referee.open(cell(0)).unwrap().ended);
        assert_eq!(referee.hidden_len(), 0);
    }

    #[test]
    fn a_mine_opened_beforehand_is_not_a_hit_and_stays_open() {
        // 9 1 0
        // 1 1 0
        let mut referee = game(3, 2, &[0]);
        assert_eq!(referee.open_beforehand(cell(0)), [(cell(0), 9)]);
        assert_eq!((referee.hits(), referee.score(), referee.hidden_len()), (0, 100.0, 5));
        assert!(!referee.ended() && referee.is_open(cell(0)));
        // An open cell is neither reported nor counted again.
        assert_eq!(referee.open_beforehand(cell(0)), []);
        assert_eq!(referee.hidden_len(), 5);
        // The mine still counts as left, so the game ends while one safe cell is hidden.
        assert!(referee.open(cell(2)).unwrap().ended);
        assert_eq!((referee.hidden_len(), referee.is_open(cell(3))), (1, false));
        assert_eq!((referee.hits(), referee.score()), (0, 100.0));
    }

    #[test]
    fn a_flood_beforehand_does_not_end_the_game() {
        // 0 1 9: all safe cells are opened beforehand, but only an answer can end the game.
        let mut referee = game(3, 1, &[2]);
        assert_eq!(referee.open_beforehand(cell(0)), [(cell(0), 0), (cell(1), 1)]);
        assert!(!referee.ended());
        // The mine is the only hidden cell; opening it leaves no cell and no mine.
        let last = referee.open(cell(2)).unwrap();
        assert_eq!((last.hit, last.ended), (true, true));
        assert_eq!((referee.hits(), referee.score()), (1, 0.0));
    }

    #[test]
    fn more_mines_than_announced_cost_more_than_all() {
        let field = Field::from_text(Shape::new(1, 4).unwrap(), "9929").unwrap();
        let mut referee = Referee::new(field, 2);
        for (index, score) in [(0, 50.0), (1, 0.0), (3, -50.0)] {
            assert!(!referee.open(cell(index)).unwrap().ended);
            assert_eq!(referee.score(), score);
        }
        assert_eq!((referee.hits(), referee.hidden_len()), (3, 1));
    }

    #[test]
    fn without_mines_the_first_answer_wins() {
        let mut referee = game(3, 2, &[]);
        assert_eq!(referee.score(), 100.0);
        assert!(referee.open(cell(4)).unwrap().ended);
        assert_eq!((referee.score(), referee.hits()), (100.0, 0));
    }

    #[test]
    fn a_forfeit_ends_the_game() {
        let mut referee = game(3, 2, &[0]);
        referee.open(cell(0)).unwrap();
        referee.forfeit();
        assert!(referee.ended());
        assert_eq!(referee.open(cell(1)), Err(InvalidMove::Over));
        assert_eq!((referee.is_open(cell(1)), referee.hidden_len()), (false, 5));
    }
}
