//! MVF: recordings of Minesweeper Clone, in the three forms of its versions.
//!
//! | version | begins with | an event |
//! |---|---|---|
//! | up to 0.96 | the board | 8 bytes: seconds, hundredths, buttons, x (2), y (2), one more |
//! | 0.97 | `11 4D`, and `5` or `8` at byte 27 | 5 bytes, whose bits are mixed |
//! | 2006, 2007 | `11 4D`, and `6` or `7` at byte 27 | 6 bytes, whose bits are mixed |
//!
//! The board is columns, rows, mines (2 bytes, the high one first), column and row of each mine,
//! from 0 up to 0.96, and from 1 later. The later versions have a date, the level, the mode and
//! figures before it, and the player's name after it.
//!
//! Their bits are mixed by a key of two bytes, from which digits are computed by sines and cosines:
//! the bits where a 0 stands come first, then those of 1, and so on. All versions record which
//! buttons are down, and not what changed.
//!
//! Source: the order of reading in the parsers of minesweeper-rawvf and flop-player.

use libm::{cos, sin};
use sapper::board::geometry::Shape;

use super::bytes::Bytes;
use super::format::{Contents, Format, Input};
use super::mouse;
use crate::board_file::Layout;
use crate::recording::{Action, Button, Mode, MouseEvent, Recording};

pub(super) const FORMAT: Format =
    Format { name: "a recording of Minesweeper Clone (MVF)", recognises, read };

const MAGIC: &[u8] = b"\x11\x4D";
/// The last digit of the year of the version.
const YEAR: usize = 27;
/// The bytes of an early recording after its events: the time, the name, and the checksum between
/// nulls; and the bytes of all but the time.
const TAIL: usize = 125;
const NAME_TAIL: usize = 122;
/// The bytes of the name.
const NAME: usize = 100;
/// The size of a cell in pixels.
const CELL: u32 = 16;

/// The sizes and mines of the early versions, which save no other.
const EARLY_LEVELS: [(u8, u8); 3] = [(8, 8), (16, 16), (30, 16)];

fn recognises(input: &Input) -> bool {
    let bytes = input.bytes;
    let is_early = || {
        let [columns, rows, ..] = *bytes else { return false };
        let has_tail = bytes.len() > TAIL && bytes[bytes.len() - 1] == 0;
        EARLY_LEVELS.contains(&(columns, rows))
            && has_tail
            && board(&mut Bytes::from(bytes, 0), 0).is_ok()
    };
    input.text.is_none()
        && (bytes.starts_with(MAGIC) && matches!(bytes.get(YEAR), Some(b'5'..=b'8')) || is_early())
}

/// Which buttons are down, and where the mouse is.
#[derive(Clone, Copy, PartialEq)]
struct State {
    time: u32,
    down: [bool; 3],
    x: i32,
    y: i32,
}

fn read(input: &Input) -> Result<Contents, String> {
    let bytes = input.bytes;
    let year = bytes.starts_with(MAGIC).then(|| bytes.get(YEAR).copied()).flatten();
    let (program, (layout, player, has_marks, mode, states)) = match year {
        None => ("Minesweeper Clone, up to 0.96", early(bytes)?),
        Some(b'6' | b'7') => ("Minesweeper Clone 2006 or 2007", late(bytes, Version::Of2006)?),
        Some(_) => ("Minesweeper Clone 0.97", late(bytes, Version::Of097)?),
    };
    let events = events(&states, layout.shape);
    Ok(Contents::Recording(Box::new(Recording {
        format: "MVF",
        program: program.to_owned(),
        player,
        layout,
        mode,
        has_marks,
        events,
    })))
}

/// What a version's reader returns: the layout, the player, whether question marks are on, the
/// mode, and the states of the mouse.
type Parts = (Layout, String, bool, Mode, Vec<State>);

/// The board, whose cells are counted from `from`.
fn board(bytes: &mut Bytes, from: i64) -> Result<Layout, String> {
    let at = bytes.at();
    let (columns, rows) = (bytes.u8()?, bytes.u8()?);
    let shape = Shape::new(rows.into(), columns.into());
    let shape = shape.map_err(|error| format!("byte {at}: {error}"))?;
    let count = bytes.u16()?.into();
    mouse::layout(bytes, shape, count, |column, row| (row - from, column - from))
}

