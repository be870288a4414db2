//! One board for a program that uses the library: its odds, what is proven, and the move.
//!
//! [`evaluate`] counts all layouts of a [`Board`]; an [`Evaluation`] answers what follows from
//! them. A board is built cell by cell ([`Board::open_at`]) or read from text (`parse`).
//!
//! Invariants: an evaluation exists only of a board that some layout fits, unless the layouts are
//! too many to count ([`Evaluation::is_exact`]). What is proven follows from counting with whole
//! numbers, never from comparing floats: odds are exactly 0 or 1 if and only if proven. The move is
//! what [`Engine`] decides on the same board.
//!
//! Cost: in a release build a position of a game takes 0.03 milliseconds, and a move at most 0.2
//! seconds; the crate's root has more. Each thread that evaluates keeps its
//! buffers, at most some megabytes, for its next evaluation.

use std::cell::RefCell;
use std::str::FromStr;

use crate::board::consistency::BoardError;
use crate::board::contradiction::Contradiction;
use crate::board::geometry::{Cell, Place};
use crate::board::text_format::BoardText;
use crate::board::{Board, CellState};
use crate::bot::engine::{Decision, Engine};
use crate::deduction::groups::deducer::{Deducer, Reach};
use crate::error::{Error, NoLayout};
use crate::probability::contradictions::contradictions;
use crate::probability::odds::Odds;
use crate::probability::solver::ProbabilitySolver;
use crate::settings::budget::{Budget, Turn};
use crate::settings::params::{COUNT_NODES, Effort, Objective};

/// Counts the layouts of mines that fit `board`, which are all equally likely.
///
/// For odds and a move within a time, use this and [`Engine::decide`]: the board is then counted
/// twice, which costs 0.03 ms.
///
/// ```
/// use sapper::{Board, CellState, Shape, evaluate};
///
/// // Two rows, three columns and one mine; both cells of the first column show a 1.
/// let mut board = Board::new(Shape::new(2, 3)?, 1);
/// board.open_at(0, 0, CellState::Number(1))?;
/// board.open_at(1, 0, CellState::Number(1))?;
///
/// let evaluation = evaluate(&board)?;
/// for (place, odds) in evaluation.odds() {
///     println!("{place} is a mine with probability {odds}");
/// }
/// # assert_eq!(evaluation.odds().map(|(_, odds)| odds).collect::<Vec<_>>(), [0.5, 0.0, 0.5, 0.0]);
/// # Ok::<(), sapper::Error>(())
/// ```
///
/// # Errors
/// [`Error::NoLayout`] if no layout fits the board, and [`Error::InvalidState`] if a cell is
/// illegible.
///
/// ```
/// use sapper::{Board, Shape, evaluate};
///
/// let error = evaluate(&Board::new(Shape::new(2, 3)?, 100)).unwrap_err();
/// println!("{error}");
/// # assert!(error.to_string().contains("100 is more than the 6 cells"), "{error}");
/// # Ok::<(), sapper::Error>(())
/// ```
pub fn evaluate(board: &Board) -> Result<Evaluation, Error> {
    check_cells(board)?;
    let kept = SOLVERS.try_with(|solvers| Some(solvers.try_borrow_mut().ok()?.evaluate(board)));
    // A thread that ends may have dropped its solvers already.
    kept.ok().flatten().unwrap_or_else(|| Solvers::default().evaluate(board))
}

/// What computes one evaluation after another. Reusing the buffers saves a third of the time.
#[derive(Default)]
struct Solvers {
    deducer: Deducer,
    solver: ProbabilitySolver,
}

thread_local! {
    static SOLVERS: RefCell<Solvers> = RefCell::default();
}

/// What is far beyond the positions of play, in nodes and in cells. The buffers that such a
/// position took may have tens of megabytes, and are given back.
const MANY_NODES: u64 = 1_000_000;
const MANY_CELLS: usize = 10_000;

impl Solvers {
    fn evaluate(&mut self, board: &Board) -> Result<Evaluation, Error> {
        let position = board.reduced_position().unwrap_or_else(|| board.position());
        let mut budget = Budget::of_nodes(COUNT_NODES);
        let Solvers { deducer, solver } = self;
        let counted = deducer
            .run(&position, Reach::FixedPoint)
            .and_then(|deduced| solver.run(deduced, &mut budget));
        let evaluation = match counted {
            Ok(counted) => Ok(Evaluation { board: board.clone(), odds: counted.odds().clone() }),
            Err(first) => Err(no_layout(board, self.contradictions(board, first))),
        };
        if budget.used() > MANY_NODES || board.shape().len() > MANY_CELLS || evaluation.is_err() {
            *self = Solvers::default();
        }
        evaluation
    }

    /// All contradictions of a board, of which `first` was found.
    fn contradictions(&mut self, board: &Board, first: Contradiction) -> Vec<Contradiction> {
        let Solvers { deducer, solver } = self;
        let mut budget = Budget::of_nodes(COUNT_NODES);
        let mut found = contradictions(&board.position(), deducer, solver, &mut budget);
        if found.is_empty() {
            // The search for all of them is more expensive than finding the first.
            found.push(first);
        }
        found
    }
}

