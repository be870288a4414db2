//! The decisions of a game in which a bot and the policy differ, as they are reported.

use analysis::mistakes::{CostBasis, Verdict, cost_text};
use analysis::notation::{cell_text, percent};
use analysis::review::coach::{self, Click, Coach, JudgedClick};
use analysis::review::recorded_game::RecordedGame;
use analysis::review::reviewed_game::ReviewedGame;
use sapper::{Board, Cell, Objective, Shape};
use serde::Serialize;

use super::fault::GameFault;
use super::other::OtherFault;
use crate::cli::link_text;
use crate::runner::interrupt;

/// A decision that differs from the policy's.
#[derive(Clone, Default, Serialize)]
pub struct JudgedDecision {
    /// The file of the game, or its seed.
    pub game: String,
    /// Counted from 0.
    pub turn: usize,
    /// The games with this decision: of a first cell all, and the mean cost of them; else one.
    pub games: u64,
    /// The cell that the bot opened: row and column.
    pub cell: (u32, u32),
    /// The cell of the policy, or of the other bot.
    pub instead: (u32, u32),
    pub odds: f64,
    pub odds_instead: f64,
    /// The probability of a game to come to this decision, where hits are survived; else 1.
    pub weight: f64,
    /// The chance to win by the bot's cell and by the other; or the mines to be expected.
    pub chance: f64,
    pub chance_instead: f64,
    /// What the bot's cell costs above the other.
    pub cost: f64,
    pub standard_error: f64,
    pub playouts: usize,
    pub kind: &'static str,
    /// The clear decisions of this kind that cost, or gain, as this one does.
    pub of_kind: OfKind,
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

impl JudgedDecision {
    /// What the decision adds to the cost of its game.
    pub fn weighted_cost(&self) -> f64 {
        self.weight * self.cost
    }

    /// What the decision adds to the cost of its games.
    pub fn total_cost(&self) -> f64 {
        self.games as f64 * self.weighted_cost()
    }

    /// Adds the same decision in other games, as other playouts judge it.
    pub fn merge(&mut self, other: &JudgedDecision) {
        let [own, others] = [&*self, other].map(|one| one.games as f64);
        let all = own + others;
        let mean = |of: f64, of_other: f64| (own * of + others * of_other) / all;
        self.cost = mean(self.cost, other.cost);
        self.chance = mean(self.chance, other.chance);
        self.chance_instead = mean(self.chance_instead, other.chance_instead);
        let errors = [own * self.standard_error, others * other.standard_error];
        self.standard_error = errors[0].hypot(errors[1]) / all;
        self.playouts += other.playouts;
        self.games += other.games;
    }

    /// Whether the cost differs from 0 by two standard errors, so that it is hardly chance.
    pub fn is_clear(&self) -> bool {
        self.cost.abs() > 2.0 * self.standard_error
    }

