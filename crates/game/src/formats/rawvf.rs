//! RAWVF: recordings as text, FreeSweeper's own and what other programs' recordings are converted
//! to.
//!
//! Options, one a line, `NAME: VALUE`, in any case; `Board:` and a line for each row, in which `*`
//! is a mine; then a line for each event: the seconds, what the mouse did, the cell (which may be
//! left out) and `(X Y)` in pixels. Lines that do not begin with a number are events of the board
//! and are skipped, and so are events of the game.
//!
//! A mode without a name of the format is written as its number.
//!
//! Source: the format's description in minesweepergame.com's forum (revision 5), and the parsers of
//! minesweeper-rawvf and flop-player.

use std::borrow::Cow;
use std::fmt::Write as _;

use sapper::board::geometry::{Cell, Shape};

use super::format::{Contents, Format, Input, MatchGame};
use super::mouse;
use crate::board_file::Layout;
use crate::field::Field;
use crate::recording::{Action, Button, Mode, MouseEvent, Recording};

pub(super) const FORMAT: Format = Format { name: "a recording as text (RAWVF)", recognises, read };

/// The size of a cell in pixels, unless `SquareSize` states another.
const CELL: u32 = 16;

/// The events of the mouse.
const WORDS: [(&str, Action); 9] = [
    ("mv", Action::Move),
    ("lc", Action::Press(Button::Left)),
    ("lr", Action::Release(Button::Left)),
    ("rc", Action::Press(Button::Right)),
    ("rr", Action::Release(Button::Right)),
    ("mc", Action::Press(Button::Middle)),
    ("mr", Action::Release(Button::Middle)),
    ("sc", Action::ShiftPress),
    ("mt", Action::ToggleMarks),
];

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
                    other => Mode::Other(other.parse().unwrap_or(0)),
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
    let Some(&(_, action)) = WORDS.iter().find(|(known, _)| *known == word) else {
        // The start, the end, a turned wheel.
        return (!rest.contains('(')).then_some(None);
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

impl MatchGame {
    /// The game as a text, from which [`read`](super::read) has it again.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            MatchGame::Log(text) => Cow::Borrowed(text),
            MatchGame::Recording(recording) => Cow::Owned(to_rawvf(recording)),
        }
    }
}

/// A recording as text. Reading it gives the same recording, except for the name of the format.
///
/// The format has no word for two events. The press of the other button is written as that of the
/// button that it was, and a flag before the start as a right click. Names have no line breaks.
pub fn to_rawvf(recording: &Recording) -> String {
    let Recording { layout, mode, has_marks, .. } = recording;
    let (shape, mines) = (layout.shape, layout.mines.len());
    let (columns, rows) = (shape.columns(), shape.rows());
    let level = match (columns, rows, mines) {
        (8, 8, 10) | (9, 9, 10) => "Beginner",
        (16, 16, 40) => "Intermediate",
        (30, 16, 99) => "Expert",
        _ => "Custom",
    };
    let mode = match mode {
        Mode::Classic => "Classic".to_owned(),
        Mode::Unprotected => "UPK".to_owned(),
        Mode::Other(number) => number.to_string(),
    };
    let (program, player) = (in_a_line(&recording.program), in_a_line(&recording.player));
    let marks = if *has_marks { "On" } else { "Off" };
    let mut text = format!(
        "RawVF_Version: Rev5\nProgram: {program}\nPlayer: {player}\nLevel: {level}\n\
         Width: {columns}\nHeight: {rows}\nMines: {mines}\nSquareSize: {CELL}\nMarks: {marks}\n\
         Mode: {mode}\nBoard:\n"
    );
    let mut cells = vec!['0'; shape.len()];
    layout.mines.iter().for_each(|&mine| cells[mine] = '*');
    for row in cells.chunks(columns as usize) {
        text.extend(row);
        text.push('\n');
    }
    text += "Events:\n0.000 start\n";
    write_events(&mut text, recording);
    let game = recording.clicks();
    if let Some(end) = game.clicks.last().filter(|_| game.won || game.lost) {
        let _ = writeln!(text, "{} {}", seconds(end.time), if game.won { "won" } else { "lost" });
    }
    text
}

/// A name without line breaks and other control characters, which would not be read as text.
fn in_a_line(name: &str) -> String {
    name.replace(char::is_control, " ").trim().to_owned()
}

fn seconds(time: u32) -> String {
    format!("{}.{:03}", time / 1000, time % 1000)
}