/// Checks what each cell by itself and the mine count show.
fn check_cells(board: &Board) -> Result<(), Error> {
    let shape = board.shape();
    if let Some((cell, state)) = board.iter().find(|(_, state)| *state == CellState::Illegible) {
        return Err(Error::InvalidState { place: shape.at(cell), state });
    }
    let mut reasons = board.reasons();
    if board.mines() as usize > shape.len() {
        // That fewer cells are hidden than mines are left follows from the mine count.
        reasons.retain(|reason| !matches!(reason, Contradiction::TooFewHidden { .. }));
        reasons.insert(
            0,
            Contradiction::TooManyMines { mines: board.mines().into(), cells: shape.len() },
        );
    }
    if reasons.is_empty() { Ok(()) } else { Err(no_layout(board, reasons)) }
}

fn no_layout(board: &Board, reasons: Vec<Contradiction>) -> Error {
    Error::NoLayout(NoLayout { shape: board.shape(), reasons })
}

/// What follows from all layouts of mines that fit a board.
#[derive(Clone, Debug)]
pub struct Evaluation {
    board: Board,
    odds: Odds,
}

impl Evaluation {
    /// The board.
    ///
    /// ```
    /// let board: sapper::Board = "3 2 1\n1..\n1..".parse()?;
    /// assert_eq!(sapper::evaluate(&board)?.board(), &board);
    /// # Ok::<(), sapper::Error>(())
    /// ```
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Every hidden cell, in row-major order, with the probability that it is a mine. It is exactly
    /// 0 or 1 if and only if that is proven.
    ///
    /// ```
    /// use sapper::Place;
    ///
    /// let board: sapper::Board = "3 1 1\n.1.".parse()?;
    /// for (Place { row, column }, odds) in sapper::evaluate(&board)?.odds() {
    ///     assert_eq!((row, odds), (0, 0.5));
    ///     assert!(column == 0 || column == 2);
    /// }
    /// # Ok::<(), sapper::Error>(())
    /// ```
    pub fn odds(&self) -> impl Iterator<Item = (Place, f64)> {
        self.board.hidden().map(|cell| (self.board.shape().at(cell), self.odds.of(cell)))
    }

    /// The probability that one cell is a mine; `None` for an open cell, and off the board.
    ///
    /// ```
    /// let board: sapper::Board = "3 2 1\n1..\n1..".parse()?;
    /// let evaluation = sapper::evaluate(&board)?;
    /// assert_eq!(evaluation.odds_at(0, 1), Some(0.5));
    /// assert_eq!((evaluation.odds_at(0, 0), evaluation.odds_at(7, 0)), (None, None));
    /// # Ok::<(), sapper::Error>(())
    /// ```
    pub fn odds_at(&self, row: u32, column: u32) -> Option<f64> {
        let cell = self.board.shape().cell(row.into(), column.into())?;
        self.board.is_hidden(cell).then(|| self.odds.of(cell))
    }

    /// The hidden cells that are safe in every layout, in row-major order.
    ///
    /// ```
    /// let board: sapper::Board = "3 2 1\n1..\n1..".parse()?;
    /// let evaluation = sapper::evaluate(&board)?;
    /// let safe: Vec<String> = evaluation.safe().map(|place| place.to_string()).collect();
    /// assert_eq!(safe, ["(0,2)", "(1,2)"]);
    /// # Ok::<(), sapper::Error>(())
    /// ```
    pub fn safe(&self) -> impl ExactSizeIterator<Item = Place> {
        self.places(self.odds.safe())
    }

    /// The hidden cells that are mines in every layout, in row-major order.
    ///
    /// ```
    /// let board: sapper::Board = "4 1 2\n.2..".parse()?;
    /// let evaluation = sapper::evaluate(&board)?;
    /// let mines: Vec<String> = evaluation.mines().map(|place| place.to_string()).collect();
    /// assert_eq!(mines, ["(0,0)", "(0,2)"]);
    /// # Ok::<(), sapper::Error>(())
    /// ```
    pub fn mines(&self) -> impl ExactSizeIterator<Item = Place> {
        self.places(self.odds.mines())
    }

