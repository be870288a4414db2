//! The two forms of input: a whole history, and the bare request of one turn.
//!
//! Both are read as [`Input`], because the keys of a request and those around a history do not
//! overlap. Unknown keys are skipped at any depth.

use std::fmt;
use std::io::BufRead;

use serde::Deserialize;
use serde::de::{Deserializer, Visitor};

use crate::protocol::history::{ChangedCell, History, changed_cells};
use crate::protocol::number;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The inputs of a stream of JSON values, each as soon as its value is complete. A byte order mark,
/// which some shells write, may stand before the first.
pub fn inputs(mut reader: impl BufRead) -> impl Iterator<Item = serde_json::Result<Input>> {
    // An error is met again when the first value is read.
    if reader.fill_buf().is_ok_and(|start| start.starts_with(BYTE_ORDER_MARK)) {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    serde_json::Deserializer::from_reader(reader).into_iter()
}

/// One JSON value: a history, or the keys of a bare request.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, expecting = "a history or a request")]
pub struct Input {
    /// The history, if there is one; the keys of a request are unused then.
    pub requests: Option<History>,
    /// The time limit of a turn, in seconds.
    #[serde(deserialize_with = "seconds")]
    pub time_limit: Option<f64>,
    /// The number of rows.
    #[serde(deserialize_with = "number::height")]
    pub height: Option<u64>,
    /// The number of columns.
    #[serde(deserialize_with = "number::width")]
    pub width: Option<u64>,
    /// The number of mines.
    #[serde(deserialize_with = "number::minecount")]
    pub minecount: Option<u64>,
    /// The cells that the last answer opened.
    #[serde(deserialize_with = "changed_cells")]
    pub changed: Vec<ChangedCell>,
}

/// Reads a time limit as a number or as a string, because the platform has been seen to write both.
/// A string without a number states no limit, and neither does null.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    struct SecondsVisitor;
    impl Visitor<'_> for SecondsVisitor {
        type Value = Option<f64>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a time in seconds")
        }
        fn visit_f64<E>(self, seconds: f64) -> Result<Option<f64>, E> {
            Ok(Some(seconds))
        }
        fn visit_u64<E>(self, seconds: u64) -> Result<Option<f64>, E> {
            Ok(Some(seconds as f64))
        }
        fn visit_i64<E>(self, seconds: i64) -> Result<Option<f64>, E> {
            Ok(Some(seconds as f64))
        }
        fn visit_str<E>(self, text: &str) -> Result<Option<f64>, E> {
            // The program has a reader of JSON's numbers anyway. The one of `str::parse` would add
            // its table of powers of five, which is 4 % of the uploaded file.
            Ok(serde_json::from_str(text.trim()).ok())
        }
        fn visit_unit<E>(self) -> Result<Option<f64>, E> {
            Ok(None)
        }
    }
    deserializer.deserialize_any(SecondsVisitor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::budget::Deadlines;

    fn parse(text: &str) -> serde_json::Result<Input> {
        inputs(text.as_bytes()).next().unwrap()
    }

    fn read(text: &str) -> Input {
        parse(text).unwrap()
    }

    /// The message of the error for a text that must not be read.
    fn refused(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn both_forms_are_read() {
        let cell = r#"{"col":7,"row":0,"val":1,"x":{"y":[1]}}"#;
        let request = format!(r#"{{"changed":[{cell}],"height":2,"minecount":3,"width":9}}"#);
        let history = read(&format!(r#" {{ "requests" : [ {request} ] , "responses":[] }} "#));
        let history = history.requests.unwrap();
        let bare = read(&request);
        assert_eq!((bare.requests, bare.time_limit), (None, None));
        assert_eq!((history.turns, history.field), (1, [Some(2), Some(9), Some(3)]));
        assert_eq!([bare.height, bare.width, bare.minecount], history.field);
        let expected = ChangedCell { turn: 0, row: 0, column: 7, value: 1 };
        assert_eq!((&bare.changed[..], &history.changed[..]), (&[expected][..], &[expected][..]));
    }

    #[test]
    fn an_empty_list_of_changed_cells_has_four_forms() {
        for value in ["null", "[]", "\"\""] {
            assert_eq!(read(&format!(r#"{{"height":1,"changed":{value}}}"#)).changed, []);
        }
        assert_eq!(read(r#"{"height":1}"#).changed, []);
        for (value, expected) in [
            ("{}", "expected a list of cells"),
            ("0", "expected a list of cells"),
            ("false", "expected a list of cells"),
            ("\"[]\"", "expected a list of cells"),
            ("[null]", "expected a cell"),
            ("[{}]", "missing field `row`"),
            (r#"[{"row":0,"col":1}]"#, "missing field `val`"),
        ] {
            let error = refused(&format!(r#"{{"height":1,"changed":{value}}}"#));
            assert!(error.contains(expected), "{value}: {error}");
        }
    }

    #[test]
    fn sizes_and_counts_are_integers() {
        for (text, value) in
            [("3", Some(3)), ("18446744073709551615", Some(u64::MAX)), ("null", None)]
        {
            assert_eq!(read(&format!(r#"{{"width":{text}}}"#)).width, value, "{text}");
        }
        for text in ["-1", "3.0", "3e0", "\"3\"", "\"\"", "[3]", "{}", "true", "1e300"] {
            let error = refused(&format!(r#"{{"width":{text}}}"#));
            assert!(
                error.contains("expected a whole number from 0 as \"width\" at line 1 "),
                "{error}"
            );
        }
        assert!(refused(r#"{"width":1e999}"#).contains("out of range"));
        assert!(refused(r#"{"width":3,"width":4}"#).contains("duplicate field `width`"));
    }

    #[test]
    fn a_time_limit_is_a_number_or_a_string() {
        for (text, seconds) in [
            ("0.5", Some(0.5)),
            ("2", Some(2.0)),
            ("-3", Some(-3.0)),
            ("\"0.5\"", Some(0.5)),
            ("\" 1 \"", Some(1.0)),
            ("\"\"", None),
            ("\"soon\"", None),
            ("null", None),
        ] {
            let input = read(&format!(r#"{{"time_limit":{text}}}"#));
            assert_eq!(input.time_limit, seconds, "{text}");
        }
        let limitless = read(r#"{"time_limit":"inf"}"#).time_limit;
        assert_eq!(Deadlines::under_limit(limitless), Deadlines::DEFAULT);
        for text in ["[1]", "{}", "true"] {
            let error = refused(&format!(r#"{{"time_limit":{text}}}"#));
            assert!(error.contains("expected a time in seconds"), "{error}");
        }
    }

    #[test]
    fn other_values_are_refused_by_what_was_expected() {
        for (text, expected) in [
            ("42", "expected a history or a request"),
            ("null", "expected a history or a request"),
            ("[{}]", "expected a list of requests"),
            (r#"{"requests":{}}"#, "expected a list of requests"),
            (r#"{"requests":[null]}"#, "expected a request"),
            (r#"{"changed":[5]}"#, "expected a cell"),
            (r#"{"changed":[{"row":2147483648}]}"#, "expected an integer as \"row\""),
        ] {
            let error = refused(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn unknown_keys_are_skipped_whatever_they_hold() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for value in [deep.as_str(), r#""\ud800""#, "-1e999", "[{},1.5,null]"] {
            assert_eq!(read(&format!(r#"{{"data":{value},"width":4}}"#)).width, Some(4));
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped_before_the_first_value_only() {
        assert_eq!(read("\u{feff}{\"width\":4}").width, Some(4));
        let all: Vec<bool> =
            inputs("\u{feff}{}\n{}\n\u{feff}{}".as_bytes()).map(|input| input.is_ok()).collect();
        assert_eq!(all, [true, true, false]);
        // A mark alone is an empty input, and a part of one is not JSON.
        assert!(inputs(BYTE_ORDER_MARK).next().is_none());
        assert!(inputs(&BYTE_ORDER_MARK[..2]).next().unwrap().is_err());
    }
}
