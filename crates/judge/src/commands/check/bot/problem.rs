//! What went wrong in a turn, and what to mend: one text for each kind of fault.
//!
//! Invariant: a mend names what to change in the bot, not only what the judge has seen.

use game::botzone::answered_cell;
use game::referee::InvalidMove;
use sapper::Shape;
use sapper::protocol::KEEP_RUNNING_MARKER;
use serde_json::Value;

use crate::runner::bots::host::invalid_text;
use crate::runner::bots::{ANSWER_FORM, Fault, Stuck};
use crate::runner::limits::Limits;
use crate::runner::messages::escaped;
use crate::runner::system::Exit;

/// The most bytes of `data`, and of `globaldata`, that Botzone stores.
const MAX_DATA: usize = 100 << 10;

/// A fault of the bot, with its mend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The name of the fault, as `judge play` counts it.
    pub fault: &'static str,
    pub reason: Option<String>,
    pub mend: String,
}

/// What is known of the turn in which a fault occurred.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The turn, counted from 0.
    pub turn: usize,
    pub limits: &'a Limits,
    pub shape: Shape,
    /// Every request of the game so far.
    pub requests: &'a [Value],
    /// Whether the bot was kept running for this turn.
    pub is_kept: bool,
}

impl Problem {
    /// The problem of a bot that gave no answer.
    pub fn of_fault(fault: &Fault, situation: &Situation) -> Problem {
        Problem {
            fault: fault.names().0,
            reason: fault.reason().map(escaped),
            mend: mend_of_fault(fault, situation),
        }
    }

    /// The problem of an answer that the official judge refuses.
    pub fn of_move(why: InvalidMove, response: &Value, situation: &Situation) -> Problem {
        Problem {
            fault: Fault::Illegal(String::new()).names().0,
            reason: Some(invalid_text(why, response)),
            mend: mend_of_move(why, response, situation),
        }
    }

    /// The problem of an answer with more `data` or `globaldata` than Botzone stores.
    pub fn of_data(answer: &Value) -> Option<Problem> {
        let len = |key: &str| match &answer[key] {
            Value::Null => 0,
            Value::String(text) => text.len(),
            other => other.to_string().len(),
        };
        let key = ["data", "globaldata"].into_iter().find(|key| len(key) > MAX_DATA)?;
        Some(Problem {
            fault: "data-limit",
            reason: Some(format!("`{key}` has {} bytes", len(key))),
            mend: format!("store at most {MAX_DATA} bytes in `{key}`: Botzone stores no more"),
        })
    }
}

fn mend_of_fault(fault: &Fault, situation: &Situation) -> String {
    let Situation { turn, limits, is_kept, .. } = *situation;
    match fault {
        Fault::Timeout(_, stuck) => mend_of_timeout(*stuck, situation),
        Fault::Crash(_, Exit::Code(0)) => format!(
            "go on after the line {KEEP_RUNNING_MARKER}: read the next request in a loop, until \
             the input ends; or do not print that line"
        ),
        Fault::Crash(_, Exit::Code(127)) => {
            "exit code 127 is that of a shell that finds no such program: check the command line"
                .to_owned()
        }
        Fault::Crash(_, Exit::Code(_)) => {
            "end with exit code 0, also after an answer; what the bot wrote to standard error says \
             why it failed"
                .to_owned()
        }
        Fault::Crash(_, Exit::Signal(signal)) => match signal {
            6 | 7 | 8 | 11 => "look for an index outside an array, a null pointer or a failed \
                               assertion: a field has up to 80 columns and 40 rows"
                .to_owned(),
            _ => "something ended the bot by a signal: does it kill itself, or use too much \
                  memory?"
                .to_owned(),
        },
        Fault::Crash(_, Exit::Unknown) => "run the bot by hand with the same input".to_owned(),
        Fault::Illegal(_) => format!("print one JSON object with the cell in it: {ANSWER_FORM}"),
        Fault::NotJson(why) if why.contains(ANSWER_FORM) => {
            format!("print nothing but one line of JSON: {ANSWER_FORM}")
        }
        Fault::NotJson(why) if why.contains("debug") => {
            "print nothing before or after the answer: write messages to standard error, or into \
             the answer's \"debug\""
                .to_owned()
        }
        Fault::NotJson(_) if turn > 0 && !is_kept => {
            "print an answer in every turn: the bot is started again with the whole history"
                .to_owned()
        }
        Fault::NotJson(_) => {
            "print the answer to standard output, and flush it before the program ends".to_owned()
        }
        Fault::OutputLimit(_) => {
            "print one line, the answer, and then end or wait: is a message or a loop left in?"
                .to_owned()
        }
        Fault::MemoryLimit(_) => format!(
            "use less than {} MiB for all processes together, the language's own memory included: \
             smaller tables and caches, no copies of the board in a search",
            limits.memory_limit_mib
        ),
        Fault::Unasked(_) => format!(
            "print exactly one answer for each request, then the line {KEEP_RUNNING_MARKER}, and \
             nothing until the next request has come"
        ),
        Fault::NotStarted(_) | Fault::Stalled => {
            "try again on a machine with free memory".to_owned()
        }
    }
}

