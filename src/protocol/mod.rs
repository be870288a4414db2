//! What goes over the wire, and nothing else: with [`crate::protocol::lenient_serde`] the only user of serde in the bot.
//!
//! In comes either a whole history (`{"requests":[...],"responses":[...],...}`) or, between the
//! turns of a bot that is kept running, the bare request of one turn. One type, [`Input`], reads both. Out
//! goes one line, made by [`reply_line`].
//!
//! Reading is permissive, because a legal answer is worth more than a complaint: unknown keys are
//! skipped however deep they are, the last of duplicate keys counts, numbers may come as strings or
//! as floats without a fraction, and a value of the wrong kind is read as absent. What it all means
//! is judged later, by [`crate::bot::session`] and [`crate::board`]; [`crate::protocol::history`] holds it until then.
//!
//! Source: the wiki pages *Bot* and *Minesweeper* on wiki.botzone.org.cn, as of 2026-11.

pub mod history;
pub mod json_sanitizer;
pub mod lenient_serde;
pub mod long_number;

use std::io::BufRead;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess};
use serde::{Deserialize as DeriveDeserialize, Serialize};

use crate::protocol::history::{Changed, History, RawChangedCell, Request};
use crate::protocol::json_sanitizer::Lenient;
use crate::protocol::lenient_serde::{Fold, Record, fold, record};
pub use crate::protocol::lenient_serde::{Integer, Limit};

/// The line that a bot which is kept running prints after every answer.
pub const KEEP_RUNNING_MARKER: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// Where the next opened cell is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    /// Row from 0.
    pub row: u32,
    /// Column from 0.
    pub col: u32,
}

#[derive(Serialize)]
struct Reply<'a> {
    response: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    debug: Option<&'a str>,
}

/// The one line that answers a turn, without its line feed; `debug` is kept in the match's log.
pub fn reply_line(place: Place, debug: Option<&str>) -> String {
    // Two numbers and a text always serialise; the form below is what serde_json writes.
    serde_json::to_string(&Reply { response: place, debug }).unwrap_or_else(|_| {
        format!("{{\"response\":{{\"row\":{},\"col\":{}}}}}", place.row, place.col)
    })
}

/// The values on a pipe, one after another, each as soon as it is complete.
pub fn inputs(reader: impl BufRead) -> impl Iterator<Item = serde_json::Result<Input>> {
    serde_json::Deserializer::from_reader(Lenient::new(reader)).into_iter()
}

/// One JSON value on stdin, whichever of the two shapes it has.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Input {
    /// The whole history, where the value has `requests`.
    pub requests: Option<History>,
    /// The bare request of one turn, where it has not.
    pub bare: Request,
    /// Seconds for a turn.
    pub time_limit: Limit,
}

impl Fold for Changed {
    type Item = RawChangedCell;
    fn take(&mut self, cell: RawChangedCell) {
        if cell == RawChangedCell::default() {
            self.unreadable += 1;
        } else {
            self.reports.push(cell);
        }
    }
    fn no_list(empty: bool) -> Changed {
        Changed { no_list: !empty, ..Changed::default() }
    }
}

impl<'de> Deserialize<'de> for Changed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Changed, D::Error> {
        fold(deserializer)
    }
}

/// `None` where the value is no list.
impl Fold for Option<History> {
    type Item = Request;
    fn take(&mut self, request: Request) {
        self.get_or_insert_default().push(request);
    }
    fn no_list(_: bool) -> Option<History> {
        None
    }
}

struct RequestList(Option<History>);

impl<'de> Deserialize<'de> for RequestList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RequestList, D::Error> {
        fold(deserializer).map(RequestList)
    }
}

#[doc(hidden)]
#[derive(DeriveDeserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
pub enum CellKey {
    Row,
    Col,
    Val,
    #[serde(other)]
    Other,
}

