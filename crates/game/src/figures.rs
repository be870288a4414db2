//! The figures by which players compare games: 3BV, and clicks.
//!
//! Definitions: minesweepergame.com's wiki. Efficiency is 3BV / clicks, and 3BV/s is 3BV / time. Of
//! a game that was not won, both count the part of the 3BV that was opened.

use std::time::Duration;

use sapper::board::geometry::Cell;

use super::field::{Field, MINE};
use super::recording::{Button, Click, ClickKind, ClickedGame, Recording};
use super::referee::Referee;

/// The least number of clicks that opens all safe cells (3BV): one for each opening, and one for
/// each number beside none.
pub fn bbbv(field: &Field) -> u32 {
    bbbv_where(field, |_| true)
}

/// The clicks of the 3BV that `opened` a cell: of an opening any of its zeros.
pub fn bbbv_where(field: &Field, opened: impl Fn(Cell) -> bool) -> u32 {
    let mut referee = Referee::new(field.clone(), 0);
    let mut clicks = 0;
    for is_wanted in [|value| value == 0, |value| value < MINE] {
        for cell in field.shape().cells() {
            if is_wanted(field.value(cell)) && !referee.is_open(cell) {
                let mut cells = referee.open_beforehand(cell).iter();
                clicks += u32::from(cells.any(|&(cell, value)| is_wanted(value) && opened(cell)));
            }
        }
    }
    clicks
}

/// The clicks of a game by their buttons, those outside the field included, which are wasted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClickCounts {
    /// Left clicks, wasted ones included.
    pub left: u32,
    /// Right clicks, wasted ones included.
    pub right: u32,
    /// Chords, wasted ones included.
    pub chords: u32,
    /// Those of all of these that changed nothing.
    pub wasted: u32,
    /// The flags that were set.
    pub flags: u32,
}

impl ClickCounts {
    /// The clicks of a game.
    pub fn of(game: &ClickedGame) -> ClickCounts {
        let [left, right, chords] = game.outside;
        let wasted = left + right + chords;
        let mut counts = ClickCounts { left, right, chords, wasted, flags: 0 };
        for Click { kind, .. } in &game.clicks {
            let button = match kind {
                ClickKind::Open => Button::Left,
                ClickKind::Chord => Button::Middle,
                ClickKind::Flag | ClickKind::Unflag | ClickKind::Unmark => Button::Right,
                ClickKind::Wasted(button) => *button,
            };
            *match button {
                Button::Left => &mut counts.left,
                Button::Right => &mut counts.right,
                Button::Middle => &mut counts.chords,
            } += 1;
            counts.wasted += u32::from(matches!(kind, ClickKind::Wasted(_)));
            counts.flags += u32::from(*kind == ClickKind::Flag);
        }
        counts
    }

    /// All clicks.
    pub fn all(&self) -> u32 {
        self.left + self.right + self.chords
    }

    /// Whether no flag was set ("NF").
    pub fn is_without_flags(&self) -> bool {
        self.flags == 0
    }
}

/// The figures of a recorded game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameFigures {
    /// The 3BV of the board.
    pub bbbv: u32,
    /// The part of it that was opened: all of it in a game that was won.
    pub solved_bbbv: u32,
    /// The time from the start to the end.
    pub time: Duration,
    /// The clicks.
    pub clicks: ClickCounts,
}

impl GameFigures {
    /// The figures of a recording, whose clicks are `game`.
    pub fn of(recording: &Recording, game: &ClickedGame) -> GameFigures {
        let field = recording.layout.field();
        let mut is_open = vec![false; field.shape().len()];
        for (cell, _) in game.clicks.iter().flat_map(|click| &click.opened) {
            is_open[cell.index()] = true;
        }
        let time = game.clicks.last().map_or(0, |click| click.time);
        GameFigures {
            bbbv: bbbv(&field),
            solved_bbbv: bbbv_where(&field, |cell| is_open[cell.index()]),
            time: Duration::from_millis(time.into()),
            clicks: ClickCounts::of(game),
        }
    }

    /// The solved 3BV in a second; `None` where no time passed.
    pub fn bbbv_per_second(&self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (seconds > 0.0).then(|| f64::from(self.solved_bbbv) / seconds)
    }

    /// The solved 3BV for a click; `None` without a click.
    pub fn efficiency(&self) -> Option<f64> {
        let clicks = self.clicks.all();
        (clicks > 0).then(|| f64::from(self.solved_bbbv) / f64::from(clicks))
    }
}
