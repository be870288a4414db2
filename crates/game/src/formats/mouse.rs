//! What the formats of recordings share: boards as places of mines, codes of buttons, pixels.

use sapper::board::geometry::{Cell, Shape};

use super::bytes::Bytes;
use crate::board_file::Layout;
use crate::recording::{Action, Button, MouseEvent};

/// The layout of `count` mines, two bytes each, of which `place` makes row and column.
pub(super) fn layout(
    bytes: &mut Bytes,
    shape: Shape,
    count: usize,
    place: impl Fn(i64, i64) -> (i64, i64),
) -> Result<Layout, String> {
    let start = bytes.at();
    let mut mines = Vec::new();
    for _ in 0..count {
        let at = bytes.at();
        let (row, column) = place(bytes.u8()?.into(), bytes.u8()?.into());
        let cell = shape.cell(row, column);
        let cell = cell.ok_or_else(|| format!("byte {at}: ({row},{column}) is outside"))?;
        mines.push(cell.index());
    }
    mines.sort_unstable();
    mines.dedup();
    if mines.len() != count {
        return Err(format!("byte {start}: two mines are in one cell"));
    }
    Ok(Layout::new(shape, mines))
}

/// The action of a code from 1 to 7, which RMV and EVF have alike.
pub(super) fn action_of(code: u8) -> Option<Action> {
    Some(match code {
        1 => Action::Move,
        2 => Action::Press(Button::Left),
        3 => Action::Release(Button::Left),
        4 => Action::Press(Button::Right),
        5 => Action::Release(Button::Right),
        6 => Action::Press(Button::Middle),
        7 => Action::Release(Button::Middle),
        _ => return None,
    })
}

/// The code of an action, for the tests that write these formats; of no button that of a move.
#[cfg(test)]
pub(super) fn code_of(action: Action) -> u8 {
    (1..=7).find(|&code| action_of(code) == Some(action)).unwrap_or(1)
}

/// The cell at a pixel, where cells have `size` pixels; `None` outside the field.
pub(super) fn cell_at(shape: Shape, size: u32, x: i64, y: i64) -> Option<Cell> {
    shape.cell(y.div_euclid(size.into()), x.div_euclid(size.into()))
}

/// Adds the press of a button whose release is the first event of a button: the program records no
/// press before the clock starts.
pub(super) fn add_first_press(events: &mut Vec<MouseEvent>) {
    let is_of_button = |event: &MouseEvent| event.action.is_of_button();
    let Some(at) = events.iter().position(is_of_button) else { return };
    if let Action::Release(button) = events[at].action {
        events.insert(at, MouseEvent { action: Action::Press(button), ..events[at] });
    }
}

/// The name of a program and its version, from a text that may add who may copy it.
pub(super) fn program_name(text: &str) -> String {
    let name = text.split("Copyright").next().unwrap_or_default();
    name.trim_matches(|sign: char| sign.is_whitespace() || "#.-".contains(sign)).to_owned()
}
