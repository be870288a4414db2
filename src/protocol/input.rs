//! The two forms of input, and the keys of their objects.
//!
//! Both forms are read by [`Input`], because the keys of a request and those around a history do
//! not overlap. The last of duplicate keys counts; unknown keys are skipped.

use std::io::BufRead;

use serde::Deserialize as DeriveDeserialize;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess};

use crate::protocol::history::{ChangedList, History, RawChangedCell, Request};
use crate::protocol::json_sanitizer::JsonSanitizer;
use crate::protocol::lenient_serde::{Fold, Integer, Record, Seconds, fold, record};

/// The inputs of a stream of JSON values, each as soon as its value is complete.
pub fn inputs(reader: impl BufRead) -> impl Iterator<Item = serde_json::Result<Input>> {
    serde_json::Deserializer::from_reader(JsonSanitizer::new(reader)).into_iter()
}

/// One JSON value in either form.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Input {
    /// The history, if the value has `requests`.
    pub requests: Option<History>,
    /// The request of one turn; empty if the value has none of its keys.
    pub bare: Request,
    /// The time limit of a turn.
    pub time_limit: Seconds,
}

impl Fold for ChangedList {
    type Item = RawChangedCell;
    fn take(&mut self, cell: RawChangedCell) {
        if cell == RawChangedCell::default() {
            self.unreadable += 1;
        } else {
            self.cells.push(cell);
        }
    }
    fn from_other(is_empty: bool) -> ChangedList {
        ChangedList { is_invalid: !is_empty, ..ChangedList::default() }
    }
}

impl<'de> Deserialize<'de> for ChangedList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ChangedList, D::Error> {
        fold(deserializer)
    }
}

/// `None` for a value that is no list.
impl Fold for Option<History> {
    type Item = Request;
    fn take(&mut self, request: Request) {
        self.get_or_insert_default().push(request);
    }
    fn from_other(_: bool) -> Option<History> {
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

/// The keys of both forms: those of a request, and those around a history.
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
        self.has_any_key = true;
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
            request_key => self.bare.read(request_key, map)?,
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
    use crate::board::replay::ChangedCell;
    use crate::protocol::history::Flaw;
    use crate::protocol::lenient_serde::CompactInteger;

    fn read(text: &str) -> Input {
        inputs(text.as_bytes()).next().unwrap().unwrap()
    }

    #[test]
    fn both_forms_are_read() {
        let cell = r#"{"col":7,"row":0,"val":1,"x":{"y":[1]}}"#;
        let request = format!(r#"{{"changed":[{cell}],"height":2,"minecount":3,"width":9}}"#);
        let whole = read(&format!(r#" {{ "requests" : [ {request} ] , "responses":[] }} "#));
        let bare = read(&request);
        let mut requests = History::default();
        requests.push(bare.bare.clone());
        assert_eq!((whole.requests, bare.requests), (Some(requests), None));
        assert_eq!(bare.bare.width, Integer::Value(9));
        assert_eq!(bare.bare.changed.cells.as_slice()[0].col.get(), Some(7));
    }

    #[test]
    fn an_empty_list_of_changed_cells_has_many_forms() {
        for (value, is_invalid) in [
            ("null", false),
            ("[]", false),
            ("\"\"", false),
            ("{}", true),
            ("0", true),
            ("false", true),
            ("\"[]\"", true),
        ] {
            let changed = read(&format!(r#"{{"height":1,"changed":{value}}}"#)).bare.changed;
            assert_eq!(changed, ChangedList { is_invalid, ..ChangedList::default() }, "{value}");
        }
    }

    #[test]
    fn numbers_are_read_from_any_notation() {
        let no_number = Integer::Invalid("a text that is no number");
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
        .map(|(text, value)| (text, Integer::Value(value)))
        .into_iter()
        .chain([
            ("3.5", Integer::Invalid("a fraction")),
            ("\"3.5\"", Integer::Invalid("a fraction")),
            ("\"\"", no_number),
            ("\"three\"", no_number),
            ("\"nan\"", no_number),
            ("\"inf\"", no_number),
            ("\"-infinity\"", no_number),
            ("[3]", Integer::Invalid("a list")),
            ("{\"a\":3}", Integer::Invalid("an object")),
            ("true", Integer::Invalid("a boolean")),
            ("null", Integer::Absent),
        ]) {
            assert_eq!(read(&format!(r#"{{"width":{text}}}"#)).bare.width, value, "{text}");
        }
        assert_eq!(read(r#"{"time_limit":"0.5"}"#).time_limit, Seconds(Some(0.5)));
        assert_eq!(read(r#"{"time_limit":""}"#).time_limit, Seconds(None));
    }

    #[test]
    fn a_value_that_the_parser_cannot_represent_makes_only_its_key_unusable() {
        let input = read(r#"{"time_limit":1e999,"\ud800":"\udfff","data":[-1e999],"width":4}"#);
        assert_eq!(input.bare.width, Integer::Value(4));
        assert_eq!(Deadlines::under_limit(input.time_limit.0), Deadlines::DEFAULT);
        let changed = read(r#"{"changed":[{"row":0,"col":1,"val":1e999}]}"#).bare.changed;
        let cell = changed.cells.as_slice()[0];
        assert_eq!(
            [cell.row, cell.col, cell.val].map(CompactInteger::get),
            [Some(0), Some(1), None]
        );
    }

    #[test]
    fn the_last_of_duplicate_keys_counts() {
        assert_eq!(read(r#"{"width":3,"width":4}"#).bare.width, Integer::Value(4));
    }

    #[test]
    fn entries_that_are_no_objects_are_unreadable() {
        let input = read(r#"{"requests":[null,3,"x",[1],{"changed":[5,null,{"row":1}]}]}"#);
        let requests = input.requests.unwrap();
        assert_eq!((requests.turns, requests.unreadable.items.as_slice()), (5, &[0, 1, 2, 3][..]));
        assert_eq!(requests.flaws.items, [(4, Flaw::UnreadableEntries(2))]);
        let changed = ChangedCell { turn: 4, row: Some(1), column: None, value: None };
        assert_eq!(requests.changed_cells().collect::<Vec<_>>(), [changed]);
    }

    #[test]
    fn unknown_keys_are_skipped_at_any_depth() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(read(&format!(r#"{{"data":{deep},"width":4}}"#)).bare.width, Integer::Value(4));
    }
}
