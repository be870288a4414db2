//! The luck of a game that any bot plays: the board as the bot sees it, and the odds of its clicks.

use super::adjuster::Adjuster;
use super::luck::Luck;
use game::field::MINE;
use game::referee::{Referee, show};
use game::simulate::GuessObserver;
use sapper::board::Board;
use sapper::board::geometry::Cell;

/// Watches one game.
pub struct Observer {
    board: Board,
    adjuster: Adjuster,
}

impl Observer {
    /// Watches a game that begins with this board. Layouts drawn again follow as in
    /// [`Adjuster::begin`].
    pub fn new(board: Board, seed: u64) -> Observer {
        let mut adjuster = Adjuster::default();
        adjuster.begin(board.shape().len(), seed);
        Observer { board, adjuster }
    }

    /// Adds a click: the cells that it opened with their values, the clicked cell first.
    pub fn add_click(&mut self, changed: &[(Cell, u8)]) {
        if let Some(&(cell, value)) = changed.first() {
            self.adjuster.add_click(&self.board, cell, value == MINE);
        }
        self.show(changed);
    }

    /// Adds the click on the mine `cell`, before it is opened, and draws the layout of `referee`
    /// again so that it is safe. Returns `false`, and leaves the layout, where that is not
    /// possible.
    pub fn survive(&mut self, cell: Cell, referee: &mut Referee) -> bool {
        self.adjuster.add_click(&self.board, cell, true);
        self.adjuster.survive(&self.board, cell, referee)
    }

    /// Shows cells with their values.
    pub fn show(&mut self, changed: &[(Cell, u8)]) {
        show(&mut self.board, changed);
    }

    /// The clicks so far.
    pub fn luck(&self) -> Luck {
        self.adjuster.luck()
    }
}
