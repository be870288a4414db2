//! Structured histories: a game that can be, then changes to its cells, values, sizes and counts.
//!
//! Random bytes hardly ever make a game that a judge could have reported, and deduction ends early on one
//! that contradicts itself. So the bytes say where mines lie and what was opened, the official referee
//! says what was reported, and only then is something changed. An input without changes must be answered
//! without a warning, and what is proven about it must be true.
//!
//! A clock goes on by a step of the input's own at each look, so that the turn may end anywhere.

use std::cell::Cell as ComponentCounter;
use std::fmt::Write;
use std::time::Duration;

use arbitrary::{Arbitrary, Unstructured};
use sapper::base::budget::{Clock, NoClock};
use sapper::bot::engine::Step;
use sapper::referee::field::Field;
use sapper::referee::rules::Referee;
use sapper::board::geometry::{Cell, Shape};
use sapper::protocol::inputs;
use sapper::bot::read_error::ReadError;
use sapper::bot::session::{Answer, Session};

use crate::{Passed, check_answer, draw};

/// The longest side, mostly and at times: small fields are tried ten times as often in the same time.
const SIDES: (u8, u8) = (6, 12);

#[derive(Arbitrary, Debug)]
struct Plan {
    rows: u8,
    columns: u8,
    /// Milliseconds that a look at the clock takes; mostly none.
    tick: u8,
    changes: Vec<Change>,
    /// The cells opened, each in a turn of its own.
    opened: Vec<u8>,
    /// A bit a cell, from the first.
    mines: Vec<u8>,
}

/// One change to what the judge said.
#[derive(Arbitrary, Debug)]
enum Change {
    /// This value of this report.
    Value { report: u8, key: CellKey, word: Word },
    /// A report that the judge never made.
    Report { turn: u8, row: Word, column: Word, value: Word },
    /// Once more, in this turn.
    Again { report: u8, turn: u8 },
    /// Left out.
    Lost { report: u8 },
    /// A size or the count, in one turn or in all.
    Size { turn: Option<u8>, key: SizeKey, word: Word },
    /// Something else where the list should be.
    List { turn: u8, word: Word },
    /// A limit on the time of a turn.
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

/// What no judge writes.
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

/// One report: the words of its row, column and value.
type Report = [String; 3];

/// One turn's request, in words.
struct Request {
    /// Height, width and mine count.
    sizes: [String; 3],
    reports: Vec<Report>,
    /// What stands in the place of the reports.
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

    /// Plays the game, and changes it.
    fn game(&self) -> Game {
        let shape = self.shape();
        let bit = |index: usize| {
            self.mines.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
        };
        let mines: Vec<usize> = (0..shape.len()).filter(|&index| bit(index)).collect();
        let count = mines.len() as u32;
        let field = Field::from_mines(shape, mines).expect("each cell once");
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
        for &place in &self.opened {
            let cell = Cell::from_index((usize::from(place) % shape.len()) as u32);
            if referee.ended() {
                break;
            }
            if !referee.is_open(cell) {
                let opened = referee.open(cell).expect("a hidden cell of a game that goes on");
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
                looks: ComponentCounter::new(0),
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

    /// Where a report is: its turn, and its place there.
    fn place(&self, report: u8) -> Option<(usize, usize)> {
        let places = |(turn, request): (usize, &Request)| {
            (0..request.reports.len()).map(move |place| (turn, place)).collect::<Vec<_>>()
        };
        let all: Vec<(usize, usize)> = self.requests.iter().enumerate().flat_map(places).collect();
        all.get(usize::from(report) % all.len().max(1)).copied()
    }

    fn change(&mut self, change: &Change) {
        match *change {
            Change::Value { report, key, word } => {
                let Some((turn, place)) = self.place(report) else { return };
                self.requests[turn].reports[place][key as usize] = word.text();
            }
            Change::Report { turn, row, column, value } => {
                self.turn(turn).reports.push([row.text(), column.text(), value.text()]);
            }
            Change::Again { report, turn } => {
                let Some((of, place)) = self.place(report) else { return };
                let again = self.requests[of].reports[place].clone();
                self.turn(turn).reports.push(again);
            }
            Change::Lost { report } => {
                let Some((turn, place)) = self.place(report) else { return };
                self.requests[turn].reports.remove(place);
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

/// A clock that goes on at every look.
struct Ticking {
    looks: ComponentCounter<u32>,
    tick: Duration,
}

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        self.looks.set(self.looks.get().saturating_add(1));
        self.tick.saturating_mul(self.looks.get())
    }
}

fn answer(session: &mut Session, text: &str, clock: &dyn Clock) -> Result<Answer, ReadError> {
    let input = inputs(text.as_bytes()).next().expect("a value").expect("JSON");
    session.answer(input, clock, |_| {})
}

/// Every history is answered by a hidden cell, or it has no usable size, or none is hidden; one that was not
/// changed without a warning and without a false proof; the same without and with the turns before it.
///
/// # Errors
/// [`Passed`], where the bytes are too few for a plan, or a changed field is too large to be tried.
pub fn check(data: &[u8]) -> Result<(), Passed> {
    let plan = Plan::arbitrary_take_rest(Unstructured::new(data)).map_err(|_| Passed)?;
    let game = plan.game();
    if too_large(&game) {
        return Err(Passed);
    }
    let clock = plan.clock();
    let mut session = crate::session(data);
    let text = game.text();
    let answered = match answer(&mut session, &text, &*clock) {
        Ok(answered) => answered,
        Err(error) => {
            let may_be = matches!(error, ReadError::NoHiddenCell)
                || !plan.changes.is_empty()
                    && matches!(error, ReadError::Fields(_) | ReadError::Size { .. });
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
        // Now and then the same session again, and one that heard the turns one by one.
        match draw(data) % 16 {
            0 => assert_eq!(answer(&mut session, &text, &NoClock).expect("as before"), answered),
            1 if game.limit.is_none() => check_kept(&game, crate::session(data), &answered),
            _ => {}
        }
    }
    Ok(())
}

fn check_kept(game: &Game, mut session: Session, whole: &Answer) {
    let mut last = None;
    for request in &game.requests {
        last = Some(answer(&mut session, &request.text(), &NoClock));
    }
    let last = last.expect("a turn").expect("the whole history was answered");
    assert_eq!(
        (last.place, &last.decision, &last.board),
        (whole.place, &whole.decision, &whole.board)
    );
    assert_eq!(last.warnings, whole.warnings);
}

/// Whether a size was changed into one that is not tried.
fn too_large(game: &Game) -> bool {
    let side = |key: usize| {
        let words = game.requests.iter().map(|request| request.sizes[key].trim_matches('"'));
        let sides = words.map(|word| word.parse::<f64>().unwrap_or(0.0));
        sides.fold(0.0, f64::max)
    };
    let cells = side(SizeKey::Height as usize) * side(SizeKey::Width as usize);
    // Beyond the largest shape it is refused before anything is made of it.
    cells > crate::MOST_CELLS as f64 && cells <= Shape::MAX_CELLS as f64
}
