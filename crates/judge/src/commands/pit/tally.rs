//! The figures of each bot, and of each two bots board by board.
//!
//! Boards are added one by one in the order of their seeds. Invariant: a board counts when every
//! bot has played it, so that all figures are about the same boards.

use std::collections::BTreeSet;

use serde::Serialize;

use super::sprt::{Sprt, SprtResult};
use crate::report::{MAX_SCORE, Paired, Tally, fewer_boards};
use crate::runner::bots::GameResult;

/// The most boards of a pair that are listed.
const MAX_LISTED: usize = 3;

/// What the boards so far add up to.
pub struct Totals {
    /// The totals of each bot.
    pub tallies: Vec<Tally>,
    /// The comparison of every two bots, in both orders.
    pub pairs: Vec<Pair>,
    /// The sequential test of two bots, if one was asked for.
    pub sprt: Option<Sprt>,
    /// The boards that every bot has played.
    pub boards: usize,
    /// The games that came from the journal.
    pub resumed: usize,
    /// Whether bots are ranked by adjusted scores.
    pub adjusted: bool,
}

impl Totals {
    /// No boards yet, of `bots` bots, where at most `mines` mines cost the whole score.
    pub fn new(bots: usize, mines: u32, adjusted: bool, sprt: Option<Sprt>) -> Totals {
        let tallies = (0..bots).map(|_| Tally::default()).collect();
        let pairs = Pair::all(bots, mines, adjusted);
        Totals { tallies, pairs, sprt, boards: 0, resumed: 0, adjusted }
    }

    /// Adds a board where `mines` mines cost the whole score: one game of each bot.
    pub fn add(&mut self, board: &[GameResult], mines: u32) {
        self.tallies.iter_mut().zip(board).for_each(|(tally, game)| tally.add(game, mines));
        self.pairs.iter_mut().for_each(|pair| pair.add(board, mines));
        self.boards += 1;
        self.resumed += board.iter().filter(|game| game.is_resumed).count();
        if let (Some(sprt), [a, b]) = (&mut self.sprt, board) {
            sprt.add(sprt.gain(a, b, mines), b.is_done());
        }
    }

    /// Whether the sequential test has accepted a hypothesis.
    pub fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.verdict() != SprtResult::Open)
    }

    /// Whether no bot had a fault.
    pub fn is_faultless(&self) -> bool {
        self.tallies.iter().all(|tally| tally.faults.is_empty())
    }

    /// The indices of the bots, the best first, and those without a finished game last; equal ones
    /// in the order in which they were given.
    pub fn ranking(&self) -> Vec<usize> {
        let score = |bot: usize| {
            let Tally { score, adjusted_score, .. } = &self.tallies[bot];
            if self.adjusted { adjusted_score.value() } else { score.value() }
        };
        let mut order: Vec<usize> = (0..self.tallies.len()).collect();
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        order.sort_by_key(|&bot| !self.tallies[bot].has_finished());
        order
    }
}

/// The scores of two bots on one board.
#[derive(Serialize)]
pub struct BoardScores {
    /// The seed, or the number of the board in its file.
    pub seed: i32,
    pub a: f64,
    pub b: f64,
}

/// The comparison of two bots.
pub struct Pair {
    /// The index of the first bot.
    pub a: usize,
    /// The index of the second bot.
    pub b: usize,
    pub score: Paired,
    pub adjusted_score: Paired,
    pub clean: Paired,
    /// The mines opened on the boards that both finished without a fault.
    pub mines: Paired,
    pub adjusted_mines: Paired,
    /// Whether the adjusted score decides which is better.
    adjusted: bool,
    /// The indices of those of the two that had a game without a fault.
    finished: BTreeSet<usize>,
    /// The boards with the largest differences of score, the largest first.
    pub extremes: Vec<BoardScores>,
}

impl Pair {
    /// Every two of `bots` bots in both orders, on boards with at most `mines` mines.
    fn all(bots: usize, mines: u32, adjusted: bool) -> Vec<Pair> {
        let pair = |a, b| Pair {
            a,
            b,
            score: Paired::values("score", 2, MAX_SCORE),
            adjusted_score: Paired::values("score, adjusted", 2, f64::INFINITY),
            clean: Paired::percent("clean %"),
            mines: Paired::mines("mines", mines.into()),
            adjusted_mines: Paired::mines("mines, adjusted", f64::INFINITY),
            adjusted,
            finished: BTreeSet::new(),
            extremes: Vec::new(),
        };
        let others = |a| (0..bots).filter(move |&b| b != a).map(move |b| pair(a, b));
        (0..bots).flat_map(others).collect()
    }

    /// The score that decides which is better.
    pub fn deciding(&self) -> &Paired {
        if self.adjusted { &self.adjusted_score } else { &self.score }
    }

    /// The index of the bot with the better score, if the interval of the difference excludes 0. A
    /// bot that had a fault in every game is not better.
    pub fn better(&self) -> Option<usize> {
        self.better_score().filter(|bot| self.finished.contains(bot))
    }

    /// The index of the bot with the better score, also if every game of it had a fault.
    pub fn better_score(&self) -> Option<usize> {
        self.deciding().better().map(|side| [self.a, self.b][side])
    }

    /// The factor by which adjusted scores need fewer boards.
    pub fn fewer_boards(&self) -> Option<f64> {
        fewer_boards(&self.score.difference, &self.adjusted_score.difference)
    }

    /// Adds a board: one game of each bot.
    fn add(&mut self, board: &[GameResult], mines: u32) {
        let games @ [a, b] = [&board[self.a], &board[self.b]];
        self.score.add(games.map(|game| Some(game.score)));
        let faulty = games.map(|game| !game.is_done());
        let adjusted = games.map(|game| game.adjusted_score(mines));
        self.adjusted_score.add_judged(adjusted, faulty);
        let bots = [self.a, self.b].into_iter().zip(faulty);
        self.finished.extend(bots.filter(|(_, is_faulty)| !is_faulty).map(|(bot, _)| bot));
        self.clean.add(games.map(|game| Some(game.clean_percent())));
        self.mines.add(games.map(|game| game.is_done().then_some(game.mines.into())));
        self.adjusted_mines.add(games.map(GameResult::adjusted_hits));
        if a.score != b.score {
            self.extremes.push(BoardScores { seed: a.seed, a: a.score, b: b.score });
            // A stable sort: of equal differences the first boards stay.
            let distance = |scores: &BoardScores| (scores.a - scores.b).abs();
            self.extremes.sort_by(|x, y| distance(y).total_cmp(&distance(x)));
            self.extremes.truncate(MAX_LISTED);
        }
    }
}
