//! The guesses of a game in process: their odds, and the layout drawn again where one is survived.

use super::click_odds::ClickOdds;
use super::luck::Luck;
use crate::board::geometry::Cell;
use crate::board::{Board, CellState};
use crate::referee::field::Field;
use crate::referee::rules::Referee;

/// Adjusts one game after another; its memory is reused.
#[derive(Default)]
pub struct Adjuster {
    odds: ClickOdds,
    luck: Luck,
    seed: u64,
}

impl Adjuster {
    /// Begins a game on a field of so many cells. Layouts drawn again follow from `seed` and the
    /// cell, so that two bots that survive a mine on the same board and layout continue alike.
    pub fn begin(&mut self, cells: usize, seed: u64) {
        self.odds.begin(cells);
        self.luck = Luck::default();
        self.seed = seed;
    }

    /// Adds the click on a hidden `cell`.
    pub fn add_click(&mut self, board: &Board, cell: Cell, hit: bool) {
        self.luck.add(self.odds.odds(board, cell), hit);
    }

    /// Draws the layout of `referee` again, so that `cell` is safe. Returns `false`, and leaves
    /// the layout, where that is not possible: the game then counts as lost.
    pub fn survive(&mut self, board: &Board, cell: Cell, referee: &mut Referee) -> bool {
        if self.luck.survival == 0.0 {
            return false;
        }
        let is_mine = |other| referee.field().is_mine(other);
        let mines = self.odds.redraw(board, cell, is_mine, self.seed);
        let field = mines.and_then(|mines| field_of(board, &mines));
        match field {
            Some(field) => referee.redraw(field),
            None => self.luck.survival = 0.0,
        }
        self.luck.survival > 0.0
    }

    /// The guesses of the game so far.
    pub fn luck(&self) -> Luck {
        self.luck
    }
}

/// The field of `board` with these hidden mines; `None` if they are not cells of the field.
pub fn field_of(board: &Board, hidden_mines: &[Cell]) -> Option<Field> {
    let hits = board.iter().filter(|(_, shown)| *shown == CellState::Hit).map(|(hit, _)| hit);
    let mines = hidden_mines.iter().copied().chain(hits);
    Field::from_mines(board.shape(), mines.map(Cell::index)).ok()
}