fn early(all: &[u8]) -> Result<Parts, String> {
    let mut bytes = Bytes::from(all, 0);
    let layout = board(&mut bytes, 0)?;
    let has_marks = bytes.u8()? == 1;
    bytes.take(1)?;
    let end = all.len().checked_sub(TAIL).filter(|end| *end >= bytes.at());
    let end = end.ok_or_else(|| format!("byte {}: the file is cut off", all.len()))?;
    let mut tail = Bytes::from(all, end);
    let limit = 1000 * u32::from(tail.u16()?) + 10 * u32::from(tail.u8()?);
    let name = &all[all.len() - NAME_TAIL..][..NAME];
    let player = String::from_utf8_lossy(name).trim().to_owned();
    let mut states: Vec<State> = Vec::new();
    while bytes.at() + 8 <= end {
        let time = 1000 * u32::from(bytes.u8()?) + 10 * u32::from(bytes.u8()?);
        if time > limit || states.last().is_some_and(|last| time < last.time) {
            break;
        }
        let buttons = bytes.u8()?;
        let down = [buttons & 1 != 0, buttons & 4 != 0, buttons & 2 != 0];
        let (x, y) = (bytes.u16()?.into(), bytes.u16()?.into());
        bytes.take(1)?;
        states.push(State { time, down, x, y });
    }
    // The last button is let go, which is not recorded.
    if let Some(&last) = states.last() {
        states.push(State { down: [false; 3], ..last });
    }
    Ok((layout, player, has_marks, Mode::Classic, states))
}

/// A version whose bits are mixed.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    Of097,
    Of2006,
}

fn late(all: &[u8], version: Version) -> Result<Parts, String> {
    let mut bytes = Bytes::from(all, if version == Version::Of097 { 74 } else { 71 });
    // The date and the level.
    bytes.take(7 + 1)?;
    let mode = match bytes.u8()? {
        1 => Mode::Classic,
        3 => Mode::Unprotected,
        other => Mode::Other(other.into()),
    };
    // The time, and in 0.97 five figures of two bytes.
    bytes.take(if version == Version::Of097 { 3 + 10 } else { 3 })?;
    let has_marks = bytes.u8()? == 1;
    let layout = board(&mut bytes, 1)?;
    let name = bytes.u8()?;
    let player = String::from_utf8_lossy(bytes.take(name.into())?).trim().to_owned();
    let order = BitOrder::of_key(bytes.u16()?, version);
    let count = bytes.u24()?;
    let mut states = Vec::new();
    for _ in 0..count {
        states.push(match version {
            Version::Of097 => {
                let event = bytes.take(5)?;
                State {
                    time: 1000 * order.number(event, 28, 10) + 10 * order.number(event, 21, 7),
                    down: order.buttons(event),
                    x: order.number(event, 12, 9) as i32,
                    y: order.number(event, 3, 9) as i32,
                }
            }
            Version::Of2006 => {
                let event = bytes.take(6)?;
                State {
                    time: order.number(event, 25, 22),
                    down: order.buttons(event),
                    x: order.number(event, 14, 11) as i32 - 32,
                    y: order.number(event, 3, 11) as i32 - 32,
                }
            }
        });
    }
    Ok((layout, player, has_marks, mode, states))
}

/// Where each bit of an event stands: its index among the bits of all bytes, the lowest first.
struct BitOrder(Vec<usize>);

impl BitOrder {
    fn of_key(key: u16, version: Version) -> BitOrder {
        let key = f64::from(key);
        let first = key.sqrt();
        let second = (key + 1000.0).sqrt();
        let third = (first + 1000.0).sqrt();
        let fourth = (second + 1000.0).sqrt();
        let mut values = vec![
            cos(third + 1000.0),
            sin(second.sqrt()),
            cos(third),
            sin(first.sqrt() + 1000.0),
            cos(fourth),
        ];
        if version == Version::Of2006 {
            values.push(sin(fourth));
        }
        let digits: String = values.iter().map(|value| eight_digits(*value)).collect();
        let mut order: Vec<usize> = (0..digits.len()).collect();
        // A stable sort: bits of one digit stay in their order.
        order.sort_by_key(|&index| digits.as_bytes()[index]);
        BitOrder(order)
    }

    /// The bit number `index` of an event.
    fn bit(&self, event: &[u8], index: usize) -> bool {
        let place = self.0[index];
        event[place / 8] & (1 << (place % 8)) != 0
    }

    /// The number of `len` bits from the bit `first` on, the lowest first.
    fn number(&self, event: &[u8], first: usize, len: usize) -> u32 {
        (0..len).map(|index| u32::from(self.bit(event, first + index)) << index).sum()
    }

    /// The left, the right and the middle button.
    fn buttons(&self, event: &[u8]) -> [bool; 3] {
        [self.bit(event, 2), self.bit(event, 0), self.bit(event, 1)]
    }
}

/// The first eight digits after the point of a number between -1 and 1, rounded.
fn eight_digits(value: f64) -> String {
    let digits = format!("{:08}", (value.abs() * 1e8).round() as u64);
    digits[digits.len() - 8..].to_owned()
}

