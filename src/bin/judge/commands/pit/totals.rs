//! The totals of a pit, to which boards are added one by one in the order of their seeds.
//!
//! Invariant: a board counts when every bot has played it, so that all figures are about the same
//! boards.

use super::journal::GameResult;
use super::sprt::{Measure, Sprt, Verdict};
use super::tally::{Pair, Tally};

/// What the boards so far add up to.
pub struct Totals {
    /// The totals of each bot.
    pub tallies: Vec<Tally>,
    /// The comparison of every two bots.
    pub pairs: Vec<Pair>,
    /// The sequential test of two bots, if one was asked for.
    pub sprt: Option<Sprt>,
    /// The boards that every bot has played.
    pub boards: usize,
    /// The games that came from the journal.
    pub resumed: usize,
    /// The mines of a board.
    mines: u32,
}

impl Totals {
    /// No boards yet, of `bots` bots on boards with `mines` mines.
    pub fn new(bots: usize, mines: u32, sprt: Option<Sprt>) -> Totals {
        Totals {
            tallies: (0..bots).map(|_| Tally::new()).collect(),
            pairs: Pair::all(bots, mines),
            sprt,
            boards: 0,
            resumed: 0,
            mines,
        }
    }

    /// Adds a board: one game of each bot.
    pub fn add(&mut self, board: &[GameResult]) {
        self.tallies.iter_mut().zip(board).for_each(|(tally, game)| tally.add(game));
        self.pairs.iter_mut().for_each(|pair| pair.add(board));
        self.boards += 1;
        if let Some(sprt) = &mut self.sprt {
            sprt.add(gain(sprt.measure(), board, self.mines));
        }
    }

    /// Whether the sequential test has accepted a hypothesis.
    pub fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.verdict() != Verdict::Open)
    }

    /// Whether no bot had a fault.
    pub fn is_faultless(&self) -> bool {
        self.tallies.iter().all(|tally| tally.faults.is_empty())
    }
}

/// By how much the second bot was better on a board.
fn gain(measure: Measure, board: &[GameResult], mines: u32) -> f64 {
    let (a, b) = (&board[0], &board[1]);
    match measure {
        Measure::Score => b.score - a.score,
        Measure::Mines => (b.score - a.score) * f64::from(mines) / 100.0,
        Measure::Clean => b.clean_percent() - a.clean_percent(),
    }
}
