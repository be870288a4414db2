//! A whole game in process: an engine plays a layout, without JSON and without a bot process.
//!
//! All cells that a decision proves safe are opened before the next decision. This saves most
//! decisions and does not change the result: the engine guesses only where no hidden cell can be
//! proven safe, and the set of provable cells does not depend on the order in which they are
//! opened. `tests/play.rs` compares this with the bot that answers turn by turn.
//!
//! Invariant: the engine sees the [`Board`] and nothing else of the game. The search is limited by
//! nodes, so the result does not depend on the machine; [`play_timed`] only measures.

use std::time::Duration;

use super::board_file::Layout;
use super::field::Field;
use super::referee::{Referee, show};
use super::rule::Rule;
use sapper::board::geometry::Cell;
use sapper::board::{Board, CellState};
use sapper::bot::engine::{Decision, Engine, Step};
use sapper::settings::budget::{Clock, NoClock, Turn};

/// The result of one game.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct PlayResult {
    /// Whether the game ended without opening a mine.
    pub won: bool,
    /// Mines opened.
    pub hits: u32,
    /// Cells opened by the bot; the cells that a zero opens with it are not counted.
    pub turns: u32,
    /// Cells opened by the bot that were not proven safe.
    pub guesses: u32,
    /// For each step of the engine, the cells it opened and the mines among them.
    pub by_step: [(u32, u32); Step::ALL.len()],
    /// The time of the slowest decision; zero where the game was not timed.
    pub slowest: Duration,
    /// Safe cells that are open at the end, including those opened before the first turn.
    pub opened: u32,
    /// Safe cells of the layout.
    pub safe: u32,
}

/// Is told of the guesses of a game, and decides whether a hit is survived.
pub trait GuessObserver {
    /// Adds the click on a hidden `cell` of `board`: a guess, or a proven cell that is a mine.
    fn add_click(&mut self, board: &Board, cell: Cell, hit: bool);

    /// Asked under the classic rules before the mine `cell` is opened. Returns `true` after the
    /// layout of `referee` was drawn again so that `cell` is safe, and `false` if the game is lost.
    fn survive(&mut self, board: &Board, cell: Cell, referee: &mut Referee) -> bool;
}

/// The observer of a game that ends with its first hit under the classic rules.
pub struct Unobserved;

impl GuessObserver for Unobserved {
    fn add_click(&mut self, _: &Board, _: Cell, _: bool) {}

    fn survive(&mut self, _: &Board, _: Cell, _: &mut Referee) -> bool {
        false
    }
}

/// Plays `layout` to its end, or to the first hit under the classic rules.
///
/// `watch` is called for every decision, with the board it was made for and whether it hit a mine.
pub fn play(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    watch: impl FnMut(&Board, &Decision, bool),
) -> PlayResult {
    play_timed(layout, rule, engine, &NoClock, watch)
}

/// Plays like [`play`], and measures the slowest decision with `clock`.
pub fn play_timed(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    clock: &dyn Clock,
    watch: impl FnMut(&Board, &Decision, bool),
) -> PlayResult {
    play_game(layout, rule, engine, clock, &mut Unobserved, watch)
}

/// Plays like [`play_timed`], and tells `observer` of every guess.
///
/// Under the classic rules the game is played to its end: a guess that would hit is survived. The
/// result is that of the game up to its first hit.
pub fn play_adjusted(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    clock: &dyn Clock,
    observer: &mut dyn GuessObserver,
) -> PlayResult {
    play_game(layout, rule, engine, clock, observer, |_, _, _| {})
}

/// A game in progress.
pub(crate) struct GameInProgress {
    rule: Rule,
    pub(crate) referee: Referee,
    /// What is visible.
    pub(crate) board: Board,
    pub(crate) over: bool,
}

impl GameInProgress {
    /// The game on `layout` before the first turn.
    pub(crate) fn begin(layout: &Layout, rule: Rule) -> GameInProgress {
        let mines = layout.mines.len() as u32;
        let referee = Referee::new(layout.field(), mines);
        let board = Board::new(layout.shape, mines);
        let mut game = GameInProgress { rule, referee, board, over: false };
        if rule.is_classic() {
            show(&mut game.board, game.referee.open_beforehand(layout.first));
            // The cell opened beforehand may end the game; the official judge checks for the end
            // only after an answer.
            game.over = game.referee.hidden_len() == mines as usize;
        }
        game
    }

