//! A recorded game of a person: mouse events with times, and what they do on the board.
//!
//! Programs record the buttons of a mouse, not what they open. [`Recording::clicks`] gives what
//! follows from them, by the rules that all ranked programs share:
//!
//! - A cell opens when the left button is released on it, unless it is flagged.
//! - The right button, pressed alone, flags a hidden cell, or takes its flag away. Where question
//!   marks are on, it changes a flag into a question mark first, which does not keep a cell closed.
//!   On an open cell it is a click that changes nothing, unless it becomes a chord.
//! - Two buttons together, the middle one, or the left one with shift, are a chord: when the first
//!   of them is released on a number that has as many flags around it, all other hidden cells
//!   around it open. The button that is still down then does nothing.
//! - A hit ends the game. So does the last safe cell.
//!
//! Some programs do not record a button before the clock starts, which it does when the button is
//! released: a release without a press, as the first event of a button, counts for both.
//!
//! Invariant: a recording has at most as many clicks as events, and none after its end.

use sapper::board::geometry::{Cell, Shape};

use super::board_file::Layout;
use super::field::{Field, MINE};

/// What a person did with the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A button went down.
    Press(Button),
    /// A button went up.
    Release(Button),
    /// The left button went down while shift was held, which is a chord.
    ShiftPress,
    /// The other of the left and the right button went down, whichever was up.
    OtherPress,
    /// A flag that was set before any button was pressed: it counts only there.
    FlagBefore,
    /// Question marks were turned on or off.
    ToggleMarks,
    /// The mouse moved.
    Move,
}

impl Action {
    /// Whether a button went down or up.
    pub(super) fn is_of_button(self) -> bool {
        use Action::{OtherPress, Press, Release, ShiftPress};
        matches!(self, Press(_) | Release(_) | ShiftPress | OtherPress)
    }
}

/// A button of the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Button {
    /// Opens.
    Left,
    /// Flags.
    Right,
    /// Chords.
    Middle,
}

/// An event of the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MouseEvent {
    /// The time since the start, in milliseconds.
    pub time: u32,
    /// What happened.
    pub action: Action,
    /// The cell below the mouse; `None` outside the field.
    pub cell: Option<Cell>,
}

/// The rule of a recorded game that differs from Minesweeper's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Minesweeper: the first cell is safe.
    Classic,
    /// The first cell may be a mine, or the layout was known ("upk").
    Unprotected,
    /// Another one, by the name or the number that the file has.
    Other(u16),
}

/// A recorded game of a person.
#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    /// The kind of the file: `AVF`.
    pub format: &'static str,
    /// The program that recorded it, as far as the file tells.
    pub program: String,
    /// The player's name; it may be empty.
    pub player: String,
    /// The mines.
    pub layout: Layout,
    /// The rule.
    pub mode: Mode,
    /// Whether question marks are on at the start.
    pub has_marks: bool,
    /// All events, in the order of the file.
    pub events: Vec<MouseEvent>,
}

/// What a click did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClickKind {
    /// Opened a cell, and all around it if it is a zero.
    Open,
    /// Opened the cells around a number.
    Chord,
    /// Set a flag.
    Flag,
    /// Took a flag away, or made it a question mark.
    Unflag,
    /// Took a question mark away.
    Unmark,
    /// Changed nothing.
    Wasted(Button),
}

impl ClickKind {
    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            ClickKind::Open => "open",
            ClickKind::Chord => "chord",
            ClickKind::Flag => "flag",
            ClickKind::Unflag => "unflag",
            ClickKind::Unmark => "unmark",
            ClickKind::Wasted(_) => "wasted",
        }
    }
}

/// A click: what a button or two did on a cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Click {
    /// The time since the start, in milliseconds.
    pub time: u32,
    /// What it did.
    pub kind: ClickKind,
    /// The cell.
    pub cell: Cell,
    /// The cells that it was meant to open: one, or those around a number. A zero opens more.
    pub targets: Vec<Cell>,
    /// All cells that it opened with their values, 9 for a mine, in the order of opening.
    pub opened: Vec<(Cell, u8)>,
}

