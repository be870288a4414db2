//! Positions with a guess, and the slow twin of a playout: the engine, which starts anew at every
//! step.

use sapper::board::geometry::{Cell, Shape};
use sapper::board::text_format::BoardText;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::odds::Odds;
use sapper::probability::sampler::LayoutDraws;
use sapper::probability::solver::{Counted, ProbabilitySolver};
use sapper::search::CountedBoard;
use sapper::search::endgame::layouts::{Layouts, MINE};
use sapper::search::rollout::playout::PlayoutRunner;
use sapper::settings::budget::{Budget, Turn};
use sapper::settings::params::{Effort, EndgameLimits, Objective, PlayoutSettings, SearchLimits};

/// A turn without a deadline.
pub const TURN: Turn<'static> = Turn::UNTIMED;

/// Both objectives.
pub const OBJECTIVES: [Objective; 2] = [Objective::FewestHits, Objective::CleanWin];

/// A game that the engine plays on after hits, until an endgame is solved.
#[derive(Default)]
pub struct EngineGame {
    /// The odds of its guesses.
    pub odds: f64,
    /// The probability to survive them all.
    pub survival: f64,
    /// Mines opened.
    pub hits: u32,
    /// Whether the nodes of the endgame ended before the optimum was known.
    pub is_unproven: bool,
}

/// An engine that guesses by odds alone.
pub fn by_odds() -> Engine {
    let (endgame, tiny_field) = (EndgameLimits::NONE, EndgameLimits::NONE);
    let limits = SearchLimits {
        candidates: 0,
        endgame,
        tiny_field,
        opening_table: false,
        ..Effort::Fast.limits()
    };
    Engine::within(Objective::FewestHits, limits)
}

/// The game that begins with opening `cell`.
pub fn engine_game(engine: &mut Engine, board: &Board, mined: &[bool], cell: Cell) -> EngineGame {
    let mut board = board.clone();
    let hits = board.hits();
    crate::open(&mut board, mined, cell);
    let mut game = EngineGame { survival: 1.0, ..EngineGame::default() };
    while crate::has_safe_left(&board) {
        let decision = engine.decide(&board, TURN).unwrap();
        if decision.by.is_proof() {
            engine.safe().iter().for_each(|&cell| crate::open(&mut board, mined, cell));
        } else if let Some(best) = decision.solved {
            let cost = f64::from(best.cost) / f64::from(best.layouts);
            game.odds += cost;
            game.is_unproven = !best.is_proven;
            game.survival *= 1.0 - cost;
            break;
        } else {
            game.odds += decision.odds;
            game.survival *= 1.0 - decision.odds;
            crate::open(&mut board, mined, decision.cell());
        }
    }
    game.hits = board.hits() - hits;
    game
}

/// A board on which no cell is proven safe, with its counted layouts.
///
/// The memory is leaked, so that the results can be kept beside it.
pub struct GuessPosition {
    /// The board.
    pub board: &'static Board,
    /// Its layouts, counted.
    pub counted: Counted<'static>,
}

impl GuessPosition {
    /// Counts the layouts of a board that has no safe cell.
    pub fn new(board: Board) -> GuessPosition {
        let position = Box::leak(Box::new(board.position()));
        let solvers = Box::leak(Box::new((Deducer::default(), ProbabilitySolver::default())));
        let deduced = solvers.0.run(position, Reach::FixedPoint).unwrap();
        let counted = solvers.1.run(deduced, &mut Budget::unlimited()).unwrap();
        assert!(counted.odds().safe().is_empty(), "a guess");
        GuessPosition { board: Box::leak(Box::new(board)), counted }
    }

    /// The position of this text.
    pub fn parse(picture: &str) -> GuessPosition {
        let picture: BoardText = picture.parse().unwrap();
        GuessPosition::new(picture.board(picture.known_mines()).unwrap())
    }

