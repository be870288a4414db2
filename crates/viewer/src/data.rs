//! Games, frames, judgements and accounts as types that are written as JSON: each field is a key.
//! The viewer of recorded games and scripts read them.
//!
//! A cell is `[row, column]`, counted from 0. Odds are between 0 and 1. Tables are rows of texts.
//!
//! Invariant: the viewer computes nothing from these data. What it shows in words and numbers is a
//! text here.

use serde::Serialize;

use analysis::chance_text::turn_sentence;
use analysis::explanation::candidate_figures;
use analysis::json::chance::unit;
use analysis::json::coordinates::{Coordinates, coordinates, list_coordinates};
use analysis::mistakes::{ClickAccount, Judgement, cost_text};
use analysis::notation::{cell_text, percent};
use analysis::review::frame::{END, Frame};
use analysis::review::reviewed_game::ReviewedGame;
use analysis::search::Proof;
use analysis::values::value_name;
use game::figures::GameFigures;
use game::recording::ClickKind;
use sapper::board::Board;
use sapper::board::geometry::Cell;
use sapper::kit::text::pluralize;
use sapper::settings::params::Objective;

/// The most candidates listed for a turn, besides the move.
const MAX_CANDIDATES: usize = 8;

/// What the viewer needs to know of a game, without its frames.
#[derive(Serialize)]
pub struct ViewerGame {
    columns: u32,
    /// The number of frames.
    count: usize,
    /// The cells of the mines, if they are known.
    laid: Option<Vec<Coordinates>>,
    mines: u32,
    name: String,
    rows: u32,
    /// Whether the rule of the game knows a score: no hit ends it.
    pub scored: bool,
    title: String,
    /// What a chance is: `mines`, or `probability to win`.
    unit: &'static str,
    /// The head of the column of values.
    value: &'static str,
}

impl ViewerGame {
    /// The game in the file `name`.
    pub fn new(game: &dyn ReviewedGame, objective: Objective, name: &str) -> ViewerGame {
        let board = game.board();
        let shape = board.shape();
        ViewerGame {
            columns: shape.columns(),
            count: game.frames(),
            laid: game.mines().map(|mines| list_coordinates(shape, &mines)),
            mines: board.mines(),
            name: name.to_owned(),
            rows: shape.rows(),
            scored: !game.outcome().rule.is_classic(),
            title: game.title(),
            unit: unit(objective),
            value: value_name(objective),
        }
    }
}

/// A frame with its board.
#[derive(Serialize)]
pub struct ViewerFrame {
    #[serde(flatten)]
    turn: ViewerTurn,
    /// The odds of the hidden cells in row-major order.
    odds: Option<Vec<f64>>,
    /// What each cell shows in row-major order, as in a field in text.
    shows: String,
}

impl ViewerFrame {
    /// A frame, for an engine that plays for `objective`.
    pub fn new(frame: Frame, objective: Objective) -> ViewerFrame {
        let shows = frame.board.iter().map(|(_, state)| state.symbol()).collect();
        ViewerFrame { turn: ViewerTurn::new(&frame, objective), odds: frame.odds, shows }
    }
}

/// A frame without its board.
#[derive(Serialize)]
pub struct ViewerTurn {
    /// The rows of the table of candidates.
    candidates: Vec<Vec<String>>,
    caption: String,
    /// The chance to win, if it is told.
    chance: Option<TurnChance>,
    /// The number of hidden cells.
    hidden: usize,
    hit: bool,
    /// The number of mines opened before the move.
    hits: u32,
    /// The engine's move, if it differs.
    instead: Option<Coordinates>,
    judgement: Option<JudgementReport>,
    /// The cells that a person had flagged; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flags: Vec<Coordinates>,
    kind: &'static str,
    r#move: Option<Coordinates>,
    /// What the bot wrote beside its answer.
    note: Option<String>,
    score: f64,
    /// The cells that a chord is meant to open; absent without a chord.
    #[serde(skip_serializing_if = "Option::is_none")]
    targets: Option<Vec<Coordinates>>,
    /// The cells whose numbers the proof uses.
    uses: Vec<Coordinates>,
    /// The rows of the table of an endgame's cells.
    values: Vec<Vec<String>>,
    /// The reasons of the move, as paragraphs.
    why: Vec<String>,
}

impl ViewerTurn {
    /// A frame, for an engine that plays for `objective`.
    pub fn new(frame: &Frame, objective: Objective) -> ViewerTurn {
        let board = &frame.board;
        let shape = board.shape();
        let place = |cell: Option<Cell>| cell.map(|cell| coordinates(shape, cell));
        let judgement = frame.judgement.as_ref();
        ViewerTurn {
            candidates: candidate_rows(frame, objective),
            caption: frame.caption.clone(),
            chance: TurnChance::of(frame, objective),
            hidden: board.hidden_len(),
            hit: frame.hit,
            hits: frame.hits,
            instead: place(frame.instead),
            judgement: judgement.map(|click| JudgementReport::new(board, click, objective)),
            flags: list_coordinates(shape, &frame.flags),
            kind: frame.kind,
            r#move: place(frame.opens),
            note: frame.note.clone(),
            targets: targets(frame),
            score: (frame.score * 100.0).round() / 100.0,
            uses: list_coordinates(shape, &frame.uses),
            values: value_rows(frame, objective),
            why: frame.why.clone(),
        }
    }
}

