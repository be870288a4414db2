//! The two forms of input: a whole history, and the bare request of one turn.
//!
//! Both are read as [`Input`], because the keys of a request and those around a history do not
//! overlap. Unknown keys are skipped at any depth.

use std::io::BufRead;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::kit::object::read_from_object;
use crate::protocol::history::{ChangedCell, History, changed_cells};
use crate::protocol::number;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What is wrong with a text that begins with the mark of UTF-16, as Windows PowerShell writes.
const UTF_16: &str = "it is UTF-16; save it as UTF-8";

/// The inputs of a stream of JSON values, each as soon as its value is complete. A byte order mark,
/// which some shells write, may stand before the first.
pub fn inputs(mut reader: impl BufRead) -> impl Iterator<Item = serde_json::Result<Input>> {
    // An error is met again when the first value is read.
    let start = reader.fill_buf().unwrap_or_default();
    let is_utf_16 = start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF");
    if start.starts_with(BYTE_ORDER_MARK) {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    let fault = is_utf_16.then(|| Err(serde_json::Error::custom(UTF_16)));
    fault.into_iter().chain(serde_json::Deserializer::from_reader(reader).into_iter())
}

/// One JSON value: a history, or the keys of a bare request.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(remote = "Self", default, expecting = "a history or a request")]
pub struct Input {
    /// The history, if there is one; the keys of a request are unused then.
    pub requests: Option<History>,
    /// The time limit of a turn, in seconds: finite and above 0.
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
read_from_object!(Input);

/// Reads a time limit as a number or as a string, because the platform has been seen to write both.
/// Whatever else stands there states no limit. It must not cost the answer, so it is read as text:
/// `1e400` is JSON, but no number that serde_json reads.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let json = Box::<RawValue>::deserialize(deserializer)?;
    let string: Option<String> = serde_json::from_str(json.get()).ok();
    let text = string.as_deref().unwrap_or(json.get()).trim();
    // The program has a reader of JSON's numbers anyway. The one of `str::parse` would add its
    // table of powers of five, which is 4 % of the uploaded file.
    let seconds: Option<f64> = serde_json::from_str(text).ok();
    Ok(seconds.filter(|seconds| *seconds > 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn an_integer_that_no_cell_has_is_read_as_one() {
        for (text, value) in [
            ("2147483648", i32::MAX),
            ("18446744073709551615", i32::MAX),
            ("-2147483649", i32::MIN),
            ("-0", 0),
        ] {
            let cell = format!(r#"{{"row":{text},"col":{text},"val":{text}}}"#);
            let read = read(&format!(r#"{{"changed":[{cell}]}}"#)).changed;
            assert_eq!(read, [ChangedCell { turn: 0, row: value, column: value, value }]);
        }
    }

    #[test]
    fn utf_16_is_named() {
        for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] {
            let error = inputs(&mark[..]).next().unwrap().unwrap_err();
            assert_eq!(error.to_string(), UTF_16);
        }
    }

    #[test]
    fn sizes_and_counts_are_integers() {
        for (text, value) in [
            ("3", Some(3)),
            ("-0", Some(0)),
            ("18446744073709551615", Some(u64::MAX)),
            ("null", None),
        ] {
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
    fn a_time_limit_is_a_number_above_0_or_a_string_of_one_and_all_else_is_none() {
        for (text, seconds) in [
            ("0.5", Some(0.5)),
            ("2", Some(2.0)),
            ("\"0.5\"", Some(0.5)),
            ("\" 1 \"", Some(1.0)),
            ("\"\\u0031\"", Some(1.0)),
            ("1e308", Some(1e308)),
        ] {
            let input = read(&format!(r#"{{"time_limit":{text}}}"#));
            assert_eq!(input.time_limit, seconds, "{text}");
        }
        let digits = "9".repeat(400);
        for text in [
            "1e400",
            "-1e400",
            "1e99999999999",
            &digits,
            "-3",
            "0",
            "-0.0",
            "1e-400",
            "null",
            "true",
            "[1]",
            "{}",
            r#"{"a":[{}]}"#,
            r#""""#,
            r#""soon""#,
            r#""NaN""#,
            r#""inf""#,
            r#""1e400""#,
            r#""-1""#,
            r#""\"1\"""#,
            r#""\ud800""#,
        ] {
            for (before, after) in [("", ",\"width\":4"), ("\"width\":4,", "")] {
                let input = format!("{{{before}\"time_limit\":{text}{after}}}");
                let Input { time_limit, width, .. } = read(&input);
                assert_eq!((time_limit, width), (None, Some(4)), "{input}");
            }
            // A key of a request, and one of a value without a meaning, is skipped.
            let inner = format!(r#"{{"requests":[{{"width":4,"time_limit":{text}}}]}}"#);
            assert_eq!(read(&inner).requests.unwrap().field, [None, Some(4), None]);
        }
        for text in ["", "nul", "1e", "+1", "01", "[1", "NaN"] {
            refused(&format!(r#"{{"time_limit":{text}}}"#));
        }
    }

    #[test]
    fn an_array_is_no_object() {
        for text in [
            "[]",
            "[null,null,3,3,1,[]]",
            "[{}]",
            r#"{"requests":[[3,3,1,null]]}"#,
            r#"{"requests":[{},[]]}"#,
            r#"{"requests":[{"changed":[[0,0,1]]}]}"#,
            r#"{"changed":[[0,0,1]]}"#,
        ] {
            let error = refused(text);
            let expected = "expected an object, found an array at line 1 column ";
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn other_values_are_refused_by_what_was_expected() {
        for (text, expected) in [
            ("42", "expected a history or a request"),
            ("null", "expected a history or a request"),
            (r#"{"requests":{}}"#, "expected a list of requests"),
            (r#"{"requests":[null]}"#, "expected a request"),
            (r#"{"changed":[5]}"#, "expected a cell"),
            (r#"{"changed":[{"row":1e10}]}"#, "expected an integer as \"row\""),
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
