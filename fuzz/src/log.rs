//! Recorded games, as `judge verify` and `judge odds` read them.

use game::botzone::BotzoneJudge;
use game::record::Record;
use sapper::protocol::inputs;
use sapper::settings::budget::NoClock;
use serde_json::Value;

use crate::{MAX_CELLS, Skipped, check_answer, session};

/// The number of turns that are judged again and answered by the bot.
const MAX_TURNS: usize = 4;

/// Checks that a text is refused with a message, or is a record that is written as it was read,
/// whose answers can be judged again, and whose turns the bot can answer.
///
/// # Errors
/// [`Skipped`] where a field is too large.
pub fn check(data: &[u8]) -> Result<(), Skipped> {
    let record = match Record::read(&String::from_utf8_lossy(data)) {
        Ok(record) => record,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Ok(());
        }
    };
    let text = serde_json::to_string(&record).expect("a record is JSON");
    let read = Record::read(&text).expect("a written record is a record");
    // The parser may change the last digit of a float.
    let value: Value = serde_json::from_str(&text).expect("a record is JSON");
    assert!(read == record || has_float(&value), "{text}");
    answer_turns(&record, data);
    let setup = match record.setup() {
        Ok(setup) => setup,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Ok(());
        }
    };
    if setup.shape.len() as u64 > MAX_CELLS {
        return Err(Skipped);
    }
    let Ok(mut judge) = BotzoneJudge::new(&setup) else { return Ok(()) };
    let mut replayed = Record::new(&setup);
    replayed.push_output(judge.first_output());
    for answer in record.log.iter().skip(1).step_by(2).take(MAX_TURNS) {
        let response = &answer["0"]["response"];
        let ruling = judge.answer(response);
        replayed.push_answer("OK", Some(response));
        replayed.push_output(&ruling.output);
        if ruling.end.is_some() {
            break;
        }
    }
    let text = serde_json::to_string(&replayed).expect("a record is JSON");
    let read = Record::read(&text).expect("a written record is a record");
    assert_eq!(read.setup().expect("the setup was written"), setup);
    Ok(())
}

/// Checks that the bot answers every request of a record, or refuses it with a message.
fn answer_turns(record: &Record, data: &[u8]) {
    for turn in 0..record.answers().min(MAX_TURNS) {
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

/// Whether a value holds a float.
fn has_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_float),
        Value::Object(entries) => entries.values().any(has_float),
        _ => false,
    }
}

/// Whether every size in an input is small enough to be played.
fn is_small(input: &Value) -> bool {
    let requests = input["requests"].as_array().map_or(&[][..], Vec::as_slice);
    let max = |key: &str| {
        let sizes = requests.iter().map(|request| match &request[key] {
            Value::Number(number) => number.as_f64().unwrap_or(0.0),
            Value::String(text) => text.trim().parse().unwrap_or(0.0),
            _ => 0.0,
        });
        sizes.fold(0.0, f64::max)
    };
    max("height") * max("width") <= MAX_CELLS as f64
}