fn write_events(text: &mut String, recording: &Recording) {
    let shape = recording.layout.shape;
    let mut push = |time: u32, action: Action, cell: Option<Cell>| {
        let word = WORDS.iter().find(|(_, known)| *known == action).map_or("mv", |(word, _)| word);
        let _ = write!(text, "{} {word}", seconds(time));
        if cell.is_some() || action != Action::ToggleMarks {
            // The middle of the cell. What is outside is written as the place after the last cell.
            let place = cell.map(|cell| (shape.column(cell), shape.row(cell)));
            let (column, row) = place.unwrap_or((shape.columns(), shape.rows()));
            let [x, y] = [column, row].map(|cells| CELL * cells + CELL / 2);
            let _ = write!(text, " ({x} {y})");
        }
        text.push('\n');
    };
    // Whether the left button is down, a button was pressed, and a flag was written before that.
    let (mut is_left_down, mut has_begun, mut has_flag) = (false, false, false);
    for &MouseEvent { time, action, cell } in &recording.events {
        match action {
            Action::FlagBefore if !has_begun => {
                push(time, Action::Press(Button::Right), cell);
                push(time, Action::Release(Button::Right), cell);
                has_flag = true;
            }
            // The press that a release at the start counts for, which is not the start any more.
            Action::Release(button) if !has_begun && has_flag => {
                push(time, Action::Press(button), cell);
                push(time, action, cell);
            }
            Action::OtherPress => {
                let button = if is_left_down { Button::Right } else { Button::Left };
                push(time, Action::Press(button), cell);
            }
            action => push(time, action, cell),
        }
        has_begun |= action.is_of_button();
        is_left_down = match action {
            Action::Press(Button::Left) | Action::ShiftPress | Action::OtherPress => true,
            Action::Release(Button::Left) => false,
            _ => is_left_down,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::own_game::{assert_hardened, assert_is_own_game, recording};
    use crate::formats::random::random_recording;
    use crate::formats::{FormatError, read as read_any};

    /// The game as other programs write it, with an event of the board.
    fn written() -> String {
        to_rawvf(&recording()) + "number0 1 1\n"
    }

    fn read_again(recording: &Recording) -> Recording {
        match read_any(to_rawvf(recording).as_bytes()) {
            Ok(Contents::Recording(recording)) => *recording,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn recordings_are_read_as_they_were_written() {
        let random = &mut fastrand::Rng::with_seed(5);
        let known = WORDS.map(|(_, action)| action);
        for _ in 0..2000 {
            let recording = random_recording(random, &known);
            assert_eq!(read_again(&recording), recording);
        }
    }

    #[test]
    fn events_without_a_word_are_written_as_what_they_do() {
        let random = &mut fastrand::Rng::with_seed(6);
        let (other, flag) = (Action::OtherPress, Action::FlagBefore);
        let (left, right) = (Action::Release(Button::Left), Action::Release(Button::Right));
        let mut flags = 0;
        for actions in [
            vec![other, flag, left, right],
            vec![flag, flag, left, Action::Press(Button::Left), Action::ToggleMarks],
            [&WORDS.map(|(_, action)| action)[..], &[other, flag]].concat(),
        ] {
            for _ in 0..1000 {
                let recording = random_recording(random, &actions);
                let again = read_again(&recording);
                assert_eq!(again.clicks(), recording.clicks(), "{recording:?}");
                let first = recording.events.iter().find(|event| event.action.is_of_button());
                let is_before = recording.events[0].action == flag;
                flags += usize::from(is_before && first.is_some_and(|event| event.action == left));
            }
        }
        assert!(flags > 100, "{flags} games begin with a flag and a release");
    }

    #[test]
    fn names_stay_in_their_line() {
        let (program, player) = ("x\nBoard:\r\n".to_owned(), "a\0b\u{b}\nMode: upk".to_owned());
        let named = Recording { program, player, ..recording() };
        let again = read_again(&named);
        assert_eq!((&again.program[..], &again.player[..]), ("x Board:", "a b  Mode: upk"));
        assert_eq!(again.events, named.events);
        assert_eq!(to_rawvf(&again).lines().last(), Some("70.710 won"));
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
            ("0.020 lr", "0.020 xx", "line 23: `0.020 xx (8 8)` is no event"),
            ("0.020 lr (8 8)", "0.020 lr", "line 23: `0.020 lr` is no event"),
            ("Mines: 10", "Mines: 9", "the board has 10 mines, and `Mines` states 9"),
            ("Mines: 10", "Mines: x", "line 7: `Mines` is no whole number"),
            ("********", "*******", "line 18: `*******` is no row of 8 cells"),
            ("number0 1 1", "number1 1 1", "line 47: (0,0) shows what the mines contradict"),
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
