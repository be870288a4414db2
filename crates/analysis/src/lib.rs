//! Analysis of one position for a person: what deduction proves, the odds, the move and the
//! candidates.
//!
//! The bot stops at the first step that finds a safe cell. An [`Analysis`] continues: deduction to
//! its fixed point, the odds of every cell, and the cost of every candidate of a guess. The move is
//! the engine's own.
//!
//! - [`explained_position`]: one call from text to the result
//! - [`explanation`]: the result in sentences
//! - [`groups`]: what proofs start from; [`rules`]: what one and two groups prove; [`irreducible`]:
//!   what several prove, without those that can be left out; [`search`]: the shortest proofs;
//!   `chain`: all else, step after step
//! - [`sentences`]: the steps of a proof in words. `cases`: the ways in which groups fit together;
//!   `refutation`: what follows from the contrary
//! - [`mod@candidates`] of a guess; [`guesses`]: 50/50s; [`values`]: every cell of an endgame;
//!   [`outcomes`]: what opening a cell can show, and [`ahead`]: what each promises; [`joint`]: the
//!   odds of several cells together; [`mistakes`]: the judgement of a click
//! - [`chance`]: the chance to win of a position and of its candidates; [`chance_text`]: in words
//! - [`contradictions`]: minimal sets of numbers that contradict each other
//! - [`review`]: recorded games, turn by turn, and the coach; [`adjusted`]: results without luck
//! - [`field`]: a position as text, read for analysis
//! - [`layout_count`]: the number of layouts as a whole number
//! - [`notation`]: how cells and numbers are written; [`json`]: all of it for programs
//!
//! Invariant: the move is what [`Engine`] decides on the same board. The exception is a field
//! without a mine count, which the engine does not play; there the steps are the engine's without
//! the endgame.
//!
//! Cost: one decision of the engine, one count of the layouts, and for a guess or an endgame a few
//! times the nodes of the engine's search for it. Proofs, conflicts and 50/50s have budgets of
//! nodes; what they do besides is close to linear in the size of the field.

pub mod adjusted;
pub mod ahead;
pub mod candidates;
mod cases;
mod chain;
pub mod chance;
pub mod chance_text;
pub mod contradictions;
pub mod explained_position;
pub mod explanation;
pub mod field;
pub mod groups;
pub mod guesses;
pub mod irreducible;
pub mod joint;
pub mod json;
pub mod layout_count;
pub mod mistakes;
pub mod notation;
pub mod outcomes;
mod refutation;
pub mod review;
pub mod rules;
pub mod search;
pub mod sentences;
pub mod values;

use self::candidates::{EvaluatedCandidate, candidates, report};
use self::contradictions::{ExplainedContradiction, explain_contradictions};
use self::notation::layouts_text;
use self::search::ProofSearch;
use self::values::{CellValue, cell_values};
use sapper::board::Board;
use sapper::board::geometry::Cell;
use sapper::board::group::MineCount;
use sapper::bot::engine::{Decision, Engine, Step};
use sapper::deduction::groups::deduced::Deduced;
use sapper::deduction::groups::deducer::Reach;
use sapper::probability::odds::Odds;
use sapper::search::CountedBoard;
use sapper::search::fifty_fifty;
use sapper::search::guess::{self, Guess, GuessConfig, GuessScratch, SolverScratch};
use sapper::settings::budget::{Budget, Turn};
use sapper::settings::params::{COUNT_NODES, Effort, EndgameLimits, Objective};

/// The density of mines in a field without a mine count, where none is given: close to the expert's
/// 99 mines in 480 cells.
pub const DEFAULT_DENSITY: f64 = 0.2;

/// Analyzes one position after another, reusing its memory.
pub struct Analyzer {
    objective: Objective,
    effort: Effort,
    engine: Engine,
    scratch: SolverScratch,
}

impl Analyzer {
    /// An analyzer for an engine of this objective and effort.
    pub fn new(objective: Objective, effort: Effort) -> Analyzer {
        let engine = Engine::new(objective, effort);
        Analyzer { objective, effort, engine, scratch: SolverScratch::default() }
    }