    /// The board with its counts, as the search takes them.
    pub fn at(&self) -> CountedBoard<'static> {
        CountedBoard { board: self.board, counted: self.counted }
    }

    /// The odds of all hidden cells.
    pub fn odds(&self) -> &'static Odds {
        self.counted.odds()
    }

    /// A runner of playouts with the standard settings.
    pub fn runner(&self, objective: Objective) -> PlayoutRunner {
        self.runner_with(objective, PlayoutSettings::BY_ODDS)
    }

    /// A runner of playouts with these settings.
    pub fn runner_with(&self, objective: Objective, settings: PlayoutSettings) -> PlayoutRunner {
        let mut runner = PlayoutRunner::new(objective, settings);
        runner.begin(self.board, self.odds().mines());
        runner
    }

    /// Layouts drawn at random.
    pub fn draws(&self) -> LayoutDraws<'static> {
        LayoutDraws::new(self.counted)
    }

    /// Hidden cells that may be safe.
    pub fn openable(&self) -> Vec<Cell> {
        self.board.hidden().filter(|&cell| self.odds().of(cell) < 1.0).collect()
    }

    /// The hidden mines of every layout.
    pub fn layouts(&self) -> Vec<Vec<Cell>> {
        let undecided = self.counted.deduced().undecided();
        let mut budget = Budget::unlimited();
        let listed = Layouts::list(self.board, &undecided, 10_000, &mut budget).unwrap();
        let mines = |layout: usize| {
            let mined = |cell: &usize| listed.values(*cell)[layout] == MINE;
            let cells = (0..listed.cells().len()).filter(mined).map(|cell| listed.cells()[cell]);
            cells.chain(self.counted.deduced().mines().iter().copied()).collect()
        };
        (0..listed.len()).map(mines).collect()
    }

    /// What opening `cell` costs if `engine` plays on, as the mean over all layouts: mines, or the
    /// games lost.
    pub fn cost(&self, engine: &mut Engine, objective: Objective, cell: Cell) -> f64 {
        let layouts = self.layouts();
        let mut of_layout = |mines: &Vec<Cell>| {
            let (mined, mut board) = (self.field(mines), self.board.clone());
            crate::open(&mut board, &mined, cell);
            while crate::has_safe_left(&board) {
                let decision = engine.decide(&board, TURN).unwrap();
                crate::open(&mut board, &mined, decision.cell());
            }
            let hits = board.hits() - self.board.hits();
            if objective == Objective::CleanWin { hits.min(1) } else { hits }
        };
        f64::from(layouts.iter().map(&mut of_layout).sum::<u32>()) / layouts.len() as f64
    }

    /// All mines of a layout, those that were hit included, by cell.
    pub fn field(&self, mines: &[Cell]) -> Vec<bool> {
        let is_hit = |cell: &Cell| self.board.state(*cell) == CellState::Hit;
        let cells = self.board.shape().cells();
        cells.map(|cell| is_hit(&cell) || mines.contains(&cell)).collect()
    }
}

/// The cost of a playout without a node limit.
pub fn play(runner: &mut PlayoutRunner, cell: Cell, mines: &[Cell], seed: u64) -> f64 {
    runner.play(cell, mines, seed, &mut Budget::unlimited()).unwrap()
}

/// Boards on which the engine by odds has to guess, after a few guesses, some of which were hits.
pub fn guesses(random: &mut fastrand::Rng, boards: usize) -> Vec<GuessPosition> {
    let mut found = Vec::new();
    let mut engine = by_odds();
    while found.len() < boards {
        let shape = Shape::new(random.u64(1..=14), random.u64(1..=14)).unwrap();
        let mines = (shape.len() as f64 * [0.1, 0.2, 0.3, 0.6][random.usize(0..4)]) as usize;
        let mut mined = vec![false; shape.len()];
        random.choose_multiple(0..shape.len(), mines).into_iter().for_each(|at| mined[at] = true);
        let mut board = Board::new(shape, mines as u32);
        let mut left = random.usize(0..8);
        while crate::has_safe_left(&board) {
            let decision = engine.decide(&board, TURN).unwrap();
            if decision.by.is_proof() {
                engine.safe().iter().for_each(|&cell| crate::open(&mut board, &mined, cell));
            } else if left == 0 {
                found.push(GuessPosition::new(board));
                break;
            } else {
                left -= 1;
                crate::open(&mut board, &mined, decision.cell());
            }
        }
    }
    found
}

/// Positions with a guess, in the text format of a board.
pub const GUESSES: [&str; 4] = [
    "4 4 4\n2???\n????\n????\n????\n",
    "5 4 5\n?????\n?2???\n????1\n?????\n",
    "6 3 5\n??1???\n?3??2?\n??????\n",
    "5 4 6\n?!???\n?3???\n????2\n?????\n",
];

/// [`GUESSES`], each for both objectives.
pub fn guesses_of_both() -> impl Iterator<Item = (&'static str, Objective)> {
    GUESSES.into_iter().flat_map(|picture| OBJECTIVES.map(|objective| (picture, objective)))
}
