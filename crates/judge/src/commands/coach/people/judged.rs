//! The clicks of a person's game, judged.

use analysis::Analyzer;
use analysis::chance::{Chances, POLICY};
use analysis::chance_text::turn_sentence;
use analysis::json::chance::ChanceReport;
use analysis::mistakes::{ClickAccount, Judgement, Verdict};
use analysis::review::frame::Frame;
use analysis::review::person_game::PersonGame;
use analysis::review::reviewed_game::ReviewedGame;
use analysis::review::turn_chance::tell_chances;
use game::recording::{ClickKind, Recording};
use sapper::{Cell, Objective, Shape};
use serde::Serialize;
use viewer::data::FiguresReport;

use super::super::decisions::{OfKind, address, field};
use crate::report::guess_bins::GuessBins;

/// The objective of the rule that all games of people have: a hit ends the game.
pub const OBJECTIVE: Objective = Objective::CleanWin;

/// A game whose clicks were judged.
pub struct JudgedGame {
    pub report: GameReport,
    /// The guesses and the needless risks, by their odds.
    pub bins: GuessBins,
    /// The clicks that cost something.
    pub mistakes: Vec<Mistake>,
}

/// What is reported of a game; a row of `--csv`.
#[derive(Clone, Default, Serialize)]
pub struct GameReport {
    /// The file.
    pub game: String,
    pub program: String,
    pub player: String,
    pub width: u32,
    pub height: u32,
    pub mines: u32,
    /// `won`, `lost` or `unfinished`.
    pub result: &'static str,
    pub seconds: f64,
    pub bbbv: u32,
    /// The part of the 3BV that was opened.
    pub solved_bbbv: u32,
    pub bbbv_per_second: Option<f64>,
    pub clicks: u32,
    pub left: u32,
    pub right: u32,
    pub chords: u32,
    pub wasted: u32,
    pub flags: u32,
    pub efficiency: Option<f64>,
    /// The clicks and chords whose cells were all proven safe.
    pub safe: u32,
    /// Those where no cell was proven safe.
    pub guesses: u32,
    /// The odds of the guesses, summed.
    pub risk: f64,
    /// The odds of sapper's cells in their place, summed.
    pub best_risk: f64,
    /// Those where another cell was proven safe, and their odds, summed.
    pub needless_risks: u32,
    pub needless_risk: f64,
    /// Those that opened a proven mine.
    pub proven_mines: u32,
    /// The clicks that could not be judged.
    pub unjudged: u32,
    /// What the mistakes cost.
    pub cost: f64,
    /// The risk that was taken less the hit.
    pub luck: f64,
    /// What is not known of the rule of the game.
    pub caution: Option<String>,
}

/// A click or a chord that cost something.
#[derive(Serialize)]
pub struct Mistake {
    pub game: String,
    /// The click, counted from 0.
    pub turn: usize,
    pub seconds: f64,
    /// `open` or `chord`.
    pub click: &'static str,
    /// The cells that it opened: row and column.
    pub cells: Vec<(u32, u32)>,
    /// The cell of sapper.
    pub instead: Option<(u32, u32)>,
    /// The probability of a mine in any of the cells.
    pub odds: f64,
    /// The same for sapper's cell.
    pub odds_instead: f64,
    pub cost: f64,
    /// The chance to win by sapper's cell, which is the first, and by the click; of a listed click.
    pub chance: Option<ChanceReport>,
    pub hit: bool,
    pub kind: &'static str,
    /// The mistakes of this kind in all games, and what they cost.
    pub of_kind: OfKind,
    /// The judgement in a sentence, and the proof that was there.
    pub why: Vec<String>,
    /// The field before the click, as text.
    pub field: String,
    /// The part of the page's address that shows the field.
    pub address: String,
    /// The replay page of the game, at this turn.
    pub page: Option<String>,
    #[serde(skip)]
    frame: Box<Frame>,
}

/// Judges all clicks of a game, unless `is_interrupted` becomes true.
pub fn judge(
    name: &str,
    game: &PersonGame,
    (analyzer, chances): &mut (Analyzer, Chances),
    is_interrupted: fn() -> bool,
) -> JudgedGame {
    let mut judged = JudgedGame {
        report: GameReport::of(name, game),
        bins: GuessBins::default(),
        mistakes: Vec::new(),
    };
    let mut account = ClickAccount::default();
    for turn in (0..game.moves()).take_while(|_| !is_interrupted()) {
        // Flags, and clicks that change nothing, are not judged.
        if !game.opens(turn) || game.is_free(turn) {
            continue;
        }
        let mut frame = game.frame(turn, analyzer);
        // The odds alone do not say what such a click costs.
        if frame.judgement.as_ref().is_some_and(Judgement::is_needless) {
            tell_chances(&mut frame, chances, None);
        }
        let is_exact = |judgement: &&Judgement| frame.approximate == 0 || judgement.is_proven();
        let Some(judgement) = frame.judgement.as_ref().filter(is_exact) else {
            judged.report.unjudged += 1;
            continue;
        };
        account.add(turn, judgement, frame.hit);
        judged.report.add(judgement);
        judged.bins.add(judgement.odds, frame.hit);
        if judgement.is_mistake() {
            judged.mistakes.push(Mistake::of(name, &frame, judgement));
        }
    }
    judged.report.cost = account.cost;
    judged.report.luck = account.luck();
    judged
}

