//! EVF: recordings of Metasweeper, in the versions 0 to 4 of the format.
//!
//! Numbers have their high byte first. After the version come a summary, from version 3 on the
//! settings, rows, columns, mines (2 bytes), the size of a cell in pixels, the mode (2), 3BV (2)
//! and the time. Texts end with a null byte. The mines are a bit for each cell, row by row.
//!
//! Up to version 3 an event is its code, the time in milliseconds (3), x and y in pixels (2 each).
//! In version 4 these are differences to the event before (1, 2, 2), the first apart, and the code
//! 255 adds a pause (2). Codes 0 and, up to version 3, 255 end the events.
//!
//! Source: the "evf standard" of eee555/ms_toollib for the versions 0 to 3, and what its version
//! 1.5.16 writes for version 4.

use sapper::board::geometry::Shape;

use super::bytes::Bytes;
use super::format::{Contents, Format, Input};
use super::{mbf, mouse};
use crate::board_file::Layout;
use crate::recording::{Action, Mode, MouseEvent, Recording};

pub(super) const FORMAT: Format =
    Format { name: "a recording of Metasweeper (EVF)", recognises, read };

/// The bit of the summary that says that another program's recording was converted, in version 4.
const CONVERTED: u8 = 0b1000;
/// The bit of the settings that says, in version 4, that question marks are on, and in version 3
/// that they are off.
const MARKS: u8 = 0b1000_0000;

fn recognises(input: &Input) -> bool {
    let bytes = input.bytes;
    // No text begins so. A layout of up to four columns may, whose mines are then inside.
    matches!(bytes.first(), Some(0..=4))
        && input.text.is_none()
        && header(bytes).is_ok()
        && !mbf::is_layout(bytes)
}

/// The part of the file that all versions have.
struct Header {
    version: u8,
    summary: u8,
    has_marks: bool,
    shape: Shape,
    mines: usize,
    cell_size: u32,
    mode: u16,
}

fn header(bytes: &[u8]) -> Result<(Header, Bytes<'_>), String> {
    let mut bytes = Bytes::from(bytes, 0);
    let (version, summary) = (bytes.u8()?, bytes.u8()?);
    let has_marks = match version {
        0..=2 => false,
        3 => bytes.u8()? & MARKS == 0,
        _ => bytes.u8()? & MARKS != 0,
    };
    let (rows, columns) = (bytes.u8()?, bytes.u8()?);
    let shape = Shape::new(rows.into(), columns.into()).map_err(|error| error.to_string())?;
    let mines = usize::from(bytes.u16()?);
    if mines > shape.len() {
        return Err(format!("byte 5: {mines} mines, more than the {} cells", shape.len()));
    }
    let cell_size = u32::from(bytes.u8()?);
    if cell_size == 0 {
        return Err("byte 7: cells of 0 pixels".to_owned());
    }
    let mode = bytes.u16()?;
    Ok((Header { version, summary, has_marks, shape, mines, cell_size, mode }, bytes))
}

fn read(input: &Input) -> Result<Contents, String> {
    let (header, mut bytes) = header(input.bytes)?;
    let Header { version, summary, has_marks, shape, mines, cell_size, mode } = header;
    let _bbbv = bytes.u16()?;
    let (program, player);
    if version < 4 {
        let _time = bytes.u24()?;
        program = bytes.text()?;
        player = bytes.text()?;
        // Race, what tells players of one name apart, start, end, country; then the device.
        for _ in 0..if version < 2 { 5 } else { 6 } {
            bytes.text()?;
        }
    } else {
        let _time = bytes.u32()?;
        // The country, the times of the start and the end.
        bytes.take(2 + 8 + 8)?;
        program = bytes.text()?;
        if summary & CONVERTED != 0 {
            bytes.text()?;
            bytes.text()?;
        }
        player = bytes.text()?;
        bytes.text()?;
        bytes.text()?;
        let device = bytes.u16()?;
        bytes.take(device.into())?;
    }
    let at = bytes.at();
    let bits = bytes.take(shape.len().div_ceil(8))?;
    let is_mine = |index: &usize| bits[index / 8] & (0x80 >> (index % 8)) != 0;
    let laid: Vec<usize> = (0..shape.len()).filter(is_mine).collect();
    if laid.len() != mines {
        return Err(format!("byte {at}: {} mines are laid, and {mines} stated", laid.len()));
    }
    let events = match version {
        0..=3 => events_with_times(&mut bytes, shape, cell_size)?,
        _ => events_with_differences(&mut bytes, shape, cell_size)?,
    };
    let layout = Layout::new(shape, laid);
    let mode = match mode {
        0 => Mode::Classic,
        1 => Mode::Unprotected,
        other => Mode::Other(other),
    };
    Ok(Contents::Recording(Box::new(Recording {
        format: "EVF",
        program,
        player,
        layout,
        mode,
        has_marks,
        events,
    })))
}

