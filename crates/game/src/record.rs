//! The file of a whole game: the judge's outputs and the bot's answers, alternating.
//!
//! A log is a list. Even items are the judge's: `{"output":{...},...}`. Odd items are the bot's:
//! `{"0":{"response":...,...}}`. Botzone exports the bare list, or an object that has it as `log`
//! or `logs`, with the init data beside it where the first item has none. This project's records
//! wrap it in an object that also holds the init data as given, the score, the end and the number
//! of turns.
//!
//! A record also states its [`SizeLimits`] unless they are official, because a field of 5x5 would
//! be replaced under the official limits.
//!
//! Times and memory are written as 0, for readers that expect these keys: the same game of the
//! same bot gives the same file.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::field::Field;
use super::rule::{Rule, Start};
use super::setup::{Setup, SetupError, SizeLimits};

/// A recorded game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(expecting = "an object with a `log`")]
pub struct Record {
    /// The init data as the user gave it; absent in a bare log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initdata_given: Option<Value>,
    /// The size limits, where they are not official.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<LimitsMark>,
    /// The name of the bot, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// The turns in which a hit that ends the game was survived, if hits are survived. Each time
    /// the layout was drawn again; the game is recorded on the last layout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survived: Option<Vec<usize>>,
    /// The judge's and the bot's items, alternating, the judge's first.
    #[serde(alias = "logs")]
    pub log: Vec<Value>,
    /// The score of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Value>,
    /// `FINISH` or `INVALIDMOVE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub msg: Option<Value>,
    /// The number of the bot's answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Value>,
}

/// The log of a record as text.
#[derive(Deserialize)]
#[serde(expecting = "an object with a `log`")]
struct Items<'t> {
    #[serde(borrow, alias = "logs")]
    log: Vec<&'t RawValue>,
}

/// What a record has besides the log, and besides what its last output says.
#[derive(Deserialize)]
struct Others {
    initdata_given: Option<Value>,
    /// What the site knows of the init data.
    initdata: Option<Value>,
    rules: Option<LimitsMark>,
    bot: Option<String>,
    survived: Option<Vec<usize>>,
}

/// Size limits that are not official.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LimitsMark {
    /// Any size and any mine count.
    #[serde(rename = "any-size")]
    AnySize,
}

/// The reason why a text is not a recorded game.
#[derive(Debug)]
pub enum RecordError {
    /// It is not JSON, or has no `log`.
    Json(serde_json::Error),
    /// The log does not begin with an output of the judge.
    NoOutput,
    /// The init data does not describe a game.
    Setup(SetupError),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Json(error) if error.is_eof() => {
                write!(f, "not a recorded game: it is cut off: {error}")
            }
            RecordError::Json(error) => write!(f, "not a recorded game: {error}"),
            RecordError::NoOutput => {
                write!(f, "not a recorded game: log[0] has no `output` with a `content`")
            }
            RecordError::Setup(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// An empty record of a game with this setup.
    pub fn new(setup: &Setup) -> Record {
        Record {
            initdata_given: Some(setup.to_initdata()),
            rules: (!setup.is_official()).then_some(LimitsMark::AnySize),
            ..Record::default()
        }
    }

    /// The record of the requests that a bot was sent and its responses; nothing else is known.
    pub fn of_requests<'a>(
        requests: impl IntoIterator<Item = &'a Value>,
        responses: impl IntoIterator<Item = &'a Value>,
    ) -> Record {
        let mut record = Record::default();
        let mut responses = responses.into_iter();
        for request in requests {
            record.push_output(&json!({
                "command": "request",
                "content": {"0": request},
                "display": {"status": request["changed"]},
            }));
            if let Some(response) = responses.next() {
                record.push_answer("OK", Some(response));
            }
        }
        record
    }

    /// Reads a record, or a bare log.
    ///
    /// # Errors
    /// [`RecordError`] when it is neither.
    pub fn read(text: &str) -> Result<Record, RecordError> {
        let value: Value = serde_json::from_str(text).map_err(RecordError::Json)?;
        let mut value = if value.is_array() { json!({"log": value}) } else { value };
        let beside = value.get_mut("initdata").map(Value::take);
        let mut record: Record = serde_json::from_value(value).map_err(RecordError::Json)?;
        if let Some(first) = record.log.first_mut() {
            add_initdata(first, beside);
        }
        match record.log.first() {
            Some(first) if first["output"]["content"]["0"].is_object() => Ok(record),
            _ => Err(RecordError::NoOutput),
        }
    }

