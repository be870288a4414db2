//! RMV: recordings of Vienna Minesweeper, in the versions 1 and 2 of the format.
//!
//! A header of sizes, then as many bytes each: a result in words (version 1 alone), the program,
//! the player, the board (a time, columns, rows, mines (2 bytes), column and row of each mine),
//! flags that were set before the start, properties (question marks, ..., mode), and the events.
//! Numbers have their high byte first. There are events of the board too, whose numbers have to be
//! those of the mines.
//!
//! Source: ralokt/rmv_spec; the corner of the board in version 1 is that of flop-player.

use sapper::board::geometry::Shape;

use super::bytes::Bytes;
use super::format::{Contents, Format, Input};
use super::mouse;
use crate::board_file::Layout;
use crate::field::Field;
use crate::recording::{Action, Mode, MouseEvent, Recording};

pub(super) const FORMAT: Format =
    Format { name: "a recording of Vienna Minesweeper (RMV)", recognises, read };

const MAGIC: &[u8] = b"*rmv";
/// The size of a cell in pixels.
const CELL: u32 = 16;
/// Where the board begins in the window, in version 1: x and y.
const CORNER: [i32; 2] = [12, 56];

fn recognises(input: &Input) -> bool {
    input.bytes.starts_with(MAGIC)
}

fn read(input: &Input) -> Result<Contents, String> {
    let mut bytes = Bytes::from(input.bytes, MAGIC.len());
    let version = bytes.u16()?;
    if !matches!(version, 1 | 2) {
        return Err(format!("byte 4: version {version} of the format; 1 and 2 are read"));
    }
    if version == 2 {
        bytes.take(2)?;
    }
    let _file_size = bytes.u32()?;
    let result = if version == 1 { bytes.u16()? } else { 0 };
    let [program, player, board, flags, properties] =
        [bytes.u16()?, bytes.u16()?, bytes.u16()?, bytes.u16()?, bytes.u16()?];
    let extensions = if version == 2 { bytes.u16()? } else { 0 };
    let (_events, _checksum) = (bytes.u32()?, bytes.u16()?);
    bytes.take(result.into())?;
    let program = String::from_utf8_lossy(bytes.take(program.into())?).trim().to_owned();
    let player = first_field(bytes.take(player.into())?);
    let at = bytes.at();
    bytes.take(board.into())?;
    let layout = layout(&mut Bytes::from(&input.bytes[..bytes.at()], at))?;
    let shape = layout.shape;
    let mut events = flags_before(bytes.take(flags.into())?, shape)?;
    let properties = bytes.take(properties.into())?;
    bytes.take(extensions.into())?;
    let property = |index: usize| properties.get(index).copied().unwrap_or_default();
    read_events(&mut bytes, version, &layout.field(), &mut events)?;
    mouse::add_first_press(&mut events);
    let mode = match property(2) {
        0 => Mode::Classic,
        1 => Mode::Unprotected,
        other => Mode::Other(other.into()),
    };
    Ok(Contents::Recording(Box::new(Recording {
        format: "RMV",
        program: mouse::program_name(&program),
        player,
        layout,
        mode,
        has_marks: property(0) == 1,
        events,
    })))
}

/// The player's name: the first of the fields, each of which has its length before it.
fn first_field(bytes: &[u8]) -> String {
    let name = match *bytes {
        [0, 0, ..] => None,
        [_, _, len, ref name @ ..] => name.get(..len.into()),
        _ => None,
    };
    String::from_utf8_lossy(name.unwrap_or_default()).into_owned()
}

/// The board: a time, columns, rows, and the mines.
fn layout(bytes: &mut Bytes) -> Result<Layout, String> {
    bytes.take(4)?;
    let at = bytes.at();
    let (columns, rows) = (bytes.u8()?, bytes.u8()?);
    let shape = Shape::new(rows.into(), columns.into());
    let shape = shape.map_err(|error| format!("byte {at}: {error}"))?;
    let count = bytes.u16()?.into();
    mouse::layout(bytes, shape, count, |column, row| (row, column))
}

fn flags_before(bytes: &[u8], shape: Shape) -> Result<Vec<MouseEvent>, String> {
    let mut events = Vec::new();
    if !bytes.is_empty() {
        let mut bytes = Bytes::from(bytes, 0);
        for _ in 0..bytes.u16()? {
            let (column, row) = (bytes.u8()?, bytes.u8()?);
            let cell = shape.cell(row.into(), column.into());
            events.push(MouseEvent { time: 0, action: Action::FlagBefore, cell });
        }
    }
    Ok(events)
}

