//! Structured histories: a game that follows the rules, then changes to its cells, values, sizes
//! and counts.
//!
//! Random bytes almost never form a game that a judge could have reported, and deduction ends early
//! on a contradictory one. The bytes therefore choose the mines and the cells to open, the referee
//! derives the reports, and only then something is changed. An unchanged input must be answered
//! without a warning, and its proofs must be true.
//!
//! The clock advances by a fixed step at each reading, so that the turn may end at any point.

use std::cell;
use std::fmt::Write;
use std::time::Duration;

use arbitrary::{Arbitrary, Unstructured};
use game::field::Field;
use game::referee::Referee;
use sapper::board::geometry::{Cell, Shape};
use sapper::bot::engine::Step;
use sapper::bot::read_error::ReadError;
use sapper::bot::session::{Answer, Session};
use sapper::protocol::inputs;
use sapper::settings::budget::{Clock, NoClock};

use crate::{Skipped, check_answer, draw};

/// The longest side of most fields, and of a few; small fields are much faster.
const SIDES: (u8, u8) = (6, 12);

#[derive(Arbitrary, Debug)]
struct Plan {
    rows: u8,
    columns: u8,
    /// The step of the clock: none up to 127, otherwise the milliseconds above 127.
    tick: u8,
    changes: Vec<Change>,
    /// The cells to open, one per turn.
    opened: Vec<u8>,
    /// One bit for each cell, in row-major order.
    mines: Vec<u8>,
}