    /// Analyzes `board`. With `density`, the mine count is unknown, and an unconstrained cell is a
    /// mine with this probability.
    ///
    /// The step of the move is the engine's, whose deduction continues from turn to turn; the
    /// analysis starts from all numbers and may leave a cell to counting that the engine deduced.
    ///
    /// # Errors
    /// The reasons why no layout is consistent with the board, except those of [`Board::reasons`].
    pub fn analyze<'a>(
        &'a mut self,
        board: &'a Board,
        density: Option<f64>,
    ) -> Result<Analysis<'a>, Vec<ExplainedContradiction>> {
        let Analyzer { objective, effort, engine, scratch } = self;
        let SolverScratch { position, deducer, solver, guess: scratch } = scratch;
        *position = board.position();
        if let Some(density) = density {
            position.mine_count = MineCount::Density(density);
        }
        let mut budget = Budget::of_nodes(COUNT_NODES);
        let counted = deducer
            .run(position, Reach::FixedPoint)
            .and_then(|deduced| solver.run(deduced, &mut budget))
            .map_err(|first| explain_contradictions(board, position, &first))?;
        let mut analysis = Analysis {
            objective: *objective,
            effort: *effort,
            at: CountedBoard { board, counted },
            scratch,
            chosen: None,
            candidates: Vec::new(),
            values: Vec::new(),
        };
        analysis.chosen = match density {
            Some(_) => analysis.decide_without_mine_count(),
            None => engine.decide(board, Turn::UNTIMED),
        };
        match analysis.chosen {
            Some(Decision { by: Step::Guess, .. }) => {
                let limits = effort.limits();
                analysis.candidates = candidates(analysis.scratch, analysis.at, *objective, limits);
                // A 50/50 is chosen without the look-ahead.
                if let Some(cell) = analysis.chosen().map(Decision::cell) {
                    analysis.add_candidate(cell);
                }
            }
            Some(Decision { by: Step::Endgame, .. }) => analysis.evaluate_endgame(),
            _ => {}
        }
        Ok(analysis)
    }

    /// The engine's move alone, also on a board of which no layout fits.
    pub fn decide(&mut self, board: &Board) -> Option<Decision> {
        self.engine.decide(board, Turn::UNTIMED)
    }
}

/// The analysis of one board.
pub struct Analysis<'a> {
    objective: Objective,
    effort: Effort,
    at: CountedBoard<'a>,
    scratch: &'a mut GuessScratch,
    chosen: Option<Decision>,
    candidates: Vec<EvaluatedCandidate>,
    values: Vec<CellValue>,
}

impl<'a> Analysis<'a> {
    /// The board.
    pub fn board(&self) -> &'a Board {
        self.at.board
    }

    /// What deduction finds, at its fixed point.
    pub fn deduced(&self) -> Deduced<'a> {
        self.at.counted.deduced()
    }

    /// A search for short proofs of everything that is proven.
    pub fn proofs(&self) -> ProofSearch<'a> {
        ProofSearch::new(self.at.counted.position(), self.odds())
    }

    /// The odds of every hidden cell.
    pub fn odds(&self) -> &'a Odds {
        self.at.counted.odds()
    }

    /// The move; `None` where no cell is hidden.
    pub fn chosen(&self) -> Option<&Decision> {
        self.chosen.as_ref()
    }

    /// The candidates of a guess in order of cost; empty if the move is not a guess, or if the
    /// layouts could not be counted.
    pub fn candidates(&self) -> &[EvaluatedCandidate] {
        &self.candidates
    }

    /// The values of the cells of an endgame, the best first; empty if no endgame was solved, or if
    /// its layouts are too many to list.
    pub fn values(&self) -> &[CellValue] {
        &self.values
    }

    /// Whether the move is a guess at a 50/50 that comes before any other cell.
    pub fn is_fifty_fifty_first(&self) -> bool {
        let guess = self.chosen().filter(|chosen| chosen.by == Step::Guess);
        let set = guess.and_then(|_| fifty_fifty::first_set(self.at));
        guess.zip(set).is_some_and(|(guess, sides)| sides.contains(&guess.cell()))
    }

    /// Adds `cell` to the candidates of a guess, if it is not among them yet.
    pub fn add_candidate(&mut self, cell: Cell) {
        let odds = self.odds().of(cell);
        let is_new = self.candidates.iter().all(|candidate| candidate.cell != cell);
        if self.candidates.is_empty() || !is_new || odds == 1.0 || !self.board().is_hidden(cell) {
            return;
        }
        let nodes = self.effort.limits().lookahead_nodes;
        let mut budget = Budget::of_nodes(nodes);
        let Some(mut two_ply) = self.scratch.lookahead.begin(self.at) else { return };
        let report = report(&mut two_ply, cell, self.objective, &mut budget);
        if let Some(report) = report {
            self.candidates.push(report);
            self.candidates.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        }
    }

    /// The objective.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The number of layouts in words; `None` where it is not known.
    pub fn layouts(&self) -> Option<String> {
        layouts_text(None, self.odds().layouts())
    }

    /// Decides like the engine, which needs a mine count.
    fn decide_without_mine_count(&mut self) -> Option<Decision> {
        let (board, safe) = (self.board(), self.deduced().safe());
        if let Some(&cell) = safe.first() {
            return Decision::new(board, cell, Step::Deduction, 0.0, safe.len());
        }
        let safe = self.odds().safe();
        if let Some(&cell) = safe.first() {
            return Decision::new(board, cell, Step::Counting, 0.0, safe.len());
        }
        let limits = self.effort.limits();
        let mut budget = Budget::of_nodes(limits.lookahead_nodes);
        let config = GuessConfig::played(self.objective, limits.candidates, 0.0);
        let Guess { cell, odds, candidates } =
            guess::choose(self.at, config, self.scratch, &mut budget)?;
        Decision::new(board, cell, Step::Guess, odds, candidates)
    }

    /// What it costs to open several undecided cells at once, where a mine loses the game: layouts
    /// lost, with best play after it. `None` where no endgame is solved.
    fn chord_cost(&self, cells: &[Cell]) -> Option<u32> {
        let undecided = self.deduced().undecided();
        values::chord_cost(self.board(), &undecided, self.endgame_limits()?, cells)
    }

    /// How far the cells of an endgame are evaluated; `None` where no endgame is solved, or its
    /// layouts are too many.
    fn endgame_limits(&self) -> Option<EndgameLimits> {
        let board = self.board();
        let solved = self.chosen()?.solved?;
        let limits = self.effort.limits();
        // The first cell of a tiny field comes from a table; its layouts are too many.
        let is_untouched = board.hidden_len() == board.shape().len();
        if is_untouched && solved.layouts as usize > limits.endgame.layouts {
            return None;
        }
        let nodes = limits.endgame.nodes.max(limits.tiny_field.nodes);
        Some(EndgameLimits { layouts: solved.layouts as usize, nodes })
    }

    fn evaluate_endgame(&mut self) {
        let Some(limits) = self.endgame_limits() else { return };
        let undecided = self.deduced().undecided();
        self.values = cell_values(self.board(), &undecided, self.objective, limits);
    }
}

