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

use std::collections::hash_map::Entry;

use crate::board::Board;
use crate::board::geometry::Cell;
use crate::kit::key_map::KeyMap;
use crate::search::guess::Guess;
use crate::search::rollout::game::SimulatedGame;
use crate::search::rollout::policy::{CountedGame, PlayoutPolicy};
use crate::settings::budget::{Budget, BudgetExhausted};
use crate::settings::params::{Objective, PlayoutSettings};

/// Nodes that beginning on a board costs for each of its cells.
pub const NODES_PER_BEGIN: u64 = 100;
/// Nodes of the start of a playout, besides one for each index of the padded grid.
const NODES_PER_START: u64 = 500;
/// Nodes of opening a cell, or of comparing a number with those around it.
const NODES_PER_STEP: u64 = 40;
/// Nodes of a lookup in the cache. The policy charges its own work. All of these are fitted to the
/// time of playouts on many kinds of fields, so that a node takes about 1 ns (results page, R21).
const NODES_PER_LOOKUP: u64 = 600;

/// Cells that are certain in the positions of the cache: a few megabytes.
const MAX_CERTAIN: usize = 1_000_000;

/// What was found in a position.
struct CachedPosition {
    mines: Box<[Cell]>,
    safe: Box<[Cell]>,
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

/// The positions met in the playouts of one guess.
#[derive(Default)]
struct Cache {
    /// By [`SimulatedGame::position_key`].
    positions: KeyMap<u64, CachedPosition>,
    /// The number of certain cells of all positions.
    certain_len: usize,
}

impl Cache {
    fn clear(&mut self) {
        self.positions.clear();
        self.certain_len = 0;
    }

    /// Looks the position of `game` up, or counts and evaluates it; opens the cells that it proves
    /// safe. Returns how to continue, and the counted position unless it was cached.
    fn expand<'p>(
        &mut self,
        game: &mut SimulatedGame,
        policy: &'p mut PlayoutPolicy,
        settings: &PlayoutSettings,
        budget: &mut Budget,
    ) -> Result<(Continuation, Option<CountedGame<'p>>), BudgetExhausted> {
        budget.spend(NODES_PER_LOOKUP)?;
        let key = game.position_key();
        let is_full = self.positions.len() >= settings.max_cached || self.certain_len > MAX_CERTAIN;
        if is_full && !self.positions.contains_key(&key) {
            self.clear();
        }
        let is_due = |visits| visits >= settings.visits_before_two_ply;
        let (position, mut counted) = match self.positions.entry(key) {
            Entry::Vacant(entry) => {
                let mut counted = policy.count(game, budget)?;
                let position = evaluate(game, &mut counted, settings, budget)?;
                self.certain_len += position.mines.len() + position.safe.len();
                (entry.insert(position), Some(counted))
            }
            Entry::Occupied(entry) => match entry.get().continuation {
                Continuation::ByOdds { visits, .. } if is_due(visits) => {
                    (entry.into_mut(), Some(policy.count(game, budget)?))
                }
                _ => (entry.into_mut(), None),
            },
        };
        if let Continuation::ByOdds { guess, visits } = position.continuation {
            position.continuation = match &mut counted {
                Some(counted) if is_due(visits) => {
                    let two_ply = counted.guess_by_two_ply(game, settings.candidates, budget)?;
                    Continuation::Guess(two_ply.unwrap_or(guess))
                }
                _ => Continuation::ByOdds { guess, visits: visits + 1 },
            };
        }
        position.mines.iter().for_each(|&mine| game.mark_mine(mine));
        position.safe.iter().for_each(|&cell| game.open(cell));
        Ok((position.continuation, counted))
    }
}

/// What is certain in a counted position, and how to continue from it.
fn evaluate(
    game: &SimulatedGame,
    counted: &mut CountedGame,
    settings: &PlayoutSettings,
    budget: &mut Budget,
) -> Result<CachedPosition, BudgetExhausted> {
    let (mines, safe): (Box<[Cell]>, Box<[Cell]>) =
        (counted.odds().mines().into(), counted.odds().safe().into());
    let continuation = if !safe.is_empty() {
        Continuation::Safe
    } else if let Some(cost) = counted.solve(game, settings.endgame_layouts, budget)? {
        Continuation::Solved(cost)
    } else {
        match counted.guess_by_odds(game) {
            Some(guess) if settings.candidates > 0 => Continuation::ByOdds { guess, visits: 0 },
            Some(guess) => Continuation::Guess(guess),
            None => Continuation::Safe,
        }
    };
    Ok(CachedPosition { mines, safe, continuation })
}

/// Runs one playout after another; its memory is reused.
pub struct PlayoutRunner {
    objective: Objective,
    settings: PlayoutSettings,
    game: SimulatedGame,
    policy: PlayoutPolicy,
    cache: Cache,
}

impl PlayoutRunner {
    /// Plays for `objective`; guesses as `settings` say.
    pub fn new(objective: Objective, settings: PlayoutSettings) -> PlayoutRunner {
        PlayoutRunner {
            objective,
            settings,
            game: SimulatedGame::default(),
            policy: PlayoutPolicy::new(objective),
            cache: Cache::default(),
        }
    }

    /// Sets the board on which all playouts begin, with its proven `mines`, as
    /// [`SimulatedGame::begin`] requires them.
    pub fn begin(&mut self, board: &Board, mines: &[Cell]) {
        self.game.begin(board, mines);
        self.policy.begin(board);
        self.cache.clear();
    }

    /// The cost of the rest of the game after the undecided `cell` is opened under the layout with
    /// these hidden `mines`: an expected number of mines, or the probability to lose.
    ///
    /// Where a guess hits, the layout is drawn again by random numbers that follow from the seed
    /// and the cell. So playouts with the same seed mostly continue alike.
    ///
    /// # Errors
    /// [`BudgetExhausted`] where the playout is too long for `budget`.
    pub fn play(
        &mut self,
        cell: Cell,
        mines: &[Cell],
        seed: u64,
        budget: &mut Budget,
    ) -> Result<f64, BudgetExhausted> {
        let PlayoutRunner { objective, settings, game, policy, cache } = self;
        budget.spend(NODES_PER_START + game.start(mines) as u64)?;
        game.open(cell);
        let (mut hits, mut survival) = (0.0, 1.0);
        loop {
            game.propagate();
            budget.spend(NODES_PER_STEP * game.steps())?;
            if game.is_over() {
                break;
            }
            if !budget.may_start() {
                return Err(BudgetExhausted);
            }
            let (continuation, counted) = cache.expand(game, policy, settings, budget)?;
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
                    if *objective == Objective::CleanWin && game.is_mine(cell) {
                        let counted = match counted {
                            Some(counted) => counted,
                            None => policy.count(game, budget)?,
                        };
                        counted.resample(game, cell, seed, budget)?;
                    }
                    game.open(cell);
                }
            }
        }
        Ok(match objective {
            Objective::FewestHits => hits,
            Objective::CleanWin => 1.0 - survival,
        })
    }
}
