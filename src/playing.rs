//! One game in thought: a layout played on by what is certain, and by the least odds where nothing is.
//!
//! [`crate::unfold`] opens what one and two numbers prove. What these leave is counted ([`crate::probability`]), which
//! finds all that is certain and the odds of the rest: so the game stops to guess at the very positions at which the
//! engine does, and only comes there sooner.
//!
//! What counting found is remembered by the cells and numbers that the game has shown: the games of one guess begin
//! alike, and every second position was met before.
//!
//! Invariant: games leave nothing behind but what counting found; in any order each comes to the same.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::board::Board;
use crate::budget::{Budget, Spent};
use crate::deduce::{Deducer, Reach};
use crate::draw::Urn;
use crate::engine::Turn;
use crate::geometry::Cell;
use crate::group::Position;
use crate::guess::{Choice, Objective, least_odds};
use crate::probability::Prober;
use crate::random::Random;
use crate::unfold::Unfolding;

/// How often a layout is drawn in which a cell is safe, before it is given up.
const MOST_DRAWS: usize = 1000;

/// What games cost, in nodes: a begin for each cell of the field, a start besides a node for each of its places, opening
/// a cell or comparing a number with those around it, looking a position up, and counting it, for each place, each
/// hidden cell and each number, besides what counting takes itself.
///
/// Fitted to the time of games on 22 kinds of fields, from 8x8 to 200x200 cells of which 8 to 99 % are mines: so
/// charged, a node takes 0.6 to 1.1 ns on each of them.
pub const NODES_A_BEGIN: u64 = 100;
const NODES_A_START: u64 = 500;
const NODES_A_STEP: u64 = 20;
const NODES_A_LOOK: u64 = 80;
const NODES_A_PLACE: u64 = 1;
const NODES_A_CELL: u64 = 5;
const NODES_A_NUMBER: u64 = 200;

/// Positions that are remembered, and cells that are certain in them: a few megabytes each.
const MOST_REMEMBERED: usize = 50_000;
const MOST_CERTAIN: usize = 1_000_000;

/// A game could not be played to its end: no time, no nodes, or no exact odds.
#[derive(Debug)]
pub struct Stopped;

impl From<Spent> for Stopped {
    fn from(_: Spent) -> Stopped {
        Stopped
    }
}

/// Where layouts come from, and the last one drawn.
#[derive(Default)]
pub struct Source {
    /// What is drawn from.
    pub urn: Urn,
    /// The mines of the last layout.
    pub mines: Vec<Cell>,
}

