//! The luck of a game that any bot plays: the board as the bot sees it, and the odds of its clicks.

use super::click_odds::ClickOdds;
use super::luck::Luck;
use crate::board::geometry::Cell;
use crate::board::{Board, CellState};
use crate::referee::field::MINE;

/// Watches one game.
pub struct Observer {
    board: Board,
    odds: ClickOdds,
    luck: Luck,
}

impl Observer {
    /// Watches a game that begins with this board.
    pub fn new(board: Board) -> Observer {
        let mut odds = ClickOdds::default();
        odds.begin(board.shape().len());
        Observer { board, odds, luck: Luck::default() }
    }

    /// Adds a click: the cells that it opened with their values, the clicked cell first.
    pub fn add_click(&mut self, changed: &[(Cell, u8)]) {
        if let Some(&(cell, value)) = changed.first() {
            let odds = self.odds.odds(&self.board, cell);
            self.luck.add(odds, value == MINE);
        }
        for &(cell, value) in changed {
            self.board.open(cell, CellState::from_value(Some(value.into())));
        }
    }

    /// The clicks so far.
    pub fn luck(&self) -> Luck {
        self.luck
    }
}
