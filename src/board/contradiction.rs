//! Why no layout fits: the one type of all proofs that a board cannot be true.
//!
//! | kinds | found by |
//! |---|---|
//! | `Number`, `TooManyMines`, `TooManyHits`, `TooFewHidden` | [`crate::board::consistency`] |
//! | `Group` | [`Group::new`](crate::board::group::Group::new), and deduction |
//! | `Numbers` | deduction, and counting |
//! | `Total` | [`crate::probability::contradictions`] |
//!
//! The first four follow from the board alone; the others are found by the solver, which knows no
//! grid.
//!
//! Invariant: a contradiction is true, and suffices by itself. It is a value and never a panic.

use std::fmt;

use crate::board::geometry::{Cell, Place, Shape};
use crate::kit::text::pluralize;

/// A proof that no layout fits a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contradiction {
    /// A number is below the mines that were opened around it, or above the neighbours that can be
    /// mines.
    Number {
        /// The cell.
        place: Place,
        /// The number that the cell shows.
        number: u8,
        /// The number of mines around it that were opened.
        least: u32,
        /// The number of its neighbours that can be mines: these, and those that are not known.
        most: u32,
    },
    /// The field has fewer cells than mines.
    TooManyMines {
        /// The mine count.
        mines: u64,
        /// The number of cells of the field.
        cells: usize,
    },
    /// More mines were hit than the field has.
    TooManyHits {
        /// The number of mines that were hit.
        hits: u32,
        /// The mine count.
        mines: u32,
    },
    /// Fewer cells are hidden than mines are left.
    TooFewHidden {
        /// The number of mines left: the mine count less the mines that were hit.
        mines: u32,
        /// The number of hidden cells.
        hidden: usize,
    },
    /// A group would need a negative number of mines, or more mines than it has cells.
    Group {
        /// The cells of the group; none for a remainder of the mines left without cells.
        cells: Vec<Cell>,
        /// The number of mines that they would need.
        mines: i64,
    },
    /// The numbers around these cells have no layout together.
    Numbers {
        /// The cells, sorted; none if the numbers have layouts, but none with the mines left.
        cells: Vec<Cell>,
    },
    /// The hidden cells cannot hold the mines left.
    Total {
        /// The mines left.
        left: u32,
        /// The minimum of mines that the hidden cells must hold.
        min: usize,
        /// The maximum. Numbers between the two may be impossible as well.
        max: usize,
    },
}

impl Contradiction {
    /// The hidden cells that it is about, where it names any.
    pub fn cells(&self) -> &[Cell] {
        match self {
            Contradiction::Group { cells, .. } | Contradiction::Numbers { cells } => cells,
            _ => &[],
        }
    }

    /// The message, with the row and the column of the first cell.
    pub fn describe(&self, shape: Shape) -> String {
        match self.cells().first() {
            Some(&cell) => format!("{self}, near {}", shape.at(cell)),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contradiction::Number { place, number, least, .. } if u32::from(*number) < *least => {
                let mines = pluralize(*least, "mine was", "mines were");
                write!(f, "{place} shows {number}, but {mines} opened around it")
            }
            Contradiction::Number { place, number, most, .. } => {
                let mines = if *most == 1 { "a mine" } else { "mines" };
                write!(
                    f,
                    "{place} shows {number}, but at most {most} of its neighbours can be {mines}"
                )
            }
            Contradiction::TooManyMines { mines, cells } => {
                let cells = pluralize(*cells, "cell", "cells");
                write!(f, "minecount {mines} is more than the {cells} of the field")
            }
            Contradiction::TooManyHits { hits, mines } => {
                let hits = pluralize(*hits, "mine was", "mines were");
                write!(f, "{hits} opened, but minecount is {mines}")
            }
            Contradiction::TooFewHidden { mines, hidden } => {
                let mines = pluralize(*mines, "mine is", "mines are");
                write!(f, "{mines} left for {}", pluralize(*hidden, "hidden cell", "hidden cells"))
            }
            Contradiction::Group { cells, mines } => group_text(f, cells.len(), *mines),
            Contradiction::Numbers { cells } if cells.is_empty() => {
                write!(f, "the mines left do not fit the numbers")
            }
            Contradiction::Numbers { cells } => {
                let cells = pluralize(cells.len(), "cell", "cells");
                write!(f, "the numbers around {cells} contradict each other")
            }
            Contradiction::Total { left, min, max } => {
                let mines = pluralize(*left, "mine is left", "mines are left");
                if (*left as usize) < *min {
                    write!(f, "{mines}, but the numbers need at least {min}")
                } else if *left as usize > *max {
                    write!(f, "{mines}, but at most {max} fit the numbers")
                } else {
                    write!(f, "{mines}, and the numbers do not allow exactly as many")
                }
            }
        }
    }
}

impl std::error::Error for Contradiction {}

/// Writes why a group cannot be.
fn group_text(f: &mut fmt::Formatter<'_>, cells: usize, mines: i64) -> fmt::Result {
    let is_empty = cells == 0;
    let cells = pluralize(cells, "cell", "cells");
    let is_negative = mines < 0;
    let mines = pluralize(mines.unsigned_abs(), "mine", "mines");
    match (is_negative, is_empty) {
        (false, false) => write!(f, "{mines} would have to lie in {cells}"),
        (false, true) => write!(f, "the numbers leave too few cells for {mines}"),
        (true, false) => {
            write!(f, "the numbers around {cells} ask for {mines} more than there can be")
        }
        (true, true) => write!(f, "the numbers ask for {mines} more than there can be"),
    }
}