/// The clicks of a recording, and its end.
#[derive(Clone, PartialEq, Debug)]
pub struct ClickedGame {
    /// The clicks until the game ended.
    pub clicks: Vec<Click>,
    /// The clicks outside the field until then, which change nothing: with the left button, the
    /// right one, and chords.
    pub outside: [u32; 3],
    /// Whether all safe cells are open.
    pub won: bool,
    /// Whether a mine was opened.
    pub lost: bool,
}

/// A cell that is not open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cover {
    Hidden,
    Flagged,
    Marked,
    Open,
}

/// The state of a game that is clicked through.
struct Player<'f> {
    field: &'f Field,
    covers: Vec<Cover>,
    has_marks: bool,
    /// Which buttons are down: left, right, middle.
    down: [bool; 3],
    /// Two buttons are down together, and none was released since.
    is_chord: bool,
    /// Whether the right button went down alone where it changes nothing: on this open cell, or
    /// outside the field. The left button may still make it a chord.
    right_on: Option<Option<Cell>>,
    /// A chord has been made, and its buttons are not all up yet.
    is_spent: bool,
    /// Whether a button was ever recorded.
    has_begun: bool,
    /// The safe cells that are not open.
    left: usize,
    game: ClickedGame,
}

impl Recording {
    /// The clicks of the game.
    pub fn clicks(&self) -> ClickedGame {
        let field = self.layout.field();
        let cells = self.layout.shape.len();
        let mut player = Player {
            field: &field,
            covers: vec![Cover::Hidden; cells],
            has_marks: self.has_marks,
            down: [false; 3],
            is_chord: false,
            right_on: None,
            is_spent: false,
            has_begun: false,
            left: cells - self.layout.mines.len(),
            game: ClickedGame { clicks: Vec::new(), outside: [0; 3], won: false, lost: false },
        };
        for event in &self.events {
            if player.game.won || player.game.lost {
                break;
            }
            player.add(*event);
        }
        player.game
    }
}

