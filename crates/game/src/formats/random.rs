//! Random layouts, positions and recordings, which the tests of the writers write and read again.

use sapper::board::geometry::{Cell, Shape};
use sapper::{Board, CellState};

use crate::board_file::Layout;
use crate::recording::{Action, Mode, MouseEvent, Recording};

/// A layout of up to 40 columns and rows with any number of mines.
pub(super) fn random_layout(random: &mut fastrand::Rng) -> Layout {
    let shape = Shape::new(random.u64(1..=40), random.u64(1..=40)).unwrap();
    let share = random.f64();
    let mines = (0..shape.len()).filter(|_| random.f64() < share).collect();
    Layout::new(shape, mines)
}

/// A recording of any events of these kinds, some of them outside, that opens a cell.
pub(super) fn random_recording(random: &mut fastrand::Rng, actions: &[Action]) -> Recording {
    loop {
        let layout = random_layout(random);
        let mut time = 0;
        let event = |_: u32| {
            time += random.u32(..3000);
            let action = actions[random.usize(..actions.len())];
            let inside = Cell::from_index(random.u32(..layout.shape.len() as u32));
            MouseEvent { time, action, cell: (random.u8(..9) > 0).then_some(inside) }
        };
        let events = (0..60).map(event).collect();
        let modes = [Mode::Classic, Mode::Unprotected, Mode::Other(random.u16(..))];
        let names = ["", "Own 1", "a: b", "Width: 7", "\u{1f6a9} x"];
        let name = |random: &mut fastrand::Rng| names[random.usize(..names.len())].to_owned();
        let recording = Recording {
            format: "RAWVF",
            program: name(random),
            player: name(random),
            mode: modes[random.usize(..modes.len())],
            has_marks: random.bool(),
            layout,
            events,
        };
        if recording.clicks().clicks.iter().any(|click| !click.opened.is_empty()) {
            return recording;
        }
    }
}

/// A position of a layout: any open cells, mines among them, and any flags on hidden ones.
pub(super) fn random_position(random: &mut fastrand::Rng) -> (Board, Vec<Cell>) {
    let layout = random_layout(random);
    let field = layout.field();
    let mut board = Board::new(layout.shape, layout.mines.len() as u32);
    let (open, mined, flagged) = (random.f64(), random.f64() / 4.0, random.f64() / 2.0);
    for cell in layout.shape.cells() {
        let share = if field.is_mine(cell) { mined } else { open };
        if random.f64() < share {
            board.open(cell, CellState::from_value(Some(field.value(cell).into())));
        }
    }
    let flags = board.hidden().filter(|_| random.f64() < flagged).collect();
    (board, flags)
}