fn action_of(code: u8) -> Option<Action> {
    match code {
        8 => Some(Action::FlagBefore),
        9 => Some(Action::OtherPress),
        _ => mouse::action_of(code),
    }
}

fn unknown(at: usize, code: u8) -> String {
    format!("byte {at}: {code} is the code of no event")
}

fn events_with_times(
    bytes: &mut Bytes,
    shape: Shape,
    size: u32,
) -> Result<Vec<MouseEvent>, String> {
    let mut events = Vec::new();
    loop {
        let at = bytes.at();
        let code = bytes.u8()?;
        if matches!(code, 0 | 255) {
            return Ok(events);
        }
        let action = action_of(code).ok_or_else(|| unknown(at, code))?;
        let time = bytes.u24()?;
        let (x, y) = (bytes.u16()?, bytes.u16()?);
        events.push(MouseEvent {
            time,
            action,
            cell: mouse::cell_at(shape, size, x.into(), y.into()),
        });
    }
}

fn events_with_differences(
    bytes: &mut Bytes,
    shape: Shape,
    size: u32,
) -> Result<Vec<MouseEvent>, String> {
    let at = bytes.at();
    let own_figures = bytes.u16()?;
    if own_figures != 0 {
        return Err(format!(
            "byte {at}: it has {own_figures} figures of the program's own, whose form is not known"
        ));
    }
    let mut events = Vec::new();
    let (mut time, mut x, mut y) = (0_u32, 0_i32, 0_i32);
    loop {
        let at = bytes.at();
        match bytes.u8()? {
            0 => return Ok(events),
            255 => time = time.saturating_add(bytes.u16()?.into()),
            code => {
                let action = match code {
                    // A button that did nothing.
                    10..=12 => Action::Move,
                    _ => action_of(code).ok_or_else(|| unknown(at, code))?,
                };
                time = time.saturating_add(bytes.u8()?.into());
                (x, y) = match events.is_empty() {
                    true => (bytes.u16()?.into(), bytes.u16()?.into()),
                    false => (
                        x.saturating_add(bytes.i16()?.into()),
                        y.saturating_add(bytes.i16()?.into()),
                    ),
                };
                events.push(MouseEvent {
                    time,
                    action,
                    cell: mouse::cell_at(shape, size, x.into(), y.into()),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::own_game::{assert_hardened, assert_is_own_game, events, layout};

    fn bits() -> Vec<u8> {
        let mut bits = vec![0; 8];
        layout().mines.iter().for_each(|mine| bits[mine / 8] |= 0x80 >> (mine % 8));
        bits
    }

    fn with_times(version: u8) -> Vec<u8> {
        let mut bytes = vec![version, 0xF0];
        bytes.extend((version == 3).then_some(MARKS));
        bytes.extend([8, 8, 0, 10, 16, 0, 0, 0, 8, 0, 1, 2]);
        bytes.extend(b"Own\0Ann\0\0\0\0\0\0");
        bytes.extend((version >= 2).then_some(0));
        bytes.extend(bits());
        for event in events() {
            bytes.push(mouse::code_of(event.action));
            bytes.extend(&event.time.to_be_bytes()[1..]);
            bytes.extend((event.x as u16).to_be_bytes());
            bytes.extend((event.y as u16).to_be_bytes());
        }
        bytes.push(255);
        bytes
    }

    fn with_differences() -> Vec<u8> {
        let mut bytes = vec![4, 0xF0, 0, 8, 8, 0, 10, 16, 0, 0, 0, 8, 0, 0, 1, 2];
        bytes.extend(b"CN");
        bytes.extend([0; 16]);
        bytes.extend(b"Own\0Ann\0\0\0\0\0");
        bytes.extend(bits());
        bytes.extend([0, 0]);
        let (mut time, mut x, mut y) = (0, 0, 0);
        for event in events() {
            let mut step = event.time - time;
            while step > 255 {
                let pause = step.min(65_535);
                bytes.push(255);
                bytes.extend((pause as u16).to_be_bytes());
                step -= pause;
            }
            bytes.extend([mouse::code_of(event.action), step as u8]);
            bytes.extend(((event.x - x) as i16).to_be_bytes());
            bytes.extend(((event.y - y) as i16).to_be_bytes());
            (time, x, y) = (event.time, event.x, event.y);
        }
        bytes.extend([0, 0, 0]);
        bytes
    }

    #[test]
    fn all_versions_are_read_as_they_were_written() {
        for version in 0..=3 {
            let recording = assert_is_own_game(&with_times(version), "EVF");
            assert_eq!((&recording.program[..], &recording.player[..]), ("Own", "Ann"));
        }
        let recording = assert_is_own_game(&with_differences(), "EVF");
        assert_eq!((&recording.program[..], &recording.player[..]), ("Own", "Ann"));
        assert_hardened(&with_times(3));
        assert_hardened(&with_differences());
    }
}
