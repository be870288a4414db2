//! The decisions of a game in which a bot and the policy differ, and what they cost.

use sapper::analysis::guesses::fifty_fifties;
use sapper::analysis::mistakes::{Judgement, Verdict, judge_click};
use sapper::analysis::{Analysis, Analyzer};
use sapper::base::objective::Objective;
use sapper::base::params::Effort;
use sapper::base::rng::mix;
use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::bot::engine::Step;
use sapper::page::frames::RecordedGame;
use sapper::referee::adjusted::click_odds::ClickOdds;
use sapper::referee::adjusted::playouts::Playouts;
use serde::Serialize;

use crate::results::statistics::Mean;

/// The standard error of a cost that is aimed at, in mines or games.
const PRECISION: f64 = 0.01;
/// The most playouts of a decision, as a multiple of the fewest.
const MAX_FACTOR: f64 = 4.0;
/// The share of the fewest playouts that is played before to learn how much costs scatter.
const PILOT_SHARE: usize = 5;

/// A decision that differs from the policy's.
#[derive(Clone, Serialize)]
pub struct Decision {
    /// The file of the game, or its seed.
    pub game: String,
    /// Counted from 0.
    pub turn: usize,
    /// The cell that the bot opened: row and column.
    pub cell: (u32, u32),
    /// The policy's cell.
    pub instead: (u32, u32),
    pub odds: f64,
    pub odds_instead: f64,
    /// The probability of a game to come to this decision, where hits are survived; else 1.
    pub weight: f64,
    /// What the bot's cell costs above the policy's.
    pub cost: f64,
    pub standard_error: f64,
    pub playouts: u64,
    pub kind: &'static str,
    pub phase: &'static str,
    pub place: &'static str,
    /// The judgement in a sentence.
    pub why: String,
    /// The field before the click, as text.
    pub field: String,
    /// The part of the page's address that shows the field.
    pub address: String,
    /// The replay page of the game, at this turn.
    pub page: Option<String>,
}

impl Decision {
    /// What the decision adds to the cost of its game.
    pub fn weighted_cost(&self) -> f64 {
        self.weight * self.cost
    }
}

/// The decisions of a game.
#[derive(Default)]
pub struct GameDecisions {
    pub differing: Vec<Decision>,
    /// The cells opened that were proven safe.
    pub safe: u64,
    /// The other decisions that are the policy's own.
    pub same: u64,
    /// The decisions that could not be judged, because the layouts are not counted exactly.
    pub unjudged: u64,
    /// The name of the fault that ended the game.
    pub fault: Option<&'static str>,
}

/// Judges one game after another.
pub struct Coach {
    objective: Objective,
    analyzer: Analyzer,
    odds: ClickOdds,
    playouts: Playouts,
    /// The fewest playouts of a decision.
    fewest: usize,
}

impl Coach {
    /// The policy plays for `objective` with this effort.
    pub fn new(objective: Objective, effort: Effort, fewest: usize) -> Coach {
        let analyzer = Analyzer::new(objective, effort);
        let playouts = Playouts::new(objective, effort);
        Coach { objective, analyzer, odds: ClickOdds::default(), playouts, fewest }
    }

    /// Judges a game. The playouts follow from `seed`.
    pub fn judge(&mut self, name: &str, game: &RecordedGame, seed: u64) -> GameDecisions {
        let mut decisions = GameDecisions::default();
        let survives = game.record().survived.is_some();
        let mut weight = 1.0;
        self.odds.begin(game.board().shape().len());
        for (turn, (board, cell)) in game.clicks().enumerate() {
            if self.objective == Objective::CleanWin && board.hits() > 0 {
                break;
            }
            let odds = self.odds.odds(board, cell);
            if odds == Some(0.0) {
                decisions.safe += 1;
                continue;
            }
            let seed = mix(seed) ^ turn as u64;
            match self.judge_guess(board, cell, seed) {
                Some(None) => decisions.same += 1,
                Some(Some(decision)) => {
                    let game = name.to_owned();
                    decisions.differing.push(Decision { game, turn, weight, ..decision });
                }
                None => decisions.unjudged += 1,
            }
            if survives {
                weight *= 1.0 - odds.unwrap_or(0.0);
            }
        }
        decisions
    }

