//! A game of a person, from a recording of the mouse, as frames.
//!
//! Frame N is click N, counted from 0; the last frame is the end. A click or a chord that opens
//! cells is judged, a chord by all the cells that it opens. Flags are shown and not judged: a flag
//! is the player's mark, and changes no odds.
//!
//! Invariant: a frame follows from what the player saw: the numbers on the board before the click.
//! The odds are exact if all layouts are equally likely; see [`PersonGame::caution`].
//!
//! Cost: one analysis per frame.

use std::collections::BTreeSet;

use super::captions::{AnsweredTurn, turn_text};
use super::frame::{FREE, Frame};
use super::log::shortened_name;
use super::outcome::GameOutcome;
use super::reviewed_game::ReviewedGame;
use super::told_answer::{ToldAnswer, tell_answer, tell_chord};
use crate::Analyzer;
use crate::mistakes::judge_chord;
use crate::notation::{cell_text, list_cells};
use game::field::MINE;
use game::figures::GameFigures;
use game::recording::{Button, Click, ClickKind, ClickedGame, Mode, Recording};
use game::referee::show;
use sapper::board::Board;
use sapper::board::geometry::{Cell, Shape};
use sapper::bot::engine::Step;
use sapper::kit::text::pluralize;

/// A recorded game of a person, click by click.
pub struct PersonGame {
    recording: Recording,
    game: ClickedGame,
    figures: GameFigures,
    outcome: GameOutcome,
    first: Board,
    /// The click that opens the first cells.
    first_open: Option<usize>,
}

impl PersonGame {
    /// The game of a recording.
    pub fn new(recording: Recording) -> PersonGame {
        let game = recording.clicks();
        let figures = GameFigures::of(&recording, &game);
        let lost_in = game.lost.then(|| game.clicks.len().saturating_sub(1));
        let outcome = GameOutcome::of_person(lost_in, game.won);
        let first = Board::new(recording.layout.shape, recording.layout.mines.len() as u32);
        let first_open = game.clicks.iter().position(|click| !click.opened.is_empty());
        PersonGame { recording, game, figures, outcome, first, first_open }
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Whether a click is the first one, which the rule of the game keeps free. One that hits a
    /// mine was not.
    pub fn is_free(&self, turn: usize) -> bool {
        self.first_open == Some(turn)
            && self.recording.mode != Mode::Unprotected
            && !self.is_hit(&self.game.clicks[turn])
    }

    /// Whether a click opens cells.
    pub fn opens(&self, turn: usize) -> bool {
        !self.game.clicks[turn].opened.is_empty()
    }

    fn is_hit(&self, click: &Click) -> bool {
        click.opened.iter().any(|&(_, value)| value == MINE)
    }

    /// What is not known of the game's rule, as a sentence; `None` where it is Minesweeper's.
    pub fn caution(&self) -> Option<String> {
        match self.recording.mode {
            Mode::Classic => None,
            Mode::Unprotected => Some(
                "The first cell may be a mine in this mode, and the layout may have been known."
                    .to_owned(),
            ),
            Mode::Other(_) => Some(
                "The game was played in another mode than the classic one: the odds suppose that \
                 all layouts are equally likely."
                    .to_owned(),
            ),
        }
    }

    /// The board before a click, which may be the number of all clicks, and the cells that are
    /// flagged, in row-major order.
    pub fn before(&self, turn: usize) -> (Board, Vec<Cell>) {
        let (mut board, mut flags) = (self.first.clone(), BTreeSet::new());
        for click in &self.game.clicks[..turn] {
            show(&mut board, &click.opened);
            match click.kind {
                ClickKind::Flag => {
                    flags.insert(click.cell);
                }
                ClickKind::Unflag => {
                    flags.remove(&click.cell);
                }
                ClickKind::Open | ClickKind::Chord | ClickKind::Unmark | ClickKind::Wasted(_) => {}
            }
        }
        (board, flags.into_iter().collect())
    }

    /// The end of the game, or of the recording.
    fn end(&self, turn: usize, frame: Frame) -> Frame {
        let clicks = pluralize(turn, "click", "clicks");
        let caption = format!("After {clicks}: {}", self.result());
        Frame { caption, why: self.caution().into_iter().collect(), ..frame }
    }

    /// The result with its time: `won in 12.345 s`.
    pub fn result(&self) -> String {
        let seconds = format!("{:.3} s", self.figures.time.as_secs_f64());
        match (self.game.won, self.game.lost) {
            (true, _) => format!("won in {seconds}"),
            (_, true) => format!("lost after {seconds}"),
            _ => format!("not finished after {seconds}"),
        }
    }

    /// A click that opens cells.
    fn opening(&self, turn: usize, click: &Click, frame: Frame, analyzer: &mut Analyzer) -> Frame {
        let board = frame.board.clone();
        let is_free = self.is_free(turn);
        let mut analysis = analyzer.analyze(&board, None).ok().filter(|_| !is_free);
        let mut targets = click.targets.clone();
        targets.sort_unstable();
        let judgement = analysis.as_mut().and_then(|analysis| judge_chord(analysis, &targets));
        let mut told = match (&analysis, &judgement, &targets[..]) {
            (Some(analysis), judgement, &[cell]) => tell_answer(analysis, cell, judgement.as_ref()),
            (Some(analysis), Some(chord), _) => tell_chord(analysis, chord),
            _ if is_free => ToldAnswer::of_kind(FREE),
            _ => ToldAnswer::of_kind(Step::Rough.name()),
        };
        if is_free {
            told.why.push(match self.recording.mode {
                Mode::Other(_) => "The first cell of this mode may be no risk.".to_owned(),
                _ => "The first cell is never a mine: it is no risk.".to_owned(),
            });
        }
        told.why.extend(analysis.as_ref().and_then(Frame::approximate_text));
        let hit = self.is_hit(click);
        let answered = AnsweredTurn {
            turn,
            time: Some(click.time),
            cell: opening_text(board.shape(), click),
            kind: told.kind,
            odds: judgement.as_ref().map(|judgement| judgement.odds),
            hit,
            survived: false,
            opened: click.opened.len(),
        };
        let frame = Frame {
            opens: Some(click.cell),
            caption: answered.caption(),
            judgement,
            instead: told.instead,
            kind: told.kind,
            hit,
            why: told.why,
            uses: told.uses,
            ..frame
        };
        match &analysis {
            Some(analysis) => frame.with_analysis(analysis),
            None => frame,
        }
    }

    /// A click, which opens cells, or sets a flag, or changes nothing.
    fn click(&self, turn: usize, click: &Click, frame: Frame, analyzer: &mut Analyzer) -> Frame {
        let board = frame.board.clone();
        let at = cell_text(board.shape(), click.cell);
        let text = match click.kind {
            ClickKind::Flag => format!("flag on {at}"),
            ClickKind::Unflag => format!("flag taken from {at}"),
            ClickKind::Unmark => format!("question mark taken from {at}"),
            ClickKind::Wasted(button) => wasted_text(button, &at),
            ClickKind::Open | ClickKind::Chord => {
                return self.opening(turn, click, frame, analyzer);
            }
        };
        let caption = format!("{}: {text}", turn_text(turn, Some(click.time)));
        let frame = Frame { kind: click.kind.name(), caption, ..frame };
        // Before the first cell is open, the mines need not be laid.
        let is_laid = self.first_open.is_some_and(|first| first < turn);
        match analyzer.analyze(&board, None) {
            Ok(analysis) if is_laid => {
                let mut frame = frame.with_analysis(&analysis);
                if click.kind == ClickKind::Flag && analysis.odds().of(click.cell) == 0.0 {
                    frame.why.push(format!("{at} is proven safe."));
                }
                frame
            }
            _ => frame,
        }
    }
}

impl ReviewedGame for PersonGame {
    fn frames(&self) -> usize {
        self.game.clicks.len() + 1
    }