fn mend_of_timeout(stuck: Stuck, situation: &Situation) -> String {
    let Situation { turn, limits, is_kept, .. } = *situation;
    match stuck {
        Stuck::EndOfInput => "read one line and no more, because the input stays open: getline in \
                              C++, input() in Python, readLine() in Java"
            .to_owned(),
        Stuck::AfterAnswer => format!(
            "end the program after its answer, also while its input is open; or, to be kept \
             running, print the line {KEEP_RUNNING_MARKER} after every answer and flush it"
        ),
        Stuck::NoAnswer => "print the whole answer as one line and flush it: endl in C++, \
                            flush=True in Python"
            .to_owned(),
        Stuck::Silent if is_kept => format!(
            "after the line {KEEP_RUNNING_MARKER} read one line, the bare request of the next turn \
             (not a history), and answer it at once; flush the answer"
        ),
        Stuck::Silent => {
            "answer as soon as one line is read: wait for no second line, no file and \
                          no timer; flush the answer"
                .to_owned()
        }
        Stuck::Computing => {
            let limit = limits.time(turn).as_secs_f64();
            let language = match (limits.factor, limits.given) {
                (1, None) => {
                    "; a bot in another language than C++ has more: name it with --language"
                }
                _ => "",
            };
            format!(
                "use less time: let a clock end the search after {:.1} s, {limit} s are the \
                 limit{language}",
                0.6 * limit
            )
        }
    }
}

fn mend_of_move(why: InvalidMove, response: &Value, situation: &Situation) -> String {
    let shape = situation.shape;
    let (rows, columns) = (i64::from(shape.rows()), i64::from(shape.columns()));
    match why {
        InvalidMove::NoAnswer => format!("let `response` be an object: {ANSWER_FORM}"),
        InvalidMove::NoInteger => {
            let is_text = response["row"].is_string() || response["col"].is_string();
            let instead = if is_text { "\"3\"" } else { "3.0" };
            format!("write `row` and `col` as integers, such as 3, not {instead}: {ANSWER_FORM}")
        }
        InvalidMove::Outside { row, column } => {
            let (row, column) = (i64::from(row), i64::from(column));
            let is_swapped = (0..rows).contains(&column) && (0..columns).contains(&row);
            let is_from_one = (1..=rows).contains(&row) && (1..=columns).contains(&column);
            let hint = match (is_swapped, is_from_one) {
                (true, _) => "are `row` and `col` swapped? ",
                (_, true) => "rows and columns count from 0; ",
                _ => "read `height` and `width` from the request; ",
            };
            format!("{hint}`row` is 0 to {}, `col` is 0 to {}", rows - 1, columns - 1)
        }
        InvalidMove::Open { .. } => mend_of_open(response, situation),
        InvalidMove::Over => "the game is over".to_owned(),
    }
}

