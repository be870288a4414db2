//! RAWVF: recordings as text, FreeSweeper's own and what other programs' recordings are converted
//! to.
//!
//! Options, one a line, `NAME: VALUE`, in any case; `Board:` and a line for each row, in which `*`
//! is a mine; then a line for each event: the seconds, what the mouse did, the cell (which may be
//! left out) and `(X Y)` in pixels. Lines that do not begin with a number are events of the board
//! and are skipped, and so are events of the game.
//!
//! Source: the format's description in minesweepergame.com's forum (revision 5), and the parsers of
//! minesweeper-rawvf and flop-player.

use sapper::board::geometry::Shape;

use super::format::{Contents, Format, Input};
use super::mouse;
use crate::board_file::Layout;
use crate::field::Field;
use crate::recording::{Action, Button, Mode, MouseEvent, Recording};

pub(super) const FORMAT: Format = Format { name: "a recording as text (RAWVF)", recognises, read };

/// The size of a cell in pixels, unless `SquareSize` states another.
const CELL: u32 = 16;

fn recognises(input: &Input) -> bool {
    let has = |wanted: &str| {
        let lines = input.text.unwrap_or_default().lines();
        lines.filter_map(option).any(|(name, _)| name.eq_ignore_ascii_case(wanted))
    };
    input.text.is_some() && has("width") && has("board")
}

/// The name and the value of an option.
fn option(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    Some((name.trim(), value.trim()))
}

fn read(input: &Input) -> Result<Contents, String> {
    let mut lines = (1..).zip(input.text.unwrap_or_default().lines());
    let (mut width, mut height, mut mines, mut cell) = (None, None, None, CELL);
    let (mut program, mut version) = (String::new(), String::new());
    let (mut player, mut mode, mut has_marks) = (String::new(), Mode::Classic, false);
    for (number, line) in lines.by_ref() {
        let Some((name, value)) = option(line) else { continue };
        let count = || {
            let count = value.parse::<u64>();
            count.map_err(|_| format!("line {number}: `{name}` is no whole number"))
        };
        match name.to_ascii_lowercase().as_str() {
            "width" => width = Some(count()?),
            "height" => height = Some(count()?),
            "mines" => mines = Some(count()?),
            "squaresize" => {
                let size = u32::try_from(count()?).ok().filter(|size| *size > 0);
                cell = size.ok_or_else(|| format!("line {number}: cells of {value} pixels"))?;
            }
            "program" => value.clone_into(&mut program),
            "version" => value.clone_into(&mut version),
            "player" => value.clone_into(&mut player),
            "marks" | "questionmarks" => has_marks = value.eq_ignore_ascii_case("on"),
            "mode" => {
                mode = match value.to_ascii_lowercase().as_str() {
                    "" | "classic" => Mode::Classic,
                    "upk" => Mode::Unprotected,
                    _ => Mode::Other(0),
                }
            }
            "board" => break,
            _ => {}
        }
    }
    let (Some(width), Some(height)) = (width, height) else {
        return Err("there is no `Width` and `Height` before `Board`".to_owned());
    };
    let shape = Shape::new(height, width).map_err(|error| error.to_string())?;
    let laid = board(&mut lines, shape)?;
    if let Some(mines) = mines.filter(|mines| *mines != laid.len() as u64) {
        return Err(format!("the board has {} mines, and `Mines` states {mines}", laid.len()));
    }
    let layout = Layout::new(shape, laid);
    let field = layout.field();
    let mut events = Vec::new();
    for (number, line) in lines {
        let line = line.trim();
        if line.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            let fault = || format!("line {number}: `{}` is no event", shortened(line));
            events.extend(event(line, shape, cell).ok_or_else(fault)?);
        } else if let Some(fault) = contradiction(line, &field) {
            return Err(format!("line {number}: {fault}"));
        }
    }
    let program = format!("{program} {version}").trim().to_owned();
    let format = "RAWVF";
    Ok(Contents::Recording(Box::new(Recording {
        format,
        program,
        player,
        layout,
        mode,
        has_marks,
        events,
    })))
}

/// The start of a line, which may be as long as the file.
fn shortened(line: &str) -> String {
    line.chars().take(40).collect()
}

/// The mines of the board's lines.
fn board<'t>(
    lines: &mut impl Iterator<Item = (usize, &'t str)>,
    shape: Shape,
) -> Result<Vec<usize>, String> {
    let mut mines = Vec::new();
    let columns = shape.columns() as usize;
    for row in 0..shape.rows() as usize {
        let Some((number, line)) = lines.next() else {
            return Err(format!("the file is cut off: {row} rows of {}", shape.rows()));
        };
        let line = line.trim();
        if line.chars().count() != columns || !line.chars().all(|c| matches!(c, '*' | '0'..='8')) {
            return Err(format!(
                "line {number}: `{}` is no row of {columns} cells",
                shortened(line)
            ));
        }
        let is_mine = |(_, symbol): &(usize, char)| *symbol == '*';
        mines.extend(
            line.chars().enumerate().filter(is_mine).map(|(column, _)| row * columns + column),
        );
    }
    Ok(mines)
}

