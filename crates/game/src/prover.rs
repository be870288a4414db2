//! Which cells a player of a given skill proves safe, and how far that leads on a field.
//!
//! | level of proof | proves by |
//! |---|---|
//! | `numbers` | one number or two at once; the mine count only where all mines are found |
//! | `groups` | derived groups of cells too, and the number of mines left |
//! | `counting` | all layouts: every cell that is safe in each of them |
//!
//! The proofs are those of the bot: its propagation, its group deduction and its counting.
//!
//! Invariant: each level proves all that the level before it proves, and a cell called safe is safe
//! in every layout that fits the numbers. The result depends on the field, the first cell and the
//! level alone: no clock ends a step, and a component that is too large to count proves nothing.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

use super::field::Field;
use super::referee::{Referee, show};
use sapper::board::Board;
use sapper::board::geometry::Cell;
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::deduction::propagation::incremental::IncrementalDeducer;
use sapper::kit::text::position_of_name;
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;
use sapper::settings::params::COUNT_NODES;

/// What a player uses to prove a cell safe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ProofLevel {
    /// One number or two at once.
    Numbers,
    /// Derived groups of cells too, and the mines left.
    Groups,
    /// All layouts.
    Counting,
}

impl ProofLevel {
    /// All levels, the easiest first.
    pub const ALL: [ProofLevel; 3] =
        [ProofLevel::Numbers, ProofLevel::Groups, ProofLevel::Counting];

    /// Its name in requests and links.
    pub fn name(self) -> &'static str {
        match self {
            ProofLevel::Numbers => "numbers",
            ProofLevel::Groups => "groups",
            ProofLevel::Counting => "counting",
        }
    }
}

impl fmt::Display for ProofLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ProofLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<ProofLevel, String> {
        let names = ProofLevel::ALL.map(ProofLevel::name);
        position_of_name(&names, text).map(|position| ProofLevel::ALL[position])
    }
}

impl<'de> Deserialize<'de> for ProofLevel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ProofLevel, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Proves cells safe at one level, on one board after another.
pub struct Prover {
    level: ProofLevel,
    incremental: IncrementalDeducer,
    deducer: Deducer,
    solver: ProbabilitySolver,
    /// The hidden cells of the last board that are proven safe.
    safe: Vec<Cell>,
    /// The hidden cells of the last board that are proven mines, as far as the proofs went.
    mines: Vec<Cell>,
}

/// How far the proofs lead from the first cell.
pub struct Reached {
    /// The board when nothing more is proven.
    pub board: Board,
    /// The number of cells that the first click opened.
    pub first_opening: usize,
    /// Whether all safe cells are open.
    pub is_solved: bool,
}

impl Prover {
    /// A prover of this level.
    pub fn new(level: ProofLevel) -> Prover {
        Prover {
            level,
            incremental: IncrementalDeducer::default(),
            deducer: Deducer::default(),
            solver: ProbabilitySolver::default(),
            safe: Vec::new(),
            mines: Vec::new(),
        }
    }

    /// The hidden cells of `board` that the easiest sufficient proof shows to be safe. None where
    /// nothing is proven at this level, or the numbers contradict each other.
    pub fn prove(&mut self, board: &Board) -> &[Cell] {
        self.mines.clear();
        self.safe.clear();
        self.safe.extend_from_slice(self.incremental.update(board));
        if !self.safe.is_empty() {
            return &self.safe;
        }
        let Some(position) = self.incremental.position(board) else { return &self.safe };
        self.mines.extend_from_slice(&position.known_mines);
        if self.mines.len() == position.mines as usize {
            // They are in row-major order.
            let is_other = |cell: &Cell| self.mines.binary_search(cell).is_err();
            self.safe.extend(board.hidden().filter(is_other));
        }
        if self.level == ProofLevel::Numbers || !self.safe.is_empty() {
            return &self.safe;
        }
        let Prover { level, deducer, solver, safe, mines, .. } = self;
        let Ok(deduced) = deducer.run(&position, Reach::FixedPoint) else { return safe };
        safe.extend_from_slice(deduced.safe());
        mines.clear();
        mines.extend_from_slice(deduced.mines());
        if *level == ProofLevel::Groups || !safe.is_empty() {
            return safe;
        }
        let mut budget = Budget::of_nodes(COUNT_NODES);
        let Ok(counted) = solver.run(deduced, &mut budget) else { return safe };
        safe.extend_from_slice(counted.odds().safe());
        mines.clear();
        mines.extend_from_slice(counted.odds().mines());
        safe
    }

    /// The hidden cells of the last board that are proven mines. Complete at this level only if no
    /// cell was proven safe.
    pub fn mines(&self) -> &[Cell] {
        &self.mines
    }

    /// Opens `first`, and then what is proven safe, as far as that leads.
    pub fn play(&mut self, field: &Field, first: Cell) -> Reached {
        let mine_count = field.mines().count() as u32;
        let mut board = Board::new(field.shape(), mine_count);
        let mut referee = Referee::new(field.clone(), mine_count);
        let mut first_opening = 0;
        let mut to_open = vec![first];
        while !to_open.is_empty() {
            for &cell in &to_open {
                if referee.is_open(cell) {
                    continue;
                }
                let changed = referee.open_beforehand(cell);
                show(&mut board, changed);
                first_opening = if first_opening == 0 { changed.len() } else { first_opening };
            }
            to_open.clear();
            if board.hidden_len() > mine_count as usize {
                to_open.extend_from_slice(self.prove(&board));
            }
        }
        let is_solved = board.hits() == 0 && board.hidden_len() == mine_count as usize;
        Reached { board, first_opening, is_solved }
    }
}