impl Source {
    /// Draws a layout of the last run of `prober`.
    ///
    /// # Errors
    /// [`Stopped`] where that was not exact, or `budget` has no node left for every mine.
    pub fn draw(
        &mut self,
        prober: &Prober,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<(), Stopped> {
        let found = prober.draw(&mut self.urn, random, &mut self.mines);
        budget.spend(self.mines.len() as u64)?;
        if found { Ok(()) } else { Err(Stopped) }
    }

    /// Draws until `cell` is safe.
    ///
    /// # Errors
    /// [`Stopped`] where that was not exact, `cell` is hardly ever safe, or `budget` has no node left for every mine.
    pub fn draw_safe(
        &mut self,
        prober: &Prober,
        cell: Cell,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<(), Stopped> {
        for _ in 0..MOST_DRAWS {
            self.draw(prober, random, budget)?;
            if !self.mines.contains(&cell) {
                return Ok(());
            }
        }
        Err(Stopped)
    }
}

/// What counting found of a position: cells that are certain, as places in one list, and where none is safe the guess.
#[derive(Clone, Copy)]
struct Found {
    first_mine: usize,
    first_safe: usize,
    end: usize,
    guess: Option<Choice>,
}

/// Takes a number for its own hash: those of positions are mixed already.
#[derive(Default)]
struct Plain(u64);

impl Hasher for Plain {
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
pub struct Player {
    objective: Objective,
    game: Unfolding,
    /// By [`Unfolding::name`].
    found: HashMap<u64, Found, BuildHasherDefault<Plain>>,
    /// The cells that `found` speaks of.
    certain: Vec<Cell>,
    most_remembered: usize,
    position: Position,
    deducer: Deducer,
    prober: Prober,
    source: Source,
}

impl Player {
    /// A player for `objective`.
    pub fn new(objective: Objective) -> Player {
        Player {
            objective,
            game: Unfolding::default(),
            found: HashMap::default(),
            certain: Vec::new(),
            most_remembered: MOST_REMEMBERED,
            position: Position::default(),
            deducer: Deducer::default(),
            prober: Prober::default(),
            source: Source::default(),
        }
    }

    /// The same player with room for fewer positions.
    pub fn remembering(self, most_remembered: usize) -> Player {
        Player { most_remembered, ..self }
    }

    /// All games begin on `board`, as [`Unfolding::begin`] has it.
    pub fn begin(&mut self, board: &Board, mines: &[Cell]) {
        self.game.begin(board, mines);
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
    /// [`Stopped`] where the game is too long for `budget`.
    pub fn play(
        &mut self,
        cell: Cell,
        mines: &[Cell],
        random: &mut Random,
        (turn, budget): (Turn, &mut Budget),
    ) -> Result<f64, Stopped> {
        budget.spend(NODES_A_START + self.game.start(mines) as u64)?;
        self.game.open(cell);
        let (mut hits, mut survived) = (0.0, 1.0);
        loop {
            self.game.settle();
            budget.spend(NODES_A_STEP * self.game.steps())?;
            if self.game.is_over() {
                break;
            }
            if !turn.may_start() {
                return Err(Stopped);
            }
            let (guess, is_counted) = self.look(budget)?;
            let Some(Choice { cell, odds, .. }) = guess else { continue };
            hits += odds;
            survived *= 1.0 - odds;
            if self.objective == Objective::CleanWin && self.game.is_mine(cell) {
                if !is_counted {
                    self.count(budget)?;
                }
                budget.spend(NODES_A_CELL * self.position.hidden.len() as u64)?;
                self.prober.fill(&self.position, &self.deducer, &mut self.source.urn);
                self.source.draw_safe(&self.prober, cell, random, budget)?;
                self.game.lay_again(&self.position.hidden, &self.source.mines);
            }
            self.game.open(cell);
        }
        Ok(match self.objective {
            Objective::FewestHits => hits,
            Objective::CleanWin => 1.0 - survived,
        })
    }

    /// Opens what counting proves safe, or else names the guess; also says whether the position was counted now, and not
    /// remembered.
    fn look(&mut self, budget: &mut Budget) -> Result<(Option<Choice>, bool), Stopped> {
        budget.spend(NODES_A_LOOK)?;
        let name = self.game.name();
        let known = self.found.get(&name).copied();
        let found = match known {
            Some(found) => found,
            None => {
                self.count(budget)?;
                if self.found.len() >= self.most_remembered || self.certain.len() > MOST_CERTAIN {
                    self.forget();
                }
                let found = self.read();
                self.found.insert(name, found);
                found
            }
        };
        let certain = &self.certain[found.first_mine..found.end];
        let (mines, safe) = certain.split_at(found.first_safe - found.first_mine);
        mines.iter().for_each(|&mine| self.game.mark_mine(mine));
        safe.iter().for_each(|&cell| self.game.open(cell));
        Ok((found.guess, known.is_none()))
    }

    /// Counts what the rules leave.
    fn count(&mut self, budget: &mut Budget) -> Result<(), Stopped> {
        let Player { game, position, deducer, prober, .. } = self;
        game.position_into(position).map_err(|_| Stopped)?;
        let (cells, numbers) = (position.hidden.len() as u64, position.premises.len() as u64);
        let places = position.universe as u64;
        budget.spend(NODES_A_PLACE * places + NODES_A_CELL * cells + NODES_A_NUMBER * numbers)?;
        deducer.run_within(position, Reach::FixedPoint, budget).map_err(|_| Stopped)?;
        let odds = prober.run(position, deducer, budget).map_err(|_| Stopped)?;
        odds.ln_layouts().map(|_| ()).ok_or(Stopped)
    }

    /// What the last count found.
    fn read(&mut self) -> Found {
        let odds = self.prober.odds();
        let first_mine = self.certain.len();
        self.certain.extend_from_slice(odds.mines());
        let first_safe = self.certain.len();
        self.certain.extend_from_slice(odds.safe());
        let cells = || self.position.hidden.iter().copied();
        let guess = if odds.safe().is_empty() {
            least_odds(cells, odds, |cell| self.game.hidden_around(cell))
        } else {
            None
        };
        Found { first_mine, first_safe, end: self.certain.len(), guess }
    }
}
