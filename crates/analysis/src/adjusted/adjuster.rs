//! The guesses of a game in process: their odds, and the layout drawn again where one is survived.

use super::click_odds::ClickOdds;
use super::luck::Luck;
use game::field::Field;
use game::referee::Referee;
use game::simulate::GuessObserver;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};

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

    /// The guesses of the game so far.
    pub fn luck(&self) -> Luck {
        self.luck
    }
}

impl GuessObserver for Adjuster {
    fn add_click(&mut self, board: &Board, cell: Cell, hit: bool) {
        self.luck.add(self.odds.odds(board, cell), hit);
    }

    // If no layout can be drawn, the game counts as lost from here on.
    fn survive(&mut self, board: &Board, cell: Cell, referee: &mut Referee) -> bool {
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
}

/// The field of `board` with these hidden mines; `None` if they are not cells of the field.
pub fn field_of(board: &Board, hidden_mines: &[Cell]) -> Option<Field> {
    let hits = board.iter().filter(|(_, shown)| *shown == CellState::Hit).map(|(hit, _)| hit);
    let mines = hidden_mines.iter().copied().chain(hits);
    Field::from_mines(board.shape(), mines.map(Cell::index)).ok()
}