    /// Judges a click that was not proven safe. `Some(None)` if it is the policy's own; `None` if
    /// it cannot be judged, because the layouts are not counted exactly.
    fn judge_guess(&mut self, board: &Board, cell: Cell, seed: u64) -> Option<Option<Decision>> {
        let Coach { objective, analyzer, playouts, fewest, .. } = self;
        let analysis = analyzer.analyze(board, None).ok();
        let mut analysis = analysis.filter(|_| board.reasons().is_empty())?;
        let chosen = analysis.chosen()?;
        if chosen.cell == cell {
            return Some(None);
        }
        let cost = cost(playouts, board, [cell, chosen.cell], *fewest, seed)?;
        let judgement = judge_click(&mut analysis, cell)?;
        let shape = board.shape();
        let at = |cell: Cell| (shape.row(cell), shape.column(cell));
        Some(Some(Decision {
            game: String::new(),
            turn: 0,
            cell: at(cell),
            instead: at(chosen.cell),
            odds: judgement.odds,
            odds_instead: analysis.odds().of(chosen.cell),
            weight: 1.0,
            cost: cost.value(),
            standard_error: cost.standard_error(),
            playouts: cost.count(),
            kind: kind(&analysis, &judgement),
            phase: phase(board),
            place: place(shape, cell),
            why: judgement.sentence(shape, *objective),
            field: field(board, cell, chosen.cell),
            address: address(board),
            page: None,
        }))
    }
}

/// What the first cell costs above the second; `None` if the layouts are not counted exactly.
///
/// Other playouts, which do not count, say how many are needed: if those that count said so, a cost
/// would count more where chance makes it look certain.
fn cost(
    playouts: &mut Playouts,
    board: &Board,
    cells: [Cell; 2],
    fewest: usize,
    seed: u64,
) -> Option<Mean> {
    let mut play = |count: usize, seed: u64| {
        let mut mean = Mean::default();
        let costs = playouts.costs(board, cells, count, seed)?;
        costs.iter().for_each(|[own, other]| mean.add(own - other));
        Some(mean)
    };
    let pilot = play((fewest / PILOT_SHARE).max(2), mix(seed))?;
    let needed = pilot.variance() / (PRECISION * PRECISION);
    let count = needed.clamp(fewest as f64, MAX_FACTOR * fewest as f64);
    play(count as usize, mix(seed) ^ 1)
}

/// What kind of decision it is.
fn kind(analysis: &Analysis, judgement: &Judgement) -> &'static str {
    let board = analysis.board();
    match judgement.verdict {
        Verdict::Safe => "safe cell",
        Verdict::ProvenMine { .. } => "proven mine opened",
        Verdict::NeedlessRisk { .. } => "proven cell passed over",
        Verdict::Guess { .. } if board.hidden_len() == board.shape().len() => "first cell",
        Verdict::Guess { .. } => {
            let fifty_fifties = fifty_fifties(analysis);
            let is_endgame = analysis.chosen().is_some_and(|chosen| chosen.by == Step::Endgame);
            if fifty_fifties.iter().any(|one| one.contains(judgement.cell)) {
                "in a 50/50"
            } else if fifty_fifties.iter().any(|one| one.beside.contains(&judgement.cell)) {
                "beside a 50/50"
            } else if is_endgame {
                "endgame that is solved"
            } else {
                "guess"
            }
        }
    }
}

/// How much of the safe cells is open.
fn phase(board: &Board) -> &'static str {
    let cells = board.shape().len();
    let open = cells - board.hidden_len() - board.hits() as usize;
    match 3 * open / cells.saturating_sub(board.mines() as usize).max(1) {
        0 => "open: 0 to 33 %",
        1 => "open: 33 to 67 %",
        _ => "open: 67 to 100 %",
    }
}

fn place(shape: Shape, cell: Cell) -> &'static str {
    if shape.neighbours(cell).len() < 8 { "at the edge" } else { "inside" }
}

/// The rows of the board, with A for the bot's cell and B for the policy's.
fn field(board: &Board, own: Cell, instead: Cell) -> String {
    let text = board.to_string();
    let rows = text.split_once('\n').map_or("", |(_, rows)| rows);
    let mut cells = board.shape().cells();
    let mark = |sign: char| match sign {
        '\n' => sign,
        _ => match cells.next() {
            Some(cell) if cell == own => 'A',
            Some(cell) if cell == instead => 'B',
            _ => sign,
        },
    };
    rows.chars().map(mark).collect()
}

/// The address of the board in the page, after the name of its file. It shows a mine as a mine.
fn address(board: &Board) -> String {
    format!("#field={}", board.to_string().trim_end().replace(' ', "%20").replace('\n', "%0A"))
}
