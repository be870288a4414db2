//! One game in thought: a layout played on by what is certain, and by a guess where nothing is.
//!
//! [`crate::search::rollout::game`] opens what one and two numbers prove. What these leave is counted ([`crate::search::rollout::policy`]), which
//! finds all that is certain and the odds of the rest: so the game stops to guess at the very positions at which the
//! engine does, and only comes there sooner.
//!
//! What was found is remembered by the cells and numbers that the game has shown: the games of one guess begin
//! alike, and every second position was met before. So it pays to think where a game comes by again. The first that
//! comes to a position guesses by least odds, the second by two moves, and all after it do as that one did. Where few
//! layouts are left a game ends, with what optimal play costs.
//!
//! Invariant: games leave nothing behind but what was found of the positions that they met; by odds alone, in any order
//! each comes to the same.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::base::budget::Budget;
use crate::base::objective::Objective;
use crate::base::params::PlayoutSettings;
use crate::base::rng::Random;
use crate::board::Board;
use crate::board::geometry::Cell;
use crate::probability::sampler::PlayoutAborted;
use crate::search::guess::Choice;
use crate::search::rollout::game::SimulatedGame;
use crate::search::rollout::policy::PlayoutPolicy;

/// What games cost, in nodes: a begin for each cell of the field, a start besides a node for each of its places, opening
/// a cell or comparing a number with those around it, and looking a position up. What [`crate::search::rollout::policy`] does is paid there.
///
/// Fitted to the time of games on 22 kinds of fields, from 8x8 to 200x200 cells of which 8 to 99 % are mines: so
/// charged, a node of games by least odds takes 0.6 to 1.1 ns on each of them; two moves and the endgame, which are paid
/// by what counting and solving are paid anywhere, up to half as much again.
pub const NODES_PER_BEGIN: u64 = 100;
const NODES_PER_START: u64 = 500;
const NODES_PER_STEP: u64 = 20;
const NODES_PER_LOOK: u64 = 80;

/// Positions that are remembered, and cells that are certain in them: a few megabytes each.
const MOST_REMEMBERED: usize = 50_000;
const MOST_CERTAIN: usize = 1_000_000;

/// What was found of a position: cells that are certain, as places in one list, and how a game goes on.
#[derive(Clone, Copy)]
struct Found {
    first_mine: usize,
    first_safe: usize,
    end: usize,
    continuation: Continuation,
}

/// How a game goes on from a position.
#[derive(Clone, Copy)]
enum Continuation {
    /// With the cells that are safe.
    Safe,
    /// With a guess by odds. So many games have come by before.
    ByOdds(Choice, u32),
    /// With a guess by two moves, or by odds for good.
    Guess(Choice),
    /// Not at all: what is still to be paid is known.
    Solved(f64),
}

/// Takes a number for its own hash: those of positions are mixed already.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Plays one game after another, reusing its memory.
pub struct PlayoutRunner {
    objective: Objective,
    game: SimulatedGame,
    /// By [`SimulatedGame::position_key`].
    found: HashMap<u64, Found, BuildHasherDefault<IdentityHasher>>,
    /// The cells that `found` speaks of.
    certain: Vec<Cell>,
    most_remembered: usize,
    adviser: PlayoutPolicy,
    play: PlayoutSettings,
}

impl PlayoutRunner {
    /// A player for `objective`, who guesses as `play` says.
    pub fn new(objective: Objective, play: PlayoutSettings) -> PlayoutRunner {
        PlayoutRunner {
            objective,
            game: SimulatedGame::default(),
            found: HashMap::default(),
            certain: Vec::new(),
            most_remembered: MOST_REMEMBERED,
            adviser: PlayoutPolicy::new(objective),
            play,
        }
    }

    /// The same player with room for fewer positions.
    pub fn remembering(self, most_remembered: usize) -> PlayoutRunner {
        PlayoutRunner { most_remembered, ..self }
    }

    /// All games begin on `board`, as [`SimulatedGame::begin`] has it.
    pub fn begin(&mut self, board: &Board, mines: &[Cell]) {
        self.game.begin(board, mines);
        self.adviser.begin(board);
        self.forget();
    }

    fn forget(&mut self) {
        self.found.clear();
        self.certain.clear();
    }