#[cfg(test)]
mod tests {
    use sapper::board::geometry::Shape;
    use sapper::board::text_format::BoardText;
    use sapper::settings::params::PROBABILITY_TOLERANCE;

    use super::*;

    fn board(picture: &str) -> Board {
        picture.parse::<BoardText>().unwrap().board(0).unwrap()
    }

    #[test]
    fn a_guess_has_the_minimum_cost_of_its_candidates() {
        for objective in [Objective::FewestHits, Objective::CleanWin] {
            let mut analyzer = Analyzer::new(objective, Effort::Fast);
            // Many unconstrained cells: too many layouts for the endgame.
            let board = board("9 5 12\n1........\n.........\n....3....\n.........\n.........");
            let analysis = analyzer.analyze(&board, None).unwrap();
            let chosen = analysis.chosen().unwrap();
            assert_eq!(chosen.by, Step::Guess);
            let mut candidates = analysis.candidates().iter();
            let candidate = candidates.find(|candidate| candidate.cell == chosen.cell()).unwrap();
            let min_cost = analysis.candidates()[0].cost();
            assert!(analysis.candidates().len() > 1 && min_cost > 0.0);
            assert!(candidate.cost() <= min_cost + PROBABILITY_TOLERANCE);
            assert!((candidate.odds - chosen.odds).abs() < 1e-15);
        }
    }

    #[test]
    fn a_guess_may_cost_little_more_where_unlikely_numbers_are_neglected() {
        let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
        let row = ".........\n";
        let drawn = format!("9 8 20\n......2..\n{row}.......4.\n{row}.....3...\n{row}{row}{row}");
        let board = board(&drawn);
        let analysis = analyzer.analyze(&board, None).unwrap();
        let chosen = analysis.chosen().unwrap();
        let mut candidates = analysis.candidates().iter();
        let candidate = candidates.find(|candidate| candidate.cell == chosen.cell()).unwrap();
        let excess = candidate.cost() - analysis.candidates()[0].cost();
        assert!((1e-4..0.02).contains(&excess), "{excess}");
        let told = explanation::explain_move(&analysis, chosen).concat();
        assert!(told.contains("the engine neglects unlikely numbers"), "{told}");
    }

    #[test]
    fn without_a_mine_count_the_density_decides() {
        let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
        let drawn = board("3 1 1\n1..");
        let analysis = analyzer.analyze(&drawn, Some(0.2)).unwrap();
        let far = Cell::from_index(2);
        assert!((analysis.odds().of(far) - 0.2).abs() < 1e-12);
        assert_eq!(
            (analysis.chosen().unwrap().cell(), analysis.chosen().unwrap().by),
            (far, Step::Guess)
        );
        // With the mine count it is proven.
        let analysis = analyzer.analyze(&drawn, None).unwrap();
        assert_eq!(
            (analysis.chosen().unwrap().cell(), analysis.chosen().unwrap().by),
            (far, Step::Deduction)
        );
    }

    #[test]
    fn an_inconsistent_position_has_reasons_and_an_open_board_has_no_move() {
        let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
        let inconsistent = board("8 1 2\n1.00.11.");
        let reasons = analyzer.analyze(&inconsistent, None).err().unwrap();
        assert_eq!(reasons.len(), 2, "{reasons:?}");
        let mut open = Board::new(Shape::new(1, 1).unwrap(), 0);
        open.open(Cell::from_index(0), sapper::board::CellState::Number(0));
        assert!(analyzer.analyze(&open, None).unwrap().chosen().is_none());
    }
}