/// The events that lead from one state to the next; the first leads from no button.
fn events(states: &[State], shape: Shape) -> Vec<MouseEvent> {
    const BUTTONS: [Button; 3] = [Button::Left, Button::Right, Button::Middle];
    let mut events = Vec::new();
    let mut before: Option<State> = None;
    for &state in states {
        let State { time, down, x, y } = state;
        let cell = mouse::cell_at(shape, CELL, x.into(), y.into());
        let mut push = |action| events.push(MouseEvent { time, action, cell });
        let was_down = before.map_or([false; 3], |before| before.down);
        if before.is_none_or(|before| (before.x, before.y) != (x, y)) {
            push(Action::Move);
        }
        for (index, button) in BUTTONS.into_iter().enumerate() {
            if down[index] && !was_down[index] {
                push(Action::Press(button));
            }
        }
        for (index, button) in BUTTONS.into_iter().enumerate() {
            if !down[index] && was_down[index] {
                push(Action::Release(button));
            }
        }
        before = Some(state);
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::own_game::{assert_hardened, assert_is_own_game, events, layout};

    /// The states of the mouse after each event.
    fn states() -> Vec<State> {
        let mut down = [false; 3];
        let state = |event: &crate::formats::own_game::Recorded| {
            match event.action {
                Action::Press(button) => down[button as usize] = true,
                Action::Release(button) => down[button as usize] = false,
                _ => {}
            }
            State { time: event.time, down, x: event.x, y: event.y }
        };
        events().iter().map(state).collect()
    }

    fn board_bytes(from: usize) -> Vec<u8> {
        let mut bytes = vec![8, 8, 0, 10];
        for mine in layout().mines {
            bytes.extend([(mine % 8 + from) as u8, (mine / 8 + from) as u8]);
        }
        bytes
    }

    fn early() -> Vec<u8> {
        let mut bytes = board_bytes(0);
        bytes.extend([0, 0]);
        for State { time, down: [left, right, middle], x, y } in states() {
            let buttons = u8::from(left) | u8::from(middle) << 1 | u8::from(right) << 2;
            bytes.extend([(time / 1000) as u8, (time % 1000 / 10) as u8, buttons]);
            bytes.extend((x as u16).to_be_bytes());
            bytes.extend((y as u16).to_be_bytes());
            bytes.push(0);
        }
        bytes.extend([0, 70, 99]);
        bytes.extend(format!("{:100}", "Ann").bytes());
        bytes.push(0);
        bytes.extend([b'7'; 20]);
        bytes.push(0);
        bytes
    }

    fn late(version: Version) -> Vec<u8> {
        let is_097 = version == Version::Of097;
        let mut bytes = MAGIC.to_vec();
        bytes.resize(if is_097 { 74 } else { 71 }, 0);
        bytes[YEAR] = if is_097 { b'5' } else { b'7' };
        bytes.extend([1; 9]);
        bytes.resize(bytes.len() + if is_097 { 13 } else { 3 }, 0);
        bytes.push(0);
        bytes.extend(board_bytes(1));
        bytes.extend(b"\x03Ann");
        let key = 12_345;
        bytes.extend(u16::to_be_bytes(key));
        let order = BitOrder::of_key(key, version);
        bytes.extend(&(states().len() as u32).to_be_bytes()[1..]);
        for State { time, down: [left, right, middle], x, y } in states() {
            let mut event = vec![0; if is_097 { 5 } else { 6 }];
            let mut set = |first: usize, len: usize, number: u32| {
                for index in (0..len).filter(|index| number & (1 << index) != 0) {
                    let place = order.0[first + index];
                    event[place / 8] |= 1 << (place % 8);
                }
            };
            set(0, 1, right.into());
            set(1, 1, middle.into());
            set(2, 1, left.into());
            match version {
                Version::Of097 => {
                    set(3, 9, y as u32);
                    set(12, 9, x as u32);
                    set(21, 7, time % 1000 / 10);
                    set(28, 10, time / 1000);
                }
                Version::Of2006 => {
                    set(3, 11, (y + 32) as u32);
                    set(14, 11, (x + 32) as u32);
                    set(25, 22, time);
                }
            }
            bytes.extend(event);
        }
        bytes
    }

    #[test]
    fn all_forms_are_read_as_they_were_written() {
        for bytes in [early(), late(Version::Of097), late(Version::Of2006)] {
            let recording = assert_is_own_game(&bytes, "MVF");
            assert_eq!(recording.player, "Ann");
            assert_hardened(&bytes);
        }
    }

    #[test]
    fn the_bits_of_an_event_are_each_read_once() {
        for key in [0, 1, 77, 1000, 65_535] {
            for (version, bits) in [(Version::Of097, 40), (Version::Of2006, 48)] {
                let mut order = BitOrder::of_key(key, version).0;
                order.sort_unstable();
                assert_eq!(order, (0..bits).collect::<Vec<_>>());
            }
        }
    }
}