fn read_events(
    bytes: &mut Bytes,
    version: u16,
    field: &Field,
    events: &mut Vec<MouseEvent>,
) -> Result<(), String> {
    let shape = field.shape();
    let cell_at = |x: i32, y: i32| mouse::cell_at(shape, CELL, x.into(), y.into());
    let (mut time, mut x, mut y) = (0, 0, 0);
    loop {
        let at = bytes.at();
        match bytes.u8()? {
            0 if version == 1 => {
                bytes.take(4)?;
            }
            code @ 1..=7 => {
                time = bytes.u24()?;
                bytes.take(1)?;
                (x, y) = match version {
                    1 => (i32::from(bytes.u16()?) - CORNER[0], i32::from(bytes.u16()?) - CORNER[1]),
                    _ => (bytes.i16()?.into(), bytes.i16()?.into()),
                };
                let action = mouse::action_of(code).unwrap_or(Action::Move);
                events.push(MouseEvent { time, action, cell: cell_at(x, y) });
            }
            // What happened on the board. An opened number has to be that of the mines.
            code @ (9..=14 | 18..=27) => {
                let (column, row) = (bytes.u8()?, bytes.u8()?);
                let number = code.checked_sub(18).filter(|number| *number <= 8);
                let cell = shape.cell(row.into(), column.into());
                let found = cell.map(|cell| field.value(cell));
                if number.is_some() && number != found {
                    return Err(format!(
                        "byte {at}: ({row},{column}) shows what the mines contradict"
                    ));
                }
            }
            // The end, with the time of the game.
            15..=17 => {
                bytes.take(3)?;
                return Ok(());
            }
            28 if version == 2 => {
                time = u32::saturating_add(time, bytes.u8()?.into());
                let steps = bytes.u8()?;
                // Two numbers of four bits with a sign.
                x += i32::from((steps as i8) >> 4);
                y += i32::from(((steps << 4) as i8) >> 4);
                events.push(MouseEvent { time, action: Action::Move, cell: cell_at(x, y) });
            }
            code => return Err(format!("byte {at}: {code} is the code of no event")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::own_game::{assert_hardened, assert_is_own_game, events, layout};
    use crate::formats::read as read_any;

    const PROGRAM: &[u8] = b"Vienna Minesweeper - Own.";

    fn written(version: u16) -> Vec<u8> {
        let mut board = vec![0, 0, 0, 0, 8, 8, 0, 10];
        for mine in layout().mines {
            board.extend([(mine % 8) as u8, (mine / 8) as u8]);
        }
        let player = b"\0\x01\x03Ann";
        let mut bytes = MAGIC.to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend((version == 2).then_some([1, 3]).into_iter().flatten());
        bytes.extend([0; 4]);
        bytes.extend((version == 1).then_some([0, 5]).into_iter().flatten());
        for size in [PROGRAM.len() as u16, player.len() as u16, board.len() as u16, 0, 4] {
            bytes.extend(size.to_be_bytes());
        }
        bytes.extend((version == 2).then_some([0, 2]).into_iter().flatten());
        bytes.extend([0; 6]);
        bytes.extend(if version == 1 { &b"LEVEL"[..] } else { b"" });
        bytes.extend(PROGRAM);
        bytes.extend(player);
        bytes.extend(board);
        bytes.extend([0, 1, 0, 0]);
        bytes.extend((version == 2).then_some([0, 0]).into_iter().flatten());
        for event in events() {
            // Vienna Minesweeper records no button before the clock starts.
            if event.time == 0 {
                continue;
            }
            bytes.push(mouse::code_of(event.action));
            bytes.extend(&event.time.to_be_bytes()[1..]);
            bytes.push(0);
            let corner = if version == 1 { CORNER } else { [0, 0] };
            bytes.extend(((event.x + corner[0]) as u16).to_be_bytes());
            bytes.extend(((event.y + corner[1]) as u16).to_be_bytes());
        }
        // The first cell shows a zero; the game is won.
        bytes.extend([18, 0, 0, 16, 1, 2, 3]);
        bytes
    }

    #[test]
    fn both_versions_are_read_as_they_were_written() {
        for version in [1, 2] {
            let recording = assert_is_own_game(&written(version), "RMV");
            assert_eq!(
                (&recording.program[..], &recording.player[..]),
                ("Vienna Minesweeper - Own", "Ann")
            );
            assert_hardened(&written(version));
        }
    }

    #[test]
    fn a_number_that_the_mines_contradict_is_a_fault() {
        let mut bytes = written(1);
        let shown = bytes.len() - 7;
        bytes[shown] = 19;
        let error = read_any(&bytes).unwrap_err().to_string();
        assert!(error.contains("(0,0) shows what the mines contradict"), "{error}");
        bytes[5] = 7;
        let error = read_any(&bytes).unwrap_err().to_string();
        assert!(error.contains("byte 4: version 7 of the format"), "{error}");
    }
}
