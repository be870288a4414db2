//! What single numbers prove: the safe cells that need no group compared with another.
//!
//! Two rules over the board as it is: a number with as many mines left as hidden cells around it makes them
//! mines; a number all of whose mines are among these makes its other hidden cells safe. This is rule 1 of
//! [`crate::deduce`] without building a group, and settles two turns in three at a fifth of the cost.
//!
//! Invariant: what it calls safe, deduction calls safe, unless the numbers contradict each other.

use crate::board::{Board, Shown};
use crate::geometry::{Cell, CellMap};

/// Glances at one board after another, reusing its memory.
#[derive(Default)]
pub struct Glance {
    /// Cells known to be mines; all false between uses.
    is_mine: CellMap<bool>,
    mines: Vec<Cell>,
    /// Numbers that have a hidden cell around, with the mines they miss.
    numbers: Vec<(Cell, u8)>,
    safe: Vec<Cell>,
}

impl Glance {
    /// The hidden cells that single numbers prove safe, sorted.
    ///
    /// Cost: a walk over the field, and two over the neighbours of the numbers at its frontier.
    pub fn safe(&mut self, board: &Board) -> &[Cell] {
        if self.is_mine.len() != board.shape().len() {
            self.is_mine.reset(board.shape().len(), false);
        }
        self.find_mines(board);
        self.find_safe(board);
        for cell in self.mines.drain(..) {
            self.is_mine[cell] = false;
        }
        &self.safe
    }

    fn find_mines(&mut self, board: &Board) {
        self.numbers.clear();
        for (cell, shown) in board.iter() {
            let Shown::Number(number) = shown else { continue };
            if board.hidden_around(cell) == 0 {
                continue;
            }
            let Some(missing) = board.missing_around(cell, number) else { continue };
            if missing == board.hidden_around(cell) {
                for neighbour in board.hidden_neighbours(cell) {
                    if !std::mem::replace(&mut self.is_mine[neighbour], true) {
                        self.mines.push(neighbour);
                    }
                }
            } else {
                self.numbers.push((cell, missing));
            }
        }
    }

    fn find_safe(&mut self, board: &Board) {
        self.safe.clear();
        for &(cell, missing) in &self.numbers {
            let around = board.shape().neighbours(cell);
            let known = around.iter().filter(|&&neighbour| self.is_mine[neighbour]).count();
            if known == usize::from(missing) {
                let safe =
                    |neighbour: &&Cell| board.is_hidden(**neighbour) && !self.is_mine[**neighbour];
                self.safe.extend(around.iter().filter(safe));
            }
        }
        self.safe.sort_unstable();
        self.safe.dedup();
    }
}