impl GameReport {
    /// A game without its judgements.
    fn of(name: &str, game: &PersonGame) -> GameReport {
        let Recording { program, player, layout, .. } = game.recording();
        let mut report = GameReport {
            game: name.to_owned(),
            program: program.clone(),
            player: player.trim().to_owned(),
            width: layout.shape.columns(),
            height: layout.shape.rows(),
            mines: layout.mines.len() as u32,
            result: match (game.outcome().is_won(), game.outcome().hits) {
                (true, _) => "won",
                (false, 0) => "unfinished",
                (false, _) => "lost",
            },
            caution: game.caution(),
            ..GameReport::default()
        };
        if let Some(figures) = game.figures() {
            let figures = FiguresReport::of(&figures);
            report.seconds = figures.seconds;
            report.bbbv = figures.bbbv;
            report.solved_bbbv = figures.solved_bbbv;
            report.bbbv_per_second = figures.bbbv_per_second;
            report.clicks = figures.clicks;
            (report.left, report.right) = (figures.left, figures.right);
            (report.chords, report.wasted) = (figures.chords, figures.wasted);
            report.flags = figures.flags;
            report.efficiency = figures.efficiency;
        }
        report
    }

    fn add(&mut self, click: &Judgement) {
        match click.verdict {
            Verdict::Safe => self.safe += 1,
            Verdict::ProvenMine { .. } => self.proven_mines += 1,
            Verdict::NeedlessRisk { .. } => {
                self.needless_risks += 1;
                self.needless_risk += click.odds;
            }
            Verdict::Guess { best_odds, .. } => {
                self.guesses += 1;
                self.risk += click.odds;
                self.best_risk += best_odds;
            }
        }
    }
}

impl Mistake {
    fn of(game: &str, frame: &Frame, click: &Judgement) -> Mistake {
        let (board, cells) = (&frame.board, click.cells());
        let shape = board.shape();
        let is_chord = frame.click.as_ref().is_some_and(|click| click.kind == ClickKind::Chord);
        let sentence = click.sentence(shape, OBJECTIVE);
        let proof = click.proof().map(|proof| proof.sentences(board)).unwrap_or_default();
        let instead = click.better().or(frame.instead);
        Mistake {
            game: game.to_owned(),
            turn: frame.turn,
            seconds: frame.click.as_ref().map_or(0.0, |click| f64::from(click.time) / 1000.0),
            click: if is_chord { ClickKind::Chord } else { ClickKind::Open }.name(),
            cells: cells.iter().map(|&cell| place(shape, cell)).collect(),
            instead: instead.map(|cell| place(shape, cell)),
            odds: click.odds,
            odds_instead: match click.verdict {
                Verdict::Guess { best_odds, .. } => best_odds,
                Verdict::ProvenMine { best: Some((_, odds)), .. } => odds,
                Verdict::Safe
                | Verdict::ProvenMine { best: None, .. }
                | Verdict::NeedlessRisk { .. } => 0.0,
            },
            cost: click.cost,
            chance: None,
            hit: frame.hit,
            kind: kind(click, is_chord),
            of_kind: OfKind::default(),
            why: [vec![sentence], proof].concat(),
            field: field(board, &cells, instead),
            address: address(board),
            page: None,
            frame: Box::new(frame.clone()),
        }
    }

    /// Tells the chance to win before the click and by it.
    pub fn tell_chances(&mut self, chances: &mut Chances) {
        let Mistake { frame, why, .. } = self;
        if frame.chances.is_empty() {
            tell_chances(frame, chances, None);
        }
        let (shape, cells) = (frame.board.shape(), &frame.chances);
        self.chance = ChanceReport::new(cells, shape, OBJECTIVE, POLICY);
        why.extend(turn_sentence(cells, frame.opens, shape, OBJECTIVE));
    }
}

/// The kind of a click that cost something.
fn kind(click: &Judgement, is_chord: bool) -> &'static str {
    match (&click.verdict, is_chord) {
        (Verdict::ProvenMine { .. }, false) => "proven mine opened",
        (Verdict::ProvenMine { .. }, true) => "proven mine opened by a chord",
        (Verdict::NeedlessRisk { .. }, false) => "needless risk",
        (Verdict::NeedlessRisk { .. }, true) => "needless risk by a chord",
        (Verdict::Guess { .. } | Verdict::Safe, false) => "worse guess",
        (Verdict::Guess { .. } | Verdict::Safe, true) => "worse guess by a chord",
    }
}

fn place(shape: Shape, cell: Cell) -> (u32, u32) {
    (shape.row(cell), shape.column(cell))
}
