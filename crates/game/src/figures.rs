//! The figures by which players compare games: 3BV, and clicks.
//!
//! Definitions: minesweepergame.com's wiki. Efficiency is 3BV / clicks, and 3BV/s is 3BV / time.

use super::field::{Field, MINE};
use super::recording::{Button, Click, ClickKind, ClickedGame};
use super::referee::Referee;

/// The least number of clicks that opens all safe cells (3BV): one for each opening, and one for
/// each number beside none.
pub fn bbbv(field: &Field) -> u32 {
    let mut referee = Referee::new(field.clone(), 0);
    let mut clicks = 0;
    for is_wanted in [|value| value == 0, |value| value < MINE] {
        for cell in field.shape().cells() {
            if is_wanted(field.value(cell)) && !referee.is_open(cell) {
                referee.open_beforehand(cell);
                clicks += 1;
            }
        }
    }
    clicks
}

/// The clicks of a game by their buttons.
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
        let mut counts = ClickCounts::default();
        for Click { kind, .. } in &game.clicks {
            let button = match kind {
                ClickKind::Open => Button::Left,
                ClickKind::Chord => Button::Middle,
                ClickKind::Flag | ClickKind::Unflag => Button::Right,
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
