//! A replayed game as `--json` prints it. Cells are `[row, column]`, odds are between 0 and 1.

use std::io::Write;

use analysis::chance::POLICY;
use analysis::json::chance::ChanceReport;
use analysis::json::coordinates::{Coordinates, coordinates, list_coordinates};
use analysis::json::decision::{
    CandidateReport, EndgameCellReport, candidate_reports, endgame_cell_reports,
};
use analysis::mistakes::ClickAccount;
use analysis::review::frame::Frame;
use analysis::review::reviewed_game::ReviewedGame;
use anyhow::Result;
use game::figures::GameFigures;
use sapper::Objective;
use serde::Serialize;
use viewer::data::{AccountReport, JudgementReport};

/// What is said of a game before its turns.
#[derive(Serialize)]
struct GameReport {
    /// What the game counts without luck, if it is known. It stands first: by the key the file is
    /// recognized.
    adjusted_won: Option<f64>,
    /// The name of the file.
    name: String,
    title: String,
    height: u32,
    width: u32,
    minecount: u32,
    /// The cells of the mines, if they are known.
    laid: Option<Vec<Coordinates>>,
    /// `None` under botzone.
    won: Option<bool>,
    /// The turn of the hit that lost the game.
    lost_in: Option<usize>,
}

/// A report that is written turn by turn, so that its memory does not grow with their number.
pub struct ReportWriter<W: Write> {
    out: W,
    objective: Objective,
    account: ClickAccount,
    figures: Option<GameFigures>,
    /// The turns of the mistakes.
    mistakes: Vec<usize>,
}

/// A turn.
#[derive(Serialize)]
struct TurnReport {
    turn: usize,
    /// The cells that the request of the turn opens, and their values; 9 is a mine.
    opened: Vec<(Coordinates, Option<u8>)>,
    /// The answer, and its odds.
    r#move: Option<Coordinates>,
    /// The step that decides, or what else the turn is.
    kind: &'static str,
    odds: Option<f64>,
    hit: bool,
    /// The engine's move, if it differs.
    instead: Option<Coordinates>,
    caption: String,
    why: Vec<String>,
    judgement: Option<JudgementReport>,
    /// The chance to win by the engine's move, which is the first, and by the click, where that is
    /// another cell.
    chance: Option<ChanceReport>,
    candidates: Vec<CandidateReport>,
    /// The cells of a solved endgame, and its layouts.
    values: Vec<EndgameCellReport>,
    layouts: Option<u32>,
    score: f64,
    hits: u32,
    hidden: usize,
    /// The `debug` of the bot's answer.
    note: Option<String>,
    /// What a person's mouse did; absent in a game of a bot.
    #[serde(flatten)]
    click: Option<ClickReport>,
}

/// A click of a person.
#[derive(Serialize)]
struct ClickReport {
    /// `open`, `chord`, `flag`, `unflag`, `unmark` or `wasted`.
    click: &'static str,
    seconds: f64,
    /// The cell of the click: of a chord the number.
    cell: Coordinates,
    /// The cells that it was meant to open.
    targets: Vec<Coordinates>,
    /// The cells that were flagged before it.
    flags: Vec<Coordinates>,
}

impl ClickReport {
    fn of(frame: &Frame) -> Option<ClickReport> {
        let (click, shape) = (frame.click.as_ref()?, frame.board.shape());
        Some(ClickReport {
            click: click.kind.name(),
            seconds: f64::from(click.time) / 1000.0,
            cell: coordinates(shape, click.cell),
            targets: list_coordinates(shape, &click.targets),
            flags: list_coordinates(shape, &frame.flags),
        })
    }
}

impl<W: Write> ReportWriter<W> {
    /// Begins the report of the game in the file `name`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn begin(
        mut out: W,
        game: &dyn ReviewedGame,
        objective: Objective,
        name: &str,
    ) -> Result<ReportWriter<W>> {
        let board = game.board();
        let shape = board.shape();
        let report = GameReport {
            adjusted_won: game.adjusted_won(),
            name: name.to_owned(),
            title: game.title(),
            height: shape.rows(),
            width: shape.columns(),
            minecount: board.mines(),
            laid: game.mines().map(|mines| list_coordinates(shape, &mines)),
            won: game.outcome().rule.is_classic().then(|| game.outcome().is_won()),
            lost_in: game.outcome().lost_in,
        };
        let report = serde_json::to_string(&report)?;
        write!(out, "{},\"turns\":[", report.strip_suffix('}').unwrap_or(&report))?;
        let (account, figures) = (ClickAccount::default(), game.figures());
        Ok(ReportWriter { out, objective, account, figures, mistakes: Vec::new() })
    }

    /// Writes the next turn.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn add(&mut self, frame: &Frame) -> Result<()> {
        if let Some(judgement) = &frame.judgement {
            self.account.add(frame.turn, judgement, frame.hit);
            self.mistakes.extend(judgement.is_mistake().then_some(frame.turn));
        }
        let comma = if frame.turn == 0 { "" } else { "," };
        let turn = serde_json::to_string(&TurnReport::of(frame, self.objective))?;
        Ok(write!(self.out, "{comma}{turn}")?)
    }

    /// Writes the account, the mistakes, and the end.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn end(mut self) -> Result<()> {
        let account = serde_json::to_string(&AccountReport::new(
            &self.account,
            self.objective,
            self.figures,
        ))?;
        let mistakes = serde_json::to_string(&self.mistakes)?;
        Ok(writeln!(self.out, "],\"account\":{account},\"mistakes\":{mistakes}}}")?)
    }
}

impl TurnReport {
    fn of(frame: &Frame, objective: Objective) -> TurnReport {
        let board = &frame.board;
        let shape = board.shape();
        let click = frame.judgement.as_ref();
        let opened = |&cell| (coordinates(shape, cell), board.state(cell).value());
        TurnReport {
            turn: frame.turn,
            opened: frame.opened.iter().map(opened).collect(),
            r#move: frame.opens.map(|cell| coordinates(shape, cell)),
            kind: frame.kind,
            odds: frame.odds_of_move(),
            hit: frame.hit,
            instead: frame.instead.map(|cell| coordinates(shape, cell)),
            caption: frame.caption.clone(),
            why: frame.why.clone(),
            judgement: click.map(|click| JudgementReport::new(board, click, objective)),
            chance: ChanceReport::new(&frame.chances, shape, objective, POLICY),
            candidates: candidate_reports(shape, &frame.candidates),
            values: endgame_cell_reports(shape, &frame.values),
            layouts: Some(frame.layouts()).filter(|layouts| *layouts > 0),
            score: frame.score,
            hits: frame.hits,
            hidden: board.hidden_len(),
            note: frame.note.clone(),
            click: ClickReport::of(frame),
        }
    }
}