    /// What kind of decision it is.
    pub fn kinds(&self) -> Kinds {
        let JudgedDecision { kind, phase, place, .. } = *self;
        Kinds { kind, phase, place }
    }
}

/// What kind of decision it is.
#[derive(Clone, Copy)]
pub struct Kinds {
    pub kind: &'static str,
    pub phase: &'static str,
    pub place: &'static str,
}

/// The decisions of a kind that are clear, and cost, or gain.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize)]
pub struct OfKind {
    pub decisions: u64,
    /// What they cost in all games.
    pub cost: f64,
}

/// The decisions of a game.
#[derive(Default)]
pub struct GameDecisions {
    pub differing: Vec<JudgedDecision>,
    /// The cells opened that were proven safe.
    pub safe: u64,
    /// The other decisions that open the same cell, each with its weight as
    /// [`JudgedDecision::weight`].
    pub same: Vec<(Kinds, f64)>,
    /// The decisions that could not be judged: the layouts are not counted exactly, or no game
    /// comes to the board.
    pub unjudged: u64,
    /// The fault that ended the game.
    pub fault: Option<GameFault>,
    /// Whether the game has no end.
    pub is_unfinished: bool,
    /// The fault of the bot that the game is compared with, from which on it was not judged.
    pub other_fault: Option<OtherFault>,
}

impl GameDecisions {
    /// What the game cost.
    pub fn cost(&self) -> f64 {
        // From 0.0, because the sum of no costs would be -0.0.
        self.differing.iter().fold(0.0, |sum, decision| sum + decision.weighted_cost())
    }
}

/// Judges the decisions of the game with this seed, which is called `name`, beside the other bot's
/// cells, or beside the policy's where there is no other bot. `judged` is called after each.
pub fn judge(
    coach: &mut Coach,
    objective: Objective,
    seed: i32,
    name: &str,
    game: &RecordedGame,
    other: Option<&[Cell]>,
    judged: impl Fn(),
) -> GameDecisions {
    let mut decisions = GameDecisions::default();
    let survives = game.outcome().rule.is_classic() && game.record().survived.is_some();
    let mut weight = 1.0;
    coach.begin(game.board().shape().len());
    for (turn, (board, cell)) in game.counted_clicks(objective).enumerate() {
        // The rest of a game that was cut off does not count.
        if interrupt::is_requested() {
            break;
        }
        let instead = match other.map(|cells| cells.get(turn).copied()) {
            // The other bot has no answer.
            Some(None) => break,
            instead => instead.flatten(),
        };
        let JudgedClick { odds, click } = coach.click(&board, cell, instead, seed, turn);
        match click {
            Click::Safe => decisions.safe += 1,
            Click::Same(kind) => {
                let (phase, place) = (phase(&board), place(board.shape(), cell));
                decisions.same.push((Kinds { kind, phase, place }, weight));
            }
            Click::Unjudged => decisions.unjudged += 1,
            Click::Differs(decision) => {
                let decision = JudgedDecision::new(&decision, objective);
                let game = name.to_owned();
                decisions.differing.push(JudgedDecision { game, turn, weight, ..decision });
            }
        }
        if survives {
            weight *= 1.0 - odds.unwrap_or(0.0);
        }
        judged();
    }
    decisions
}

impl JudgedDecision {
    fn new(decision: &coach::DifferingClick, objective: Objective) -> JudgedDecision {
        let coach::DifferingClick { board, judgement, instead, odds_instead, cost, chances, kind } =
            decision;
        let (shape, cell) = (board.shape(), judgement.cell);
        let at = |cell: Cell| (shape.row(cell), shape.column(cell));
        JudgedDecision {
            game: String::new(),
            turn: 0,
            games: 1,
            cell: at(cell),
            instead: at(*instead),
            odds: judgement.odds,
            odds_instead: *odds_instead,
            weight: 1.0,
            chance: chances[0],
            chance_instead: chances[1],
            cost: cost.mean,
            standard_error: cost.standard_error,
            playouts: cost.playouts,
            kind,
            of_kind: OfKind::default(),
            phase: phase(board),
            place: place(shape, cell),
            why: why(decision, objective),
            field: field(board, &[cell], Some(*instead)),
            address: address(board),
            page: None,
        }
    }
}

/// The two cells in a sentence or two. What the look-ahead has to say of a guess is said to be its
/// opinion, because the playouts may have another.
fn why(decision: &coach::DifferingClick, objective: Objective) -> String {
    let coach::DifferingClick { board, judgement, instead, odds_instead, .. } = decision;
    let Verdict::Guess { best, basis, .. } = judgement.verdict else {
        return judgement.sentence(board.shape(), objective);
    };
    // The judgement is beside the policy's cell, which another bot may not open.
    let is_beside_best = best == *instead;
    let [cell, instead] = [judgement.cell, *instead].map(|cell| cell_text(board.shape(), cell));
    let [odds, odds_instead] = [judgement.odds, *odds_instead].map(percent);
    let mut text = format!(
        "{cell} was a mine with a probability of {odds}, and {instead} with {odds_instead}."
    );
    if is_beside_best && judgement.is_mistake() && basis == CostBasis::LookAhead {
        let cost = cost_text(judgement.cost, objective);
        text += &format!(" By the two-ply look-ahead alone, {cell} costs {cost} more.");
    }
    text
}

/// How much of the safe cells is open, in order. Rollouts begin at a quarter at standard effort.
pub const PHASES: [&str; 4] =
    ["open: 0 to 5 %", "open: 5 to 25 %", "open: 25 to 67 %", "open: 67 to 100 %"];

/// How much of the safe cells is open, as one of [`PHASES`].
fn phase(board: &Board) -> &'static str {
    let cells = board.shape().len();
    let open = cells - board.hidden_len() - board.hits() as usize;
    let safe = cells.saturating_sub(board.mines() as usize).max(1);
    let phase = match 60 * open / safe {
        0..3 => 0,
        3..15 => 1,
        15..40 => 2,
        _ => 3,
    };
    PHASES[phase]
}

fn place(shape: Shape, cell: Cell) -> &'static str {
    if shape.neighbours(cell).len() < 8 { "at the edge" } else { "inside" }
}

/// The rows of the board, with A for the cells that were opened and B for the other.
pub fn field(board: &Board, own: &[Cell], instead: Option<Cell>) -> String {
    let text = board.to_string();
    let rows = text.split_once('\n').map_or("", |(_, rows)| rows);
    let mut cells = board.shape().cells();
    let mark = |sign: char| match sign {
        '\n' => sign,
        _ => match cells.next() {
            // One cell of a chord may be the better one.
            Some(cell) if Some(cell) == instead => 'B',
            Some(cell) if own.contains(&cell) => 'A',
            _ => sign,
        },
    };
    rows.chars().map(mark).collect()
}

/// The address of the board in the page, after the name of its file. It shows a mine as a mine.
pub fn address(board: &Board) -> String {
    format!("#field={}", link_text(board.to_string().trim_end()))
}
