//! The game that is played, followed from turn to turn: what one and two numbers prove safe on its board.
//!
//! A turn differs from the one before in the cells that opened since. What was proven by then still is, so that only
//! what lies around those cells is looked at again ([`crate::deduction::propagate`]). A board that is no later one of the same game is
//! read anew, which comes to the same: what is told does not depend on the boards before.
//!
//! Invariant: what it calls safe is no mine in any layout that fits the numbers. Where one or two numbers show that there is
//! none, or a cell cannot be read, it calls nothing safe. The total of mines it does not look at.

use crate::board::geometry::{Cell, CellMap, Shape};
use crate::board::{Board, Shown};
use crate::deduction::propagate::Knowledge;

/// Follows one game after another, reusing its memory.
#[derive(Default)]
pub struct Follower {
    shape: Option<Shape>,
    /// What the last board showed.
    seen: CellMap<Shown>,
    opened: Vec<Cell>,
    knowledge: Knowledge,
    safe: Vec<Cell>,
}

impl Follower {
    /// The hidden cells that one or two numbers prove safe, or more of them with what these prove; in row-major order.
    ///
    /// Cost: a look at every cell, and what the cells that opened since the last board change; anew, that is all open cells,
    /// after three walks over the field.
    pub fn safe(&mut self, board: &Board) -> &[Cell] {
        if !self.look(board) {
            self.begin(board);
            self.look(board);
        }
        let Follower { seen, opened, knowledge, safe, .. } = self;
        for cell in opened.drain(..) {
            let (place, shown) = (knowledge.walled().place(cell), board.shown(cell));
            seen[cell] = shown;
            match shown {
                Shown::Number(number) => knowledge.open(place, Some(number)),
                Shown::Hit => knowledge.open(place, None),
                // It takes away what the numbers around it said.
                Shown::Illegible | Shown::Hidden => knowledge.contradict(),
            }
        }
        safe.retain(|&cell| board.is_hidden(cell));
        let before = safe.len();
        knowledge.settle::<true>(|knowledge, place| {
            knowledge.mark_safe(place);
            safe.push(knowledge.walled().cell(place));
        });
        if knowledge.is_contradictory() {
            safe.clear();
        } else if safe.len() > before {
            safe.sort_unstable();
        }
        safe
    }

    /// Finds what opened since the last board; false where this is no later board of the same game.
    fn look(&mut self, board: &Board) -> bool {
        self.opened.clear();
        if self.shape != Some(board.shape()) {
            return false;
        }
        for (cell, shown) in board.iter() {
            let before = self.seen[cell];
            if shown != before {
                if before != Shown::Hidden {
                    return false;
                }
                self.opened.push(cell);
            }
        }
        true
    }

    fn begin(&mut self, board: &Board) {
        self.shape = Some(board.shape());
        self.seen.reset(board.shape().len(), Shown::Hidden);
        self.knowledge.begin(board.shape(), board.mines());
        self.safe.clear();
    }
}