    fn moves(&self) -> usize {
        self.game.clicks.len()
    }

    fn board(&self) -> &Board {
        &self.first
    }

    fn title(&self) -> String {
        let (shape, mines) = (self.first.shape(), pluralize(self.first.mines(), "mine", "mines"));
        let Recording { program, player, format, .. } = &self.recording;
        let program = match shortened_name(program) {
            none if none.is_empty() => none,
            program => format!(" of {program}"),
        };
        let player = match player.trim() {
            "" => String::new(),
            player => format!(", played by {}", shortened_name(player)),
        };
        let (columns, rows, result) = (shape.columns(), shape.rows(), self.result());
        format!("{columns}x{rows}, {mines}, {format}{program}{player}, {result}")
    }

    fn outcome(&self) -> &GameOutcome {
        &self.outcome
    }

    fn mines(&self) -> Option<Vec<Cell>> {
        let mut mines: Vec<Cell> =
            self.recording.layout.mines.iter().map(|&mine| Cell::from_index(mine as u32)).collect();
        mines.sort_unstable();
        Some(mines)
    }

    fn figures(&self) -> Option<GameFigures> {
        Some(self.figures)
    }

    fn frame(&self, turn: usize, analyzer: &mut Analyzer) -> Frame {
        let (board, flags) = self.before(turn);
        let opened = turn.checked_sub(1).map(|before| &self.game.clicks[before].opened);
        let mut opened: Vec<Cell> = opened.into_iter().flatten().map(|&(cell, _)| cell).collect();
        opened.sort_unstable();
        let is_lost = self.outcome.is_lost_before(turn);
        let click = self.game.clicks.get(turn);
        let frame = Frame {
            opened,
            hits: u32::from(is_lost),
            score: if is_lost { 0.0 } else { 100.0 },
            click: click.cloned(),
            flags,
            ..Frame::bare(turn, board)
        };
        match click {
            None => self.end(turn, frame),
            Some(click) => self.click(turn, click, frame, analyzer),
        }
    }
}

/// The cell of a click, or the number of a chord and the cells that it is meant to open.
fn opening_text(shape: Shape, click: &Click) -> String {
    let at = cell_text(shape, click.cell);
    match click.kind {
        ClickKind::Chord => format!("chord at {at} on {}", list_cells(shape, &click.targets)),
        _ => at,
    }
}

fn wasted_text(button: Button, at: &str) -> String {
    let name = match button {
        Button::Left => "left click",
        Button::Right => "right click",
        Button::Middle => "chord",
    };
    format!("a {name} at {at} changes nothing")
}
