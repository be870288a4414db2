//! A session over a match's requests: contradicting sizes, a stated time limit, and the check of
//! the rest of the board after an answer.

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use sapper::board::Board;
use sapper::board::geometry::Shape;
use sapper::board::text_format::BoardText;
use sapper::bot::engine::Step;
use sapper::bot::session::{Answer, Session, respond};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::solver::ProbabilitySolver;
use sapper::protocol::Input;
use sapper::settings::budget::{Budget, Clock, NoClock};
use sapper::settings::params::COUNT_NODES;
use serde_json::{Value, json};

/// The request that leaves this board, where it is the first.
fn request(board: &Board) -> Value {
    let shape = board.shape();
    let open = shape.cells().filter(|&cell| !board.is_hidden(cell));
    let changed: Vec<Value> = open
        .map(|cell| {
            let value = board.state(cell).value().unwrap();
            json!({"row": shape.row(cell), "col": shape.column(cell), "val": value})
        })
        .collect();
    let (height, width, minecount) = (shape.rows(), shape.columns(), board.mines());
    json!({"height": height, "width": width, "minecount": minecount, "changed": changed})
}

fn pictured(picture: &str) -> Value {
    request(&picture.parse::<BoardText>().unwrap().board(0).unwrap())
}

fn input(value: &Value) -> Input {
    serde_json::from_str(&value.to_string()).unwrap()
}

/// A clock that shows the same time at every reading.
struct Stopped(Duration);

impl Clock for Stopped {
    fn elapsed(&self) -> Duration {
        self.0
    }
}

/// A clock that advances by so much at every reading.
struct Ticking {
    readings: std::cell::Cell<u32>,
    tick: Duration,
}

impl Ticking {
    fn by(tick: Duration) -> Ticking {
        Ticking { readings: std::cell::Cell::new(0), tick }
    }
}

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        self.readings.set(self.readings.get() + 1);
        self.tick * self.readings.get()
    }
}

#[test]
fn the_first_size_is_used_and_another_is_a_warning() {
    let first = json!({"height": 2, "width": 5, "minecount": 3, "changed": null});
    let changed = json!([{"row": 1, "col": 4, "val": 1}]);
    for (key, value) in [("height", 4), ("width", 7), ("minecount", 1)] {
        let mut second = first.clone();
        second["changed"] = changed.clone();
        let agreeing = json!({"requests": [first, second]}).to_string();
        assert_eq!(respond(&agreeing, &NoClock).unwrap().warnings, [""; 0]);

        second[key] = json!(value);
        let other = json!({"requests": [first, first, second, second]}).to_string();
        let answer = respond(&other, &NoClock).unwrap();
        let [warning] = &answer.warnings[..] else { panic!("{:?}", answer.warnings) };
        let expected = format!("\"{key}\" {value} contradicts {} before", first[key]);
        assert!(warning.contains("requests[2]") && warning.contains(&expected), "{warning}");
        let shape = answer.board.shape();
        assert_eq!((shape.rows(), shape.columns(), answer.board.mines()), (2, 5, 3));
        // The reported cell is on the first request's field: nothing else was wrong.
        assert_eq!(answer.board.hidden_len(), 9);

        // Absent later, it is the first all the same.
        second.as_object_mut().unwrap().remove(key);
        let absent = json!({"requests": [first, second]}).to_string();
        assert_eq!(respond(&absent, &NoClock).unwrap().warnings, [""; 0]);
    }
}

/// A position in which nothing is certain.
const UNCERTAIN: &str = "9 5 12\n.........\n2.3.3.3.2\n.........\n2.3.3.3.2\n.........";

#[test]
fn a_stated_limit_is_the_turns_limit() {
    let approximate = |limit: Value, milliseconds: u64| {
        let text = json!({"requests": [pictured(UNCERTAIN)], "time_limit": limit}).to_string();
        let clock = Stopped(Duration::from_millis(milliseconds));
        let decision = respond(&text, &clock).unwrap().decision.unwrap();
        assert_eq!(decision.by, Step::Guess);
        decision.approximate > 0
    };
    // 85 % of the limit, and never more than 0.85 s; no new step from 75 % of it on.
    for (limit, in_time, late) in [
        (json!(null), 740, 860),
        (json!(0.2), 140, 175),
        (json!("0.2"), 140, 175),
        (json!(9), 740, 860),
    ] {
        assert!(!approximate(limit.clone(), in_time), "{limit}");
        assert!(approximate(limit, late));
    }
}

/// A bare request states no limit: the match's holds, until another is stated.
#[test]
fn a_limit_holds_for_the_match() {
    let clock = Stopped(Duration::from_millis(175));
    let mut session = Session::default();
    let mut ask = |value: &Value| {
        let answer = session.answer(input(value), &clock, |_| {}).unwrap();
        answer.decision.unwrap().approximate > 0
    };
    let request = pictured(UNCERTAIN);
    let mut bare = request.clone();
    bare["changed"] = json!(null);
    assert!(!ask(&request));
    assert!(ask(&json!({"requests": [request], "time_limit": 0.2})));
    assert!(ask(&bare));
    assert!(!ask(&json!({"requests": [request], "time_limit": 1})));
    assert!(!ask(&bare));
}