    /// The game on `field` in which `before` is visible, and what the rules have opened besides:
    /// the neighbours of a zero. `None` if the game was over before, or a cell is illegible.
    pub(crate) fn resume(before: &Board, field: Field, rule: Rule) -> Option<GameInProgress> {
        let mut referee = Referee::new(field, before.mines());
        let mut board = before.clone();
        for (cell, state) in before.iter() {
            match state {
                CellState::Hidden | CellState::Illegible => {}
                CellState::Number(_) => {
                    for &(cell, number) in referee.open_beforehand(cell) {
                        if board.is_hidden(cell) {
                            board.open(cell, CellState::Number(number));
                        }
                    }
                }
                CellState::Hit => {
                    referee.open(cell).ok()?;
                }
            }
        }
        let mines_left = before.mines().saturating_sub(before.hits()) as usize;
        if before.hidden_len() == mines_left || board.hidden_len() != referee.hidden_len() {
            return None;
        }
        let over = referee.ended() || referee.hidden_len() == mines_left;
        Some(GameInProgress { rule, referee, board, over })
    }

    /// The safe cells that are open, after so many hits.
    pub(crate) fn opened(&self, hits: u32) -> u32 {
        // Open cells are safe cells and the mines that were hit.
        (self.board.shape().len() - self.board.hidden_len()) as u32 - hits
    }

    /// Opens a hidden cell, and returns whether it is a mine. A guess is told to `observer`, which
    /// decides whether a hit under the classic rules is survived.
    pub(crate) fn open(
        &mut self,
        cell: Cell,
        is_guess: bool,
        observer: &mut dyn GuessObserver,
    ) -> bool {
        let GameInProgress { rule, referee, board, over } = self;
        let hit = referee.field().is_mine(cell);
        if is_guess || hit {
            observer.add_click(board, cell, hit);
        }
        if hit && rule.is_classic() {
            *over = !observer.survive(board, cell, referee);
        }
        let opened = referee.open(cell).expect("the cell is hidden and the game goes on");
        *over |= opened.ended;
        show(board, opened.changed);
        hit
    }
}

fn play_game(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    clock: &dyn Clock,
    observer: &mut dyn GuessObserver,
    mut watch: impl FnMut(&Board, &Decision, bool),
) -> PlayResult {
    let mut game = GameInProgress::begin(layout, rule);
    let safe = (layout.shape.len() - layout.mines.len()) as u32;
    let mut result = PlayResult { opened: game.opened(0), safe, ..PlayResult::default() };
    // The result ends with the first hit, also where that is survived.
    let mut lost = false;
    let mut cells: Vec<Cell> = Vec::new();
    while !game.over {
        let started = clock.elapsed();
        let Some(decision) = engine.decide(&game.board, Turn::UNTIMED) else { break };
        if !lost {
            let time = clock.elapsed().saturating_sub(started);
            result.slowest = result.slowest.max(time);
        }
        cells.clear();
        cells.push(decision.cell());
        cells.extend_from_slice(engine.safe());
        for (position, &cell) in cells.iter().enumerate() {
            if game.over || !game.board.is_hidden(cell) {
                continue;
            }
            if position == 0 && !lost {
                watch(&game.board, &decision, game.referee.field().is_mine(cell));
            }
            let is_guess = !decision.by.is_proof();
            let hit = game.open(cell, is_guess, observer);
            if lost {
                continue;
            }
            result.turns += 1;
            result.hits += u32::from(hit);
            result.guesses += u32::from(is_guess);
            let (opened_by_step, hits_by_step) = &mut result.by_step[decision.by as usize];
            *opened_by_step += 1;
            *hits_by_step += u32::from(hit);
            lost = hit && rule.is_classic();
            if !lost {
                result.opened = game.opened(result.hits);
            }
        }
    }
    result.won = result.hits == 0;
    result
}