    /// What is still to be paid after the undecided `cell` is opened under the layout with these hidden `mines`:
    /// mines, or the chance to lose.
    ///
    /// # Errors
    /// [`PlayoutAborted`] where the game is too long for `budget`.
    pub fn play(
        &mut self,
        cell: Cell,
        mines: &[Cell],
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<f64, PlayoutAborted> {
        budget.spend(NODES_PER_START + self.game.start(mines) as u64)?;
        self.game.open(cell);
        let (mut hits, mut survived) = (0.0, 1.0);
        loop {
            self.game.propagate();
            budget.spend(NODES_PER_STEP * self.game.steps())?;
            if self.game.is_over() {
                break;
            }
            if !budget.may_start() {
                return Err(PlayoutAborted);
            }
            let (continuation, is_counted) = self.expand(budget)?;
            match continuation {
                Continuation::Safe => {}
                Continuation::Solved(cost) => {
                    hits += cost;
                    survived *= 1.0 - cost;
                    break;
                }
                Continuation::ByOdds(Choice { cell, odds, .. }, _)
                | Continuation::Guess(Choice { cell, odds, .. }) => {
                    hits += odds;
                    survived *= 1.0 - odds;
                    if self.objective == Objective::CleanWin && self.game.is_mine(cell) {
                        if !is_counted {
                            self.adviser.count(&self.game, budget)?;
                        }
                        self.adviser.resample(&mut self.game, cell, random, budget)?;
                    }
                    self.game.open(cell);
                }
            }
        }
        Ok(match self.objective {
            Objective::FewestHits => hits,
            Objective::CleanWin => 1.0 - survived,
        })
    }

    /// Opens what counting proves safe, and says how the game goes on; also whether the position was counted now, and
    /// not remembered.
    fn expand(&mut self, budget: &mut Budget) -> Result<(Continuation, bool), PlayoutAborted> {
        budget.spend(NODES_PER_LOOK)?;
        let name = self.game.position_key();
        let known = self.found.get(&name).copied();
        let mut is_counted = known.is_none();
        let mut found = match known {
            Some(found) => found,
            None => {
                self.adviser.count(&self.game, budget)?;
                if self.found.len() >= self.most_remembered || self.certain.len() > MOST_CERTAIN {
                    self.forget();
                }
                self.evaluate(budget)?
            }
        };
        if let Continuation::ByOdds(choice, before) = found.continuation {
            let is_due = before >= self.play.visits_before_two_ply;
            if is_due && !is_counted {
                self.adviser.count(&self.game, budget)?;
                is_counted = true;
            }
            found.continuation = if is_due {
                let most = self.play.candidates;
                let weighed = self.adviser.by_two_moves(&self.game, most, budget)?;
                Continuation::Guess(weighed.unwrap_or(choice))
            } else {
                Continuation::ByOdds(choice, before + 1)
            };
            self.found.insert(name, found);
        } else if is_counted {
            self.found.insert(name, found);
        }
        let certain = &self.certain[found.first_mine..found.end];
        let (mines, safe) = certain.split_at(found.first_safe - found.first_mine);
        mines.iter().for_each(|&mine| self.game.mark_mine(mine));
        safe.iter().for_each(|&cell| self.game.open(cell));
        Ok((found.continuation, is_counted))
    }

    /// What is to be remembered of the position that was counted last.
    fn evaluate(&mut self, budget: &mut Budget) -> Result<Found, PlayoutAborted> {
        let odds = self.adviser.odds();
        let first_mine = self.certain.len();
        self.certain.extend_from_slice(odds.mines());
        let first_safe = self.certain.len();
        self.certain.extend_from_slice(odds.safe());
        let end = self.certain.len();
        let continuation = if first_safe < end {
            Continuation::Safe
        } else if let Some(cost) =
            self.adviser.solved(&self.game, self.play.endgame_layouts, budget)?
        {
            Continuation::Solved(cost)
        } else {
            match self.adviser.by_odds(&self.game) {
                Some(choice) if self.play.candidates > 0 => Continuation::ByOdds(choice, 0),
                Some(choice) => Continuation::Guess(choice),
                None => Continuation::Safe,
            }
        };
        Ok(Found { first_mine, first_safe, end, continuation })
    }
}
