//! A whole game in process: the engine plays a layout, without JSON and without a bot process.
//!
//! All cells that a decision proves safe are opened before the next decision, which saves most
//! decisions and changes nothing that counts: whatever the order, a guess is made exactly where no
//! hidden cell can be proven safe, and there the board is the same. `tests/play.rs` holds this to
//! the bot's own turn by turn play.
//!
//! Invariant: the engine sees the [`Board`] and nothing else of the game.

use std::time::{Duration, Instant};

use super::board_file::Layout;
use super::rules::Referee;
use crate::base::budget::{Deadlines, NoClock, Turn};
use crate::board::geometry::Cell;
use crate::board::{Board, CellState};
use crate::bot::engine::{Decision, Engine, Step};

/// By which rules a game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The bot chooses its first cell, which may be a mine; a hit does not end the game.
    Botzone,
    /// Classic: the layout's first cell is opened for the bot; a hit ends the game. The layout
    /// makes sure that this cell is safe (XP) or has no mine around it (Win7).
    Classic,
}

/// What became of one game.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Trial {
    /// Every safe cell was opened and no mine.
    pub won: bool,
    /// Mines opened.
    pub hits: u32,
    /// Cells opened by the bot, floods counted once.
    pub turns: u32,
    /// Cells opened that were not proven safe.
    pub guesses: u32,
    /// For each step of the ladder, the cells it opened and the mines among them.
    pub by_step: [(u32, u32); Step::ALL.len()],
    /// The slowest decision.
    pub slowest: Duration,
    /// Safe cells open at the end, those opened beforehand among them.
    pub opened: u32,
    /// Safe cells of the layout.
    pub safe: u32,
}

/// Plays `layout` to its end, or to the first hit under the classic rules.
///
/// `watch` sees every decision with the board it was made on, and whether it hit a mine.
pub fn play(
    layout: &Layout,
    rule: Rule,
    engine: &mut Engine,
    mut watch: impl FnMut(&Board, &Decision, bool),
) -> Trial {
    let mines = layout.mines.len() as u32;
    let mut referee = Referee::new(layout.field(), mines);
    let mut board = Board::new(layout.shape, mines);
    let mut trial = Trial { safe: layout.shape.len() as u32 - mines, ..Trial::default() };
    if rule == Rule::Classic {
        show(&mut board, referee.open_beforehand(layout.first));
    }
    // Under the classic rules the cell opened beforehand may end the game by itself; the official
    // judge looks only after an answer.
    let mut over = rule == Rule::Classic && referee.hidden_len() == mines as usize;
    let turn = Turn { deadlines: Deadlines::DEFAULT, clock: &NoClock };
    let mut safe: Vec<Cell> = Vec::new();
    while !over {
        let started = Instant::now();
        let Some(decision) = engine.decide(&board, turn) else { break };
        trial.slowest = trial.slowest.max(started.elapsed());
        safe.clear();
        safe.push(decision.cell());
        safe.extend_from_slice(engine.safe());
        let mut first = true;
        for &cell in &safe {
            if referee.is_open(cell) || over {
                continue;
            }
            let Ok(opened) = referee.open(cell) else { break };
            let hit = opened.hit;
            over = opened.ended || (hit && rule == Rule::Classic);
            if std::mem::take(&mut first) {
                watch(&board, &decision, hit);
            }
            show(&mut board, opened.changed);
            trial.turns += 1;
            trial.hits += u32::from(hit);
            trial.guesses += u32::from(!decision.by.is_proof());
            let (cells, mines) = &mut trial.by_step[decision.by as usize];
            *cells += 1;
            *mines += u32::from(hit);
        }
    }
    trial.won = trial.hits == 0;
    // What is not hidden is open: safe cells, and the mines that were hit.
    trial.opened = (layout.shape.len() - referee.hidden_len()) as u32 - trial.hits;
    trial
}

fn show(board: &mut Board, changed: &[(Cell, u8)]) {
    for &(cell, value) in changed {
        board.open(cell, CellState::from_value(Some(value.into())));
    }
}