/// One change to the requests.
#[derive(Arbitrary, Debug)]
enum Change {
    /// Replaces a part of a report.
    Value { report: u8, key: CellKey, word: Word },
    /// Adds a report.
    Report { turn: u8, row: Word, column: Word, value: Word },
    /// Repeats a report in a turn.
    Again { report: u8, turn: u8 },
    /// Removes a report.
    Lost { report: u8 },
    /// Replaces a size or the mine count, in one turn or in all.
    Size { turn: Option<u8>, key: SizeKey, word: Word },
    /// Replaces the list of reports.
    List { turn: u8, word: Word },
    /// Adds a time limit.
    Limit { word: Word },
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum CellKey {
    Row,
    Column,
    Value,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum SizeKey {
    Height,
    Width,
    Mines,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Word {
    Small(i8),
    Any(i64),
    Odd(u8),
}

/// Values that no judge writes.
const ODD: [&str; 16] = [
    "null",
    "\"3\"",
    "2.0",
    "2.5",
    "1e999",
    "-1e999",
    "[]",
    "{}",
    "\"\"",
    "true",
    "4000000000",
    "-0",
    "\"1e1\"",
    "[[9]]",
    "{\"row\":1}",
    "0.0001",
];

impl Word {
    fn text(self) -> String {
        match self {
            Word::Small(number) => number.to_string(),
            Word::Any(number) => number.to_string(),
            Word::Odd(which) => ODD[usize::from(which) % ODD.len()].to_owned(),
        }
    }
}

/// One report: row, column and value as JSON.
type Report = [String; 3];

/// The request of one turn, as JSON texts.
struct Request {
    /// Height, width and mine count.
    sizes: [String; 3],
    reports: Vec<Report>,
    /// Replaces the list of reports.
    instead: Option<String>,
}

impl Request {
    fn text(&self) -> String {
        let [height, width, mines] = &self.sizes;
        let mut text =
            format!("{{\"height\":{height},\"width\":{width},\"minecount\":{mines},\"changed\":");
        match &self.instead {
            Some(word) => text.push_str(word),
            None => {
                let cell = |[row, col, val]: &Report| {
                    format!("{{\"row\":{row},\"col\":{col},\"val\":{val}}}")
                };
                let cells: Vec<String> = self.reports.iter().map(cell).collect();
                let _ = write!(text, "[{}]", cells.join(","));
            }
        }
        text.push('}');
        text
    }
}

struct Game {
    requests: Vec<Request>,
    field: Field,
    limit: Option<String>,
}

impl Plan {
    fn shape(&self) -> Shape {
        let longest = |byte: u8| if byte < 240 { SIDES.0 } else { SIDES.1 };
        let side = |byte: u8| u64::from(byte % longest(byte)) + 1;
        Shape::new(side(self.rows), side(self.columns)).expect("a small field")
    }

    /// Plays the game, then applies the changes.
    fn game(&self) -> Game {
        let shape = self.shape();
        let bit = |index: usize| {
            self.mines.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
        };
        let mines: Vec<usize> = (0..shape.len()).filter(|&index| bit(index)).collect();
        let count = mines.len() as u32;
        let field = Field::from_mines(shape, mines).expect("the indexes are different");
        let mut referee = Referee::new(field.clone(), count);
        let request = |changed: &[(Cell, u8)]| Request {
            sizes: [shape.rows(), shape.columns(), count].map(|size| size.to_string()),
            reports: changed
                .iter()
                .map(|&(cell, value)| {
                    [shape.row(cell), shape.column(cell), value.into()]
                        .map(|word: u32| word.to_string())
                })
                .collect(),
            instead: None,
        };
        let mut requests = vec![request(&[])];
        for &index in &self.opened {
            let cell = Cell::from_index((usize::from(index) % shape.len()) as u32);
            if referee.ended() {
                break;
            }
            if !referee.is_open(cell) {
                let opened =
                    referee.open(cell).expect("the cell is hidden and the game is not over");
                requests.push(request(opened.changed));
            }
        }
        let mut game = Game { requests, field, limit: None };
        self.changes.iter().for_each(|change| game.change(change));
        game
    }

    fn clock(&self) -> Box<dyn Clock> {
        match self.tick {
            0..=127 => Box::new(NoClock),
            tick => Box::new(Ticking {
                readings: cell::Cell::new(0),
                tick: Duration::from_millis((tick - 127).into()),
            }),
        }
    }
}

impl Game {
    fn turn(&mut self, turn: u8) -> &mut Request {
        let turn = usize::from(turn) % self.requests.len();
        &mut self.requests[turn]
    }

    /// The turn of a report, and its index in that turn.
    fn position(&self, report: u8) -> Option<(usize, usize)> {
        let positions = |(turn, request): (usize, &Request)| {
            (0..request.reports.len()).map(move |index| (turn, index)).collect::<Vec<_>>()
        };
        let all: Vec<(usize, usize)> =
            self.requests.iter().enumerate().flat_map(positions).collect();
        all.get(usize::from(report) % all.len().max(1)).copied()
    }

    fn change(&mut self, change: &Change) {
        match *change {
            Change::Value { report, key, word } => {
                let Some((turn, index)) = self.position(report) else { return };
                self.requests[turn].reports[index][key as usize] = word.text();
            }
            Change::Report { turn, row, column, value } => {
                self.turn(turn).reports.push([row.text(), column.text(), value.text()]);
            }
            Change::Again { report, turn } => {
                let Some((source, index)) = self.position(report) else { return };
                let copy = self.requests[source].reports[index].clone();
                self.turn(turn).reports.push(copy);
            }
            Change::Lost { report } => {
                let Some((turn, index)) = self.position(report) else { return };
                self.requests[turn].reports.remove(index);
            }
            Change::Size { turn: Some(turn), key, word } => {
                self.turn(turn).sizes[key as usize] = word.text();
            }
            Change::Size { turn: None, key, word } => {
                self.requests
                    .iter_mut()
                    .for_each(|request| request.sizes[key as usize] = word.text());
            }
            Change::List { turn, word } => self.turn(turn).instead = Some(word.text()),
            Change::Limit { word } => self.limit = Some(word.text()),
        }
    }

    fn text(&self) -> String {
        let requests: Vec<String> = self.requests.iter().map(Request::text).collect();
        let limit =
            self.limit.as_ref().map_or(String::new(), |limit| format!("\"time_limit\":{limit},"));
        format!("{{{limit}\"requests\":[{}],\"responses\":[]}}", requests.join(","))
    }
}

/// A clock that advances at every reading.
struct Ticking {
    readings: cell::Cell<u32>,
    tick: Duration,
}

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        self.readings.set(self.readings.get().saturating_add(1));
        self.tick.saturating_mul(self.readings.get())
    }
}

fn answer(session: &mut Session, text: &str, clock: &dyn Clock) -> Result<Answer, ReadError> {
    let input = inputs(text.as_bytes()).next().expect("a value").map_err(ReadError::Json)?;
    session.answer(input, clock, |_| {})
}

/// Checks that a history is answered with a hidden cell, unless a value has the wrong type, its
/// sizes are unusable or no cell is hidden; that an unchanged one gives no warning and no false
/// proof; and that a session that reads the turns one by one gives the same answer.
///
/// # Errors
/// [`Skipped`] where the bytes are too few for a plan, or a changed field is too large.
pub fn check(data: &[u8]) -> Result<(), Skipped> {
    let plan = Plan::arbitrary_take_rest(Unstructured::new(data)).map_err(|_| Skipped)?;
    let game = plan.game();
    if is_too_large(&game) {
        return Err(Skipped);
    }
    let clock = plan.clock();
    let mut session = crate::session(data);
    let text = game.text();
    let answered = match answer(&mut session, &text, &*clock) {
        Ok(answered) => answered,
        Err(error) => {
            let may_be = matches!(error, ReadError::NoHiddenCell)
                || !plan.changes.is_empty()
                    && matches!(
                        error,
                        ReadError::Json(_) | ReadError::NoField { .. } | ReadError::Size { .. }
                    );
            assert!(may_be, "{error}");
            return Ok(());
        }
    };
    let late = check_answer(&mut session, &answered, &*clock);
    if plan.changes.is_empty() {
        assert_eq!((&answered.warnings[..], &late[..]), (&[][..], &[][..]), "{text}");
        let decision = answered.decision.as_ref().expect("a decision");
        assert_ne!(decision.by, Step::Rough, "{text}");
        let is_false = decision.by.is_proof() && game.field.is_mine(decision.cell());
        assert!(!is_false, "{text}: {decision:?}");
    }
    if plan.tick <= 127 {
        // For a few inputs, the same session again, or a session that reads the turns one by one.
        match draw(data) % 16 {
            0 => assert_eq!(answer(&mut session, &text, &NoClock).expect("as before"), answered),
            1 if game.limit.is_none() => check_turn_by_turn(&game, crate::session(data), &answered),
            _ => {}
        }
    }
    Ok(())
}

fn check_turn_by_turn(game: &Game, mut session: Session, whole: &Answer) {
    let mut last = None;
    for request in &game.requests {
        last = Some(answer(&mut session, &request.text(), &NoClock));
    }
    let last = last.expect("a turn").expect("the whole history has an answer");
    assert_eq!(
        (last.place, &last.decision, &last.board),
        (whole.place, &whole.decision, &whole.board)
    );
    assert_eq!(last.warnings, whole.warnings);
}

/// Whether a changed size makes the field too large to be played.
fn is_too_large(game: &Game) -> bool {
    let side = |key: usize| {
        let words = game.requests.iter().map(|request| request.sizes[key].trim_matches('"'));
        let sides = words.map(|word| word.parse::<f64>().unwrap_or(0.0));
        sides.fold(0.0, f64::max)
    };
    let cells = side(SizeKey::Height as usize) * side(SizeKey::Width as usize);
    // Above the largest shape it is refused before anything is allocated.
    cells > crate::MAX_CELLS as f64 && cells <= Shape::MAX_CELLS as f64
}
