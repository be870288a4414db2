//! AVF: recordings of Minesweeper Arbiter.
//!
//! Byte 0 is the version, and byte 5 the level: 3 beginner (8x8 with 10), 4 intermediate, 5 expert,
//! 6 custom, whose columns and rows less one and mines (2 bytes, the high one first) follow. Then
//! come row and column of each mine, from 1. A text in brackets, whose parts are divided by bars,
//! begins with a digit of the mode; the byte two before its bracket is 17 if question marks are on,
//! else 127. After the text, an event has eight bytes: the buttons, x (high), the seconds plus 1
//! (low), x (low), hundredths, y (high), seconds (high), y (low). A number of seconds of 0 ends the
//! events. Texts follow: `cs=`, figures, and the program.
//!
//! Source: the comments and the order of reading in the parsers of minesweeper-rawvf and
//! flop-player.

use sapper::board::geometry::Shape;

use super::bytes::Bytes;
use super::format::{Contents, Format, Input};
use super::mouse;
use crate::board_file::Layout;
use crate::recording::{Action, Button, Mode, MouseEvent, Recording};

pub(super) const FORMAT: Format = Format { name: "a recording of Arbiter (AVF)", recognises, read };

/// The size of a cell in pixels.
const CELL: u32 = 16;
/// The byte before the text where question marks are on, and where they are off.
const MARKS: [u8; 2] = [17, 127];

fn recognises(input: &Input) -> bool {
    input.text.is_none()
        && layout(input.bytes).is_ok_and(|(_, rest)| text(input.bytes, rest.at()).is_some())
}

/// The layout, and the bytes after it.
fn layout(bytes: &[u8]) -> Result<(Layout, Bytes<'_>), String> {
    let mut bytes = Bytes::from(bytes, 5);
    let (columns, rows, mines) = match bytes.u8()? {
        3 => (8, 8, 10),
        4 => (16, 16, 40),
        5 => (30, 16, 99),
        6 => {
            let (columns, rows) = (bytes.u8()?, bytes.u8()?);
            (u64::from(columns) + 1, u64::from(rows) + 1, usize::from(bytes.u16()?))
        }
        other => return Err(format!("byte 5: {other} is no level")),
    };
    let shape = Shape::new(rows, columns).map_err(|error| error.to_string())?;
    let layout = mouse::layout(&mut bytes, shape, mines, |row, column| (row - 1, column - 1))?;
    Ok((layout, bytes))
}

/// Where the text in brackets begins: two bytes after its mark, before a character and a bar.
fn text(bytes: &[u8], from: usize) -> Option<usize> {
    let windows = bytes.get(from..)?.windows(5);
    let is_text = |w: &&[u8]| MARKS.contains(&w[0]) && w[2] == b'[' && w[4] == b'|';
    windows.enumerate().find(|(_, window)| is_text(window)).map(|(index, _)| from + index)
}