/// The chance to win at a turn, or the mines that are to be expected in the whole game.
#[derive(Serialize)]
pub struct TurnChance {
    /// By the click; absent where it opens the cell of the engine's move.
    #[serde(skip_serializing_if = "Option::is_none")]
    click: Option<f64>,
    /// By the engine's move.
    r#move: f64,
    /// The chances in a sentence; empty at the end of a game.
    text: String,
}

impl TurnChance {
    /// The chances of a frame, if they were told, or what became of the game.
    pub fn of(frame: &Frame, objective: Objective) -> Option<TurnChance> {
        let (shape, hits) = (frame.board.shape(), f64::from(frame.hits));
        if frame.kind == END {
            let is_whole =
                frame.hits > 0 || frame.board.hidden_len() == frame.board.mines() as usize;
            let r#move = match objective {
                Objective::FewestHits => hits,
                Objective::CleanWin => f64::from(u8::from(frame.hits == 0)),
            };
            return is_whole.then(|| TurnChance { click: None, r#move, text: String::new() });
        }
        let before = if objective == Objective::FewestHits { hits } else { 0.0 };
        let [of_move, of_click] = [0, 1].map(|at| frame.chances.get(at));
        Some(TurnChance {
            click: of_click.map(|click| before + click.chance.mean),
            r#move: before + of_move?.chance.mean,
            text: turn_sentence(&frame.chances, frame.opens, shape, objective)?,
        })
    }
}

/// The cells that a chord is meant to open.
pub fn targets(frame: &Frame) -> Option<Vec<Coordinates>> {
    let chord = frame.click.as_ref().filter(|click| click.kind == ClickKind::Chord)?;
    Some(list_coordinates(frame.board.shape(), &chord.targets))
}

/// The judgement of a click.
#[derive(Serialize)]
pub struct JudgementReport {
    /// The cell that should have been opened instead, if there is one.
    better: Option<Coordinates>,
    cell: Coordinates,
    /// What opening it cost above the best cell.
    cost: f64,
    cost_text: String,
    /// What kind of click it was, for programs.
    kind: &'static str,
    mistake: bool,
    /// What kind of click it was, in words.
    name: &'static str,
    /// The open cells whose numbers the proof uses.
    numbers: Vec<Coordinates>,
    odds: f64,
    /// Why another cell was safe, or this one a mine: a sentence each.
    proof: Vec<String>,
    /// The judgement in a sentence.
    sentence: String,
}

impl JudgementReport {
    /// The judgement of a click on `board`.
    pub fn new(board: &Board, click: &Judgement, objective: Objective) -> JudgementReport {
        let shape = board.shape();
        let proof = click.proof();
        let numbers = proof.map(Proof::numbers).unwrap_or_default();
        JudgementReport {
            better: click.better().map(|cell| coordinates(shape, cell)),
            cell: coordinates(shape, click.cell),
            cost: click.cost,
            cost_text: cost_text(click.cost, objective),
            kind: click.kind(),
            mistake: click.is_mistake(),
            name: click.name(),
            numbers: list_coordinates(shape, &numbers),
            odds: click.odds,
            proof: proof.map(|proof| proof.sentences(board)).unwrap_or_default(),
            sentence: click.sentence(shape, objective),
        }
    }
}

/// The account of a game.
#[derive(Serialize)]
pub struct AccountReport {
    /// What the mistakes cost.
    cost: f64,
    /// The mistakes, the costliest first.
    costliest: Vec<MistakeReport>,
    /// The figures of a person's game; absent of a bot's.
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<FiguresReport>,
    /// The number of mines opened.
    hits: u32,
    /// The risk taken less the mines opened.
    luck: f64,
    /// The sum of the odds of the clicks.
    risk: f64,
    sentences: Vec<String>,
}

/// The figures by which people compare their games.
#[derive(Serialize)]
pub struct FiguresReport {
    /// The 3BV of the board.
    pub bbbv: u32,
    /// The part of it that was opened.
    pub solved_bbbv: u32,
    /// The time from the start to the end.
    pub seconds: f64,
    /// The solved 3BV in a second; `None` where no time passed.
    pub bbbv_per_second: Option<f64>,
    /// All clicks, wasted ones included.
    pub clicks: u32,
    /// Those of the left button alone.
    pub left: u32,
    /// Those of the right button alone.
    pub right: u32,
    /// The chords.
    pub chords: u32,
    /// The clicks that changed nothing.
    pub wasted: u32,
    /// The flags that were set.
    pub flags: u32,
    /// The solved 3BV for a click; `None` without a click.
    pub efficiency: Option<f64>,
}

impl FiguresReport {
    /// These figures.
    pub fn of(figures: &GameFigures) -> FiguresReport {
        let clicks = figures.clicks;
        FiguresReport {
            bbbv: figures.bbbv,
            solved_bbbv: figures.solved_bbbv,
            seconds: figures.time.as_secs_f64(),
            bbbv_per_second: figures.bbbv_per_second(),
            clicks: clicks.all(),
            left: clicks.left,
            right: clicks.right,
            chords: clicks.chords,
            wasted: clicks.wasted,
            flags: clicks.flags,
            efficiency: figures.efficiency(),
        }
    }
}

/// The figures in a sentence.
fn figures_sentence(figures: &GameFigures) -> String {
    let GameFigures { bbbv, solved_bbbv, clicks, time } = figures;
    let done =
        if solved_bbbv == bbbv { bbbv.to_string() } else { format!("{solved_bbbv} of {bbbv}") };
    let rate = figures.bbbv_per_second().map_or("-".to_owned(), |rate| format!("{rate:.2}"));
    let efficiency =
        figures.efficiency().map_or("-".to_owned(), |share| format!("{:.0} %", 100.0 * share));
    let style = if clicks.is_without_flags() { ", no flags" } else { "" };
    format!(
        "Figures: 3BV {done}, {:.3} s, 3BV/s {rate}; {} (left {}, right {}, chords {}; {} \
         wasted){style}; efficiency {efficiency}.",
        time.as_secs_f64(),
        pluralize(clicks.all(), "click", "clicks"),
        clicks.left,
        clicks.right,
        clicks.chords,
        clicks.wasted,
    )
}

/// A mistake.
#[derive(Serialize)]
struct MistakeReport {
    cost: f64,
    turn: usize,
}

impl AccountReport {
    /// The account of a game, and what it says in sentences.
    pub fn new(
        account: &ClickAccount,
        objective: Objective,
        figures: Option<GameFigures>,
    ) -> AccountReport {
        let costliest = account.costliest.iter();
        AccountReport {
            cost: account.cost,
            costliest: costliest.map(|&(turn, cost)| MistakeReport { cost, turn }).collect(),
            hits: account.hits,
            luck: account.luck(),
            risk: account.risk,
            figures: figures.map(|figures| FiguresReport::of(&figures)),
            sentences: [
                account_sentences(account, objective),
                figures.iter().map(figures_sentence).collect(),
            ]
            .concat(),
        }
    }
}

/// An account in the words of the coach in Play. Risk and luck have the unit of the objective:
/// mines, or percent, where a mine counts 100 %.
fn account_sentences(account: &ClickAccount, objective: Objective) -> Vec<String> {
    let (risk, luck, each) = match objective {
        Objective::FewestHits => {
            (format!("{:.3} mines", account.risk), format!("{:+.3} mines", account.luck()), "")
        }
        Objective::CleanWin => {
            let [risk, luck] = [account.risk, account.luck()].map(|part| 100.0 * part);
            (format!("{risk:.2} %"), format!("{luck:+.2} %"), ", 100 % each")
        }
    };
    let hits = pluralize(account.hits, "mine", "mines");
    let mistakes = if account.costliest.is_empty() {
        "Mistakes: none.".to_owned()
    } else {
        let clicks = pluralize(account.costliest.len(), "click", "clicks");
        let cost = cost_text(account.cost, objective);
        format!("Mistakes: {cost}, in {clicks} where another cell was better.")
    };
    vec![
        format!("Risk taken: {risk}, the sum of the odds of the clicks."),
        mistakes,
        format!("Luck: {luck}, the risk taken less {hits} hit{each}."),
    ]
}

/// The cell and its [`candidate_figures`].
fn candidate_rows(frame: &Frame, objective: Objective) -> Vec<Vec<String>> {
    let shape = frame.board.shape();
    let figures = candidate_figures(&frame.candidates, objective);
    let rows = frame.candidates.iter().zip(figures).enumerate();
    let is_listed = |index, cell| index < MAX_CANDIDATES || Some(cell) == frame.opens;
    rows.filter(|(index, (candidate, _))| is_listed(*index, candidate.cell))
        .map(|(_, (candidate, figures))| {
            [cell_text(shape, candidate.cell)].into_iter().chain(figures).collect()
        })
        .collect()
}

/// The cell, its odds, and its value.
fn value_rows(frame: &Frame, objective: Objective) -> Vec<Vec<String>> {
    let shape = frame.board.shape();
    let values = frame.values.iter().take(MAX_CANDIDATES).map(|value| {
        let odds = percent(f64::from(value.mined) / f64::from(frame.layouts()));
        vec![cell_text(shape, value.cell), odds, value.text(frame.layouts(), objective)]
    });
    values.collect()
}
