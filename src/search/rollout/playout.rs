//! One playout: a layout played to the end of the game.
//!
//! [`crate::search::rollout::game`] opens what one and two numbers prove. What these leave is
//! counted by [`crate::search::rollout::policy`], which finds all that is certain and the odds of
//! the rest. So a playout guesses at the very positions at which the engine does, and reaches them
//! faster.
//!
//! What was found in a position is cached under the cells and numbers that the playout has shown:
//! the playouts of one guess begin alike, and many positions are met again. Effort pays there: the
//! first visit plays the cell of lowest odds, a later one runs the two-ply look-ahead, whose result
//! is cached. Where few layouts are left the playout ends with the cost of optimal play.
//!
//! Invariant: nothing but the cache survives a playout. With guesses by odds alone, the cost of a
//! playout does not depend on those before it.
//!
//! Cost: what changes on the board, one lookup for each position, and the policy's work in the
//! positions that are not in the cache.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::base::budget::Budget;
use crate::base::objective::Objective;
use crate::base::params::PlayoutSettings;
use crate::base::rng::Random;
use crate::board::Board;
use crate::board::geometry::Cell;
use crate::probability::sampler::PlayoutAborted;
use crate::search::guess::Guess;
use crate::search::rollout::game::SimulatedGame;
use crate::search::rollout::policy::PlayoutPolicy;

/// Nodes that beginning on a board costs for each of its cells.
pub const NODES_PER_BEGIN: u64 = 100;
/// Nodes of the start of a playout, besides one for each index of the padded grid.
const NODES_PER_START: u64 = 500;
/// Nodes of opening a cell, or of comparing a number with those around it.
const NODES_PER_STEP: u64 = 20;
/// Nodes of a lookup in the cache. The policy charges its own work. All of these are fitted to the
/// time of playouts on many kinds of fields, so that a node takes about 1 ns (results page, R21).
const NODES_PER_LOOKUP: u64 = 80;

/// Positions in the cache, and cells that are certain in them: a few megabytes each.
const MAX_CACHED: usize = 50_000;
const MAX_CERTAIN: usize = 1_000_000;

/// What was found in a position. Its certain cells are a slice of [`PlayoutRunner::certain`]: the
/// mines from `mines_start`, then the safe cells from `safe_start` to `end`.
#[derive(Clone, Copy)]
struct CachedPosition {
    mines_start: usize,
    safe_start: usize,
    end: usize,
    continuation: Continuation,
}

/// How a playout continues from a position.
#[derive(Clone, Copy)]
enum Continuation {
    /// With the safe cells.
    Safe,
    /// With a guess by odds, which a two-ply look-ahead may replace after so many visits.
    ByOdds { guess: Guess, visits: u32 },
    /// With this guess on every visit.
    Guess(Guess),
    /// Not at all: the cost of the rest of the game is known.
    Solved(f64),
}

/// The result of [`PlayoutRunner::expand`].
struct Expanded {
    continuation: Continuation,
    /// Whether the policy has counted this position; it was cached otherwise.
    is_counted: bool,
}

/// A hasher that returns the key itself: keys of positions are mixed already.
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

/// Runs one playout after another; its memory is reused.
pub struct PlayoutRunner {
    objective: Objective,
    settings: PlayoutSettings,
    game: SimulatedGame,
    policy: PlayoutPolicy,
    /// By [`SimulatedGame::position_key`].
    cache: HashMap<u64, CachedPosition, BuildHasherDefault<IdentityHasher>>,
    /// The certain cells of all cached positions.
    certain: Vec<Cell>,
    max_cached: usize,
}

impl PlayoutRunner {
    /// Plays for `objective`; guesses as `settings` say.
    pub fn new(objective: Objective, settings: PlayoutSettings) -> PlayoutRunner {
        PlayoutRunner {
            objective,
            settings,
            game: SimulatedGame::default(),
            policy: PlayoutPolicy::new(objective),
            cache: HashMap::default(),
            certain: Vec::new(),
            max_cached: MAX_CACHED,
        }
    }

    /// The same runner with room for at most so many positions.
    pub fn with_cache_size(self, max_cached: usize) -> PlayoutRunner {
        PlayoutRunner { max_cached, ..self }
    }

    /// Sets the board on which all playouts begin, with its proven `mines`, as
    /// [`SimulatedGame::begin`] requires them.
    pub fn begin(&mut self, board: &Board, mines: &[Cell]) {
        self.game.begin(board, mines);
        self.policy.begin(board);
        self.clear_cache();
    }