    /// Reads a record or a bare log item by item: `keep` is given each item and its index, and
    /// returns what the record keeps of it. A long log takes little more memory than its text.
    ///
    /// # Errors
    /// [`RecordError`] when it is neither.
    pub fn read_by_items(
        text: &str,
        mut keep: impl FnMut(usize, Value) -> Value,
    ) -> Result<Record, RecordError> {
        let is_bare = text.trim_start().starts_with('[');
        // What is wrong is said in one way.
        let fault = |error| Record::read(text).err().unwrap_or(RecordError::Json(error));
        let log: Vec<&RawValue> = if is_bare {
            serde_json::from_str(text).map_err(fault)?
        } else {
            serde_json::from_str::<Items>(text).map_err(fault)?.log
        };
        let (mut record, mut beside) = (Record::default(), None);
        if !is_bare {
            let others: Others = serde_json::from_str(text).map_err(fault)?;
            let Others { initdata_given, initdata, rules, bot, survived } = others;
            beside = initdata;
            record = Record { initdata_given, rules, bot, survived, ..record };
        }
        record.log.reserve_exact(log.len());
        for (index, item) in log.into_iter().enumerate() {
            let mut item: Value = serde_json::from_str(item.get()).map_err(RecordError::Json)?;
            if index == 0 {
                add_initdata(&mut item, beside.take());
            }
            if index == 0 && !item["output"]["content"]["0"].is_object() {
                return Err(RecordError::NoOutput);
            }
            record.log.push(keep(index, item));
        }
        if record.log.is_empty() { Err(RecordError::NoOutput) } else { Ok(record) }
    }

    /// Appends an output of the judge; the last one of a game also sets score, end and turns.
    pub fn push_output(&mut self, output: &Value) {
        if output["command"] == "finish" {
            self.score = Some(output["content"]["0"].clone());
            self.msg = Some(output["display"]["msg"].clone());
            self.turns = Some(json!(self.log.len() / 2));
        }
        self.log.push(json!({"verdict": "OK", "time": 0, "memory": 0, "output": output}));
    }

    /// Appends the bot's answer. Where there is none, `verdict` is the reason (`TLE`, `RE`, ...).
    pub fn push_answer(&mut self, verdict: &str, response: Option<&Value>) {
        let mut item = json!({"verdict": verdict, "time": 0, "memory": 0});
        if let Some(response) = response {
            item["response"] = response.clone();
        }
        self.log.push(json!({"0": item}));
    }

    /// States the layout on which the game ended, after hits in these turns were survived.
    pub fn set_survived(&mut self, turns: Vec<usize>, field: &Field) {
        if !turns.is_empty() {
            let given = self.initdata_given.iter_mut();
            let echo = &mut self.log[0]["output"]["initdata"];
            given.chain([echo]).for_each(|initdata| initdata["field"] = json!(field.to_string()));
        }
        self.survived = Some(turns);
    }

    /// The setup of this game.
    ///
    /// An absent seed is taken from the echo. A bare log has no given init data, so the echo
    /// replaces it: its `firstclick`, which only `skipfirst` writes there, is read as `skipfirst`,
    /// its rule is told from the first request, and its `field` is dropped where the seed generates
    /// the same field.
    ///
    /// # Errors
    /// [`RecordError::Setup`] when the init data does not describe a game.
    pub fn setup(&self) -> Result<Setup, RecordError> {
        let limits = match self.rules {
            None => SizeLimits::Official,
            Some(LimitsMark::AnySize) => SizeLimits::AnySize,
        };
        let echo = &self.log[0]["output"]["initdata"];
        let seed = echo["seed"].as_i64().and_then(|seed| i32::try_from(seed).ok()).unwrap_or(0);
        if let Some(given) = &self.initdata_given {
            return Setup::read(given, limits, seed).map_err(RecordError::Setup);
        }
        let mut setup = Setup::read(echo, limits, seed).map_err(RecordError::Setup)?;
        setup.skip_first = setup.first_click.take().is_some();
        let starts = self.possible_starts(&setup);
        let of_start = |&start: &Start| Setup { field: None, start, ..setup.clone() };
        let is_same = |generated: &Setup| {
            generated.field().ok().map(|(field, _)| field.to_string()) == setup.field
        };
        let generated = starts.iter().map(of_start).find(is_same);
        Ok(generated.unwrap_or(Setup { start: starts[0], ..setup }))
    }

    /// The rule by which the game was played, as far as the record tells; else Botzone's.
    pub fn rule(&self) -> Rule {
        self.setup().map_or(Rule::Botzone, |setup| setup.start.rule())
    }

    /// The rules by which the game of this bare log may have been played; not none. Only a classic
    /// game shows a cell before the first turn without `skipfirst`. Where that is a zero, it may be
    /// either classic rule's; both judge the game alike.
    fn possible_starts(&self, setup: &Setup) -> Vec<Start> {
        let shown = &self.log[0]["output"]["content"]["0"]["changed"][0];
        let place = shown["row"].as_i64().zip(shown["col"].as_i64());
        let first = place.and_then(|(row, column)| setup.shape.cell(row, column));
        // Without its field, a log may begin anywhere in a game.
        let is_told = setup.field.is_some() && !setup.skip_first;
        let (Some(first), true, Ok((field, _))) = (first, is_told, setup.field()) else {
            return vec![Start::CHOSEN];
        };
        let rules = [Rule::OpenFirst, Rule::SafeFirst, Rule::Botzone];
        let mut starts = rules.map(|rule| Start::new(rule, first)).to_vec();
        starts.retain(|start| start.is_kept_by(&field));
        starts
    }

    /// The number of the bot's answers in the log.
    pub fn answers(&self) -> usize {
        self.log.len() / 2
    }