impl Player<'_> {
    fn shape(&self) -> Shape {
        self.field.shape()
    }

    fn add(&mut self, MouseEvent { time, action, cell }: MouseEvent) {
        let is_first = !self.has_begun;
        self.has_begun |= action.is_of_button();
        match action {
            Action::FlagBefore if is_first => {
                self.flag(time, cell);
                if let Some(cell) = self.right_on.take() {
                    self.waste(time, Button::Right, cell);
                }
            }
            Action::Move | Action::FlagBefore => {}
            Action::ToggleMarks => self.has_marks = !self.has_marks,
            Action::ShiftPress => {
                self.down[Button::Left as usize] = true;
                self.is_chord = true;
            }
            Action::OtherPress => {
                let is_left_down = self.down[Button::Left as usize];
                self.press(time, if is_left_down { Button::Right } else { Button::Left }, cell);
            }
            Action::Press(button) => self.press(time, button, cell),
            Action::Release(button) => {
                if is_first {
                    self.press(time, button, cell);
                }
                self.release(time, button, cell);
            }
        }
    }

    fn press(&mut self, time: u32, button: Button, cell: Option<Cell>) {
        let was_up = !self.down.contains(&true);
        self.down[button as usize] = true;
        match button {
            Button::Middle => self.is_chord = true,
            Button::Right if was_up => self.flag(time, cell),
            Button::Left if was_up => {}
            Button::Left | Button::Right => self.is_chord = true,
        }
    }

    fn release(&mut self, time: u32, button: Button, cell: Option<Cell>) {
        let was_down = std::mem::take(&mut self.down[button as usize]);
        let right_on = self.right_on.take();
        if self.is_chord {
            self.is_chord = false;
            self.is_spent = true;
            self.chord(time, cell);
        } else if button == Button::Left && was_down && !self.is_spent {
            self.open(time, cell);
        } else if let Some(cell) = right_on.filter(|_| button == Button::Right) {
            self.waste(time, Button::Right, cell);
        }
        if !self.down.contains(&true) {
            self.is_spent = false;
        }
    }

    fn push(&mut self, time: u32, kind: ClickKind, cell: Cell, targets: Vec<Cell>) {
        let mut opened = Vec::new();
        targets.iter().for_each(|&target| self.uncover(target, &mut opened));
        self.game.lost |= opened.iter().any(|&(_, value)| value == MINE);
        self.game.won = self.left == 0 && !self.game.lost;
        self.game.clicks.push(Click { time, kind, cell, targets, opened });
    }

    /// Opens a cell, and all cells around a zero. A flag keeps a cell closed, also there.
    fn uncover(&mut self, cell: Cell, opened: &mut Vec<(Cell, u8)>) {
        let mut next = vec![cell];
        while let Some(cell) = next.pop() {
            let cover = &mut self.covers[cell.index()];
            if matches!(cover, Cover::Open | Cover::Flagged) {
                continue;
            }
            *cover = Cover::Open;
            let value = self.field.value(cell);
            opened.push((cell, value));
            self.left -= usize::from(value != MINE);
            if value == 0 {
                next.extend(self.shape().neighbours(cell));
            }
        }
    }

    /// A click that changes nothing.
    fn waste(&mut self, time: u32, button: Button, cell: Option<Cell>) {
        match cell {
            Some(cell) => self.push(time, ClickKind::Wasted(button), cell, Vec::new()),
            None => self.game.outside[button as usize] += 1,
        }
    }

    fn open(&mut self, time: u32, cell: Option<Cell>) {
        let cover = cell.map(|cell| self.covers[cell.index()]);
        match cell.zip(cover) {
            Some((cell, Cover::Hidden | Cover::Marked)) => {
                self.push(time, ClickKind::Open, cell, vec![cell]);
            }
            Some((_, Cover::Flagged | Cover::Open)) | None => {
                self.waste(time, Button::Left, cell);
            }
        }
    }

    fn flag(&mut self, time: u32, cell: Option<Cell>) {
        let Some(cell) = cell else {
            self.right_on = Some(None);
            return;
        };
        let (cover, kind) = match self.covers[cell.index()] {
            Cover::Hidden => (Cover::Flagged, ClickKind::Flag),
            Cover::Flagged if self.has_marks => (Cover::Marked, ClickKind::Unflag),
            Cover::Flagged => (Cover::Hidden, ClickKind::Unflag),
            Cover::Marked => (Cover::Hidden, ClickKind::Unmark),
            Cover::Open => {
                self.right_on = Some(Some(cell));
                return;
            }
        };
        self.covers[cell.index()] = cover;
        self.push(time, kind, cell, Vec::new());
    }

    fn chord(&mut self, time: u32, cell: Option<Cell>) {
        // Of two buttons, too, it was meant as a chord.
        let Some(cell) = cell else { return self.waste(time, Button::Middle, None) };
        let around = self.shape().neighbours(cell);
        let is_open = self.covers[cell.index()] == Cover::Open;
        let is_flagged = |near: &&Cell| self.covers[near.index()] == Cover::Flagged;
        let flags = around.iter().filter(is_flagged).count();
        let is_covered =
            |near: &&Cell| matches!(self.covers[near.index()], Cover::Hidden | Cover::Marked);
        let targets: Vec<Cell> = around.iter().filter(is_covered).copied().collect();
        let is_chord = is_open && flags == usize::from(self.field.value(cell));
        if is_chord && !targets.is_empty() {
            self.push(time, ClickKind::Chord, cell, targets);
        } else {
            self.waste(time, Button::Middle, Some(cell));
        }
    }
}
