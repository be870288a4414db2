//! A report as tables.
//!
//! A command builds its report once, as a JSON value. It prints the value with `--json`, and else
//! tables that show parts of it: each column has the JSON pointer of its values.

use std::fmt::Display;
use std::ops::Range;

use comfy_table::{CellAlignment, Row, Table, presets::ASCII_MARKDOWN};
use serde_json::Value;

/// How the numbers of a column are printed.
#[derive(Clone, Copy)]
pub enum Format {
    /// With this number of decimals; integers without decimals.
    Decimals(usize),
    /// The same with a sign, which a zero has not.
    Signed(usize),
    /// As a percentage of 1, with this number of decimals.
    Percent(usize),
    /// The same with a sign.
    SignedPercent(usize),
}

/// The title of a column, the pointer of its values in a row, and their format.
pub type Column = (&'static str, &'static str, Format);

/// An empty table in the style of all tables.
pub fn empty<R: Into<Row>>(titles: R) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN).set_header(titles);
    table
}

/// Aligns the cells of these columns to the right.
pub fn right_align(table: &mut Table, columns: Range<usize>) {
    for column in table.column_iter_mut().take(columns.end).skip(columns.start) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// A table with a line for each of these rows.
pub fn table<'r>(columns: &[Column], rows: impl IntoIterator<Item = &'r Value>) -> Table {
    let mut table = empty(columns.iter().map(|(title, ..)| *title));
    for row in rows {
        table.add_row(
            columns.iter().map(|(_, pointer, format)| {
                format.text(row.pointer(pointer).unwrap_or(&Value::Null))
            }),
        );
    }
    table
}

/// Counts by name, such as `2 crash, 1 timeout`.
pub fn counts_text(counts: impl IntoIterator<Item = (impl Display, impl Display)>) -> String {
    let counts = counts.into_iter().map(|(name, count)| format!("{count} {name}"));
    counts.collect::<Vec<_>>().join(", ")
}

impl Format {
    /// A value as text: null is `-`, the ends of an interval and lists of texts are joined, and the
    /// entries of an object are counts.
    pub fn text(self, value: &Value) -> String {
        let join = |values: &[Value], separator| {
            values.iter().map(|value| self.text(value)).collect::<Vec<_>>().join(separator)
        };
        match (value, self) {
            (Value::Null, _) => "-".to_owned(),
            (Value::String(text), _) => text.clone(),
            (Value::Array(values), _) if values.is_empty() => "none".to_owned(),
            (Value::Array(texts), _) if texts[0].is_string() => join(texts, "; "),
            (Value::Array(ends), Format::Signed(_) | Format::SignedPercent(_)) => {
                join(ends, " to ")
            }
            (Value::Array(ends), _) => join(ends, "-"),
            (Value::Object(counts), _) if counts.is_empty() => "none".to_owned(),
            (Value::Object(counts), _) => counts_text(counts),
            (Value::Number(number), Format::Decimals(decimals)) if number.is_f64() => {
                fixed(number.as_f64(), decimals)
            }
            (Value::Number(number), Format::Signed(decimals)) => signed(number.as_f64(), decimals),
            (Value::Number(number), Format::Percent(decimals)) => {
                fixed(number.as_f64().map(|share| 100.0 * share), decimals)
            }
            (Value::Number(number), Format::SignedPercent(decimals)) => {
                signed(number.as_f64().map(|share| 100.0 * share), decimals)
            }
            _ => value.to_string(),
        }
    }
}

fn fixed(number: Option<f64>, decimals: usize) -> String {
    unsigned_zero(format!("{:.decimals$}", number.unwrap_or_default()))
}

fn signed(number: Option<f64>, decimals: usize) -> String {
    unsigned_zero(format!("{:+.decimals$}", number.unwrap_or_default()))
}

/// A number as text, without the sign of a zero.
fn unsigned_zero(text: String) -> String {
    let is_zero = text.chars().all(|sign| matches!(sign, '+' | '-' | '0' | '.'));
    if is_zero { text.replace(['+', '-'], "") } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_printed_by_their_kind_and_format() {
        for (value, format, expected) in [
            (json!(null), Format::Percent(2), "-"),
            (json!("a b"), Format::Decimals(2), "a b"),
            (json!(7), Format::Decimals(2), "7"),
            (json!(7.0), Format::Decimals(2), "7.00"),
            (json!([0.25, 1.0]), Format::Percent(1), "25.0-100.0"),
            (json!([-0.5, 1]), Format::Signed(1), "-0.5 to +1.0"),
            (json!(-0.004), Format::Decimals(2), "0.00"),
            (json!(-0.001), Format::Percent(0), "0"),
            (json!(-0.006), Format::Decimals(2), "-0.01"),
            (json!(-0.004), Format::Signed(2), "0.00"),
            (json!(0.0), Format::Signed(2), "0.00"),
            (json!(0.006), Format::Signed(2), "+0.01"),
            (json!([-0.5, 0.25]), Format::SignedPercent(1), "-50.0 to +25.0"),
            (json!(["a", "b"]), Format::Decimals(0), "a; b"),
            (json!([]), Format::Decimals(0), "none"),
            (json!({}), Format::Decimals(0), "none"),
            (json!({"crash": 2, "timeout": 1}), Format::Decimals(0), "2 crash, 1 timeout"),
            (json!(true), Format::Decimals(0), "true"),
        ] {
            assert_eq!(format.text(&value), expected, "{value}");
        }
    }

    #[test]
    fn a_column_shows_what_its_pointer_names() {
        let rows = [json!({"name": "a", "score": {"mean": 1.25}}), json!({"name": "b"})];
        let columns =
            [("", "/name", Format::Decimals(0)), ("score", "/score/mean", Format::Decimals(1))];
        let text = table(&columns, &rows).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2..], ["| a | 1.2   |", "| b | -     |"]);
    }
}