    /// The input of a bot that is started for turn `turn`, counted from 0: all requests up to that
    /// turn and all responses before it. `None` where the log has no such request.
    pub fn input(&self, turn: usize) -> Option<Value> {
        let last = &self.log.get(2 * turn)?["output"];
        if last["command"] != "request" {
            return None;
        }
        let so_far = &self.log[..=2 * turn];
        let requests: Value =
            so_far.iter().step_by(2).map(|item| item["output"]["content"]["0"].clone()).collect();
        let responses: Value =
            so_far.iter().skip(1).step_by(2).map(|item| item["0"]["response"].clone()).collect();
        Some(json!({"requests": requests, "responses": responses}))
    }
}

/// Adds init data that stand beside a log, an object or a text of one, to its first output, if that
/// has none.
fn add_initdata(first: &mut Value, beside: Option<Value>) {
    let beside = match beside {
        Some(Value::String(text)) => serde_json::from_str(&text).unwrap_or_default(),
        beside => beside.unwrap_or_default(),
    };
    if beside.is_object() && first["output"].is_object() && !first["output"]["initdata"].is_object()
    {
        first["output"]["initdata"] = beside;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::botzone::BotzoneJudge;
    use sapper::board::geometry::Shape;

    fn played(setup: &Setup, answers: &[(u32, u32)]) -> Record {
        let mut judge = BotzoneJudge::new(setup).unwrap();
        let mut record = Record::new(setup);
        record.push_output(judge.first_output());
        for (row, col) in answers {
            let answer = json!({"row": row, "col": col});
            record.push_answer("OK", Some(&answer));
            record.push_output(&judge.answer(&answer).output);
        }
        record
    }

    fn small() -> Setup {
        Setup::new(Shape::new(2, 3).unwrap(), 1, 4)
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let record = played(&small(), &[(0, 0), (0, 0)]);
        let text = serde_json::to_string(&record).unwrap();
        assert!(text.starts_with(r#"{"initdata_given":{"#) && text.ends_with(r#""turns":2}"#));
        assert_eq!(Record::read(&text).unwrap(), record);
        assert_eq!(record.setup().unwrap(), small());
        assert_eq!((record.answers(), record.msg), (2, Some(json!("INVALIDMOVE"))));
        assert_eq!(record.rules, Some(LimitsMark::AnySize));
    }

    #[test]
    fn the_input_of_a_turn_is_the_history_before_it() {
        let record = played(&small(), &[(1, 1), (1, 1)]);
        let first = record.input(0).unwrap();
        assert_eq!(first["requests"].as_array().unwrap().len(), 1);
        assert_eq!(first["responses"], json!([]));
        let second = record.input(1).unwrap();
        assert_eq!(second["requests"][1], record.log[2]["output"]["content"]["0"]);
        assert_eq!(second["responses"], json!([{"row": 1, "col": 1}]));
        assert_eq!(record.input(2), None);
        assert_eq!(record.input(3), None);
    }

    #[test]
    fn the_echo_of_a_bare_log_replaces_the_given_initdata() {
        let shape = Shape::new(20, 30).unwrap();
        for skip_first in [false, true] {
            let setup = Setup { skip_first, ..Setup::new(shape, 80, 12345) };
            let bare = json!(played(&setup, &[]).log).to_string();
            assert_eq!(Record::read(&bare).unwrap().setup().unwrap(), setup);
            let field = Some("0".repeat(600));
            let setup = Setup { field, ..setup };
            let bare = json!(played(&setup, &[]).log).to_string();
            assert_eq!(Record::read(&bare).unwrap().setup().unwrap(), setup);
        }
    }

    #[test]
    fn init_data_beside_a_log_count_where_the_log_has_none() {
        let record = played(&Setup::new(Shape::new(11, 12).unwrap(), 20, 5), &[(0, 0)]);
        let mut log = record.log.clone();
        let echo = log[0]["output"]["initdata"].take();
        let other = json!({"width": 13, "height": 13, "minecount": 13, "seed": 1});
        for (beside, log, expected) in [
            (echo.clone(), &log, &record.log),
            (json!(echo.to_string()), &log, &record.log),
            (other, &record.log, &record.log),
            (json!("7"), &log, &log),
            (json!(null), &log, &log),
        ] {
            for key in ["log", "logs"] {
                let text = json!({"initdata": beside, key: log, "players": []}).to_string();
                assert_eq!(Record::read(&text).unwrap().log, *expected);
                let by_items = Record::read_by_items(&text, |_, item| item).unwrap();
                assert_eq!(by_items.log, *expected);
            }
        }
        assert!(Record::read(r#"{"initdata":{},"log":[7]}"#).is_err());
    }

    #[test]
    fn invalid_records_are_refused() {
        assert!(matches!(Record::read("{"), Err(RecordError::Json(_))));
        assert!(matches!(Record::read("{}"), Err(RecordError::Json(_))));
        assert!(matches!(Record::read("[]"), Err(RecordError::NoOutput)));
        assert!(matches!(Record::read(r#"{"log":[{"0":1}]}"#), Err(RecordError::NoOutput)));
    }
}
