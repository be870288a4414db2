//! Recorded games, as `judge verify`, `judge odds` and the records of `judge play` have them.

use sapper::base::budget::NoClock;
use sapper::protocol::inputs;
use sapper::referee::botzone::BotzoneJudge;
use sapper::referee::record::Record;
use serde_json::Value;

use crate::{MOST_CELLS, Passed, check_answer, session};

/// Turns that are judged again, and answered by the bot.
const MOST_TURNS: usize = 4;

/// A text is refused in words, or is a record that is written as it was read, that the judge can judge again,
/// and whose every turn the bot can answer.
///
/// # Errors
/// [`Passed`], where a field is too large to be tried.
pub fn check(data: &[u8]) -> Result<(), Passed> {
    let record = match Record::read(&String::from_utf8_lossy(data)) {
        Ok(record) => record,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Ok(());
        }
    };
    let text = serde_json::to_string(&record).expect("a record is JSON");
    let read = Record::read(&text).expect("a record written is one");
    // The parser may miss a float's last digit.
    let value: Value = serde_json::from_str(&text).expect("a record is JSON");
    assert!(read == record || !is_whole(&value), "{text}");
    answer_turns(&record, data);
    let setup = match record.setup() {
        Ok(setup) => setup,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Ok(());
        }
    };
    if setup.shape.len() as u64 > MOST_CELLS {
        return Err(Passed);
    }
    let Ok(mut judge) = BotzoneJudge::new(&setup) else { return Ok(()) };
    let mut again = Record::new(&setup);
    again.push_output(judge.first_output());
    for answer in record.log.iter().skip(1).step_by(2).take(MOST_TURNS) {
        let response = &answer["0"]["response"];
        let ruling = judge.answer(response);
        again.push_answer("OK", Some(response));
        again.push_output(&ruling.output);
        if ruling.end.is_some() {
            break;
        }
    }
    let text = serde_json::to_string(&again).expect("a record is JSON");
    let read = Record::read(&text).expect("a record written is one");
    assert_eq!(read.setup().expect("the setup it was written with"), setup);
    Ok(())
}

/// Whatever a record says that the judge asked, the bot answers it, or says why it cannot.
fn answer_turns(record: &Record, data: &[u8]) {
    for turn in 0..record.answers().min(MOST_TURNS) {
        let Some(input) = record.input(turn).filter(is_small) else { continue };
        let text = input.to_string();
        let Some(Ok(input)) = inputs(text.as_bytes()).next() else { continue };
        let mut session = session(data);
        match session.answer(input, &NoClock, |_| {}) {
            Ok(answer) => drop(check_answer(&mut session, &answer, &NoClock)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Whether there is no float in it.
fn is_whole(value: &Value) -> bool {
    match value {
        Value::Number(number) => !number.is_f64(),
        Value::Array(items) => items.iter().all(is_whole),
        Value::Object(entries) => entries.values().all(is_whole),
        _ => true,
    }
}

/// Whether every size that an input names is small enough to be tried.
fn is_small(input: &Value) -> bool {
    let requests = input["requests"].as_array().map_or(&[][..], Vec::as_slice);
    let most = |key: &str| {
        let sizes = requests.iter().map(|request| match &request[key] {
            Value::Number(number) => number.as_f64().unwrap_or(0.0),
            Value::String(text) => text.trim().parse().unwrap_or(0.0),
            _ => 0.0,
        });
        sizes.fold(0.0, f64::max)
    };
    most("height") * most("width") <= MOST_CELLS as f64
}