    fn clear_cache(&mut self) {
        self.cache.clear();
        self.certain.clear();
    }

    /// The cost of the rest of the game after the undecided `cell` is opened under the layout with
    /// these hidden `mines`: an expected number of mines, or the probability to lose.
    ///
    /// # Errors
    /// [`PlayoutAborted`] where the playout is too long for `budget`.
    pub fn play(
        &mut self,
        cell: Cell,
        mines: &[Cell],
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<f64, PlayoutAborted> {
        budget.spend(NODES_PER_START + self.game.start(mines) as u64)?;
        self.game.open(cell);
        let (mut hits, mut survival) = (0.0, 1.0);
        loop {
            self.game.propagate();
            budget.spend(NODES_PER_STEP * self.game.steps())?;
            if self.game.is_over() {
                break;
            }
            if !budget.may_start() {
                return Err(PlayoutAborted);
            }
            let Expanded { continuation, is_counted } = self.expand(budget)?;
            match continuation {
                Continuation::Safe => {}
                Continuation::Solved(cost) => {
                    hits += cost;
                    survival *= 1.0 - cost;
                    break;
                }
                Continuation::ByOdds { guess: Guess { cell, odds, .. }, .. }
                | Continuation::Guess(Guess { cell, odds, .. }) => {
                    hits += odds;
                    survival *= 1.0 - odds;
                    if self.objective == Objective::CleanWin && self.game.is_mine(cell) {
                        if !is_counted {
                            self.policy.count(&self.game, budget)?;
                        }
                        self.policy.resample(&mut self.game, cell, random, budget)?;
                    }
                    self.game.open(cell);
                }
            }
        }
        Ok(match self.objective {
            Objective::FewestHits => hits,
            Objective::CleanWin => 1.0 - survival,
        })
    }

    /// Looks the position up, or counts and evaluates it; opens the cells that it proves safe.
    fn expand(&mut self, budget: &mut Budget) -> Result<Expanded, PlayoutAborted> {
        budget.spend(NODES_PER_LOOKUP)?;
        let key = self.game.position_key();
        let cached = self.cache.get(&key).copied();
        let mut is_counted = cached.is_none();
        let mut position = match cached {
            Some(position) => position,
            None => {
                self.policy.count(&self.game, budget)?;
                if self.cache.len() >= self.max_cached || self.certain.len() > MAX_CERTAIN {
                    self.clear_cache();
                }
                self.evaluate(budget)?
            }
        };
        if let Continuation::ByOdds { guess, visits } = position.continuation {
            let is_due = visits >= self.settings.visits_before_two_ply;
            if is_due && !is_counted {
                self.policy.count(&self.game, budget)?;
                is_counted = true;
            }
            position.continuation = if is_due {
                let max_candidates = self.settings.candidates;
                let two_ply = self.policy.guess_by_two_ply(&self.game, max_candidates, budget)?;
                Continuation::Guess(two_ply.unwrap_or(guess))
            } else {
                Continuation::ByOdds { guess, visits: visits + 1 }
            };
            self.cache.insert(key, position);
        } else if is_counted {
            self.cache.insert(key, position);
        }
        let certain = &self.certain[position.mines_start..position.end];
        let (mines, safe) = certain.split_at(position.safe_start - position.mines_start);
        mines.iter().for_each(|&mine| self.game.mark_mine(mine));
        safe.iter().for_each(|&cell| self.game.open(cell));
        Ok(Expanded { continuation: position.continuation, is_counted })
    }

    /// What is certain in the position that the policy has counted, and how to continue from it.
    fn evaluate(&mut self, budget: &mut Budget) -> Result<CachedPosition, PlayoutAborted> {
        let odds = self.policy.odds();
        let mines_start = self.certain.len();
        self.certain.extend_from_slice(odds.mines());
        let safe_start = self.certain.len();
        self.certain.extend_from_slice(odds.safe());
        let end = self.certain.len();
        let PlayoutSettings { endgame_layouts, candidates, .. } = self.settings;
        let continuation = if safe_start < end {
            Continuation::Safe
        } else if let Some(cost) = self.policy.solve(&self.game, endgame_layouts, budget)? {
            Continuation::Solved(cost)
        } else {
            match self.policy.guess_by_odds(&self.game) {
                Some(guess) if candidates > 0 => Continuation::ByOdds { guess, visits: 0 },
                Some(guess) => Continuation::Guess(guess),
                None => Continuation::Safe,
            }
        };
        Ok(CachedPosition { mines_start, safe_start, end, continuation })
    }
}
