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
    mut watch: impl FnMut(&Board, &Decision, bool),
) -> GameResult {
    let mines = layout.mines.len() as u32;
    let mut referee = Referee::new(layout.field(), mines);
    let mut board = Board::new(layout.shape, mines);
    let mut result =
        GameResult { safe: layout.shape.len() as u32 - mines, ..GameResult::default() };
    if rule == Rule::Classic {
        show(&mut board, referee.open_beforehand(layout.first));
    }
    // Under the classic rules the cell opened beforehand may end the game; the official judge
    // checks for the end only after an answer.
    let mut over = rule == Rule::Classic && referee.hidden_len() == mines as usize;
    let turn = Turn::UNTIMED;
    let mut cells: Vec<Cell> = Vec::new();
    while !over {
        let started = clock.elapsed();
        let Some(decision) = engine.decide(&board, turn) else { break };
        result.slowest = result.slowest.max(clock.elapsed().saturating_sub(started));
        cells.clear();
        cells.push(decision.cell());
        cells.extend_from_slice(engine.safe());
        let mut is_first = true;
        for &cell in &cells {
            if referee.is_open(cell) || over {
                continue;
            }
            let Ok(opened) = referee.open(cell) else { break };
            let hit = opened.hit;
            over = opened.ended || (hit && rule == Rule::Classic);
            if std::mem::take(&mut is_first) {
                watch(&board, &decision, hit);
            }
            show(&mut board, opened.changed);
            result.turns += 1;
            result.hits += u32::from(hit);
            result.guesses += u32::from(!decision.by.is_proof());
            let (opened_by_step, hits_by_step) = &mut result.by_step[decision.by as usize];
            *opened_by_step += 1;
            *hits_by_step += u32::from(hit);
        }
    }
    result.won = result.hits == 0;
    // Open cells are safe cells and the mines that were hit.
    result.opened = (layout.shape.len() - referee.hidden_len()) as u32 - result.hits;
    result
}

fn show(board: &mut Board, changed: &[(Cell, u8)]) {
    for &(cell, value) in changed {
        board.open(cell, CellState::from_value(Some(value.into())));
    }
}
