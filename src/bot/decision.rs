//! The result of a turn: the cell to open, and how it was chosen.
//!
//! Invariant: a [`Decision`] names a hidden cell of the board that it was made for. The
//! constructor checks this.

use std::fmt;

use crate::board::Board;
use crate::board::contradiction::Contradiction;
use crate::board::geometry::{Cell, Place};
use crate::search::endgame::Solution;

/// The step that decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// A cell that the rules of deduction prove safe.
    Deduction,
    /// A cell that is safe in every layout.
    Counting,
    /// The first cell of the best play found over all layouts.
    Endgame,
    /// The cell of lowest estimated cost.
    Guess,
    /// A cell of small local risk; the numbers contradict each other.
    Rough,
}

impl Step {
    /// All steps, in the order in which they are tried.
    pub const ALL: [Step; 5] =
        [Step::Deduction, Step::Counting, Step::Endgame, Step::Guess, Step::Rough];

    /// Its name in tables and logs.
    pub fn name(self) -> &'static str {
        match self {
            Step::Deduction => "deduction",
            Step::Counting => "counting",
            Step::Endgame => "endgame",
            Step::Guess => "guess",
            Step::Rough => "rough",
        }
    }

    /// Whether the cell was proven safe.
    pub fn is_proof(self) -> bool {
        matches!(self, Step::Deduction | Step::Counting)
    }
}

/// The [name](Step::name).
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The cell to open, and how it was chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    cell: Cell,
    place: Place,
    /// The step that decided.
    pub by: Step,
    /// The probability that the cell is a mine; 0 where it is proven safe. It is approximate where
    /// [`approximate`](Decision::approximate) is not 0, as after a deadline, and says nothing where
    /// there is a [`contradiction`](Decision::contradiction).
    pub odds: f64,
    /// Cells that were proven safe, or evaluated for a guess
    /// ([`Guess::candidates`](crate::search::guess::Guess::candidates)); 1 from an endgame.
    pub candidates: usize,
    /// Cells whose odds are approximate.
    pub approximate: usize,
    /// Playouts that decided between the candidates.
    pub playouts: usize,
    /// Why there are no odds, where the numbers contradict each other.
    pub contradiction: Option<Contradiction>,
    /// The solution of the endgame, where that decided. Its cost over its layouts is the
    /// probability that a clean win fails, or the mines to be expected.
    pub solved: Option<Solution>,
}

impl Decision {
    /// The cell to open, which is hidden on the board of the decision.
    pub fn cell(&self) -> Cell {
        self.cell
    }

    /// The row and the column of that cell.
    ///
    /// ```
    /// use sapper::{Board, Engine, Shape, Turn};
    ///
    /// let board = Board::new(Shape::new(9, 9)?, 10);
    /// let decision = Engine::default().decide(&board, Turn::UNTIMED).expect("a hidden cell");
    /// println!("open {}", decision.place());
    /// # assert_eq!(decision.place(), board.shape().at(decision.cell()));
    /// # Ok::<(), sapper::Error>(())
    /// ```
    pub fn place(&self) -> Place {
        self.place
    }

    /// A decision to open `cell`; `None` where it is not hidden on `board`.
    pub fn new(
        board: &Board,
        cell: Cell,
        by: Step,
        odds: f64,
        candidates: usize,
    ) -> Option<Decision> {
        let decision = Decision {
            cell,
            place: board.shape().at(cell),
            by,
            odds,
            candidates,
            approximate: 0,
            playouts: 0,
            contradiction: None,
            solved: None,
        };
        board.is_hidden(cell).then_some(decision)
    }
}
