//! A game of this project's own, which the tests write in each format of recordings and read again.

use sapper::board::geometry::Shape;

use super::format::Contents;
use super::mouse::cell_at;
use super::read;
use crate::board_file::Layout;
use crate::recording::{Action, Button, ClickKind, ClickedGame, Mode, MouseEvent, Recording};

/// An event as a program records it: time in milliseconds, what the mouse did, and its place in
/// pixels.
#[derive(Clone, Copy)]
pub(super) struct Recorded {
    pub(super) time: u32,
    pub(super) action: Action,
    pub(super) x: i32,
    pub(super) y: i32,
}

/// The size of a cell in pixels.
const CELL: i32 = 16;

/// Beginner's field: ten mines in the last two rows, from the left.
pub(super) fn layout() -> Layout {
    let shape = Shape::new(8, 8).unwrap();
    let mines = (48..56).chain([56, 57]).collect();
    Layout::new(shape, mines)
}

/// An opening, two flags, a chord by both buttons that opens nothing, and the last safe cells. All
/// times are tens of milliseconds, as the coarsest format has them.
pub(super) fn events() -> Vec<Recorded> {
    let (left, right) = (Button::Left, Button::Right);
    let script = [
        (0, Action::Press(left), 0, 0),
        (20, Action::Release(left), 0, 0),
        (30, Action::Move, 7, 5),
        (300, Action::Press(right), 6, 0),
        (310, Action::Release(right), 6, 0),
        (320, Action::Press(right), 6, 1),
        (330, Action::Release(right), 6, 1),
        // The 2 in the corner has both its mines flagged: a chord that opens nothing.
        (400, Action::Press(right), 5, 0),
        (410, Action::Press(left), 5, 0),
        (420, Action::Release(right), 5, 0),
        (430, Action::Release(left), 5, 0),
        (70_000, Action::Move, 7, 2),
    ];
    let last = (2..8).flat_map(|column| {
        let time = 70_000 + 100 * column as u32;
        [(time, Action::Press(left), 7, column), (time + 10, Action::Release(left), 7, column)]
    });
    let place = |(time, action, row, column): (u32, Action, i32, i32)| {
        // Not the corner of a cell.
        Recorded { time, action, x: CELL * column + 5, y: CELL * row + 11 }
    };
    script.into_iter().chain(last).map(place).collect()
}

/// The game as a recording that a program made.
pub(super) fn recording() -> Recording {
    let layout = layout();
    let event = |Recorded { time, action, x, y }: Recorded| {
        let cell = cell_at(layout.shape, CELL as u32, x.into(), y.into());
        MouseEvent { time, action, cell }
    };
    let events = events().into_iter().map(event).collect();
    Recording {
        format: "RAWVF",
        program: "Own 1".to_owned(),
        player: "Ann".to_owned(),
        layout,
        mode: Mode::Classic,
        has_marks: false,
        events,
    }
}

/// Reads what a test has written, and checks that it is the game.
pub(super) fn assert_is_own_game(bytes: &[u8], format: &str) -> Recording {
    let recording = match read(bytes) {
        Ok(Contents::Recording(recording)) => *recording,
        other => panic!("{format}: {other:?}"),
    };
    assert_eq!((recording.format, &recording.layout), (format, &layout()));
    let ClickedGame { clicks, won, lost, .. } = recording.clicks();
    assert!(won && !lost, "{format}");
    let kinds: Vec<(u32, ClickKind, usize)> =
        clicks.iter().map(|click| (click.time, click.kind, click.opened.len())).collect();
    let mut expected = vec![
        (20, ClickKind::Open, 48),
        (300, ClickKind::Flag, 0),
        (320, ClickKind::Flag, 0),
        (420, ClickKind::Wasted(Button::Middle), 0),
    ];
    expected.extend((2..8).map(|column| (70_010 + 100 * column, ClickKind::Open, 1)));
    assert_eq!(kinds, expected, "{format}");
    recording
}

/// No beginning of the file, and no file with one byte changed, makes a reader panic. A beginning
/// is never the whole game.
pub(super) fn assert_hardened(bytes: &[u8]) {
    let whole = read(bytes);
    for len in 0..bytes.len() {
        if let Ok(Contents::Recording(part)) = read(&bytes[..len]) {
            let is_text = str::from_utf8(bytes).is_ok();
            assert!(is_text || Ok(Contents::Recording(part)) == whole, "{len} bytes");
        }
    }
    let mut random = fastrand::Rng::with_seed(3);
    let mut altered = bytes.to_vec();
    for _ in 0..20_000 {
        let index = random.usize(..bytes.len());
        altered[index] = random.u8(..);
        // Sometimes several bytes differ.
        let _ = read(&altered);
        if random.u8(..4) > 0 {
            altered[index] = bytes[index];
        } else if random.u8(..8) == 0 {
            altered.copy_from_slice(bytes);
        }
    }
}