fn mend_of_open(response: &Value, situation: &Situation) -> String {
    let Situation { shape, requests, .. } = *situation;
    let Ok((row, column)) = answered_cell(response) else { return String::new() };
    match reported(requests, (row, column)) {
        Some((turn, 9)) => format!(
            "requests[{turn}] reports this cell with val 9, a mine that was opened: it stays open, \
             so do not answer it again"
        ),
        Some((turn, value)) => {
            let is_other = row != column && shape.cell(column.into(), row.into()).is_some();
            let hint = match is_other && reported(requests, (column, row)).is_none() {
                true => format!("; or are `row` and `col` swapped? ({column},{row}) is hidden"),
                false => String::new(),
            };
            format!(
                "requests[{turn}] reports this cell with val {value}: mark every cell of every \
                 `changed` as open, also those that a zero opened{hint}"
            )
        }
        None => "do not answer a cell that is open".to_owned(),
    }
}

/// The request that reports a cell as open, by its number, and the value.
fn reported(requests: &[Value], (row, column): (i32, i32)) -> Option<(usize, i64)> {
    requests.iter().enumerate().find_map(|(turn, request)| {
        let cells = request["changed"].as_array()?;
        let cell = cells.iter().find(|cell| cell["row"] == row && cell["col"] == column)?;
        Some((turn, cell["val"].as_i64()?))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::runner::limits::Clock;

    fn limits() -> Limits {
        let (time_limit, clock) = (Duration::from_secs(1), Clock::Wall);
        Limits { time_limit, given: None, factor: 1, clock, memory_limit_mib: 256 }
    }

    fn mend(response: &Value, why: InvalidMove) -> String {
        let requests = [
            json!({"changed": null}),
            json!({"changed": [
                {"row": 1, "col": 2, "val": 9},
                {"row": 0, "col": 0, "val": 1},
                {"row": 3, "col": 4, "val": 2},
            ]}),
        ];
        let shape = Shape::new(20, 30).unwrap();
        let limits = limits();
        let situation =
            Situation { turn: 2, limits: &limits, shape, requests: &requests, is_kept: false };
        Problem::of_move(why, response, &situation).mend
    }

    #[test]
    fn a_mend_names_what_the_answer_has_wrong() {
        for (row, column, word) in [
            (25, 3, "swapped"),
            (20, 30, "count from 0"),
            (-1, 99, "`row` is 0 to 19, `col` is 0 to 29"),
        ] {
            let response = json!({"row": row, "col": column});
            let mend = mend(&response, InvalidMove::Outside { row, column });
            assert!(mend.contains(word), "{row},{column}: {mend}");
        }
        for (row, column, word) in [
            (1, 2, "requests[1] reports this cell with val 9, a mine"),
            (0, 0, "with val 1: mark"),
            (3, 4, "swapped? (4,3) is hidden"),
        ] {
            let response = json!({"row": row, "col": column});
            let mend = mend(&response, InvalidMove::Open { row, column });
            assert!(mend.contains(word), "{row},{column}: {mend}");
        }
        let text = mend(&json!({"row": "1", "col": "2"}), InvalidMove::NoInteger);
        assert!(text.contains("not \"3\""), "{text}");
        let float = mend(&json!({"row": 1.0, "col": 2}), InvalidMove::NoInteger);
        assert!(float.contains("not 3.0"), "{float}");
    }

    #[test]
    fn data_has_a_limit() {
        assert_eq!(Problem::of_data(&json!({"data": "x".repeat(MAX_DATA)})), None);
        let problem = Problem::of_data(&json!({"globaldata": "x".repeat(MAX_DATA + 1)})).unwrap();
        assert_eq!(problem.reason.unwrap(), "`globaldata` has 102401 bytes");
    }
}