fn read(input: &Input) -> Result<Contents, String> {
    let (layout, bytes) = layout(input.bytes)?;
    let all = input.bytes;
    let start = text(all, bytes.at()).ok_or("there is no text in brackets after the mines")?;
    let has_marks = all[start] == MARKS[0];
    // The first event: a number of seconds of 1, of which the high byte of x is at most 1.
    let is_event = |window: &[u8]| window[2] == 1 && window[1] <= 1;
    let end = all[start..].iter().position(|&byte| byte == b']').map(|len| start + len + 1);
    let end = end.ok_or_else(|| format!("byte {start}: the text in brackets has no end"))?;
    let first = all[end..].windows(3).position(is_event);
    let first = first.ok_or_else(|| format!("byte {end}: no event follows"))?;
    let mut bytes = Bytes::from(all, end + first);
    let mut events = Vec::new();
    loop {
        let [buttons, x_high, low, x_low, hundredths, y_high, high, y_low] =
            *bytes.take(8)?.first_chunk().expect("eight bytes were taken");
        let Some(seconds) = u16::from_be_bytes([high, low]).checked_sub(1) else { break };
        let [x, y] = [[x_high, x_low], [y_high, y_low]].map(u16::from_be_bytes).map(i64::from);
        let cell = mouse::cell_at(layout.shape, CELL, x, y);
        let time = 1000 * u32::from(seconds) + 10 * u32::from(hundredths);
        events.push(MouseEvent { time, action: action_of(buttons), cell });
    }
    let rest = String::from_utf8_lossy(&all[bytes.at()..]).into_owned();
    // Lines, each after a carriage return: `RealTime: 3.07`, `Skin: 3.1`, the player, the program.
    let (before, program) = match rest.rfind("\rMinesweeper Arbiter") {
        Some(at) => rest.split_at(at),
        None => (rest.as_str(), "Minesweeper Arbiter"),
    };
    let player = before.rsplit_once("\rSkin: ").and_then(|(_, skin)| skin.split_once('\r'));
    let player = player.map_or("", |(_, player)| player.trim());
    Ok(Contents::Recording(Box::new(Recording {
        format: "AVF",
        program: mouse::program_name(program),
        // What Arbiter writes where the player has not given a name.
        player: player.strip_prefix("Anonymous!").map_or(player, |_| "").to_owned(),
        layout,
        mode: Mode::Classic,
        has_marks,
        events,
    })))
}

/// What the buttons of an event say: a bit for each button that went down or up, besides 1 for the
/// mouse, 2 and 4 left, 8 and 16 right, 32 and 64 middle.
fn action_of(buttons: u8) -> Action {
    match buttons {
        3 => Action::Press(Button::Left),
        5 | 21 => Action::Release(Button::Left),
        9 => Action::Press(Button::Right),
        11 => Action::ShiftPress,
        17 | 145 => Action::Release(Button::Right),
        33 => Action::Press(Button::Middle),
        65 | 193 => Action::Release(Button::Middle),
        _ => Action::Move,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::own_game::{assert_hardened, assert_is_own_game, events, layout};

    fn written(level: &[u8]) -> Vec<u8> {
        let mut bytes = vec![52, 0, 0, 0, 0];
        bytes.extend(level);
        for mine in layout().mines {
            bytes.extend([(mine / 8 + 1) as u8, (mine % 8 + 1) as u8]);
        }
        bytes.extend(b"\x7F\0[0|");
        bytes.extend(if level.len() > 1 { &b"W8H8M10|"[..] } else { b"" });
        bytes.extend(b"26.11.2026|26.11.2026|B8T70.71]");
        for event in events() {
            let buttons = match event.action {
                Action::Press(Button::Left) => 3,
                Action::Release(Button::Left) => 5,
                Action::Press(Button::Right) => 9,
                Action::Release(Button::Right) => 17,
                _ => 1,
            };
            let [high, low] = (event.time / 1000 + 1).to_be_bytes()[2..] else { unreachable!() };
            let [x, y] = [event.x, event.y].map(|pixel| (pixel as u16).to_be_bytes());
            let hundredths = (event.time % 1000 / 10) as u8;
            bytes.extend([buttons, x[0], low, x[1], hundredths, y[0], high, y[1]]);
        }
        bytes.extend([0; 8]);
        bytes.extend(b"cs=0123456789abcdef\rRealTime: 70.71\rSkin: 1\rAnn\r");
        bytes.extend(b"Minesweeper Arbiter 0.52.3. Copyright");
        bytes
    }

    #[test]
    fn named_and_custom_levels_are_read_as_they_were_written() {
        for level in [&[3][..], &[6, 7, 7, 0, 10]] {
            let recording = assert_is_own_game(&written(level), "AVF");
            let names = (&recording.program[..], &recording.player[..]);
            assert_eq!(names, ("Minesweeper Arbiter 0.52.3", "Ann"));
            assert!(!recording.has_marks);
            assert_hardened(&written(level));
        }
    }
}