/// A field of so many rows with every second cell of every second row open, unless that proves a
/// cell safe by deduction: the rows decide how wide the frontier is.
fn wide(rows: u64) -> Board {
    let mut random = fastrand::Rng::with_seed(7);
    let shape = Shape::new(rows, 40).unwrap();
    let mined: Vec<bool> = shape.cells().map(|_| random.f64() < 0.35).collect();
    let mut board = Board::new(shape, mined.iter().filter(|mine| **mine).count() as u32);
    let mut deducer = Deducer::default();
    for cell in shape.cells() {
        let picked = shape.row(cell) % 2 == 1 && shape.column(cell) % 2 == 1;
        if picked && !mined[cell.index()] {
            let before = board.clone();
            twin::open(&mut board, &mined, cell);
            let position = board.position();
            let deduced = deducer.run(&position, Reach::FirstSafe).unwrap();
            if !deduced.safe().is_empty() {
                board = before;
            }
        }
    }
    board
}

/// A clock that passes the deadline stops a count that is under way.
#[test]
fn a_limit_stops_counting() {
    let mut input = json!({"requests": [request(&wide(13))]});
    let approximate = |input: &Value, clock: &dyn Clock| {
        let decision = respond(&input.to_string(), clock).unwrap().decision.unwrap();
        assert_eq!(decision.by, Step::Guess);
        decision.approximate
    };
    let tick = Duration::from_millis(1);
    let (long, short) = (Ticking::by(tick), Ticking::by(tick));
    assert_eq!(approximate(&input, &long), 0);
    // It takes over a hundred readings of the clock, one each 100,000 nodes.
    assert!(long.readings.get() > 100, "{}", long.readings.get());
    input["time_limit"] = json!(0.02);
    assert!(approximate(&input, &short) > 0);
    // 17 ms may be used; a few more readings are those of the steps that see the deadline passed.
    assert!((17..29).contains(&short.readings.get()), "{}", short.readings.get());
}

#[test]
fn the_log_of_an_answer_says_that_time_was_up() {
    let input = json!({"requests": [request(&wide(13))]}).to_string();
    let debug = |clock: &dyn Clock| respond(&input, clock).unwrap().debug("");
    assert!(!debug(&NoClock).contains("time was up"));
    assert!(debug(&Stopped(Duration::from_millis(751))).contains("; time was up"));
}

/// The nodes that a turn may use are the same under any limit.
#[test]
fn a_limit_changes_no_node_limit() {
    let board = wide(13);
    // A fortieth of the nodes would not do.
    let position = board.position();
    let mut deducer = Deducer::default();
    let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
    let mut part = Budget::of_nodes(COUNT_NODES / 40);
    let odds = ProbabilitySolver::default().run(deduced, &mut part).unwrap().odds().clone();
    assert!(odds.approximate() > 0);

    let mut input = json!({"requests": [request(&board)]});
    let answer = respond(&input.to_string(), &NoClock).unwrap();
    assert_eq!(answer.decision.as_ref().unwrap().approximate, 0);
    input["time_limit"] = json!(0.02);
    assert_eq!(respond(&input.to_string(), &NoClock).unwrap(), answer);
}

fn late_warnings(value: &Value, clock: &dyn Clock) -> (Answer, Vec<String>) {
    let mut session = Session::default();
    let answer = session.answer(input(value), clock, |_| {}).unwrap();
    let late = session.late_warnings(&answer, clock);
    (answer, late)
}

/// On the left one mine in each two of three cells: no two numbers contradict each other, all three
/// do. The sixth column is proven safe.
const ODD_RING: &str = "8 3 10\n.2.*2...\n3*6*3...\n*.**2...";

#[test]
fn contradictions_are_warned_of_after_a_safe_cell_was_answered() {
    let boards = [
        ODD_RING,
        // Three cells must hold one mine and two.
        "6 3 5\n1.3*2.\n1.5*3.\n1.3*2.",
        // All fits but the total.
        "6 3 8\n.1.*2.\n3*6*3.\n*.**2.",
    ];
    for board in boards {
        let (answer, late) = late_warnings(&pictured(board), &NoClock);
        let decision = answer.decision.as_ref().unwrap();
        assert_eq!((decision.by, &answer.warnings[..]), (Step::Deduction, &[][..]), "{board}");
        let [late] = &late[..] else { panic!("{late:?}") };
        assert!(late.starts_with("no layout fits: "), "{late}");
    }
}

#[test]
fn a_consistent_board_has_no_late_warnings_and_a_known_contradiction_one() {
    let fine = pictured("6 3 7\n.1.*2.\n3*6*3.\n*.**2.");
    let (answer, late) = late_warnings(&fine, &NoClock);
    assert_eq!(answer.decision.unwrap().by, Step::Deduction);
    assert_eq!((answer.warnings, late), (Vec::new(), Vec::new()));
    // A guess has counted the whole board.
    let (answer, late) = late_warnings(&pictured(UNCERTAIN), &NoClock);
    assert_eq!((answer.decision.unwrap().by, late), (Step::Guess, Vec::new()));
    // The contradiction that the search met is among the others, once.
    let (answer, late) = late_warnings(&pictured("3 3 5\n.2.\n3*3\n*.*"), &NoClock);
    let decision = answer.decision.unwrap();
    assert_eq!((decision.by, answer.warnings.len(), late.len()), (Step::Rough, 0, 1));
    assert!(decision.contradiction.is_some());
}

#[test]
fn the_check_after_the_answer_keeps_to_the_limit_too() {
    let clock = Stopped(Duration::from_millis(175));
    let mut input = json!({"requests": [pictured(ODD_RING)]});
    assert!(late_warnings(&input, &clock).1.len() == 1);
    input["time_limit"] = json!(0.2);
    let (answer, late) = late_warnings(&input, &clock);
    assert_eq!((answer.decision.unwrap().by, late), (Step::Deduction, Vec::new()));
}
