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

use super::adjusted::adjuster::Adjuster;
use super::board_file::Layout;
use super::rules::Referee;
use crate::base::budget::{Clock, NoClock, Turn};
use crate::board::geometry::Cell;
use crate::board::{Board, CellState};
use crate::bot::engine::{Decision, Engine, Step};

/// The rules by which a game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The bot chooses its first cell, which may be a mine; a hit does not end the game.
    Botzone,
    /// Classic: the layout's first cell is opened for the bot; a hit ends the game. The layout
    /// guarantees that this cell is safe (XP) or has no mine around it (Win7).
    Classic,
}

/// The result of one game.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct GameResult {
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

/// Plays `layout` to its end, or to the first hit under the classic rules.
///
/// `watch` is called for every decision, with the board it was made for and whether it hit a mine.
pub fn play(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    watch: impl FnMut(&Board, &Decision, bool),
) -> GameResult {
    play_timed(layout, rule, engine, &NoClock, watch)
}

/// Plays like [`play`], and measures the slowest decision with `clock`.
pub fn play_timed(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    clock: &dyn Clock,
    watch: impl FnMut(&Board, &Decision, bool),
) -> GameResult {
    play_game(layout, rule, engine, clock, None, watch)
}

/// Plays like [`play_timed`], and leaves the luck of the game in `adjuster`, which has begun it.
///
/// Under the classic rules the game is played to its end: a guess that would hit is survived. The
/// result is that of the game up to its first hit.
pub fn play_adjusted(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    clock: &dyn Clock,
    adjuster: &mut Adjuster,
) -> GameResult {
    play_game(layout, rule, engine, clock, Some(adjuster), |_, _, _| {})
}

fn play_game(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    clock: &dyn Clock,
    mut adjuster: Option<&mut Adjuster>,
    mut watch: impl FnMut(&Board, &Decision, bool),
) -> GameResult {
    let mines = layout.mines.len() as u32;
    let mut referee = Referee::new(layout.field(), mines);
    let mut board = Board::new(layout.shape, mines);
    if rule == Rule::Classic {
        show(&mut board, referee.open_beforehand(layout.first));
    }
    let cell_count = layout.shape.len();
    let opened = (cell_count - board.hidden_len()) as u32;
    let mut result =
        GameResult { opened, safe: cell_count as u32 - mines, ..GameResult::default() };
    // Under the classic rules the cell opened beforehand may end the game; the official judge
    // checks for the end only after an answer.
    let mut over = rule == Rule::Classic && referee.hidden_len() == mines as usize;
    // The result ends with the first hit, also where that is survived.
    let mut lost = false;
    let turn = Turn::UNTIMED;
    let mut cells: Vec<Cell> = Vec::new();
    while !over {
        let started = clock.elapsed();
        let Some(decision) = engine.decide(&board, turn) else { break };
        if !lost {
            let time = clock.elapsed().saturating_sub(started);
            result.slowest = result.slowest.max(time);
        }
        cells.clear();
        cells.push(decision.cell());
        cells.extend_from_slice(engine.safe());
        let mut is_first = true;
        for &cell in &cells {
            if referee.is_open(cell) || over {
                continue;
            }
            let (is_guess, hit) = (!decision.by.is_proof(), referee.field().is_mine(cell));
            if let Some(adjuster) = adjuster.as_deref_mut().filter(|_| is_guess || hit) {
                adjuster.add_click(&board, cell, hit);
            }
            if std::mem::take(&mut is_first) && !lost {
                watch(&board, &decision, hit);
            }
            if !lost {
                result.turns += 1;
                result.hits += u32::from(hit);
                result.guesses += u32::from(is_guess);
                let (opened_by_step, hits_by_step) = &mut result.by_step[decision.by as usize];
                *opened_by_step += 1;
                *hits_by_step += u32::from(hit);
            }
            if hit && rule == Rule::Classic {
                let adjuster = adjuster.as_deref_mut();
                lost = true;
                over =
                    !adjuster.is_some_and(|adjuster| adjuster.survive(&board, cell, &mut referee));
            }
            let Ok(opened) = referee.open(cell) else { break };
            over |= opened.ended;
            show(&mut board, opened.changed);
            if !lost {
                // Open cells are safe cells and the mines that were hit.
                result.opened = (cell_count - board.hidden_len()) as u32 - result.hits;
            }
        }
    }
    result.won = result.hits == 0;
    result
}

fn show(board: &mut Board, changed: &[(Cell, u8)]) {
    for &(cell, value) in changed {
        board.open(cell, CellState::from_value(Some(value.into())));
    }
}