    fn places<'a>(&self, cells: &'a [Cell]) -> impl ExactSizeIterator<Item = Place> + use<'a> {
        let shape = self.board.shape();
        cells.iter().map(move |&cell| shape.at(cell))
    }

    /// Whether all layouts were counted.
    ///
    /// That fails only on boards far beyond those of play, such as a large field on which every
    /// second cell is open. Then some odds are approximate, more cells may be safe or mines than
    /// are proven, and it is not known whether a layout fits. What is proven is true all the same.
    ///
    /// ```
    /// let board: sapper::Board = "3 2 1\n1..\n1..".parse()?;
    /// assert!(sapper::evaluate(&board)?.is_exact());
    /// # Ok::<(), sapper::Error>(())
    /// ```
    pub fn is_exact(&self) -> bool {
        self.odds.approximate() == 0
    }

    /// The cell to open, and how it was chosen: what [`Engine::decide`] says without a clock. It is
    /// `None` if no cell is hidden, or every hidden cell is a mine; the engine then names a mine,
    /// because a bot has to answer.
    ///
    /// Play continues after a hit under [`Objective::FewestHits`], and ends with it under
    /// [`Objective::CleanWin`].
    ///
    /// ```
    /// use sapper::{Effort, Objective, Step};
    ///
    /// let board: sapper::Board = "3 2 1\n1..\n1..".parse()?;
    /// let best = sapper::evaluate(&board)?.best_move(Objective::CleanWin, Effort::Full);
    /// let best = best.expect("not every hidden cell is a mine");
    /// assert_eq!(best.place().to_string(), "(0,2)");
    /// assert_eq!((best.odds, best.by), (0.0, Step::Deduction));
    /// # Ok::<(), sapper::Error>(())
    /// ```
    pub fn best_move(&self, objective: Objective, effort: Effort) -> Option<Decision> {
        if self.odds.mines().len() == self.board.hidden_len() {
            return None;
        }
        Engine::new(objective, effort).decide(&self.board, Turn::UNTIMED)
    }
}

impl Board {
    /// The state of the cell at `row` and `column`, both from 0; `None` off the board.
    ///
    /// ```
    /// use sapper::{Board, CellState};
    ///
    /// let board: Board = "3 1 1\n.1.".parse()?;
    /// assert_eq!(board.state_at(0, 1), Some(CellState::Number(1)));
    /// assert_eq!((board.state_at(0, 2), board.state_at(1, 0)), (Some(CellState::Hidden), None));
    /// # Ok::<(), sapper::Error>(())
    /// ```
    pub fn state_at(&self, row: u32, column: u32) -> Option<CellState> {
        self.shape().cell(row.into(), column.into()).map(|cell| self.state(cell))
    }

    /// Opens the cell at `row` and `column`, both from 0. [`CellState::Hidden`] leaves a hidden
    /// cell as it is, so that a whole grid can be passed on cell by cell.
    ///
    /// [`Board::open`] leaves a cell that is open already as it is, without an error.
    ///
    /// ```
    /// use sapper::{Board, CellState, Shape};
    ///
    /// let mut board = Board::new(Shape::new(1, 3)?, 1);
    /// board.open_at(0, 1, CellState::Number(1))?;
    /// assert_eq!(board.to_string(), "3 1 1\n.1.\n");
    ///
    /// let error = board.open_at(0, 3, CellState::Hit).unwrap_err();
    /// assert_eq!(error.to_string(), "(0,3): there is no such cell on 1 row and 3 columns");
    /// # Ok::<(), sapper::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OffField`]; [`Error::InvalidState`] for a number above 8 and for
    /// [`CellState::Illegible`]; [`Error::AlreadyOpen`] if the cell is open and shows something
    /// else. The board is then as it was.
    pub fn open_at(&mut self, row: u32, column: u32, state: CellState) -> Result<(), Error> {
        let (place, shape) = (Place { row, column }, self.shape());
        let cell = shape.cell_at(place).ok_or(Error::OffField { place, shape })?;
        if matches!(state, CellState::Illegible | CellState::Number(9..)) {
            return Err(Error::InvalidState { place, state });
        }
        if self.open(cell, state) || self.state(cell) == state {
            Ok(())
        } else {
            Err(Error::AlreadyOpen { place, shown: self.state(cell) })
        }
    }
}

/// Reads the format that [`Board`] is displayed in. The first line is `W H M`: the width, the
/// height and the number of all mines. Then come H rows of W symbols: `0`-`8` a number, `.` a
/// hidden cell, `*` a known mine.
///
/// ```
/// let board: sapper::Board = "4 2 3\n.2..\n.*..".parse()?;
/// assert_eq!((board.mines(), board.hits(), board.hidden_len()), (3, 1, 6));
///
/// let error = "4 2 3\n.2..\n.*.".parse::<sapper::Board>().unwrap_err();
/// println!("{error}");
/// # assert!(error.to_string().contains("row 1 (line 3 of the text): 3 symbols, expected 4"));
/// # Ok::<(), sapper::Error>(())
/// ```
impl FromStr for Board {
    type Err = Error;

    /// # Errors
    /// [`Error::Text`] and [`Error::NoMineCount`] if the text is not a board, [`Error::NoLayout`]
    /// if a single number or the mine count shows that no layout fits it.
    fn from_str(text: &str) -> Result<Board, Error> {
        let text: BoardText = text.parse()?;
        let mines = text.mines.ok_or(Error::NoMineCount)?;
        text.board(mines).map_err(|BoardError { reasons, board }| no_layout(&board, reasons))
    }
}