impl Record for RawChangedCell {
    type Key = CellKey;
    fn read<'de, A: MapAccess<'de>>(&mut self, key: CellKey, map: &mut A) -> Result<(), A::Error> {
        match key {
            CellKey::Row => self.row = map.next_value::<Integer>()?.into(),
            CellKey::Col => self.col = map.next_value::<Integer>()?.into(),
            CellKey::Val => self.val = map.next_value::<Integer>()?.into(),
            CellKey::Other => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for RawChangedCell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawChangedCell, D::Error> {
        record(deserializer)
    }
}

/// The keys of both shapes of input: those of a request, and those around a history.
#[doc(hidden)]
#[derive(DeriveDeserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
pub enum InputKey {
    Height,
    Width,
    Minecount,
    Changed,
    Requests,
    TimeLimit,
    #[serde(other)]
    Other,
}

impl Record for Request {
    type Key = InputKey;
    fn read<'de, A: MapAccess<'de>>(&mut self, key: InputKey, map: &mut A) -> Result<(), A::Error> {
        match key {
            InputKey::Height => self.height = map.next_value()?,
            InputKey::Width => self.width = map.next_value()?,
            InputKey::Minecount => self.minecount = map.next_value()?,
            InputKey::Changed => self.changed = map.next_value()?,
            _ => {
                map.next_value::<IgnoredAny>()?;
                return Ok(());
            }
        }
        self.any_key = true;
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Request, D::Error> {
        record(deserializer)
    }
}

impl Record for Input {
    type Key = InputKey;
    fn read<'de, A: MapAccess<'de>>(&mut self, key: InputKey, map: &mut A) -> Result<(), A::Error> {
        match key {
            InputKey::Requests => self.requests = map.next_value::<RequestList>()?.0,
            InputKey::TimeLimit => self.time_limit = map.next_value()?,
            of_a_request => self.bare.read(of_a_request, map)?,
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Input, D::Error> {
        record(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::Deadlines;
    use crate::board::ChangedCell;
    use crate::protocol::history::Flaw;
    use crate::protocol::lenient_serde::Small;

    fn read(text: &str) -> Input {
        inputs(text.as_bytes()).next().unwrap().unwrap()
    }

    #[test]
    fn both_shapes_are_read() {
        let cell = r#"{"col":7,"row":0,"val":1,"x":{"y":[1]}}"#;
        let request = format!(r#"{{"changed":[{cell}],"height":2,"minecount":3,"width":9}}"#);
        let whole = read(&format!(r#" {{ "requests" : [ {request} ] , "responses":[] }} "#));
        let bare = read(&request);
        let mut requests = History::default();
        requests.push(bare.bare.clone());
        assert_eq!((whole.requests, bare.requests), (Some(requests), None));
        assert_eq!(bare.bare.width, Integer::Is(9));
        assert_eq!(bare.bare.changed.reports.cells()[0].col.get(), Some(7));
    }

    #[test]
    fn nothing_changed_has_many_forms() {
        for (none, no_list) in [
            ("null", false),
            ("[]", false),
            ("\"\"", false),
            ("{}", true),
            ("0", true),
            ("false", true),
            ("\"[]\"", true),
        ] {
            let changed = read(&format!(r#"{{"height":1,"changed":{none}}}"#)).bare.changed;
            assert_eq!(changed, Changed { no_list, ..Changed::default() }, "{none}");
        }
    }

    #[test]
    fn numbers_are_read_from_any_writing_of_them() {
        let no_number = Integer::Other("a text that is no number");
        for (text, value) in [
            ("3", 3),
            ("3.0", 3),
            ("3e0", 3),
            ("\"3\"", 3),
            ("\" 3 \"", 3),
            ("-1", -1),
            ("1e300", i64::MAX),
            ("1e999", i64::MAX),
            ("-1e999", i64::MIN),
            ("\"1e999\"", i64::MAX),
            ("\"-1e999\"", i64::MIN),
            ("4000000000", 4_000_000_000),
        ]
        .map(|(text, value)| (text, Integer::Is(value)))
        .into_iter()
        .chain([
            ("3.5", Integer::Other("a fraction")),
            ("\"3.5\"", Integer::Other("a fraction")),
            ("\"\"", no_number),
            ("\"three\"", no_number),
            ("\"nan\"", no_number),
            ("\"inf\"", no_number),
            ("\"-infinity\"", no_number),
            ("[3]", Integer::Other("a list")),
            ("{\"a\":3}", Integer::Other("an object")),
            ("true", Integer::Other("a boolean")),
            ("null", Integer::Absent),
        ]) {
            assert_eq!(read(&format!(r#"{{"width":{text}}}"#)).bare.width, value, "{text}");
        }
        assert_eq!(read(r#"{"time_limit":"0.5"}"#).time_limit, Limit(Some(0.5)));
        assert_eq!(read(r#"{"time_limit":""}"#).time_limit, Limit(None));
    }

    #[test]
    fn what_a_parser_cannot_hold_costs_no_more_than_its_field() {
        let input = read(r#"{"time_limit":1e999,"\ud800":"\udfff","data":[-1e999],"width":4}"#);
        assert_eq!(input.bare.width, Integer::Is(4));
        assert_eq!(Deadlines::under_limit(input.time_limit.0), Deadlines::DEFAULT);
        let changed = read(r#"{"changed":[{"row":0,"col":1,"val":1e999}]}"#).bare.changed;
        let cell = changed.reports.cells()[0];
        assert_eq!([cell.row, cell.col, cell.val].map(Small::get), [Some(0), Some(1), None]);
    }

    #[test]
    fn the_last_of_duplicate_keys_counts() {
        assert_eq!(read(r#"{"width":3,"width":4}"#).bare.width, Integer::Is(4));
    }

    #[test]
    fn entries_that_are_no_objects_are_empty() {
        let input = read(r#"{"requests":[null,3,"x",[1],{"changed":[5,null,{"row":1}]}]}"#);
        let requests = input.requests.unwrap();
        assert_eq!((requests.turns, requests.unreadable.kept.as_slice()), (5, &[0, 1, 2, 3][..]));
        assert_eq!(requests.flaws.kept, [(4, Flaw::Unreadable(2))]);
        let report = ChangedCell { turn: 4, row: Some(1), column: None, value: None };
        assert_eq!(requests.reports().collect::<Vec<_>>(), [report]);
    }

    #[test]
    fn unknown_keys_may_be_as_deep_as_they_like() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(read(&format!(r#"{{"data":{deep},"width":4}}"#)).bare.width, Integer::Is(4));
    }

    #[test]
    fn the_answer_is_one_exact_line() {
        let place = Place { row: 3, col: 4 };
        assert_eq!(reply_line(place, None), r#"{"response":{"row":3,"col":4}}"#);
        assert_eq!(
            reply_line(place, Some("a \"b\"")),
            r#"{"response":{"row":3,"col":4},"debug":"a \"b\""}"#
        );
    }
}