/// What is wrong with an event of the board, `number3 COLUMN ROW` from 1: another number.
fn contradiction(line: &str, field: &Field) -> Option<String> {
    let mut words = line.strip_prefix("number")?.split_whitespace();
    let mut number = || words.next()?.parse::<i64>().ok();
    let (shown, column, row) = (number()?, number()? - 1, number()? - 1);
    let value = field.shape().cell(row, column).map(|cell| i64::from(field.value(cell)));
    (value != Some(shown)).then(|| format!("({row},{column}) shows what the mines contradict"))
}

/// The event of a line that begins with a time; no event for one of the game. `None` where it is
/// neither.
fn event(line: &str, shape: Shape, size: u32) -> Option<Option<MouseEvent>> {
    let (seconds, rest) = line.split_once(char::is_whitespace)?;
    let seconds = seconds.parse::<f64>().ok().filter(|seconds| seconds.is_finite())?;
    let word = rest.split_whitespace().next()?;
    let action = match word {
        "mv" => Action::Move,
        "lc" => Action::Press(Button::Left),
        "lr" => Action::Release(Button::Left),
        "rc" => Action::Press(Button::Right),
        "rr" => Action::Release(Button::Right),
        "mc" => Action::Press(Button::Middle),
        "mr" => Action::Release(Button::Middle),
        "sc" => Action::ShiftPress,
        "mt" => Action::ToggleMarks,
        // The start, the end, a turned wheel.
        _ if !rest.contains('(') => return Some(None),
        _ => return None,
    };
    let time = (1000.0 * seconds).round().clamp(0.0, f64::from(u32::MAX)) as u32;
    let Some((_, pixels)) = rest.split_once('(') else {
        return (action == Action::ToggleMarks).then_some(Some(MouseEvent {
            time,
            action,
            cell: None,
        }));
    };
    let mut pixels = pixels.split_once(')')?.0.split_whitespace();
    let mut pixel = || pixels.next()?.parse::<i64>().ok();
    let (x, y) = (pixel()?, pixel()?);
    let cell = mouse::cell_at(shape, size, x, y);
    Some(Some(MouseEvent { time, action, cell }))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::formats::own_game::{assert_hardened, assert_is_own_game, events, layout};
    use crate::formats::{FormatError, read as read_any};

    fn written() -> String {
        let mut text = "RawVF_Version: Rev5\nProgram: Own\nVersion: 1\nPlayer: Ann\nWidth: 8\n\
                        Height: 8\nMines: 10\nMarks: Off\nMode: classic\nBoard:\n"
            .to_owned();
        let (field, shape) = (layout().field(), layout().shape);
        for cell in shape.cells() {
            text.push(if field.is_mine(cell) { '*' } else { '0' });
            if shape.column(cell) + 1 == shape.columns() {
                text.push('\n');
            }
        }
        text += "Events:\n0.000 start\n";
        for event in events() {
            let word = match event.action {
                Action::Press(Button::Left) => "lc",
                Action::Release(Button::Left) => "lr",
                Action::Press(Button::Right) => "rc",
                Action::Release(Button::Right) => "rr",
                _ => "mv",
            };
            let seconds = f64::from(event.time) / 1000.0;
            writeln!(text, "{seconds:.3} {word} ({} {})", event.x, event.y).unwrap();
        }
        text + "number0 1 1\n70.710 won\n"
    }

    #[test]
    fn a_game_is_read_as_it_was_written() {
        let recording = assert_is_own_game(written().as_bytes(), "RAWVF");
        assert_eq!((&recording.program[..], &recording.player[..]), ("Own 1", "Ann"));
        let windows = written().replace('\n', "\r\n").replace("Width", "WIDTH");
        assert_is_own_game(windows.as_bytes(), "RAWVF");
        assert_hardened(written().as_bytes());
    }

    #[test]
    fn faults_name_the_line() {
        for (from, to, fault) in [
            ("0.020 lr", "0.020 xx", "line 22: `0.020 xx (5 11)` is no event"),
            ("0.020 lr (5 11)", "0.020 lr", "line 22: `0.020 lr` is no event"),
            ("Mines: 10", "Mines: 9", "the board has 10 mines, and `Mines` states 9"),
            ("Mines: 10", "Mines: x", "line 7: `Mines` is no whole number"),
            ("********", "*******", "line 17: `*******` is no row of 8 cells"),
            ("number0 1 1", "number1 1 1", "line 45: (0,0) shows what the mines contradict"),
            ("Width: 8\n", "Width: 0\n", "a field needs"),
            ("Height", "Hite", "there is no `Width` and `Height`"),
        ] {
            let error = read_any(written().replacen(from, to, 1).as_bytes()).unwrap_err();
            assert!(matches!(error, FormatError::Fault { .. }));
            assert!(error.to_string().contains(fault), "{to}: {error}");
        }
        for (end, fault) in [
            ("0.020 lr", "none of its 1 events opens a cell: it is cut off"),
            ("**000000", "the file is cut off: 7 rows of 8"),
        ] {
            let whole = written();
            let cut = &whole[..whole.find(end).unwrap()];
            let error = read_any(cut.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(fault), "{end}: {error}");
        }
    }
}
